"""What an account has to do: its cards, answers and decisions, in a fixed number of queries."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from django.db.models import Count, F, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.access import clubs_of, is_grading_officer
from clubs.dates import date_format
from games.access import leagues_of, pending_players, teams_of
from games.match_cards.deadlines import due_on, is_overdue
from games.matches.result_lists import day_words
from games.models import (
    Agreement,
    Match,
    Notice,
    Rearrangement,
    RearrangementState,
    Registration,
    Season,
    Violation,
)
from games.templatetags.topboard import halves
from ratings import lists
from ratings.models import PoolName, RatingPool

SHOWN = 50
PENALTIES_SHOWN = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to do, and the page on which it is done; an `alarm` says what is late."""

    address: str
    title: str
    note: str
    alarm: str = ""


@dataclass(frozen=True)
class Tasks:
    """Things of one kind under their heading; without any, `nothing` says so.

    `unread` counts those beyond `every`, where only the first were read.
    """

    key: str
    title: str
    nothing: str
    every: list[Task]
    unread: int = 0

    @property
    def shown(self) -> list[Task]:
        return self.every[:SHOWN]

    @property
    def number(self) -> int:
        return len(self.every) + self.unread

    @property
    def left_out(self) -> int:
        return max(self.number - SHOWN, 0)


