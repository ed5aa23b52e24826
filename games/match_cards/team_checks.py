"""A card against the rules of its division: what has to be known of each player, and the findings.

The arithmetic stands in `team_rules`; nothing here is asked of the database unless a rule
of the division needs it.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Q
from django.utils.translation import gettext as _

from clubs.models import Player
from games.models import (
    Award,
    Board,
    CardRule,
    Division,
    ListIssue,
    Match,
    Registration,
    StrengthList,
    Team,
    Violation,
)
from ratings.figures import figures_on
from ratings.standing import Standing

from .card_checks import SIDES
from .card_entries import BoardEntry, entry_of
from .rule_words import rule_words
from .team_rules import Finding, Seated, TeamRules, findings


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sits where on one side of a card; None is a player the registry does not know yet."""

    board: int
    player: int | None
    excepted: bool = False


def rules_of(division: Division) -> TeamRules:
    """What the division asks of each side's card."""
    return TeamRules(
        tolerance=division.board_order_tolerance,
        total_limit=division.team_total_limit,
        average_limit=division.team_average_limit,
        player_limit=division.player_limit,
        ungraded_counts_as=division.ungraded_counts_as,
        registration_required=division.registration_required,
        tied_after=division.tied_after,
        nominated_stay_up=division.nominated_stay_up,
        members_only_after=division.members_only_after,
    )


def findings_of(
    match: Match,
    sittings: Mapping[str, Sequence[Sitting]],
    *,
    day: date,
    today: date,
    standings: Mapping[int, Standing] | None = None,
) -> dict[str, list[Finding]]:
    """What each side ("home", "away") of a card of that day breaks.

    `match` carries its teams and its division with season and event; the figures are those of
    the lists the division names. `standings` are those of the day, if they are known already.
    """
    if not has_rules(match.division):
        return {side: [] for side in SIDES}
    rules = rules_of(match.division)
    players = {s.player for side in SIDES for s in sittings[side] if s.player is not None}
    known = _Known(match, players, rules, day, today, standings)
    return {
        side: findings(
            [known.seated(sitting, getattr(match, side)) for sitting in sittings[side]], rules
        )
        for side in SIDES
    }


class _Known:
    """What the rules ask about the players of a card, each fact read only if a rule needs it."""

    def __init__(
        self,
        match: Match,
        players: Collection[int],
        rules: TeamRules,
        day: date,
        today: date,
        standings: Mapping[int, Standing] | None,
    ):
        self.division = match.division
        self.players = players
        self.standings = standings
        self.day, self.today = day, today
        limits = (rules.total_limit, rules.average_limit, rules.player_limit)
        needs_limits = any(limit is not None for limit in limits)
        division = self.division
        self.order = (
            self._figures(division.order_list, division.order_issue)
            if rules.tolerance is not None
            else {}
        )
        self.limits = (
            self._figures(division.limits_list, division.limits_issue) if needs_limits else {}
        )
        self.registrations = self._registrations(rules)
        counts_games = rules.tied_after is not None or rules.members_only_after is not None
        self.games, self.for_teams = self._games(match) if counts_games else (Counter(), {})
        self.members = self._members() if rules.members_only_after is not None else set()

    def seated(self, sitting: Sitting, team: Team) -> Seated:
        """A sitting with all that is known of the player, for this side's team."""
        who = sitting.player
        own = [row for row in self.registrations.get(who, []) if row.club_id == team.club_id]
        return Seated(
            board=sitting.board,
            order=self.order.get(who),
            figure=self.limits.get(who),
            excepted=sitting.excepted,
            registered=bool(own),
            higher_games=sum(
                count
                for other, count in self.for_teams.get(who, {}).items()
                if _is_higher(other, team, self.division)
            ),
            nominated_higher=any(
                row.nominated_rank is not None
                and row.team_id != team.pk
                and _is_higher(row.team, team, self.division)
                for row in own
            ),
            member=who in self.members,
            games=self.games[who],
        )

    def _figures(self, which: str, issue: str) -> dict[int, int]:
        known = self.standings is not None and issue == ListIssue.NEWEST
        ours = which == StrengthList.GRADE or (which == StrengthList.ELO and self.day >= self.today)
        if known and ours:
            figures = {pk: getattr(self.standings.get(pk), which, None) for pk in self.players}
            return {pk: figure for pk, figure in figures.items() if figure is not None}
        return figures_on(
            players=self.players,
            pool=self.division.rated_event.pool,
            which=which,
            day=self.division.season.starts_on if issue == ListIssue.SEASON else self.day,
            today=self.today,
        )

    def _registrations(self, rules: TeamRules) -> dict[int | None, list[Registration]]:
        found: dict[int | None, list[Registration]] = {}
        if rules.registration_required or rules.nominated_stay_up:
            rows = Registration.objects.filter(
                season=self.division.season_id, player__in=self.players
            ).in_force(self.day)
            for row in rows.select_related("team__division"):
                found.setdefault(row.player_id, []).append(row)
        return found

    def _games(self, match: Match) -> tuple[Counter, dict[int | None, Counter]]:
        """Each player's games of the season in other matches up to the day: all, and by team."""
        division = self.division
        played, by_team = Counter(), {}
        boards = Board.objects.filter(
            Q(home_player__in=self.players) | Q(away_player__in=self.players),
            match__division__season=division.season_id,
        ).exclude(match=match.pk)
        boards = boards.filter(Q(match__played_on__isnull=True) | Q(match__played_on__lte=self.day))
        for board in boards.select_related("match__home__division", "match__away__division"):
            for side, won in (("home", Award.HOME_DEFAULT), ("away", Award.AWAY_DEFAULT)):
                who = getattr(board, f"{side}_player_id")
                by_default = board.award == won and division.default_is_appearance
                if who not in self.players or (board.result is None and not by_default):
                    continue
                if board.result is not None:
                    played[who] += 1
                by_team.setdefault(who, Counter())[getattr(board.match, side)] += 1
        return played, by_team

    def _members(self) -> set[int]:
        """Those with a membership of the federation on the day; one without an end goes on."""
        running = Q(membership_expires_on__isnull=True) | Q(membership_expires_on__gte=self.day)
        rows = Player.objects.filter(running, pk__in=self.players)
        return set(rows.filter(membership_number__isnull=False).values_list("pk", flat=True))


