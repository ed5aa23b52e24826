"""A change of a row, column by column: what it was and what it is, where that may be told."""

from collections.abc import Iterable
from datetime import date, datetime

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.changes import Change
from clubs.dates import date_format
from games.templatetags.topboard import halves

from .row_names import NOTHING, Names

# Columns that the software keeps for itself, or that another line says already.
UNSAID = {
    "version", "entered_at", "entered_by", "number", "figures", "found_at", "sort_name",
    "search_name", "registered_at", "registered_by", "decided_by", "asked_by", "answered_by",
    "computed_at", "unanchored", "outstanding", "merged_by", "undone_by", "merged_into",
    "published_by", "slug", "entered_side", "first_entered_at", "agreed_at", "agreed_by",
    "disputed_at", "disputed_by",
}  # fmt: skip
# Told as changed, never with their values: a history is read by more people than they are for.
PRIVATE = {"birth_date", "birth_year", "gender", "membership_number"}
IN_HALVES = {"match_points", "game_points", "stated_home", "stated_away"}
LABELS = {
    "match": gettext_lazy("match"),
    "approved_at": gettext_lazy("let in"),
    "decided_at": gettext_lazy("decided"),
    "adjustment": gettext_lazy("points"),
    "published_at": gettext_lazy("published"),
    "state": gettext_lazy("state"),
    "player": gettext_lazy("player"),
    "club": gettext_lazy("club"),
    "division": gettext_lazy("division"),
    "team": gettext_lazy("team"),
    "user": gettext_lazy("account"),
    "hall": gettext_lazy("hall"),
    "rules": gettext_lazy("rules"),
    "home_player": gettext_lazy("home player"),
    "away_player": gettext_lazy("away player"),
}


def column_words(change: Change, names: Names, but: Iterable[str] = ()) -> list[str]:
    """A sentence for each column that is another now, `but` those; none for the software's own."""
    if change.before is None:
        return [_("changed")]
    return [
        _column(change, column, names)
        for column in change.columns
        if column.name not in UNSAID and column.name not in but
    ]


def _column(change: Change, column: models.Field, names: Names) -> str:
    label = LABELS.get(column.name, column.verbose_name)
    if column.name in PRIVATE:
        return _("%s changed") % label
    before, after = (_value(row, column, names) for row in (change.before, change.after))
    if before == NOTHING:
        return _("%(what)s set to %(after)s") % {"what": label, "after": after}
    words = {"what": label, "before": before, "after": after}
    return _("%(what)s changed from %(before)s to %(after)s") % words


def _value(row: models.Model, column: models.Field, names: Names) -> str:
    value = getattr(row, column.attname)
    if value is None or value == "":
        return NOTHING
    if column.is_relation:
        return names.of(column.related_model, value)
    if column.name in IN_HALVES:
        return halves(value)
    if column.choices:
        return str(dict(column.flatchoices).get(value, value))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, datetime):
        return date_format(timezone.localtime(value), "j F Y H:i")
    return date_format(value, "j F Y") if isinstance(value, date) else str(value)
