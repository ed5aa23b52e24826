"""What both sides say of a card: its states, and the columns of a division's rules for them."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Agreement(models.TextChoices):
    """How far the sides have agreed on a card; blank where nobody was asked, as of an import."""

    ENTERED = "entered", _("not confirmed yet")
    CONFIRMED = "confirmed", _("confirmed by the other side")
    AGREED = "agreed", _("agreed, as nobody objected")
    DISPUTED = "disputed", _("disputed")
    SETTLED = "settled", _("settled by the league’s officer")


OPEN = (Agreement.ENTERED, Agreement.DISPUTED)
CLOSED = (Agreement.CONFIRMED, Agreement.SETTLED)


class Side(models.TextChoices):
    HOME = "home", _("the home side")
    AWAY = "away", _("the away side")


class LateSide(models.TextChoices):
    """Who is to send the result, and pays where it is late."""

    HOME = "home", _("the home side")
    BOTH = "both", _("both sides")


class AgreementRuleColumns(models.Model):
    """When results are due and agreed, as columns of a division; None is no such rule, 0 is one.

    Days are counted from day to day, by the calendar of the league's time zone.
    """

    agrees_after_days = models.SmallIntegerField(
        _("days until a result is agreed by itself"),
        null=True,
        blank=True,
        default=7,
        help_text=_(
            "A complete card that nobody has confirmed or disputed is agreed so many days after "
            "it was entered; 0: at once, blank: never by itself."
        ),
    )
    final_after_days = models.SmallIntegerField(
        _("days until a result is final"),
        null=True,
        blank=True,
        default=28,
        help_text=_(
            "So many days after a card was entered neither side can dispute or change it any "
            "more, and it is agreed at the latest; 0: at once, blank: never by itself. A dispute "
            "waits for the officer."
        ),
    )
    rated_when_agreed = models.BooleanField(
        _("games are rated when the result is agreed"),
        default=False,
        help_text=_(
            "Otherwise they are rated as soon as a card is entered. Changing this rates the "
            "division’s games anew."
        ),
    )
    result_due_days = models.SmallIntegerField(
        _("days until a result is due"),
        null=True,
        blank=True,
        default=3,
        help_text=_(
            "The card is to be entered at the latest so many days after the match; 0: on its "
            "day, blank: there is no deadline."
        ),
    )
    remind_days_before = models.SmallIntegerField(
        _("reminder, days before the deadline"),
        null=True,
        blank=True,
        default=1,
        help_text=_("Both sides get a mail while the card is missing; 0: on the last day."),
    )
    remind_days_after = models.SmallIntegerField(
        _("reminder, days after the deadline"),
        null=True,
        blank=True,
        default=1,
        help_text=_("Both sides get another mail if the card is still missing; blank: none."),
    )
    late_side = models.CharField(
        _("a late result is laid to"),
        max_length=4,
        choices=LateSide.choices,
        default=LateSide.HOME,
        help_text=_("Who loses the points below."),
    )
    late_match_points = models.SmallIntegerField(
        _("match points a late result costs"),
        default=0,
        help_text=_("Taken off by itself the day after the deadline; the officer may undo it."),
    )
    late_game_points = models.SmallIntegerField(
        _("game points a late result costs"),
        default=0,
        help_text=_("The same for game points."),
    )

    class Meta:
        abstract = True


def _days(name: str, least: int) -> Q:
    return Q(**{f"{name}__isnull": True}) | Q(**{f"{name}__gte": least, f"{name}__lte": 366})


AGREEMENT_RULE_CONSTRAINTS = [
    models.CheckConstraint(
        condition=_days("agrees_after_days", 0)
        & _days("final_after_days", 0)
        & _days("result_due_days", 0)
        & _days("remind_days_before", 0),
        name="games_division_agreement_days_from_0_to_366",
        violation_error_message=_("Days of an agreement are from 0 to 366, or left blank."),
    ),
    models.CheckConstraint(
        condition=_days("remind_days_after", 1),
        name="games_division_reminded_after_the_deadline",
        violation_error_message=_("A reminder after the deadline is 1 to 366 days after it."),
    ),
    models.CheckConstraint(
        condition=Q(late_match_points__gte=0, late_game_points__gte=0),
        name="games_division_late_penalty_takes_off",
        violation_error_message=_("A penalty takes points off: not below 0."),
    ),
    models.CheckConstraint(
        condition=Q(late_side__in=LateSide.values), name="games_division_late_side_known"
    ),
]

# The topics of a form of these rules: a title and its columns, in the order they are asked.
AGREEMENT_RULE_TOPICS = (
    (
        _("Agreement on a result"),
        ("agrees_after_days", "final_after_days", "rated_when_agreed"),
    ),
    (
        _("When results are due"),
        (
            *("result_due_days", "remind_days_before", "remind_days_after"),
            *("late_side", "late_match_points", "late_game_points"),
        ),
    ),
)
