"""What a division's table counts: matches not played to the end, defaulted or of teams that left.

Pure. `settled` turns the matches as they are stored into those the table counts, by the
division's rules; points are integers of half-points (rules of a competition, league play).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from .records import AWAY, BOTH, HOME, Adjustment, MatchPoints, MatchResult, Meeting, Worth
from .tie_breaks import GAME_POINTS, MATCH_POINTS

# What becomes of the matches of a team that has withdrawn: one policy for all its opponents.
KEEP, EXPUNGE, FORFEIT = "keep", "expunge", "forfeit"
WITHDRAWN = (EXPUNGE, KEEP, FORFEIT)

# How a match counts of which some games have no result.
IGNORE_MATCH, IGNORE_GAME, DRAWN_GAMES, THRESHOLD = (
    *("ignore_match", "ignore_game", "drawn", "threshold"),
)
UNFINISHED = (IGNORE_MATCH, IGNORE_GAME, DRAWN_GAMES, THRESHOLD)

# What a match scores that one side did not turn up for.
FULL, NONE, EXCLUDED = "full", "none", "excluded"
DEFAULTED = (FULL, NONE, EXCLUDED)

# Why defaulting a match may pay under a division's rules.
MORE_THAN_A_LOSS, OPPONENTS_SCORE_NONE = "more_than_a_loss", "opponents_score_none"


@dataclass(frozen=True, slots=True)
class BoardPenalty:
    """What a team loses each time it has defaulted `boards` boards (None: nothing), in halves."""

    boards: int | None = None
    match_points: int = 0
    game_points: int = 0


@dataclass(frozen=True, slots=True)
class TableRules:
    """How a division counts and orders; the policies are the names above.

    `boards` is how many a match usually has.
    """

    points: MatchPoints = MatchPoints()
    order: tuple[str, ...] = (MATCH_POINTS, GAME_POINTS)
    withdrawn: str = EXPUNGE
    unfinished: str = IGNORE_MATCH
    defaulted: str = FULL
    penalty: BoardPenalty = BoardPenalty()
    extra_boards: bool = False
    boards: int = 6

    @property
    def worth(self) -> Worth:
        return Worth(self.points, self.boards)


def check_rules(rules: TableRules) -> None:
    """Raise ValueError for a policy that is none."""
    for policy, known, what in (
        (rules.withdrawn, WITHDRAWN, "withdrawn teams"),
        (rules.unfinished, UNFINISHED, "unfinished games"),
        (rules.defaulted, DEFAULTED, "defaulted matches"),
    ):
        if policy not in known:
            raise ValueError(f"{policy!r} is not a policy for {what}")


def settled(
    matches: Iterable[MatchResult], rules: TableRules, withdrawn: Collection[int]
) -> list[MatchResult]:
    """Return the matches as the table counts them, those that it does not count incomplete.

    `withdrawn` are the teams that have left: under `FORFEIT` what they have not played is lost
    by default, by both sides where both have left.
    """
    counted = []
    for match in matches:
        match = _finished(match, rules)
        if rules.withdrawn == FORFEIT and not match.complete:
            match = _forfeited(match, withdrawn, rules.boards)
        if match.complete and match.defaulted_by is not None and rules.defaulted != FULL:
            match = _without_games(match, rules)
        if not rules.extra_boards:
            match = replace(match, home_extra=0, away_extra=0)
        counted.append(match)
    return counted


def board_penalty(meetings: Iterable[Meeting], penalty: BoardPenalty) -> tuple[Adjustment, ...]:
    """What these matches cost a team for its boards defaulted: nothing, or one adjustment.

    A match that was defaulted as a whole is no default of boards.
    """
    if penalty.boards is None:
        return ()
    boards = sum(meeting.boards_defaulted for meeting in meetings)
    times = boards // penalty.boards
    if not times or not (penalty.match_points or penalty.game_points):
        return ()
    match_points, game_points = times * penalty.match_points, times * penalty.game_points
    return (Adjustment(-match_points, -game_points, boards_defaulted=boards),)


def ways_defaulting_pays(rules: TableRules) -> list[str]:
    """Why a team may gain by not turning up under these rules; the table has to say each."""
    ways = []
    if rules.points.defaulted is not None and rules.points.defaulted > rules.points.loss:
        ways.append(MORE_THAN_A_LOSS)
    if rules.defaulted != FULL and set(rules.order) - {MATCH_POINTS}:
        ways.append(OPPONENTS_SCORE_NONE)
    return ways


def _finished(match: MatchResult, rules: TableRules) -> MatchResult:
    """A match that has begun and is not finished, by the policy for unfinished games."""
    begun = match.home_halves is not None and 0 < match.undecided < match.board_count
    if match.complete or not begun or rules.unfinished == IGNORE_MATCH:
        return match
    missing = 0
    if rules.unfinished == THRESHOLD:
        if max(match.home_halves, match.away_halves) <= match.board_count:
            return match
    elif rules.unfinished == DRAWN_GAMES:
        missing = 1
    boards = match.boards and tuple(
        (missing, missing) if board is None else board for board in match.boards
    )
    return replace(
        match,
        home_halves=match.home_halves + missing * match.undecided,
        away_halves=match.away_halves + missing * match.undecided,
        boards=boards,
        complete=True,
        unfinished=True,
    )


def _forfeited(match: MatchResult, withdrawn: Collection[int], boards: int) -> MatchResult:
    left = [side for side, team in ((HOME, match.home), (AWAY, match.away)) if team in withdrawn]
    if not left:
        return match
    by = left[0] if len(left) == 1 else BOTH
    full = 2 * (match.board_count or boards)
    return replace(
        match,
        home_halves=full if by == AWAY else 0,
        away_halves=full if by == HOME else 0,
        boards=None,
        complete=True,
        defaulted_by=by,
        forfeited=True,
    )


def _without_games(match: MatchResult, rules: TableRules) -> MatchResult:
    return replace(
        match,
        home_halves=0,
        away_halves=0,
        home_extra=0,
        away_extra=0,
        boards=None,
        excluded=rules.defaulted == EXCLUDED,
    )
