"""How grades, points and ratings are written in a sum."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from ratings import elo
from ratings.access import may_see_own
from ratings.list_games import GradeUsed

register = template.Library()

MINUS = "\N{MINUS SIGN}"
FRACTION_SLASH = "\N{FRACTION SLASH}"
UNKNOWN = "–"


@register.filter
def number(value: int | Decimal | Fraction | None) -> str:
    """A number to add up: 2,736, 143.20, 694 8⁄13, −12; a dash for None."""
    if value is None:
        return UNKNOWN
    sign = MINUS if value < 0 else ""
    if isinstance(value, Fraction):
        whole, rest = divmod(abs(value), 1)
        return sign + " ".join(filter(None, [_whole(whole, rest), _part(rest)]))
    return sign + number_format(abs(value), use_l10n=True, force_grouping=True)


@register.filter
def plain(value: int | Decimal) -> str:
    """A rating, which is never grouped: 1720.0, 1900."""
    return (MINUS if value < 0 else "") + number_format(abs(value))


@register.filter
def signed_number(value: int | Decimal) -> str:
    """A change with its sign: +15.2, −4.8, 0.0."""
    return f"+{number(value)}" if value > 0 else number(value)


@register.filter
def tenths(value: int) -> Decimal:
    """A stored rating or change as a number of one decimal."""
    return (Decimal(value) / 10).quantize(Decimal("0.1"))


@register.filter
def shown(value: int | None) -> str:
    """A stored rating as the whole points that people see; a dash for None."""
    return UNKNOWN if value is None else str(elo.displayed(value))


@register.filter
def is_told(used: GradeUsed, sees_mean: bool) -> bool:
    """Whether the page tells this grade that the player himself had in a game."""
    return may_see_own(used, sees_mean)


@register.filter
def told(grades: list[GradeUsed], sees_mean: bool) -> list[GradeUsed]:
    """Those of the player's own grades that the page tells."""
    return [used for used in grades if may_see_own(used, sees_mean)]


def _whole(whole: int, rest: Fraction) -> str:
    return "" if rest and not whole else number_format(whole, force_grouping=True)


def _part(rest: Fraction) -> str:
    return f"{rest.numerator}{FRACTION_SLASH}{rest.denominator}" if rest else ""


@register.filter
def half_year(first_day: date) -> str:
    """A half-year in words, by its first day."""
    if first_day.month == 1:
        return _("January to June %(year)s") % {"year": first_day.year}
    return _("July to December %(year)s") % {"year": first_day.year}


@register.filter
def score(halves: int) -> str:
    """A game's score in a formula: 1, ½, 0."""
    return {0: "0", 1: "½", 2: "1"}[halves]


@register.filter
def compact(value: Decimal) -> Decimal:
    """A decimal without any nought at its end: 1900.0 is 1900, 707.5 stays."""
    return value.to_integral_value() if value == value.to_integral_value() else value


@register.filter
def four_places(value: Decimal) -> str:
    """An expected score as it is reckoned with: 0.2403, 0.7370."""
    return number_format(value, decimal_pos=4)


@register.filter
def trimmed(value: Decimal) -> Decimal:
    """A decimal without noughts at its end, one place at least: 15.1960 is 15.196."""
    short = value.normalize()
    return short if short.as_tuple().exponent < 0 else value.quantize(Decimal("0.1"))
