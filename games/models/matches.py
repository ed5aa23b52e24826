"""Matches and their boards: what was played, and what the league awards."""

from django.conf import settings
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.history import tracked
from clubs.models import Player

from ..match_querysets import BoardQuerySet, MatchQuerySet
from .agreement import CLOSED, OPEN, Agreement, Side
from .competitions import Division, Team, TeamState


class MatchState(models.TextChoices):
    ARRANGED = "arranged", _("arranged")
    POSTPONED = "postponed", _("postponed")
    VOID = "void", _("void")
    AWARDED = "awarded", _("awarded")


DECIDED = (MatchState.VOID, MatchState.AWARDED)


class DefaultedBy(models.TextChoices):
    """Who did not turn up to a match that was awarded for it."""

    HOME = "home", _("the home side")
    AWAY = "away", _("the away side")
    BOTH = "both", _("both sides")


class Colour(models.TextChoices):
    WHITE = "white", _("White")
    BLACK = "black", _("Black")
    UNKNOWN = "unknown", _("unknown")


class Award(models.TextChoices):
    """What the league awards where that is not the game as played."""

    HOME_DEFAULT = "home_default", _("won by default by the home side")
    AWAY_DEFAULT = "away_default", _("won by default by the away side")
    DOUBLE_DEFAULT = "double_default", _("lost by default by both sides")
    GIVEN = "given", _("awarded")


class Unfinished(models.TextChoices):
    """Why a game that was begun has no result yet."""

    ADJOURNED = "adjourned", _("adjourned")
    ADJUDICATION = "adjudication", _("for adjudication")


class OrderException(models.TextChoices):
    """Why a board may stand out of order."""

    SUBSTITUTE = "substitute", _("substitute")
    MOVED = "moved", _("moved to a board that the opponents defaulted")


DEFAULTS = [Award.HOME_DEFAULT, Award.AWAY_DEFAULT, Award.DOUBLE_DEFAULT]


