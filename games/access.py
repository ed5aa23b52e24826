"""Who may do what to leagues, teams and matches. A right over one is no right over another."""

from collections.abc import Collection
from datetime import date

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, OuterRef, Q

from clubs.access import clubs_of, is_grading_officer, is_secretary
from clubs.models import Club, ClubRole, Membership, Player, PlayerState
from ratings.models import RatedGame

from .models import (
    Board,
    League,
    LeagueRole,
    Match,
    Registration,
    Role,
    Season,
    Team,
    TeamRole,
    Violation,
)


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


def may_make_club(user) -> bool:
    """Whether the account adds clubs to the registry: whoever runs a league."""
    return user.is_authenticated and (user.is_superuser or bool(leagues_of(user)))


def may_keep_club(user, club: Club) -> bool:
    """Whether the account says what stands on a club's page, as `clubs_to_keep` lists them."""
    return user.is_authenticated and clubs_to_keep(user).filter(pk=club.pk).exists()


def clubs_to_keep(user):
    """The clubs that the account keeps: those whose secretary it is, those with a team in one of
    its leagues, and for whoever runs a league those that have no team anywhere yet.
    """
    if user.is_superuser:
        return Club.objects.all()
    leagues = leagues_of(user)
    kept = Q(pk__in=clubs_of(user))
    if leagues:
        teams = Team.objects.filter(club=OuterRef("pk"))
        kept |= Exists(teams.filter(division__season__league__in=leagues)) | ~Exists(teams)
    return Club.objects.filter(kept)


def clubs_for_members(user):
    """The clubs whose members the account adds and lets go: all for the grading officer, else those
    it keeps.
    """
    return Club.objects.all() if is_grading_officer(user) else clubs_to_keep(user)


def may_give(user, role: str, subject: League | Club | Team | None) -> bool:
    """Whether the account gives and takes this role of a league, a club or a team.

    Roles come from above: an officer's of the league, a secretary's of the club, and both a
    captain's; the grading officer's of a superuser alone.
    """
    if not user.is_authenticated or user.is_superuser:
        return user.is_authenticated
    if role == Role.OFFICER:
        return is_officer(user, subject)
    if role == Role.SECRETARY:
        return may_keep_club(user, subject)
    if role == Role.CAPTAIN:
        league = subject.division.season.league_id
        return is_officer(user, league) or is_secretary(user, subject.club_id)
    return False


def may_see_people_office(user) -> bool:
    """Whether the account looks after the registry: the grading officer, or one of a league."""
    return is_grading_officer(user) or (user.is_authenticated and bool(leagues_of(user)))


def may_merge(user, keep: Player, drop: Player) -> bool:
    """Whether the account may merge these two: the grading officer, or the officer of a league.

    The latter where nothing of another league is touched: both belong to clubs of his, and every
    card, rated game, registration, violation and club of the dropped one is his.
    """
    if is_grading_officer(user):
        return True
    if not may_see_people_office(user):
        return False
    leagues = leagues_of(user)
    both = players_of_leagues(leagues)
    if not {keep.pk, drop.pk} <= both:
        return False
    boards = Board.objects.filter(Q(home_player=drop) | Q(away_player=drop))
    elsewhere = boards.exclude(match__division__season__league__in=leagues)
    others = RatedGame.objects.of_player(drop.pk).exclude(
        event__division__season__league__in=leagues
    )
    touched = (
        elsewhere,
        others,
        Registration.objects.filter(player=drop).exclude(season__league__in=leagues),
        Violation.objects.filter(player=drop).exclude(match__division__season__league__in=leagues),
        Membership.objects.filter(player=drop).exclude(club__in=clubs_to_keep(user)),
    )
    return not any(rows.exists() for rows in touched)


def may_add_people(user) -> bool:
    """Whether the account adds people to the registry: whoever looks after it, or after a club."""
    return may_see_people_office(user) or (user.is_authenticated and bool(clubs_of(user)))


def may_keep_person(user, player: Player) -> bool:
    """Whether the account looks after this entry of the registry.

    The grading officer after all, a league's officer after those of its clubs and registrations,
    and after whoever belongs to no club at all yet.
    """
    if is_grading_officer(user):
        return True
    if not may_see_people_office(user):
        return False
    own = Player.objects.filter(of_leagues(leagues_of(user)), pk=player.pk)
    return own.exists() or not Membership.objects.filter(player=player).exists()


def of_leagues(leagues: Collection[int]) -> Q:
    """The players of these leagues: of a club that ever had a team there, or registered there."""
    members = Membership.objects.filter(club__teams__division__season__league__in=leagues)
    registered = Registration.objects.filter(season__league__in=leagues)
    return Q(pk__in=members.values("player")) | Q(pk__in=registered.values("player"))


def players_of_leagues(leagues: Collection[int]) -> set[int]:
    """The pks of everybody who belongs to one of these leagues."""
    return set(Player.objects.filter(of_leagues(leagues)).values_list("pk", flat=True))


def pending_players(user):
    """Whom cards brought to the registry and nobody has confirmed, of those the account keeps."""
    pending = Player.objects.filter(state=PlayerState.PENDING)
    if is_grading_officer(user):
        return pending
    return pending.filter(of_leagues(leagues_of(user)))


def may_register(user, season: Season, club: Club) -> bool:
    """Whether the account registers players of the club: its secretary, or an officer."""
    return is_officer(user, season.league_id) or is_secretary(user, club)
