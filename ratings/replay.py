"""All games of a pool rated at once: arrays in and out, for a ledger of a nation's size.

The one place that uses numpy. Expected scores and K come from tables made by `ratings.elo`, and
`ratings.order_of_play.rate_all` gives the same digits one game at a time; a test compares them.
Only the ratings themselves need a loop. How many games a player had before a game, and with it
most of K, is known without it; what remains follows from the ratings by whole arrays.
"""

from collections.abc import Collection, Mapping
from datetime import date
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ratings.elo import JUNIOR_UNTIL_AGE, PlayerState, Rules, change_tenths, k_factor, marks_reached

# Tables hold the change for differences from -REACH to REACH; Python's negative index finds the
# negative ones. No rating gets so far away: the changes there are those of certain wins.
REACH = 20_000

PROVISIONAL, JUNIOR, USUAL = 0, 1, 2

COPY_HEADER, COPY_TRAILER = 19, 2


class GameArrays(NamedTuple):
    """The games of a pool in the order of play; players are pks, days are numpy dates."""

    game_id: np.ndarray
    played_on: np.ndarray
    white: np.ndarray
    black: np.ndarray
    white_halves: np.ndarray

    def players(self) -> list[int]:
        """The pks of all who play."""
        return np.unique(np.concatenate([self.white, self.black])).tolist()


class EloArrays(NamedTuple):
    """What each game did, column by column as `EloGame` stores it, `game_id` first."""

    game_id: np.ndarray
    white_before: np.ndarray
    white_change: np.ndarray
    white_k: np.ndarray
    white_games: np.ndarray
    white_marks: np.ndarray
    black_before: np.ndarray
    black_change: np.ndarray
    black_k: np.ndarray
    black_games: np.ndarray
    black_marks: np.ndarray

    def as_lists(self) -> list[list[int]]:
        """The columns as plain lists."""
        return [column.tolist() for column in self]


def replay(
    games: GameArrays,
    openings: Mapping[int, PlayerState],
    births: Mapping[int, date],
    rules: Rules,
) -> tuple[EloArrays, dict[int, PlayerState]]:
    """Rate all games from nothing; returns every game's row and every player's last state.

    `openings` holds the state before his first game of every player, `births` the birth dates
    that are known.
    """
    players, sides = np.unique(np.concatenate([games.white, games.black]), return_inverse=True)
    opened = [openings[pk] for pk in players.tolist()]
    last_junior_year = np.array(
        [births[pk].year + JUNIOR_UNTIL_AGE if pk in births else 0 for pk in players.tolist()],
        dtype=np.int64,
    )
    established = np.array([state.established for state in opened], dtype=bool)
    earlier = _games_before(*np.split(sides, 2), len(players))
    years = games.played_on.astype("datetime64[Y]").astype(np.int64) + 1970
    both = []
    for player, before, halves in zip(
        np.split(sides, 2), earlier, (games.white_halves, 2 - games.white_halves), strict=True
    ):
        provisional = ~established[player] & (before < rules.full_games)
        junior = years <= last_junior_year[player]
        kind = np.where(provisional, PROVISIONAL, np.where(junior, JUNIOR, USUAL))
        both.append(_Side(player, kind, halves, before, [], [], []))
    white, black = both
    states = _loop(white, black, opened, rules)
    return _rows(games, white, black, rules), dict(zip(players.tolist(), states, strict=True))


def _games_before(white: np.ndarray, black: np.ndarray, players: int) -> list[np.ndarray]:
    """For each game, how many earlier ones each side had."""
    both = np.empty(2 * len(white), dtype=np.int64)
    both[0::2], both[1::2] = white, black
    order = np.argsort(both, kind="stable")
    firsts = np.searchsorted(both[order], np.arange(players))
    counts = np.empty(len(both), dtype=np.int64)
    counts[order] = np.arange(len(both)) - firsts[both[order]]
    return [counts[0::2], counts[1::2]]


