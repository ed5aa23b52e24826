"""A division's cross table: every pairing with the scores of all its meetings. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .records import MatchPoints, MatchResult, Meeting, meetings_by_team


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A team's row: a cell for each team of the table in the same order.

    A cell holds all its meetings with that team in order of play, home and away, played and
    to come (own and other None), none overwriting another; the cell on the diagonal is None.
    """

    team: int
    cells: tuple[tuple[Meeting, ...] | None, ...]


def crosstable(
    teams: Sequence[int], matches: Iterable[MatchResult], points: MatchPoints
) -> list[CrossRow]:
    """Return one row for each team id, rows and columns in the order given.

    Raises ValueError for a match of a team that is not in `teams`.
    """
    meetings = meetings_by_team(teams, matches, points)
    return [
        CrossRow(team, tuple(_cell(team, opponent, meetings[team]) for opponent in teams))
        for team in teams
    ]


def _cell(team: int, opponent: int, meetings: Sequence[Meeting]) -> tuple[Meeting, ...] | None:
    if opponent == team:
        return None
    return tuple(meeting for meeting in meetings if meeting.opponent == opponent)
