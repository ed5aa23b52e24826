"""Who may do what to leagues, teams and matches. A right over one is no right over another."""

from datetime import date

from clubs.access import is_secretary
from clubs.models import Club

from .models import League, Match, Season, Team


def is_officer(user, league: League | int) -> bool:
    """Whether the account runs this league."""
    if not user.is_authenticated:
        return False
    if user.is_superuser:
        return True
    league_id = league if isinstance(league, int) else league.pk
    return any(role.league_id == league_id for role in user.league_roles.all())


def acts_for(user, team: Team) -> bool:
    """Whether the account is the team's captain or the secretary of its club."""
    if not user.is_authenticated:
        return False
    if any(role.team_id == team.pk for role in user.team_roles.all()):
        return True
    return is_secretary(user, team.club_id)


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
