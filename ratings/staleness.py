"""Stale pools: what a change touched that is too much for a request, noted for a job.

The fact itself is stored at once, and so are the cards that come meanwhile: only the ratings wait.
`ratings.catching_up` works them out again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from .ledger import Touched
from .models import RatingPool, StalePhase, StaleTouch
from .order_of_play import Place

JOB = "rate_stale_pool"
QUEUE = "ratings"

# No pool has so many games of a few weeks that they are worth a count: a card asks nothing more.
LATELY = timedelta(days=60)
# Fewer games than this are counted; what is known of so few without a count may be far out.
WORTH_AN_ESTIMATE = 10_000


@dataclass(frozen=True, slots=True)
class Pending:
    """What was noted of a pool and not rated yet: the rows' pks, and all of it joined."""

    notes: frozenset[int]
    touched: Touched
    reopened: frozenset[int]


def has_to_wait(pool: RatingPool, since: Place) -> bool:
    """Whether ratings from this place on are left to a job: too many games, or a stale pool.

    A stale pool's stored ratings are of no use to start from.
    """
    return pool.stale_from is not None or is_too_large(pool, since)


def is_too_large(pool: RatingPool, since: Place) -> bool:
    """Whether more games than `MOST_GAMES_RATED_AT_ONCE` were played from this place on."""
    if since.played_on > timezone.localdate() - LATELY:
        return False
    most = settings.MOST_GAMES_RATED_AT_ONCE
    if most >= WORTH_AN_ESTIMATE and 2 * _estimated_from(since.played_on) < most:
        return False
    return games_from(pool, since.played_on, most + 1) > most


def games_from(pool: RatingPool, day: date, at_most: int | None = None) -> int:
    """How many games of the pool were played from this day on; not counted beyond `at_most`."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM (SELECT 1 FROM ratings_ratedgame g"
            " JOIN ratings_ratedevent e ON e.id = g.event_id"
            " WHERE e.pool_id = %s AND g.played_on >= %s LIMIT %s) AS counted",
            [pool.pk, day, at_most],
        )
        return cursor.fetchone()[0]


def games_before(pool: RatingPool, place: Place, but: int) -> int:
    """How many games of the pool come before this place, the one of the pk `but` left out."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM ratings_ratedgame g"
            " JOIN ratings_ratedevent e ON e.id = g.event_id"
            " WHERE e.pool_id = %s AND g.id <> %s AND g.played_on <= %s"
            " AND (g.played_on, e.key, g.round, g.board, g.number) < (%s, %s, %s, %s, %s)",
            [pool.pk, but, place.played_on, *place],
        )
        return cursor.fetchone()[0]


def _estimated_from(day: date) -> int:
    """About how many games of all pools were played from this day on, without a look at them.

    PostgreSQL's planner knows; a count of 100,000 takes as long as a third of a correction.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "EXPLAIN (FORMAT JSON) SELECT 1 FROM ratings_ratedgame WHERE played_on >= %s", [day]
        )
        return cursor.fetchone()[0][0]["Plan"]["Plan Rows"]


def note(*, pool: RatingPool, touched: Touched, reopened: Iterable[int] = ()) -> None:
    """Leave what was touched to a job, and say that the pool is stale; the pool is locked.

    `touched.since` is set. The job is deferred in this transaction; one that waits already will
    see what is noted here.
    """
    StaleTouch.objects.create(
        pool=pool,
        since=_written(touched.since),
        until={str(pk): _written(place) for pk, place in touched.until.items()},
        moved=sorted(touched.moved),
        reopened=sorted(reopened),
    )
    first = touched.since.played_on
    if pool.stale_from is None:
        pool.stale_from, pool.stale_phase, pool.stale_share = first, StalePhase.WAITING, 0
    else:
        pool.stale_from = min(pool.stale_from, first)
    _store(pool)
    defer(pool.pk)


def pending(pool: RatingPool, seen: Iterable[int] = ()) -> Pending:
    """What is noted of the pool, joined; without the notes `seen`, which are counted all the same.

    The pool is locked, or one snapshot is read.
    """
    seen = frozenset(seen)
    touched, reopened, notes = Touched(), set(), set()
    rows = StaleTouch.objects.filter(pool=pool)
    notes.update(rows.values_list("pk", flat=True))
    for row in rows.exclude(pk__in=seen).order_by("pk"):
        touched.join(
            Touched(
                _place(row.since),
                {int(pk): _place(place) for pk, place in row.until.items()},
                set(row.moved),
            )
        )
        reopened.update(row.reopened)
    return Pending(frozenset(notes), touched, frozenset(reopened))


def end(pool: RatingPool) -> None:
    """The pool's ratings are up to date: nothing is noted of it any more. The pool is locked."""
    if pool.stale_from is None:
        return
    StaleTouch.objects.filter(pool=pool).delete()
    pool.stale_from, pool.stale_phase, pool.stale_share = None, "", 0
    _store(pool)


def say(name: str, phase: StalePhase, share: int = 0) -> None:
    """Let pages say how far the job of the pool of this name is; `share` in per cent.

    For a moment it waits for who holds the pool: outside a transaction only.
    """
    RatingPool.objects.stale().filter(pk=name).update(stale_phase=phase, stale_share=share)


def _store(pool: RatingPool) -> None:
    """Write how stale the pool is; what its pages say is another thing now."""
    RatingPool.objects.filter(pk=pool.pk).update(
        stale_from=pool.stale_from,
        stale_phase=pool.stale_phase,
        stale_share=pool.stale_share,
        ledger_version=F("ledger_version") + 1,
    )


def defer(name: str) -> None:
    """Queue the job of the pool of this name, unless it waits already."""
    try:
        with transaction.atomic():
            job = app.configure_task(JOB, queue=QUEUE, queueing_lock=f"{JOB}:{name}")
            job.defer(pool=name)
    except AlreadyEnqueued:
        pass


def _written(place: Place) -> list:
    return [place.played_on.isoformat(), *place[1:]]


def _place(written: list) -> Place:
    return Place(date.fromisoformat(written[0]), *written[1:])
