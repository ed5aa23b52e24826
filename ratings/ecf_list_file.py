"""Reading the English federation's list: grades to 2020, ratings since, both by header name."""

import re
from typing import BinaryIO, NamedTuple

from django.utils.translation import gettext as _

from clubs.names import is_ecf_code
from clubs.sheets import Problem, Row, Sheet, ignored_columns, read_sheet

from .models import PoolName, System
from .outside_rows import ListKey, OutsideFile, OutsideRow, OutsideValue
from .player_file import GRADES, RATINGS

LARGEST_FILE = 64 * 1024 * 1024

_NUMBER = re.compile(r"[0-9]{1,9}")


class Column(NamedTuple):
    """Where a list stands in the file: the columns of its values and of their categories."""

    key: ListKey
    value: str
    category: str


class Layout(NamedTuple):
    """One of the two forms of the file; `unused` columns are known and not kept."""

    code: str
    name: str
    fide_id: str
    columns: tuple[Column, ...]
    unused: tuple[str, ...]
    allowed: range


TO_2020 = Layout(
    code="Ref",
    name="Name",
    fide_id="FIDECode",
    columns=(
        Column(ListKey(PoolName.STANDARD, "", System.GRADE), "Grade", "Cat"),
        Column(ListKey(PoolName.RAPID, "", System.GRADE), "RGrade", "RCat"),
    ),
    unused=(
        *("Sex", "JrAge", "Grade1", "Games", "RGrade1", "RGames", "Nation"),
        *(f"ClubNam{n}" for n in range(1, 7)),
    ),
    allowed=GRADES,
)
SINCE_2020 = Layout(
    code="ECF_code",
    name="full_name",
    fide_id="FIDE_no",
    columns=tuple(
        Column(
            ListKey(pool, variant, System.ELO), f"{variant}_{pool}", f"{pool}_{variant}_category"
        )
        for pool in (PoolName.STANDARD.value, PoolName.RAPID.value, PoolName.BLITZ.value)
        for variant in ("original", "revised")
    ),
    unused=(
        *("member_no", "gender", "nation", "title", "club_code", "club_name"),
        *(
            name
            for pool in ("standard_online", "rapid_online", "blitz_online")
            for variant in ("original", "revised")
            for name in (f"{variant}_{pool}", f"{pool}_{variant}_category")
        ),
    ),
    allowed=RATINGS,
)


def read_ecf_list(file: BinaryIO) -> OutsideFile:
    """The lists and rows of a CSV file in either layout; what is wrong stands in `problems`."""
    content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        sentence = _("the file is larger than %d MB") % (LARGEST_FILE // (1024 * 1024))
        return OutsideFile(problems=[Problem(0, "", "", sentence)])
    layout = _layout_of(content)
    sheet = read_sheet(
        content,
        required=(layout.code, layout.name),
        optional=(
            layout.fide_id,
            *(name for column in layout.columns for name in (column.value, column.category)),
            *layout.unused,
        ),
    )
    columns = [column for column in layout.columns if column.value in sheet.columns]
    if not columns and not sheet.problems:
        names = ", ".join(column.value for column in layout.columns)
        expected = _("expected a column of grades or ratings, one of %s") % names
        sheet.problems.append(Problem(1, "", "", expected))
    return OutsideFile(
        lists=[column.key for column in columns],
        rows=_rows(sheet, layout, columns),
        problems=sheet.problems,
        notices=[ignored_columns(sheet.ignored)] if sheet.ignored else [],
    )


def _layout_of(content: bytes) -> Layout:
    header = content[:4096].lstrip(b"\xef\xbb\xbf\r\n ").splitlines()[:1]
    cells = [cell.strip(b' "').lower() for cell in header[0].split(b",")] if header else []
    return TO_2020 if TO_2020.code.lower().encode() in cells else SINCE_2020


def _rows(sheet: Sheet, layout: Layout, columns: list[Column]) -> list[OutsideRow]:
    rows = []
    for row in sheet.rows:
        reader = _RowReader(row, sheet.problems)
        values = [
            OutsideValue(column.key, value, reader.category(column.category))
            for column in columns
            if (value := reader.value(column.value, layout.allowed)) is not None
        ]
        rows.append(
            OutsideRow(
                number=row.number,
                code=reader.code(layout.code),
                fide_id=reader.fide_id(layout.fide_id),
                name=row[layout.name],
                values=tuple(values),
            )
        )
    return rows


class _RowReader:
    """Reads the cells of one row and adds what is wrong with them to `problems`."""

    def __init__(self, row: Row, problems: list[Problem]):
        self.row = row
        self.problems = problems

    def refuse(self, column: str, expected: str) -> None:
        self.problems.append(self.row.problem(column, expected))

    def code(self, column: str) -> str | None:
        code = self.row[column].upper()
        if code and not is_ecf_code(code):
            self.refuse(column, _("expected six digits and a letter (A–L, no I), like 900101D"))
        return code or None

    def fide_id(self, column: str) -> int | None:
        text = self.row[column]
        if text and not _NUMBER.fullmatch(text):
            self.refuse(column, _("expected digits, or blank for none"))
            return None
        return int(text) or None if text else None

    def value(self, column: str, allowed: range) -> int | None:
        text = self.row[column]
        if not text:
            return None
        if text.lstrip("-").isascii() and re.fullmatch(r"-?[0-9]{1,5}", text):
            value = int(text)
            if value in allowed:
                return value
        self.refuse(
            column,
            _("expected a whole number from %(first)d to %(last)d, or blank for none")
            % {"first": allowed[0], "last": allowed[-1]},
        )
        return None

    def category(self, column: str) -> str | None:
        text = self.row[column].upper()
        if len(text) > 1:
            self.refuse(column, _("expected one letter, or blank for none"))
            return None
        return text or None
