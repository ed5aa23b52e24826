"""The grammar of the federation's results file: its fields, their places, their tokens.

`#NAME=value` fields: `#` starts one, the first `=` ends its name, so no value holds a `#`. Case and
spaces of names do not count and line ends are free (rules/formats.md, ECF results file).
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

EVENT_DETAILS = "EVENT DETAILS"
PLAYER_LIST = "PLAYER LIST"
MATCH_RESULTS = "MATCH RESULTS"
SECTION_RESULTS = "SECTION RESULTS"
OTHER_RESULTS = "OTHER RESULTS"
FINISH = "FINISH"
RESULTS = (MATCH_RESULTS, SECTION_RESULTS, OTHER_RESULTS)
HEADERS = (EVENT_DETAILS, PLAYER_LIST, *RESULTS, FINISH)

COLUMN, TABLE_START, TABLE_END = "COLUMN", "TABLE START", "TABLE END"
TABLES = (COLUMN, TABLE_START, TABLE_END)

EVENT_MANDATORY = (
    *("EVENT CODE", "SUBMISSION INDEX", "EVENT NAME", "EVENT DATE", "FINAL RESULT DATE"),
    *("RESULTS OFFICER", "RESULTS OFFICER ADDRESS", "TREASURER", "TREASURER ADDRESS"),
)
REPEATED = ("RESULTS OFFICER ADDRESS", "TREASURER ADDRESS")
GAME_MINUTES = "MINUTES FOR GAME"
FIRST_SESSION = ("MOVES FIRST SESSION", "MINUTES FIRST SESSION")
SECOND_SESSION = ("MOVES SECOND SESSION", "MINUTES SECOND SESSION")
REST_OF_GAME = "MINUTES REST OF GAME"
EVENT_OPTIONAL = ("SECONDS PER MOVE", "ENVIRONMENT", "INFORM GRAND PRIX")
EVENT_IGNORED = (
    *("ADJUDICATED", "INFORM FIDE", "INFORM CHESSMOVES", "INFORM UNION", "RESULTS DUPLICATED"),
)
EVENT_FIELDS = (
    *EVENT_MANDATORY,
    *(GAME_MINUTES, *FIRST_SESSION, *SECOND_SESSION, REST_OF_GAME),
    *EVENT_OPTIONAL,
    *EVENT_IGNORED,
)
PLAYER_FIELDS = (
    *("PIN", "ECF CODE", "NAME", "SURNAME", "FORENAME", "INITIALS", "GENDER", "TITLE"),
    *("DATE OF BIRTH", "CLUB NAME", "CLUB CODE", "CLUB COUNTY", "ECF NO", "FIDE NO", "COMMENT"),
)
GROUP_FIELDS = ("WHITE ON", "RESULTS DATE")
GAME_FIELDS = ("PIN1", "SCORE", "PIN2", "COLOUR", "GAME DATE", "BOARD", "ROUND")
ALIASES = {
    "FINAL RESULTS DATE": "FINAL RESULT DATE",
    "BCF CODE": "ECF CODE",
    "CLUB": "CLUB NAME",
}

SCORES = {"10": 2, "55": 1, "01": 0}
"""The half-points of PIN1 by token."""
DEFAULTS = ("1d", "d1", "dd")
"""Games that nobody played: read and never written, and one side may be the PIN 0."""
WHITE_ON = ("all", "odd", "even", "none", "unknown")

_DATE = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_LINE_ENDS = re.compile(r"\r\n|\r")


class Field(NamedTuple):
    """What stands between two `#`: its line, its name, and its value, None if there is no `=`.

    `name` is as this module writes it, if it is known, else as the file does, shortened.
    `text` is all of it, which a table needs.
    """

    line: int
    name: str
    value: str | None
    text: str


def folded(name: str) -> str:
    """A name without its spaces, in capitals: `white on` is `WHITEON`."""
    return "".join(name.split()).upper()


_NAMES = {
    folded(name): ALIASES.get(name, name)
    for name in (
        *(*HEADERS, *TABLES, *EVENT_FIELDS, *PLAYER_FIELDS, *GROUP_FIELDS, *GAME_FIELDS),
        *ALIASES,
    )
}
KNOWN = frozenset(_NAMES.values())


def fields_of(text: str) -> Iterator[Field]:
    """The fields of a file in order; what stands before the first `#` comes as one without name."""
    line = 1
    for number, piece in enumerate(_LINE_ENDS.sub("\n", text).split("#")):
        if number or piece.strip():
            yield _field(line, piece, named=bool(number))
        line += piece.count("\n")


def _field(line: int, piece: str, *, named: bool) -> Field:
    text = " ".join(piece.split())
    name, equals, value = text.partition("=")
    written = " ".join(name.split())
    known = _NAMES.get(folded(name), written[:40]) if named else ""
    return Field(line, known, value.strip() if equals else None, text)


def date_of(text: str) -> date:
    """The day of `dd/mm/yyyy`; raises ValueError for anything else."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return date(int(match[3]), int(match[2]), int(match[1]))


def written_date(day: date) -> str:
    """A day as the file has it."""
    return f"{day.day:02d}/{day.month:02d}/{day.year:04d}"


def first_has_white(white_on: str, board: int) -> bool | None:
    """Whether the first-named side has White on this board; None where the file does not say.

    `white_on` is one of `WHITE_ON`. Board 0 is unknown, and so then are odd and even.
    """
    if white_on in ("all", "none"):
        return white_on == "all"
    if white_on == "unknown" or board == 0:
        return None
    return board % 2 == (1 if white_on == "odd" else 0)
