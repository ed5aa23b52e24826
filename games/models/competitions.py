"""Leagues, seasons, divisions with their rules, teams, and who acts for them."""

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.history import tracked
from clubs.models import Club
from clubs.names import fold
from ratings.models import RatedEvent

from ..querysets import (
    DivisionQuerySet,
    LeagueQuerySet,
    SeasonQuerySet,
    TeamQuerySet,
    TeamRoleQuerySet,
)
from .agreement import AGREEMENT_RULE_CONSTRAINTS, AgreementRuleColumns
from .card_rules import CARD_RULE_CONSTRAINTS, CardRuleColumns
from .cup_rules import CUP_RULE_CONSTRAINTS, CupRuleColumns
from .table_rules import TABLE_RULE_CONSTRAINTS, TableRuleColumns


class HomeColour(models.TextChoices):
    """Which boards of a match the home side has White on."""

    EVEN = "even", _("home has White on even boards")
    ODD = "odd", _("home has White on odd boards")
    TOSS = "toss", _("decided by toss, entered on the card")
    UNKNOWN = "unknown", _("not recorded")


class TeamState(models.TextChoices):
    ACTIVE = "active", _("active")
    WITHDRAWN = "withdrawn", _("withdrawn")


class League(models.Model):
    """A competition that comes back every season."""

    name = models.CharField(_("name"), max_length=100, db_collation="C")
    slug = models.SlugField(_("address"), max_length=100, unique=True)

    objects = LeagueQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self):
        return self.name

    def get_absolute_url(self):
        return reverse("league_detail", args=[self.slug])


class Season(models.Model):
    """One year of a league, `[starts_on, ends_on)`; the public sees it from `published_at` on."""

    league = models.ForeignKey(League, models.PROTECT, related_name="seasons")
    label = models.CharField(_("label"), max_length=40)
    slug = models.SlugField(_("address"), max_length=40)
    starts_on = models.DateField(_("starts on"))
    ends_on = models.DateField(_("ends before"))
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    copied_from = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="copies"
    )
    entries_close_on = models.DateField(
        _("clubs enter their teams until"),
        null=True,
        blank=True,
        help_text=_("Up to this day secretaries enter teams themselves. Blank: only the officer."),
    )
    registration_deadline = models.DateField(
        _("players are registered by"),
        null=True,
        blank=True,
        help_text=_("Later registrations wait for the officer. Blank: all year round."),
    )
    one_club_a_player = models.BooleanField(
        _("one club a player"),
        default=True,
        help_text=_("A player may be registered for one club of this league at a time."),
    )

    objects = SeasonQuerySet.as_manager()

    class Meta:
        ordering = ["league", "-starts_on"]
        constraints = [
            models.UniqueConstraint(fields=["league", "slug"], name="games_season_one_per_label"),
            models.CheckConstraint(
                condition=Q(starts_on__lt=F("ends_on")), name="games_season_ends_after_it_starts"
            ),
        ]

    def __str__(self):
        return f"{self.league} {self.label}"

    def get_absolute_url(self):
        return reverse("season_detail", args=[self.league.slug, self.slug])

    @property
    def last_day(self) -> date:
        """Its last day; it ends before the next."""
        return date.fromordinal(self.ends_on.toordinal() - 1)


