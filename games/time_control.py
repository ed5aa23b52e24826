"""Which of the four ratings a game counts for, from its time control."""

# A pool holds every game shorter than its bound, in minutes; longer ones are standard.
_BOUNDS = ((3, "bullet"), (10, "blitz"), (60, "rapid"))


def pool_for(minutes: int, increment_seconds: int = 0) -> str:
    """Return "standard", "rapid", "blitz" or "bullet" for one player's time.

    `minutes` are those of all sessions together, `increment_seconds` is what each move
    adds; a game is taken as 60 moves, so each second adds one minute. Exactly 10 minutes is
    rapid, exactly 60 is standard. Raises ValueError for a negative time or none at all.
    """
    if minutes < 0 or increment_seconds < 0:
        raise ValueError(
            f"a time control is never negative: {minutes} minutes + {increment_seconds} seconds"
        )
    total = minutes + increment_seconds
    if total == 0:
        raise ValueError("a time control of no minutes and no increment is none")
    for bound, pool in _BOUNDS:
        if total < bound:
            return pool
    return "standard"