@tracked()
class Match(models.Model):
    """Two teams of a division meet; `leg` counts the times this home team receives this away team.

    `number` orders matches of one day (rules/elo.md section 1); `stated_home` and `stated_away`
    are a score in half-points that came without boards, or beside them and not equal to them.
    A void match counts for nobody; of an awarded one the stated score is what the officer gave,
    and `decision` says why. The games as played stay rated in both.

    `entered_at` is when its card was last saved with a result, `first_entered_at` the first time
    an account did; `entered_side` is whose account that was last, blank for neither or both.
    """

    division = models.ForeignKey(Division, models.PROTECT, related_name="matches")
    home = models.ForeignKey(Team, models.PROTECT, related_name="home_matches")
    away = models.ForeignKey(Team, models.PROTECT, related_name="away_matches")
    leg = models.SmallIntegerField(_("leg"), default=1)
    number = models.IntegerField(editable=False)
    round = models.SmallIntegerField(_("round"), default=0)
    round_label = models.CharField(_("name of the round"), max_length=40, blank=True)
    played_on = models.DateField(_("date"), null=True, blank=True)
    board_count = models.SmallIntegerField(_("boards"))
    stated_home = models.SmallIntegerField(
        _("stated score, home, in halves"), null=True, blank=True
    )
    stated_away = models.SmallIntegerField(
        _("stated score, away, in halves"), null=True, blank=True
    )
    state = models.CharField(
        _("state"), max_length=9, choices=MatchState.choices, default=MatchState.ARRANGED
    )
    decision = models.CharField(_("reason of the decision"), max_length=300, blank=True)
    defaulted_by = models.CharField(  # noqa: DJ001
        _("not turned up"), max_length=4, choices=DefaultedBy.choices, null=True, blank=True
    )
    version = models.IntegerField(default=0)
    entered_at = models.DateTimeField(null=True, blank=True)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    first_entered_at = models.DateTimeField(null=True, blank=True)
    entered_side = models.CharField(_("entered by"), max_length=4, choices=Side.choices, blank=True)
    agreement = models.CharField(
        _("agreement"), max_length=9, choices=Agreement.choices, blank=True
    )
    agreed_at = models.DateTimeField(null=True, blank=True)
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    dispute = models.CharField(_("reason of the dispute"), max_length=300, blank=True)
    disputed_at = models.DateTimeField(null=True, blank=True)
    disputed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "matches"
        ordering = ["division", "played_on", "round", "number"]
        indexes = [
            models.Index(fields=["played_on"], name="games_match_by_day"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["division", "home", "away", "leg"], name="games_match_one_per_leg"
            ),
            models.CheckConstraint(condition=~Q(home=F("away")), name="games_match_two_teams"),
            models.CheckConstraint(condition=Q(leg__gte=1), name="games_match_leg_positive"),
            models.CheckConstraint(
                condition=Q(board_count__gte=1, board_count__lte=16),
                name="games_match_one_to_sixteen_boards",
            ),
            models.CheckConstraint(
                condition=Q(stated_home__isnull=True, stated_away__isnull=True)
                | Q(
                    stated_home__gte=0,
                    stated_away__gte=0,
                    stated_home__lte=2 * F("board_count") - F("stated_away"),
                ),
                name="games_match_stated_score_within_boards",
            ),
            models.CheckConstraint(
                condition=(~Q(state__in=["void", "awarded"]) & Q(decision=""))
                | (Q(state__in=["void", "awarded"]) & ~Q(decision="")),
                name="games_match_decided_with_reason",
            ),
            models.CheckConstraint(
                condition=~Q(state="awarded") | Q(stated_home__isnull=False),
                name="games_match_awarded_with_score",
            ),
            models.CheckConstraint(
                condition=Q(defaulted_by__isnull=True) | Q(state="awarded"),
                name="games_match_defaulted_is_awarded",
            ),
            models.CheckConstraint(
                condition=Q(agreement__in=["", *Agreement.values]),
                name="games_match_agreement_known",
            ),
            models.CheckConstraint(
                condition=Q(entered_side__in=["", *Side.values]),
                name="games_match_entered_side_known",
            ),
            models.CheckConstraint(
                condition=Q(agreement="disputed", disputed_at__isnull=False) & ~Q(dispute="")
                | ~Q(agreement="disputed") & Q(dispute="", disputed_at__isnull=True),
                name="games_match_disputed_with_reason",
            ),
            models.CheckConstraint(
                condition=Q(
                    agreement__in=["confirmed", "agreed", "settled"], agreed_at__isnull=False
                )
                | ~Q(agreement__in=["confirmed", "agreed", "settled"]) & Q(agreed_at__isnull=True),
                name="games_match_agreed_at_some_time",
            ),
        ]

    def __str__(self):
        return _("%(home)s v %(away)s") % {"home": self.home, "away": self.away}

    def get_absolute_url(self):
        return reverse("match_detail", args=[self.pk])

    @property
    def is_complete(self) -> bool:
        """Whether as many boards have points as it has; of `MatchQuerySet.with_score()`."""
        return self.boards_decided >= self.board_count

    @property
    def is_decided(self) -> bool:
        """Whether the league has said what becomes of it: nothing is said of its card any more."""
        return self.state in DECIDED

    @property
    def is_off(self) -> bool:
        """Whether it will not be played: decided, of a team that withdrew, or the season closed.

        `MatchQuerySet.not_off()` are the others.
        """
        return (
            self.is_decided
            or TeamState.WITHDRAWN in (self.home.state, self.away.state)
            or self.division.season.closed_at is not None
        )

    @property
    def open_words(self) -> str:
        """That its result is not agreed yet, or disputed, for a list; blank where all is said."""
        if self.agreement not in OPEN or self.is_decided:
            return ""
        return Agreement(self.agreement).label

    @property
    def is_closed(self) -> bool:
        """Whether both sides have agreed on its card, or the officer has settled it."""
        return self.agreement in CLOSED

    @property
    def open_proposal(self):
        """The `Rearrangement` that waits for an answer, None without one."""
        return self.rearrangements.filter(state="proposed").select_related("team").first()


