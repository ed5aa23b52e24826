"""CSV files that people hand in: bytes to rows of named cells, and what is wrong row by row.

Row 1 is the header, as a spreadsheet counts. A cell never holds a line break here, so a quote
that somebody forgot to close spoils its own row and no other.
"""

import codecs
import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from .names import UnfitName, tidy

# A season of a large league is a quarter of it.
LARGEST_FILE = 8 * 1024 * 1024

_LINE_ENDS = re.compile(r"\r\n|\n|\r")
# A letter of two or three bytes that somebody would have typed: most of Latin and punctuation.
_UTF_8_LETTER = re.compile(rb"[\xc3-\xc5][\x80-\xbf]|\xe2\x80[\x90-\x9f]")
_SEPARATORS = (",", ";", "\t")
_FORMULA = ("=", "+", "-", "@")


class UnreadableFile(Exception):
    """The file cannot be read as text at all; the message is for the person who handed it in."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A cell that cannot be stored: row, column, what it holds, and a sentence with what should be.

    Row 0 is the file as a whole.
    """

    row: int
    column: str
    value: str
    expected: str

    def __str__(self):
        if self.row == 0:
            return self.expected
        if not self.column:
            return _("row %(row)d: %(expected)s") % {"row": self.row, "expected": self.expected}
        return _("row %(row)d, %(column)s %(value)s: %(expected)s") % {
            "row": self.row,
            "column": self.column,
            "value": shown(self.value),
            "expected": self.expected,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A row's number in the file and its cells by column, without the spaces around them."""

    number: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        """The cell, blank where the file has no such column."""
        return self.cells.get(column, "")

    def problem(self, column: str, expected: str) -> Problem:
        """What is wrong with one of its cells."""
        return Problem(self.number, column, self[column], expected)


@dataclass(slots=True)
class Sheet:
    """A file's rows, the columns nobody here knows, and the rows that could not be read."""

    columns: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_file(path: str | Path) -> bytes:
    """The bytes of a file of at most `LARGEST_FILE`; raises `UnreadableFile` with the reason."""
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise UnreadableFile(f"{path}: {error.strerror}") from None
    if len(content) > LARGEST_FILE:
        raise UnreadableFile(
            _("%(path)s is larger than %(size)d MB; split it, for example by season or division")
            % {"path": path, "size": LARGEST_FILE // (1024 * 1024)}
        )
    return content


def decode(content: bytes) -> str:
    """Return a file's text: UTF-8 with or without byte order mark, else Windows-1252.

    Raises ValueError for UTF-16 and UTF-32, for a byte that is neither, and for a text that is
    UTF-8 but for one byte: taken for Windows-1252, its accents would become other letters.
    """
    marks = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
    if content.startswith(marks) or _is_wide(content):
        raise ValueError(_("the file is UTF-16 or UTF-32; save it as UTF-8"))
    has_mark = content.startswith(codecs.BOM_UTF8)
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        row = _row_of(content, error.start)
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError as error:
        sentence = _("row %(row)d holds the byte %(byte)s, neither UTF-8 nor Windows-1252")
        byte = f"{content[error.start]:#04x}"
        words = {"row": _row_of(content, error.start), "byte": byte}
        raise ValueError(sentence % words) from None
    if has_mark or _UTF_8_LETTER.search(content):
        sentence = _("row %d holds a byte that is not UTF-8, and other letters are; save it again")
        raise ValueError(sentence % row)
    return text


def _is_wide(content: bytes) -> bool:
    """Whether every second byte at the beginning is NUL: UTF-16 or UTF-32 without its mark."""
    beginning = content[:16]
    return len(beginning) == 16 and bytes(8) in (beginning[::2], beginning[1::2])


def _row_of(content: bytes, position: int) -> int:
    return content.count(b"\n", 0, position) + 1


def read_sheet(content: bytes, *, required: Sequence[str], optional: Sequence[str] = ()) -> Sheet:
    """The rows of a CSV file under these column names, found ignoring case.

    Its cells stand between commas, or else between semicolons or tabs if its header then fits.
    Rows without any text are passed over, blank cells at a row's end too. Never raises: what is
    wrong stands in `problems`, and then `rows` may be incomplete.
    """
    sheet = Sheet()
    try:
        lines = _LINE_ENDS.split(decode(content))
    except ValueError as error:
        sheet.problems.append(Problem(0, "", "", str(error)))
        return sheet
    numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip(" \t,;"))
    first = next(numbered, None)
    separator = "," if first is None else _separator(first[1], required)
    names = _read_header(sheet, first, separator, [*required, *optional], required)
    if sheet.problems:
        return sheet
    for number, line in numbered:
        _read_row(sheet, number, line, separator, names)
    if not sheet.rows and not sheet.problems:
        sheet.problems.append(Problem(0, "", "", _("the file has no rows below its header")))
    return sheet


def ignored_columns(columns: Iterable[str]) -> str:
    """The sentence that names the columns that were passed over, the first ten of them."""
    names = [shown(name) for name in columns]
    more = _(" and %d more") % (len(names) - 10) if len(names) > 10 else ""
    return _("Columns ignored: %s.") % (", ".join(names[:10]) + more)


def shown(value: str) -> str:
    """A cell in quotation marks, shortened, with what cannot be seen written out."""
    short = Truncator(value).chars(60)
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in short) + '"'


