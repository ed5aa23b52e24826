"""Grade lists as documents: worked out at the cutoff and published once; see also `revisions`.

Lists are made in order, none while an earlier one is still to come: of its own pool, for its
grades are in force in it, and of the other rate of play, whose grades newcomers start from. All
of it happens under the pool's lock and then the list's, so a card or another officer waits.
"""

from collections.abc import Callable
from datetime import date, datetime, timedelta

import pghistory
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.constraints import checked_meanwhile
from clubs.dates import date_format

from . import checking, ecf
from .bulk_copy import array, copy_rows
from .grade_rows import GradeRow
from .grading import WorkedOut, work_out
from .ledger import lock_pool
from .models import Grade, GradedGame, GradeList, ListState, PoolName, RatedEvent, RatingPool

GRADED_POOLS = (PoolName.STANDARD, PoolName.RAPID)

Outstanding = Callable[[str, date], int]
"""How many cards of games before a cutoff are still to come: (pool, cutoff) -> count."""


class ListError(Exception):
    """A list cannot be made or changed as asked; its text is a sentence that says why."""


class NoSuchCutoff(ListError):
    """The day is no cutoff of this pool: no 1 January or 1 July, or before its first list."""


class NotYetDue(ListError):
    """The cutoff is still to come."""


class EarlierListDue(ListError):
    """An earlier list, of `pool` and `cutoff`, has to be published first."""

    def __init__(self, pool: str, cutoff: date):
        super().__init__(
            _("%s is still to come, and lists come in order.") % name_of_list(pool, cutoff)
        )
        self.pool = pool
        self.cutoff = cutoff


class AlreadyPublished(ListError):
    """The list came out before; `grade_list` is it."""

    def __init__(self, grade_list: GradeList):
        name = name_of_list(grade_list.pool_id, grade_list.cutoff)
        super().__init__(_("%s is published already.") % name)
        self.grade_list = grade_list


def name_of_list(pool: str, cutoff: date) -> str:
    """A list in words that begin a sentence."""
    return _("The %(pool)s list of %(cutoff)s") % {
        "pool": PoolName(pool).label.lower(),
        "cutoff": date_format(cutoff, "j F Y"),
    }


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
    first = RatedEvent.objects.filter(pool=pool).first_day_played()
    return None if first is None else ecf.cutoff_closing(first)


def earlier_due(cutoff: date) -> tuple[str, date] | None:
    """Pool and cutoff of the first list, of any pool, that has to come before this cutoff's."""
    due = [(next_cutoff(name), name) for name in GRADED_POOLS]
    earlier = [(day, name) for day, name in due if day is not None and day < cutoff]
    return min(earlier)[::-1] if earlier else None


def publish_due(*, at: datetime, outstanding: Outstanding) -> list[GradeList]:
    """Make every list that is due, in order, each in a transaction of its own.

    A list whose days of waiting are over is published, the newest one else provisional and
    worked out again. Run any number of times, at once or late, each list comes once. Returns
    the lists published now.
    """
    came_out: list[GradeList] = []
    pools = list(GRADED_POOLS)
    while pools:
        name = min(pools, key=lambda name: next_cutoff(name) or date.max)
        made = _make_next(name, at, outstanding)
        if made is not None and made.state == ListState.PUBLISHED:
            came_out.append(made)
        else:
            pools.remove(name)
    return came_out


@transaction.atomic
def _make_next(name: str, at: datetime, outstanding: Outstanding) -> GradeList | None:
    pool = lock_pool(name)
    cutoff = next_cutoff(name)
    _drop_overtaken(pool, cutoff)
    today = timezone.localdate(at)
    if cutoff is None or cutoff > today or earlier_due(cutoff):
        return None
    made = _provisional(pool, cutoff)
    if today >= cutoff + timedelta(days=pool.publish_after_days):
        made.publish(at=at, by=None)
    return fill(made, pool, at, outstanding(name, cutoff))


def _drop_overtaken(pool: RatingPool, cutoff: date | None) -> None:
    """Take away provisional lists that are no longer the next: games of other years came or went.

    Nobody has been told them for good.
    """
    overtaken = GradeList.objects.provisional().filter(pool=pool).exclude(cutoff=cutoff)
    pks = list(overtaken.select_for_update(no_key=True).values_list("pk", flat=True))
    GradedGame.objects.filter(grade_list__in=pks).delete()
    Grade.objects.filter(grade_list__in=pks).delete()
    GradeList.objects.filter(pk__in=pks).delete()


@transaction.atomic
def recompute_provisional(*, pool: str, at: datetime, outstanding: Outstanding) -> GradeList | None:
    """Work the pool's provisional list out again, if it has one; late cards have come in."""
    locked = lock_pool(pool)
    found = GradeList.objects.provisional().filter(pool=pool, cutoff=next_cutoff(pool)).first()
    if found is None:
        return None
    made = lock_list(found.pk)
    return fill(made, locked, at, outstanding(pool, made.cutoff))


# --- Publishing --------------------------------------------------------------------------


