"""ECF grades: the points of a game, the mean they make, and the category, in exact integers.

Nothing here knows Django or a database. Grades are whole numbers, scores half-points; a mean is
an integer numerator over an integer divisor and is rounded only when it is published. The rules
are those of rules/ecf-grading.md, cited by section where they bind; what no source says is
marked there, and here, as our decision.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import NamedTuple

NEAR = 40
"""An opponent further away than this counts as exactly this far (section 1)."""


class Category(NamedTuple):
    """A letter and what earns it: `games` within `months`, `recent` of them in the last 12.

    `half_year` is the number needed in the latest six months alone, else 0. Section 2.
    """

    letter: str
    games: int
    months: int
    recent: int
    half_year: int = 0


USUAL_CATEGORIES = (
    Category("A", 30, 12, 30),
    Category("B", 30, 24, 20),
    Category("C", 30, 36, 10),
    Category("D", 15, 36, 5),
    Category("E", 9, 36, 1),
)


@dataclass(frozen=True, slots=True)
class GradeRules:
    """One way of making lists, complete.

    `busy_player` says what is done with more than `full_games` in the 12 months: `"all"` counts
    all of them, `"newest"` only the newest 30. `whole_half_years` brings older games in by
    half-years, the last at its average, instead of one by one.
    """

    name: str
    full_games: int = 30
    minimum_games: int = 9
    busy_player: str = "all"
    whole_half_years: bool = False
    categories: tuple[Category, ...] = USUAL_CATEGORIES


BRIEF = GradeRules("BRIEF")
"""All games of the 12 months; if fewer than 30, the newest older ones until 30. The default."""

ECF_2012 = GradeRules(
    "ECF_2012",
    busy_player="newest",
    categories=(Category("X", 30, 6, 30, half_year=30), *USUAL_CATEGORIES),
)
"""The 30 most recent games within 36 months, even of a busy player (2012 to 2014)."""

ECF_2015 = GradeRules(
    "ECF_2015",
    minimum_games=5,
    whole_half_years=True,
    categories=(*USUAL_CATEGORIES, Category("F", 5, 36, 1)),
)
"""Whole half-years, the one that crosses 30 at its average (2015 to 2020)."""

PRESETS = {rules.name: rules for rules in (BRIEF, ECF_2012, ECF_2015)}


# --- Points of one game ------------------------------------------------------------------


def game_points(own: int, opponent: int, halves: int) -> int:
    """The points a game gives: the opponent's grade, clamped, +50 for a win and -50 for a loss.

    `own` and `opponent` are whole grades, true values (a negative one is not taken as 0);
    `halves` is the own score in half-points. Never floored at 0. Raises ValueError for a grade
    that is not a whole number (None is not 0) and a score other than 0, 1 or 2. Section 1.
    """
    for grade in (own, opponent):
        if not isinstance(grade, int) or isinstance(grade, bool):
            raise ValueError(f"a grade is a whole number, not {grade!r}")
    if halves not in (0, 1, 2) or isinstance(halves, bool):
        raise ValueError(f"a score is 0, 1 or 2 half-points, not {halves!r}")
    return clamped(own, opponent) - 50 + 50 * halves


def clamped(own: int, opponent: int) -> int:
    """The opponent's grade as it counts against `own`: at most 40 away (section 1)."""
    return max(own - NEAR, min(own + NEAR, opponent))


def grade_from_rating(tenths: int) -> int:
    """The grade of a rating in tenths of a point: (rating - 700) / 7.5, halves up (section 5)."""
    return rounded(tenths - 7000, 75)


def rating_from_grade(grade: int) -> int:
    """The rating, in tenths of a point, of a whole grade: 7.5 x grade + 700 (section 5)."""
    return 75 * grade + 7000


def fide_from_rating(tenths: int) -> int:
    """The FIDE rating of an ECF rating since March 2024, both in tenths (section 5)."""
    return tenths if tenths > 17500 else (6 * tenths + 70000) // 10


def rounded(numerator: int, divisor: int) -> int:
    """The nearest whole number of a fraction, halves towards plus infinity (section 2)."""
    return (2 * numerator + divisor) // (2 * divisor)


def published(grade: int) -> int:
    """A grade as a list shows it: a negative one is published as 0 (section 2)."""
    return max(grade, 0)


# --- Half-years --------------------------------------------------------------------------


@lru_cache(maxsize=2048)
def half_year_of(day: date) -> date:
    """The first day of the half-year that holds `day`: 1 January or 1 July (section 0)."""
    return date(day.year, 1 if day.month <= 6 else 7, 1)


def cutoff_closing(day: date) -> date:
    """The cutoff of the list that closes the half-year of `day` (section 0)."""
    return next_cutoff(half_year_of(day))


def next_cutoff(cutoff: date) -> date:
    """The cutoff after this one."""
    if cutoff.month == 1:
        return date(cutoff.year, 7, 1)
    return date(cutoff.year + 1, 1, 1)


def is_cutoff(day: date) -> bool:
    """Whether lists close on this day: a 1 January or a 1 July (section 0)."""
    return (day.day, day.month) in ((1, 1), (1, 7))


