"""The same table as a file: every public table is there as CSV, JSON and Excel, never paged.

A page and its twins share one view and one address name: `/divisions/7/`, `/divisions/7.csv`,
`/divisions/7.json`, `/divisions/7.xlsx`. The view hands rows as dicts of plain values; here they
become a response.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

import xlsxwriter
from django.http import HttpResponse, JsonResponse
from django.urls import register_converter

FORMATS = ("csv", "json", "xlsx")
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
# Columns of a workbook that hold names.
WIDE = ("name", "player", "club", "team", "home", "away", "opponent")

# A spreadsheet takes a text that begins so for a formula; a plain number is harmless.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)


class FormatConverter:
    """`<twin:form>` in an address: csv, json or xlsx."""

    regex = "|".join(FORMATS)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(FormatConverter, "twin")


def points(halves: int | None) -> int | float | None:
    """Half-points as the number that a file holds: 121 is 60.5, 124 is 62."""
    if halves is None:
        return None
    return halves / 2 if halves % 2 else halves // 2


def respond(
    form: str,
    rows: Iterable[Mapping[str, Any]],
    *,
    name: str,
    head: Mapping[str, Any] | None = None,
    key: str = "rows",
    columns: Sequence[str] | None = None,
    of_all: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """The rows as a file called `name`, in the format `form`.

    JSON is one object: `head`'s pairs, then the rows under `key`. CSV and Excel have a column
    for each of `columns`, else for each key of the first row whose values are plain; nested
    values (lists, objects) stand in the JSON alone. `of_all` holds of every row: in JSON it
    stands once before them, in CSV and Excel in columns of its own, the last.
    """
    rows, of_all = list(rows), of_all or {}
    if form == "json":
        said = {**(head or {}), **of_all, key: rows}
        return JsonResponse(said, json_dumps_params={"ensure_ascii": False})
    if columns is None:
        columns = [column for column, value in rows[0].items() if _is_plain(value)] if rows else []
    table = [
        [*columns, *of_all],
        *([*(row.get(column) for column in columns), *of_all.values()] for row in rows),
    ]
    content = _workbook(table) if form == "xlsx" else _csv(table)
    kind = "attachment" if form == "xlsx" else "inline"
    response = HttpResponse(content, content_type=CONTENT_TYPES[form])
    response["Content-Disposition"] = f'{kind}; filename="{_file_name(name)}.{form}"'
    return response


def _csv(table: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([cell(value) for value in row] for row in table)
    return out.getvalue()


def _workbook(table: Sequence[Sequence[Any]]) -> bytes:
    """One sheet, its head frozen: numbers are numbers, all else is text and never a formula.

    The same table gives the same bytes, so that a validator of them holds.
    """
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    book.set_properties({"created": datetime(2000, 1, 1, tzinfo=UTC)})
    sheet = book.add_worksheet()
    sheet.freeze_panes(1, 0)
    bold = book.add_format({"bold": True})
    for number, row in enumerate(table):
        for column, value in enumerate(row):
            if value is None:
                continue
            if isinstance(value, int | float) and not isinstance(value, bool):
                sheet.write_number(number, column, value)
            else:
                sheet.write_string(number, column, plain(value), None if number else bold)
    for column, title in enumerate(table[0]):
        sheet.set_column(column, column, 28 if title in WIDE else max(9, len(str(title)) + 2))
    book.close()
    return out.getvalue()


def plain(value: Any) -> str:
    """A value that is no number as text: days as ISO writes them, yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, date) else str(value)


def cell(value: Any) -> str | int | float:
    """A value as a CSV cell: nothing for None, dates as ISO, text that cannot act as a formula."""
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = plain(value)
    if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def _is_plain(value: Any) -> bool:
    return not isinstance(value, list | tuple | dict)


def _file_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower(), flags=re.ASCII).strip("-") or "table"
