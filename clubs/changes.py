"""The history of rows as deeds: what was done together, by whom, and each row before and after.

Whatever writes a row leaves its event (`history.py`), so a bulk update, an import and an edit in
the admin stand here like any page's.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from django.db import models

# The mark that an import leaves in the context of its events.
IMPORTED = "imported"


@dataclass(slots=True)
class Change:
    """A row as it was and as it became, each an event or None where there was none.

    `before` is None too where what was there is not known; `is_new` tells the two apart.
    """

    model: type[models.Model]
    pk: int
    before: models.Model | None
    after: models.Model | None
    is_new: bool

    @property
    def row(self) -> models.Model:
        """The newer of the two."""
        return self.after or self.before

    @property
    def columns(self) -> list[models.Field]:
        """The columns that differ, in the order of the model; none of a row that came or went."""
        if self.is_new or self.before is None or self.after is None:
            return []
        return [
            column
            for column in columns_of(self.row)
            if getattr(self.before, column.attname) != getattr(self.after, column.attname)
        ]


@dataclass(slots=True)
class Deed:
    """All that one account changed in one go; `number` is that of its last event of each model.

    `user` is the account's pk, None for a command, a job or plain SQL; `url` the page if any.
    """

    at: datetime
    user: int | None = None
    why: str = ""
    url: str = ""
    is_import: bool = False
    changes: list[Change] = field(default_factory=list)
    numbers: dict[type[models.Model], int] = field(default_factory=dict)


def columns_of(event: models.Model) -> list[models.Field]:
    """The columns of the row that an event is of, without the key and the event's own."""
    return [
        column
        for column in event._meta.concrete_fields
        if not column.name.startswith("pgh_") and column.name != "id"
    ]


def deeds_of(*histories: models.QuerySet) -> list[Deed]:
    """The deeds in these querysets of events, the newest first; one query each.

    Each queryset holds every event of the rows it tells of, else what was before is not known.
    """
    deeds: dict[tuple, Deed] = {}
    changes: dict[tuple, dict[tuple, Change]] = defaultdict(dict)
    for history in histories:
        row_type = history.model._meta.get_field("pgh_obj").related_model
        latest: dict[int, models.Model] = {}
        for event in history.order_by("pgh_id"):
            key = (event.pgh_created_at, event.pgh_context_id)
            deed = deeds.setdefault(key, Deed(event.pgh_created_at))
            _note_context(deed, event.pgh_context or {})
            deed.numbers[row_type] = event.pgh_id
            pk = event.pgh_obj_id
            _note_change(changes[key], row_type, event, latest.get(pk))
            latest[pk] = event
    for key, deed in deeds.items():
        deed.changes = [change for change in changes[key].values() if change.before or change.after]
    found = [deed for deed in deeds.values() if deed.changes]
    # Within one transaction, which has one time, the later events have the higher numbers.
    return sorted(found, key=lambda deed: (deed.at, max(deed.numbers.values())), reverse=True)


def latest_rows(history: models.QuerySet, most: int) -> models.QuerySet:
    """Every event of the rows that the newest `most` events of `history` are of."""
    newest = history.order_by("-pgh_id").values("pgh_obj")[:most]
    return history.model.objects.filter(pgh_obj__in=newest)


def _note_context(deed: Deed, context: dict) -> None:
    deed.user = context.get("user") or deed.user
    deed.why = context.get("why") or deed.why
    deed.url = context.get("url") or deed.url
    deed.is_import = deed.is_import or bool(context.get(IMPORTED))


def _note_change(
    changes: dict[tuple, Change],
    row_type: type[models.Model],
    event: models.Model,
    before: models.Model | None,
) -> None:
    key = (row_type, event.pgh_obj_id)
    after = None if event.pgh_label == "delete" else event
    known = changes.get(key)
    if known is None:
        is_new = event.pgh_label == "insert"
        before = None if is_new else (before or (event if after is None else None))
        changes[key] = Change(row_type, event.pgh_obj_id, before, after, is_new)
    else:
        known.after = after
