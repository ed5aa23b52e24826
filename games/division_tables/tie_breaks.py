"""What puts one team above another: the criteria a league may order its table by.

A criterion gives each team of a group that is still level a tuple of integers; more is
better. Those that look only at the matches among the group are worked out again each time
the group has become smaller.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from . import team_tie_breaks as fide
from .records import WON, Meeting, Record, Worth

MATCH_POINTS = "match_points"
GAME_POINTS = "game_points"
GAME_POINT_DIFFERENCE = "game_point_difference"
HEAD_TO_HEAD = "head_to_head"
WINS = "wins"
BOARD_COUNT = "board_count"
BOTTOM_BOARD_ELIMINATION = "bottom_board_elimination"
SONNEBORN_BERGER = "sonneborn_berger"
BUCHHOLZ = "buchholz"
PLAY_OFF = "play_off"
BUCHHOLZ_MATCH_POINTS = "buchholz_match_points"
BUCHHOLZ_MATCH_POINTS_CUT_1 = "buchholz_match_points_cut_1"
BUCHHOLZ_GAME_POINTS_CUT_1 = "buchholz_game_points_cut_1"
EMMSB, EMMSB_CUT_1, EMGSB, EGMSB, EGGSB = "emmsb", "emmsb_cut_1", "emgsb", "egmsb", "eggsb"
SCORE_AND_SCHEDULE = "score_and_schedule"
EXTENDED_DIRECT_ENCOUNTER = "extended_direct_encounter"

# The two steps of the extended direct encounter; the second begins where the first ends.
DIRECT_MATCH_POINTS, DIRECT_GAME_POINTS = "direct_match_points", "direct_game_points"

# Those that look at single boards, not at the scores of matches alone.
BY_BOARDS = frozenset([BOARD_COUNT, BOTTOM_BOARD_ELIMINATION])

# Below every place a play-off can give.
LAST_PLACE = 10_000

USUAL = Worth()

Records = Mapping[int, Record]
Values = dict[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Criterion:
    """How a value is worked out, what its parts measure and in which 1/unit.

    A unit of 0 depends on the number of rounds: `unit_of` tells it. A value longer than
    `measures` repeats the last one. `among`: only the matches between
    the teams of the group count.
    """

    values: Callable[[Records, Sequence[int], Worth], Values]
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


@dataclass(frozen=True, slots=True)
class _Table:
    """What every step of the ordering looks at."""

    records: Records
    worth: Worth

    def values(self, name: str, group: Sequence[int]) -> Values:
        return _STEPS[name].values(self.records, group, self.worth)

    def unit_of(self, unit: int) -> int:
        """The unit of a score and schedule, where it has no fixed one."""
        if unit:
            return unit
        rounds = max(len(record.compared) for record in self.records.values())
        return 2 * fide.schedule_divisor(self.worth, rounds)


def levels(
    records: Records, teams: Sequence[int], order: Sequence[str], worth: Worth = USUAL
) -> list[Level]:
    """Return the teams best first, in groups that are level on every criterion of `order`.

    Inside a group the given sequence is kept. FIDE's tie-breaks ask for the `worth` of a match.
    Raises ValueError for an unknown criterion.
    """
    steps: list[str] = []
    for name in order:
        if name not in CRITERIA:
            raise ValueError(f"{name!r} is not a way to order a table: {', '.join(CRITERIA)}")
        if name == EXTENDED_DIRECT_ENCOUNTER:
            steps += [DIRECT_MATCH_POINTS, DIRECT_GAME_POINTS]
        else:
            steps.append(name)
    return _split(_Table(records, worth), tuple(teams), tuple(steps), explained=False)


def _split(
    table: _Table, group: tuple[int, ...], order: tuple[str, ...], *, explained: bool
) -> list[Level]:
    if len(group) < 2 or not order:
        return [Level(group)] if group else []
    name, rest = order[0], order[1:]
    values = table.values(name, group)
    steps = sorted(set(values.values()), reverse=True)
    if len(steps) == 1:
        return _split(table, group, rest, explained=True)
    if _STEPS[name].among:
        rest = order
    found: list[Level] = []
    for step in steps:
        part = tuple(team for team in group if values[team] == step)
        below = _split(table, part, rest, explained=True)
        if found and explained:
            above = found[-1]
            why = _why(table, name, values, above.teams[0], below[0].teams[0], group)
            found[-1] = Level(above.teams, why)
        found += below
    return found


def _why(
    table: _Table, name: str, values: Values, team: int, over: int, group: tuple[int, ...]
) -> Why:
    criterion = _STEPS[name]
    pairs = list(zip(values[team], values[over], strict=True))
    place = next(place for place, (own, other) in enumerate(pairs) if own != other)
    measure, unit = criterion.measures[min(place, len(criterion.measures) - 1)]
    sign = -1 if criterion.fewer_is_better else 1
    return Why(
        over=over,
        criterion=EXTENDED_DIRECT_ENCOUNTER if name not in CRITERIA else name,
        measure=measure,
        own=sign * pairs[place][0],
        other=sign * pairs[place][1],
        unit=table.unit_of(unit),
        among=group if criterion.among else (),
        boards_left_out=place + 1 if name == BOTTOM_BOARD_ELIMINATION else 0,
    )


# --- Over the whole season ---------------------------------------------------------------


def _of_record(
    value: Callable[[Record], int],
) -> Callable[[Records, Sequence[int], Worth], Values]:
    return lambda records, group, worth: {team: (value(records[team]),) for team in group}


def _game_point_difference(record: Record) -> int:
    return record.game_points - record.game_points_against


def _wins(record: Record) -> int:
    return sum(meeting.outcome == WON for meeting in record.compared)


def _play_off(record: Record) -> int:
    """Its place, the lower the better; a team without one is below all that have one."""
    return -LAST_PLACE if record.play_off_place is None else -record.play_off_place


def _sonneborn_berger(records: Records, group: Sequence[int], worth: Worth) -> Values:
    """Own match points of each match times the opponent's in the table: quarters of points."""
    return {
        team: (
            sum(
                meeting.match_points * records[meeting.opponent].match_points
                for meeting in records[team].compared
            ),
        )
        for team in group
    }


