"""Reads of the ledger and of ratings."""

from datetime import date
from itertools import accumulate

from django.db import models
from django.db.models import Case, Count, F, Min, Value, When

from clubs import juniors
from clubs.models import Membership, Player
from clubs.querysets import MembershipQuerySet

from .elo import displayed

ORDER_OF_PLAY = ("played_on", "event__key", "round", "board", "number")


class RatedEventQuerySet(models.QuerySet):
    def first_day_played(self) -> date | None:
        """The day of the earliest game of these events, at one look into an index an event."""
        games = self.model._meta.get_field("games").related_model.objects
        first = games.filter(event=models.OuterRef("pk")).order_by("played_on")
        days = self.annotate(first_game=models.Subquery(first.values("played_on")[:1]))
        return days.aggregate(first=Min("first_game"))["first"]


class RatedGameQuerySet(models.QuerySet):
    def in_order_of_play(self):
        """The games in the one total order that ratings follow (rules/elo.md section 1)."""
        return self.order_by(*ORDER_OF_PLAY)

    def newest_first(self):
        """The games in the order of play turned round."""
        return self.order_by(*(f"-{column}" for column in ORDER_OF_PLAY))

    def of_player(self, player_id: int):
        """The games in which this player had either colour."""
        return self.filter(models.Q(white=player_id) | models.Q(black=player_id))

    def with_ratings(self):
        """With both players, the event and its pool, and what the game did to both ratings."""
        return self.select_related("event__pool", "white", "black", "elo")


class EloRatingQuerySet(models.QuerySet):
    def provisional(self):
        """Those of fewer than 30 games and no established opening rating."""
        return self.filter(games__lt=30, established=False)

    def found(self, text: str):
        """Those of players whose name or ECF code fits, as `Player.objects.found` says."""
        return self.filter(player__in=Player.objects.found(text))

    def with_public_names(self, today: date):
        """Those of players whose names everybody may see on `today`."""
        return self.exclude(juniors.hidden(today, "player__"))

    def of_members(self, club, today: date):
        """Those of the players who are members of this club on `today`."""
        return self.filter(
            player__in=Membership.objects.on(today).filter(club=club).values("player")
        )

    def for_list(self, today: date):
        """With the players and their clubs of `today`, in two queries."""
        clubs = Membership.objects.of_day_with_clubs(today, "player__memberships")
        return self.select_related("player").prefetch_related(clubs)

    def by_rating(self, descending: bool = True):
        """The strongest first, or last; equals by name."""
        rating = F("rating").desc() if descending else F("rating").asc()
        return self.order_by(rating, "player__sort_name", "player")

    def by_name(self, today: date, names_seen: bool, descending: bool = False):
        """By name; where names are not all seen, hidden ones stand last and not in their order."""
        name = F("player__sort_name")
        if not names_seen:
            name = Case(When(juniors.hidden(today, "player__"), then=Value(None)), default=name)
        return self.order_by(_last_if_none(name, descending), "player")

    def by_club(self, today: date, descending: bool = False):
        """By the first of the player's clubs of `today`, within it the strongest first."""
        current = MembershipQuerySet.holds_on(today, "player__memberships__")
        first = Min("player__memberships__club__search_name", filter=current)
        ratings = self.annotate(first_club=first)
        return ratings.order_by(
            _last_if_none(F("first_club"), descending), "-rating", "player__sort_name", "player"
        )

    def by_games(self, descending: bool = True):
        """By the number of games, equals by rating."""
        games = F("games").desc() if descending else F("games").asc()
        return self.order_by(games, "-rating", "player__sort_name", "player")

    def positions(self) -> dict[int, tuple[int, bool]]:
        """The position of each rating as it is shown, and whether several players share it."""
        counts: dict[int, int] = {}
        for tenths, count in self.order_by().values_list("rating").annotate(Count("pk")):
            shown = displayed(tenths)
            counts[shown] = counts.get(shown, 0) + count
        falling = sorted(counts, reverse=True)
        before = accumulate((counts[shown] for shown in falling), initial=0)
        return {
            shown: (above + 1, counts[shown] > 1)
            for shown, above in zip(falling, before, strict=False)
        }


def _last_if_none(expression, descending: bool):
    ordered = models.ExpressionWrapper(expression, models.CharField())
    return ordered.desc(nulls_last=True) if descending else ordered.asc(nulls_last=True)


class GradeListQuerySet(models.QuerySet):
    def own(self):
        """Our own lists, not those from outside."""
        return self.filter(publisher="")

    def provisional(self):
        """Our own lists that are worked out and have not come out yet."""
        return self.own().filter(state="provisional")

    def published(self):
        """Our own lists that came out, original and revised."""
        return self.own().filter(state="published")

    def in_force(self):
        """The newest revision of each published list, newest cutoff first."""
        newest = (
            self.model.objects.published()
            .filter(pool=models.OuterRef("pool"), cutoff=models.OuterRef("cutoff"))
            .order_by("-revision")
            .values("pk")[:1]
        )
        return self.published().filter(pk=models.Subquery(newest)).order_by("pool", "-cutoff")


class GradeQuerySet(models.QuerySet):
    def published(self):
        """Those that a list shows: with enough games, one of them in the last 12 months."""
        return self.filter(published__isnull=False)