class _Side(NamedTuple):
    """One side of every game: players by place in the list, K class, half-points, games before.

    `before` and `after` are ratings in tenths, filled by the loop; `marked` the places of games
    before which the player had reached a mark, with the mark.
    """

    player: np.ndarray
    kind: np.ndarray
    halves: np.ndarray
    games: np.ndarray
    before: list[int]
    after: list[int]
    marked: list[tuple[int, int]]


def _loop(white: _Side, black: _Side, opened: list[PlayerState], rules: Rules) -> list[PlayerState]:
    """Fill in each side's rating before and after every game; returns the last states."""
    tables = _tables(rules)
    of_white, of_black = (
        [tables[code] for code in (3 * (3 * side.kind) + side.halves).tolist()]
        for side in (white, black)
    )
    rating = [state.rating for state in opened]
    marks = [state.marks for state in opened]
    lowest_mark = rules.junior_mark * 10 - 5
    floor = -10 * REACH if rules.floor is None else 10 * rules.floor
    white_before, white_after = white.before.append, white.after.append
    black_before, black_after = black.before.append, black.after.append
    players = zip(white.player.tolist(), black.player.tolist(), strict=True)
    for place, ((w, b), gain, loss) in enumerate(zip(players, of_white, of_black, strict=True)):
        old_white = rating[w]
        old_black = rating[b]
        if marks[w]:
            gain = _marked(white, place, marks[w], tables)
        if marks[b]:
            loss = _marked(black, place, marks[b], tables)
        apart = (old_white + 5) // 10 - (old_black + 5) // 10
        new_white = old_white + gain[apart]
        new_black = old_black + loss[-apart]
        if new_white < floor:
            new_white = floor
        if new_black < floor:
            new_black = floor
        rating[w] = new_white
        rating[b] = new_black
        white_before(old_white)
        white_after(new_white)
        black_before(old_black)
        black_after(new_black)
        if new_white >= lowest_mark:
            marks[w] = max(marks[w], marks_reached(new_white, rules))
        if new_black >= lowest_mark:
            marks[b] = max(marks[b], marks_reached(new_black, rules))
    played = np.bincount(white.player, minlength=len(opened)) + np.bincount(
        black.player, minlength=len(opened)
    )
    return [
        PlayerState(*state, first.established)
        for *state, first in zip(rating, played.tolist(), marks, opened, strict=True)
    ]


def _marked(side: _Side, place: int, marks: int, tables: list[list[int]]) -> list[int]:
    """The changes of a player who reached a mark, which is noted."""
    side.marked.append((place, marks))
    return tables[3 * (3 * int(side.kind[place]) + marks) + int(side.halves[place])]


def _ks(rules: Rules) -> list[int]:
    """K by class and marks: `3 * class + marks`."""
    return [
        k_factor(
            marks=marks,
            games=0 if kind == PROVISIONAL else rules.full_games,
            established=False,
            under_18=kind == JUNIOR,
            rules=rules,
        )
        for kind in (PROVISIONAL, JUNIOR, USUAL)
        for marks in (0, 1, 2)
    ]


@lru_cache
def _tables(rules: Rules) -> list[list[int]]:
    """The change in tenths by difference of displayed ratings, for each K and half-points.

    `3 * (3 * class + marks) + halves` finds the table; a negative difference counts from its end.
    """
    end = len(rules.expected)
    made = {
        (k, halves): [
            *(change_tenths(apart, 0, halves, k) for apart in range(end)),
            *[change_tenths(end, 0, halves, k)] * (REACH - end),
            *[change_tenths(-end, 0, halves, k)] * (REACH - end),
            *(change_tenths(apart, 0, halves, k) for apart in range(-end, 0)),
        ]
        for k in set(_ks(rules))
        for halves in (0, 1, 2)
    }
    return [made[k, halves] for k in _ks(rules) for halves in (0, 1, 2)]


def _rows(games: GameArrays, white: _Side, black: _Side, rules: Rules) -> EloArrays:
    ks = np.array(_ks(rules))
    columns = [games.game_id]
    for side in (white, black):
        marks = np.zeros(len(games.game_id), dtype=np.int64)
        if side.marked:
            places, reached = np.array(side.marked).T
            marks[places] = reached
        before = np.array(side.before, dtype=np.int64)
        change = np.array(side.after, dtype=np.int64) - before
        columns += [before, change, ks[3 * side.kind + marks], side.games, marks]
    return EloArrays(*columns)


