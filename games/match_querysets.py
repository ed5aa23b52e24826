"""Reads of matches and boards."""

from collections.abc import Iterable
from datetime import date

from django.contrib.postgres.aggregates import ArrayAgg
from django.db import models
from django.db.models import Case, Count, Exists, F, Max, Min, OuterRef, Q, Subquery, Sum, When
from django.db.models.functions import Coalesce

NOT_RATED_AWARDS = ["home_default", "away_default", "double_default"]


def decided(path: str = "") -> Q:
    """The boards that count for their match and have points, seen from a row by `path`."""
    return Q(**{f"{path}counts_for_match": True, f"{path}home_halves__isnull": False})


class MatchQuerySet(models.QuerySet):
    def published(self):
        """Those of seasons that the public may see."""
        return self.filter(division__season__published_at__isnull=False)

    def with_score(self):
        """Adds the score in half-points as the table counts it, None while it counts none.

        `boards_home` and `boards_away` add up the boards there are, `boards_decided` counts
        those with points, `boards_defaulted` those won or lost by default. `home_points` and
        `away_points` are the stated score while one stands, else the boards' once as many are
        decided as the match has; a void match has none. The boards are joined, so nothing may
        filter by them before.
        """
        have_points = decided("boards__")
        defaulted = have_points & Q(boards__award__in=NOT_RATED_AWARDS)

        def counted(side):
            return Case(
                When(state="void", then=None),
                When(stated_home__isnull=False, then=F(f"stated_{side}")),
                When(boards_decided__gte=F("board_count"), then=F(f"boards_{side}")),
                output_field=models.IntegerField(),
            )

        return self.annotate(
            boards_decided=Count("boards", filter=have_points),
            boards_defaulted=Count("boards", filter=defaulted),
            boards_home=Sum("boards__home_halves", filter=have_points, default=0),
            boards_away=Sum("boards__away_halves", filter=have_points, default=0),
        ).annotate(home_points=counted("home"), away_points=counted("away"))

    def for_table(self, *, with_boards: bool = False):
        """With score, and what a table counts beside it; `with_boards` each board's points.

        `defaults_home` and `defaults_away` count the boards that a side lost by default,
        `extra_home` and `extra_away` add up the boards beyond the match. `board_numbers`,
        `board_homes` and `board_aways` are the match's boards by number and their half-points,
        None where there are none.
        """
        counted = Q(boards__counts_for_match=True)
        extra = Q(boards__counts_for_match=False, boards__home_halves__isnull=False)

        def lost_by_default(award):
            return Count("boards", filter=counted & Q(boards__award__in=[award, "double_default"]))

        matches = self.with_score().annotate(
            defaults_home=lost_by_default("away_default"),
            defaults_away=lost_by_default("home_default"),
            extra_home=Sum("boards__home_halves", filter=extra, default=0),
            extra_away=Sum("boards__away_halves", filter=extra, default=0),
        )
        if not with_boards:
            return matches
        return matches.annotate(
            board_numbers=ArrayAgg("boards__number", filter=counted, order_by="boards__number"),
            board_homes=ArrayAgg("boards__home_halves", filter=counted, order_by="boards__number"),
            board_aways=ArrayAgg("boards__away_halves", filter=counted, order_by="boards__number"),
        )

    def not_off(self):
        """Those that are played or may still be, as `Match.is_off` says of one."""
        rows = self.undecided().filter(division__season__closed_at__isnull=True)
        return rows.exclude(Q(home__state="withdrawn") | Q(away__state="withdrawn"))

    def with_names(self):
        """With the two teams, and what an address or a heading needs."""
        return self.select_related("home", "away", "division")

    def for_card(self):
        """With what a card and its rights need to know of the match."""
        return self.select_related(
            "home__club",
            "away__club",
            "division__season__league",
            "division__rated_event__pool",
            "entered_by",
            "agreed_by",
            "disputed_by",
        )

    def in_order(self):
        """As they were played: by round and day; without a date last in their round."""
        return self.order_by("round", F("played_on").asc(nulls_last=True), "number", "pk")

    def undecided(self):
        """Those of which the league has not said what becomes of them: neither void nor awarded."""
        return self.exclude(state__in=["void", "awarded"])

    def incomplete(self):
        """Those whose card is still to come.

        It is missing, or some of its boards have neither a result nor an award. A match that was
        postponed has no day, and one that is void or awarded, or of a withdrawn team, needs none.
        """
        boards = self.model._meta.get_field("boards").related_model.objects
        number_decided = (
            boards.filter(decided(), match=OuterRef("pk"))
            .order_by()
            .values("match")
            .annotate(number=Count("pk"))
            .values("number")
        )
        return (
            self.undecided()
            .exclude(state="postponed")
            .exclude(home__state="withdrawn")
            .exclude(away__state="withdrawn")
            .filter(board_count__gt=Coalesce(Subquery(number_decided), 0))
        )

    def missing(self):
        """Those whose card nobody has entered: no result at all, and no stated score."""
        return self.incomplete().filter(entered_at__isnull=True, stated_home__isnull=True)

    def outstanding(self, before: date, pool: str):
        """The public ones of a day before `before`, rated in `pool`, whose card is to come."""
        played = self.published().filter(played_on__lt=before, division__rated_event__pool=pool)
        return played.incomplete()

    def awaited_from(self, user, today: date):
        """Those whose card this account is to enter or to complete: their day has come.

        A score that is stated is enough until somebody begins the card beside it. They are of its
        teams, its clubs and the leagues that it runs. Whoever may do everything is asked for no
        more than that, though `may_enter_card` would let him.
        """
        if not user.is_authenticated:
            return self.none()
        teams, clubs = user.team_roles.values("team"), user.club_roles.values("club")
        own = Q(division__season__league__in=user.league_roles.values("league"))
        own |= self.of_sides(teams, clubs)
        asked = Q(stated_home__isnull=True) | ~Q(agreement="")
        return self.filter(own, asked, played_on__lte=today).incomplete()

    @staticmethod
    def of_sides(teams, clubs, match: str = "") -> Q:
        """The condition that a match is of one of these teams or clubs; `match` is the path to it.

        Both are pks or queries for them.
        """
        condition = Q()
        for side in ("home", "away"):
            condition |= Q(**{f"{match}{side}__in": teams})
            condition |= Q(**{f"{match}{side}__club__in": clubs})
        return condition

    def oldest(self) -> list[int]:
        """Their pks, those of the earliest day first."""
        return list(self.order_by("played_on", "pk").values_list("pk", flat=True))

    def lines_of(self, pks: Iterable[int]):
        """The matches of these pks by day, with their score and what a line of a list says.

        The pks are found before, in a query of their own: in one with all its joins PostgreSQL
        would join every match there is before it picks (join_collapse_limit).
        """
        return (
            self.filter(pk__in=[*pks])
            .with_score()
            .with_names()
            .select_related("home__club")
            .order_by("played_on", "division__season", "division__rank", "number", "pk")
        )

    def latest_results(self, today: date, number: int):
        """The last public matches with a score, the newest day first: at most `number` of them.

        Only the last matches that have a card are added up, not all that there are; twice as
        many as wanted leave room for unfinished ones.
        """
        newest = (
            self.published()
            .filter(played_on__lte=today)
            .filter(Q(entered_at__isnull=False) | Q(stated_home__isnull=False))
            .order_by("-played_on", "-pk")
        )
        return (
            self.filter(pk__in=[*newest.values_list("pk", flat=True)[: 2 * number]])
            .with_score()
            .filter(home_points__isnull=False)
            .with_names()
            .select_related("home__club")
            .order_by("-played_on", "division__season", "division__rank", "number", "pk")
        )[:number]

    def next_matches(self, today: date, number: int):
        """The next public matches without a card, from today on: at most `number` of them.

        Those of a team that has withdrawn will not be played.
        """
        nearest = (
            self.published()
            .filter(played_on__gte=today, entered_at__isnull=True, stated_home__isnull=True)
            .exclude(state="void")
            .exclude(home__state="withdrawn")
            .exclude(away__state="withdrawn")
            .order_by("played_on", "pk")
        )
        return self.lines_of(nearest.values_list("pk", flat=True)[:number])


