"""Live Elo: the stored ratings follow the ledger, within the transaction that changed it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from operator import itemgetter

from django.db import connection

from . import elo, staleness
from .elo import Opening, OpeningFact, PlayerState, Rules
from .later_games import LaterGames
from .ledger import Touched
from .models import EloRating, OpeningRating, PoolName, RatingPool
from .order_of_play import EloRow, Place, rate_reached

ELO_COLUMNS = tuple(EloRow._fields)
STATE = ", ".join(PlayerState._fields)
# Whoever has another opening or birth date is rated again up to here.
END = Place(date.max, 0, 0, 0, 0)
# The facts of so many players are not asked for one by one.
MANY = 2000


def rules_of(pool: RatingPool) -> Rules:
    """The rules object of a pool, with its own opening rating and floor."""
    preset = {"CLUB": elo.CLUB}[pool.rules]
    return replace(
        preset,
        default_opening=pool.first_rating // 10,
        floor=None if pool.floor is None else pool.floor // 10,
    )


def update(*, pool: RatingPool, touched: Touched, reopened: Collection[int] = ()) -> int:
    """Bring the ratings of `pool` up to date, or leave them to a job if that takes too long.

    The pool is locked. `reopened` are players whose opening rating or birth date changed: they
    are rated again up to the end. Returns the number of stored rows (games and players) written;
    0 too where a job will do it (`ratings.staleness`).
    """
    if touched.since is None:
        return 0
    if staleness.has_to_wait(pool, touched.since):
        staleness.note(pool=pool, touched=touched, reopened=reopened)
        return 0
    return rate_at_once(pool=pool, touched=touched, reopened=reopened)


def rate_at_once(*, pool: RatingPool, touched: Touched, reopened: Collection[int] = ()) -> int:
    """Bring the ratings of `pool` up to date from the first touched game on.

    As `update`, but however many games that are; the stored ratings are those of the ledger as it
    was before what is touched.
    """
    rules = rules_of(pool)
    later = LaterGames(pool, touched, rules)
    before = later.states_before(reopened)
    replayed = rate_reached(
        later.read,
        touched.since.played_on,
        later.last,
        before,
        {**touched.until, **dict.fromkeys(reopened, END)},
        later.established,
        later.births,
        rules,
    )
    states = {pk: state if state.games else None for pk, state in replayed.states.items()}
    return store(pool, replayed.rows, states)


def current_states(pool: RatingPool, players: Iterable[int] | None) -> dict[int, PlayerState]:
    """The stored state of each of these players (all if None) who has games in the pool."""
    rows = EloRating.objects.filter(pool=pool)
    if players is not None:
        rows = rows.filter(player__in=list(players))
    return {
        pk: PlayerState(*state)
        for pk, *state in rows.values_list("player", "rating", "games", "marks", "established")
    }


def opening_states(
    players: Iterable[int], pool: RatingPool, rules: Rules
) -> dict[int, PlayerState]:
    """The state of each of these players before his first game in the pool."""
    return {
        pk: elo.opening_state(opening, rules)
        for pk, opening in openings_of(players, pool, rules).items()
    }


def openings_of(players: Iterable[int], pool: RatingPool, rules: Rules) -> dict[int, Opening]:
    """The opening rating of each of these players in the pool, derived from facts from outside."""
    pools = PoolName.values
    return {
        pk: elo.opening_tenths(known, pool.pk, pools=pools, rules=rules)
        for pk, known in facts_of(players).items()
    }


def facts_of(players: Iterable[int]) -> dict[int, dict[tuple[str, str], OpeningFact]]:
    """What is known from outside of each of these players, by pool and system; maybe nothing."""
    facts: dict[int, dict[tuple[str, str], OpeningFact]] = {pk: {} for pk in players}
    rows = OpeningRating.objects.all()
    if len(facts) < MANY:
        rows = rows.filter(player__in=list(facts))
    for pk, pool_name, system, value, provisional in rows.values_list(
        "player", "pool", "system", "value", "provisional"
    ):
        if pk in facts:
            facts[pk][pool_name, system] = OpeningFact(value, provisional)
    return facts


_COLUMNS = [f"{name} = EXCLUDED.{name}" for name in (*ELO_COLUMNS, *PlayerState._fields)]
STORE_ROWS = (
    f"INSERT INTO ratings_elogame ({', '.join(ELO_COLUMNS)})"
    " SELECT * FROM unnest(%s::bigint[]" + ", %s::int[]" * (len(ELO_COLUMNS) - 1) + ")"
    f" ON CONFLICT (game_id) DO UPDATE SET {', '.join(_COLUMNS[1 : len(ELO_COLUMNS)])}"
)
STORE_RATINGS = (
    f"moved AS (INSERT INTO ratings_elorating AS r (pool_id, player_id, {STATE})"
    " SELECT %s, * FROM unnest(%s::bigint[], %s::int[], %s::int[], %s::int[], %s::boolean[])"
    f" ON CONFLICT (player_id, pool_id) DO UPDATE SET {', '.join(_COLUMNS[len(ELO_COLUMNS) :])}"
    f" WHERE (r.{', r.'.join(PlayerState._fields)})"
    f" IS DISTINCT FROM (EXCLUDED.{', EXCLUDED.'.join(PlayerState._fields)}) RETURNING player_id),"
    " lost AS (DELETE FROM ratings_elorating WHERE pool_id = %s AND player_id = ANY(%s)"
    " RETURNING player_id)"
)
# One statement, for it is a third of what a card asks, and each part alone would be a journey.
STORE = (
    f"WITH of_games AS ({STORE_ROWS}), {STORE_RATINGS}, of_pool AS (UPDATE ratings_ratingpool"
    " SET ledger_version = ledger_version + 1 WHERE name = %s)"
    " SELECT (SELECT count(*) FROM lost) + (SELECT count(*) FROM moved)"
)


def store(
    pool: RatingPool, rows: Collection[EloRow], states: Mapping[int, PlayerState | None]
) -> int:
    """Write the rows of games, new and changed, and the states of players, None without a game.

    The pool's version is raised; the pool is locked. Returns how many stored rows are others now:
    all `rows`, and the players whose state was another.
    """
    ratings = _ratings(pool, states.items())
    with connection.cursor() as cursor:
        cursor.execute(STORE, [*_columns(rows, ELO_COLUMNS), *ratings, pool.pk])
        return len(rows) + cursor.fetchone()[0]


def store_rows(rows: Collection[EloRow]) -> None:
    """Write the rows of games, new and changed, in one statement."""
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(STORE_ROWS, _columns(rows, ELO_COLUMNS))


def store_ratings(pool: RatingPool, changed: list[tuple[int, PlayerState | None]]) -> None:
    """Write the state of players, and delete that of players without a game left."""
    if changed:
        with connection.cursor() as cursor:
            cursor.execute(f"WITH {STORE_RATINGS} SELECT 1", _ratings(pool, changed))


def _ratings(pool: RatingPool, states: Iterable[tuple[int, PlayerState | None]]) -> list:
    """What `STORE_RATINGS` asks for."""
    states = sorted(states, key=itemgetter(0))
    kept = [(pk, *state) for pk, state in states if state is not None]
    lost = [pk for pk, state in states if state is None]
    return [pool.pk, *_columns(kept, ("player_id", *PlayerState._fields)), pool.pk, lost]


def _columns(rows: Iterable[tuple], names: Sequence[str]) -> list[list]:
    """The rows as a list for each column; empty lists where there is no row."""
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _name in names]
