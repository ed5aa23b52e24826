"""Events that came as another rating officer's results file, and whom their players are here."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.history import tracked
from clubs.models import Player

from .ledger import RatedEvent


@tracked(model_name="OutsideEventChange")
class OutsideEvent(models.Model):
    """A congress or a league of elsewhere, as the last results file with its code had it.

    `code` identifies it for good; `index` is the submission index of the file that was read last,
    `digest` the SHA-256 of its text.
    """

    code = models.CharField(_("event code"), max_length=20, unique=True)
    index = models.SmallIntegerField(_("submission index"))
    name = models.CharField(_("name"), max_length=200)
    rated_event = models.OneToOneField(RatedEvent, models.PROTECT, related_name="outside_event")
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))
    minutes = models.SmallIntegerField(_("minutes a player"))
    increment_seconds = models.SmallIntegerField(_("seconds a move"))
    digest = models.CharField(max_length=64)
    file_name = models.CharField(_("file"), max_length=200)
    read_at = models.DateTimeField(_("read"))
    read_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(
                condition=Q(index__gte=0), name="ratings_outsideevent_index_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(starts_on__lte=F("ends_on")),
                name="ratings_outsideevent_ends_after_it_starts",
            ),
        ]

    def __str__(self):
        return f"{self.code} {self.name}"


class OutsidePlayer(models.Model):
    """Whom somebody decided that a person of an event is here, when no code could tell.

    Kept as the file has him (code, folded name, folded club), so that the next file of the same
    event asks no more.
    """

    event = models.ForeignKey(OutsideEvent, models.PROTECT, related_name="players")
    code = models.CharField(max_length=7, null=True, blank=True)  # noqa: DJ001
    search_name = models.CharField(max_length=201, db_collation="C")
    club = models.CharField(max_length=100, blank=True, db_collation="C")
    player = models.ForeignKey(Player, models.PROTECT, related_name="outside_names")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "code", "search_name", "club"],
                name="ratings_outsideplayer_decided_once",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=Q(code__isnull=True) | ~Q(code=""),
                name="ratings_outsideplayer_code_not_blank",
            ),
        ]

    def __str__(self):
        return f"{self.search_name}: {self.player}"
