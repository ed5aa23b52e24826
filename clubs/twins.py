"""The same table as a file: every public table is there as CSV and JSON, whole and unpaged.

A page and its twins share one view and one address name: `/divisions/7/`, `/divisions/7.csv`,
`/divisions/7.json`. The view hands rows as dicts of plain values; here they become a response.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.urls import register_converter

FORMATS = ("csv", "json")

# A spreadsheet takes a text that begins so for a formula; a plain number is harmless.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)


class FormatConverter:
    """`<twin:form>` in an address: csv or json."""

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
) -> HttpResponse:
    """The rows as a file called `name`, in the format `form`.

    JSON is one object: `head`'s pairs, then the rows under `key`. CSV has a column for each
    of `columns`, else for each key of the first row whose values are plain; nested values
    (lists, objects) stand in the JSON alone.
    """
    rows = list(rows)
    if form == "json":
        return JsonResponse({**(head or {}), key: rows}, json_dumps_params={"ensure_ascii": False})
    if columns is None:
        columns = [column for column, value in rows[0].items() if _is_plain(value)] if rows else []
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([cell(column) for column in columns])
    writer.writerows([cell(row.get(column)) for column in columns] for row in rows)
    response = HttpResponse(out.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{_file_name(name)}.csv"'
    return response


def cell(value: Any) -> str | int | float:
    """A value as a CSV cell: nothing for None, dates as ISO, text that cannot act as a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return value
    text = value.isoformat() if isinstance(value, date) else str(value)
    if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def _is_plain(value: Any) -> bool:
    return not isinstance(value, list | tuple | dict)


def _file_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower(), flags=re.ASCII).strip("-") or "table"
