"""Grade lists as documents: worked out at the cutoff, published once, revised in the open.

Lists of a pool are made in order, none while an earlier one is still to come. All of it happens
under the pool's lock and then the list's, so a card or another officer waits.
"""

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.db import connection, transaction

from . import ecf
from .grading import GradeRow, Points, WorkedOut, work_out
from .ledger import lock_pool
from .models import Grade, GradedGame, GradeList, ListState, PoolName, RatedGame, RatingPool

GRADED_POOLS = (PoolName.STANDARD, PoolName.RAPID)

Outstanding = Callable[[str, date], int]
"""How many cards of games before a cutoff are still to come: (pool, cutoff) -> count."""


class ListError(Exception):
    """A list cannot be made or changed as asked; its text says why."""


class NoSuchCutoff(ListError):
    """The day is no cutoff of this pool: no 1 January or 1 July, or before its first list."""


class NotYetDue(ListError):
    """The cutoff is still to come."""


class EarlierListDue(ListError):
    """An earlier list has to be published first; `cutoff` is its day."""

    def __init__(self, cutoff: date):
        super().__init__(f"the list of {cutoff} is still to come")
        self.cutoff = cutoff


class AlreadyPublished(ListError):
    """The list came out before; `grade_list` is it."""

    def __init__(self, grade_list: GradeList):
        super().__init__(f"the list of {grade_list.cutoff} is published")
        self.grade_list = grade_list


class Difference(NamedTuple):
    """What a revision changes for a player: published grade and category, before and after."""

    player_id: int
    before: int | None
    after: int | None
    category_before: str | None
    category_after: str | None


class Revised(NamedTuple):
    """A list that a revision changes, and how."""

    grade_list: GradeList
    differences: list[Difference]


# --- Which list is due -------------------------------------------------------------------


def next_cutoff(pool: str) -> date | None:
    """The cutoff of the pool's next list to be published; None before its first rated game.

    The first list is that of the first cutoff after the earliest rated game (section 1).
    """
    newest = (
        GradeList.objects.published()
        .filter(pool=pool)
        .order_by("-cutoff")
        .values_list("cutoff", flat=True)
        .first()
    )
    if newest is not None:
        return ecf.next_cutoff(newest)
    first = (
        RatedGame.objects.filter(event__pool=pool)
        .order_by("played_on")
        .values_list("played_on", flat=True)
        .first()
    )
    return None if first is None else ecf.cutoff_closing(first)


def publish_due(*, at: datetime, outstanding: Outstanding) -> list[GradeList]:
    """Make every list that is due, in order, each in a transaction of its own.

    A list whose days of waiting are over is published, the newest one else provisional and
    worked out again. Run any number of times, at once or late, each list comes once. Returns
    the lists published now.
    """
    came_out = []
    for name in GRADED_POOLS:
        while (made := _make_next(name, at, outstanding)) is not None:
            if made.state != ListState.PUBLISHED:
                break
            came_out.append(made)
    return came_out


@transaction.atomic
def _make_next(name: str, at: datetime, outstanding: Outstanding) -> GradeList | None:
    pool = lock_pool(name)
    cutoff = next_cutoff(name)
    if cutoff is None or cutoff > at.date():
        return None
    made = _provisional(pool, cutoff)
    if at.date() >= cutoff + timedelta(days=pool.publish_after_days):
        made.publish(at=at, by=None)
    return _fill(made, pool, at, outstanding(name, cutoff))


@transaction.atomic
def recompute_provisional(*, pool: str, at: datetime, outstanding: Outstanding) -> GradeList | None:
    """Work the pool's provisional list out again, if it has one; late cards have come in."""
    locked = lock_pool(pool)
    found = GradeList.objects.own().filter(pool=pool, state=ListState.PROVISIONAL).first()
    if found is None:
        return None
    made = GradeList.objects.select_for_update(no_key=True).get(pk=found.pk)
    return _fill(made, locked, at, outstanding(pool, made.cutoff))


# --- Publishing --------------------------------------------------------------------------


@transaction.atomic
def publish(*, pool: str, cutoff: date, at: datetime, by, outstanding: Outstanding) -> GradeList:
    """Publish one list by hand, now.

    Raises `AlreadyPublished`, `EarlierListDue`, `NotYetDue` and `NoSuchCutoff`, each saying why.
    """
    locked = lock_pool(pool)
    _require_next(pool, cutoff, at)
    made = _provisional(locked, cutoff)
    made.publish(at=at, by=by)
    return _fill(made, locked, at, outstanding(pool, cutoff))


def preview(*, pool: str, cutoff: date, at: datetime) -> list[GradeRow]:
    """The grades that the next list would hold if it came out now; nothing is stored.

    Raises as `publish` does.
    """
    with transaction.atomic():
        locked = lock_pool(pool)
        _require_next(pool, cutoff, at)
        return work_out(locked, cutoff).grades


