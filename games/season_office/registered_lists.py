"""The registered players of a season: each club's in board order, and who could be added."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q

from clubs.access import may_see_names
from clubs.models import Club, Membership, Player
from games.models import Registration, Season, Team
from ratings.models import EloRating, PoolName

from .registrations import registered_last_season

MOST_FOUND = 30


@dataclass(frozen=True, slots=True)
class Line:
    """A registered player in his place of the board order, with his Elo if he has one."""

    position: int
    registration: Registration
    elo: EloRating | None


@dataclass(frozen=True, slots=True)
class ClubList:
    """A club's registered players."""

    club: Club
    lines: list[Line]


def lists_of(
    season: Season, user, today: date, clubs: Collection[Club] | None = None
) -> list[ClubList]:
    """The lists of all clubs, or of these, by the clubs' names.

    Nominated players stand first by team and board, the rest by standard Elo, the unrated by
    name; who waits for the officer is listed for those alone who fill the list.
    """
    some = Q(approved_at__isnull=False) if clubs is None else Q(club__in=clubs)
    rows = Registration.objects.filter(some, season=season).open()
    rows = list(rows.select_related("club", "player", "team__division"))
    elos = {
        elo.player_id: elo
        for elo in EloRating.objects.filter(
            pool=PoolName.STANDARD, player__in=[row.player_id for row in rows]
        )
    }
    seen = may_see_names(user)

    def order(row: Registration) -> tuple:
        elo = elos.get(row.player_id)
        hidden = not seen and row.player.is_hidden(today)
        nominated = (
            (0, row.team.division.rank, row.team.order_number, row.nominated_rank)
            if row.nominated_rank is not None
            else (1, 0, 0, 0)
        )
        name = "" if hidden else row.player.sort_name
        return (*nominated, elo is None, -elo.rating if elo else 0, hidden, name, row.player_id)

    by_club: dict[int, list[Registration]] = {}
    for row in sorted(rows, key=order):
        by_club.setdefault(row.club_id, []).append(row)
    found = [
        ClubList(
            own[0].club,
            [Line(place, row, elos.get(row.player_id)) for place, row in enumerate(own, 1)],
        )
        for own in by_club.values()
    ]
    return sorted(found, key=lambda each: (each.club.search_name, each.club.pk))


def candidates(season: Season, club: Club, text: str, today: date) -> list[Player]:
    """Who could be registered: for a search those it finds, else members and those of last season.

    Nobody who is registered for the club already.
    """
    held = Registration.objects.filter(season=season, club=club).open().values("player")
    players = Player.objects.playing().exclude(pk__in=held)
    if text.strip():
        return list(players.found(text).order_by("sort_name", "pk")[:MOST_FOUND])
    members = Membership.objects.on(today).filter(club=club).values("player")
    last = [player.pk for player in registered_last_season(season, club)]
    return list(players.filter(Q(pk__in=members) | Q(pk__in=last)).order_by("sort_name", "pk"))


def waiting_for(season: Season) -> list[Registration]:
    """The registrations that wait for the officer, the oldest first."""
    return list(
        season.registrations.waiting()
        .select_related("player", "club", "registered_by")
        .order_by("registered_at", "pk")
    )


def clubs_of(season: Season) -> list[tuple[Club, int]]:
    """The clubs that play in the season, each with how many players it has registered."""
    counted = dict(
        Registration.objects.filter(season=season)
        .open()
        .order_by()
        .values_list("club")
        .annotate(count=Count("pk", filter=Q(approved_at__isnull=False)))
    )
    clubs = Club.objects.filter(pk__in=Team.objects.filter(division__season=season).values("club"))
    return [(club, counted.get(club.pk, 0)) for club in clubs]
