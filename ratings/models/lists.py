"""Grade lists, the grades on them, and the points of each game."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.history import tracked
from clubs.models import Player, User

from ..grade_querysets import GradeListQuerySet, GradeQuerySet
from .ledger import GradeRuleSet, RatedGame, RatingPool, System


class ListState(models.TextChoices):
    PROVISIONAL = "provisional", _("provisional")
    PUBLISHED = "published", _("published")
    IMPORTED = "imported", _("from outside")


class GradeSource(models.TextChoices):
    """Where a grade used for a game came from (rules/ecf-grading.md sections 0 and 3)."""

    LIST = "list", _("list")
    OPENING = "opening", _("opening grade")
    OTHER = "other", _("the grade at the other rate of play")
    ESTIMATE = "estimate", _("starting grade from the games")


@tracked()
class GradeList(models.Model):
    """The grades of one cutoff: provisional, then published, and each revision a list of its own.

    Imported lists of a federation stand here too, with their publisher and date, and never take
    part in our own reckoning. `unanchored` names the players without any tie to a known grade.
    """

    pool = models.ForeignKey(RatingPool, models.PROTECT, related_name="grade_lists")
    cutoff = models.DateField(_("cutoff"))
    revision = models.SmallIntegerField(_("revision"), default=0)
    state = models.CharField(max_length=11, choices=ListState.choices)
    rules = models.CharField(max_length=10, choices=GradeRuleSet.choices, blank=True)
    juniors_start_anew = models.BooleanField(_("juniors were treated as ungraded"), default=False)
    computed_at = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)
    published_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    reason = models.CharField(_("reason of the revision"), max_length=300, blank=True)
    outstanding = models.IntegerField(_("cards still to come"), default=0)
    unanchored = ArrayField(models.BigIntegerField(), default=list)
    # Of imported lists alone:
    publisher = models.CharField(max_length=10, blank=True)
    variant = models.CharField(max_length=10, blank=True)
    system = models.CharField(max_length=5, choices=System.choices, default=System.GRADE)
    published_on = models.DateField(_("publication date"), null=True, blank=True)

    objects = GradeListQuerySet.as_manager()

    class Meta:
        ordering = ["pool", "-cutoff", "-revision"]
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "cutoff", "revision"],
                condition=Q(publisher=""),
                name="ratings_gradelist_one_per_revision",
            ),
            models.UniqueConstraint(
                fields=["publisher", "pool", "system", "cutoff", "variant"],
                condition=~Q(publisher=""),
                name="ratings_gradelist_imported_once",
            ),
            models.CheckConstraint(
                condition=Q(publisher="", published_on__isnull=True) & ~Q(state=ListState.IMPORTED)
                | Q(state=ListState.IMPORTED, published_on__isnull=False) & ~Q(publisher=""),
                name="ratings_gradelist_own_or_imported",
            ),
            models.CheckConstraint(
                condition=~Q(state=ListState.PUBLISHED) | Q(published_at__isnull=False),
                name="ratings_gradelist_published_at_some_time",
            ),
        ]

    def __str__(self):
        return f"{self.pool} {self.cutoff}"

    def get_absolute_url(self):
        """Our own list's page, as it stands; a list from outside has none."""
        return reverse("grade_list_detail", args=[self.cutoff], query={"pool": self.pool_id})

    def publish(self, *, at, by) -> None:
        """Make the list public for good; the caller holds its lock and saves it."""
        self.state = ListState.PUBLISHED
        self.published_at = at
        self.published_by = by


class Grade(models.Model):
    """One player on one list: the exact mean, and what it was made of, kept for good.

    `published` is the whole grade as the list shows it, null below the minimum; `grade` the true
    one, maybe negative; both null where a player has a starting grade alone. `game_ids` and
    `game_points` are the real games of 36 months, newest first, of which the first `counted` and
    then `brought_in` make the mean (see `ratings.ecf.Mean`). Beside them stands what each game
    was then: its day, the opponent's pk, the player's half-points, and the grades used for him
    and for the opponent, before any clamp; empty on lists made before they were kept.
    """

    grade_list = models.ForeignKey(GradeList, models.PROTECT, related_name="grades")
    player = models.ForeignKey(Player, models.PROTECT, related_name="grades")
    numerator = models.BigIntegerField(null=True)
    divisor = models.IntegerField(null=True)
    grade = models.SmallIntegerField(null=True)
    published = models.SmallIntegerField(null=True)
    category = models.CharField(max_length=1, null=True)  # noqa: DJ001
    recent = models.SmallIntegerField(default=0)
    counted = models.SmallIntegerField(default=0)
    brought_in = models.SmallIntegerField(default=0)
    averaged = models.SmallIntegerField(default=0)
    averaged_from = models.DateField(null=True)
    opening_games = models.SmallIntegerField(default=0)
    opening_grade = models.SmallIntegerField(null=True)
    starting_grade = models.SmallIntegerField(null=True)
    game_ids = ArrayField(models.BigIntegerField(), default=list)
    game_points = ArrayField(models.SmallIntegerField(), default=list)
    game_days = ArrayField(models.DateField(), default=list)
    game_opponents = ArrayField(models.BigIntegerField(), default=list)
    game_halves = ArrayField(models.SmallIntegerField(), default=list)
    game_own_grades = ArrayField(models.SmallIntegerField(), default=list)
    game_grades = ArrayField(models.SmallIntegerField(), default=list)

    objects = GradeQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["grade_list", "-published"], name="ratings_grade_by_grade"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["grade_list", "player"], name="ratings_grade_once"),
            models.CheckConstraint(
                condition=Q(published__isnull=True) | Q(published__gte=0),
                name="ratings_grade_never_published_negative",
            ),
            models.CheckConstraint(
                condition=Q(divisor__isnull=True) | Q(divisor__gt=0),
                name="ratings_grade_divisor_positive",
            ),
        ]

    def __str__(self):
        return f"{self.player}: {self.published}"


class GradedGame(models.Model):
    """The points of one game for both sides, the grades used and where they came from.

    Kept with the list that closes the game's half-year and read by later lists; a correction of
    the game takes the row away, and the next list or revision makes it anew.
    """

    game = models.OneToOneField(RatedGame, models.CASCADE, primary_key=True, related_name="graded")
    grade_list = models.ForeignKey(GradeList, models.PROTECT, related_name="graded_games")
    white_grade = models.SmallIntegerField()
    white_source = models.CharField(max_length=8, choices=GradeSource.choices)
    white_list = models.DateField(null=True)
    white_points = models.SmallIntegerField()
    black_grade = models.SmallIntegerField()
    black_source = models.CharField(max_length=8, choices=GradeSource.choices)
    black_list = models.DateField(null=True)
    black_points = models.SmallIntegerField()

    def __str__(self):
        return f"{self.game_id}: {self.white_points} {self.black_points}"
