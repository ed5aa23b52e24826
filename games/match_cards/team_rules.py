"""Whether a team's card keeps to the rules of its division: pure, seats in and findings out.

Figures are whole points of whatever list the league compares players by (rules/league-play.md,
board order, team limits and eligibility). None is no figure, which is never 0.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from . import board_order

BOARD_ORDER = "board_order"
TEAM_TOTAL = "team_total"
TEAM_AVERAGE = "team_average"
PLAYER_LIMIT = "player_limit"
NOT_REGISTERED = "not_registered"
TIED = "tied"
NOMINATED = "nominated"
NOT_A_MEMBER = "not_a_member"


@dataclass(frozen=True, slots=True)
class TeamRules:
    """What a division asks of each side's card; None is no such rule, and 0 is one."""

    tolerance: int | None = None
    total_limit: int | None = None
    average_limit: int | None = None
    player_limit: int | None = None
    ungraded_counts_as: int | None = None
    registration_required: bool = False
    tied_after: int | None = None
    nominated_stay_up: bool = False
    members_only_after: int | None = None


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody at a board, and what the rules ask about him.

    `order` is his figure for the board order, `figure` the one for the limits. `higher_games`
    counts his games this season for higher teams of the club, `games` all of them in the league;
    neither holds this match.
    """

    board: int
    order: int | None = None
    figure: int | None = None
    excepted: bool = False
    registered: bool = True
    higher_games: int = 0
    nominated_higher: bool = False
    member: bool = True
    games: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a side breaks: at a board, or with 0 the team's; `figures` fill its sentence."""

    rule: str
    board: int = 0
    figures: dict[str, int] = field(default_factory=dict)


def findings(seats: Iterable[Seated], rules: TeamRules) -> list[Finding]:
    """What the seats of one side have against the rules: the team's first, then board by board.

    Whoever a card excepts (a substitute, somebody moved up to a board that the opponents
    defaulted) is left out of the board order alone.
    """
    seats = sorted(seats, key=lambda seat: seat.board)
    found = [*_of_team(seats, rules)]
    for breach in board_order.breaches(
        [board_order.Seat(s.board, s.order) for s in seats if not s.excepted], rules.tolerance
    ):
        found.append(Finding(BOARD_ORDER, breach.board, breach._asdict() | _by(rules.tolerance)))
    for seat in seats:
        found += _of_player(seat, rules)
    return sorted(found, key=lambda finding: finding.board)


def _of_team(seats: Sequence[Seated], rules: TeamRules) -> Iterable[Finding]:
    figures = [
        rules.ungraded_counts_as if seat.figure is None else seat.figure
        for seat in seats
        if seat.figure is not None or rules.ungraded_counts_as is not None
    ]
    total, count = sum(figures), len(figures)
    if rules.total_limit is not None and total > rules.total_limit:
        yield Finding(TEAM_TOTAL, 0, {"total": total} | _by(rules.total_limit))
    if rules.average_limit is not None and total > rules.average_limit * count:
        yield Finding(
            TEAM_AVERAGE, 0, {"total": total, "players": count} | _by(rules.average_limit)
        )


def _of_player(seat: Seated, rules: TeamRules) -> Iterable[Finding]:
    limit = rules.player_limit
    if limit is not None and seat.figure is not None and seat.figure > limit:
        yield Finding(PLAYER_LIMIT, seat.board, {"figure": seat.figure} | _by(limit))
    if rules.registration_required and not seat.registered:
        yield Finding(NOT_REGISTERED, seat.board)
    if rules.tied_after is not None and seat.higher_games >= rules.tied_after:
        yield Finding(TIED, seat.board, {"games": seat.higher_games} | _by(rules.tied_after))
    if rules.nominated_stay_up and seat.nominated_higher:
        yield Finding(NOMINATED, seat.board)
    after = rules.members_only_after
    if after is not None and not seat.member and seat.games >= after:
        yield Finding(NOT_A_MEMBER, seat.board, {"games": seat.games + 1} | _by(after))


def _by(limit: int) -> dict[str, int]:
    return {"limit": limit}
