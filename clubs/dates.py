"""Dates in words, as the reader's language writes them."""

from datetime import date

from django.utils.dateformat import DateFormat
from django.utils.formats import get_format
from django.utils.translation import get_language


class FrenchDate(DateFormat):
    """A first of the month is 1er; months are cut as the Imprimerie nationale cuts them.

    Django's own cut is three letters, which makes juin jui and juillet jul.
    """

    def j(self) -> int | str:
        return "1er" if self.data.day == 1 else self.data.day

    def M(self) -> str:
        return self.N()


def date_format(day: date, form: str | None = None) -> str:
    """A day, or a moment, in the format `form` of Django's letters or its language's own."""
    french = (get_language() or "").startswith("fr")
    return (FrenchDate if french else DateFormat)(day).format(get_format(form or "DATE_FORMAT"))
