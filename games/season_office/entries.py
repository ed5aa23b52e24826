"""Divisions and teams of a season that is being planned: entered, changed, moved, taken out."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.names import fold
from games.fixture_lists import fixtures
from games.match_cards import posting
from games.models import Division, Match, Team
from games.time_control import pool_for

from . import leagues
from .seasons import SeasonRefused, lock_season


@transaction.atomic
def add_division(*, season: int, name: str, **rules) -> Division:
    """A new division of the season, below those there are; `rules` are columns of `Division`.

    Raises `SeasonRefused` where the season has one of this name.
    """
    stored = lock_season(season)
    _refuse_taken_name(stored, name, None)
    return leagues.add_division(season=stored, name=name, **rules)


@transaction.atomic
def change_division(*, division: int, name: str, at: datetime, **rules: Any) -> Division:
    """Store the name and the rules of a division; its table follows at once.

    Another number of boards reaches the matches that have no card yet; whether games are rated
    before they are agreed, those of the whole division. Raises `SeasonRefused`
    for a name that is taken, and for a time control that belongs to another rating once games
    of the division have been rated.
    """
    season = lock_season(Division.objects.values_list("season", flat=True).get(pk=division))
    stored = lock_division(division)
    _refuse_taken_name(season, name, division)
    rated_when_agreed = stored.rated_when_agreed
    for column, value in rules.items():
        setattr(stored, column, value)
    stored.name = name
    pool = pool_for(stored.minutes, stored.increment_seconds)
    event = stored.rated_event
    if pool != event.pool_id:
        if event.games.exists():
            raise SeasonRefused(
                _("Games have been rated as %(pool)s: the time control cannot leave it.")
                % {"pool": event.pool}
            )
        event.pool_id = pool
    event.name = leagues.event_name(season, name)
    event.save(update_fields=["pool", "name"])
    Match.objects.filter(division=stored, boards__isnull=True, stated_home__isnull=True).update(
        board_count=stored.board_count
    )
    stored.version += 1
    stored.changed_at = at
    stored.save()
    if stored.rated_when_agreed != rated_when_agreed:
        posting.post_divisions([stored])
    return stored


@transaction.atomic
def move_division(*, division: int, up: bool) -> None:
    """Let a division change its place with the one above or below; at the end nothing moves."""
    season = lock_season(Division.objects.values_list("season", flat=True).get(pk=division))
    order = list(season.divisions.order_by("rank", "name", "pk").select_for_update(no_key=True))
    place = next(n for n, each in enumerate(order) if each.pk == division)
    other = place - 1 if up else place + 1
    if 0 <= other < len(order):
        order[place], order[other] = order[other], order[place]
    for rank, each in enumerate(order, 1):
        each.rank = rank
    Division.objects.bulk_update(order, ["rank"])


@transaction.atomic
def remove_division(*, division: int) -> None:
    """Take a division out with the teams entered in it; refused once it has matches."""
    lock_season(Division.objects.values_list("season", flat=True).get(pk=division))
    stored = lock_division(division)
    if stored.matches.exists():
        raise SeasonRefused(_("%s has matches and stays.") % stored)
    for team in stored.teams.all():
        _delete(team)
    stored.delete()
    stored.rated_event.delete()


@transaction.atomic
def enter_team(*, division: int, name: str, club: Club, **captain: str) -> Team:
    """Enter a team; `captain` holds `captain_name`, `captain_email`, `captain_phone`.

    Raises `SeasonRefused` where the division has a team of this name or is full.
    """
    stored = lock_division(division)
    _refuse_drawn(stored)
    _refuse_taken_team(stored, name, None)
    if stored.teams.aggregate(last=Max("order_number"))["last"] == fixtures.MOST_TEAMS:
        raise SeasonRefused(_("%s is full.") % stored)
    (team,) = fixtures.add_teams(division=stored, teams=[(name, club)])
    for column, value in captain.items():
        setattr(team, column, value)
    team.save(update_fields=list(captain))
    stored.version += 1
    stored.save(update_fields=["version"])
    return team


@transaction.atomic
def change_team(*, team: int, name: str, club: Club, at: datetime, **captain: str) -> Team:
    """Store a team's name, club and captain; the table shows the new name at once."""
    division = lock_division(Team.objects.values_list("division", flat=True).get(pk=team))
    stored = Team.objects.select_for_update(no_key=True).get(pk=team)
    _refuse_taken_team(division, name, team)
    stored.name, stored.club = name, club
    for column, value in captain.items():
        setattr(stored, column, value)
    stored.save()
    touch(division, at)
    return stored


