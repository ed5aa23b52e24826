"""What a league has sent to the rating officer: its events, each file, and the games in it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.history import tracked
from clubs.models import Player

from .competitions import Season
from .matches import Colour


@tracked(model_name="SubmittedEventChange")
class SubmittedEvent(models.Model):
    """All divisions of a season with one time control, as the rating officer knows them.

    `code` is his name for it and keeps it, once a file was sent. An address has a line a line.
    """

    season = models.ForeignKey(Season, models.PROTECT, related_name="submitted_events")
    minutes = models.SmallIntegerField(_("minutes a player"))
    increment_seconds = models.SmallIntegerField(_("seconds a move"))
    code = models.CharField(_("event code"), max_length=20, unique=True)
    name = models.CharField(_("name of the event"), max_length=100)
    results_officer = models.CharField(_("results officer"), max_length=100)
    results_officer_address = models.TextField(_("address of the results officer"), max_length=500)
    treasurer = models.CharField(_("treasurer"), max_length=100)
    treasurer_address = models.TextField(_("address of the treasurer"), max_length=500)

    class Meta:
        ordering = ["season", "minutes", "increment_seconds"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "minutes", "increment_seconds"],
                name="games_submittedevent_one_per_time_control",
            ),
            models.CheckConstraint(
                condition=Q(code__regex=r"^[A-Z0-9]{1,20}$"),
                name="games_submittedevent_code_names_a_file",
                violation_error_message=_("An event code is letters and digits, like ZZ26LGE."),
            ),
        ]

    def __str__(self):
        return f"{self.code} {self.name}"


class Submission(models.Model):
    """One results file that was sent: its text as it went out, when, and by whom."""

    event = models.ForeignKey(SubmittedEvent, models.PROTECT, related_name="submissions")
    index = models.SmallIntegerField(_("submission index"))
    text = models.TextField(_("file"))
    sent_at = models.DateTimeField(_("sent"))
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["event", "-index"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "index"], name="games_submission_one_per_index"
            ),
            models.CheckConstraint(
                condition=Q(index__gte=1, index__lte=99),
                name="games_submission_index_has_two_digits",
            ),
        ]

    def __str__(self):
        return self.file_name

    @property
    def file_name(self) -> str:
        """The name the rating officer expects: event code, index in two digits."""
        return f"{self.event.code}{self.index:02d}.txt"


class SubmittedGame(models.Model):
    """A game as a file had it; `source_key` is that of the ledger, `result` the home side's."""

    submission = models.ForeignKey(Submission, models.PROTECT, related_name="games")
    source_key = models.CharField(max_length=100)
    match_title = models.CharField(max_length=210)
    board = models.SmallIntegerField()
    played_on = models.DateField()
    home_player = models.ForeignKey(Player, models.PROTECT, related_name="submitted_home_games")
    away_player = models.ForeignKey(Player, models.PROTECT, related_name="submitted_away_games")
    home_colour = models.CharField(max_length=7, choices=Colour.choices)
    result = models.SmallIntegerField()

    class Meta:
        ordering = ["submission", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "source_key"], name="games_submittedgame_once"
            ),
            models.CheckConstraint(
                condition=Q(result__in=[0, 1, 2]), name="games_submittedgame_result_known"
            ),
        ]

    def __str__(self):
        return f"{self.match_title}, board {self.board}"