def _is_higher(other: Team, team: Team, division: Division) -> bool:
    """Whether `other` is a higher team of the same club: a division above, or before it by name."""
    if other.pk == team.pk or other.club_id != team.club_id:
        return False
    return (other.division.rank, other.order_number) < (division.rank, team.order_number)


def sittings_in(boards: Iterable[BoardEntry]) -> dict[str, list[Sitting]]:
    """Who sits where on each side of a card that is being saved; new players are None."""
    found: dict[str, list[Sitting]] = {side: [] for side in SIDES}
    for entry in boards:
        for side in SIDES:
            who = getattr(entry, side)
            if who is not None:
                excepted = bool(getattr(entry, f"{side}_exception"))
                player = who if isinstance(who, int) else None
                found[side].append(Sitting(entry.number, player, excepted))
    return found


def names_on(boards: Iterable[BoardEntry]) -> dict[str, dict[int, str]]:
    """Who sits at each board of each side of a card, by name."""
    boards = list(boards)
    known = {who for each in boards for who in (each.home, each.away) if isinstance(who, int)}
    people = Player.objects.in_bulk(known)

    def name(who) -> str:
        return str(people[who] if isinstance(who, int) else who)

    return {
        side: {
            each.number: name(getattr(each, side))
            for each in boards
            if getattr(each, side) is not None
        }
        for side in SIDES
    }


STRICT = {
    CardRule.BOARD_ORDER: "order_is_strict",
    CardRule.TEAM_TOTAL: "limits_are_strict",
    CardRule.TEAM_AVERAGE: "limits_are_strict",
    CardRule.PLAYER_LIMIT: "limits_are_strict",
    CardRule.NOT_REGISTERED: "eligibility_is_strict",
    CardRule.TIED: "eligibility_is_strict",
    CardRule.NOMINATED: "eligibility_is_strict",
    CardRule.NOT_A_MEMBER: "eligibility_is_strict",
}


def refuses(division: Division, finding: Finding) -> bool:
    """Whether the division refuses a card with this finding, rather than noting it."""
    return getattr(division, STRICT[CardRule(finding.rule)])


def words_of(finding: Finding, team: Team, names: Mapping[int, str]) -> str:
    """A finding in a sentence; `names` holds who sits at each board of the side."""
    name = names.get(finding.board, _("A player")) if finding.board else team.name
    other = names.get(finding.figures.get("above", 0), _("somebody"))
    return rule_words(finding.rule, finding.figures, name, other)


def keep_findings(
    match: Match,
    found: Mapping[str, Sequence[Finding]],
    sittings: Mapping[str, Sequence[Sitting]],
    at: datetime,
) -> None:
    """Make the match's violations say what was found; the match is locked.

    A decided one stays as it was decided, whatever becomes of the card.
    """
    stored = {(row.team_id, row.rule, row.board): row for row in match.violations.all()}
    new, changed = [], []
    for side in SIDES:
        team = getattr(match, side)
        seated = {sitting.board: sitting.player for sitting in sittings[side]}
        for finding in found[side]:
            figures = dict(finding.figures)
            if "above" in figures:
                figures["above_player"] = seated.get(figures["above"])
            player = seated.get(finding.board)
            row = stored.pop((team.pk, finding.rule, finding.board), None)
            if row is None:
                new.append(
                    Violation(
                        match=match,
                        team=team,
                        rule=finding.rule,
                        board=finding.board,
                        player_id=player,
                        figures=figures,
                        found_at=at,
                    )
                )
            elif not row.decision and (row.player_id, row.figures) != (player, figures):
                row.player_id, row.figures, row.found_at = player, figures, at
                changed.append(row)
    gone = [row.pk for row in stored.values() if not row.decision]
    if gone:
        Violation.objects.filter(pk__in=gone).delete()
    if changed:
        Violation.objects.bulk_update(changed, ["player", "figures", "found_at"])
    if new:
        Violation.objects.bulk_create(new)


def has_rules(division: Division) -> bool:
    """Whether the division asks anything of its cards."""
    rules = rules_of(division)
    # What an ungraded player counts as is no rule by itself.
    return rules != TeamRules(ungraded_counts_as=rules.ungraded_counts_as)


def sittings_of(boards: Iterable[Board]) -> dict[str, list[Sitting]]:
    """Who sits where on each side of a stored card, boards that only one side came to included."""
    return sittings_in(map(entry_of, boards))
