"""All ratings of a pool worked out from nothing, compared with the stored ones, and written."""

from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import F

from clubs.models import Player

from . import live, replay, staleness
from .elo import PlayerState
from .ledger import lock_pool
from .models import RatingPool
from .order_of_play import EloRow
from .replay import EloArrays

# A rebuild that changes most of more games than this drops the table's keys meanwhile.
REWRITE_FROM = 20_000


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
        return [EloRow(*row) for row in zip(*self.differing.as_lists(), strict=True)]


def check(pool: RatingPool) -> Differences:
    """What a rebuild of the pool would change; nothing is written.

    A rating is a pure function of ledger, opening ratings and rules (rules/elo.md section 1).
    """
    with connection.cursor() as cursor:
        games = replay.read_games(cursor, pool.pk)
        stored = replay.read_rows(cursor)
    rules = live.rules_of(pool)
    players = games.players()
    births = dict(Player.objects.filter(birth_date__isnull=False).values_list("pk", "birth_date"))
    rows, states = replay.replay(games, live.opening_states(players, pool, rules), births, rules)
    current = live.current_states(pool, None)
    ratings: list[tuple[int, PlayerState | None]] = [
        (pk, state) for pk, state in states.items() if current.get(pk) != state
    ]
    ratings += [(pk, None) for pk in current if pk not in states]
    return Differences(len(rows.game_id), replay.differing(rows, stored), ratings)


@transaction.atomic
def rebuild(name: str) -> Differences:
    """Compute all ratings of a pool from nothing, compare, and write what differs.

    Returns what differed. The pool is locked meanwhile, so cards of it wait; stale before, it no
    longer is.
    """
    pool = lock_pool(name)
    found = check(pool)
    write(pool, found)
    staleness.end(pool)
    return found


def write(pool: RatingPool, found: Differences) -> None:
    """Store what differs; the pool is locked, and its stored ratings are those it was found in."""
    if 2 * len(found.differing.game_id) > found.games > REWRITE_FROM:
        _rewrite_rows(pool, found.differing)
    else:
        live.store_rows(found.rows)
    live.store_ratings(pool, found.ratings)
    if found:
        RatingPool.objects.filter(pk=pool.pk).update(ledger_version=F("ledger_version") + 1)


def _rewrite_rows(pool: RatingPool, rows: EloArrays) -> None:
    """Store rows of most games: without the table's keys, which come back under their names.

    Readers wait for the end of the transaction, and see the old rows or the new.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("LOCK TABLE ratings_elogame IN ACCESS EXCLUSIVE MODE")
        cursor.execute(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conrelid = 'ratings_elogame'::regclass AND contype IN ('p', 'f')"
            " ORDER BY contype DESC"
        )
        keys = cursor.fetchall()
        cursor.execute(
            "DELETE FROM ratings_elogame WHERE game_id = ANY(%s)", [rows.game_id.tolist()]
        )
        for name, _ in reversed(keys):
            cursor.execute(f'ALTER TABLE ratings_elogame DROP CONSTRAINT "{name}"')
        replay.write_rows(cursor, rows)
        for name, definition in keys:
            cursor.execute(f'ALTER TABLE ratings_elogame ADD CONSTRAINT "{name}" {definition}')
