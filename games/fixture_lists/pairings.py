"""Berger tables: who meets whom in which round, at home or away, by numbers 1 to n. Pure.

The tables are those of the FIDE handbook (C.05 annex 1): a fixed last number and the others in a
circle. Of an odd number of teams each has one free week a leg, in which no row stands. Each team
has home and away within one of each other in every leg. Where there are several legs, every even
one mirrors the first. An even number of teams then begins with the fourth round of the table: so
nobody is three times in a row at home or away, and two legs have the fewest breaks that mirrored
ones can have, 3n - 6 (de Werra 1981). With four teams three in a row cannot be avoided.
"""

Pairing = tuple[int, int]
"""Home and away."""

BEGIN = 3


def rounds_in_leg(teams: int) -> int:
    """How many rounds a leg of this many teams has."""
    return 0 if teams < 2 else teams - 1 + teams % 2


def berger(teams: int) -> list[list[Pairing]]:
    """The rounds of one leg; raises ValueError for fewer than two teams."""
    if teams < 2:
        raise ValueError(f"{teams} teams have nobody to meet")
    size = teams + teams % 2
    found = []
    for number in range(size - 1):
        # The circle of all but the last turns by half of it each round.
        top = number * (size // 2) % (size - 1) + 1
        pairs = [(top, size) if number % 2 == 0 else (size, top)]
        for step in range(1, size // 2):
            home = (top - 1 + step) % (size - 1) + 1
            away = (top - 1 - step) % (size - 1) + 1
            pairs.append((home, away))
        found.append([pair for pair in pairs if max(pair) <= teams])
    return found


def fixture_rounds(teams: int, legs: int = 2) -> list[list[Pairing]]:
    """All rounds of all legs, even legs mirrored.

    Raises ValueError for fewer than two teams and for fewer than one leg.
    """
    if legs < 1:
        raise ValueError(f"{legs} legs are none")
    first = berger(teams)
    if legs > 1 and teams % 2 == 0 and teams >= 6:
        first = first[BEGIN:] + first[:BEGIN]
    mirrored = [[(away, home) for home, away in pairs] for pairs in first]
    return [pairs for leg in range(legs) for pairs in (mirrored if leg % 2 else first)]


def longest_run(sides: str) -> int:
    """The most letters running that are equal: `HHAHHH` has 3."""
    longest = run = 0
    before = ""
    for side in sides:
        run = run + 1 if side == before else 1
        longest, before = max(longest, run), side
    return longest
