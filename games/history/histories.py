"""Whose history there is: of a match, a person, a club, a season, a grade list; newest first."""

from django.db.models import Q

from clubs.changes import Deed, deeds_of, latest_rows
from clubs.models import Club, ClubEvent, ClubRoleEvent, MembershipEvent, Player, PlayerEvent
from games.match_cards.team_sheets import sheets_of, sides_seen
from games.models import (
    AdjustmentEvent,
    BoardEvent,
    LeagueRoleEvent,
    Match,
    MatchEvent,
    PlayerMergeEvent,
    RearrangementEvent,
    RegistrationEvent,
    Season,
    SheetSeatEvent,
    TeamEvent,
    TeamRoleEvent,
    ViolationEvent,
)
from ratings.models import GradeListEvent

from .history_words import Told, tell

# Of each kind of row of a club or a season; older ones stand in the admin.
MOST_EVENTS = 1000


def deeds_of_match(match: Match, user) -> list[Deed]:
    """All that was done to a match, its boards, what it has against rules, and its day.

    Of the line-ups saved beforehand only what the account may see.
    """
    seen = sides_seen(user, match, sheets_of(match))
    teams = [getattr(match, f"{side}_id") for side in seen]
    return deeds_of(
        MatchEvent.objects.filter(pgh_obj=match.pk),
        BoardEvent.objects.filter(match=match.pk),
        ViolationEvent.objects.filter(match=match.pk),
        RearrangementEvent.objects.filter(match=match.pk),
        SheetSeatEvent.objects.filter(match=match.pk, team__in=teams),
    )


def of_match(match: Match, user) -> list[Told]:
    """The history of a match of `MatchQuerySet.for_card()`, as the account may read it.

    Each account that did something stands in the role it had then.
    """
    sides = (match.home, match.away)
    return tell(
        deeds_of_match(match, user),
        teams=sides,
        clubs={side.club for side in sides},
        leagues=[match.division.season.league],
    )


def of_player(player: Player) -> list[Told]:
    """The history of a person: facts, clubs, registrations, merges."""
    merges = PlayerMergeEvent.objects.filter(Q(kept=player.pk) | Q(dropped=player.pk))
    return tell(
        deeds_of(
            PlayerEvent.objects.filter(pgh_obj=player.pk),
            whole(MembershipEvent.objects.filter(player=player.pk)),
            whole(RegistrationEvent.objects.filter(player=player.pk)),
            merges,
        )
    )


def of_club(club: Club) -> list[Told]:
    """The history of a club: what it says of itself, its members, secretaries, registrations."""
    return tell(
        deeds_of(
            ClubEvent.objects.filter(pgh_obj=club.pk),
            latest_rows(MembershipEvent.objects.filter(club=club.pk), MOST_EVENTS),
            latest_rows(ClubRoleEvent.objects.filter(club=club.pk), MOST_EVENTS),
            latest_rows(RegistrationEvent.objects.filter(club=club.pk), MOST_EVENTS),
        ),
        clubs=[club],
    )


def of_season(season: Season) -> list[Told]:
    """The officer's history of a season: teams, points, violations, registrations and roles."""
    return tell(
        deeds_of(
            latest_rows(TeamEvent.objects.filter(division__season=season.pk), MOST_EVENTS),
            latest_rows(
                AdjustmentEvent.objects.filter(team__division__season=season.pk), MOST_EVENTS
            ),
            latest_rows(
                ViolationEvent.objects.filter(match__division__season=season.pk), MOST_EVENTS
            ),
            latest_rows(RegistrationEvent.objects.filter(season=season.pk), MOST_EVENTS),
            latest_rows(
                TeamRoleEvent.objects.filter(team__division__season=season.pk), MOST_EVENTS
            ),
            LeagueRoleEvent.objects.filter(league=season.league_id),
        ),
        leagues=[season.league],
    )


def of_list(pool: str, cutoff) -> list[Told]:
    """The history of the grade lists of one pool and cutoff, with their revisions."""
    return tell(deeds_of(whole(GradeListEvent.objects.filter(pool=pool, cutoff=cutoff))))


def whole(history):
    """Every event of the rows that `history` has an event of: what they were before too."""
    return history.model.objects.filter(pgh_obj__in=history.values("pgh_obj"))
