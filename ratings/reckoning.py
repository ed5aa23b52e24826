"""A grade taken apart: the lines of its sum and the games under each, to be added up by hand.

Pure: what a list kept of a player, and what the ledger says of his games now, go in; lines,
groups of games, and what would change the grade come out. A list is a document: the points it
kept are the ones that count here, and what each game was then, also where a game was corrected
or removed since. Where a grade used came from is told only while the ledger's number is the
list's. Sections are those of rules/ecf-grading.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from . import categories, ecf
from .categories import CategoryEarned, NextCategory
from .ecf import GradeRules
from .list_games import GameLine, GameNow, GradeUsed, Kept, game_lines

WIN_FOR_DRAW = 50
"""The points that a draw made a win adds: the clamp does not ask for the result (section 1)."""


class Part(StrEnum):
    """What a line of the sum stands for (section 2); `UNUSED` games stand under no line."""

    COUNTED = "counted"
    BROUGHT_IN = "brought_in"
    AVERAGED = "averaged"
    OPENING = "opening"
    UNUSED = "unused"


@dataclass(frozen=True, slots=True)
class Group:
    """The games of one half-year under one line, the newest first.

    `half_year` is its first day, None where the day of no game of it is known. `points` are what
    the group adds to its line: the sum of its games, or under the average a part of it.
    """

    part: Part
    half_year: date | None
    games: tuple[GameLine, ...]
    points: Fraction

    @property
    def last_day(self) -> date | None:
        """The last day of the half-year."""
        return self.half_year and ecf.next_cutoff(self.half_year) - timedelta(days=1)

    @property
    def all_points(self) -> int:
        """The points of all its games together."""
        return sum(game.points for game in self.games)

    @property
    def own(self) -> list[GradeUsed]:
        """The player's own grade in these games: one, unless a game was pointed later."""
        found = dict.fromkeys(game.own for game in self.games if game.own)
        sourced = {used.grade for used in found if used.source}
        return [used for used in found if used.source or used.grade not in sourced]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the sum: so many games, and their points.

    `each` is the opening grade. A line of an average stands for a half-year of `of` games that
    gave `of_points`.
    """

    part: Part
    games: int
    points: Fraction
    first_day: date | None = None
    last_day: date | None = None
    each: int | None = None
    of: int = 0
    of_points: int = 0


class Step(NamedTuple):
    """So many whole points more (or fewer) in the sum, and the grade published then."""

    points: int
    grade: int


@dataclass(frozen=True, slots=True)
class Reckoning:
    """A grade taken apart; the lines add up to `total`, which `games` divide."""

    lines: tuple[Line, ...]
    groups: tuple[Group, ...]
    unused: tuple[Group, ...]
    published: int | None
    earned: CategoryEarned | None
    better: NextCategory | None
    recent: int
    real: int
    missing: int

    @property
    def total(self) -> Fraction:
        """The points of all lines."""
        return sum((line.points for line in self.lines), Fraction(0))

    @property
    def games(self) -> int:
        """What the points are divided by."""
        return sum(line.games for line in self.lines)

    @property
    def mean(self) -> Fraction:
        """The exact grade."""
        return self.total / self.games

    @property
    def mean_shown(self) -> Decimal:
        """The mean in decimals that round as it does."""
        return in_decimals(self.mean)

    @property
    def grade(self) -> int:
        """The mean to the nearest whole, halves up; it may be negative (section 2)."""
        return ecf.rounded(self.mean.numerator, self.mean.denominator)

    @property
    def unused_games(self) -> int:
        """How many real games of the 36 months do not count."""
        return sum(len(group.games) for group in self.unused)

    @property
    def has_changes(self) -> bool:
        """Whether a game of the sum was corrected or removed since."""
        return any(game.change for group in self.groups for game in group.games)

    @property
    def up(self) -> Step:
        """The fewest more points in the sum that raise the published grade by one."""
        wanted = ecf.published(self.grade) + 1
        return Step(ceil((wanted - Fraction(1, 2)) * self.games - self.total), wanted)

    @property
    def down(self) -> Step | None:
        """The fewest points fewer that lower it by one; None where it is 0 already."""
        wanted = ecf.published(self.grade) - 1
        if wanted < 0:
            return None
        return Step(floor(self.total - (wanted + Fraction(1, 2)) * self.games) + 1, wanted)

    @property
    def with_win_for_draw(self) -> Step:
        """The grade if one draw that counts in full had been won."""
        mean = (self.total + WIN_FOR_DRAW) / self.games
        return Step(WIN_FOR_DRAW, ecf.published(ecf.rounded(mean.numerator, mean.denominator)))


def reckon(kept: Kept, games: Mapping[int, GameNow], cutoff: date, rules: GradeRules) -> Reckoning:
    """Take a player's grade on the list of `cutoff` apart.

    `games` are those of `kept.game_ids` that the ledger still has as games of this player.
    """
    count = kept.counted + kept.brought_in + kept.averaged + kept.opening_games
    whole = kept.counted + kept.brought_in
    averaged_of = kept.divisor // count if kept.averaged else 0
    year, window = ecf.cutoffs_back(cutoff, 2), ecf.cutoffs_back(cutoff, 6)
    spans = [
        (Part.COUNTED, 0, kept.counted, year, cutoff),
        (Part.BROUGHT_IN, kept.counted, whole, window, year),
        (Part.UNUSED, whole + averaged_of, len(kept.game_ids), window, cutoff),
    ]
    if kept.averaged:
        start = kept.averaged_from
        span = (Part.AVERAGED, whole, whole + averaged_of, start, ecf.next_cutoff(start))
        spans.insert(2, span)
    groups = [
        group
        for part, begin, end, first_day, before in spans
        for group in _groups(part, game_lines(kept, games, begin, end, first_day, before), kept)
    ]
    used = tuple(group for group in groups if group.part != Part.UNUSED)
    days = _days(groups, cutoff)
    return Reckoning(
        lines=tuple(_lines(kept, used, cutoff)),
        groups=used,
        unused=tuple(group for group in groups if group.part == Part.UNUSED),
        published=kept.published,
        earned=categories.earned(kept.category, days, cutoff, rules),
        better=categories.better(kept.category, days, cutoff, rules),
        recent=kept.recent,
        real=len(kept.game_ids),
        missing=max(0, rules.minimum_games - len(kept.game_ids) - kept.opening_games),
    )


def in_decimals(mean: Fraction) -> Decimal:
    """A mean in two decimals, or as many as it takes to round to the same whole number."""
    grade = ecf.rounded(mean.numerator, mean.denominator)
    places = 2
    while floor((shown := decimals(mean, places)) + Decimal("0.5")) != grade:
        places += 1
    return shown


def decimals(value: Fraction, places: int) -> Decimal:
    """A fraction in so many decimals, halves away from zero."""
    unit = Decimal(1).scaleb(-places)
    scaled = Decimal(abs(value.numerator)) / Decimal(value.denominator)
    shown = scaled.quantize(unit, rounding=ROUND_HALF_UP)
    return shown if value >= 0 else -shown


# --- Groups and lines -------------------------------------------------------------------


def _groups(part: Part, games: list[GameLine], kept: Kept) -> list[Group]:
    """The games by half-year; one whose day is not known stands where its neighbours do."""
    if part == Part.AVERAGED:
        points = Fraction(kept.averaged * sum(game.points for game in games), len(games))
        return [Group(part, kept.averaged_from, tuple(games), points)]
    half_years = [game.played_on and ecf.half_year_of(game.played_on) for game in games]
    found: dict[date | None, list[GameLine]] = {}
    for game, half_year in zip(games, _filled(half_years), strict=True):
        found.setdefault(half_year, []).append(game)
    return [
        Group(part, half_year, tuple(rows), Fraction(sum(game.points for game in rows)))
        for half_year, rows in found.items()
    ]


def _filled(values: Sequence[date | None]) -> list[date | None]:
    """The values, a missing one as the value before it, or at the start as the first there is."""
    last = next((value for value in values if value is not None), None)
    filled = []
    for value in values:
        last = last if value is None else value
        filled.append(last)
    return filled


def _days(groups: Iterable[Group], cutoff: date) -> list[date]:
    """The day of each real game, newest first; where it is not known that of its neighbour."""
    days = [game.played_on for group in groups for game in group.games]
    last_day = cutoff - timedelta(days=1)
    return [last_day if day is None else day for day in _filled(days)]


def _lines(kept: Kept, groups: Sequence[Group], cutoff: date) -> Iterable[Line]:
    """The lines of the sum, each the sum of its groups."""
    sums: dict[Part, Fraction] = {}
    for group in groups:
        sums[group.part] = sums.get(group.part, Fraction(0)) + group.points
    day = timedelta(days=1)
    year, window = ecf.cutoffs_back(cutoff, 2), ecf.cutoffs_back(cutoff, 6)
    if kept.counted:
        yield Line(Part.COUNTED, kept.counted, sums[Part.COUNTED], year, cutoff - day)
    if kept.brought_in:
        yield Line(Part.BROUGHT_IN, kept.brought_in, sums[Part.BROUGHT_IN], window, year - day)
    if kept.averaged:
        start, games = kept.averaged_from, kept.averaged
        group = next(group for group in groups if group.part == Part.AVERAGED)
        yield Line(
            Part.AVERAGED,
            games,
            group.points,
            start,
            ecf.next_cutoff(start) - day,
            of=len(group.games),
            of_points=group.all_points,
        )
    if kept.opening_games:
        points = Fraction(kept.opening_games * kept.opening_grade)
        yield Line(Part.OPENING, kept.opening_games, points, each=kept.opening_grade)