@transaction.atomic
def move_team(*, team: int, division: int, at: datetime) -> Team:
    """Put a team into another division of its season; refused once it has matches."""
    source = Team.objects.values_list("division", flat=True).get(pk=team)
    locked = {pk: lock_division(pk) for pk in sorted({source, division})}
    stored = Team.objects.select_for_update(no_key=True).get(pk=team)
    target = locked[division]
    if target.season_id != locked[source].season_id:
        raise SeasonRefused(_("%s is a division of another season.") % target)
    if division == source:
        return stored
    if target.kind != locked[source].kind:
        raise SeasonRefused(_("A team moves between divisions, or between cups: enter it anew."))
    for each in locked.values():
        _refuse_drawn(each)
    _refuse_matches(stored)
    _refuse_taken_team(target, stored.name, team)
    last = target.teams.aggregate(last=Max("order_number"))["last"]
    stored.division = target
    stored.order_number = 1 if last is None else last + 1
    stored.save(update_fields=["division", "order_number"])
    for each in locked.values():
        touch(each, at)
    return stored


@transaction.atomic
def remove_team(*, team: int, at: datetime) -> None:
    """Take a team out that has no matches; one that has withdraws instead."""
    division = lock_division(Team.objects.values_list("division", flat=True).get(pk=team))
    stored = Team.objects.select_for_update().get(pk=team)
    _refuse_drawn(division)
    _refuse_matches(stored)
    _delete(stored)
    touch(division, at)


def lock_division(pk: int) -> Division:
    """The division with its event, its row locked until the transaction ends."""
    rows = Division.objects.select_related("rated_event__pool", "season__league")
    return rows.select_for_update(no_key=True, of=("self",)).get(pk=pk)


def touch(division: Division, at: datetime) -> None:
    """Raise the version of a locked division, by which its pages are known to have changed.

    What they said is kept under it (`games.division_tables.kept`), so whatever they show has to
    raise it.
    """
    division.version += 1
    division.changed_at = at
    division.save(update_fields=["version", "changed_at"])


def _delete(team: Team) -> None:
    """A team that has played nothing goes with its roles; who was tied to it no longer is."""
    team.registrations.update(team=None, nominated_rank=None)
    team.delete()


def _refuse_drawn(division: Division) -> None:
    """A cup's teams stay as they are from its draw on; who leaves withdraws."""
    if division.is_cup and division.cup_rounds.exists():
        raise SeasonRefused(_("%s is drawn: take the draw back first.") % division)


def _refuse_matches(team: Team) -> None:
    if team.home_matches.exists() or team.away_matches.exists():
        raise SeasonRefused(
            _("%s has matches: withdraw it instead, and the rules say what becomes of them.") % team
        )


def _refuse_taken_name(season, name: str, division: int | None) -> None:
    taken = season.divisions.exclude(pk=division).values_list("name", flat=True)
    if fold(name) in map(fold, taken):
        raise SeasonRefused(_("The season has a division called %s already.") % name)


def _refuse_taken_team(division: Division, name: str, team: int | None) -> None:
    if division.teams.exclude(pk=team).filter(search_name=fold(name)).exists():
        raise SeasonRefused(
            _("%(division)s has a team called %(name)s already.")
            % {"division": division, "name": name}
        )
