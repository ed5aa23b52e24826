"""All ratings of a pool worked out from nothing, compared with the stored ones, and written."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial

from django.db import OperationalError, connection, transaction
from django.db.models import F
from psycopg.errors import LockNotAvailable

from clubs.models import Player

from . import elo_rows, game_arrays, live, replay, staleness
from .elo import PlayerState, Rules
from .game_arrays import EloArrays, GameArrays
from .ledger import lock_pool
from .models import RatingPool, StalePhase
from .order_of_play import EloRow

# A rebuild that changes most of more games than this drops the table's keys meanwhile.
REWRITE_FROM = 20_000
# So often the two tables are asked for; then the rows are stored beside the keys.
TRIES = 10
AT_ONCE = 20_000
# Put so that the other pools, if they are small, cost little.
DELETE_OF_POOL = """
    DELETE FROM ratings_elogame r WHERE NOT EXISTS (
        SELECT FROM ratings_ratedgame g JOIN ratings_ratedevent e ON e.id = g.event_id
        WHERE g.id = r.game_id AND e.pool_id <> %s
    )
"""


Progress = Callable[[StalePhase, float], None]


def no_progress(phase: StalePhase, share: float) -> None:
    """What is told the phase and the share of it that is done, where nobody wants to know."""


@dataclass(frozen=True, slots=True)
class Differences:
    """What a rebuild found unlike the stored ratings, and how many games it looked at.

    `differing` are the rows as they should be; in `ratings` None is a player without a game.
    """

    games: int
    differing: EloArrays
    ratings: list[tuple[int, PlayerState | None]]

    def __bool__(self):
        return len(self) > 0

    def __len__(self):
        return len(self.differing.game_id) + len(self.ratings)

    @property
    def rows(self) -> list[EloRow]:
        """The rows of games that differ; a list as long as the ledger where all do."""
        return self.differing.as_rows()

    def batches(self, size: int) -> Iterator[list[EloRow]]:
        """The rows of games that differ, so many at a time."""
        for start in range(0, len(self.differing.game_id), size):
            part = (column[start : start + size] for column in self.differing)
            yield EloArrays(*part).as_rows()


@dataclass(frozen=True, slots=True)
class Ledger:
    """All that the ratings of a pool follow from, and the ratings that are stored.

    `rows` may hold games of other pools as well.
    """

    games: GameArrays
    openings: dict[int, PlayerState]
    births: dict[int, date]
    rules: Rules
    rows: EloArrays
    ratings: dict[int, PlayerState]


def read(pool: RatingPool, progress: Progress = no_progress) -> Ledger:
    """What a rebuild needs, read within one snapshot or under the pool's lock."""
    progress(StalePhase.READING, 0)
    with connection.cursor() as cursor:
        games = elo_rows.read_games(
            cursor, pool.pk, lambda share: progress(StalePhase.READING, share / 2)
        )
        rows = elo_rows.read_rows(
            cursor, games, lambda share: progress(StalePhase.READING, (1 + share) / 2)
        )
    rules = live.rules_of(pool)
    births = Player.objects.filter(birth_date__isnull=False)
    return Ledger(
        games,
        live.opening_states(games.players(), pool, rules),
        dict(births.values_list("pk", "birth_date")),
        rules,
        rows,
        live.current_states(pool, None),
    )


def compute(
    ledger: Ledger, progress: Progress = no_progress
) -> tuple[EloArrays, dict[int, PlayerState]]:
    """The row of every game and the last state of every player; touches no database.

    A rating is a pure function of ledger, opening ratings and rules (rules/elo.md section 1).
    """
    return replay.replay(
        ledger.games,
        ledger.openings,
        ledger.births,
        ledger.rules,
        partial(progress, StalePhase.COMPUTING),
    )


def compare(ledger: Ledger, rows: EloArrays, states: dict[int, PlayerState]) -> Differences:
    """What of the computed rows and states is not stored so; touches no database."""
    ratings: list[tuple[int, PlayerState | None]] = [
        (pk, state) for pk, state in states.items() if ledger.ratings.get(pk) != state
    ]
    ratings += [(pk, None) for pk in ledger.ratings if pk not in states]
    return Differences(len(rows.game_id), game_arrays.differing(rows, ledger.rows), ratings)


def check(pool: RatingPool, progress: Progress = no_progress) -> Differences:
    """What a rebuild of the pool would change; nothing is written."""
    ledger = read(pool, progress)
    return compare(ledger, *compute(ledger, progress))


@transaction.atomic
def rebuild(name: str, progress: Progress = no_progress) -> Differences:
    """Compute all ratings of a pool from nothing, compare, and write what differs.

    Returns what differed. The pool is locked meanwhile, so cards of it wait.
    """
    pool = lock_pool(name)
    found = check(pool, progress)
    store(pool, found, progress)
    return found


def store(pool: RatingPool, found: Differences, progress: Progress = no_progress) -> None:
    """Write what a check under the pool's lock found; stale before, the pool no longer is."""
    write(pool, found, progress)
    staleness.end(pool)


def write(pool: RatingPool, found: Differences, progress: Progress = no_progress) -> None:
    """Store what differs; the pool is locked, and its stored ratings are those it was found in."""
    rows, writing = found.differing, partial(progress, StalePhase.WRITING)
    with connection.cursor() as cursor:
        if 2 * len(rows.game_id) > found.games > REWRITE_FROM and _only_ours(cursor):
            _rewrite_rows(cursor, pool, found, writing)
        else:
            for done, batch in enumerate(found.batches(AT_ONCE)):
                live.store_rows(batch)
                writing(done * AT_ONCE / len(rows.game_id))
    live.store_ratings(pool, found.ratings)
    if found:
        RatingPool.objects.filter(pk=pool.pk).update(ledger_version=F("ledger_version") + 1)


def _only_ours(cursor) -> bool:
    """Lock the games and what they did against everybody; False if they cannot be had.

    A page may read the two in either order: neither is waited for long while the other is held,
    which would be a deadlock, and whoever comes meanwhile waits behind us only for a moment.
    """
    for wait in range(TRIES):
        try:
            with transaction.atomic():
                cursor.execute(f"SET LOCAL lock_timeout = '{100 + 100 * wait}ms'")
                cursor.execute("LOCK TABLE ratings_ratedgame IN ACCESS EXCLUSIVE MODE")
                cursor.execute("LOCK TABLE ratings_elogame IN ACCESS EXCLUSIVE MODE")
                cursor.execute("SET LOCAL lock_timeout = DEFAULT")
            return True
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
    return False


def _rewrite_rows(
    cursor, pool: RatingPool, found: Differences, progress: Callable[[float], None]
) -> None:
    """Store rows of most games: without the table's keys, which come back under their names.

    Readers wait for the end of the transaction, and see the old rows or the new.
    """
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    cursor.execute(
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conrelid = 'ratings_elogame'::regclass AND contype IN ('p', 'f')"
        " ORDER BY contype DESC"
    )
    keys = cursor.fetchall()
    games = found.differing.game_id
    if len(games) == found.games:
        cursor.execute(DELETE_OF_POOL, [pool.pk])
    else:
        cursor.execute("DELETE FROM ratings_elogame WHERE game_id = ANY(%b)", [games.tolist()])
    for name, _definition in reversed(keys):
        cursor.execute(f'ALTER TABLE ratings_elogame DROP CONSTRAINT "{name}"')
    elo_rows.write_rows(cursor, found.differing, progress=progress)
    for name, definition in keys:
        cursor.execute(f'ALTER TABLE ratings_elogame ADD CONSTRAINT "{name}" {definition}')
