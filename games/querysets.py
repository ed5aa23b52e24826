"""Reads of leagues, seasons, divisions, teams, matches and boards."""

from django.db import models
from django.db.models import F, Q
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


class DivisionQuerySet(models.QuerySet):
    def published(self):
        """Those of seasons that the public may see."""
        return self.filter(season__published_at__isnull=False)


class TeamQuerySet(models.QuerySet):
    def published(self):
        """Those of seasons that the public may see."""
        return self.filter(division__season__published_at__isnull=False)


class MatchQuerySet(models.QuerySet):
    def published(self):
        """Those of seasons that the public may see."""
        return self.filter(division__season__published_at__isnull=False)


class BoardQuerySet(models.QuerySet):
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