class Division(TableRuleColumns, CardRuleColumns, CupRuleColumns, AgreementRuleColumns):
    """A table of teams, or a cup, and the rules they play by; points are counted in halves."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="divisions")
    name = models.CharField(_("name"), max_length=100, db_collation="C")
    slug = models.SlugField(_("address"), max_length=100)
    rank = models.SmallIntegerField(_("place among the divisions"), default=1)
    rated_event = models.OneToOneField(RatedEvent, models.PROTECT, related_name="division")
    board_count = models.SmallIntegerField(_("boards"), default=6)
    minutes = models.SmallIntegerField(_("minutes a player"), default=75)
    increment_seconds = models.SmallIntegerField(_("seconds a move"), default=10)
    legs = models.SmallIntegerField(
        _("meetings of two teams"),
        default=2,
        help_text=_("How often each two teams meet; home and away change from leg to leg."),
    )
    home_colour = models.CharField(
        _("colours"), max_length=7, choices=HomeColour.choices, default=HomeColour.EVEN
    )
    promoted = models.SmallIntegerField(_("teams promoted"), default=0)
    relegated = models.SmallIntegerField(_("teams relegated"), default=0)
    version = models.BigIntegerField(default=0)
    changed_at = models.DateTimeField(null=True, blank=True)

    objects = DivisionQuerySet.as_manager()

    class Meta:
        ordering = ["season", "rank", "name"]
        constraints = [
            models.UniqueConstraint(fields=["season", "slug"], name="games_division_one_per_name"),
            models.CheckConstraint(
                condition=Q(board_count__gte=1, board_count__lte=16),
                name="games_division_one_to_sixteen_boards",
            ),
            models.CheckConstraint(
                condition=Q(minutes__gte=0, increment_seconds__gte=0),
                name="games_division_time_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(legs__gte=1, legs__lte=8), name="games_division_one_to_eight_legs"
            ),
            *TABLE_RULE_CONSTRAINTS,
            *CARD_RULE_CONSTRAINTS,
            *CUP_RULE_CONSTRAINTS,
            *AGREEMENT_RULE_CONSTRAINTS,
        ]

    def __str__(self):
        return self.name

    def get_absolute_url(self):
        return reverse("division_detail", args=[self.pk])


@tracked(
    model_name="TeamEvent",
    fields=[
        *("division", "club", "name", "state"),
        *("withdrawn_on", "play_off_place", "play_off_on"),
    ],
)
class Team(models.Model):
    """A club's team in one division.

    It is withdrawn from the day `withdrawn_on`; `play_off_place` is its place, 1 the winner,
    among the teams that were level until a play-off, as the officer entered it. `seed` is its
    place among the seeded teams of a cup, 1 the strongest, None for the others.

    `order_number` is its place in the alphabet among the teams made with it, fixed when it is
    made: it puts matches of one day in order (rules/elo.md section 1, number in source).
    """

    division = models.ForeignKey(Division, models.PROTECT, related_name="teams")
    club = models.ForeignKey(Club, models.PROTECT, related_name="teams")
    name = models.CharField(_("name"), max_length=100)
    search_name = models.CharField(max_length=100, editable=False, db_collation="C")
    order_number = models.SmallIntegerField(editable=False)
    captain_name = models.CharField(_("captain"), max_length=100, blank=True)
    captain_email = models.EmailField(_("captain's e-mail"), blank=True)
    captain_phone = models.CharField(_("captain's phone"), max_length=40, blank=True)
    state = models.CharField(
        _("state"), max_length=9, choices=TeamState.choices, default=TeamState.ACTIVE
    )
    final_position = models.SmallIntegerField(
        _("final position"), null=True, blank=True, editable=False
    )
    withdrawn_on = models.DateField(_("withdrawn on"), null=True, blank=True)
    play_off_place = models.SmallIntegerField(_("place in the play-off"), null=True, blank=True)
    play_off_on = models.DateField(_("day of the play-off"), null=True, blank=True)
    seed = models.SmallIntegerField(_("seeded"), null=True, blank=True)

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["division", "order_number"]
        constraints = [
            models.UniqueConstraint(
                fields=["division", "search_name"], name="games_team_one_per_name"
            ),
            models.UniqueConstraint(
                fields=["division", "order_number"], name="games_team_one_per_order_number"
            ),
            models.CheckConstraint(
                condition=Q(play_off_place__isnull=True, play_off_on__isnull=True)
                | Q(play_off_place__isnull=False, play_off_place__gte=1, play_off_on__isnull=False),
                name="games_team_play_off_place_with_its_day",
            ),
            models.UniqueConstraint(
                fields=["division", "seed"],
                name="games_team_one_per_seed",
                deferrable=models.Deferrable.DEFERRED,
            ),
            models.CheckConstraint(
                condition=Q(seed__isnull=True) | Q(seed__gte=1), name="games_team_seed_positive"
            ),
        ]

    def __str__(self):
        return self.name

    def save(self, **kwargs):
        self.fold_name()
        super().save(**kwargs)

    def get_absolute_url(self):
        return reverse("team_detail", args=[self.pk])

    @property
    def has_contact(self) -> bool:
        """Whether it is said how its captain is reached."""
        return bool(self.captain_name or self.captain_email or self.captain_phone)

    def fold_name(self):
        """Fill the column that finds it; bulk writers call this themselves."""
        self.search_name = fold(self.name)


@tracked()
class TeamRole(models.Model):
    """A captain: an account that enters the cards of one team."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="team_roles")
    team = models.ForeignKey(Team, models.CASCADE, related_name="roles")

    objects = TeamRoleQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "team"], name="games_teamrole_once")]

    def __str__(self):
        return f"{self.user}, {self.team}"


@tracked()
class LeagueRole(models.Model):
    """A league officer: an account that runs one league."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="league_roles")
    league = models.ForeignKey(League, models.CASCADE, related_name="roles")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "league"], name="games_leaguerole_once")
        ]

    def __str__(self):
        return f"{self.user}, {self.league}"


@tracked()
class Adjustment(models.Model):
    """Points put on or taken off a team by a decision, in halves, with its reason in words."""

    team = models.ForeignKey(Team, models.PROTECT, related_name="adjustments")
    match_points = models.SmallIntegerField(_("match points, in halves"), default=0)
    game_points = models.SmallIntegerField(_("game points, in halves"), default=0)
    reason = models.CharField(_("reason"), max_length=300)
    decided_on = models.DateField(_("decided on"))

    class Meta:
        ordering = ["team", "decided_on", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(match_points=0) | ~Q(game_points=0),
                name="games_adjustment_changes_something",
            ),
        ]

    def __str__(self):
        return f"{self.team}: {self.reason}"
