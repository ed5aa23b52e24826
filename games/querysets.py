"""Reads of leagues, seasons, divisions, teams, matches and boards."""

from datetime import date

from django.db import models
from django.db.models import Case, Count, F, Max, Min, OuterRef, Q, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce

NOT_RATED_AWARDS = ["home_default", "away_default", "double_default"]


class LeagueQuerySet(models.QuerySet):
    def published(self):
        """Those with a season that the public may see."""
        return self.filter(seasons__published_at__isnull=False).distinct()


class SeasonQuerySet(models.QuerySet):
    def published(self):
        """Those that the public may see."""
        return self.filter(published_at__isnull=False)

    def visible_to(self, user):
        """Those that are public, and those of the leagues that the account runs."""
        if not user.is_authenticated:
            return self.published()
        if user.is_superuser:
            return self
        own = user.league_roles.values("league")
        return self.filter(Q(published_at__isnull=False) | Q(league__in=own))

    def current(self):
        """The newest public season of each league, by the league's name."""
        newest = (
            self.model.objects.published()
            .filter(league=OuterRef("league"))
            .order_by("-starts_on", "-pk")
            .values("pk")[:1]
        )
        return self.filter(pk=Subquery(newest)).order_by("league__name", "pk")


class DivisionQuerySet(models.QuerySet):
    def published(self):
        """Those of seasons that the public may see."""
        return self.filter(season__published_at__isnull=False)

    def for_page(self):
        """With what every page of a division says above its table."""
        return self.select_related("season__league")


class TeamQuerySet(models.QuerySet):
    def published(self):
        """Those of seasons that the public may see."""
        return self.filter(division__season__published_at__isnull=False)


class MatchQuerySet(models.QuerySet):
    def published(self):
        """Those of seasons that the public may see."""
        return self.filter(division__season__published_at__isnull=False)

    def with_score(self):
        """Adds the score in half-points as the table counts it, None while it counts none.

        `boards_home` and `boards_away` add up the boards there are, `boards_decided` counts
        those with points, `boards_defaulted` those won or lost by default. `home_points` and
        `away_points` are the stated score while one stands, else the boards' once as many are
        decided as the match has.
        """
        boards = self.model._meta.get_field("boards").related_model.objects.filter(
            match=OuterRef("pk"), counts_for_match=True, home_halves__isnull=False
        )

        def of_boards(aggregate):
            counted = boards.order_by().values("match").annotate(value=aggregate)
            return Coalesce(Subquery(counted.values("value")), Value(0))

        def counted(side):
            return Case(
                When(stated_home__isnull=False, then=F(f"stated_{side}")),
                When(boards_decided__gte=F("board_count"), then=F(f"boards_{side}")),
                output_field=models.IntegerField(),
            )

        return self.annotate(
            boards_decided=of_boards(Count("pk")),
            boards_defaulted=of_boards(Count("pk", filter=Q(award__in=NOT_RATED_AWARDS))),
            boards_home=of_boards(Sum("home_halves")),
            boards_away=of_boards(Sum("away_halves")),
        ).annotate(home_points=counted("home"), away_points=counted("away"))

    def with_names(self):
        """With the two teams, and what an address or a heading needs."""
        return self.select_related("home", "away", "division")

    def in_order(self):
        """As they were played: by round and day; without a date last in their round."""
        return self.order_by("round", F("played_on").asc(nulls_last=True), "number", "pk")

    def latest_results(self, today: date):
        """Public matches with a score, the newest day first."""
        return (
            self.published()
            .filter(played_on__lte=today)
            .filter(Q(entered_at__isnull=False) | Q(stated_home__isnull=False))
            .with_score()
            .filter(home_points__isnull=False)
            .with_names()
            .select_related("home__club")
            .order_by("-played_on", "division__season", "division__rank", "number", "pk")
        )

    def next_matches(self, today: date):
        """Public matches of today and later that have no card, the nearest day first."""
        return (
            self.published()
            .filter(played_on__gte=today, entered_at__isnull=True, stated_home__isnull=True)
            .with_score()
            .with_names()
            .select_related("home__club")
            .order_by("played_on", "division__season", "division__rank", "number", "pk")
        )


class BoardQuerySet(models.QuerySet):
    def scores(self, side: str):
        """One row of sums for each player and team of this side: `home` or `away`.

        `played` and the three after it count games as played; `halves` are the league's points,
        so a default won scores there and is no game. `first` and `last` are boards.
        """
        win, loss = (2, 0) if side == "home" else (0, 2)
        game = Q(result__isnull=False)
        return (
            self.filter(
                **{f"{side}_player__isnull": False},
                counts_for_match=True,
                home_halves__isnull=False,
            )
            .order_by()
            .values(player=F(f"{side}_player"), team=F(f"match__{side}"))
            .annotate(
                played=Count("pk", filter=game),
                won=Count("pk", filter=game & Q(result=win)),
                drawn=Count("pk", filter=game & Q(result=1)),
                lost=Count("pk", filter=game & Q(result=loss)),
                defaults_won=Count("pk", filter=Q(award=f"{side}_default")),
                halves=Sum(f"{side}_halves"),
                first=Min("number"),
                last=Max("number"),
            )
        )

    def with_day(self):
        """Adds `day`: the board's own date, or else the match's."""
        return self.annotate(day=Coalesce(F("played_on"), F("match__played_on")))

    def rateable(self):
        """Those the ledger must hold: a result, two players, a date, no default."""
        return (
            self.with_day()
            .filter(
                result__isnull=False,
                home_player__isnull=False,
                away_player__isnull=False,
                day__isnull=False,
            )
            .filter(Q(award__isnull=True) | ~Q(award__in=NOT_RATED_AWARDS))
        )
