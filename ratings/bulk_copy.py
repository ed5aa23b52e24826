"""Rows into a table by PostgreSQL's COPY, as text: the way of storing a list of a nation."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from itertools import islice
from typing import Any

from django.db import connection

LINES_AT_ONCE = 200


def copy_rows(table: str, columns: Iterable[str], rows: Iterable[tuple]) -> None:
    """Add tuples to a table: whole numbers, days, None, lists of these, and words of our own.

    Such a word (a source, a category) holds nothing that COPY would want escaped.
    """
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy,
    ):
        for lines in _lines(rows):
            copy.write(lines)


class _Texts(dict):
    """Values as COPY reads them, each put into words once: there are few grades and few days."""

    def __missing__(self, value: int | str | date | None) -> str:
        text = self[value] = r"\N" if value is None else str(value)
        return text


def _lines(rows: Iterable[tuple]) -> Iterator[str]:
    """The rows as lines, some at a time, for the server to read while the next are written."""
    text = _Texts().__getitem__
    rows = iter(rows)
    while some := list(islice(rows, LINES_AT_ONCE)):
        lines = [
            "\t".join([array(value, text) if type(value) is list else text(value) for value in row])
            for row in some
        ]
        yield "\n".join([*lines, ""])


def array(values: Iterable, text: Callable[[Any], str] = str) -> str:
    """An array as COPY reads it; without `text` of values that are all different, like keys."""
    return f"{{{','.join(map(text, values))}}}"
