"""Memberships and registrations of two entries of one person: moved, joined, and taken apart."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime
from typing import TypedDict

from clubs.models import Membership
from games.models import Registration

# What makes two periods of one person exclude each other.
SAME = {Membership: ("club_id",), Registration: ("season_id", "club_id")}


class Joined(TypedDict):
    """What happened to rows of one kind: the pks that went over, and whole places that were joined.

    Each of `places` has the rows of both as they were `before`, and those of the kept player
    `after`.
    """

    moved: list[int]
    places: list[dict[str, list[dict]]]


def join_periods(model, kept: int, dropped: int) -> Joined:
    """Give one player's memberships or registrations to another; both players are locked.

    Those that overlap at one club (in one season) become one, which is the kept player's row.
    """
    found: dict[tuple, dict[int, list]] = defaultdict(lambda: {kept: [], dropped: []})
    for row in model.objects.filter(player__in=[kept, dropped]).order_by("pk"):
        found[_place(row)][row.player_id].append(row)
    joined = Joined(moved=[], places=[])
    for rows in found.values():
        own, others = rows[kept], rows[dropped]
        if any(_overlap(one, other) for one in own for other in others):
            joined["places"].append(_join_place(own, others))
        else:
            joined["moved"] += [row.pk for row in others]
    model.objects.filter(pk__in=joined["moved"]).update(player=kept)
    return joined


def part_periods(model, kept: int, dropped: int, joined: Joined) -> None:
    """Undo `join_periods`; both players are locked.

    Where the kept player's time at a club was changed meanwhile it stays as it is; what was the
    other one's is his again as it was, also a row that went over and is still there.
    """
    model.objects.filter(pk__in=joined["moved"], player=kept).update(player=dropped)
    for place in joined["places"]:
        before = [_row(model, values) for values in place["before"]]
        now = model.objects.filter(
            player=kept, **dict(zip(SAME[model], _place(before[0]), strict=True))
        )
        if [_values(row) for row in now.order_by("pk")] == place["after"]:
            now.delete()
            model.objects.bulk_create(before)
        else:
            columns = [field.name for field in model._meta.concrete_fields if not field.primary_key]
            model.objects.bulk_create(
                [row for row in before if row.player_id == dropped],
                update_conflicts=True,
                unique_fields=["pk"],
                update_fields=columns,
            )


def _join_place(own: list, others: list) -> dict[str, list[dict]]:
    before = [_values(row) for row in (*own, *others)]
    kept, gone = list(own), []
    for other in others:
        meeting = [row for row in kept if _overlap(row, other)]
        if not meeting:
            other.player_id = own[0].player_id
            kept.append(other)
            continue
        first = meeting[0]
        first.starts_on = _first(row.starts_on for row in (*meeting, other))
        first.ends_on = _last(row.ends_on for row in (*meeting, other))
        # A row that came over from the other one before may be swallowed now.
        gone += [*meeting[1:], other]
        kept = [row for row in kept if row not in meeting[1:]]
    model = type(own[0])
    model.objects.filter(pk__in=[row.pk for row in gone]).delete()
    for row in kept:
        row.save(update_fields=["player", "starts_on", "ends_on"])
    return {"before": before, "after": [_values(row) for row in sorted(kept, key=_pk)]}


def _pk(row) -> int:
    return row.pk


def _place(row) -> tuple:
    return tuple(getattr(row, column) for column in SAME[type(row)])


def _overlap(one, other) -> bool:
    return _begins_before_end(one, other) and _begins_before_end(other, one)


def _begins_before_end(one, other) -> bool:
    return one.starts_on is None or other.ends_on is None or one.starts_on < other.ends_on


def _first(days: Iterable[date | None]) -> date | None:
    """The earliest day; None, without a beginning, is before all."""
    days = list(days)
    return None if None in days else min(days)


def _last(days: Iterable[date | None]) -> date | None:
    """The latest day; None, without an end, is after all."""
    days = list(days)
    return None if None in days else max(days)


def _values(row) -> dict:
    """A row as JSON holds it."""
    values = ((field.attname, getattr(row, field.attname)) for field in row._meta.concrete_fields)
    return {
        name: value.isoformat() if isinstance(value, date | datetime) else value
        for name, value in values
    }


def _row(model, values: dict):
    """The row that JSON held."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return model(**{name: fields[name].to_python(value) for name, value in values.items()})