def _require_next(pool: str, cutoff: date, at: datetime) -> None:
    if (cutoff.day, cutoff.month) not in ((1, 1), (1, 7)):
        raise NoSuchCutoff(f"{cutoff} is no cutoff: lists close on 1 January and 1 July")
    done = GradeList.objects.in_force().filter(pool=pool, cutoff=cutoff).first()
    if done is not None:
        raise AlreadyPublished(done)
    due = next_cutoff(pool)
    if due is None or cutoff < due:
        raise NoSuchCutoff(f"there is no {pool} list of {cutoff}: no rated game before it")
    if cutoff > due:
        raise EarlierListDue(due)
    if cutoff > at.date():
        raise NotYetDue(f"the list of {cutoff} is worked out on that day")


# --- Revising ----------------------------------------------------------------------------


@transaction.atomic
def revise(*, pool: str, cutoff: date, at: datetime, by, reason: str) -> list[Revised]:
    """Work a published list out again from the ledger as it is now, and every later one.

    Each list that differs gets a revision; the earlier one stays readable. Returns the lists
    that changed, in order, empty where nothing differs. Raises `NoSuchCutoff`.
    """
    locked = lock_pool(pool)
    published = list(
        GradeList.objects.in_force()
        .filter(pool=pool, cutoff__gte=cutoff)
        .order_by("cutoff")
        .values_list("pk", flat=True)
    )
    lists = list(
        GradeList.objects.select_for_update(no_key=True).filter(pk__in=published).order_by("cutoff")
    )
    if not lists or lists[0].cutoff != cutoff:
        raise NoSuchCutoff(f"there is no published {pool} list of {cutoff}")
    revised = []
    for old in lists:
        worked_out = work_out(locked, old.cutoff)
        differences = differences_from(old, worked_out.grades)
        if differences is None:
            _store_points(old, worked_out.points)
            continue
        new = GradeList.objects.create(
            pool=locked,
            cutoff=old.cutoff,
            revision=old.revision + 1,
            state=ListState.PUBLISHED,
            published_at=at,
            published_by=by,
            reason=reason,
            outstanding=old.outstanding,
        )
        _store(new, locked, at, worked_out)
        revised.append(Revised(new, differences))
    return revised


def preview_revision(*, pool: str, cutoff: date, at: datetime) -> list[Revised]:
    """What `revise` would change, by doing it and undoing it; nothing is stored."""
    with transaction.atomic():
        revised = revise(pool=pool, cutoff=cutoff, at=at, by=None, reason="")
        transaction.set_rollback(True)
    return revised


def differences_from(old: GradeList, rows: Iterable[GradeRow]) -> list[Difference] | None:
    """The players whose published grade or category differ; None if not a number differs."""
    stored = {row[0]: GradeRow(*row) for row in old.grades.values_list(*GRADE_COLUMNS)}
    new = {row.player_id: row for row in rows}
    if stored == new:
        return None
    found = []
    for player in sorted(stored.keys() | new.keys()):
        before, after = stored.get(player), new.get(player)
        shown = [(row.published, row.category) if row else (None, None) for row in (before, after)]
        if shown[0] != shown[1]:
            found.append(Difference(player, shown[0][0], shown[1][0], shown[0][1], shown[1][1]))
    return found


# --- Storing -----------------------------------------------------------------------------

GRADE_COLUMNS = GradeRow._fields
POINTS_COLUMNS = (
    "game_id",
    "grade_list_id",
    *("white_grade", "white_source", "white_list", "white_points"),
    *("black_grade", "black_source", "black_list", "black_points"),
)


def _provisional(pool: RatingPool, cutoff: date) -> GradeList:
    """The pool's list of this cutoff that has not come out yet, its row locked."""
    found, _ = GradeList.objects.own().get_or_create(
        pool=pool, cutoff=cutoff, revision=0, defaults={"state": ListState.PROVISIONAL}
    )
    return GradeList.objects.select_for_update(no_key=True).get(pk=found.pk)


def _fill(made: GradeList, pool: RatingPool, at: datetime, outstanding: int) -> GradeList:
    made.outstanding = outstanding
    _store(made, pool, at, work_out(pool, made.cutoff))
    return made


def _store(made: GradeList, pool: RatingPool, at: datetime, worked_out: WorkedOut) -> None:
    made.rules = pool.grade_rules
    made.computed_at = at
    made.unanchored = worked_out.unanchored
    made.save()
    _store_points(made, worked_out.points)
    Grade.objects.filter(grade_list=made).delete()
    copy_rows(
        "ratings_grade",
        ("grade_list_id", *GRADE_COLUMNS),
        ((made.pk, *row) for row in worked_out.grades),
    )


def _store_points(made: GradeList, points: list[Points]) -> None:
    """Keep the points of these games with the list that closes their half-year."""
    GradedGame.objects.filter(grade_list__cutoff=made.cutoff, grade_list__pool=made.pool).delete()
    GradedGame.objects.filter(pk__in=[row.game_id for row in points]).delete()
    copy_rows(
        "ratings_gradedgame",
        POINTS_COLUMNS,
        (
            (
                row.game_id,
                made.pk,
                *(row.white.grade, row.white.source, row.white.cutoff, row.white_points),
                *(row.black.grade, row.black.source, row.black.cutoff, row.black_points),
            )
            for row in points
        ),
    )


def copy_rows(table: str, columns: Iterable[str], rows: Iterable[tuple]) -> None:
    """Write tuples into a table by COPY."""
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy,
    ):
        for row in rows:
            copy.write_row(row)
