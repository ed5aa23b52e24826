"""Cups as they stand: rounds, ties and their winners, worked out of the boards when they are read.

Nothing of it is stored but what an officer decided, so a corrected card moves its tie at once.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import F
from django.utils import timezone

from games.models import (
    Board,
    Colour,
    CupRound,
    Division,
    DrawMode,
    ListIssue,
    Match,
    MatchState,
    Team,
    TeamState,
    Tie,
)
from ratings.figures import figures_on

from . import cup_ties

# By what a tie is won, beside the officer's decisions of `TieDecision`.
BYE, BOARDS, WITHDRAWN = "bye", "boards", "withdrawn"


@dataclass(frozen=True, slots=True)
class DrawnTie:
    """A tie with its matches of `with_score`, oldest first, and who wins it by what.

    `by` is `BYE`, `BOARDS`, `WITHDRAWN` or an officer's decision, None while nobody has won.
    `stands` says how the boards leave it.
    """

    tie: Tie
    matches: tuple[Match, ...]
    starts: tuple[tuple[int, int], ...]
    stands: cup_ties.Verdict
    winner: Team | None
    by: str | None

    @property
    def number(self) -> int:
        return self.tie.number

    @property
    def home(self) -> Team:
        return self.tie.home

    @property
    def away(self) -> Team | None:
        return self.tie.away

    @property
    def loser(self) -> Team | None:
        if self.winner is None or self.away is None:
            return None
        return self.away if self.winner.pk == self.home.pk else self.home

    @property
    def pending(self) -> list[Match]:
        """The matches that are still to be played."""
        return [m for m in self.matches if m.home_points is None and m.state != MatchState.VOID]

    @property
    def has_card(self) -> bool:
        """Whether anything of it has been played, or a score given."""
        return any(
            m.entered_at is not None or m.stated_home is not None or m.boards_decided
            for m in self.matches
        )


@dataclass(frozen=True, slots=True)
class Round:
    """A round that has been drawn, its ties from the top of the bracket down."""

    drawn: CupRound
    ties: tuple[DrawnTie, ...]

    @property
    def name(self) -> str:
        return self.drawn.name

    @property
    def number(self) -> int:
        return self.drawn.number

    @property
    def is_decided(self) -> bool:
        return all(tie.winner for tie in self.ties)


class Bracket:
    """A cup: its rounds as drawn, and what is to come of them."""

    def __init__(self, division: Division, teams: Sequence[Team], rounds: Sequence[Round]):
        self.division = division
        self.teams = {team.pk: team for team in teams}
        self.rounds = list(rounds)

    @property
    def last(self) -> Round | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def ties(self) -> list[DrawnTie]:
        return [tie for each in self.rounds for tie in each.ties]

    @property
    def is_bracket(self) -> bool:
        """Whether the first draw says who meets whom to the end."""
        return self.division.draw_mode == DrawMode.START

    @cached_property
    def lines(self) -> list[int]:
        """How many ties each round has, from the first to the final."""
        if not self.rounds:
            return []
        count = max(tie.number for tie in self.rounds[0].ties)
        found = [count]
        while found[-1] > 1:
            found.append(found[-1] // 2)
        return found

    @property
    def champion(self) -> Team | None:
        if not self.rounds or len(self.rounds) < len(self.lines):
            return None
        return self.rounds[-1].ties[0].winner

    @property
    def pending(self) -> list[Match]:
        """The matches still to be played: not those of teams that have withdrawn."""
        return [
            match
            for tie in self.ties
            for match in tie.pending
            if TeamState.WITHDRAWN not in (match.home.state, match.away.state)
        ]

    @property
    def undecided(self) -> list[DrawnTie]:
        return [tie for tie in self.ties if tie.winner is None]

    @property
    def doubts(self) -> list[tuple[DrawnTie, Team]]:
        """Ties with a team that, as the boards are now, has not won its way into them."""
        found = []
        for before, after in zip(self.rounds, self.rounds[1:], strict=False):
            through = {tie.winner.pk for tie in before.ties if tie.winner}
            for tie in after.ties:
                teams = [team for team in (tie.home, tie.away) if team is not None]
                found += [(tie, team) for team in teams if team.pk not in through]
        return found

    def known_pairs(self, round: int) -> list[tuple[int, Team, Team]]:
        """The ties of a bracket's later round that can be made: their place and two winners.

        Those of which both ties before are decided, and which are not made yet.
        """
        before = {tie.number: tie for tie in self.rounds[round - 2].ties}
        made = self.rounds[round - 1].ties if round <= len(self.rounds) else ()
        places = {tie.number for tie in made}
        found = []
        for place in range(1, self.lines[round - 1] + 1):
            feeders = [before.get(2 * place - 1), before.get(2 * place)]
            if place not in places and all(tie and tie.winner for tie in feeders):
                found.append((place, feeders[0].winner, feeders[1].winner))
        return found

    @property
    def next_round(self) -> int | None:
        """The number of the round that comes next, None after the final; one begun comes first."""
        if self.last is None:
            return 1
        if self.is_bracket and len(self.last.ties) < self.lines[self.last.number - 1]:
            return self.last.number
        return self.last.number + 1 if self.last.number < len(self.lines) else None

    @property
    def can_draw(self) -> bool:
        """Whether the next round has anything to draw, or to move on."""
        if self.next_round is None:
            return False
        if self.last is None:
            active = [team for team in self.teams.values() if team.state == TeamState.ACTIVE]
            return len(active) > 1
        if self.is_bracket:
            return bool(self.known_pairs(self.next_round))
        return self.last.is_decided

    def tie_of(self, match: Match) -> DrawnTie | None:
        """The tie that a match belongs to."""
        return next((t for t in self.ties if match.pk in {m.pk for m in t.matches}), None)

    def matches_of(self, team: Team) -> list[Match]:
        """The matches of a team's ties, void ones left out, in order of play."""
        return [
            match
            for _round, tie in self.run_of(team)
            for match in tie.matches
            if match.state != MatchState.VOID
        ]

    def run_of(self, team: Team) -> list[tuple[Round, DrawnTie]]:
        """The ties of one team, the first round first."""
        return [
            (each, tie)
            for each in self.rounds
            for tie in each.ties
            if team.pk in (tie.home.pk, tie.away and tie.away.pk)
        ]

    @cached_property
    def positions(self) -> dict[int, int]:
        """The final position of each team by pk: 1 the winner, 2 the finalist, then by round.

        Who lost in one round shares its place; without a winner nobody has one.
        """
        if self.champion is None:
            return {}
        found = {self.champion.pk: 1}
        for each, ties in zip(reversed(self.rounds), reversed(self.lines), strict=True):
            for tie in each.ties:
                if tie.loser is not None:
                    found.setdefault(tie.loser.pk, ties + 1)
        return found


