"""How the grades of a list are spread: bands of ten, middle and mean. Pure."""

from collections.abc import Mapping
from itertools import accumulate
from typing import NamedTuple

BAND = 10


class Band(NamedTuple):
    """Grades `first` to `last`, so many players, and how long a bar is: 100 is the longest."""

    first: int
    last: int
    players: int
    length: int


class Spread(NamedTuple):
    """Of all grades: how many, the lowest, the highest, and the one in the middle."""

    players: int
    lowest: int
    highest: int
    middle: int


def bands(counts: Mapping[int, int]) -> list[Band]:
    """The bands from the lowest grade's to the highest's, also those that nobody is in.

    `counts` says how many players have each grade, published ones, so none is below 0.
    """
    if not counts:
        return []
    sums: dict[int, int] = {}
    for grade, count in counts.items():
        sums[grade // BAND] = sums.get(grade // BAND, 0) + count
    most = max(sums.values())
    return [
        Band(
            number * BAND,
            number * BAND + BAND - 1,
            sums.get(number, 0),
            -(-100 * sums.get(number, 0) // most),
        )
        for number in range(min(sums), max(sums) + 1)
    ]


def spread(counts: Mapping[int, int]) -> Spread | None:
    """The figures of a list as a whole, None without grades.

    The middle one is the grade that half of the players reach at most: of two the lower.
    """
    if not counts:
        return None
    grades = sorted(counts)
    total = sum(counts.values())
    up_to = accumulate(counts[grade] for grade in grades)
    middle = next(grade for grade, count in zip(grades, up_to, strict=True) if 2 * count >= total)
    return Spread(total, grades[0], grades[-1], middle)
