"""How a season's fixtures are made: what the list has to keep, the solver's run, the draft.

A draft is seen by the league's officers alone; `publish` turns it into matches. Divisions that
have matches already are left as they are, and count only for the halls.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

import pghistory
from django.db import transaction
from django.db.models import Count
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubs.models import Club, Venue
from games.models import (
    Division,
    DivisionKind,
    DraftMatch,
    FixturePlan,
    Match,
    MatchState,
    MatchWeek,
    PlanState,
    Season,
    TeamState,
)
from games.season_office import entries
from games.season_office.seasons import lock_divisions, lock_season
from games.tasks import make_fixtures

from . import fixtures
from .fixture_problem import (
    Apart,
    Avoid,
    Closed,
    Fixture,
    Hall,
    PlanDivision,
    PlanRules,
    PlanTeam,
    Problem,
)

RUNNING = (PlanState.QUEUED, PlanState.SOLVING)


class FixturesRefused(Exception):
    """What was asked of a season's fixtures cannot be done; the message says why."""


class DraftChanged(FixturesRefused):
    """Somebody else changed the draft meanwhile."""


def plan_of(season: Season) -> FixturePlan:
    """The season's plan, as it is stored or as it begins; the latter is not stored."""
    plan = FixturePlan.objects.filter(season=season).first()
    return FixturePlan(season=season) if plan is None else plan


def lock_plan(season: int) -> FixturePlan:
    """The season's plan, made if there is none; the season is locked first."""
    locked = lock_season(season)
    plan, _made = FixturePlan.objects.get_or_create(season=locked)
    return plan


# What a list has to keep --------------------------------------------------------------------


def divisions_to_plan(season: Season) -> list[Division]:
    """The divisions that get fixtures: no cups, two teams or more, and no match yet."""
    leagues = season.divisions.filter(kind=DivisionKind.LEAGUE, matches__isnull=True)
    divisions = leagues.order_by("rank", "name", "pk")
    return [d for d in divisions if d.teams.filter(state=TeamState.ACTIVE).count() > 1]


def problem_of(season: Season, plan: FixturePlan) -> Problem:
    """Everything a list of the season has to keep.

    Raises `FixturesRefused` in sentences for what is not known yet: weeks, nights, teams.
    """
    divisions = divisions_to_plan(season)
    weeks = tuple(season.match_weeks.values_list("starts_on", flat=True))
    teams: dict[int, PlanTeam] = {}
    halls: dict[int, Hall] = {}
    planned = []
    nightless = set()
    for division in divisions:
        own = division.teams.filter(state=TeamState.ACTIVE).select_related("club__hall")
        for team in own.order_by("search_name", "pk"):
            club = team.club
            night = club.club_night if plan.weekday is None else plan.weekday
            if night is None:
                nightless.add(club.name)
                continue
            teams[team.pk] = PlanTeam(team.pk, team.name, club.pk, night, club.hall_id)
            if club.hall is not None:
                halls[club.hall_id] = Hall(club.hall_id, club.hall.name, club.hall.match_limit)
        ids = tuple(pk for pk in teams if pk in {team.pk for team in own})
        planned.append(PlanDivision(division.pk, division.name, ids, division.legs))
    _refuse_what_is_missing(planned, weeks, nightless)
    return Problem(
        teams=teams,
        divisions=tuple(planned),
        weeks=weeks,
        halls=halls,
        breaks=tuple(Closed(b.pk, b.name, b.first_day, b.last_day) for b in season.breaks.all()),
        avoids=tuple(_avoids(season, teams)),
        aparts=tuple(
            Apart(row.pk, row.first_id, row.second_id, row.home_only, row.force)
            for row in season.avoid_pairs.all()
            if row.first_id in teams and row.second_id in teams
        ),
        taken=_taken(weeks, halls),
        rules=PlanRules(
            plan.club_teams_early,
            plan.club_teams_alternate,
            plan.no_three_running,
            plan.few_breaks,
        ),
    )