def _buchholz(records: Records, group: Sequence[int], worth: Worth) -> Values:
    """The match points of all opponents, one who was met twice counted twice."""
    return {
        team: (sum(records[meeting.opponent].match_points for meeting in records[team].compared),)
        for team in group
    }


# --- Among the teams still level ---------------------------------------------------------


def _head_to_head(records: Records, group: Sequence[int], worth: Worth) -> Values:
    """Match points, then game points, of all the meetings between the teams of the group."""
    values = {}
    for team in group:
        meetings = records[team].against(group)
        values[team] = (
            sum(meeting.match_points for meeting in meetings),
            sum(meeting.own for meeting in meetings),
        )
    return values


def _direct(kind: str) -> Callable[[Records, Sequence[int], Worth], Values]:
    """FIDE's direct encounter by match points or game points (C.07, article 6).

    Defaulted matches are none. Where not all have met, only a team that would be alone in front
    whatever the others did goes first.
    """

    def values(records: Records, group: Sequence[int], worth: Worth) -> Values:
        met, scored = {}, {}
        for team in group:
            meetings = [each for each in records[team].against(group) if not each.defaulted]
            met[team] = {each.opponent for each in meetings}
            scored[team] = sum(
                each.match_points if kind == MATCH_POINTS else each.own for each in meetings
            )
        if all(len(met[team]) == len(group) - 1 for team in group):
            return {team: (scored[team],) for team in group}
        most = worth.points.win if kind == MATCH_POINTS else 2 * worth.boards
        reach = {team: scored[team] + most * (len(group) - 1 - len(met[team])) for team in group}
        first = max(group, key=scored.__getitem__)
        if all(scored[first] > reach[team] for team in group if team != first):
            return {team: (scored[team] if team == first else 0,) for team in group}
        return dict.fromkeys(group, (0,))

    return values


def _board_count(records: Records, group: Sequence[int], worth: Worth) -> Values:
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
        won[team] = numbers_of_wins(meeting.boards for meeting in meetings)
    if len({len(numbers) for numbers in won.values()}) > 1:
        return undecided
    return {team: (-sum(numbers),) for team, numbers in won.items()}


