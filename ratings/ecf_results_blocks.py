"""A results file header by header: what belongs together, before any value is looked at."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from clubs.sheets import Problem, shown

from . import ecf_results_fields as grammar
from .ecf_results_fields import Field

ALLOWED = {
    grammar.EVENT_DETAILS: frozenset(grammar.EVENT_FIELDS),
    grammar.PLAYER_LIST: frozenset(grammar.PLAYER_FIELDS),
    **dict.fromkeys(grammar.RESULTS, frozenset([*grammar.GROUP_FIELDS, *grammar.GAME_FIELDS])),
}
FIRST_OF_RECORD = {
    grammar.PLAYER_LIST: "PIN",
    **dict.fromkeys(grammar.RESULTS, "PIN1"),
}
MOST_COLUMNS = 40
MOST_PROBLEMS = 1000
"""A file with more is no results file, and is not read to its end."""


class LineProblem(Problem):
    """A field that cannot be stored: its line, its name, what it holds, and what should be."""

    def __str__(self):
        if self.row == 0:
            return self.expected
        words = {"line": self.row, "field": self.column, "value": shown(self.value)}
        words["expected"] = self.expected
        if not self.column:
            return _("line %(line)d: %(expected)s") % words
        if not self.value:
            return _("line %(line)d, %(field)s: %(expected)s") % words
        return _("line %(line)d, %(field)s %(value)s: %(expected)s") % words


@dataclass(slots=True)
class Record:
    """The fields of one player, one game, or of what stands above them, by name."""

    line: int
    fields: dict[str, Field] = field(default_factory=dict)

    def value(self, name: str) -> str:
        """What the field holds; blank where there is none."""
        given = self.fields.get(name)
        return "" if given is None or given.value is None else given.value


@dataclass(slots=True)
class Block:
    """A header with its own fields (`details`) and the records under it."""

    header: Field
    details: Record
    records: list[Record] = field(default_factory=list)


def blocks_of(text: str) -> tuple[list[Block], list[LineProblem], list[str]]:
    """The blocks of a file, what is wrong with their order, and the fields that are passed over."""
    reader = _BlockReader()
    for each in grammar.fields_of(text):
        reader.take(each)
        if len(reader.problems) > MOST_PROBLEMS:
            return [], reader.problems, reader.notices
    reader.end()
    return reader.blocks, reader.problems, reader.notices


class _BlockReader:
    """Takes field after field and puts each where it belongs."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.problems: list[LineProblem] = []
        self.notices: list[str] = []
        self.block: Block | None = None
        self.columns: list[Field] = []
        self.table: Field | None = None
        self.cells: list[Field] = []
        self.finished: Field | None = None
        self.passed_over: set[tuple[str, str]] = set()
        self.headless_in: Block | None = None
        self.last_line = 1

    def refuse(self, given: Field, expected: str) -> None:
        self.problems.append(LineProblem(given.line, given.name, given.value or "", expected))

    def take(self, given: Field) -> None:
        self.last_line = given.line
        if not all(letter.isprintable() for letter in given.text):
            self.refuse(given, _("expected no control character"))
        elif self.finished is not None:
            self.problems.append(
                LineProblem(given.line, "", "", _("expected nothing after FINISH"))
            )
        elif self.table is not None and given.name != grammar.TABLE_END:
            self.take_cell(given)
        elif given.name == "":
            words = (
                _("expected # before the first field") if not self.blocks else _("expected a name")
            )
            self.problems.append(LineProblem(given.line, "", "", words))
        elif given.name in grammar.HEADERS:
            self.open(given)
        elif self.block is None:
            self.refuse(given, _("expected EVENT DETAILS first"))
        elif given.name in grammar.TABLES:
            self.take_table(given)
        else:
            self.add(given, self.block)

    def open(self, header: Field) -> None:
        self.close_columns()
        if header.name == grammar.FINISH:
            self.finished = header
            return
        once = header.name not in grammar.RESULTS
        if once and any(block.header.name == header.name for block in self.blocks):
            self.refuse(header, _("expected once"))
        # Its title is a field of what stands above the games.
        details = Record(header.line, {header.name: header})
        self.block = Block(header, details)
        self.blocks.append(self.block)

    def add(self, given: Field, block: Block) -> None:
        """Put a field into the block's details or into its last record."""
        kind, name = block.header.name, given.name
        if given.value is None:
            self.refuse(given, _("expected = and a value"))
        elif name not in ALLOWED[kind]:
            self.unknown(given, kind)
        elif kind == grammar.EVENT_DETAILS:
            self.put(given, block.details, grammar.REPEATED)
        elif name in grammar.GROUP_FIELDS:
            if block.records:
                self.refuse(given, _("expected before the games"))
            else:
                self.put(given, block.details)
        elif name == FIRST_OF_RECORD[kind]:
            block.records.append(Record(given.line, {name: given}))
        elif not block.records:
            self.headless(given, FIRST_OF_RECORD[kind])
        else:
            self.put(given, block.records[-1])

    def headless(self, given: Field, first: str) -> None:
        """Refuse a record that does not begin with its first field, once for all its fields."""
        if self.headless_in is not self.block:
            expected = _("expected before %s") % given.name
            self.problems.append(LineProblem(given.line, first, "", expected))
        self.headless_in = self.block

    def put(self, given: Field, record: Record, repeated: Sequence[str] = ()) -> None:
        if given.name not in record.fields:
            record.fields[given.name] = given
        elif given.name not in repeated:
            self.refuse(given, _("expected once"))

    def unknown(self, given: Field, kind: str) -> None:
        """Pass a field over that nobody knows; with games, and out of place, it is a mistake.

        It is named where it stands first.
        """
        if given.name in grammar.KNOWN or kind in grammar.RESULTS:
            self.refuse(given, _("no field of %s") % kind)
        elif (given.name, kind) not in self.passed_over:
            self.passed_over.add((given.name, kind))
            words = {"line": given.line, "name": shown(given.name), "header": kind}
            sentence = _("Line %(line)d: %(name)s is no field of %(header)s; passed over.")
            self.notices.append(sentence % words)

    # --- Tables --------------------------------------------------------------------------

    def take_cell(self, given: Field) -> None:
        """A value of the open table; a header says that somebody forgot to end it."""
        if given.name in grammar.RESULTS and given.value or given.text in grammar.HEADERS:
            self.refuse(self.table, _("expected TABLE END after it"))
            self.table, self.cells, self.columns = None, [], []
            self.open(given)
        else:
            self.cells.append(given)

    def take_table(self, given: Field) -> None:
        if self.block.header.name not in FIRST_OF_RECORD:
            self.refuse(given, _("expected under the player list or results"))
        elif given.name == grammar.COLUMN:
            self.add_column(given)
        elif given.name == grammar.TABLE_START:
            self.table = given
        elif self.table is None:
            self.refuse(given, _("expected TABLE START before it"))
        else:
            self.end_table()

    def add_column(self, given: Field) -> None:
        known = next(grammar.fields_of(f"#{given.value or ''}="))
        first = FIRST_OF_RECORD[self.block.header.name]
        if known.name not in ALLOWED[self.block.header.name] - {*grammar.GROUP_FIELDS}:
            self.refuse(given, _("expected the name of a field"))
        elif any(column.name == known.name for column in self.columns):
            self.refuse(given, _("expected each column once"))
        elif not self.columns and known.name != first:
            self.refuse(given, _("expected %s first") % first)
        if len(self.columns) < MOST_COLUMNS:
            self.columns.append(known._replace(line=given.line))

    def end_table(self) -> None:
        start, names = self.table, [column.name for column in self.columns]
        cells, self.table, self.cells, self.columns = self.cells, None, [], []
        if not names:
            self.refuse(start, _("expected COLUMN before it"))
            return
        for line, row in self.rows(cells, len(names)):
            if len(row) != len(names):
                words = {"cells": len(row), "columns": len(names)}
                sentence = _("%(cells)d given; expected %(columns)d values, as many as columns")
                self.problems.append(LineProblem(line, "", "", sentence % words))
                continue
            values = dict(zip(names, row, strict=True))
            record = Record(line)
            for name, cell in values.items():
                record.fields[name] = Field(cell.line, name, cell.text, cell.text)
            self.block.records.append(record)

    def rows(self, cells: list[Field], width: int) -> list[tuple[int, list[Field]]]:
        """The rows of a table: whole ones on each line, or one value a line.

        A row that breaks anywhere else would shift values into other columns unseen.
        """
        lines: dict[int, list[Field]] = {}
        for cell in cells:
            lines.setdefault(cell.line, []).append(cell)
        if width > 1 and lines and all(len(line) == 1 for line in lines.values()):
            lines = {cells[0].line: cells}
        rows = []
        for line, found in lines.items():
            step = width if len(found) % width == 0 else len(found)
            rows += [(line, found[at : at + step]) for at in range(0, len(found), step)]
        return [(row[0].line, row) for _line, row in rows]

    def close_columns(self) -> None:
        if self.columns:
            last = self.columns[-1]
            self.problems.append(
                LineProblem(
                    last.line, grammar.COLUMN, last.name, _("expected TABLE START after it")
                )
            )
            self.columns = []

    def end(self) -> None:
        """Say what the file lacks."""
        if self.table is not None:
            self.refuse(self.table, _("expected TABLE END after it"))
        elif self.finished is None:
            sentence = _("the file ends without FINISH; is it whole?")
            self.problems.append(LineProblem(self.last_line, grammar.FINISH, "", sentence))
        names = {block.header.name for block in self.blocks}
        for header in (grammar.EVENT_DETAILS, grammar.PLAYER_LIST):
            if header not in names:
                self.problems.append(LineProblem(0, "", "", _("the file holds no %s") % header))
        if not names & set(grammar.RESULTS):
            self.problems.append(LineProblem(0, "", "", _("the file holds no results")))
