"""Finding players, clubs and teams by what somebody typed."""

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from clubs.access import may_see_names
from clubs.models import Club, Player

from .models import Team


@dataclass(frozen=True)
class Hits:
    """The first few rows of one kind, and how many there are of it."""

    rows: list
    count: int

    @property
    def more(self) -> int:
        return self.count - len(self.rows)


@dataclass(frozen=True)
class Found:
    """Everything that fits; players come as pairs with their ratings by pool."""

    players: Hits
    clubs: Hits
    teams: Hits

    @property
    def count(self) -> int:
        return self.players.count + self.clubs.count + self.teams.count

    @cached_property
    def only(self):
        """The one hit if there is no other."""
        if self.count != 1:
            return None
        return next(row for hits in (self.clubs, self.teams, self.players) for row in hits.rows)


def find(text: str, user, today: date, limit: int) -> Found:
    """What fits every word of `text`, at most `limit` of a kind.

    A player whose name is hidden is found by nobody who may not see it. Of a team that plays
    season after season the newest is shown that the account may see.
    """
    players = Player.objects.standing().found(text)
    if not may_see_names(user):
        players = players.with_public_names(today)
    newest = Team.objects.visible_to(user).found(text).newest_of_each()
    teams = Team.objects.filter(pk__in=newest.values("pk"))
    return Found(
        hits(players.with_clubs(today).order_by("sort_name", "pk"), limit),
        hits(Club.objects.found(text).order_by("search_name"), limit),
        hits(teams.for_page().order_by("search_name", "pk"), limit),
    )


def hits(rows, limit: int) -> Hits:
    """The first rows of a query and its count; one query while they all fit."""
    first = list(rows[: limit + 1])
    return Hits(first[:limit], len(first) if len(first) <= limit else rows.count())
