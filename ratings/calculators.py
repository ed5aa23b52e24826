"""The answers of the calculators on the page that explains ratings.

Pure, and no second formula: `ratings.elo` and `ratings.ecf` are asked. Ratings and grades are
whole numbers as people read them, scores half-points.
"""

from decimal import Decimal
from typing import NamedTuple

from . import ecf, elo
from .elo import CLUB, FIDE_2024
from .elo_lines import exact_change

DIAL = (10, 20, 40)
GAPS = (0, 50, 100, 200, 400, 800)
HALF, TENTH = Decimal("0.5"), Decimal("0.1")


class Expected(NamedTuple):
    """What each side may expect, from 0 to 1, and the own side's by FIDE's table.

    There differences count as 400 at most, unless the own rating `is_uncapped`.
    """

    difference: int
    own: Decimal
    opponent: Decimal
    by_fide: Decimal
    is_uncapped: bool


class Changed(NamedTuple):
    """What a game changes: `exact` before rounding, `change` after it, `after` the new rating.

    `dial` are pairs of another K and the change with it.
    """

    expected: Decimal
    exact: Decimal
    change: Decimal
    after: Decimal
    dial: list[tuple[int, Decimal]]


class Side(NamedTuple):
    """One side of an ECF game: the opponent's grade as it counts, and the points."""

    own: int
    opponent: int
    counts_as: int
    points: int


class Scales(NamedTuple):
    """One strength on three scales: grade, ECF rating, FIDE rating; whole numbers as shown."""

    grade: int
    rating: Decimal
    fide: Decimal


def behind() -> list[tuple[int, int]]:
    """Differences in rating, and the score expected of the lower rated player in whole percent."""
    return [(gap, int(elo.expected_score(1500, 1500 + gap, CLUB) * 100 + HALF)) for gap in GAPS]


def expected(own: int, opponent: int) -> Expected:
    """The expected scores of a game."""
    return Expected(
        abs(own - opponent),
        elo.expected_score(own, opponent, CLUB),
        elo.expected_score(opponent, own, CLUB),
        elo.expected_score(own, opponent, FIDE_2024),
        own >= FIDE_2024.uncapped_from,
    )


def changed(own: int, opponent: int, halves: int, k: int) -> Changed:
    """What a game does to the own rating."""
    change = _change(own, opponent, halves, k)
    return Changed(
        elo.expected_score(own, opponent, CLUB),
        exact_change(own, opponent, halves, k, CLUB),
        change,
        own + change,
        [(other, _change(own, opponent, halves, other)) for other in DIAL],
    )


def both_sides(own: int, opponent: int, halves: int) -> tuple[Side, Side]:
    """The points of an ECF game for both players, each clamped against his own grade."""
    return _side(own, opponent, halves), _side(opponent, own, 2 - halves)


def from_grade(grade: int) -> Scales:
    """A grade on the other scales."""
    tenths = ecf.rating_from_grade(grade)
    return _scales(grade, tenths)


def from_rating(rating: int) -> Scales:
    """An ECF rating, whole points, on the other scales."""
    return _scales(ecf.grade_from_rating(rating * 10), rating * 10)


def _change(own: int, opponent: int, halves: int, k: int) -> Decimal:
    return elo.change(own, opponent, halves, k, CLUB).quantize(TENTH)


def _side(own: int, opponent: int, halves: int) -> Side:
    return Side(own, opponent, ecf.clamped(own, opponent), ecf.game_points(own, opponent, halves))


def _scales(grade: int, tenths: int) -> Scales:
    return Scales(grade, Decimal(tenths) / 10, Decimal(ecf.fide_from_rating(tenths)) / 10)
