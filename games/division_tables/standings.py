"""A division's table: pure, so that the same matches give the same table every time.

Points are integers of half-points. The order is a list of criteria (`tie_breaks`); teams level
on all of them share a position and stand in alphabetical order.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .records import DRAWN, LOST, WON, Adjustment, MatchResult, Meeting, Record, meetings_by_team
from .table_policies import EXPUNGE, TableRules, board_penalty, check_rules, settled
from .tie_breaks import Level, Why, levels

FORM_LENGTH = 5


@dataclass(frozen=True, slots=True)
class TableTeam:
    """A team of the division; `sort_name` is its name folded for the alphabet.

    `play_off_place` is its place in a play-off, 1 the winner, None if there was none.
    """

    id: int
    sort_name: str
    adjustments: tuple[Adjustment, ...] = ()
    withdrawn: bool = False
    play_off_place: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A team's line in the table.

    `position` is its place in the whole order, equal for teams that share it. `played`
    counts matches that took place, `awarded` those decided by default, of which `forfeited` were
    lost by a team that has left; won, drawn and lost count all. Points are in halves, adjustments
    included, those for boards defaulted too. `unfinished` matches count before their last game,
    `excluded` ones in no tie-break, `extra_game_points` came from boards beyond the match.
    `last_five` ends with the newest. `why` says what puts it above the next team if they are
    level on the first criterion.
    """

    position: int
    shared: bool
    team: int
    withdrawn: bool
    played: int
    awarded: int
    won: int
    drawn: int
    lost: int
    game_points: int
    game_points_against: int
    match_points: int
    adjustments: tuple[Adjustment, ...]
    last_five: tuple[Meeting, ...]
    why: Why | None
    unfinished: int = 0
    excluded: int = 0
    forfeited: int = 0
    extra_game_points: int = 0


def table(
    teams: Iterable[TableTeam], matches: Iterable[MatchResult], rules: TableRules
) -> list[Row]:
    """Return the table from first to last.

    Only complete matches count, and those that the policies of `table_policies` count.
    Under `EXPUNGE` withdrawn teams stand last and their matches count for nobody. Before the
    first match all teams share position 1. Raises ValueError for a match of a team not given, a
    complete one without a score, an unknown criterion or policy, and a team given twice.
    """
    check_rules(rules)
    alphabetical = sorted(teams, key=lambda team: (team.sort_name, team.id))
    by_id = {team.id: team for team in alphabetical}
    if len(by_id) < len(alphabetical):
        raise ValueError("a team is in the table twice")
    records = _records(alphabetical, matches, rules)
    out = _expunged(alphabetical, rules)
    ranked = levels(records, [team for team in by_id if team not in out], rules.order, rules.worth)
    if out:
        ranked.append(Level(tuple(team for team in by_id if team in out)))
    rows: list[Row] = []
    for level in ranked:
        position = len(rows) + 1
        rows += [
            _row(position, level, by_id[team], records[team], last=team == level.teams[-1])
            for team in level.teams
        ]
    return rows


def counted_matches(
    teams: Iterable[TableTeam], matches: Iterable[MatchResult], rules: TableRules
) -> list[MatchResult]:
    """The matches as the table counts them, those of expunged teams left out."""
    teams = list(teams)
    out = _expunged(teams, rules)
    gone = {team.id for team in teams if team.withdrawn}
    return [match for match in settled(matches, rules, gone) if not out & {match.home, match.away}]


def _records(
    teams: Sequence[TableTeam], matches: Iterable[MatchResult], rules: TableRules
) -> dict[int, Record]:
    counted = counted_matches(teams, matches, rules)
    meetings = meetings_by_team([team.id for team in teams], counted, rules.points)
    complete = {
        team: tuple(meeting for meeting in own if meeting.outcome is not None)
        for team, own in meetings.items()
    }
    return {
        team.id: Record(
            team.id,
            complete[team.id],
            team.adjustments + board_penalty(complete[team.id], rules.penalty),
            team.play_off_place,
        )
        for team in teams
    }


def _expunged(teams: Iterable[TableTeam], rules: TableRules) -> frozenset[int]:
    """The teams whose matches count for nobody."""
    if rules.withdrawn != EXPUNGE:
        return frozenset()
    return frozenset(team.id for team in teams if team.withdrawn)


def _row(position: int, level: Level, team: TableTeam, record: Record, *, last: bool) -> Row:
    """Of teams that share a position only the last one stands above the next team."""
    return Row(
        position=position,
        shared=len(level.teams) > 1,
        team=team.id,
        withdrawn=team.withdrawn,
        played=record.played,
        awarded=record.awarded,
        won=record.count(WON),
        drawn=record.count(DRAWN),
        lost=record.count(LOST),
        game_points=record.game_points,
        game_points_against=record.game_points_against,
        match_points=record.match_points,
        adjustments=record.adjustments,
        last_five=record.meetings[-FORM_LENGTH:],
        why=level.why if last else None,
        unfinished=sum(meeting.unfinished for meeting in record.meetings),
        excluded=sum(meeting.excluded for meeting in record.meetings),
        forfeited=sum(meeting.forfeited for meeting in record.meetings),
        extra_game_points=sum(meeting.extra for meeting in record.meetings),
    )