def halves_for(side: str) -> Case:
    """The SQL of the half-points a board gives `side`: from the award if there is one."""
    won, lost = (
        (Award.HOME_DEFAULT, Award.AWAY_DEFAULT)
        if side == "home"
        else (Award.AWAY_DEFAULT, Award.HOME_DEFAULT)
    )
    return Case(
        When(award=won, then=Value(2)),
        When(award__in=[lost, Award.DOUBLE_DEFAULT], then=Value(0)),
        When(award=Award.GIVEN, then=F(f"award_{side}")),
        default=F("result") if side == "home" else Value(2) - F("result"),
        output_field=models.SmallIntegerField(),
    )


@tracked(exclude=["home_halves", "away_halves"])
class Board(models.Model):
    """One board of a match: what was played, and beside it what the league awards.

    `result` is the home side's half-points as played: 2, 1, 0, or none. `home_halves` and
    `away_halves` are what the table counts; the database works them out. An `unfinished` game
    has neither yet; its own date, if known, is when it goes on.
    """

    match = models.ForeignKey(Match, models.PROTECT, related_name="boards")
    number = models.SmallIntegerField(_("board"))
    home_player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="home_boards"
    )
    away_player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="away_boards"
    )
    home_colour = models.CharField(
        _("colour of the home side"), max_length=7, choices=Colour.choices
    )
    result = models.SmallIntegerField(_("result"), null=True, blank=True)
    award = models.CharField(  # noqa: DJ001
        _("award"), max_length=14, choices=Award.choices, null=True, blank=True
    )
    award_home = models.SmallIntegerField(null=True, blank=True)
    award_away = models.SmallIntegerField(null=True, blank=True)
    award_reason = models.CharField(_("reason of the award"), max_length=200, blank=True)
    played_on = models.DateField(_("own date"), null=True, blank=True)
    unfinished = models.CharField(
        _("unfinished"), max_length=12, choices=Unfinished.choices, blank=True
    )
    counts_for_match = models.BooleanField(_("counts for the match"), default=True)
    home_exception = models.CharField(
        _("exception, home"), max_length=10, choices=OrderException.choices, blank=True
    )
    away_exception = models.CharField(
        _("exception, away"), max_length=10, choices=OrderException.choices, blank=True
    )
    home_halves = models.GeneratedField(
        expression=halves_for("home"), output_field=models.SmallIntegerField(), db_persist=True
    )
    away_halves = models.GeneratedField(
        expression=halves_for("away"), output_field=models.SmallIntegerField(), db_persist=True
    )

    objects = BoardQuerySet.as_manager()

    class Meta:
        ordering = ["match", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="games_board_one_per_number"),
            models.UniqueConstraint(
                fields=["match", "home_player"],
                name="games_board_home_player_once",
                deferrable=models.Deferrable.DEFERRED,
            ),
            models.UniqueConstraint(
                fields=["match", "away_player"],
                name="games_board_away_player_once",
                deferrable=models.Deferrable.DEFERRED,
            ),
            models.CheckConstraint(
                condition=Q(home_player__isnull=True)
                | Q(away_player__isnull=True)
                | ~Q(home_player=F("away_player")),
                name="games_board_two_people",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="games_board_number_positive"),
            models.CheckConstraint(
                condition=Q(result__isnull=True) | Q(result__in=[0, 1, 2]),
                name="games_board_result_known",
            ),
            models.CheckConstraint(
                condition=Q(award__isnull=True) | Q(award__in=Award.values),
                name="games_board_award_known",
            ),
            models.CheckConstraint(
                condition=(
                    Q(award=Award.GIVEN, award_home__gte=0, award_away__gte=0) & ~Q(award_reason="")
                )
                | (
                    (Q(award__isnull=True) | ~Q(award=Award.GIVEN))
                    & Q(award_home__isnull=True, award_away__isnull=True)
                ),
                name="games_board_award_points_with_reason",
            ),
            models.CheckConstraint(
                condition=Q(award__isnull=True) | Q(award=Award.GIVEN) | Q(result__isnull=True),
                name="games_board_default_not_played",
            ),
            models.CheckConstraint(
                condition=Q(unfinished__in=["", *Unfinished.values]),
                name="games_board_unfinished_known",
            ),
            models.CheckConstraint(
                condition=Q(unfinished="") | Q(result__isnull=True, award__isnull=True),
                name="games_board_unfinished_without_points",
            ),
        ]

    def __str__(self):
        return f"{self.match}, board {self.number}"
