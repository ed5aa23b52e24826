"""A list from outside as it is read, whoever published it: rows with codes and numbers."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from clubs.sheets import Problem


class ListKey(NamedTuple):
    """One of the lists that a file holds: rate of play, original or revised (or ""), and scale."""

    pool: str
    variant: str
    system: str


class OutsideValue(NamedTuple):
    """A whole grade or rating and its category; a player without one has no value, never 0."""

    key: ListKey
    value: int
    category: str | None = None


class OutsideRow(NamedTuple):
    """A row of the file: its number there, the codes that say who it is, and what it says."""

    number: int
    code: str | None
    fide_id: int | None
    name: str
    values: tuple[OutsideValue, ...]


@dataclass(slots=True)
class OutsideFile:
    """The lists of a file and its rows, read as they are asked for.

    `problems` are complete when the last row has been read.
    """

    lists: list[ListKey] = field(default_factory=list)
    rows: Iterable[OutsideRow] = ()
    problems: list[Problem] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
