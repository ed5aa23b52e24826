"""What a category says of a grade in numbers, and what would earn the next one.

Pure. The categories are those of `ratings.ecf` (rules/ecf-grading.md section 2).
"""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from . import ecf
from .ecf import Category, GamePoints, GradeRules

ENOUGH = 30
"""So many more games in the latest half-year earn the best category of every preset."""


class CategoryEarned(NamedTuple):
    """The category a grade has, and how many games lie within its months and the last 12."""

    category: Category
    within: int
    recent: int


class NextCategory(NamedTuple):
    """The nearest better category: games still needed, and the counts with them."""

    category: Category
    more: int
    within: int
    recent: int


def earned(
    letter: str | None, days: Sequence[date], cutoff: date, rules: GradeRules
) -> CategoryEarned | None:
    """The category of this letter as a list gave it, with the counts; None without one.

    `days` are those of the real games of the 36 months before the cutoff.
    """
    for category in rules.categories:
        if category.letter == letter:
            return CategoryEarned(category, *_counts(days, cutoff, category))
    return None


def better(
    letter: str | None, days: Sequence[date], cutoff: date, rules: GradeRules
) -> NextCategory | None:
    """The first category above this one that more games just before the cutoff would have earned.

    None where there is none above.
    """
    ranks = {category.letter: rank for rank, category in enumerate(rules.categories)}
    rank = ranks.get(letter, len(ranks))
    for more in range(1, ENOUGH + 1):
        longer = [cutoff - timedelta(days=1)] * more + list(days)
        games = [GamePoints(day, 0) for day in longer]
        category = ecf.category_of(games, cutoff, rules)
        if category is not None and ranks[category.letter] < rank:
            return NextCategory(category, more, *_counts(longer, cutoff, category))
    return None


def _counts(days: Iterable[date], cutoff: date, category: Category) -> tuple[int, int]:
    """How many of the days lie within the months of the category, and in the last 12."""
    first_day, year = ecf.cutoffs_back(cutoff, category.months // 6), ecf.cutoffs_back(cutoff, 2)
    return sum(day >= first_day for day in days), sum(day >= year for day in days)
