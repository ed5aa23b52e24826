"""What puts one team above another: the criteria a league may order its table by.

A criterion gives each team of a group that is still level a tuple of integers; more is
better. Those that look only at the matches among the group are worked out again each time
the group has become smaller.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from games.records import WON, Meeting, Record

MATCH_POINTS = "match_points"
GAME_POINTS = "game_points"
GAME_POINT_DIFFERENCE = "game_point_difference"
HEAD_TO_HEAD = "head_to_head"
WINS = "wins"
BOARD_COUNT = "board_count"
BOTTOM_BOARD_ELIMINATION = "bottom_board_elimination"
SONNEBORN_BERGER = "sonneborn_berger"
BUCHHOLZ = "buchholz"

Records = Mapping[int, Record]
Values = dict[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Criterion:
    """How a value is worked out, what its parts measure and in which 1/unit.

    A value longer than `measures` repeats the last one. `among`: only the matches between
    the teams of the group count.
    """

    values: Callable[[Records, Sequence[int]], Values]
    measures: tuple[tuple[str, int], ...]
    among: bool = False
    fewer_is_better: bool = False


@dataclass(frozen=True, slots=True)
class Why:
    """What puts a team above the next one.

    `own` and `other` are the two values in 1/`unit` of what `measure` names: "head_to_head"
    is decided by its "match_points" or its "game_points". `among` names the teams whose
    matches with each other were counted (empty: all matches). `boards_left_out` is the
    number of bottom boards that had to be eliminated.
    """

    over: int
    criterion: str
    measure: str
    own: int
    other: int
    unit: int
    among: tuple[int, ...] = ()
    boards_left_out: int = 0


@dataclass(frozen=True, slots=True)
class Level:
    """Teams that nothing separates, and why they stand above the next ones (None: last, or by
    the first criterion, which needs no words)."""

    teams: tuple[int, ...]
    why: Why | None = None


def levels(records: Records, teams: Sequence[int], order: Sequence[str]) -> list[Level]:
    """Return the teams best first, in groups that are level on every criterion of `order`.

    Inside a group the given sequence is kept. Raises ValueError for an unknown criterion.
    """
    for name in order:
        if name not in CRITERIA:
            raise ValueError(f"{name!r} is not a way to order a table: {', '.join(CRITERIA)}")
    return _split(records, tuple(teams), tuple(order), explained=False)


def _split(
    records: Records, group: tuple[int, ...], order: tuple[str, ...], *, explained: bool
) -> list[Level]:
    if len(group) < 2 or not order:
        return [Level(group)] if group else []
    name, rest = order[0], order[1:]
    values = CRITERIA[name].values(records, group)
    steps = sorted(set(values.values()), reverse=True)
    if len(steps) == 1:
        return _split(records, group, rest, explained=True)
    if CRITERIA[name].among:
        rest = order
    found: list[Level] = []
    for step in steps:
        part = tuple(team for team in group if values[team] == step)
        below = _split(records, part, rest, explained=True)
        if found and explained:
            above = found[-1]
            why = _why(name, values, above.teams[0], below[0].teams[0], group)
            found[-1] = Level(above.teams, why)
        found += below
    return found


def _why(name: str, values: Values, team: int, over: int, group: tuple[int, ...]) -> Why:
    criterion = CRITERIA[name]
    pairs = list(zip(values[team], values[over], strict=True))
    place = next(place for place, (own, other) in enumerate(pairs) if own != other)
    measure, unit = criterion.measures[min(place, len(criterion.measures) - 1)]
    sign = -1 if criterion.fewer_is_better else 1
    return Why(
        over=over,
        criterion=name,
        measure=measure,
        own=sign * pairs[place][0],
        other=sign * pairs[place][1],
        unit=unit,
        among=group if criterion.among else (),
        boards_left_out=place + 1 if name == BOTTOM_BOARD_ELIMINATION else 0,
    )


# --- Over the whole season ---------------------------------------------------------------


def _of_record(value: Callable[[Record], int]) -> Callable[[Records, Sequence[int]], Values]:
    return lambda records, group: {team: (value(records[team]),) for team in group}


def _game_point_difference(record: Record) -> int:
    return record.game_points - record.game_points_against


def _sonneborn_berger(records: Records, group: Sequence[int]) -> Values:
    """Own match points of each match times the opponent's in the table: quarters of points."""
    return {
        team: (
            sum(
                meeting.match_points * records[meeting.opponent].match_points
                for meeting in records[team].meetings
            ),
        )
        for team in group
    }


