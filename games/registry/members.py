"""The members of a club with their ratings, in board order."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from clubs.models import Club, Membership, Player
from ratings.models import EloRating, PoolName


@dataclass(frozen=True, slots=True)
class Member:
    """A player with his rating in each pool in which he has games."""

    player: Player
    ratings: dict[str, EloRating]

    @property
    def standard(self) -> EloRating | None:
        return self.ratings.get(PoolName.STANDARD)

    @property
    def rapid(self) -> EloRating | None:
        return self.ratings.get(PoolName.RAPID)


def members_of(club: Club, today: date, names_seen: bool) -> list[Member]:
    """Everybody who is a member today, the highest standard Elo first, the unrated by name.

    Unless all names are seen, hidden ones stand last among their equals, so that their place
    tells nothing.
    """
    current = Membership.objects.on(today).filter(club=club)
    players = Player.objects.filter(pk__in=current.values("player"))
    ratings = ratings_of(players)
    members = [Member(player, ratings.get(player.pk, {})) for player in players]

    def order(member: Member) -> tuple:
        rating = member.standard
        hidden = not names_seen and member.player.is_hidden(today)
        name = "" if hidden else member.player.sort_name
        return rating is None, -rating.rating if rating else 0, hidden, name, member.player.pk

    return sorted(members, key=order)


def ratings_of(players: Iterable[Player]) -> dict[int, dict[str, EloRating]]:
    """The ratings of these players by pk and pool, the pools in their usual order."""
    pools = list(PoolName.values)
    found: dict[int, dict[str, EloRating]] = defaultdict(dict)
    rows = EloRating.objects.filter(player__in=players).select_related("pool")
    for row in sorted(rows, key=lambda row: pools.index(row.pool_id)):
        found[row.player_id][row.pool_id] = row
    return found
