"""The draw of a cup: pure, so that the same teams and the same number give the same draw.

A team's lot is SHA-256 of the number, the attempt and its name, so anybody can work a draw out
again. Seeded teams get the byes first and meet as late as can be; the lots do the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

# Attempts at keeping the teams of one club apart; the first of the best is taken.
ATTEMPTS = 300


@dataclass(frozen=True, slots=True)
class Entrant:
    """A team that takes part; `seed` is its place among the seeded ones, None for the others."""

    id: int
    name: str
    club: int
    seed: int | None = None


Pair = tuple[Entrant, Entrant | None]


def draw_bracket(entrants: Sequence[Entrant], number: int, *, clubs_apart: bool) -> list[Pair]:
    """The ties of the first round from the top of the bracket down; a bye has nobody beside it.

    The winners of ties 1 and 2 meet next, those of 3 and 4, and so on. Raises ValueError for
    fewer than two teams.
    """
    if len(entrants) < 2:
        raise ValueError("a cup needs two teams")
    seeded = sorted((each for each in entrants if each.seed), key=lambda each: each.seed)
    others = [each for each in entrants if not each.seed]
    size = bracket_size(len(entrants))
    lines = seed_lines(size)

    def drawn(attempt: int) -> list[Entrant | None]:
        ranked = [*seeded, *by_lot(others, number, attempt)]
        return [ranked[line - 1] if line <= len(ranked) else None for line in lines]

    slots = _best(drawn, _early_meetings, clubs_apart)
    pairs = zip(slots[::2], slots[1::2], strict=True)
    return [_home_by_lot(pair, number, 1, place) for place, pair in enumerate(pairs, 1)]


def draw_round(
    entrants: Sequence[Entrant], number: int, round: int, *, clubs_apart: bool
) -> list[Pair]:
    """The ties of a round that is drawn for itself, the byes last.

    Byes bring the teams down to a power of two: the seeded ones first, then by lot. No two
    seeded teams meet where that can be kept. Raises ValueError for fewer than two teams.
    """
    if len(entrants) < 2:
        raise ValueError("a round needs two teams")
    size = bracket_size(len(entrants))
    seeded = sorted((each for each in entrants if each.seed), key=lambda each: each.seed)

    def drawn(attempt: int) -> list[Entrant | None]:
        others = by_lot([each for each in entrants if not each.seed], number, attempt)
        ranked = [*seeded, *others]
        byes, playing = ranked[: size - len(ranked)], ranked[size - len(ranked) :]
        half = len(playing) // 2
        if not any(each.seed for each in playing):
            pairs = list(zip(playing[::2], playing[1::2], strict=True))
        else:  # the seeded ones stand first, so each meets one of the other half
            upper, lower = playing[:half], by_lot(playing[half:], number, attempt + ATTEMPTS)
            pairs = list(zip(upper, lower, strict=True))
        pairs.sort(key=lambda pair: lot(pair[0], number, attempt))
        return [each for pair in pairs for each in pair] + [
            each for bye in byes for each in (bye, None)
        ]

    slots = _best(drawn, _meetings_now, clubs_apart)
    pairs = zip(slots[::2], slots[1::2], strict=True)
    return [_home_by_lot(pair, number, round, place) for place, pair in enumerate(pairs, 1)]


def next_pair(one: Entrant, two: Entrant, number: int, round: int, place: int) -> Pair:
    """The winners of two neighbouring ties of a bracket, the home side by lot."""
    return _home_by_lot((one, two), number, round, place)


def bracket_size(teams: int) -> int:
    """The power of two that holds so many teams: 11 are a bracket of 16."""
    return 1 << (teams - 1).bit_length()


def seed_lines(size: int) -> list[int]:
    """Which rank stands on each line of a bracket: of 8 teams 1 8 5 4 3 6 7 2.

    Were the stronger always to win, 1 and 2 meet in the final, 1 and 4, 2 and 3 before it.
    """
    lines = [1]
    while len(lines) < size:
        total = 2 * len(lines) + 1
        pairs = [(line, total - line) for line in lines]
        lines = [
            each for nth, pair in enumerate(pairs) for each in (pair[::-1] if nth % 2 else pair)
        ]
    return lines


def by_lot(entrants: Sequence[Entrant], number: int, attempt: int) -> list[Entrant]:
    """These teams in the order of their lots."""
    return sorted(entrants, key=lambda each: lot(each, number, attempt))


def lot(entrant: Entrant, number: int, attempt: int) -> tuple[str, int]:
    """A team's lot; two of one name, which no cup has, would stand by id."""
    text = f"{number}:{attempt}:{entrant.name}"
    return sha256(text.encode()).hexdigest(), entrant.id


def _best(drawn, cost, clubs_apart: bool) -> list[Entrant | None]:
    first = drawn(0)
    if not clubs_apart or not cost(first):
        return first
    return min((drawn(attempt) for attempt in range(ATTEMPTS)), key=cost)


def _early_meetings(slots: Sequence[Entrant | None]) -> int:
    """How early teams of one club can meet: the more, the worse; 0 for none at all."""
    cost = 0
    for place, one in enumerate(slots):
        for other_place in range(place + 1, len(slots)):
            other = slots[other_place]
            if one is not None and other is not None and one.club == other.club:
                round = (place ^ other_place).bit_length()
                cost += 8 ** (len(slots).bit_length() - round)
    return cost


def _meetings_now(slots: Sequence[Entrant | None]) -> int:
    pairs = zip(slots[::2], slots[1::2], strict=True)
    return sum(one is not None and two is not None and one.club == two.club for one, two in pairs)


def _home_by_lot(
    pair: tuple[Entrant | None, Entrant | None], number: int, round: int, place: int
) -> Pair:
    one, two = pair
    if one is None or two is None:
        return (one or two), None
    swapped = int(sha256(f"{number}:home:{round}:{place}".encode()).hexdigest(), 16) % 2
    return (two, one) if swapped else (one, two)
