"""Rounds and ties of a cup; a tie's matches are ordinary ones of its round and its two teams."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.history import tracked

from .competitions import Division, Team


class TieDecision(models.TextChoices):
    """What an officer decides a tie by, where its boards do not."""

    TOSS = "toss", _("the toss of a coin")
    WALK_OVER = "walk_over", _("a walk-over")
    AWARD = "award", _("a decision of the league")


class CupRound(models.Model):
    """A round of a cup that has been drawn; `lot` is the number that its draw follows from."""

    division = models.ForeignKey(Division, models.CASCADE, related_name="cup_rounds")
    number = models.SmallIntegerField(_("round"))
    name = models.CharField(_("name"), max_length=40)
    lot = models.BigIntegerField(_("number of the draw"))
    drawn_at = models.DateTimeField(_("drawn"))
    drawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["division", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["division", "number"], name="games_cupround_one_per_number"
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1), name="games_cupround_number_positive"
            ),
        ]

    def __str__(self):
        return self.name


@tracked()
class Tie(models.Model):
    """Two teams of a round of which one goes on, or one with a bye (`away` is None).

    `number` is its place in the bracket from the top. `winner` stands only where the officer
    decided; else the boards tell it whenever it is read.
    """

    cup_round = models.ForeignKey(CupRound, models.CASCADE, related_name="ties")
    number = models.SmallIntegerField(_("tie"))
    home = models.ForeignKey(Team, models.PROTECT, related_name="home_ties")
    away = models.ForeignKey(Team, models.PROTECT, null=True, blank=True, related_name="away_ties")
    winner = models.ForeignKey(
        Team, models.PROTECT, null=True, blank=True, related_name="ties_given"
    )
    decided_by = models.CharField(  # noqa: DJ001
        _("decided by"), max_length=9, choices=TieDecision.choices, null=True, blank=True
    )
    reason = models.CharField(_("reason"), max_length=300, blank=True)

    class Meta:
        ordering = ["cup_round", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["cup_round", "number"], name="games_tie_one_per_number"
            ),
            models.UniqueConstraint(fields=["cup_round", "home"], name="games_tie_home_team_once"),
            models.UniqueConstraint(fields=["cup_round", "away"], name="games_tie_away_team_once"),
            models.CheckConstraint(
                condition=Q(away__isnull=True) | ~Q(home=F("away")), name="games_tie_two_teams"
            ),
            models.CheckConstraint(
                condition=Q(winner__isnull=True, decided_by__isnull=True, reason="")
                | (
                    Q(winner__isnull=False, decided_by__isnull=False)
                    & Q(decided_by__in=TieDecision.values)
                    & (Q(winner=F("home")) | Q(winner=F("away")))
                ),
                name="games_tie_decided_for_one_of_its_teams",
            ),
        ]

    def __str__(self):
        if self.away_id is None:
            return str(self.home)
        return gettext("%(home)s v %(away)s") % {"home": self.home, "away": self.away}