def _buchholz(records: Records, group: Sequence[int]) -> Values:
    """The match points of all opponents, one who was met twice counted twice."""
    return {
        team: (sum(records[meeting.opponent].match_points for meeting in records[team].meetings),)
        for team in group
    }


# --- Among the teams still level ---------------------------------------------------------


def _head_to_head(records: Records, group: Sequence[int]) -> Values:
    """Match points, then game points, of all the meetings between the teams of the group."""
    values = {}
    for team in group:
        meetings = records[team].against(group)
        values[team] = (
            sum(meeting.match_points for meeting in meetings),
            sum(meeting.own for meeting in meetings),
        )
    return values


def _board_count(records: Records, group: Sequence[int]) -> Values:
    """The numbers of the boards won in their meetings; the lowest sum is best.

    A sum says something only between teams that won equally many boards of them, so with
    other numbers, or where the boards are not known, it decides nothing.
    """
    undecided = dict.fromkeys(group, (0,))
    won = {}
    for team in group:
        meetings = records[team].against(group)
        if _boards_unknown(meetings):
            return undecided
        won[team] = [
            number
            for meeting in meetings
            for number, (own, other) in enumerate(meeting.boards, start=1)
            if own > other
        ]
    if len({len(numbers) for numbers in won.values()}) > 1:
        return undecided
    return {team: (-sum(numbers),) for team, numbers in won.items()}


def _bottom_board_elimination(records: Records, group: Sequence[int]) -> Values:
    """Game points of their meetings without the last board of each, the last two, and so on."""
    meetings = {team: records[team].against(group) for team in group}
    if any(map(_boards_unknown, meetings.values())):
        return dict.fromkeys(group, (0,))
    deepest = max(
        (len(meeting.boards) for each in meetings.values() for meeting in each), default=1
    )
    return {
        team: tuple(_points_without_last(each, count) for count in range(1, max(deepest, 2)))
        for team, each in meetings.items()
    }


def _points_without_last(meetings: Sequence[Meeting], count: int) -> int:
    return sum(own for meeting in meetings for own, _ in meeting.boards[:-count])


def _boards_unknown(meetings: Sequence[Meeting]) -> bool:
    return any(meeting.boards is None for meeting in meetings)


CRITERIA: dict[str, Criterion] = {
    MATCH_POINTS: Criterion(_of_record(lambda record: record.match_points), ((MATCH_POINTS, 2),)),
    GAME_POINTS: Criterion(_of_record(lambda record: record.game_points), ((GAME_POINTS, 2),)),
    GAME_POINT_DIFFERENCE: Criterion(
        _of_record(_game_point_difference), ((GAME_POINT_DIFFERENCE, 2),)
    ),
    HEAD_TO_HEAD: Criterion(_head_to_head, ((MATCH_POINTS, 2), (GAME_POINTS, 2)), among=True),
    WINS: Criterion(_of_record(lambda record: record.count(WON)), ((WINS, 1),)),
    BOARD_COUNT: Criterion(_board_count, ((BOARD_COUNT, 1),), among=True, fewer_is_better=True),
    BOTTOM_BOARD_ELIMINATION: Criterion(_bottom_board_elimination, ((GAME_POINTS, 2),), among=True),
    SONNEBORN_BERGER: Criterion(_sonneborn_berger, ((SONNEBORN_BERGER, 4),)),
    BUCHHOLZ: Criterion(_buchholz, ((BUCHHOLZ, 2),)),
}
