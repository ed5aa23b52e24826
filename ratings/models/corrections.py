"""What follows corrections: touches that a job has yet to rate, and the log of the ledger's own."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from clubs.models import User

from .ledger import RatedEvent, RatingPool


class StaleTouch(models.Model):
    """What a change of a stale pool touched: noted with the fact, gone when a job has rated it.

    `since`, and each value of `until` by the player's pk, are places in the order of play as
    lists (`ratings.staleness`); `moved` are pks of games, `reopened` of players, as
    `ratings.live.update` takes them. Rows of one pool are made under its lock, so their pks are
    in the order in which the facts came.
    """

    pool = models.ForeignKey(RatingPool, models.PROTECT, related_name="stale_touches")
    since = models.JSONField()
    until = models.JSONField(default=dict)
    moved = ArrayField(models.BigIntegerField(), default=list)
    reopened = ArrayField(models.BigIntegerField(), default=list)

    def __str__(self):
        return f"{self.pool_id}: {self.since}"


class GameCorrection(models.Model):
    """A game of the ledger corrected by hand, with the reason; ledger rows have no other history.

    `before` and `after` are the game's columns by name, players as pks; no `after` means that
    the game was deleted.
    """

    event = models.ForeignKey(RatedEvent, models.PROTECT, related_name="corrections")
    source_key = models.CharField(max_length=100)
    before = models.JSONField()
    after = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=300)
    corrected_at = models.DateTimeField()
    corrected_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        indexes = [
            models.Index(fields=["source_key"], name="ratings_gamecorrection_by_game"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~Q(reason=""), name="ratings_gamecorrection_has_reason"
            ),
        ]

    def __str__(self):
        return f"{self.source_key}: {self.reason}"