class OfficeDesk:
    """What waits for an account today, by kind; `tasks` are those that its roles have."""

    def __init__(self, user, today: date):
        self.user = user
        self.today = today
        self.teams, self.clubs = set(teams_of(user)), set(clubs_of(user))
        self.leagues = set(leagues_of(user))
        self.is_grading_officer = is_grading_officer(user)

    @property
    def has_sides(self) -> bool:
        return bool(self.teams or self.clubs)

    @property
    def has_cards(self) -> bool:
        return self.has_sides or bool(self.leagues)

    @cached_property
    def tasks(self) -> list[Tasks]:
        """Every kind of task that the account may have, the evening's first."""
        found = []
        if self.has_cards:
            found += [self._to_enter, self._unfinished]
        if self.has_sides:
            found += [self._to_confirm]
        if self.has_cards:
            found += [self._disputed]
        if self.has_sides:
            found += [self._to_answer]
        if self.leagues:
            found += [self._registrations, self._violations, self._late]
        if self.leagues or self.is_grading_officer:
            found += [self._pending]
        if self.is_grading_officer:
            found += [self._lists]
        return found

    @property
    def waits(self) -> bool:
        return any(each.every for each in self.tasks)

    # Cards ---------------------------------------------------------------------------------------

    @cached_property
    def _awaited(self) -> list[Match]:
        """The cards that the account enters: its teams', its clubs', then those of its leagues."""
        found = Match.objects.awaited_from(self.user, self.today)
        found = found.with_score().with_names().order_by("played_on", "pk")
        return sorted(found, key=self._nearness)

    def _nearness(self, match: Match) -> int:
        if {match.home_id, match.away_id} & self.teams:
            return 0
        return 1 if {match.home.club_id, match.away.club_id} & self.clubs else 2

    @property
    def _to_enter(self) -> Tasks:
        missing = [match for match in self._awaited if not match.boards_decided]
        return Tasks(
            "enter",
            _("Cards to enter"),
            _("No card waits for you."),
            [self._card_task(match) for match in missing],
        )

    @property
    def _unfinished(self) -> Tasks:
        begun = [match for match in self._awaited if match.boards_decided]
        return Tasks(
            "unfinished",
            _("Unfinished games"),
            _("Every card that was begun is complete."),
            [self._card_task(match, _decided_words(match)) for match in begun],
        )

    def _card_task(self, match: Match, more: str = "") -> Task:
        overdue = not more and is_overdue(match, self.today)
        due = overdue and due_on(match)
        alarm = _("was due on %s") % date_format(due, "j F") if overdue else ""
        return self._match_task(match, "match_card", more, alarm)

    @cached_property
    def _open(self) -> list[Match]:
        """The cards that wait for a word: of the account's sides, and disputed of its leagues."""
        own = Match.objects.of_sides(self.teams, self.clubs)
        disputed = Q(agreement=Agreement.DISPUTED)
        return list(
            Match.objects.filter(
                Q(own, agreement=Agreement.ENTERED)
                | disputed & (own | Q(division__season__league__in=self.leagues))
            )
            .undecided()
            .with_score()
            .with_names()
            .order_by("played_on", "pk")
        )

    def _acts_for(self, team) -> bool:
        return team.pk in self.teams or team.club_id in self.clubs

    @property
    def _to_confirm(self) -> Tasks:
        asked = [
            match
            for match in self._open
            if match.agreement == Agreement.ENTERED
            and match.is_complete
            and any(
                self._acts_for(getattr(match, side))
                for side in ("home", "away")
                if side != match.entered_side
            )
        ]
        return Tasks(
            "confirm",
            _("Results to confirm"),
            _("No result waits for your word."),
            [self._match_task(match, "match_agreement", _score_words(match)) for match in asked],
        )

    @property
    def _disputed(self) -> Tasks:
        found = [match for match in self._open if match.agreement == Agreement.DISPUTED]
        return Tasks(
            "disputed",
            _("Disputed results"),
            _("No result is disputed."),
            [self._match_task(match, "match_agreement", f"“{match.dispute}”") for match in found],
        )

    @property
    def _to_answer(self) -> Tasks:
        own = Match.objects.of_sides(self.teams, self.clubs, "match__")
        asked = (
            Rearrangement.objects.filter(own, state=RearrangementState.PROPOSED)
            .select_related("match__home", "match__away", "match__division", "team")
            .order_by("asked_at")
        )
        waiting = [
            each
            for each in asked
            if any(
                self._acts_for(team)
                for team in (each.match.home, each.match.away)
                if team.pk != each.team_id
            )
        ]
        return Tasks(
            "answer",
            _("Other days to answer"),
            _("Nobody asks for another day."),
            [self._match_task(each.match, "match_day", _asked_words(each)) for each in waiting],
        )

    def _match_task(self, match: Match, page: str, more: str = "", alarm: str = "") -> Task:
        day = day_words(match.played_on, self.today)
        return Task(
            reverse(page, args=[match.pk]),
            f"{match.home.name} – {match.away.name}",
            " · ".join(each for each in (match.division.name, day, more) if each),
            alarm,
        )

    # The officer's -------------------------------------------------------------------------------

    def _by_season(self, rows, page: str, words) -> list[Task]:
        """One task for each season that has such rows, with their number in words."""
        counts = dict(rows.order_by().values_list("season_of").annotate(Count("pk")))
        seasons = Season.objects.filter(pk__in=counts).select_related("league")
        return [
            Task(
                reverse(page, args=[season.league.slug, season.slug]),
                str(season),
                words(counts[season.pk]),
            )
            for season in seasons.order_by("league__name", "-starts_on", "pk")
        ]

    @property
    def _registrations(self) -> Tasks:
        rows = Registration.objects.waiting().filter(season__league__in=self.leagues)
        return Tasks(
            "registrations",
            _("Registrations to decide"),
            _("No registration waits for you."),
            self._by_season(
                _with_season(rows, "season"), "season_registrations", _registration_words
            ),
        )

    @property
    def _violations(self) -> Tasks:
        rows = Violation.objects.filter(
            decision="", match__division__season__league__in=self.leagues
        )
        return Tasks(
            "violations",
            _("Cards against the rules"),
            _("No card waits for your decision."),
            self._by_season(
                _with_season(rows, "match__division__season"), "season_violations", _card_words
            ),
        )

    @property
    def _late(self) -> Tasks:
        """The points that were taken off by themselves lately, to be taken back or left."""
        rows = (
            Notice.objects.filter(
                adjustment__isnull=False,
                adjustment__decided_on__gt=self.today - PENALTIES_SHOWN,
                match__division__season__league__in=self.leagues,
            )
            .select_related("match__home", "match__away", "match__division", "team", "adjustment")
            .order_by("-adjustment__decided_on", "pk")
        )
        return Tasks(
            "late",
            _("Late results"),
            _("No team has lately lost points for a late result."),
            [
                Task(
                    reverse("division_decisions", args=[row.match.division_id]),
                    f"{row.match.home.name} – {row.match.away.name}",
                    _penalty_words(row),
                )
                for row in rows
            ],
        )

    @property
    def _pending(self) -> Tasks:
        """Whom cards named and the registry did not know: to be confirmed, or merged."""
        rows = pending_players(self.user)
        first = rows.with_clubs(self.today).order_by("sort_name", "pk")[:SHOWN]
        return Tasks(
            "pending",
            _("Players to confirm"),
            _("No new player waits for you."),
            [
                Task(
                    reverse("office_person", args=[player.pk]),
                    player.listed_name,
                    ", ".join(each.club.name for each in player.current_memberships),
                )
                for player in first
            ],
            unread=rows.count() - len(first) if len(first) == SHOWN else 0,
        )

    @property
    def _lists(self) -> Tasks:
        return Tasks(
            "lists",
            _("Grade lists"),
            _("No grade list is due."),
            [*self._due_lists(), *self._stale_pools()],
        )

    def _due_lists(self) -> Iterable[Task]:
        for name in lists.GRADED_POOLS:
            cutoff = lists.next_cutoff(name)
            if cutoff is not None and cutoff <= self.today:
                pool = PoolName(name).label
                words = _("%(pool)s, %(day)s") % {
                    "pool": pool,
                    "day": date_format(cutoff, "j F Y"),
                }
                yield Task(reverse("office_grades"), words, _("due and not published"))

    def _stale_pools(self) -> Iterable[Task]:
        for pool in RatingPool.objects.stale():
            yield Task(reverse("office_grades"), str(pool), _("is being rated anew"))


def _with_season(rows, path: str):
    return rows.annotate(season_of=F(path))


def _decided_words(match: Match) -> str:
    return _("%(decided)s of %(all)s boards") % {
        "decided": match.boards_decided,
        "all": match.board_count,
    }


def _score_words(match: Match) -> str:
    return f"{halves(match.home_points)}–{halves(match.away_points)}"


def _asked_words(asked: Rearrangement) -> str:
    if asked.proposed_on is None:
        return _("%s would like to postpone it") % asked.team.name
    return _("%(team)s would like to play on %(day)s") % {
        "team": asked.team.name,
        "day": date_format(asked.proposed_on, "j F"),
    }


def _penalty_words(notice: Notice) -> str:
    return _("%(team)s lost points on %(day)s; you may take that back") % {
        "team": notice.team.name,
        "day": date_format(notice.adjustment.decided_on, "j F"),
    }


def _registration_words(count: int) -> str:
    return ngettext("%d waits", "%d wait", count) % count


def _card_words(count: int) -> str:
    return ngettext("%d to decide", "%d to decide", count) % count
