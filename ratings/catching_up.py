"""The job of a stale pool: its ratings worked out beside the cards that come meanwhile.

All is read in one view of the database and rated without a lock. Then the pool is locked for as
long as it takes to store what differs and to rate what came since. Until that commits nothing is
stored but how far the job is, so it may die at any moment and begin again.
"""

import time
from dataclasses import replace

from django.db import connection, transaction

from clubs.models import Player

from . import checking, live, rebuilding, staleness
from .game_arrays import EloArrays
from .ledger import lock_pool
from .models import RatingPool, StalePhase
from .rebuilding import Differences
from .staleness import Pending

# After so many tries what came meanwhile is rated under the lock, however much it is.
MOST_TRIES = 3
SECONDS_BETWEEN = 1


def catch_up(name: str) -> int:
    """Work the ratings of a stale pool out again; the same numbers as a rebuild.

    Not within a transaction. Returns the number of stored rating rows that were written, 0 where
    the pool is not stale (any more).
    """
    for tries_left in reversed(range(MOST_TRIES)):
        staleness.say(name, StalePhase.READING)
        with checking.snapshot():
            pool = RatingPool.objects.get(pk=name)
            if pool.stale_from is None:
                return 0
            seen = staleness.pending(pool)
            ledger = rebuilding.read(pool)
        rows, states = rebuilding.compute(ledger, _saying(name))
        found = rebuilding.compare(ledger, rows, states)
        staleness.say(name, StalePhase.WRITING)
        written = _write(name, seen, found, at_any_length=not tries_left)
        if written is not None:
            return written
    return 0


def _saying(name: str):
    """What tells the pages how far it is, at most once a second."""
    said_at = 0.0

    def progress(phase: StalePhase, share: float) -> None:
        nonlocal said_at
        if time.monotonic() >= said_at + SECONDS_BETWEEN:
            said_at = time.monotonic()
            staleness.say(name, phase, round(100 * share))

    return progress


@transaction.atomic
def _write(name: str, seen: Pending, found: Differences, at_any_length: bool) -> int | None:
    """Store what was found and rate what came since; None where it has to be found anew.

    A rebuild by hand may have been quicker. It takes the notes away, so that none of those
    `seen` is there: whatever is stale now was not in view.
    """
    pool = lock_pool(name)
    if pool.stale_from is None:
        return 0
    since = staleness.pending(pool, seen.notes)
    if not seen.notes <= since.notes:
        return None
    first = since.touched.since
    if first is not None:
        if not at_any_length and staleness.is_too_large(pool, first):
            return None
        found = _still_there(found)
    rebuilding.write(pool, found)
    written = len(found)
    if first is not None:
        written += live.rate_at_once(pool=pool, touched=since.touched, reopened=since.reopened)
    staleness.end(pool)
    return written


def _still_there(found: Differences) -> Differences:
    """Without the games that were deleted since, and the players who left the registry."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM unnest(%s::bigint[]) AS found(id) WHERE NOT EXISTS"
            " (SELECT 1 FROM ratings_ratedgame g WHERE g.id = found.id)",
            [found.differing.game_id.tolist()],
        )
        gone = {pk for (pk,) in cursor.fetchall()}
    differing = found.differing
    if gone:
        kept = [n for n, pk in enumerate(differing.game_id.tolist()) if pk not in gone]
        differing = EloArrays(*(column[kept] for column in differing))
    people = Player.objects.filter(pk__in=[pk for pk, _state in found.ratings])
    there = set(people.values_list("pk", flat=True))
    ratings = [(pk, state) for pk, state in found.ratings if pk in there]
    return replace(found, differing=differing, ratings=ratings)
