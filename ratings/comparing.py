"""Two grade lists side by side: everybody on either, with both grades."""

from django.db.models import F, Q

from clubs.models import Player

from .grade_querysets import ComparedQuerySet, grades_on
from .models import GradeList


def side_by_side(before: GradeList | None, after: GradeList | None) -> ComparedQuerySet:
    """The players of either list, each with `before`, `after`, `change` and both categories.

    None stands for who is not on that list; a change needs both.
    """
    return (
        ComparedQuerySet(Player)
        .annotate(
            row_before=grades_on(before, "grades"),
            row_after=grades_on(after, "grades"),
        )
        .annotate(
            before=F("row_before__published"),
            after=F("row_after__published"),
            change=F("row_after__published") - F("row_before__published"),
            category_before=F("row_before__category"),
            category_after=F("row_after__category"),
        )
        .filter(Q(before__isnull=False) | Q(after__isnull=False))
    )
