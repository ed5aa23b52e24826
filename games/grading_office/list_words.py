"""Grade lists in words: the lines that the commands print."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings.lists import name_of_list
from ratings.models import GradeList
from ratings.previews import Preview


def list_line(grade_list: GradeList) -> str:
    """A list that was made: its state, its grades, and the cards that were to come."""
    words = {"list": name_of_list(grade_list.pool_id, grade_list.cutoff)}
    count = grade_list.grades.published().count()
    return _("%(list)s: %(state)s, %(grades)s, %(cards)s.") % {
        **words,
        "state": grade_list.get_state_display(),
        "grades": grades(count),
        "cards": cards(grade_list.outstanding),
    }


def preview_lines(preview: Preview, outstanding: int) -> Iterator[str]:
    """What a list would hold, a line each."""
    yield _("%(list)s as it would come out now: %(grades)s, %(cards)s.") % {
        "list": name_of_list(preview.pool, preview.cutoff),
        "grades": grades(preview.published),
        "cards": cards(outstanding),
    }
    yield _("%(below)d below the minimum of games, %(untied)d without any tie to a grade.") % {
        "below": preview.below,
        "untied": preview.unanchored,
    }
    if preview.last is not None:
        yield _("%(changed)d grades are others than on the last list, %(new)d are new.") % {
            "changed": preview.changed,
            "new": preview.new,
        }
    for change in preview.biggest:
        yield f"  {change.player}: {change.before} -> {change.after} ({change.by:+d})"


def grades(count: int) -> str:
    return ngettext("%d grade", "%d grades", count) % count


def cards(count: int) -> str:
    if not count:
        return _("no card outstanding")
    return ngettext("%d card outstanding", "%d cards outstanding", count) % count
