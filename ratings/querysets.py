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


class RatingPoolQuerySet(models.QuerySet):
    def stale(self, *names: str):
        """Those whose ratings a job works out again, by name; of these names, if any are given."""
        stale = self.filter(stale_from__isnull=False).order_by("pk")
        return stale.filter(pk__in=names) if names else stale

    def stale_from(self, *names: str) -> dict[str, date | None]:
        """What a file of ratings of these pools, or of all, says: the first day that is stale.

        `stale_from` is None while none of them is.
        """
        return self.stale(*names).aggregate(stale_from=Min("stale_from"))


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


class PeopleQuerySet(models.QuerySet):
    """Rows of players in a list of ratings: found, narrowed and ordered by who they are.

    `person` is the path from a row to its player. `strength` is the column that the list is
    about; equals in another order stand by it.
    """

    person = "player__"
    strength: str

    def found(self, text: str):
        """Those of players whose name or ECF code fits, as `Player.objects.found` says."""
        return self.filter(**{f"{self.person}pk__in": Player.objects.found(text)})

    def with_public_names(self, today: date):
        """Those of players whose names everybody may see on `today`."""
        return self.exclude(juniors.hidden(today, self.person))

    def of_members(self, club, day: date):
        """Those of the players who are members of this club on `day`."""
        members = Membership.objects.on(day).filter(club=club).values("player")
        return self.filter(**{f"{self.person}pk__in": members})

    def for_list(self, day: date):
        """With the players and their clubs of `day`, in two queries."""
        clubs = Membership.objects.of_day_with_clubs(day, f"{self.person}memberships")
        rows = self.prefetch_related(clubs)
        return rows.select_related(self.person.removesuffix("__")) if self.person else rows

    def by_name(self, today: date, names_seen: bool, descending: bool = False):
        """By name; where names are not all seen, hidden ones stand last and not in their order."""
        return self.order_by(*self._names(today, names_seen, descending))

    def by_club(self, day: date, today: date, names_seen: bool, descending: bool = False):
        """By the first of the player's clubs of `day`, within it the strongest first."""
        current = MembershipQuerySet.holds_on(day, f"{self.person}memberships__")
        first = Min(f"{self.person}memberships__club__search_name", filter=current)
        people = self.annotate(first_club=first)
        club = last_if_none(F("first_club"), descending)
        return people.order_by(club, *self.by_strength(today, names_seen))

    def by_strength(self, today: date, names_seen: bool) -> tuple:
        """What orders equals: the strongest first, then as `by_name` does.

        Between two names in their order a hidden one would be told within a few letters.
        """
        strongest = F(self.strength).desc(nulls_last=True)
        return strongest, *self._names(today, names_seen)

    def _names(self, today: date, names_seen: bool, descending: bool = False) -> tuple:
        name = self._unless_hidden("sort_name", today, names_seen)
        return last_if_none(name, descending), f"{self.person}pk"

    def _unless_hidden(self, column: str, today: date, names_seen: bool):
        """A player's column, nothing for hidden ones; all of it to who sees every name."""
        value = F(f"{self.person}{column}")
        if names_seen:
            return value
        return Case(When(juniors.hidden(today, self.person), then=Value(None)), default=value)


class EloRatingQuerySet(PeopleQuerySet):
    strength = "rating"

    def provisional(self):
        """Those of fewer than 30 games and no established opening rating."""
        return self.filter(games__lt=30, established=False)

    def by_rating(self, today: date, names_seen: bool, descending: bool = True):
        """The strongest first, or last; equals by name."""
        rating = F("rating").desc() if descending else F("rating").asc()
        return self.order_by(rating, *self._names(today, names_seen))

    def by_games(self, today: date, names_seen: bool, descending: bool = True):
        """By the number of games, equals by rating."""
        games = F("games").desc() if descending else F("games").asc()
        return self.order_by(games, *self.by_strength(today, names_seen))

    def positions(self) -> dict[int, tuple[int, bool]]:
        """The position of each rating as it is shown, and whether several players share it."""
        counts: dict[int, int] = {}
        for tenths, count in self.order_by().values_list("rating").annotate(Count("pk")):
            shown = displayed(tenths)
            counts[shown] = counts.get(shown, 0) + count
        return positions_of(counts)


def positions_of(counts: dict[int, int]) -> dict[int, tuple[int, bool]]:
    """The position of each figure, the highest first, and whether several players share it.

    `counts` says how many players have each figure.
    """
    falling = sorted(counts, reverse=True)
    before = accumulate((counts[shown] for shown in falling), initial=0)
    return {
        shown: (above + 1, counts[shown] > 1) for shown, above in zip(falling, before, strict=False)
    }


def last_if_none(expression, descending: bool, output=models.CharField):
    """An order in which rows without a value stand last, whichever way it runs."""
    ordered = models.ExpressionWrapper(expression, output())
    return ordered.desc(nulls_last=True) if descending else ordered.asc(nulls_last=True)
