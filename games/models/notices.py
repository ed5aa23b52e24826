"""What was done by itself about a match whose result did not come."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .competitions import Adjustment, Team
from .matches import Match


class NoticeStage(models.TextChoices):
    BEFORE = "before", _("reminded before the deadline")
    AFTER = "after", _("reminded after the deadline")
    ANSWER = "answer", _("reminded before the card is agreed by itself")
    PENALTY = "penalty", _("points off for a late result")


class Notice(models.Model):
    """One step about a match of which the result was due on `due_on`, taken once.

    A reminder has no team: it goes to both sides, or to the side that is asked about the card
    before it is agreed by itself on `due_on`; of that there is one a match. A penalty is one
    team's; it is taken once a match, whatever day the match is moved to, also after the officer
    took the points back and `adjustment` is empty again.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="notices")
    stage = models.CharField(max_length=7, choices=NoticeStage.choices)
    team = models.ForeignKey(Team, models.CASCADE, null=True, blank=True, related_name="+")
    due_on = models.DateField()
    noted_at = models.DateTimeField()
    adjustment = models.ForeignKey(
        Adjustment, models.SET_NULL, null=True, blank=True, related_name="notices"
    )

    class Meta:
        ordering = ["match", "noted_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "stage", "due_on"],
                condition=Q(team__isnull=True),
                name="games_notice_once_a_stage",
            ),
            models.UniqueConstraint(
                fields=["match", "team"],
                condition=Q(stage="penalty"),
                name="games_notice_one_penalty",
            ),
            models.CheckConstraint(
                condition=Q(stage="penalty", team__isnull=False)
                | ~Q(stage="penalty") & Q(team__isnull=True, adjustment__isnull=True),
                name="games_notice_penalty_of_a_team",
            ),
        ]

    def __str__(self):
        return f"{self.match}: {self.get_stage_display()}"