class BoardQuerySet(models.QuerySet):
    def scores(self, side: str):
        """One row of sums for each player and team of this side: `home` or `away`.

        `boards` counts what has points; `played` and the three after it count games as played;
        `halves` are the league's points, so a default won scores there and is no game. `first`
        and `last` are boards.
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
                boards=Count("pk"),
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

    def played_by(self, teams: Iterable[int], until: date):
        """The boards of these teams' matches up to a day that are begun, the newest match first.

        A match is begun when one of its boards is decided. Adds `player`: who sat there for them.
        """
        at_home = Q(match__home__in=teams)
        decided = Q(result__isnull=False) | Q(award__isnull=False)
        begun = self.model.objects.filter(decided, match=OuterRef("match"))
        return (
            self.filter(at_home | Q(match__away__in=teams), match__played_on__lte=until)
            .filter(Exists(begun))
            .annotate(player=Case(When(at_home, then="home_player"), default="away_player"))
            .filter(player__isnull=False)
            .order_by("-match__played_on", "-match_id", "number")
        )

    def with_day(self):
        """Adds `day`: the board's own date, or else the match's."""
        return self.annotate(day=Coalesce(F("played_on"), F("match__played_on")))

    def rateable(self):
        """Those the ledger must hold: a result, two players, a date, no default.

        Where the division rates what is agreed, no card that is open or disputed; one on which
        nobody was asked, as of an import, stands.
        """
        return (
            self.with_day()
            .filter(
                result__isnull=False,
                home_player__isnull=False,
                away_player__isnull=False,
                day__isnull=False,
            )
            .filter(Q(award__isnull=True) | ~Q(award__in=NOT_RATED_AWARDS))
            .exclude(
                match__division__rated_when_agreed=True,
                match__agreement__in=["entered", "disputed"],
            )
        )