# --- To and from the database --------------------------------------------------------------

GAMES = (
    "SELECT g.id, g.played_on - DATE '1970-01-01', e.key, g.round, g.board, g.number,"
    " g.white_id, g.black_id, g.white_halves"
    " FROM ratings_ratedgame g JOIN ratings_ratedevent e ON e.id = g.event_id"
    " WHERE e.pool_id = %s"
)
GAME_SIZES = (8, 4, 8, 4, 4, 4, 8, 8, 2)
ROW_SIZES = (8, *(4, 4, 2, 4, 2) * 2)


def read_games(cursor, pool: str) -> GameArrays:
    """The games of a pool in the order of play (rules/elo.md section 1), by one binary COPY."""
    read = _copy_out(cursor, GAMES, GAME_SIZES, [pool])
    game_id, day, event_key, round_, board, number, white, black, halves = read
    order = np.lexsort((number, board, round_, event_key, day))
    return GameArrays(
        game_id[order],
        day[order].astype("datetime64[D]"),
        white[order],
        black[order],
        halves[order],
    )


def read_rows(cursor) -> EloArrays:
    """What is stored of all games, of every pool, ordered by game."""
    query = f"SELECT {', '.join(EloArrays._fields)} FROM ratings_elogame"
    read = EloArrays(*_copy_out(cursor, query, ROW_SIZES))
    order = np.argsort(read.game_id, kind="stable")
    return EloArrays(*(column[order] for column in read))


def differing(rows: EloArrays, stored: EloArrays) -> EloArrays:
    """Those of `rows` that are not stored just so; `stored` is ordered by game."""
    place = np.searchsorted(stored.game_id, rows.game_id)
    place[place == len(stored.game_id)] = 0
    if not len(stored.game_id):
        return rows
    same = np.ones(len(rows.game_id), dtype=bool)
    for new, old in zip(rows, stored, strict=True):
        same &= new == old[place]
    return EloArrays(*(column[~same] for column in rows))


def without(rows: EloArrays, games: Collection[int]) -> EloArrays:
    """The rows of all but these games."""
    kept = ~np.isin(rows.game_id, list(games))
    return EloArrays(*(column[kept] for column in rows))


def write_rows(cursor, rows: EloArrays, table: str = "ratings_elogame") -> None:
    """Add rows to the table by one binary COPY; none of the games may have one."""
    kind = _record(ROW_SIZES)
    records = np.empty(len(rows.game_id), dtype=kind)
    records["fields"] = len(ROW_SIZES)
    for n, (column, size) in enumerate(zip(rows, ROW_SIZES, strict=True)):
        records[f"size{n}"] = size
        records[f"value{n}"] = column
    columns = ", ".join(EloArrays._fields)
    with cursor.copy(f"COPY {table} ({columns}) FROM STDIN (FORMAT binary)") as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
        for start in range(0, len(records), 100_000):
            copy.write(records[start : start + 100_000].tobytes())
        copy.write(b"\xff\xff")


def _copy_out(cursor, query: str, sizes: tuple[int, ...], values=()) -> list[np.ndarray]:
    """The columns of a query without nulls, as integers of 8 bytes."""
    with cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT binary)", values) as copy:
        data = b"".join(copy)
    kind = _record(sizes)
    count = (len(data) - COPY_HEADER - COPY_TRAILER) // kind.itemsize
    records = np.frombuffer(data, dtype=kind, offset=COPY_HEADER, count=count)
    return [records[f"value{n}"].astype(np.int64) for n in range(len(sizes))]


def _record(sizes: tuple[int, ...]) -> np.dtype:
    """One row of PostgreSQL's binary COPY format, all columns integers of these sizes."""
    fields = [("fields", ">i2")]
    for n, size in enumerate(sizes):
        fields += [(f"size{n}", ">i4"), (f"value{n}", f">i{size}")]
    return np.dtype(fields)