def _refuse_what_is_missing(divisions, weeks, nightless) -> None:
    missing = []
    if not divisions:
        missing.append(_("No division has two teams and is still without matches."))
    if not weeks:
        missing.append(_("No match weeks are chosen yet."))
    if nightless:
        words = _("No club night is known of %s: give the clubs theirs, or the season its day.")
        missing.append(words % ", ".join(sorted(nightless)))
    if missing:
        raise FixturesRefused(" ".join(missing))


def _avoids(season: Season, teams: dict[int, PlanTeam]) -> Iterable[Avoid]:
    for row in season.avoid_dates.select_related("club", "team"):
        own = (
            (row.team_id,)
            if row.team_id
            else tuple(pk for pk, team in teams.items() if team.club == row.club_id)
        )
        name = str(row.team or row.club)
        if set(own) <= teams.keys() and own:
            yield Avoid(row.pk, name, own, row.first_day, row.last_day, row.home_only, row.force)


def _taken(weeks: Sequence[date], halls: Iterable[int]) -> dict[tuple[int, date], int]:
    """The matches of all leagues that are arranged already in these halls."""
    if not weeks:
        return {}
    rows = (
        Match.objects.filter(
            played_on__gte=min(weeks),
            played_on__lt=max(weeks) + timedelta(days=7),
            home__club__hall__in=list(halls),
        )
        .exclude(state=MatchState.VOID)
        .order_by()
        .values_list("home__club__hall", "played_on")
        .annotate(number=Count("pk"))
    )
    return {(hall, day): number for hall, day, number in rows}


# The plan -----------------------------------------------------------------------------------


@transaction.atomic
def set_weeks(*, season: int, weeks: Iterable[date]) -> None:
    """Let rounds be played in these weeks, given by their Mondays, and in no others."""
    locked = lock_season(season)
    wanted = set(weeks)
    stored = set(locked.match_weeks.values_list("starts_on", flat=True))
    locked.match_weeks.filter(starts_on__in=stored - wanted).delete()
    MatchWeek.objects.bulk_create(
        MatchWeek(season=locked, starts_on=week) for week in sorted(wanted - stored)
    )


@transaction.atomic
def set_rules(*, season: int, legs: dict[int, int], **columns) -> FixturePlan:
    """Store how the season's fixtures are made; `legs` by the pk of the division."""
    plan = lock_plan(season)
    for column, value in columns.items():
        setattr(plan, column, value)
    plan.save(update_fields=list(columns))
    for division in lock_divisions(plan.season):
        if division.pk in legs and division.legs != legs[division.pk]:
            division.legs = legs[division.pk]
            division.save(update_fields=["legs"])
    return plan


@transaction.atomic
def set_nights(
    *, nights: dict[int, tuple[int | None, str]], limits: dict[int, int | None], by
) -> None:
    """Store each club's night and the name of its hall, and how many matches halls hold.

    A name that no hall has yet makes the hall; a blank one is the club's own rooms.
    """
    with pghistory.context(user=getattr(by, "pk", None)):
        clubs = Club.objects.select_for_update(no_key=True).order_by("pk")
        for club in clubs.filter(pk__in=nights):
            night, name = nights[club.pk]
            hall = Venue.objects.get_or_create(name=name)[0] if name else None
            if (club.club_night, club.hall_id) != (night, hall and hall.pk):
                club.club_night, club.hall = night, hall
                club.save(update_fields=["club_night", "hall"])
        for venue, limit in limits.items():
            Venue.objects.filter(pk=venue).update(match_limit=limit)


# A run of the solver ------------------------------------------------------------------------


@transaction.atomic
def ask_for_draft(*, season: int, at: datetime) -> FixturePlan:
    """Queue a run of the solver, which makes a draft.

    Raises `FixturesRefused` while one is running and for what is not known yet.
    """
    plan = lock_plan(season)
    if plan.state in RUNNING:
        raise FixturesRefused(_("The fixtures are being made already."))
    problem_of(plan.season, plan)
    plan.run += 1
    plan.state, plan.progress, plan.report = PlanState.QUEUED, 0, {}
    plan.queued_at, plan.finished_at = at, None
    plan.save()
    make_fixtures.defer(plan=plan.pk, run=plan.run, language=get_language())
    return plan