@transaction.atomic
def publish(*, pool: str, cutoff: date, at: datetime, by, outstanding: Outstanding) -> GradeList:
    """Publish one list by hand, now.

    Raises `AlreadyPublished`, `EarlierListDue`, `NotYetDue` and `NoSuchCutoff`, each saying why.
    """
    _require_graded(pool)
    locked = lock_pool(pool)
    _require_next(pool, cutoff, at)
    _drop_overtaken(locked, cutoff)
    with pghistory.context(user=getattr(by, "pk", None)):
        made = _provisional(locked, cutoff)
        made.publish(at=at, by=by)
        return fill(made, locked, at, outstanding(pool, cutoff))


def preview(*, pool: str, cutoff: date, at: datetime) -> WorkedOut:
    """What the next list would hold if it came out now; nothing is stored, and no card waits.

    Raises as `publish` does.
    """
    _require_graded(pool)
    with checking.snapshot():
        _require_next(pool, cutoff, at)
        found = RatingPool.objects.get(pk=pool)
        return work_out(found, cutoff, ecf.PRESETS[found.grade_rules], found.juniors_start_anew)


def _require_graded(pool: str) -> None:
    if pool not in GRADED_POOLS:
        raise NoSuchCutoff(_("There are grades in standard and rapid only."))


def _require_next(pool: str, cutoff: date, at: datetime) -> None:
    if not ecf.is_cutoff(cutoff):
        raise NoSuchCutoff(
            _("%s is no cutoff: lists close on 1 January and 1 July.")
            % date_format(cutoff, "j F Y")
        )
    done = GradeList.objects.in_force().filter(pool=pool, cutoff=cutoff).first()
    if done is not None:
        raise AlreadyPublished(done)
    if cutoff > timezone.localdate(at):
        name = name_of_list(pool, cutoff)
        raise NotYetDue(_("%s is worked out on that day, not before.") % name)
    due = next_cutoff(pool)
    if due is None or cutoff < due:
        raise NoSuchCutoff(_no_list(pool, cutoff, due))
    earlier = earlier_due(cutoff)
    if earlier is not None:
        raise EarlierListDue(*earlier)


def _no_list(pool: str, cutoff: date, due: date | None) -> str:
    first = GradeList.objects.published().filter(pool=pool).order_by("cutoff").first()
    begin = due if first is None else first.cutoff
    words = {"pool": PoolName(pool).label.lower(), "cutoff": date_format(cutoff, "j F Y")}
    if begin is None:
        return _("There is no %(pool)s list of %(cutoff)s: no %(pool)s game is known.") % words
    words["first"] = date_format(begin, "j F Y")
    return _("There is no %(pool)s list of %(cutoff)s: they begin with that of %(first)s.") % words


# --- Storing -----------------------------------------------------------------------------

GRADE_COLUMNS = GradeRow._fields
GAME_IDS = GRADE_COLUMNS.index("game_ids")
POINTS_COLUMNS = (
    "game_id",
    "grade_list_id",
    *("white_grade", "white_source", "white_list", "white_points"),
    *("black_grade", "black_source", "black_list", "black_points"),
)


def _provisional(pool: RatingPool, cutoff: date) -> GradeList:
    """The pool's list of this cutoff that has not come out yet, its row locked."""
    found, _made = GradeList.objects.own().get_or_create(
        pool=pool, cutoff=cutoff, revision=0, defaults={"state": ListState.PROVISIONAL}
    )
    return lock_list(found.pk)


def lock_list(pk: int) -> GradeList:
    """The list, its row locked until the transaction ends; its pool is locked."""
    return GradeList.objects.select_for_update(no_key=True).get(pk=pk)


def fill(made: GradeList, pool: RatingPool, at: datetime, outstanding: int) -> GradeList:
    """Work the list out by the pool's rules of today and store it; both are locked."""
    made.outstanding = outstanding
    made.rules = pool.grade_rules
    made.juniors_start_anew = pool.juniors_start_anew
    store(made, at, work_out_again(made, pool))
    return made


def work_out_again(made: GradeList, pool: RatingPool) -> WorkedOut:
    """What the list holds by its own rules and the ledger of now."""
    return work_out(pool, made.cutoff, ecf.PRESETS[made.rules], made.juniors_start_anew)


def store(made: GradeList, at: datetime, worked_out: WorkedOut) -> None:
    """Save the list with these grades and points in place of those it had."""
    made.computed_at = at
    made.unanchored = worked_out.unanchored
    made.save()
    store_points(made, worked_out)
    with checked_meanwhile():  # the keys of a nation's points take as long as its grades
        grades = worked_out.grades
    Grade.objects.filter(grade_list=made).delete()
    copy_rows(
        "ratings_grade",
        ("grade_list_id", *GRADE_COLUMNS),
        ((made.pk, *row[:GAME_IDS], array(row.game_ids), *row[GAME_IDS + 1 :]) for row in grades),
    )


def store_points(made: GradeList, worked_out: WorkedOut) -> None:
    """Keep the points of the games with the list that closes their half-year."""
    # Not over a join, which deletes by a second look at the same table.
    revisions = GradeList.objects.filter(cutoff=made.cutoff, pool=made.pool)
    GradedGame.objects.filter(grade_list__in=revisions.values("pk")).delete()
    with connection.cursor() as cursor:
        # Those that a later list had pointed, and this one does now.
        cursor.execute(
            "DELETE FROM ratings_gradedgame WHERE game_id = ANY(%s)",
            [worked_out.repointed],
        )
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
            for row in worked_out.points
        ),
    )
