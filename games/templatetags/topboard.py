"""How scores, ratings and names are written for the eye."""

import datetime
import re

from django import template
from django.utils import timezone
from django.utils.formats import get_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.dates import date_format

register = template.Library()

MINUS = "\N{MINUS SIGN}"
HALF = "½"
UNKNOWN = "–"
NBSP = "\N{NO-BREAK SPACE}"


@register.filter
def halves(value: int | None) -> str:
    """Half-points in words of the field: 81 is 40½, 1 is ½, 24 is 12, 0 is 0, None is a dash."""
    if value is None:
        return UNKNOWN
    sign = MINUS if value < 0 else ""
    whole, odd = divmod(abs(value), 2)
    return sign + (HALF if odd and not whole else f"{whole}{HALF if odd else ''}")


@register.filter
def whole_part(value: int) -> str:
    """The whole points of `value` half-points, empty where only the ½ is written."""
    return halves(value).removesuffix(HALF)


@register.filter
def half_part(value: int) -> str:
    """The ½ of `value` half-points, or nothing."""
    return HALF if value % 2 else ""


@register.filter
def signed_halves(value: int) -> str:
    """Half-points with their sign: +1½, −1, 0."""
    return f"+{halves(value)}" if value > 0 else halves(value)


@register.filter
def rating(tenths: int | None) -> str:
    """A rating of tenths as the whole number that is shown, halves up; a dash when unknown."""
    return UNKNOWN if tenths is None else str((tenths + 5) // 10)


@register.filter
def signed_tenths(tenths: int | None) -> str:
    """A change in tenths to one decimal with its sign: +0.8, −10.3, 0.0; a dash when unknown.

    The point is the language's: +0,8 in French.
    """
    if tenths is None:
        return UNKNOWN
    sign = "+" if tenths > 0 else MINUS if tenths < 0 else ""
    whole, tenth = divmod(abs(tenths), 10)
    return f"{sign}{whole}{get_format('DECIMAL_SEPARATOR')}{tenth}"


@register.filter
def signed(value: int | None) -> str:
    """A whole change with its sign: +4, −3, 0; a dash when unknown."""
    if value is None:
        return UNKNOWN
    return f"+{value}" if value > 0 else f"{MINUS}{-value}" if value < 0 else "0"


@register.filter
def change(tenths: int | None) -> SafeString | str:
    """`signed_tenths` in its colour; the sign says the same to who sees none."""
    text = signed_tenths(tenths)
    if not tenths:
        return text
    return format_html('<span class="{}">{}</span>', "up" if tenths > 0 else "down", text)


@register.filter
def team_name(name: str) -> str:
    """A team's name with its letter glued to it, so that no line begins with a lone A."""
    head, space, last = str(name).rpartition(" ")
    return f"{head}{NBSP}{last}" if space and len(last) <= 3 else str(name)


@register.inclusion_tag("includes/_seat.html")
def seat(name: str, colour: str, side: str) -> dict:
    """A name with its disc, on the side of the score, glued so that no line holds it alone.

    The glue holds the nearest word, of a double-barrelled one the nearest half: a phone's column
    is narrower than some surnames.
    """
    name = str(name)
    if side == "home":
        cut = max(name.rfind(" "), name.rfind("-")) + 1
        word, rest = name[cut:], name[:cut]
    else:
        end = re.search(r"(?<=-)|(?=\s)|$", name).end()
        word, rest = name[:end], name[end:]
    return {"word": word, "rest": rest, "colour": colour, "side": side}


@register.filter
def short_day(day: datetime.date) -> str:
    """A day in little room: 24 Nov, and 24 Nov 2024 where that could be another year's."""
    near = abs((timezone.localdate() - day).days) < 300
    return date_format(day, "j M" if near else "j M Y")


@register.filter
def elided_pages(page):
    """The page numbers worth showing around `page`, with the paginator's ellipsis between."""
    return page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)


@register.filter
def cell_classes(column, part: str) -> str:
    """The classes a django-tables2 column gives its `part` (th or td), read once a column.

    `BoundColumn.attrs` would work them out anew for every cell.
    """
    attrs = column.column.attrs
    return " ".join(filter(None, (attrs.get(key, {}).get("class") for key in ("cell", part))))


@register.filter
def aria_sort(column) -> str:
    """What `aria-sort` says of a column: nothing unless the table is sorted by it."""
    if not column.orderable or not column.is_ordered:
        return ""
    return "descending" if column.order_by_alias.is_descending else "ascending"
