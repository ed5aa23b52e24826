"""Team sheets: who a side means to play, saved before the match and apart from the card."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.history import tracked
from clubs.models import Player

from .competitions import Team
from .matches import Match


@tracked(exclude=["saved_by", "saved_at"])
class SheetSeat(models.Model):
    """A board of a team's sheet for a match: a player, or a name that the registry has not."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="sheet_seats")
    team = models.ForeignKey(Team, models.CASCADE, related_name="sheet_seats")
    number = models.SmallIntegerField(_("board"))
    player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="sheet_seats"
    )
    name = models.CharField(_("name"), max_length=201, blank=True)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["match", "team", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "team", "number"], name="games_sheetseat_one_per_board"
            ),
            models.UniqueConstraint(
                fields=["match", "team", "player"], name="games_sheetseat_player_once"
            ),
            models.CheckConstraint(
                condition=Q(player__isnull=False, name="") | Q(player__isnull=True) & ~Q(name=""),
                name="games_sheetseat_player_or_name",
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=16), name="games_sheetseat_number_known"
            ),
        ]

    def __str__(self):
        return f"{self.team}, board {self.number}"
