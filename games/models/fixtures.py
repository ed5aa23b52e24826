"""How a season's fixtures are to be made, and the draft of them before anybody sees it."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.history import tracked
from clubs.models import Club, Weekday

from .competitions import Division, Season, Team
from .matches import Match


class Force(models.TextChoices):
    """How much a constraint of a fixture list binds."""

    MUST = "must", _("must")
    STRONG = "strong", _("strong wish")
    WISH = "wish", _("wish")


class RuleForce(models.TextChoices):
    """The same for a rule that can be left out."""

    MUST = "must", _("must")
    STRONG = "strong", _("strong wish")
    WISH = "wish", _("wish")
    OFF = "off", _("does not matter")


class PlanState(models.TextChoices):
    """Where the making of a season's fixtures stands."""

    IDLE = "idle", _("nothing made yet")
    QUEUED = "queued", _("waiting for the job worker")
    SOLVING = "solving", _("being made")
    SOLVED = "solved", _("made")
    IMPOSSIBLE = "impossible", _("impossible")
    UNDECIDED = "undecided", _("not decided in the time given")
    FAILED = "failed", _("failed")


class FixturePlan(models.Model):
    """How the fixtures of one season are made: days, rules, time, and how far it is.

    `run` counts the runs: a job of an older one writes nothing. `draft_version` rises with each
    change of the draft. `report` holds what the solver says of the draft, in words.
    """

    season = models.OneToOneField(Season, models.CASCADE, related_name="fixture_plan")
    weekday = models.SmallIntegerField(
        _("every match is on a"),
        choices=Weekday.choices,
        null=True,
        blank=True,
        help_text=_("Blank: on the club night of the home side."),
    )
    club_teams_early = models.CharField(
        _("teams of one club meet first"),
        max_length=6,
        choices=RuleForce.choices,
        default=RuleForce.MUST,
        help_text=_("In the first rounds of each leg, so that nothing hangs on it later."),
    )
    club_teams_alternate = models.CharField(
        _("two teams of a club alternate"),
        max_length=6,
        choices=RuleForce.choices,
        default=RuleForce.WISH,
        help_text=_("One is at home when the other is away: never both at home in a week."),
    )
    no_three_running = models.CharField(
        _("no three in a row"),
        max_length=6,
        choices=RuleForce.choices,
        default=RuleForce.STRONG,
        help_text=_("Nobody plays three matches running at home, or three away."),
    )
    few_breaks = models.CharField(
        _("home and away by turns"),
        max_length=6,
        choices=RuleForce.choices,
        default=RuleForce.WISH,
        help_text=_("As seldom as possible two matches running at home, or two away."),
    )
    seconds = models.SmallIntegerField(
        _("seconds to look for a better list"),
        default=30,
        help_text=_("A list that meets every wish ends the search earlier."),
    )
    state = models.CharField(max_length=10, choices=PlanState.choices, default=PlanState.IDLE)
    run = models.IntegerField(default=0)
    progress = models.SmallIntegerField(default=0)
    report = models.JSONField(default=dict, blank=True)
    queued_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    draft_version = models.IntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(seconds__gte=1, seconds__lte=600),
                name="games_fixtureplan_one_second_to_ten_minutes",
            ),
            models.CheckConstraint(
                condition=Q(progress__gte=0, progress__lte=100),
                name="games_fixtureplan_progress_in_percent",
            ),
        ]

    def __str__(self):
        return f"{self.season}"


class MatchWeek(models.Model):
    """A week, by its Monday, in which a round may be played."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="match_weeks")
    starts_on = models.DateField(_("Monday"))

    class Meta:
        ordering = ["season", "starts_on"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "starts_on"], name="games_matchweek_one_per_week"
            ),
            models.CheckConstraint(
                condition=Q(starts_on__iso_week_day=1), name="games_matchweek_starts_on_monday"
            ),
        ]

    def __str__(self):
        return f"{self.starts_on}"


class Break(models.Model):
    """Days on which nobody plays, both ends included: Christmas, a congress."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="breaks")
    name = models.CharField(_("what for"), max_length=60)
    first_day = models.DateField(_("from"))
    last_day = models.DateField(_("until and including"))

    class Meta:
        ordering = ["season", "first_day", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(first_day__lte=F("last_day")), name="games_break_ends_after_it_starts"
            ),
        ]

    def __str__(self):
        return self.name


