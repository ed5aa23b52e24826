"""FIDE's tie-breaks for teams: Buchholz, extended Sonneborn-Berger, score and schedule. Pure.

Definitions: FIDE Handbook C.07, tie-break regulations of 2023, articles 8 (Buchholz), 9 and 13
(team events) and 16 (unplayed rounds). Points are integers of halves, so products are quarters.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from .records import Meeting, Record, Worth

PLAYED = "played"
FORFEIT_WIN, FORFEIT_LOSS = "forfeit_win", "forfeit_loss"
PAIRING_BYE, REQUESTED_BYE = "pairing_bye", "requested_bye"

# Rounds a team chose not to play (article 16.2).
VOLUNTARY = (FORFEIT_LOSS, REQUESTED_BYE)


@dataclass(frozen=True, slots=True)
class Points:
    """Match points and game points, in halves."""

    match: int
    game: int

    def of(self, kind: str) -> int:
        return self.match if kind == MATCH else self.game


MATCH, GAME = "match", "game"


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a team: what it scored, against whom, or how it came not to be played."""

    points: Points
    kind: str = PLAYED
    opponent: int | None = None


@dataclass(frozen=True, slots=True)
class Rounds:
    """A team's rounds in order and its points in all, with what was put on or taken off."""

    rounds: tuple[Round, ...]
    total: Points

    def for_opponents(self, kind: str, draw: Points) -> int:
        """Its score as its opponents' tie-breaks take it (article 16.3).

        Rounds that it chose not to play count as draws if it was not there for any later one.
        """
        last = max(
            (at for at, each in enumerate(self.rounds, 1) if each.kind not in VOLUNTARY), default=0
        )
        missed = self.rounds[last:]
        gain = sum(draw.of(kind) - each.points.of(kind) for each in missed)
        return self.total.of(kind) + gain


Teams = Mapping[int, Rounds]


def buchholz(teams: Teams, team: int, kind: str, draw: Points, cut: int = 0) -> int:
    """The sum of the opponents' points of this kind, in halves, without the `cut` lowest.

    In a round not played the opponent is one of the team's own score (article 16.4).
    """
    return _sum(_faced(teams, team, kind, draw, lambda each: 1), cut)


def sonneborn_berger(
    teams: Teams, team: int, theirs: str, own: str, draw: Points, cut: int = 0
) -> int:
    """Each opponent's points of one kind times those of another scored against it, in quarters."""
    return _sum(_faced(teams, team, theirs, draw, lambda each: each.points.of(own)), cut)


def score_and_schedule(teams: Teams, team: int, worth: Worth) -> int:
    """Game points plus Buchholz of match points over `schedule_divisor`.

    In 1 / (2 x the divisor).
    """
    rounds = max(len(each.rounds) for each in teams.values())
    faced = buchholz(teams, team, MATCH, draw_of(worth))
    return teams[team].total.game * schedule_divisor(worth, rounds) + faced


def schedule_divisor(worth: Worth, rounds: int) -> int:
    """What brings a Buchholz of match points to the size of game points (article 13.4)."""
    return max((worth.points.win * rounds) // (2 * worth.boards), 1)


def draw_of(worth: Worth) -> Points:
    """What a drawn match gives either team."""
    return Points(worth.points.draw, worth.boards)


def _faced(
    teams: Teams, team: int, kind: str, draw: Points, weight: Callable[[Round], int]
) -> Iterable[tuple[bool, int, int]]:
    """For each round whether it was played, its opponent's score, and what that contributes."""
    own = teams[team]
    for each in own.rounds:
        if each.kind == PLAYED:
            score = teams[each.opponent].for_opponents(kind, draw)
        else:
            score = own.total.of(kind)
        yield each.kind not in VOLUNTARY, score, score * weight(each)


def _sum(faced: Iterable[tuple[bool, int, int]], cut: int) -> int:
    """The contributions in all without those of the `cut` lowest opponents.

    Rounds missed by choice are cut before all others (article 16.5), and of opponents of one
    score the one that contributes least.
    """
    return sum(part for _available, _score, part in sorted(faced)[cut:])


# --- Of a division's table ----------------------------------------------------------------


def rounds_of(record: Record) -> Rounds:
    """A team's matches in a league as rounds; a free week is no round."""
    return Rounds(
        tuple(_round(meeting) for meeting in record.compared),
        Points(record.match_points, record.game_points),
    )


def _round(meeting: Meeting) -> Round:
    points = Points(meeting.match_points, meeting.own + meeting.extra)
    if not meeting.defaulted:
        return Round(points, PLAYED, meeting.opponent)
    return Round(points, FORFEIT_LOSS if meeting.did_default else FORFEIT_WIN)


def of_table(value: Callable[[Teams, int, Worth], int]):
    """The criterion of a table that `value` gives each team of it."""

    def values(
        records: Mapping[int, Record], group: Sequence[int], worth: Worth
    ) -> dict[int, tuple[int, ...]]:
        teams = {team: rounds_of(record) for team, record in records.items()}
        return {team: (value(teams, team, worth),) for team in group}

    return values


def buchholz_of(kind: str, cut: int = 0):
    return of_table(lambda teams, team, worth: buchholz(teams, team, kind, draw_of(worth), cut))


def sonneborn_berger_of(theirs: str, own: str, cut: int = 0):
    return of_table(
        lambda teams, team, worth: sonneborn_berger(teams, team, theirs, own, draw_of(worth), cut)
    )
