"""Live Elo: the stored ratings follow the ledger, within the transaction that changed it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date

from django.db import connection
from django.db.models import F

from clubs.models import Player

from . import elo, staleness
from .elo import Opening, OpeningFact, PlayerState, Rules
from .ledger import Touched
from .models import EloRating, OpeningRating, PoolName, RatingPool
from .order_of_play import EloRow, LedgerGame, Place, rate_again, state_after

ELO_COLUMNS = tuple(EloRow._fields)
GAME_COLUMNS = "g.id, g.played_on, e.key, g.round, g.board, g.number, g.white_id, g.black_id"
STORED = ", ".join(f"r.{name}" for name in ELO_COLUMNS)
ORDER = "g.played_on, e.key, g.round, g.board, g.number"
BACKWARDS = ", ".join(f"{column} DESC" for column in ORDER.split(", "))


def rules_of(pool: RatingPool) -> Rules:
    """The rules object of a pool, with its own opening rating and floor."""
    preset = {"CLUB": elo.CLUB}[pool.rules]
    return replace(
        preset,
        default_opening=pool.first_rating // 10,
        floor=None if pool.floor is None else pool.floor // 10,
    )


def update(*, pool: RatingPool, touched: Touched, reopened: Iterable[int] = ()) -> int:
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


def rate_at_once(*, pool: RatingPool, touched: Touched, reopened: Iterable[int] = ()) -> int:
    """Bring the ratings of `pool` up to date from the first touched game on.

    As `update`, but however many games that are; the stored ratings are those of the ledger as it
    was before what is touched.
    """
    rules = rules_of(pool)
    games = _games_from(pool, touched.since, touched.moved)
    people = _people({*touched.until, *(g.white_id for g in games), *(g.black_id for g in games)})
    births = {pk: birth for pk, birth in people.items() if birth}
    current = current_states(pool, people)
    before = _states_before(pool, touched, current, set(reopened), rules)
    replayed = rate_again(
        games,
        before,
        {**touched.until, **{pk: END for pk in reopened}},
        {pk: state.established for pk, state in current.items()},
        births,
        rules,
    )
    store_rows(replayed.rows)
    changed = [
        (pk, state if state.games else None)
        for pk, state in replayed.states.items()
        if (state if state.games else None) != current.get(pk)
    ]
    store_ratings(pool, changed)
    RatingPool.objects.filter(pk=pool.pk).update(ledger_version=F("ledger_version") + 1)
    return len(replayed.rows) + len(changed)


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
    return {
        pk: elo.opening_tenths(known, pool.pk, pools=PoolName.values, rules=rules)
        for pk, known in facts_of(players).items()
    }


def facts_of(players: Iterable[int]) -> dict[int, dict[tuple[str, str], OpeningFact]]:
    """What is known from outside of each of these players, by pool and system; maybe nothing."""
    players = list(players)
    facts: dict[int, dict[tuple[str, str], OpeningFact]] = {pk: {} for pk in players}
    rows = OpeningRating.objects.filter(player__in=players)
    for pk, pool_name, system, value, provisional in rows.values_list(
        "player", "pool", "system", "value", "provisional"
    ):
        facts[pk][pool_name, system] = OpeningFact(value, provisional)
    return facts


END = Place(date.max, 0, 0, 0, 0)


def _games_from(pool: RatingPool, since: Place, moved: set[int]) -> list[LedgerGame]:
    """The games of the pool in the order of play, from `since` on, with their stored rows."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {GAME_COLUMNS}, g.white_halves, {STORED} FROM ratings_ratedgame g"
            " JOIN ratings_ratedevent e ON e.id = g.event_id"
            " LEFT JOIN ratings_elogame r ON r.game_id = g.id"
            f" WHERE e.pool_id = %s AND ({ORDER}) >= (%s, %s, %s, %s, %s)"
            f" AND g.played_on >= %s ORDER BY {ORDER}",
            [pool.pk, *since, since.played_on],
        )
        return [
            LedgerGame(
                row[0],
                Place(*row[1:6]),
                row[6],
                row[7],
                row[8],
                None if row[9] is None or row[0] in moved else EloRow(*row[9:]),
            )
            for row in cursor.fetchall()
        ]


