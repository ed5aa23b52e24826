"""Reads of leagues, seasons, divisions and teams; those of matches are in `match_querysets`."""

from django.db import models
from django.db.models import F, OuterRef, Q, Subquery

from clubs.querysets import holding_words


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

    def hidden_from(self, user):
        """Those of seasons that the account, or the public, does not see."""
        seasons = self.model._meta.get_field("season").related_model.objects
        return self.exclude(season__in=seasons.visible_to(user))

    def leagues(self):
        """Those with a table: cups are drawn, not planned."""
        return self.filter(kind="league")

    def raise_versions(self) -> None:
        """Let the pages of these be drawn anew; their rows are locked in the order of their pks.

        For what stands above a division: its season's and its league's name, and who may see it.
        """
        rows = self.order_by("pk").select_for_update(no_key=True, of=("self",))
        pks = list(rows.values_list("pk", flat=True))
        self.model.objects.filter(pk__in=pks).update(version=F("version") + 1)

    def for_page(self):
        """With what every page of a division says above its table."""
        return self.select_related("season__league")


class TeamQuerySet(models.QuerySet):
    def published(self):
        """Those of seasons that the public may see."""
        return self.filter(division__season__published_at__isnull=False)

    def visible_to(self, user):
        """Those of seasons that are public, and of the leagues that the account runs."""
        return self.exclude(
            division__in=self.model._meta.get_field("division").related_model.objects.hidden_from(
                user
            )
        )

    def for_page(self):
        """With what a team's page, or a line that names it, says around it."""
        return self.select_related("club", "division__season__league", "division__rated_event")

    def active(self):
        """Those that have not withdrawn."""
        return self.exclude(state="withdrawn")

    def newest_first(self):
        """By season, the newest first; in a season by league, division and name."""
        return self.order_by(
            "-division__season__starts_on",
            "division__season__league__name",
            "division__season",
            "division__rank",
            "search_name",
            "pk",
        )

    def newest_of_each(self):
        """Of these teams that play season after season under one name for one club, the newest."""
        newest = self.newest_first()
        order = ("club_id", "search_name", *newest.query.order_by)
        return newest.order_by(*order).distinct("club_id", "search_name")

    def found(self, text: str):
        """Those whose name holds every word of `text`, ignoring case and accents."""
        return holding_words(self, text)


class TeamRoleQuerySet(models.QuerySet):
    def names(self):
        """The names of the accounts that have one and can log in."""
        named = self.filter(user__is_active=True).exclude(user__name="")
        return named.order_by("user__name").values_list("user__name", flat=True)
