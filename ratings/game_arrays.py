"""The games of a pool and what they did, as columns of whole numbers, ordered and compared.

With `ratings.replay`, which rates them, and `ratings.binary_copy`, which reads and writes them,
all there is of numpy.
"""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

import numpy as np

from ratings.order_of_play import EloRow

# So many games at a time become Python's own integers.
AT_ONCE = 100_000


class GameArrays(NamedTuple):
    """The games of a pool in the order of play; players are pks, days are numpy dates."""

    game_id: np.ndarray
    played_on: np.ndarray
    white: np.ndarray
    black: np.ndarray
    white_halves: np.ndarray

    def players(self) -> list[int]:
        """The pks of all who play."""
        return numbered(np.stack([self.white, self.black]))[0].tolist()


def corrected(
    games: GameArrays, game_id: int, place: int, facts: tuple[date, int, int, int] | None
) -> GameArrays:
    """The games with one of them as `facts` say: day, White, Black, White's half-points.

    `place` is how many of the others come before it then; without facts it is taken out.
    """
    others = games.game_id != game_id
    left = [column[others] for column in games]
    if facts is None:
        return GameArrays(*left)
    row = (game_id, np.datetime64(facts[0], "D"), *facts[1:])
    return GameArrays(*(np.insert(*pair) for pair in zip(left, [place] * 5, row, strict=True)))


class EloArrays(NamedTuple):
    """What each game did, column by column as `EloGame` stores it, ordered by `game_id`."""

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

    def as_rows(self) -> list[EloRow]:
        """Row by row, in Python's own integers."""
        return [EloRow(*row) for row in zip(*(column.tolist() for column in self), strict=True)]


def numbered(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different values in order, and for each value its place among them."""
    least, most = (int(values.min()), int(values.max())) if values.size else (0, 0)
    if most - least > 4 * values.size + AT_ONCE:  # few of a great range: sort them
        found, places = np.unique(values, return_inverse=True)
        return found, places.astype(np.int32)
    seen = np.zeros(most - least + 1, dtype=bool)
    seen[values - least] = True
    places = np.cumsum(seen, dtype=np.int32) - 1
    return np.flatnonzero(seen) + least, places[values - least]


def in_order_of_play(
    game_id, event, day, round_, board, number, white_halves, white, black, keys: Mapping[int, int]
) -> GameArrays:
    """Games from columns of the ledger, `keys` those of its events (rules/elo.md section 1).

    Days are counted from 1970.
    """
    events, event = numbered(event)
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys.values())))}
    ranked = np.array([ranks[keys[pk]] for pk in events.tolist()], dtype=np.int64)
    order = _order(day, ranked[event], round_, board, number)
    return GameArrays(
        *(game_id[order], day[order].astype("datetime64[D]")),
        *(white[order], black[order], white_halves[order]),
    )


def _order(*keys: np.ndarray) -> np.ndarray:
    """The order by these keys, the first above all; by one number made of them if it fits."""
    one = np.zeros(len(keys[0]), dtype=np.int64)
    room = 1
    for key in keys if len(one) else ():
        least, most = int(key.min()), int(key.max())
        room *= most - least + 1
        if room >= 1 << 63:
            return np.lexsort(keys[::-1])
        one *= most - least + 1
        one += key.astype(np.int64) - least
    return np.argsort(one)


def by_game(rows: EloArrays) -> EloArrays:
    """The rows ordered by game."""
    if np.all(rows.game_id[1:] > rows.game_id[:-1]):
        return rows
    order = np.argsort(rows.game_id)
    return EloArrays(*(column[order] for column in rows))


def differing(rows: EloArrays, stored: EloArrays) -> EloArrays:
    """Those of `rows` that are not stored just so; both are ordered by game."""
    if not len(stored.game_id):
        return rows
    if not np.array_equal(rows.game_id, stored.game_id):
        place = np.searchsorted(stored.game_id, rows.game_id)
        place[place == len(stored.game_id)] = 0
        stored = EloArrays(*(column[place] for column in stored))
    same = np.ones(len(rows.game_id), dtype=bool)
    for new, old in zip(rows, stored, strict=True):
        same &= new == old
    return EloArrays(*(column[~same] for column in rows))
