"""Leagues and their seasons, from the first plan to the final table."""

from collections.abc import Collection, Iterable
from datetime import date, datetime

import pghistory
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.dates import date_format
from clubs.names import fold
from games.cup.cup_brackets import brackets_of
from games.division_tables.league_tables import LeagueTable, tables_of
from games.fixture_lists import fixtures
from games.models import Division, League, LeagueRole, Match, Season, Team, TeamState

from . import leagues


class SeasonRefused(Exception):
    """What was asked of a league or season cannot be done; the message says why."""


@transaction.atomic
def make_league(*, name: str, officer, by) -> League:
    """A new league of this name, run by the account `officer`.

    Raises `SeasonRefused` where a league of this name or address stands already.
    """
    if leagues.find_league(name) is not None:
        raise SeasonRefused(_("There is a league called %s already.") % name)
    with pghistory.context(user=getattr(by, "pk", None)):
        league = leagues.add_league(name=name)
        LeagueRole.objects.create(user=officer, league=league)
    return league


@transaction.atomic
def change_season(
    *,
    season: int,
    label: str,
    starts_on: date,
    ends_on: date,
    registration_deadline: date | None,
    entries_close_on: date | None,
    one_club_a_player: bool,
) -> Season:
    """Store what the officer says of a season; its address follows the label until it is public.

    Raises `SeasonRefused` for a label that another season has, an end before the start, and
    days that would leave a match of the season outside.
    """
    stored = lock_season(season)
    other = leagues.find_season(stored.league, label)
    if other is not None and other.pk != stored.pk:
        raise SeasonRefused(_("There is a season called %s already.") % label)
    if starts_on >= ends_on:
        raise SeasonRefused(_("A season ends after it starts."))
    played = Match.objects.filter(division__season=stored)
    outside = played.filter(Q(played_on__lt=starts_on) | Q(played_on__gte=ends_on)).first()
    if outside is not None:
        raise SeasonRefused(
            _("%(match)s is on %(day)s, outside these days.")
            % {"match": outside, "day": date_format(outside.played_on, "j F Y")}
        )
    stored.label, stored.starts_on, stored.ends_on = label, starts_on, ends_on
    stored.registration_deadline = registration_deadline
    stored.entries_close_on = entries_close_on
    stored.one_club_a_player = one_club_a_player
    if stored.published_at is None:
        stored.slug = leagues.slug_of_label(label)
    stored.save()
    stored.divisions.raise_versions()
    return stored


@transaction.atomic
def publish_season(*, season: int, at: datetime) -> Season:
    """Show the season to the public from now on; publishing it twice changes nothing.

    Its teams are numbered by the alphabet first (rules/elo.md section 1, number in source), so
    that the order in which they were entered never matters.
    """
    stored = lock_season(season)
    if stored.published_at is None:
        if not Team.objects.filter(division__season=stored).exists():
            raise SeasonRefused(_("A season without teams has nothing to show yet."))
        for division in lock_divisions(stored):
            fixtures.number_teams(division)
        stored.published_at = at
        stored.save(update_fields=["published_at"])
        stored.divisions.raise_versions()
    return stored


@transaction.atomic
def hide_season(*, season: int) -> Season:
    """Take a season back from the public, as long as no card of it has been entered."""
    stored = lock_season(season)
    if Match.objects.filter(division__season=stored, boards__isnull=False).exists():
        raise SeasonRefused(_("Cards have been entered: the season stays public."))
    stored.published_at = None
    stored.save(update_fields=["published_at"])
    stored.divisions.raise_versions()
    return stored


@transaction.atomic
def close_season(*, season: int, at: datetime) -> Season:
    """Keep each team's final position, which the roll of honour shows; cards stay correctable.

    A team that withdrew has none; in a cup those that lost in one round share theirs. Closing it
    again after a correction keeps the positions of now. Raises `SeasonRefused` where cards are
    still to come, or a tie of a cup has no winner.
    """
    stored = lock_season(season)
    if stored.published_at is None:
        raise SeasonRefused(_("A season that is not public cannot be closed."))
    divisions = lock_divisions(stored)
    tables = tables_of(divisions).values()
    cups = brackets_of([division for division in divisions if division.is_cup])
    awaited = sum(len(awaited_in(table)) for table in tables)
    if awaited:
        raise SeasonRefused(
            ngettext(
                "%d card is still to come: enter, award or void it first.",
                "%d cards are still to come: enter, award or void them first.",
                awaited,
            )
            % awaited
        )
    for bracket in cups.values():
        if bracket.undecided:
            raise SeasonRefused(
                _("A tie of %(cup)s has no winner yet: %(tie)s.")
                % {"cup": bracket.division, "tie": bracket.undecided[0].tie}
            )
    teams = []
    for table in tables:
        if table.division.is_cup:
            places = cups[table.division.pk].positions
            for team in table.teams.values():
                team.final_position = places.get(team.pk)
                teams.append(team)
            continue
        for row in table.rows:
            withdrawn = row.team.state == TeamState.WITHDRAWN
            row.team.final_position = None if withdrawn else row.position
            teams.append(row.team)
    Team.objects.bulk_update(teams, ["final_position"])
    stored.closed_at = at
    stored.save(update_fields=["closed_at"])
    stored.divisions.raise_versions()
    return stored


