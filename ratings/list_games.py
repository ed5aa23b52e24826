"""The games of a list as it kept them, beside what the ledger says of them now.

Pure: `ratings.reckoning` adds them up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

from . import ecf


class Change(StrEnum):
    """What happened to a game since the list was made."""

    NONE = ""
    CORRECTED = "corrected"
    REMOVED = "removed"


class Kept(NamedTuple):
    """What a list keeps of one player: the columns of `ratings.models.Grade` of these names.

    `game_opponents` are people, None for one who is not known here any more. Lists of before
    these and the columns after them were kept have them empty.
    """

    numerator: int
    divisor: int
    grade: int
    published: int | None
    category: str | None
    recent: int
    counted: int
    brought_in: int
    averaged: int
    averaged_from: date | None
    opening_games: int
    opening_grade: int | None
    game_ids: Sequence[int]
    game_points: Sequence[int]
    game_days: Sequence[date] = ()
    game_opponents: Sequence[Any] = ()
    game_halves: Sequence[int] = ()
    game_own_grades: Sequence[int] = ()
    game_grades: Sequence[int] = ()


class GradeUsed(NamedTuple):
    """A grade used for a game: whole points, where from, and of which list if of one.

    `source` is empty where the list alone knows the grade: the ledger has another by now.
    """

    grade: int
    source: str
    cutoff: date | None = None


class GameNow(NamedTuple):
    """One of the player's games as the ledger has it today, seen from his side.

    `points` and the grades used are None while a correction waits for the next list.
    """

    played_on: date
    opponent: Any
    halves: int
    own: GradeUsed | None = None
    other: GradeUsed | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of the list: the points that count, what it was then, and what it is now.

    What it was is None only on a list of before that was kept, of a game changed since.
    """

    game_id: int
    points: int
    now: GameNow | None
    change: Change
    played_on: date | None = None
    opponent: Any = None
    halves: int | None = None
    own: GradeUsed | None = None
    other: GradeUsed | None = None

    @property
    def counts_as(self) -> int | None:
        """The opponent's grade as it counts, at most 40 away; None where it is not known."""
        if self.own is None or self.other is None:
            return None
        return ecf.clamped(self.own.grade, self.other.grade)

    @property
    def clamp(self) -> str:
        """`above` or `below` where the opponent was more than 40 away, else nothing."""
        counts_as = self.counts_as
        if counts_as is None or counts_as == self.other.grade:
            return ""
        return "above" if counts_as > self.own.grade else "below"


def game_lines(
    kept: Kept,
    games: Mapping[int, GameNow],
    begin: int,
    end: int,
    first_day: date,
    before: date,
) -> list[GameLine]:
    """The kept games from `begin` to `end`, which lay from `first_day` to the day `before`."""
    lines = []
    for index in range(begin, end):
        now = games.get(kept.game_ids[index])
        if kept.game_days:
            lines.append(_line_kept(kept, index, now))
        else:
            lines.append(_line_of_before(kept, index, now, first_day, before))
    return lines


def _line_kept(kept: Kept, index: int, now: GameNow | None) -> GameLine:
    """A game as the list kept it, and whether it is another now: its day, players or result."""
    then = (kept.game_days[index], kept.game_opponents[index], kept.game_halves[index])
    if now is None:
        change = Change.REMOVED
    elif (now.played_on, now.opponent, now.halves) != then:
        change = Change.CORRECTED
    else:
        change = Change.NONE
    own = _as_used(kept.game_own_grades[index], now and now.own)
    other = _as_used(kept.game_grades[index], now and now.other)
    points = kept.game_points[index]
    return GameLine(kept.game_ids[index], points, now, change, *then, own, other)


def _as_used(grade: int, now: GradeUsed | None) -> GradeUsed:
    """The grade that the list used, with where it is from if the ledger still has the same."""
    return now if now is not None and now.grade == grade else GradeUsed(grade, "")


def _line_of_before(
    kept: Kept, index: int, now: GameNow | None, first_day: date, before: date
) -> GameLine:
    """A game of which the list kept its points alone: as the ledger has it, if it gives them."""
    game_id, points = kept.game_ids[index], kept.game_points[index]
    if now is None:
        return GameLine(game_id, points, now, Change.REMOVED)
    if now.points != points or not first_day <= now.played_on < before:
        return GameLine(game_id, points, now, Change.CORRECTED, opponent=now.opponent)
    return GameLine(game_id, points, now, Change.NONE, *now[:5])
