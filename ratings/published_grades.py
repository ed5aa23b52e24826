"""A player's published grades, list by list, and the grades in force at games."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from clubs.models import Player

from . import ecf
from .ecf import OpeningGrade
from .grading import LISTS_IN_FORCE, opening_grades
from .models import Grade, GradeList, PlayerGame


@dataclass(frozen=True, slots=True)
class GradeStep:
    """A published list, the newest revision of it, and the player's grade on it.

    `grade` is None where he is not on it; `until` the cutoff of the next list, None for the
    newest; `change` the difference from the list before, None unless he is on both.
    """

    cutoff: date
    until: date | None
    grade: Grade | None
    change: int | None

    @property
    def published(self) -> int | None:
        return None if self.grade is None else self.grade.published

    @property
    def rating(self) -> int | None:
        """The grade as a rating in tenths of a point: 7.5 x grade + 700."""
        return None if self.grade is None else ecf.rating_from_grade(self.grade.published)

    @property
    def games(self) -> int | None:
        """How many real games the mean was made of."""
        if self.grade is None:
            return None
        return self.grade.counted + self.grade.brought_in + self.grade.averaged


def steps_of(player: Player) -> dict[str, list[GradeStep]]:
    """The lists of each pool from his first published grade on, the newest first, in two queries.

    A pool in which he never had a grade is missing.
    """
    cutoffs: dict[str, list[date]] = defaultdict(list)
    for pool, cutoff in GradeList.objects.in_force().values_list("pool", "cutoff"):
        cutoffs[pool].append(cutoff)
    grades: dict[str, dict[date, Grade]] = defaultdict(dict)
    rows = Grade.objects.published().filter(player=player, grade_list__in=_in_force())
    for grade in rows.select_related("grade_list"):
        grades[grade.grade_list.pool_id][grade.grade_list.cutoff] = grade
    return {pool: _steps(sorted(cutoffs[pool]), of_pool) for pool, of_pool in grades.items()}


def _in_force():
    return GradeList.objects.in_force().order_by()


def _steps(cutoffs: list[date], grades: dict[date, Grade]) -> list[GradeStep]:
    steps: list[GradeStep] = []
    before: Grade | None = None
    since_first = cutoffs[cutoffs.index(min(grades)) :]
    for cutoff, until in zip(since_first, [*since_first[1:], None], strict=True):
        grade = grades.get(cutoff)
        change = grade.published - before.published if grade and before else None
        steps.append(GradeStep(cutoff, until, grade, change))
        before = grade
    return steps[::-1]


# --- Grades in force ---------------------------------------------------------------------


class DatedGrade(NamedTuple):
    """The true grade of somebody published, which may be negative, and the cutoff of its list."""

    cutoff: date
    grade: int


def opponents_grades(sides: Iterable[PlayerGame]) -> dict[int, int | None]:
    """By game, the opponent's grade in force in its half-year, as lists show it; None without.

    As `ratings.grading.grades_in_force` has it (rules/ecf-grading.md section 0), for all
    half-years at once: one query, and one for each pool. The games come with their events and
    pools.
    """
    sides = list(sides)
    players = {side.opponent.pk for side in sides}
    lists: dict[tuple[str, int], list[DatedGrade]] = defaultdict(list)
    rows = Grade.objects.published().filter(player__in=players, grade_list__in=_in_force())
    for pool, player, cutoff, grade in rows.order_by("grade_list__cutoff").values_list(
        "grade_list__pool", "player", "grade_list__cutoff", "grade"
    ):
        lists[pool, player].append(DatedGrade(cutoff, grade))
    openings = {
        (pool.pk, player): opening
        for pool in {side.game.event.pool for side in sides}
        for player, opening in opening_grades(pool, players).items()
    }
    found = {}
    for side in sides:
        key = side.game.event.pool_id, side.opponent.pk
        half_year = ecf.half_year_of(side.game.played_on)
        grade = _in_force_on(half_year, lists.get(key, []), openings.get(key))
        found[side.game.pk] = None if grade is None else ecf.published(grade)
    return found


def _in_force_on(
    half_year: date, grades: list[DatedGrade], opening: OpeningGrade | None
) -> int | None:
    place = bisect_right(grades, half_year, key=lambda grade: grade.cutoff)
    if place:
        newest = grades[place - 1]
        oldest = ecf.cutoffs_back(half_year, LISTS_IN_FORCE - 1)
        return newest.grade if newest.cutoff >= oldest else None
    if opening is not None and ecf.half_year_of(opening.dated_on) <= half_year:
        return opening.grade
    return None