@transaction.atomic
def stop_run(*, season: int, at: datetime) -> FixturePlan:
    """End the run that is on; the draft that was there before stays."""
    plan = lock_plan(season)
    if plan.state in RUNNING:
        plan.run += 1
        plan.state, plan.finished_at = PlanState.IDLE, at
        plan.save(update_fields=["run", "state", "finished_at"])
    return plan


def note_progress(*, plan: int, run: int, percent: int) -> bool:
    """Say how far a run is; False when it is not wanted any more."""
    own = FixturePlan.objects.filter(pk=plan, run=run, state__in=RUNNING)
    return bool(own.update(state=PlanState.SOLVING, progress=percent))


@transaction.atomic
def keep_outcome(
    *, plan: int, run: int, state: str, found: Sequence[Fixture], report: dict, at: datetime
) -> bool:
    """Store what a run found; a draft replaces the one before. False for a run that was stopped."""
    stored = lock_plan(FixturePlan.objects.values_list("season", flat=True).get(pk=plan))
    if stored.run != run or stored.state not in RUNNING:
        return False
    stored.state, stored.report, stored.finished_at, stored.progress = state, report, at, 100
    if found:
        DraftMatch.objects.filter(division__season=stored.season).delete()
        DraftMatch.objects.bulk_create(
            DraftMatch(
                division_id=f.division,
                home_id=f.home,
                away_id=f.away,
                leg=f.leg,
                round=f.round,
                played_on=f.day,
            )
            for f in found
        )
        stored.draft_version += 1
    stored.save()
    return True


# The draft ----------------------------------------------------------------------------------


def draft_of(season: Season) -> list[DraftMatch]:
    """The matches of the season's draft, by day, division and home team."""
    rows = DraftMatch.objects.filter(division__season=season)
    return list(
        rows.select_related("division", "home__club", "away__club").order_by(
            "played_on", "division__rank", "home__search_name", "pk"
        )
    )


def fixture_of(row: DraftMatch) -> Fixture:
    """A row of the draft as the pure modules take it."""
    return Fixture(row.division_id, row.home_id, row.away_id, row.leg, row.round, row.played_on)


@transaction.atomic
def discard(*, season: int) -> None:
    """Throw the draft away."""
    plan = lock_plan(season)
    DraftMatch.objects.filter(division__season=plan.season).delete()
    plan.state, plan.report = PlanState.IDLE, {}
    plan.run += 1
    plan.draft_version += 1
    plan.save()


@transaction.atomic
def publish(*, season: int, version: int, at: datetime) -> int:
    """Make the draft the season's fixtures; returns how many matches they are.

    Raises `DraftChanged`, and `FixturesRefused` where a division has matches by now.
    """
    plan = lock_plan(season)
    divisions = {division.pk: division for division in lock_divisions(plan.season)}
    if plan.draft_version != version:
        raise DraftChanged(_("The draft has changed meanwhile: this is how it is now."))
    rows = draft_of(plan.season)
    if not rows:
        raise FixturesRefused(_("There is no draft to publish."))
    touched = {row.division_id for row in rows}
    for pk in touched:
        if divisions[pk].matches.exists():
            raise FixturesRefused(_("%s has matches already.") % divisions[pk])
        entries.touch(divisions[pk], at)
    matches = []
    for row in rows:
        row.home.division = row.away.division = divisions[row.division_id]
        matches.append(
            fixtures.new_match(
                home=row.home,
                away=row.away,
                # The nth time this home team receives this away team: the return match is the
                # first of the pair turned round.
                leg=(row.leg + 1) // 2,
                round=row.round,
                played_on=row.played_on,
            )
        )
    Match.objects.bulk_create(matches)
    DraftMatch.objects.filter(division__season=plan.season).delete()
    plan.state, plan.report = PlanState.IDLE, {}
    plan.draft_version += 1
    plan.save()
    return len(matches)
