"""Who may sit where: the columns of a division's rules of cards, each with its sentence."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class StrengthList(models.TextChoices):
    """By which figures players are compared."""

    GRADE = "grade", _("our own grades")
    ELO = "elo", _("our own live Elo")
    ECF = "ecf", _("the federation's list")
    ECF_REVISED = "ecf_revised", _("the federation's list as revised")
    FIDE = "fide", _("FIDE's list")


class ListIssue(models.TextChoices):
    """Which issue of a list counts."""

    NEWEST = "newest", _("the newest on the day of the match")
    SEASON = "season", _("that of the season's first day, all season")


class CardRuleColumns(models.Model):
    """The rules of a division's cards, as columns; None is no such rule, and 0 is one."""

    board_order_tolerance = models.SmallIntegerField(
        _("how far a player may be above a higher board"),
        null=True,
        blank=True,
        help_text=_(
            "Nobody may be more than this above anyone on a higher board, in points of the list "
            "below; blank: the order is free."
        ),
    )
    order_list = models.CharField(
        _("board order by"),
        max_length=11,
        choices=StrengthList.choices,
        default=StrengthList.GRADE,
        help_text=_("The figures by which boards stand in order."),
    )
    order_issue = models.CharField(
        _("issue for the board order"),
        max_length=6,
        choices=ListIssue.choices,
        default=ListIssue.NEWEST,
        help_text=_("Which issue of that list counts, by its publication date."),
    )
    limits_list = models.CharField(
        _("limits by"),
        max_length=11,
        choices=StrengthList.choices,
        default=StrengthList.GRADE,
        help_text=_("The figures that the limits below are compared with."),
    )
    limits_issue = models.CharField(
        _("issue for the limits"),
        max_length=6,
        choices=ListIssue.choices,
        default=ListIssue.SEASON,
        help_text=_("Which issue of that list counts, by its publication date."),
    )
    ungraded_counts_as = models.SmallIntegerField(
        _("a player without a figure counts as"),
        null=True,
        blank=True,
        help_text=_("In the team's total and average; blank: he is left out of both."),
    )
    team_total_limit = models.IntegerField(
        _("most the team may come to"),
        null=True,
        blank=True,
        help_text=_("The sum of the figures of a team's players; blank: no limit."),
    )
    team_average_limit = models.SmallIntegerField(
        _("most the team's average may be"),
        null=True,
        blank=True,
        help_text=_("The average of the figures of a team's players; blank: no limit."),
    )
    player_limit = models.SmallIntegerField(
        _("most a player may have"),
        null=True,
        blank=True,
        help_text=_("A stronger player may not play in this division; blank: no limit."),
    )
    registration_required = models.BooleanField(
        _("players are registered"),
        default=False,
        help_text=_("Only who is registered for the club on the day of the match may play."),
    )
    tied_after = models.SmallIntegerField(
        _("games for a higher team that tie a player to it"),
        null=True,
        blank=True,
        help_text=_(
            "Who has played as often for higher teams of the club may not play for a lower one "
            "any more; blank: never."
        ),
    )
    nominated_stay_up = models.BooleanField(
        _("nominated players stay with their team"),
        default=False,
        help_text=_("A player nominated for a higher team may not play for this one."),
    )
    members_only_after = models.SmallIntegerField(
        _("games a player may have without the federation's membership"),
        null=True,
        blank=True,
        help_text=_("From the next game of the season on he must be a member; blank: never."),
    )
    default_is_appearance = models.BooleanField(
        _("a game won by default is an appearance"),
        default=False,
        help_text=_("Whether it counts among the games that tie a player to a team."),
    )
    order_is_strict = models.BooleanField(
        _("a card out of order is refused"),
        default=False,
        help_text=_("Otherwise it is taken with a warning, and the officer decides."),
    )
    limits_are_strict = models.BooleanField(
        _("a card over the limits is refused"),
        default=False,
        help_text=_("Otherwise it is taken with a warning, and the officer decides."),
    )
    eligibility_is_strict = models.BooleanField(
        _("a card with an ineligible player is refused"),
        default=False,
        help_text=_("Otherwise it is taken with a warning, and the officer decides."),
    )

    class Meta:
        abstract = True


def _not_negative(*columns: str) -> Q:
    return Q(*(Q(**{f"{name}__isnull": True}) | Q(**{f"{name}__gte": 0}) for name in columns))


CARD_RULE_CONSTRAINTS = [
    models.CheckConstraint(
        condition=Q(order_list__in=StrengthList.values, limits_list__in=StrengthList.values)
        & Q(order_issue__in=ListIssue.values, limits_issue__in=ListIssue.values),
        name="games_division_lists_known",
    ),
    models.CheckConstraint(
        condition=_not_negative(
            *("board_order_tolerance", "ungraded_counts_as", "team_total_limit"),
            *("team_average_limit", "player_limit", "members_only_after"),
        ),
        name="games_division_limits_not_negative",
    ),
    models.CheckConstraint(
        condition=Q(tied_after__isnull=True) | Q(tied_after__gte=1),
        name="games_division_tied_after_some_games",
    ),
]

# The topics of a form of these rules: a title and its columns, in the order they are asked.
CARD_RULE_TOPICS = (
    (
        _("Board order"),
        ("board_order_tolerance", "order_list", "order_issue", "order_is_strict"),
    ),
    (
        _("Team limits"),
        (
            *("team_total_limit", "team_average_limit", "player_limit", "ungraded_counts_as"),
            *("limits_list", "limits_issue", "limits_are_strict"),
        ),
    ),
    (
        _("Who may play"),
        (
            *("registration_required", "tied_after", "nominated_stay_up"),
            *("default_is_appearance", "members_only_after", "eligibility_is_strict"),
        ),
    ),
)
