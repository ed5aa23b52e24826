"""A division's matches as each team's record. Pure; points are integers of half-points."""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

HOME, AWAY, BOTH = "home", "away", "both"
WON, DRAWN, LOST = "won", "drawn", "lost"


@dataclass(frozen=True, slots=True)
class MatchPoints:
    """What a match is worth, in half-points: 2/1/0 match points are 4, 2 and 0.

    `defaulted` goes to a team that did not turn up; None gives it what a loss gives.
    """

    win: int = 4
    draw: int = 2
    loss: int = 0
    defaulted: int | None = None


@dataclass(frozen=True, slots=True)
class Worth:
    """What a match of a division is worth, and how many boards it usually has."""

    points: MatchPoints = MatchPoints()
    boards: int = 6


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One match of a division, its score as the table counts it.

    Scores are game points in halves and may be None until it is complete. `boards` holds the
    halves of (home, away) from board 1 down, those that count for the match, None where there
    is no result yet, or is None if only the score is known. `defaulted_by` is `HOME`, `AWAY` or
    `BOTH` if the whole match was defaulted. Of `board_count` boards `undecided` have no result;
    `home_defaults` and `away_defaults` count those that a side lost by default, `home_extra` and
    `away_extra` are the halves of boards beyond the match. `excluded` keeps it from every
    tie-break, `unfinished` says that it counts before its last game, `forfeited` that a team which
    has left lost it unplayed. Teams and matches are any ids.
    """

    id: int
    home: int
    away: int
    home_halves: int | None = None
    away_halves: int | None = None
    complete: bool = False
    round: int = 0
    played_on: datetime.date | None = None
    boards: tuple[tuple[int, int] | None, ...] | None = None
    defaulted_by: str | None = None
    board_count: int = 0
    undecided: int = 0
    home_defaults: int = 0
    away_defaults: int = 0
    home_extra: int = 0
    away_extra: int = 0
    excluded: bool = False
    unfinished: bool = False
    forfeited: bool = False


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points put on (or, negative, taken off), in halves.

    By decision, with the reason in words, or by rule for the boards a team has defaulted:
    `boards_defaulted` is then how many.
    """

    match_points: int = 0
    game_points: int = 0
    reason: str = ""
    boards_defaulted: int = 0


@dataclass(frozen=True, slots=True)
class Meeting:
    """One match as one of its teams sees it.

    `outcome` is `WON`, `DRAWN`, `LOST`, or None while the match is not complete; `own` and
    `other` are game points in halves; `boards` are turned to (own, other). `extra` and
    `extra_against` are halves of boards beyond the match, `did_default` says that this team did
    not turn up, `boards_defaulted` how many boards it lost by default in a match that was played.
    """

    match: int
    opponent: int
    at_home: bool
    own: int | None
    other: int | None
    outcome: str | None
    match_points: int
    defaulted: bool
    played_on: datetime.date | None
    boards: tuple[tuple[int, int], ...] | None
    extra: int = 0
    extra_against: int = 0
    did_default: bool = False
    boards_defaulted: int = 0
    excluded: bool = False
    unfinished: bool = False
    forfeited: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """A team's complete matches in order of play, its adjustments, its place in a play-off."""

    team: int
    meetings: tuple[Meeting, ...]
    adjustments: tuple[Adjustment, ...] = ()
    play_off_place: int | None = None

    @property
    def compared(self) -> tuple[Meeting, ...]:
        """The matches that tie-breaks look at."""
        return tuple(meeting for meeting in self.meetings if not meeting.excluded)

    @property
    def played(self) -> int:
        """Matches that took place; those won or lost by default are `awarded`."""
        return sum(not meeting.defaulted for meeting in self.meetings)

    @property
    def awarded(self) -> int:
        return len(self.meetings) - self.played

    @property
    def match_points(self) -> int:
        """Match points in halves, adjustments included."""
        earned = sum(meeting.match_points for meeting in self.meetings)
        return earned + sum(adjustment.match_points for adjustment in self.adjustments)

    @property
    def game_points(self) -> int:
        """Game points in halves, adjustments and counted extra boards included."""
        scored = sum(meeting.own + meeting.extra for meeting in self.meetings)
        return scored + sum(adjustment.game_points for adjustment in self.adjustments)

    @property
    def game_points_against(self) -> int:
        return sum(meeting.other + meeting.extra_against for meeting in self.meetings)

    def count(self, outcome: str) -> int:
        """Return the number of matches that ended so, defaulted ones included."""
        return sum(meeting.outcome == outcome for meeting in self.meetings)

    def against(self, teams: Iterable[int]) -> tuple[Meeting, ...]:
        """Return all the compared meetings with any of these teams, home and away."""
        opponents = frozenset(teams)
        return tuple(meeting for meeting in self.compared if meeting.opponent in opponents)