class AvoidDate(models.Model):
    """Days, both ends included, on which a club or a team does not play, or not at home."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="avoid_dates")
    club = models.ForeignKey(Club, models.CASCADE, null=True, blank=True, related_name="+")
    team = models.ForeignKey(Team, models.CASCADE, null=True, blank=True, related_name="+")
    first_day = models.DateField(_("from"))
    last_day = models.DateField(_("until and including"))
    home_only = models.BooleanField(_("only at home"), default=True)
    force = models.CharField(_("binds"), max_length=6, choices=Force.choices, default=Force.MUST)

    class Meta:
        ordering = ["season", "first_day", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(first_day__lte=F("last_day")),
                name="games_avoiddate_ends_after_it_starts",
            ),
            models.CheckConstraint(
                condition=Q(club__isnull=True) ^ Q(team__isnull=True),
                name="games_avoiddate_of_a_club_or_a_team",
            ),
        ]

    def __str__(self):
        return f"{self.club or self.team}, {self.first_day}"


class AvoidPair(models.Model):
    """Two teams that do not play on one night, or are not both at home; their own match apart."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="avoid_pairs")
    first = models.ForeignKey(Team, models.CASCADE, related_name="+")
    second = models.ForeignKey(Team, models.CASCADE, related_name="+")
    home_only = models.BooleanField(_("only at home"), default=False)
    force = models.CharField(_("binds"), max_length=6, choices=Force.choices, default=Force.MUST)

    class Meta:
        ordering = ["season", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(first=F("second")), name="games_avoidpair_two_teams"
            ),
            models.UniqueConstraint(
                fields=["season", "first", "second"], name="games_avoidpair_once"
            ),
        ]

    def __str__(self):
        return f"{self.first}, {self.second}"


class DraftMatch(models.Model):
    """A match of a fixture list that only the league's officers see."""

    division = models.ForeignKey(Division, models.CASCADE, related_name="draft_matches")
    home = models.ForeignKey(Team, models.CASCADE, related_name="+")
    away = models.ForeignKey(Team, models.CASCADE, related_name="+")
    leg = models.SmallIntegerField(_("leg"), default=1)
    round = models.SmallIntegerField(_("round"))
    played_on = models.DateField(_("date"))

    class Meta:
        ordering = ["division", "played_on", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["division", "home", "away", "leg"], name="games_draftmatch_one_per_leg"
            ),
            models.CheckConstraint(condition=~Q(home=F("away")), name="games_draftmatch_two_teams"),
        ]

    def __str__(self):
        return gettext("%(home)s v %(away)s") % {"home": self.home, "away": self.away}


class RearrangementState(models.TextChoices):
    PROPOSED = "proposed", _("proposed")
    AGREED = "agreed", _("agreed")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("taken back")
    OVERTAKEN = "overtaken", _("overtaken")


@tracked()
class Rearrangement(models.Model):
    """A side asks for another day of its match, or none yet; the other side answers.

    `proposed_on` is the day asked for, None to postpone without one.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="rearrangements")
    team = models.ForeignKey(Team, models.CASCADE, related_name="+")
    proposed_on = models.DateField(_("new date"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    state = models.CharField(
        max_length=9, choices=RearrangementState.choices, default=RearrangementState.PROPOSED
    )
    asked_at = models.DateTimeField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["match", "-asked_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"],
                condition=Q(state=RearrangementState.PROPOSED),
                name="games_rearrangement_one_open",
            ),
        ]

    def __str__(self):
        return f"{self.match}: {self.proposed_on}"
