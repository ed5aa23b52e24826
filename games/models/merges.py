"""What was done when two players were found to be one person."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.history import tracked
from clubs.models import Player, User


@tracked(exclude=["moved"])
class PlayerMerge(models.Model):
    """One player merged into another: who did it, and all that moved, so that it can go back.

    `moved` holds the pks of rows that went to the kept player, by kind, and as they were before
    the rows that could not just go (`games.registry.people` writes and reads it).
    """

    kept = models.ForeignKey(Player, models.PROTECT, related_name="merges")
    dropped = models.ForeignKey(Player, models.PROTECT, related_name="merges_away")
    merged_at = models.DateTimeField(_("merged"))
    merged_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    games = models.IntegerField(_("games moved"), default=0)
    moved = models.JSONField(default=dict, editable=False)

    # How many stored rating rows the workflow wrote that returned this.
    ratings_written = 0

    class Meta:
        ordering = ["-merged_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(kept=F("dropped")), name="games_playermerge_two_players"
            ),
            models.UniqueConstraint(
                fields=["dropped"],
                condition=Q(undone_at__isnull=True),
                name="games_playermerge_into_one",
            ),
        ]

    def __str__(self):
        return f"{self.dropped} → {self.kept}"
