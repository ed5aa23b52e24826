"""What a league's officer sees of his leagues and of a season that he plans."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.division_tables.league_tables import tables_of
from games.models import Division, League, Season, Team, Violation

from .seasons import awaited_in


@dataclass(frozen=True, slots=True)
class LeagueDesk:
    """A league with its seasons, the newest first."""

    league: League
    seasons: list[Season]


@dataclass(frozen=True, slots=True)
class DivisionDesk:
    """A division of a season with its teams, how many matches it has and how many it awaits."""

    division: Division
    teams: list[Team]
    matches: int
    awaited: int


def leagues_of(user) -> list[LeagueDesk]:
    """The leagues that the account runs (all, for who may do everything), by name."""
    leagues = League.objects.all()
    if not user.is_superuser:
        leagues = leagues.filter(roles__user=user)
    leagues = leagues.prefetch_related("seasons").order_by("name", "pk")
    return [
        LeagueDesk(
            league, sorted(league.seasons.all(), key=lambda s: (s.starts_on, s.pk), reverse=True)
        )
        for league in leagues
    ]


def entries_open_for(user, today) -> list[Season]:
    """The seasons into which the account may enter teams of its clubs today."""
    if not any(user.club_roles.all()):
        return []
    return list(
        Season.objects.filter(entries_close_on__gte=today, closed_at__isnull=True)
        .select_related("league")
        .order_by("league__name", "starts_on")
    )


def division_desks(season: Season) -> list[DivisionDesk]:
    """The divisions of a season from the top down, in a few queries for all of them."""
    divisions = list(season.divisions.select_related("rated_event").order_by("rank", "name", "pk"))
    tables = tables_of(divisions)
    clubs = {
        team.pk: team.club
        for team in Team.objects.filter(division__in=divisions).select_related("club")
    }
    desks = []
    for division in divisions:
        table = tables[division.pk]
        teams = sorted(table.teams.values(), key=lambda team: (team.search_name, team.pk))
        for team in teams:
            team.club = clubs[team.pk]
        desks.append(DivisionDesk(division, teams, len(table.matches), len(awaited_in(table))))
    return desks


def registrations_waiting(season: Season) -> int:
    """How many registrations the officer has still to decide."""
    return season.registrations.waiting().count()


def undecided_violations(season: Season) -> int:
    """How many violations of cards the officer has still to decide."""
    return Violation.objects.filter(match__division__season=season, decision="").count()


def captains_of(season: Season) -> list[Team]:
    """Every team that plays, by division, with its club: whom to ask, and where it meets."""
    return list(
        Team.objects.filter(division__season=season)
        .active()
        .select_related("club", "division")
        .order_by("division__rank", "division__name", "search_name", "pk")
    )


def addresses_of(teams: Iterable[Team]) -> list[str]:
    """The captains' e-mail addresses, each once, in order."""
    return list(dict.fromkeys(team.captain_email for team in teams if team.captain_email))