def bracket_of(division: Division) -> Bracket:
    """The bracket of one cup, in four queries for any number of ties."""
    return brackets_of([division])[division.pk]


def brackets_of(divisions: Sequence[Division]) -> dict[int, Bracket]:
    """The brackets of several cups by pk, in four queries for all of them; none for no cup.

    A cup with a handicap asks for the figures of its players besides, once for each day on
    which the list it uses may be another.
    """
    if not divisions:
        return {}
    teams: dict[int, list[Team]] = defaultdict(list)
    for team in Team.objects.filter(division__in=divisions).select_related("club"):
        teams[team.division_id].append(team)
    drawn: dict[int, list[Tie]] = defaultdict(list)
    ties = Tie.objects.filter(cup_round__division__in=divisions).select_related("cup_round")
    for tie in ties.order_by("cup_round__number", "number"):
        drawn[tie.cup_round.division_id].append(tie)
    matches: dict[int, list[Match]] = defaultdict(list)
    stored = Match.objects.filter(division__in=divisions).with_score()
    for match in stored.order_by("pk"):
        matches[match.division_id].append(match)
    boards: dict[int, list[Board]] = defaultdict(list)
    counted = Board.objects.filter(match__division__in=divisions, counts_for_match=True)
    for board in counted.order_by("match", "number"):
        boards[board.match_id].append(board)
    return {
        division.pk: _Reader(division, teams[division.pk], boards).bracket(
            drawn[division.pk], matches[division.pk]
        )
        for division in divisions
    }


