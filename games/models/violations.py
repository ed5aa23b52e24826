"""What a stored card has against its division's rules, and what the officer made of it."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.history import tracked
from clubs.models import Player, User

from .competitions import Adjustment, Team
from .matches import Match


class CardRule(models.TextChoices):
    """The rule that a card breaks."""

    BOARD_ORDER = "board_order", _("board order")
    TEAM_TOTAL = "team_total", _("team's total")
    TEAM_AVERAGE = "team_average", _("team's average")
    PLAYER_LIMIT = "player_limit", _("a player's limit")
    NOT_REGISTERED = "not_registered", _("registration")
    TIED = "tied", _("tied to a higher team")
    NOMINATED = "nominated", _("nominated for a higher team")
    NOT_A_MEMBER = "not_a_member", _("the federation's membership")


class Decision(models.TextChoices):
    """What the officer made of a violation."""

    ACCEPTED = "accepted", _("let pass")
    PENALTY = "penalty", _("points off")
    AWARD = "award", _("the board awarded to the other side")


@tracked()
class Violation(models.Model):
    """A rule that a team broke on a card; `board` is 0 where it is the whole team's.

    `player` is whoever broke it; `figures` are the numbers the sentence needs, by name, as they
    were on the day. A card that no longer breaks the rule loses the row, unless it was decided.
    """

    match = models.ForeignKey(Match, models.PROTECT, related_name="violations")
    team = models.ForeignKey(Team, models.PROTECT, related_name="violations")
    rule = models.CharField(_("rule"), max_length=14, choices=CardRule.choices)
    board = models.SmallIntegerField(_("board"), default=0)
    player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="violations"
    )
    figures = models.JSONField(default=dict)
    found_at = models.DateTimeField()
    decision = models.CharField(_("decision"), max_length=8, choices=Decision.choices, blank=True)
    note = models.CharField(_("note"), max_length=300, blank=True)
    adjustment = models.ForeignKey(
        Adjustment, models.SET_NULL, null=True, blank=True, related_name="violations"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["match", "board", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "team", "rule", "board"], name="games_violation_once"
            ),
            models.CheckConstraint(
                condition=Q(rule__in=CardRule.values), name="games_violation_rule_known"
            ),
            models.CheckConstraint(
                condition=Q(decision="", decided_at__isnull=True)
                | Q(decision__in=Decision.values, decided_at__isnull=False),
                name="games_violation_decided_at_some_time",
            ),
        ]

    def __str__(self):
        return f"{self.match}: {self.get_rule_display()}"