@lru_cache(maxsize=256)
def cutoffs_back(cutoff: date, count: int) -> date:
    """The cutoff `count` half-years before this one; raises ValueError for another day."""
    if not is_cutoff(cutoff):
        raise ValueError(f"a cutoff is a 1 January or a 1 July, not {cutoff}")
    half_years = 2 * cutoff.year + (cutoff.month == 7) - count
    return date(half_years // 2, 7 if half_years % 2 else 1, 1)


# --- The mean ----------------------------------------------------------------------------


class GamePoints(NamedTuple):
    """The stored points of one side of a game, and the day it was played."""

    played_on: date
    points: int


class OpeningGrade(NamedTuple):
    """A grade from outside, in whole points, and its date (section 0)."""

    grade: int
    dated_on: date

    def counts_at(self, cutoff: date) -> bool:
        """Whether it may stand in the mean of this list: within the 36 months before it."""
        return cutoffs_back(cutoff, 6) <= self.dated_on < cutoff


class Mean(NamedTuple):
    """How a grade came about: `numerator / divisor`, and what went into it.

    `counted` games of the latest 12 months and `brought_in` older ones stand with all their
    points, newest first at the front of the player's games; `averaged` games (`ECF_2015` only)
    stand at the average of the half-year that begins on `averaged_from`, which holds
    `averaged_of` games; `opening_games` are games at the opening grade. `recent` are the real
    games of the last 12 months, `real` those of 36.
    """

    numerator: int
    divisor: int
    counted: int
    brought_in: int
    averaged: int
    averaged_from: date | None
    averaged_of: int
    opening_games: int
    recent: int
    real: int

    @property
    def grade(self) -> int:
        """The true grade, to the nearest whole, halves up; it may be negative."""
        return rounded(self.numerator, self.divisor)


def mean_of(
    games: Sequence[GamePoints], opening: OpeningGrade | None, cutoff: date, rules: GradeRules
) -> Mean | None:
    """The mean of a player's games at a cutoff; None without anything to take a mean of.

    `games` are his pointed games of the 36 months before the cutoff, newest first in the order
    of play. The opening grade comes after all real games, only as often as 30 need. Section 2.
    """
    points = [game.points for game in games]
    return mean_of_points(points, [game.played_on for game in games], opening, cutoff, rules)


def mean_of_points(
    points: Sequence[int],
    days: Sequence[date],
    opening: OpeningGrade | None,
    cutoff: date,
    rules: GradeRules,
) -> Mean | None:
    """`mean_of` games given by their points and, in the same order, the days they were played."""
    recent = count_since(days, cutoffs_back(cutoff, 2))
    if rules.whole_half_years:
        taken = _by_half_years(days, recent, rules)
    else:
        taken = _one_by_one(len(days), recent, rules)
    whole, averaged, start = taken
    total = sum(points[:whole])
    divisor, of = 1, 0
    if averaged and start is not None:
        half_year = [
            gained for gained, day in zip(points, days, strict=True) if half_year_of(day) == start
        ]
        of = divisor = len(half_year)
        total = total * of + averaged * sum(half_year)
    opening_games = 0
    if opening is not None and opening.counts_at(cutoff):
        opening_games = max(0, rules.full_games - whole - averaged)
        total += opening_games * opening.grade * divisor
    count = whole + averaged + opening_games
    if not count:
        return None
    return Mean(
        numerator=total,
        divisor=divisor * count,
        counted=min(whole, recent),
        brought_in=max(0, whole - recent),
        averaged=averaged,
        averaged_from=start,
        averaged_of=of,
        opening_games=opening_games,
        recent=recent,
        real=len(days),
    )


def is_published(mean: Mean, rules: GradeRules) -> bool:
    """Whether a grade comes out: a game in the last 12 months and enough in 36.

    The opening grade's games count towards the minimum, never as games of the last 12 months.
    """
    return mean.recent >= 1 and mean.real + mean.opening_games >= rules.minimum_games


def category_of(games: Sequence[GamePoints], cutoff: date, rules: GradeRules) -> Category | None:
    """The first category that fits the real games of 36 months, newest first; None if none does.

    Where `months` is below 36 and 30 games are asked, it is the 30 newest that must lie within.
    """
    return category_by_days([game.played_on for game in games], cutoff, rules)


def category_by_days(days: Sequence[date], cutoff: date, rules: GradeRules) -> Category | None:
    """`category_of` games given by the days they were played, newest first."""

    def reaches(games: int, half_years: int) -> bool:
        """Whether as many games were played in the latest half-years: the last of them was."""
        if games > len(days):
            return False
        return games == 0 or days[games - 1] >= cutoffs_back(cutoff, half_years)

    for category in rules.categories:
        if (
            reaches(category.games, category.months // 6)
            and reaches(category.recent, 2)
            and reaches(category.half_year, 1)
        ):
            return category
    return None


def count_since(days: Sequence[date], first_day: date) -> int:
    """How many of the days, newest first, are `first_day` or later."""
    return bisect_right(days, -first_day.toordinal(), key=lambda day: -day.toordinal())


def _one_by_one(games: int, recent: int, rules: GradeRules) -> tuple[int, int, date | None]:
    """How many of the newest games count: all recent ones, or else up to 30 in all."""
    if rules.busy_player == "all":
        return max(recent, min(games, rules.full_games)), 0, None
    return min(games, rules.full_games), 0, None


def _by_half_years(
    days: Sequence[date], recent: int, rules: GradeRules
) -> tuple[int, int, date | None]:
    """Whole games, games at a half-year's average, and the first day of that half-year."""
    whole = recent
    while whole < len(days) and whole < rules.full_games:
        start = half_year_of(days[whole])
        size = sum(half_year_of(day) == start for day in days[whole:])
        needed = rules.full_games - whole
        if size > needed:
            return whole, needed, start
        whole += size
    return whole, 0, None
