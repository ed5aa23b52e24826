"""Who wins a tie of a cup: pure, matches in, the winner and every step that led to him out.

Points are integers of half-points. The ways to settle a level tie are those of
rules/league-play.md, cup ties; the first that decides counts. A start by handicap is on the
score from the beginning, so it stays on it when boards are left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from games.division_tables.tie_breaks import numbers_of_wins, points_without_last

FIRST, SECOND = "first", "second"

# The steps; all but the score are ways that a cup may list.
SCORE = "score"
BOARD_COUNT = "board_count"
ELIMINATION = "elimination"
BLACKS = "blacks"
REPLAY = "replay"
TOSS = "toss"
WAYS = (BOARD_COUNT, ELIMINATION, BLACKS, REPLAY, TOSS)

# What a tie that is not decided waits for: a match, a replay, the officer.
MATCH, OFFICER = "match", "officer"

Halves = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TieMatch:
    """A complete match of a tie, all pairs turned to (first, second).

    `boards` are the halves from board 1 down, None where only the score is known. `blacks` says
    of each board whether the first side had Black, None where nobody knows or sat there. `start`
    is what the sides begin with.
    """

    score: Halves
    boards: tuple[Halves, ...] | None = None
    blacks: tuple[bool | None, ...] = ()
    start: Halves = (0, 0)


@dataclass(frozen=True, slots=True)
class Step:
    """One comparison: of `SCORE` and `ELIMINATION` in halves, else numbers; `BOARD_COUNT` the
    lower the better. `left_out` counts the bottom boards, `replay` is 0 for the tie itself."""

    way: str
    first: int
    second: int
    left_out: int = 0
    replay: int = 0

    @property
    def winner(self) -> str | None:
        if self.first == self.second:
            return None
        first_is_more = self.first > self.second
        return FIRST if first_is_more != (self.way == BOARD_COUNT) else SECOND


@dataclass(frozen=True, slots=True)
class Verdict:
    """`winner` is `FIRST`, `SECOND` or None; then `awaits` says what the tie waits for.

    The last of `steps` is the one that decided, if any did.
    """

    steps: tuple[Step, ...]
    winner: str | None = None
    awaits: str | None = None


def settle(matches: Sequence[TieMatch], ways: Sequence[str], legs: int = 1) -> Verdict:
    """Return who wins the tie: its `legs` matches are one score, each match after them a replay.

    A replay that is level again is settled by the ways that stand after the replay; where none
    does, by those before it, and then replayed again. Without a replay among the ways one that
    is played all the same is settled like the tie. A toss is the officer's: it is awaited.
    Raises ValueError for an unknown way.
    """
    unknown = set(ways) - set(WAYS)
    if unknown:
        raise ValueError(f"{sorted(unknown)} settle no tie: {', '.join(WAYS)}")
    before, after = _around_replay(ways)
    if len(matches) < legs:
        return Verdict((_score(matches),) if matches else (), None, MATCH)
    groups = [matches[:legs], *([match] for match in matches[legs:])]
    steps: list[Step] = []
    for number, group in enumerate(groups):
        own = before if number == 0 else after or before
        steps += [replace(step, replay=number) for step in _compared(group, own)]
        if steps[-1].winner:
            return Verdict(tuple(steps), steps[-1].winner)
    return Verdict(tuple(steps), None, REPLAY if REPLAY in ways and TOSS not in own else OFFICER)


def start_of(figures: Iterable[tuple[int | None, int | None]], points: int | None) -> Halves:
    """The halves that (first, second) begin with: one for each `points` that a total is lower.

    `figures` are the strengths on each board. A board on which one side has none counts for
    neither total: no figure is never 0, and to leave a board empty wins no start.
    """
    if points is None:
        return 0, 0
    known = [(one, two) for one, two in figures if one is not None and two is not None]
    ahead = sum(one - two for one, two in known)
    start = abs(ahead) // points
    return (0, start) if ahead > 0 else (start, 0)


def _around_replay(ways: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ways before a replay and those after it; a toss ends the list."""
    ways = tuple(ways)
    if TOSS in ways:
        ways = ways[: ways.index(TOSS) + 1]
    if REPLAY not in ways:
        return ways, ()
    place = ways.index(REPLAY)
    return ways[:place], ways[place + 1 :]


def _compared(group: Sequence[TieMatch], ways: Sequence[str]) -> list[Step]:
    """The steps up to the one that decides."""
    steps = [_score(group)]
    for way in ways:
        if steps[-1].winner:
            break
        for step in _STEPS.get(way, _nothing)(group):
            steps.append(step)
            if step.winner:
                break
    return steps


def _score(group: Sequence[TieMatch]) -> Step:
    start = _start(group)
    return Step(
        SCORE,
        start[0] + sum(match.score[0] for match in group),
        start[1] + sum(match.score[1] for match in group),
    )


def _board_count(group: Sequence[TieMatch]) -> Iterable[Step]:
    """The numbers of the boards won; between unequal numbers of wins a sum says nothing."""
    if not _boards_known(group) or _all_level(group):
        return
    first = numbers_of_wins(match.boards for match in group)
    second = numbers_of_wins(map(_turned, (match.boards for match in group)))
    if len(first) == len(second):
        yield Step(BOARD_COUNT, sum(first), sum(second))


def _elimination(group: Sequence[TieMatch]) -> Iterable[Step]:
    """The score without the last board of each match, the last two, and so on."""
    if not _boards_known(group) or _all_level(group):
        return
    start = _start(group)
    for count in range(1, max(len(match.boards) for match in group)):
        yield Step(
            ELIMINATION,
            start[0] + points_without_last((match.boards for match in group), count),
            start[1] + points_without_last((_turned(match.boards) for match in group), count),
            left_out=count,
        )


def _blacks(group: Sequence[TieMatch]) -> Iterable[Step]:
    """How often each side had Black on an odd board, if every game is drawn."""
    if not _boards_known(group) or not _all_level(group):
        return
    odd = [black for match in group for black in match.blacks[::2]]
    if None not in odd and odd:
        yield Step(BLACKS, odd.count(True), odd.count(False))


def _nothing(group: Sequence[TieMatch]) -> Iterable[Step]:
    return ()


_STEPS = {BOARD_COUNT: _board_count, ELIMINATION: _elimination, BLACKS: _blacks}


def _start(group: Sequence[TieMatch]) -> Halves:
    return sum(match.start[0] for match in group), sum(match.start[1] for match in group)


def _boards_known(group: Sequence[TieMatch]) -> bool:
    return all(match.boards is not None for match in group)


def _all_level(group: Sequence[TieMatch]) -> bool:
    return all(one == two for match in group for one, two in match.boards)


def _turned(boards: Sequence[Halves]) -> list[Halves]:
    return [(two, one) for one, two in boards]
