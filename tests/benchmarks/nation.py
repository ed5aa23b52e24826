"""A nation's games, seeded: the data set of the benchmarks, the same on every machine.

Eighty in a hundred games are league matches of six boards inside one of sixty regions, the rest
congresses over all of them; who plays how often falls off as Zipf says; careers begin and end.
"""

import random
from bisect import bisect_left
from datetime import date, timedelta
from itertools import accumulate
from typing import NamedTuple

from django.db import connection

from ratings.models import RatedEvent

FIRST_DAY = date(2016, 9, 1)
REGIONS = 60
BOARDS = 6
DRAWS = 0.28


class Nation(NamedTuple):
    """Games as (key, event, day, round, board, number, white, black, White's half-points).

    Players are numbered from 1, `strengths` are their true ratings; `events` holds the name and
    source of each, numbered from 0. Games stand in no order.
    """

    players: int
    strengths: list[int]
    events: list[str]
    games: list[tuple[int, int, date, int, int, int, int, int, int]]


def generate(*, games: int, players: int, years: int = 10, seed: int = 1) -> Nation:
    """Make a nation of that size; the same arguments give the same nation."""
    choose = random.Random(seed)
    strengths = [max(700, round(choose.gauss(1600, 280))) for _ in range(players)]
    activity = [1 / (rank + 150) ** 0.7 for rank in range(players)]
    choose.shuffle(activity)
    careers = []
    for _ in range(players):
        start = choose.uniform(-years, years * 0.8)
        careers.append((start, start + choose.expovariate(1 / 12) + 2))
    regions = [choose.randrange(REGIONS) for _ in range(players)]
    per_year = games // years
    made: list[tuple] = []
    events: list[str] = []
    for year in range(years):
        active = [p for p in range(players) if careers[p][0] < year + 1 and careers[p][1] > year]
        by_region = [
            _Crowd([p for p in active if regions[p] == r], activity) for r in range(REGIONS)
        ]
        everyone = _Crowd(active, activity)
        start = FIRST_DAY + timedelta(days=365 * year)
        for region, crowd in enumerate(by_region):
            _league(
                choose,
                made,
                events,
                strengths,
                crowd,
                start,
                f"{year}/{region}",
                per_year * 8 // 10 // REGIONS,
            )
        target = per_year * (year + 1)
        number = 0
        while len(made) < target:
            number += 1
            _congress(choose, made, events, strengths, everyone, start, f"{year}/c{number}")
    del made[games:]
    return Nation(players, strengths, events, made)


class _Crowd:
    """Players drawn by how often they play."""

    def __init__(self, people: list[int], activity: list[float]):
        self.people = people
        self.sums = list(accumulate(activity[p] for p in people))

    def draw(self, choose: random.Random, count: int) -> list[int]:
        """So many different players."""
        found: dict[int, None] = {}
        for _ in range(20 * count):
            if len(found) == count or len(found) == len(self.people):
                break
            at = bisect_left(self.sums, choose.random() * self.sums[-1])
            found[self.people[min(at, len(self.people) - 1)]] = None
        return list(found)


def _league(choose, made, events, strengths, crowd, start, name, count) -> None:
    events.append(f"league/{name}")
    event = len(events) - 1
    for number in range(count // BOARDS):
        people = crowd.draw(choose, 2 * BOARDS)
        if len(people) < 2 * BOARDS:
            return
        people.sort(key=lambda person: -strengths[person] + choose.gauss(0, 60))
        day = start + timedelta(days=choose.randrange(270))
        for board in range(BOARDS):
            _game(
                choose,
                made,
                strengths,
                event,
                day,
                0,
                board + 1,
                number,
                people[2 * board],
                people[2 * board + 1],
            )


def _congress(choose, made, events, strengths, crowd, start, name) -> None:
    events.append(f"congress/{name}")
    event = len(events) - 1
    people = crowd.draw(choose, choose.randrange(20, 80))
    day = start + timedelta(days=choose.randrange(365))
    for round_ in range(1, 6):
        people.sort(key=lambda person: -strengths[person] + choose.gauss(0, 200))
        for board in range(len(people) // 2):
            _game(
                choose,
                made,
                strengths,
                event,
                day + timedelta(days=round_ // 3),
                round_,
                board + 1,
                0,
                people[2 * board],
                people[2 * board + 1],
            )


def _game(choose, made, strengths, event, day, round_, board, number, white, black) -> None:
    expected = 1 / (1 + 10 ** ((strengths[black] - strengths[white]) / 400))
    draw = min(DRAWS, 2 * expected, 2 - 2 * expected)
    thrown = choose.random()
    halves = 2 if thrown < expected - draw / 2 else 1 if thrown < expected + draw / 2 else 0
    made.append((len(made), event, day, round_, board, number, white + 1, black + 1, halves))


def load(nation: Nation, *, pool: str = "standard") -> None:
    """Put the nation into an empty database: players, events, games, opening ratings of half."""
    with connection.cursor() as cursor:
        _copy(
            cursor,
            "clubs_player",
            "id, surname, forenames, sort_name, search_name, state, title, federation",
            (
                (
                    n + 1,
                    f"Player{n:05d}",
                    "Robin",
                    f"player{n:05d}, robin",
                    f"robin player{n:05d}",
                    "active",
                    "",
                    "",
                )
                for n in range(nation.players)
            ),
        )
        _copy(
            cursor,
            "ratings_ratedevent",
            "id, name, source, key, pool_id",
            (
                (n + 1, source, source, RatedEvent.key_of(source), pool)
                for n, source in enumerate(nation.events)
            ),
        )
        _copy(
            cursor,
            "ratings_ratedgame",
            "id, event_id, played_on, round, board, number, white_id, black_id, white_halves,"
            " colours_known, source_key",
            (
                (
                    key + 1,
                    event + 1,
                    day,
                    round_,
                    board,
                    number,
                    white,
                    black,
                    halves,
                    True,
                    f"game:{key}",
                )
                for key, event, day, round_, board, number, white, black, halves in nation.games
            ),
        )
        _copy(
            cursor,
            "ratings_openingrating",
            "player_id, pool_id, system, value, provisional, dated_on, source",
            (
                (
                    n + 1,
                    pool,
                    "grade",
                    max(1, round((strength - 700) / 7.5)),
                    False,
                    FIRST_DAY,
                    "generated",
                )
                for n, strength in enumerate(nation.strengths)
                if n % 2
            ),
        )
        for table in ("clubs_player", "ratings_ratedevent", "ratings_ratedgame"):
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"
            )
        cursor.execute("ANALYZE")


def is_empty() -> bool:
    """Whether nobody is in the database: only then is it a benchmark's to fill and to empty."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT NOT EXISTS (SELECT FROM clubs_player)")
        return cursor.fetchone()[0]


def empty() -> None:
    """Take a loaded nation away, and all that hangs on its people; clubs and accounts too."""
    with connection.cursor() as cursor:
        cursor.execute(
            "TRUNCATE clubs_player, clubs_club, clubs_user, games_league, ratings_ratedevent,"
            " ratings_gradelist CASCADE"
        )


def _copy(cursor, table, columns, rows) -> None:
    with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
