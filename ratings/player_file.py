"""Reading a list of players: each row as an entry, or what is wrong with it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubs.names import PersonName, fold, is_ecf_code, is_nobody, split_name
from clubs.sheets import Problem, Row, Sheet, plain_text, read_sheet

from .models import System

COLUMNS = ("name", "club")
OPTIONAL_COLUMNS = ("code", "grade", "rating", "provisional")
YES = {"yes", "y", "true", "1", "x", "?"}
NO = {"", "no", "n", "false", "0"}
RATINGS = range(1, 4001)
GRADES = range(-100, 441)
MOST_LETTERS = 100

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class Opening:
    """What a row says from outside: a rating in tenths or a grade, and the column it stands in.

    `derived` is a grade that is only the rating converted.
    """

    system: str
    value: int
    column: str
    derived: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A row that was understood.

    `rating` and `grade` are whole points as the file has them; blank is None and never 0.
    `provisional` is None where the file has no such column.
    """

    row: Row
    name: PersonName
    club: str
    code: str | None
    rating: int | None
    grade: int | None
    provisional: bool | None

    def openings(self) -> Iterator[Opening]:
        """A rating opens the Elo; the grade, else the rating converted, is the opening grade."""
        if self.rating is not None:
            yield Opening(System.ELO, self.rating * 10, "rating")
        if self.grade is not None:
            yield Opening(System.GRADE, self.grade, "grade")
        elif self.rating is not None:
            yield Opening(System.GRADE, grade_of(self.rating), "rating", derived=True)


def grade_of(rating: int) -> int:
    """The grade of a rating in whole points: (rating - 700) / 7.5 to the nearest, halves up."""
    return (4 * (rating - 700) + 15) // 30


def read_players(content: bytes) -> tuple[Sheet, list[Entry]]:
    """The file and its entries; what is wrong stands in the sheet's `problems`."""
    sheet = read_sheet(content, required=COLUMNS, optional=OPTIONAL_COLUMNS)
    entries = []
    for row in sheet.rows:
        reader = _RowReader(row)
        entry = Entry(
            row=row,
            name=reader.name(),
            club=reader.club(),
            code=reader.code(),
            rating=reader.number("rating", RATINGS),
            grade=reader.number("grade", GRADES),
            provisional=reader.flag("provisional") if "provisional" in sheet.columns else None,
        )
        if not row["club"] and not row["code"]:
            reader.refuse("club", _("expected a club, or else a code"))
        if reader.problems:
            sheet.problems += reader.problems
        else:
            entries.append(entry)
    return sheet, entries


class _RowReader:
    """Reads the cells of one row and collects what is wrong with them."""

    def __init__(self, row: Row):
        self.row = row
        self.problems: list[Problem] = []

    def refuse(self, column: str, expected: str) -> None:
        self.problems.append(self.row.problem(column, expected))

    def name(self) -> PersonName:
        try:
            plain_text(self.row["name"], length=2 * MOST_LETTERS)
            if is_nobody(self.row["name"]):
                raise ValueError(_("expected a player's name"))
            name = split_name(self.row["name"])
            if len(name.surname) > MOST_LETTERS or len(name.forenames) > MOST_LETTERS:
                raise ValueError(_("expected at most %d characters") % MOST_LETTERS)
            return name
        except ValueError as error:
            self.refuse("name", str(error))
            return PersonName("", "")

    def club(self) -> str:
        try:
            text = plain_text(self.row["club"], length=MOST_LETTERS)
            if text and not fold(text):
                raise ValueError(_("expected a name with a letter"))
            return text
        except ValueError as error:
            self.refuse("club", str(error))
            return ""

    def code(self) -> str | None:
        code = self.row["code"].upper()
        if code and not is_ecf_code(code):
            self.refuse("code", _("expected six digits and a letter (A–L, no I), like 900101D"))
        return code or None

    def number(self, column: str, allowed: range) -> int | None:
        text = self.row[column]
        if text == "":
            return None
        if _WHOLE_NUMBER.fullmatch(text) and int(text) in allowed:
            return int(text)
        self.refuse(
            column,
            _("expected a whole number from %(first)d to %(last)d, or blank for none")
            % {"first": allowed[0], "last": allowed[-1]},
        )
        return None

    def flag(self, column: str) -> bool:
        text = self.row[column].lower()
        if text not in YES | NO:
            self.refuse(column, _("expected yes or no"))
        return text in YES