def awaited_in(table: LeagueTable) -> list[Match]:
    """The matches the table still waits for; those of a withdrawn team will not come."""
    return [
        match
        for match in table.matches
        if match.home_points is None
        and TeamState.WITHDRAWN not in (match.home.state, match.away.state)
    ]


def lock_season(pk: int) -> Season:
    """The season, its row locked until the transaction ends: the first in the order of locks."""
    return (
        Season.objects.select_for_update(no_key=True, of=("self",))
        .select_related("league")
        .get(pk=pk)
    )


def lock_seasons(pks: Iterable[int]) -> list[Season]:
    """These seasons, locked in the order of their pks."""
    return list(Season.objects.filter(pk__in=pks).order_by("pk").select_for_update(no_key=True))


def lock_divisions(season: Season) -> list[Division]:
    """The divisions of a locked season, locked in the order of their pks."""
    rows = season.divisions.select_related("rated_event").order_by("pk")
    divisions = list(rows.select_for_update(no_key=True, of=("self",)))
    for division in divisions:
        division.season = season
    return divisions


@transaction.atomic
def open_season(
    *,
    league: League,
    label: str,
    starts_on: date,
    ends_on: date,
    copy_of: Season | None = None,
) -> Season:
    """A new season `[starts_on, ends_on)` that only officers see: empty, or as `copy_of` ended.

    A copy has the divisions of the older season with their rules, and its teams with their
    captains: those that are promoted or relegated by its tables one division up or down, those
    that withdrew left out. A cup comes with its teams, to be drawn anew. Raises `SeasonRefused`.
    """
    if leagues.find_season(league, label) is not None:
        raise SeasonRefused(_("There is a season called %s already.") % label)
    if starts_on >= ends_on:
        raise SeasonRefused(_("A season ends after it starts."))
    season = leagues.add_season(league=league, label=label, starts_on=starts_on, ends_on=ends_on)
    if copy_of is not None:
        season.copied_from = copy_of
        season.one_club_a_player = copy_of.one_club_a_player
        season.save(update_fields=["copied_from", "one_club_a_player"])
        _copy(copy_of, season)
    return season


def _copy(old: Season, new: Season) -> None:
    divisions = list(old.divisions.order_by("rank", "pk"))
    made = {
        division.pk: leagues.add_division(season=new, name=division.name, **rules_of(division))
        for division in divisions
    }
    ladder = [division for division in divisions if not division.is_cup]
    tables = tables_of(ladder)
    entered: dict[int, list[Team]] = {division.pk: [] for division in divisions}
    for place, division in enumerate(ladder):
        for team, move in moves_of(tables[division.pk]):
            target = ladder[min(max(place - move, 0), len(ladder) - 1)]
            entered[target.pk].append(team)
    for cup in divisions:
        if cup.is_cup:
            entered[cup.pk] += cup.teams.active().order_by("order_number")
    for pk, teams in entered.items():
        _enter_again(made[pk], teams)


def rules_of(division: Division) -> dict:
    """The columns of a division that are its rules, as `leagues.add_division` takes them."""
    return {
        field.name: getattr(division, field.name)
        for field in Division._meta.concrete_fields
        if field.name not in OWN_COLUMNS
    }


OWN_COLUMNS = {
    *("id", "season", "name", "slug", "rank", "rated_event", "version", "changed_at"),
}


def moves_of(table: LeagueTable) -> list[tuple[Team, int]]:
    """Each team of a division that goes on, with how many divisions it moves up (-1: down)."""
    division = table.division
    going_on = [row.team for row in table.rows if row.team.state == TeamState.ACTIVE]
    down_from = max(len(going_on) - division.relegated, division.promoted)
    return [
        (team, 1 if place < division.promoted else -1 if place >= down_from else 0)
        for place, team in enumerate(going_on)
    ]


def _enter_again(division: Division, teams: Collection[Team]) -> None:
    """Enter teams of an older season; of two that bear one name the second gets a number."""
    named: dict[str, Team] = {}
    for team in teams:
        name, nth = team.name, 1
        while fold(name) in {fold(taken) for taken in named}:
            nth += 1
            name = f"{team.name} ({nth})"
        named[name] = team
    made = fixtures.add_teams(
        division=division, teams=[(name, team.club) for name, team in named.items()]
    )
    for team in made:
        old = named[team.name]
        for column in CAPTAIN_COLUMNS:
            setattr(team, column, getattr(old, column))
    Team.objects.bulk_update(made, CAPTAIN_COLUMNS)


CAPTAIN_COLUMNS = ["captain_name", "captain_email", "captain_phone"]
