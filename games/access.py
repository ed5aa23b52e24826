"""Who may do what to leagues, teams and matches. A right over one is no right over another."""

from collections.abc import Collection
from datetime import date

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef

from clubs.access import is_secretary
from clubs.models import Club, ClubRole

from .models import League, LeagueRole, Match, Season, Team, TeamRole


def is_officer(user, league: League | int) -> bool:
    """Whether the account runs this league."""
    if not user.is_authenticated:
        return False
    if user.is_superuser:
        return True
    league_id = league if isinstance(league, int) else league.pk
    return league_id in leagues_of(user)


def acts_for(user, team: Team) -> bool:
    """Whether the account is the team's captain or the secretary of its club."""
    if not user.is_authenticated:
        return False
    return team.pk in teams_of(user) or is_secretary(user, team.club_id)


def with_roles(users):
    """These accounts with the pks of the leagues, teams and clubs of their roles, in one query.

    So the account of a request is read: most pages ask what it may do, some of them often.
    """
    return users.annotate(
        own_leagues=_owned(LeagueRole, "league"),
        own_teams=_owned(TeamRole, "team"),
        own_clubs=_owned(ClubRole, "club"),
    )


def leagues_of(user) -> Collection[int]:
    """The pks of the leagues that the account runs."""
    known = getattr(user, "own_leagues", None)
    return user.league_roles.values_list("league", flat=True) if known is None else known


def teams_of(user) -> Collection[int]:
    """The pks of the teams that the account is captain of."""
    known = getattr(user, "own_teams", None)
    return user.team_roles.values_list("team", flat=True) if known is None else known


def _owned(role, name: str) -> ArraySubquery:
    return ArraySubquery(role.objects.filter(user=OuterRef("pk")).values(name))


def may_see_season(user, season: Season) -> bool:
    """Whether the season is public, or the account is an officer of its league."""
    return season.published_at is not None or is_officer(user, season.league_id)


def may_see_match(user, match: Match) -> bool:
    """Whether the match is public, or the account enters its card."""
    return may_see_season(user, match.division.season) or may_enter_card(user, match)


def may_enter_card(user, match: Match) -> bool:
    """Whether the account may enter the match's card: either side, or an officer of the league."""
    if not user.is_authenticated or not user.is_active:
        return False
    return (
        is_officer(user, match.division.season.league_id)
        or acts_for(user, match.home)
        or acts_for(user, match.away)
    )


def may_enter_team(user, season: Season, today: date) -> bool:
    """Whether the account enters teams: an officer, or a secretary while entries are open."""
    if is_officer(user, season.league_id):
        return True
    is_open = season.entries_close_on is not None and today <= season.entries_close_on
    return is_open and season.closed_at is None and any(user.club_roles.all())


def clubs_to_enter(user, season: Season):
    """The clubs whose teams the account may enter: all for an officer, else its own."""
    if is_officer(user, season.league_id):
        return Club.objects.all()
    return Club.objects.filter(roles__user=user)


def may_register(user, season: Season, club: Club) -> bool:
    """Whether the account registers players of the club: its secretary, or an officer."""
    return is_officer(user, season.league_id) or is_secretary(user, club)
