"""How a cup is drawn and its ties are settled: the columns of its rules, each with its sentence."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class DivisionKind(models.TextChoices):
    LEAGUE = "league", _("everybody against everybody, with a table")
    CUP = "cup", _("a cup: who loses a tie is out")


class SettledBy(models.TextChoices):
    """What settles a tie whose score is level."""

    BOARD_COUNT = "board_count", _("board count")
    ELIMINATION = "elimination", _("elimination from the bottom")
    BLACKS = "blacks", _("Blacks on odd boards")
    REPLAY = "replay", _("a replay")
    TOSS = "toss", _("the toss of a coin")


class DrawMode(models.TextChoices):
    START = "start", _("once, at the start")
    ROUNDS = "rounds", _("round by round")


def usual_ways():
    """Board count, then elimination, then Blacks on odd boards, then a toss."""
    return [
        SettledBy.BOARD_COUNT.value,
        SettledBy.ELIMINATION.value,
        SettledBy.BLACKS.value,
        SettledBy.TOSS.value,
    ]


class CupRuleColumns(models.Model):
    """The rules of a cup, as columns of its division; a league's table asks for none of them."""

    kind = models.CharField(
        _("kind"), max_length=6, choices=DivisionKind.choices, default=DivisionKind.LEAGUE
    )
    draw_mode = models.CharField(
        _("the draw is made"),
        max_length=6,
        choices=DrawMode.choices,
        default=DrawMode.START,
        help_text=_("Who meets whom after the first round: by the bracket, or by a new draw."),
    )
    clubs_apart = models.BooleanField(
        _("teams of one club are kept apart"),
        default=True,
        help_text=_("They meet as late as the draw can manage."),
    )
    settling = ArrayField(
        models.CharField(max_length=11, choices=SettledBy.choices),
        verbose_name=_("a level tie is settled by"),
        default=usual_ways,
        help_text=_(
            "The first that decides counts. What stands after a replay settles a replay that is "
            "level again; else it is settled as the first match was, and then replayed."
        ),
    )
    handicap_points = models.SmallIntegerField(
        _("points of strength for half a point’s start"),
        null=True,
        blank=True,
        help_text=_(
            "For each so many points by which a team's total is the lower, over the boards on "
            "which both players have a figure, it starts with half a game point; blank: no start."
        ),
    )

    class Meta:
        abstract = True

    @property
    def is_cup(self) -> bool:
        return self.kind == DivisionKind.CUP


CUP_RULE_CONSTRAINTS = [
    models.CheckConstraint(
        condition=Q(kind__in=DivisionKind.values), name="games_division_kind_known"
    ),
    models.CheckConstraint(
        condition=Q(draw_mode__in=DrawMode.values), name="games_division_draw_mode_known"
    ),
    models.CheckConstraint(
        condition=Q(settling__contained_by=SettledBy.values), name="games_division_settling_known"
    ),
    models.CheckConstraint(
        condition=Q(kind="league") | Q(legs__lte=2), name="games_division_cup_of_one_or_two_legs"
    ),
    models.CheckConstraint(
        condition=Q(handicap_points__isnull=True) | Q(handicap_points__gte=1),
        name="games_division_handicap_positive",
        violation_error_message=_("At least 1 point; leave it blank for no start."),
    ),
]

# The topics of a form of these rules: a title and its columns, in the order they are asked.
CUP_RULE_TOPICS = (
    (_("The draw"), ("draw_mode", "clubs_apart")),
    (_("Ties"), ("legs", "settling", "handicap_points")),
)
