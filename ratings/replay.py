"""All games of a pool rated at once: arrays in and out, for a ledger of a nation's size.

Expected scores and K come from tables made by `ratings.elo`, and `ratings.order_of_play.rate_all`
gives the same digits one game at a time; a test compares them.

A game waits only for the earlier games of its two players. Its level is one above the highest of
theirs, so games of one level share nobody and are rated at once by a few array operations; levels
of few games go one game at a time, over the same arrays. How many games a player had before a game
is known without either, and with it most of K.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import lru_cache

import numpy as np

from ratings.elo import JUNIOR_UNTIL_AGE, PlayerState, Rules, change_tenths, k_factor, marks_reached
from ratings.game_arrays import AT_ONCE, EloArrays, GameArrays, numbered

# Tables hold the change for differences from -REACH to REACH. The changes there are those of
# certain wins, and no two ratings are as far apart.
REACH = 20_000
WIDTH = 2 * REACH
# Levels are counted in parts of so many games, by so many passes at most.
PART = 4096
PASSES = 100
# Levels of fewer games than this are rated one game at a time.
NARROW = 24

PROVISIONAL, JUNIOR, USUAL = 0, 1, 2


def no_progress(share: float) -> None:
    """What is told the share that is done, where nobody wants to know."""


def replay(
    games: GameArrays,
    openings: Mapping[int, PlayerState],
    births: Mapping[int, date],
    rules: Rules,
    progress: Callable[[float], None] = no_progress,
) -> tuple[EloArrays, dict[int, PlayerState]]:
    """Rate all games from nothing; returns every game's row and every player's last state.

    `openings` holds the state before his first game of every player, `births` the birth dates
    that are known; `progress` is told the share that is done.
    """
    players, sides = numbered(np.stack([games.white, games.black]))
    opened = [openings[pk] for pk in players.tolist()]
    earlier, last, played = _games_before(sides, len(players))
    juniors = [births[pk].year + JUNIOR_UNTIL_AGE if pk in births else 0 for pk in players.tolist()]
    kinds = _kinds(games.played_on, sides, earlier, opened, juniors, rules)
    halves = np.stack([games.white_halves, 2 - games.white_halves]).astype(np.int32)
    levels = _levels(last)
    order = np.argsort(levels, kind="stable")
    rated = _Rating(opened, sides[:, order], ((9 * kinds + halves) * WIDTH)[:, order], rules)
    start = 0
    for stop, wide in _stretches(np.bincount(levels)):
        if wide:
            rated.level(start, stop)
        else:
            rated.one_by_one(start, stop)
        start = stop
        progress(start / len(levels))
    rows = _rows(games.game_id, order, rated, kinds, earlier, rules)
    states = [
        PlayerState(*state, first.established)
        for *state, first in zip(
            rated.rating.tolist(), played.tolist(), rated.marks.tolist(), opened, strict=True
        )
    ]
    return rows, dict(zip(players.tolist(), states, strict=True))


def _games_before(sides: np.ndarray, players: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each side of each game how many earlier ones he had, and the place of the last or -1.

    Third how many each player has.
    """
    both = sides.T.ravel()
    if players < 1 << 16:  # sorts faster
        both = both.astype(np.uint16)
    order = np.argsort(both, kind="stable").astype(np.int32)
    played = np.bincount(both, minlength=players)
    firsts = (np.cumsum(played) - played).astype(np.int32)
    earlier, last = (np.empty(len(both), dtype=np.int32) for _ in range(2))
    earlier[order] = np.arange(len(both), dtype=np.int32) - np.repeat(firsts, played)
    last[order[1:]] = order[:-1] // 2
    last[order[firsts]] = -1
    return earlier.reshape(-1, 2).T, last.reshape(-1, 2).T, played


def _kinds(played_on, sides, earlier, opened, juniors, rules: Rules) -> np.ndarray:
    """The K class of each side of each game, marks aside."""
    established = np.array([state.established for state in opened], dtype=bool)
    years = played_on.astype("datetime64[Y]").astype(np.int32) + 1970
    provisional = ~established[sides] & (earlier < rules.full_games)
    junior = years <= np.array(juniors, dtype=np.int32)[sides]
    kinds = np.where(provisional, PROVISIONAL, np.where(junior, JUNIOR, USUAL))
    return kinds.astype(np.int32)


def _levels(last: np.ndarray) -> np.ndarray:
    """A level for each game, above those of the last games of its two players.

    Counted anew from part to part, each above the one before it, which makes few more of them.
    """
    levels = np.empty(last.shape[1], dtype=np.int32)
    above = 0
    for start in range(0, len(levels), PART):
        found = above + _levels_of_part(np.maximum(last[:, start : start + PART] - start, -1))
        levels[start : start + PART] = found
        above = int(found.max()) + 1
    return levels.astype(np.uint16) if above < 1 << 16 else levels  # sorts faster


def _levels_of_part(last: np.ndarray) -> np.ndarray:
    """The levels of some games by the last games among them, -1 for none."""
    levels = np.zeros(last.shape[1] + 1, dtype=np.int32)
    levels[-1] = -1  # what -1 finds
    white, black = last
    for _ in range(PASSES):
        found = np.maximum(levels.take(white), levels.take(black))
        found += 1
        if (found == levels[:-1]).all():
            return found
        levels[:-1] = found
    one_by_one = levels.tolist()  # few people who play each other again and again
    for place, (one, other) in enumerate(last.T.tolist()):
        one_by_one[place] = max(one_by_one[one], one_by_one[other]) + 1
    return np.array(one_by_one[:-1])


