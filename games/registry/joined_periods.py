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

    Those that overlap at one club (in one season) become one, which is the kept player's row. A
    registration without a team takes team and board of the one that it is joined with, and one
    that waits is let in where that one was.
    """
    found: dict[tuple, dict[int, list]] = defaultdict(lambda: {kept: [], dropped: []})
    rows_of_both = model.objects.filter(player__in=[kept, dropped]).order_by("pk")
    for row in rows_of_both.select_for_update(of=("self",)):
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
    """Undo `join_periods`; both players are locked, and the seasons of `seasons_of`.

    Where the kept player's time at a club was changed meanwhile it stays as it is; what was the
    other one's is his again as it was, also a row that went over and is still there. A board that
    somebody is nominated for meanwhile stays his, and what a row led to and is gone is left out.
    """
    model.objects.filter(pk__in=joined["moved"], player=kept).update(player=dropped)
    columns = [field.name for field in model._meta.concrete_fields if not field.primary_key]
    for place in joined["places"]:
        back = [row_of(model, values) for values in place["before"]]
        now = model.objects.filter(
            player=kept, **dict(zip(SAME[model], _place(back[0]), strict=True))
        )
        if [values_of(row) for row in now.order_by("pk")] == place["after"]:
            now.delete()
        else:
            back = [row for row in back if row.player_id == dropped]
        for row in back:
            leave_out_what_is_gone(row)
            if model is Registration:
                _leave_board_to_another(row, back)
        model.objects.bulk_create(
            back, update_conflicts=True, unique_fields=["pk"], update_fields=columns
        )


def seasons_of(joined: Joined) -> set[int]:
    """The pks of the seasons whose registrations come back when they are parted."""
    return {row["season_id"] for place in joined["places"] for row in place["before"]}


def leave_out_what_is_gone(row) -> None:
    """Empty what may be empty of a row that comes back and leads to a row that does not exist."""
    for field in row._meta.concrete_fields:
        pk = getattr(row, field.attname) if field.is_relation and field.null else None
        if pk is not None and not field.related_model._base_manager.filter(pk=pk).exists():
            setattr(row, field.attname, None)


def _leave_board_to_another(row: Registration, back: list[Registration]) -> None:
    """Nominate him for no board that another has; `back` are the rows that come back with it."""
    others = Registration.objects.open().exclude(pk__in=[each.pk for each in back])
    taken = others.filter(team=row.team_id, nominated_rank=row.nominated_rank)
    if row.team_id is None or (row.ends_on is None and taken.exists()):
        row.nominated_rank = None


def _join_place(own: list, others: list) -> dict[str, list[dict]]:
    before = [values_of(row) for row in (*own, *others)]
    kept, gone = list(own), []
    for other in others:
        meeting = [row for row in kept if _overlap(row, other)]
        if not meeting:
            other.player_id = own[0].player_id
            kept.append(other)
            continue
        first = meeting[0]
        first.starts_on = _first(row.starts_on for row in (*meeting, other))
        ends = _last(row.ends_on for row in (*meeting, other))
        if isinstance(first, Registration):
            _let_in(first, [row for row in (*meeting, other) if row.ends_on == ends])
        first.ends_on = ends
        # A row that came over from the other one before may be swallowed now.
        gone += [*meeting[1:], other]
        kept = [row for row in kept if row not in meeting[1:]]
    model = type(own[0])
    model.objects.filter(pk__in=[row.pk for row in gone]).delete()
    for row in kept:
        row.save()
    return {"before": before, "after": [values_of(row) for row in sorted(kept, key=_pk)]}


def _let_in(row: Registration, joined: list[Registration]) -> None:
    """Give the row what those that are joined to it have and it lacks: a team, a board, consent.

    `joined` are those that last until the end of it, itself included where it does.
    """
    tied = next((each for each in joined if each.team_id is not None), None)
    if row.team_id is None and tied is not None:
        row.team_id, row.nominated_rank = tied.team_id, tied.nominated_rank
    if row.approved_at is None:
        row.approved_at = min(filter(None, (each.approved_at for each in joined)), default=None)


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


def values_of(row) -> dict:
    """A row as JSON holds it."""
    values = ((field.attname, getattr(row, field.attname)) for field in row._meta.concrete_fields)
    return {
        name: value.isoformat() if isinstance(value, date | datetime) else value
        for name, value in values
    }


def row_of(model, values: dict):
    """The row that JSON held."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return model(**{name: fields[name].to_python(value) for name, value in values.items()})
