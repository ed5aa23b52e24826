"""What a change of the ledger may reach: who had a game touched, and later games, read in parts."""

from collections.abc import Collection
from datetime import date

from django.db import connection

from . import elo
from .elo import OpeningFact, PlayerState, Rules
from .ledger import Touched
from .models import PoolName, RatingPool
from .order_of_play import DAYS_AT_ONCE, EloRow, LedgerGame, Place, state_after_game

ORDER = "g.played_on, e.key, g.round, g.board, g.number"
BACKWARDS = ", ".join(f"{column} DESC" for column in ORDER.split(", "))
SINCE = ", ".join(f"%({name})s" for name in Place._fields)
STORED = ", ".join(f"r.{name}" for name in EloRow._fields)
# What is known of a player beside his games: looked up, for a join would read all there are.
KNOWN = (
    "(SELECT birth_date FROM clubs_player WHERE id = {0}),"
    " (SELECT established FROM ratings_elorating WHERE player_id = {0} AND pool_id = %(pool)s)"
)
# A game as `LaterGames._game` takes it: with its stored row, and what is known of both players.
GAME = (
    f"g.id, {ORDER}, g.white_id, g.black_id, g.white_halves, {STORED},"
    f" {KNOWN.format('g.white_id')}, {KNOWN.format('g.black_id')}"
)
GAMES = (
    "ratings_ratedgame g JOIN ratings_ratedevent e ON e.id = g.event_id"
    " LEFT JOIN ratings_elogame r ON r.game_id = g.id"
)
LAST_GAME = (
    "(SELECT g.id FROM ratings_ratedgame g JOIN ratings_ratedevent e ON e.id = g.event_id"
    " WHERE g.{0}_id = person.id AND e.pool_id = %(pool)s AND g.played_on <= %(first)s"
    f" AND ({ORDER}) < ({SINCE}) ORDER BY {BACKWARDS} LIMIT 1)"
)
FIRST_WEEKS = (
    "(SELECT g.id FROM ratings_ratedgame g"
    " WHERE g.{0}_id = person.id AND g.played_on BETWEEN %(first)s AND %(last)s)"
)
# One statement, for it is all that most cards ask: their games are their players' last.
PEOPLE = (
    f"SELECT person.id, {KNOWN.format('person.id')},"
    " (SELECT json_agg(json_build_array(o.pool_id, o.system, o.value, o.provisional))"
    " FROM ratings_openingrating o WHERE o.player_id = person.id),"
    f" (SELECT max(played_on) FROM ratings_ratedgame), {GAME}"
    " FROM clubs_player person"
    f" LEFT JOIN LATERAL ({LAST_GAME.format('white')} UNION ALL {LAST_GAME.format('black')}"
    f" UNION ALL {FIRST_WEEKS.format('white')} UNION ALL {FIRST_WEEKS.format('black')}"
    f" ) found ON TRUE LEFT JOIN ({GAMES}) ON g.id = found.id AND e.pool_id = %(pool)s"
    " WHERE person.id = ANY(%(people)s)"
)
LATER = (
    f"SELECT {GAME} FROM {GAMES} WHERE g.played_on BETWEEN %(first)s AND %(last)s"
    " AND (g.white_id = ANY(%(people)s) OR g.black_id = ANY(%(people)s)) AND e.pool_id = %(pool)s"
)


class LaterGames:
    """The games of a pool from the first touched place on; the pool is locked.

    Call `states_before()` first. `births` and `established` hold what is known of everybody in
    the games read so far, `last` the last day on which there is a game.
    """

    def __init__(self, pool: RatingPool, touched: Touched, rules: Rules):
        self.pool = pool
        self.touched = touched
        self.rules = rules
        self.births: dict[int, date] = {}
        self.established: dict[int, bool] = {}
        self.last = date.min
        self._first_weeks: list[LedgerGame] | None = None

    def states_before(self, reopened: Collection[int]) -> dict[int, PlayerState]:
        """The state, just before the first touched place, of everyone who had a game touched.

        `reopened` are those of them whose opening rating or birth date changed.
        """
        since = self.touched.since
        facts: dict[int, dict[tuple[str, str], OpeningFact]] = {}
        last_game: dict[int, LedgerGame] = {}
        weeks: dict[int, LedgerGame] = {}
        for pk, birth, established, outside, last, *row in self._rows(
            PEOPLE, self.touched.until, since.played_on, since.played_on + DAYS_AT_ONCE
        ):
            self._note(pk, birth, established)
            self.last = last or date.min
            facts[pk] = _facts(outside)
            if row[0] is None:
                continue
            game = self._game(row)
            if game.place >= since:
                weeks[game.game_id] = game
            elif pk not in last_game or last_game[pk].place < game.place:
                last_game[pk] = game
        self._first_weeks = list(weeks.values())
        return {pk: self._before(pk, last_game.get(pk), facts[pk], reopened) for pk in facts}

    def read(self, players: Collection[int], first: date, last: date) -> list[LedgerGame]:
        """The games of these players on these days, both included; a `Reader`.

        The first question is for the first weeks of those touched, which came with their states.
        """
        if self._first_weeks is not None:
            games, self._first_weeks = self._first_weeks, None
            return games
        games = [self._game(row) for row in self._rows(LATER, players, first, last)]
        return [game for game in games if game.place >= self.touched.since]

    def _rows(self, statement: str, players: Collection[int], first: date, last: date):
        values = {
            "pool": self.pool.pk,
            "people": list(players),
            **self.touched.since._asdict(),
            "first": first,
            "last": last,
        }
        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            return cursor.fetchall()

    def _game(self, row) -> LedgerGame:
        pk, day, key, round_, board, number, white, black, halves = row[:9]
        self._note(white, *row[-4:-2])
        self._note(black, *row[-2:])
        stored = None if row[9] is None or pk in self.touched.moved else EloRow._make(row[9:-4])
        place = Place(day, key, round_, board, number)
        return LedgerGame(pk, place, white, black, halves, stored)

    def _note(self, player: int, birth: date | None, established: bool | None) -> None:
        if birth is not None:
            self.births[player] = birth
        if established is not None:
            self.established[player] = established

    def _before(
        self,
        player: int,
        last_game: LedgerGame | None,
        facts: dict[tuple[str, str], OpeningFact],
        reopened: Collection[int],
    ) -> PlayerState:
        opening = elo.opening_tenths(facts, self.pool.pk, pools=PoolName.values, rules=self.rules)
        if last_game is None:
            return elo.opening_state(opening, self.rules)
        state = state_after_game(last_game, player, self.established, self.rules)
        return state._replace(established=opening.established) if player in reopened else state


def _facts(outside: list | None) -> dict[tuple[str, str], OpeningFact]:
    """What is known from outside of a player, by pool and system."""
    return {
        (pool, system): OpeningFact(value, provisional)
        for pool, system, value, provisional in outside or []
    }