def _bottom_board_elimination(records: Records, group: Sequence[int], worth: Worth) -> Values:
    """Game points of their meetings without the last board of each, the last two, and so on."""
    meetings = {team: records[team].against(group) for team in group}
    if any(map(_boards_unknown, meetings.values())):
        return dict.fromkeys(group, (0,))
    deepest = max(
        (len(meeting.boards) for each in meetings.values() for meeting in each), default=1
    )
    return {
        team: tuple(
            points_without_last((meeting.boards for meeting in each), count)
            for count in range(1, max(deepest, 2))
        )
        for team, each in meetings.items()
    }


def numbers_of_wins(matches: Iterable[Sequence[tuple[int, int]]]) -> list[int]:
    """The number of each board won, `matches` as (own, other) from board 1 down."""
    return [
        number
        for boards in matches
        for number, (own, other) in enumerate(boards, start=1)
        if own > other
    ]


def points_without_last(matches: Iterable[Sequence[tuple[int, int]]], count: int) -> int:
    """The own halves of these matches without the last `count` boards of each."""
    return sum(own for boards in matches for own, _ in boards[:-count])


def _boards_unknown(meetings: Sequence[Meeting]) -> bool:
    return any(meeting.boards is None for meeting in meetings)


CRITERIA: dict[str, Criterion] = {
    MATCH_POINTS: Criterion(_of_record(lambda record: record.match_points), ((MATCH_POINTS, 2),)),
    GAME_POINTS: Criterion(_of_record(lambda record: record.game_points), ((GAME_POINTS, 2),)),
    GAME_POINT_DIFFERENCE: Criterion(
        _of_record(_game_point_difference), ((GAME_POINT_DIFFERENCE, 2),)
    ),
    HEAD_TO_HEAD: Criterion(_head_to_head, ((MATCH_POINTS, 2), (GAME_POINTS, 2)), among=True),
    WINS: Criterion(_of_record(_wins), ((WINS, 1),)),
    BOARD_COUNT: Criterion(_board_count, ((BOARD_COUNT, 1),), among=True, fewer_is_better=True),
    BOTTOM_BOARD_ELIMINATION: Criterion(_bottom_board_elimination, ((GAME_POINTS, 2),), among=True),
    SONNEBORN_BERGER: Criterion(_sonneborn_berger, ((SONNEBORN_BERGER, 4),)),
    BUCHHOLZ: Criterion(_buchholz, ((BUCHHOLZ, 2),)),
    PLAY_OFF: Criterion(_of_record(_play_off), ((PLAY_OFF, 1),), fewer_is_better=True),
    BUCHHOLZ_MATCH_POINTS: Criterion(fide.buchholz_of(fide.MATCH), ((BUCHHOLZ_MATCH_POINTS, 2),)),
    BUCHHOLZ_MATCH_POINTS_CUT_1: Criterion(
        fide.buchholz_of(fide.MATCH, cut=1), ((BUCHHOLZ_MATCH_POINTS_CUT_1, 2),)
    ),
    BUCHHOLZ_GAME_POINTS_CUT_1: Criterion(
        fide.buchholz_of(fide.GAME, cut=1), ((BUCHHOLZ_GAME_POINTS_CUT_1, 2),)
    ),
    EMMSB: Criterion(fide.sonneborn_berger_of(fide.MATCH, fide.MATCH), ((EMMSB, 4),)),
    EMMSB_CUT_1: Criterion(
        fide.sonneborn_berger_of(fide.MATCH, fide.MATCH, cut=1), ((EMMSB_CUT_1, 4),)
    ),
    EMGSB: Criterion(fide.sonneborn_berger_of(fide.MATCH, fide.GAME), ((EMGSB, 4),)),
    EGMSB: Criterion(fide.sonneborn_berger_of(fide.GAME, fide.MATCH), ((EGMSB, 4),)),
    EGGSB: Criterion(fide.sonneborn_berger_of(fide.GAME, fide.GAME), ((EGGSB, 4),)),
    SCORE_AND_SCHEDULE: Criterion(
        fide.of_table(fide.score_and_schedule), ((SCORE_AND_SCHEDULE, 0),)
    ),
    EXTENDED_DIRECT_ENCOUNTER: Criterion(_direct(MATCH_POINTS), ((MATCH_POINTS, 2),), among=True),
}

_STEPS = CRITERIA | {
    DIRECT_MATCH_POINTS: Criterion(_direct(MATCH_POINTS), ((MATCH_POINTS, 2),), among=True),
    DIRECT_GAME_POINTS: Criterion(_direct(GAME_POINTS), ((GAME_POINTS, 2),), among=True),
}