def _people(players: set[int]) -> dict[int, date | None]:
    return dict(Player.objects.filter(pk__in=players).values_list("pk", "birth_date"))


def _states_before(
    pool: RatingPool,
    touched: Touched,
    current: Mapping[int, PlayerState],
    reopened: set[int],
    rules: Rules,
) -> dict[int, PlayerState]:
    """The state, just before the first touched place, of everyone who had a game touched."""
    states = _states_after_last_game(pool, touched, current, rules)
    fresh = {pk for pk in touched.until if pk not in states} | reopened
    if fresh:
        opened = opening_states(fresh, pool, rules)
        for pk, state in opened.items():
            known = states.get(pk)
            states[pk] = known._replace(established=state.established) if known else state
    return states


def _states_after_last_game(
    pool: RatingPool, touched: Touched, current: Mapping[int, PlayerState], rules: Rules
) -> dict[int, PlayerState]:
    """The state after the last game before the first touched place, of those who have one."""
    side = (
        "(SELECT g.played_on, e.key, g.round, g.board, g.number,"
        " r.{0}_before, r.{0}_change, r.{0}_games, r.{0}_marks"
        " FROM ratings_ratedgame g JOIN ratings_ratedevent e ON e.id = g.event_id"
        " JOIN ratings_elogame r ON r.game_id = g.id"
        " WHERE g.{0}_id = p.id AND e.pool_id = %s AND g.played_on <= %s"
        f" AND ({ORDER}) < (%s, %s, %s, %s, %s) ORDER BY {BACKWARDS} LIMIT 1)"
    )
    since = touched.since
    values = [pool.pk, since.played_on, *since]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT ON (p.id) p.id, last.* FROM unnest(%s::bigint[]) AS p(id),"
            f" LATERAL ({side.format('white')} UNION ALL {side.format('black')}) AS last"
            " ORDER BY p.id, 2 DESC, 3 DESC, 4 DESC, 5 DESC, 6 DESC",
            [list(touched.until), *values, *values],
        )
        return {
            row[0]: state_after(
                PlayerState(
                    row[6],
                    row[8],
                    row[9],
                    current[row[0]].established if row[0] in current else False,
                ),
                row[7],
                rules,
            )
            for row in cursor.fetchall()
        }


def store_rows(rows: list[EloRow]) -> None:
    """Write the rows of games, new and changed, in one statement."""
    if not rows:
        return
    columns = ", ".join(ELO_COLUMNS)
    updates = ", ".join(f"{name} = EXCLUDED.{name}" for name in ELO_COLUMNS[1:])
    arrays = ", ".join(["%s::bigint[]", *["%s::int[]"] * (len(ELO_COLUMNS) - 1)])
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO ratings_elogame ({columns}) SELECT * FROM unnest({arrays})"
            f" ON CONFLICT (game_id) DO UPDATE SET {updates}",
            [list(column) for column in zip(*rows, strict=True)],
        )


def store_ratings(pool: RatingPool, changed: list[tuple[int, PlayerState | None]]) -> None:
    """Write the state of players, and delete that of players without a game left."""
    gone = [pk for pk, state in changed if state is None]
    if gone:
        EloRating.objects.filter(pool=pool, player__in=gone).delete()
    EloRating.objects.bulk_create(
        [
            EloRating(player_id=pk, pool=pool, **state._asdict())
            for pk, state in sorted((pk, state) for pk, state in changed if state is not None)
        ],
        update_conflicts=True,
        unique_fields=["player", "pool"],
        update_fields=["rating", "games", "marks", "established"],
    )