class _Reader:
    """What is stored of one cup, turned into its bracket."""

    def __init__(self, division: Division, teams: Sequence[Team], boards: dict[int, list[Board]]):
        self.division = division
        self.teams = {team.pk: team for team in teams}
        self.boards = boards
        self.today = timezone.localdate()
        self.figures: dict = {}

    def bracket(self, ties: Iterable[Tie], matches: Iterable[Match]) -> Bracket:
        by_pair: dict[tuple, list[Match]] = defaultdict(list)
        for match in matches:
            match.division = self.division
            match.home, match.away = self.teams[match.home_id], self.teams[match.away_id]
            by_pair[match.round, frozenset((match.home_id, match.away_id))].append(match)
        for tie in ties:
            tie.cup_round.division = self.division
            tie.home = self.teams[tie.home_id]
            tie.away = self.teams.get(tie.away_id)
            tie.winner = self.teams.get(tie.winner_id)
        rounds: dict[int, tuple[CupRound, list[DrawnTie]]] = {}
        played_by = self._days(by_pair)
        for tie in ties:
            pair = frozenset((tie.home_id, tie.away_id))
            own = by_pair.get((tie.cup_round.number, pair), [])
            _round, found = rounds.setdefault(tie.cup_round.number, (tie.cup_round, []))
            found.append(self._drawn(tie, own, played_by))
        drawn = [Round(each, tuple(found)) for each, found in rounds.values()]
        return Bracket(self.division, list(self.teams.values()), drawn)

    def _drawn(self, tie: Tie, matches: Sequence[Match], days: dict) -> DrawnTie:
        counted = [m for m in matches if m.state != MatchState.VOID and m.home_points is not None]
        facts = [self._facts(tie, match, days) for match in counted]
        stands = cup_ties.settle(facts, self.division.settling, self.division.legs)
        if any(m.home_points is None and m.state != MatchState.VOID for m in matches):
            stands = cup_ties.Verdict(stands.steps, stands.winner, stands.awaits and cup_ties.MATCH)
        winner, by = self._winner(tie, stands)
        return DrawnTie(tie, tuple(matches), tuple(f.start for f in facts), stands, winner, by)

    def _winner(self, tie: Tie, stands: cup_ties.Verdict) -> tuple[Team | None, str | None]:
        if tie.away is None:
            return tie.home, BYE
        if tie.winner is not None:
            return tie.winner, tie.decided_by
        if stands.winner:
            return (tie.home if stands.winner == cup_ties.FIRST else tie.away), BOARDS
        here = [team for team in (tie.home, tie.away) if team.state != TeamState.WITHDRAWN]
        return (here[0], WITHDRAWN) if len(here) == 1 else (None, None)

    def _facts(self, tie: Tie, match: Match, days: dict) -> cup_ties.TieMatch:
        boards = self.boards.get(match.pk, [])
        score = (match.home_points, match.away_points)
        known = score == (match.boards_home, match.boards_away) and all(
            board.home_halves is not None for board in boards
        )
        is_turned = match.home_id != tie.home_id
        pairs = [(board.home_halves, board.away_halves) for board in boards] if known else None
        blacks = [_home_has_black(board) for board in boards] if known else []
        start = cup_ties.start_of(self._strengths(match, days), self.division.handicap_points)
        if is_turned:
            score, start = score[::-1], start[::-1]
            pairs = pairs and [pair[::-1] for pair in pairs]
            blacks = [None if black is None else not black for black in blacks]
        return cup_ties.TieMatch(score, tuple(pairs) if pairs else None, tuple(blacks), start)

    # Handicaps: the figures of the list and issue that the cup's limits name -------------------

    def _days(self, by_pair: dict) -> dict:
        """The players of each day whose figures are asked for; empty without a handicap."""
        if self.division.handicap_points is None:
            return {}
        days = defaultdict(set)
        for match in (match for matches in by_pair.values() for match in matches):
            for board in self.boards.get(match.pk, []):
                days[self._day(match)] |= {board.home_player_id, board.away_player_id} - {None}
        return days

    def _day(self, match: Match):
        if self.division.limits_issue == ListIssue.SEASON:
            return self.division.season.starts_on
        return match.played_on or self.today

    def _strengths(self, match: Match, days: dict) -> list[tuple[int | None, int | None]]:
        if self.division.handicap_points is None:
            return []
        day = self._day(match)
        if day not in self.figures:
            self.figures[day] = figures_on(
                players=days[day],
                pool=self.division.rated_event.pool,
                which=self.division.limits_list,
                day=day,
                today=self.today,
            )
        figures = self.figures[day]

        def figure(player: int | None) -> int | None:
            if player is None:
                return None
            return figures.get(player, self.division.ungraded_counts_as)

        boards = self.boards.get(match.pk, [])
        return [(figure(b.home_player_id), figure(b.away_player_id)) for b in boards]


def _home_has_black(board: Board) -> bool | None:
    if board.home_colour == Colour.UNKNOWN or None in (board.home_player_id, board.away_player_id):
        return None
    return board.home_colour == Colour.BLACK


def active_teams(division: Division) -> list[Team]:
    """The teams that take part, the seeded first, then by the alphabet."""
    rows = division.teams.active().select_related("club")
    return list(rows.order_by(F("seed").asc(nulls_last=True), "search_name", "pk"))
