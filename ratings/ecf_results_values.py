"""The values of a results file's fields: a text, a number or a day, or what is wrong with it."""

from datetime import date

from django.utils.translation import gettext as _

from clubs.sheets import plain_text

from . import ecf_results_fields as grammar
from .ecf_results_blocks import LineProblem, Record
from .ecf_results_entries import ResultsFile

MOST_LETTERS = 100
MOST_LETTERS_OF_TITLE = 210


class ValueReader:
    """Reads the fields of records; adds what is wrong to the problems of the file it `found`."""

    def __init__(self, found: ResultsFile, today: date):
        self.found = found
        self.today = today

    def refuse(self, record: Record, name: str, expected: str) -> None:
        """Note a problem at a field, or at the record's line where it has none of this name."""
        given = record.fields.get(name)
        line = record.line if given is None else given.line
        value = "" if given is None else given.value or ""
        self.found.problems.append(LineProblem(line, name, value, expected))

    def text(
        self, record: Record, name: str, *, needed: bool = False, length: int = MOST_LETTERS
    ) -> str:
        value = record.value(name)
        try:
            if needed and not value:
                raise ValueError(_("it is missing"))
            return plain_text(value, length=length)
        except ValueError as error:
            self.refuse(record, name, str(error))
            return ""

    def number_of(
        self, record: Record, name: str, allowed: range, *, needed: bool = False
    ) -> int | None:
        value = record.value(name)
        if not value and not needed:
            return None
        if value.isascii() and value.isdecimal() and len(value) <= 9 and int(value) in allowed:
            return int(value)
        words = {"first": allowed[0], "last": allowed[-1]}
        self.refuse(record, name, _("expected a number from %(first)d to %(last)d") % words)
        return None

    def day(self, record: Record, name: str, *, needed: bool = False) -> date | None:
        value = record.value(name)
        if not value and not needed:
            return None
        try:
            return grammar.date_of(value)
        except ValueError:
            self.refuse(record, name, _("expected a day as dd/mm/yyyy"))
            return None