def refusal(error: ValueError) -> str:
    """Why a text or a name is refused, in the reader's language."""
    if not isinstance(error, UnfitName):
        return str(error)
    if error.letter:
        return _("a name may not hold the character %s") % error.letter
    return _("expected a name; a surname needs a letter")


def plain_text(value: str, *, length: int) -> str:
    """The text of a cell, tidied; raises ValueError for what nobody means to store.

    That is a spreadsheet's formula, a control character, and more than `length` characters.
    """
    if value.startswith(_FORMULA) and len(value) > 1:
        raise ValueError(_("expected text, not a spreadsheet's formula"))
    text = tidy(value)
    if len(text) > length:
        raise ValueError(_("expected at most %d characters") % length)
    return text


def _separator(header: str, required: Sequence[str]) -> str:
    """What stands between the cells: a comma, unless another sign alone gives all columns."""
    for separator in _SEPARATORS:
        try:
            titles = {title.strip().casefold() for title in _cells(header, separator)}
        except csv.Error:
            continue
        if titles.issuperset(name.casefold() for name in required):
            return separator
    return ","


def _read_header(
    sheet: Sheet,
    first: tuple[int, str] | None,
    separator: str,
    known: Sequence[str],
    required: Sequence[str],
) -> list[str | None]:
    """The known name of each column in the file, None for others; fills the sheet's lists."""
    if first is None:
        sheet.problems.append(Problem(0, "", "", _("the file is empty")))
        return []
    number, line = first
    try:
        titles = _cells(line, separator)
    except csv.Error as error:
        sheet.problems.append(Problem(number, "", "", _("not CSV: %s") % error))
        return []
    while titles and not titles[-1].strip():
        titles.pop()  # a separator too many at the end, which the rows may have or not
    by_fold = {name.casefold(): name for name in known}
    names = [by_fold.get(title.strip().casefold()) for title in titles]
    sheet.ignored = [
        title.strip()
        for title, name in zip(titles, names, strict=True)
        if name is None and title.strip()
    ]
    sheet.columns = [name for name in names if name is not None]
    missing = [name for name in required if name not in sheet.columns]
    if missing:
        message = _("expected a column for each of %(all)s; missing: %(missing)s") % {
            "all": ", ".join(required),
            "missing": ", ".join(missing),
        }
        sheet.problems.append(Problem(number, "", "", message))
    for name in sorted({name for name in sheet.columns if sheet.columns.count(name) > 1}):
        sheet.problems.append(Problem(number, "", "", _("two columns are called %s") % name))
    return names


def _read_row(
    sheet: Sheet, number: int, line: str, separator: str, names: Sequence[str | None]
) -> None:
    try:
        cells = _cells(line, separator)
    except csv.Error as error:
        sheet.problems.append(Problem(number, "", "", _("not CSV: %s") % error))
        return
    while len(cells) > len(names) and not cells[-1].strip():
        cells.pop()
    if len(cells) != len(names):
        message = _("%(cells)d cells; expected %(columns)d, as many as the header has") % {
            "cells": len(cells),
            "columns": len(names),
        }
        sheet.problems.append(Problem(number, "", "", message))
        return
    sheet.rows.append(
        Row(
            number,
            {
                name: cell.strip()
                for name, cell in zip(names, cells, strict=True)
                if name is not None
            },
        )
    )


def _cells(line: str, separator: str) -> list[str]:
    return next(csv.reader([line], strict=True, delimiter=separator), [])