def in_order_of_play(matches: Iterable[MatchResult]) -> list[MatchResult]:
    """Return matches by date, round and id; those without a date come last."""
    return sorted(
        matches,
        key=lambda match: (
            match.played_on is None,
            match.played_on or datetime.date.max,
            match.round,
            match.id,
        ),
    )


def meetings_by_team(
    teams: Sequence[int], matches: Iterable[MatchResult], points: MatchPoints
) -> dict[int, list[Meeting]]:
    """Return every team's meetings in order of play, those of unfinished matches included.

    Raises ValueError for a match of a team with itself or with one that is not in `teams`,
    and for a complete match without a score.
    """
    meetings: dict[int, list[Meeting]] = {team: [] for team in teams}
    for match in in_order_of_play(matches):
        _check(match, meetings.keys())
        meetings[match.home].append(_meeting(match, points, at_home=True))
        meetings[match.away].append(_meeting(match, points, at_home=False))
    return meetings


def _check(match: MatchResult, teams: Iterable[int]) -> None:
    if match.home == match.away:
        raise ValueError(f"match {match.id} is of team {match.home} with itself")
    for team in (match.home, match.away):
        if team not in teams:
            raise ValueError(f"match {match.id} is of team {team}, which is not in the table")
    if match.complete and (match.home_halves is None or match.away_halves is None):
        raise ValueError(f"match {match.id} is complete without a score")


def _meeting(match: MatchResult, points: MatchPoints, *, at_home: bool) -> Meeting:
    own, other = match.home_halves, match.away_halves
    extra, extra_against = match.home_extra, match.away_extra
    defaults, boards = match.home_defaults, match.boards
    if not at_home:
        own, other = other, own
        extra, extra_against = extra_against, extra
        defaults = match.away_defaults
        boards = boards and tuple(board and (board[1], board[0]) for board in boards)
    side, opposite = (HOME, AWAY) if at_home else (AWAY, HOME)
    outcome = _outcome(own, other, match, side, opposite) if match.complete else None
    did_default = match.defaulted_by in (side, BOTH)
    return Meeting(
        match=match.id,
        opponent=match.away if at_home else match.home,
        at_home=at_home,
        own=own,
        other=other,
        outcome=outcome,
        match_points=_points_for(outcome, points, did_default),
        defaulted=match.defaulted_by is not None,
        played_on=match.played_on,
        boards=boards,
        extra=extra,
        extra_against=extra_against,
        did_default=did_default,
        boards_defaulted=0 if match.defaulted_by else defaults,
        excluded=match.excluded,
        unfinished=match.unfinished,
        forfeited=match.forfeited,
    )


def _outcome(own: int, other: int, match: MatchResult, side: str, opposite: str) -> str:
    """A team that defaulted has lost, whatever score the rules give the match."""
    if match.defaulted_by in (side, BOTH):
        return LOST
    if match.defaulted_by == opposite:
        return WON
    if own == other:
        return DRAWN
    return WON if own > other else LOST


def _points_for(outcome: str | None, points: MatchPoints, did_default: bool) -> int:
    if outcome is None:
        return 0
    if did_default and points.defaulted is not None:
        return points.defaulted
    return {WON: points.win, DRAWN: points.draw, LOST: points.loss}[outcome]