def _stretches(widths: np.ndarray) -> Iterator[tuple[int, bool]]:
    """Where each level of many games ends, and each row of levels of few; whether it is wide."""
    stop = narrow = 0
    for width in widths.tolist():
        if width < NARROW and narrow < AT_ONCE:
            narrow += width
            continue
        if narrow:
            stop += narrow
            narrow = 0
            yield stop, False
        stop += width
        yield stop, True
    if narrow:
        yield stop + narrow, False


class _Rating:
    """Ratings and marks of all players, moved on level by level.

    Players stand by their places, games level after level, in two rows for White and Black.
    `before`, `after` (tenths) and `marked` (marks before the game) are filled on the way; `base`
    is where a side's table stands for K class and half-points.
    """

    def __init__(self, opened: list[PlayerState], sides, base, rules: Rules):
        self.rating = np.array([state.rating for state in opened], dtype=np.int32)
        self.marks = np.array([state.marks for state in opened], dtype=np.int32)
        self.sides, self.base, self.rules = sides, base + REACH, rules
        self.before, self.after, self.marked = (np.zeros_like(sides) for _ in range(3))
        self.changes = _tables(rules)
        self.lowest_mark = rules.junior_mark * 10 - 5
        self.floor = -10 * REACH if rules.floor is None else 10 * rules.floor

    def level(self, start: int, stop: int) -> None:
        """Rate games that share nobody."""
        sides = self.sides[:, start:stop]
        before = self.rating.take(sides)
        marks = self.marks.take(sides)
        shown = (before + 5) // 10
        where = 3 * WIDTH * marks
        where += self.base[:, start:stop]
        where += shown
        where -= shown[::-1]
        after = self.changes.take(where)
        after += before
        np.maximum(after, self.floor, out=after)
        self.rating[sides] = after
        self.before[:, start:stop] = before
        self.after[:, start:stop] = after
        self.marked[:, start:stop] = marks
        high = after >= self.lowest_mark
        if high.any():
            reached = [marks_reached(tenths, self.rules) for tenths in after[high].tolist()]
            self.marks[sides[high]] = np.maximum(marks[high], reached)

    def one_by_one(self, start: int, stop: int) -> None:
        """Rate games in their order, whoever plays."""
        games = slice(start, stop)
        lists = [*self.sides[:, games].tolist(), *self.base[:, games].tolist()]
        filled: list[tuple[int, ...]] = []
        rating, marks, changes = map(memoryview, (self.rating, self.marks, self.changes))
        floor = self.floor
        for white, black, of_white, of_black in zip(*lists, strict=True):
            old_white, old_black = rating[white], rating[black]
            marks_white, marks_black = marks[white], marks[black]
            apart = (old_white + 5) // 10 - (old_black + 5) // 10
            new_white = old_white + changes[of_white + 3 * WIDTH * marks_white + apart]
            new_black = old_black + changes[of_black + 3 * WIDTH * marks_black - apart]
            rating[white] = new_white = max(new_white, floor)
            rating[black] = new_black = max(new_black, floor)
            filled.append((old_white, old_black, new_white, new_black, marks_white, marks_black))
            for player, tenths in ((white, new_white), (black, new_black)):
                if tenths >= self.lowest_mark:
                    marks[player] = max(marks[player], marks_reached(tenths, self.rules))
        columns = np.array(filled, dtype=np.int32).T
        self.before[:, games], self.after[:, games], self.marked[:, games] = (
            columns[:2],
            columns[2:4],
            columns[4:],
        )


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
def _tables(rules: Rules) -> np.ndarray:
    """The change in tenths by difference of displayed ratings, for each K and half-points.

    A table of `WIDTH` starts at `WIDTH * (3 * (3 * class + marks) + halves)`, and the difference
    0 stands in its middle.
    """
    end = len(rules.expected)
    made = {}
    for k in set(_ks(rules)):
        for halves in (0, 1, 2):
            table = np.full(WIDTH, change_tenths(end, 0, halves, k), dtype=np.int32)
            table[:REACH] = change_tenths(-end, 0, halves, k)
            table[REACH - end : REACH + end] = [
                change_tenths(apart, 0, halves, k) for apart in range(-end, end)
            ]
            made[k, halves] = table
    return np.concatenate([made[k, halves] for k in _ks(rules) for halves in (0, 1, 2)])


def _rows(game_id, order, rated: _Rating, kinds, earlier, rules: Rules) -> EloArrays:
    """The columns in the order of the games' ids; `order` is that of the levels."""
    by_id = np.argsort(game_id)
    place = np.empty(len(game_id), dtype=np.int32)
    place[by_id] = np.arange(len(game_id), dtype=np.int32)
    place = place[order]
    ks = np.array(_ks(rules), dtype=np.int16)
    columns = [game_id[by_id]]
    for side in (0, 1):
        before, change = (np.empty(len(game_id), dtype=np.int32) for _ in range(2))
        marks = np.empty(len(game_id), dtype=np.int16)
        before[place] = rated.before[side]
        change[place] = rated.after[side] - rated.before[side]
        marks[place] = rated.marked[side]
        k = ks[3 * kinds[side][by_id] + marks]
        columns += [before, change, k, earlier[side][by_id], marks]
    return EloArrays(*columns)
