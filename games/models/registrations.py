"""Who may play for whom in a season."""

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import RangeBoundary, RangeOperators
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.history import tracked
from clubs.models import Club, DateRange, Player, User
from games.season_office.registration_querysets import RegistrationQuerySet

from .competitions import Season, Team


@tracked()
class Registration(models.Model):
    """A player registered for a club in a season, `[starts_on, ends_on)`.

    `team` is the one he is tied to from the start, `nominated_rank` his place among the nominated
    players of his club's team; both may be missing. One that came after the season's deadline
    waits with `approved_at` empty until the officer lets him play.
    """

    season = models.ForeignKey(Season, models.PROTECT, related_name="registrations")
    club = models.ForeignKey(Club, models.PROTECT, related_name="registrations")
    player = models.ForeignKey(Player, models.PROTECT, related_name="registrations")
    team = models.ForeignKey(
        Team, models.PROTECT, null=True, blank=True, related_name="registrations"
    )
    nominated_rank = models.SmallIntegerField(_("nominated board"), null=True, blank=True)
    starts_on = models.DateField(_("from"))
    ends_on = models.DateField(_("ends before"), null=True, blank=True)
    registered_at = models.DateTimeField()
    registered_by = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    approved_at = models.DateTimeField(null=True, blank=True)

    objects = RegistrationQuerySet.as_manager()

    class Meta:
        ordering = ["season", "club", "player"]
        constraints = [
            ExclusionConstraint(
                name="games_registration_no_overlap",
                expressions=[
                    ("season", RangeOperators.EQUAL),
                    ("club", RangeOperators.EQUAL),
                    ("player", RangeOperators.EQUAL),
                    (
                        DateRange("starts_on", "ends_on", RangeBoundary()),
                        RangeOperators.OVERLAPS,
                    ),
                ],
            ),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(starts_on__lte=F("ends_on")),
                name="games_registration_ends_after_it_starts",
            ),
            models.CheckConstraint(
                condition=Q(nominated_rank__isnull=True) | Q(nominated_rank__gte=1),
                name="games_registration_rank_positive",
            ),
            models.CheckConstraint(
                condition=Q(nominated_rank__isnull=True) | Q(team__isnull=False),
                name="games_registration_rank_in_a_team",
            ),
            models.UniqueConstraint(
                fields=["team", "nominated_rank"],
                condition=Q(ends_on__isnull=True, nominated_rank__isnull=False),
                name="games_registration_one_per_rank",
            ),
        ]

    def __str__(self):
        return f"{self.player}, {self.club}"
