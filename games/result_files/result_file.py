"""Reading a league site's export of results: each row as one board, or what is wrong with it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from django.utils.translation import gettext as _

from clubs.names import PersonName, fold, is_ecf_code, is_nobody, split_code, split_name
from clubs.sheets import Problem, Row, plain_text
from games.models import Award, Colour

from .reading import read_date, read_result, read_score

COLUMNS = (
    *("Section", "Date", "HomeTeam", "HomePlayer", "Result", "AwayPlayer", "AwayTeam", "Board"),
)
OPTIONAL_COLUMNS = ("Day", "Round", "HTScore", "ATScore", "HPColour", "Event")
COLOURS = {
    "white": Colour.WHITE,
    "w": Colour.WHITE,
    "black": Colour.BLACK,
    "b": Colour.BLACK,
    "": Colour.UNKNOWN,
}
MOST_BOARDS = 16
MOST_LETTERS = 100
MOST_LETTERS_OF_ROUND = 40
HIGHEST_ROUND = 999

# Nobody sat there. The other names that are nobody's, such as A.N. Other, stand for a person
# whose name the captain did not know.
_EMPTY_CHAIR = frozenset(
    ["", "bye", "def", "default", "defaulted", "no player", "nobody"],
)


class Person(NamedTuple):
    """Whom a cell names, with the ECF code in front of the name if there is one."""

    name: PersonName
    code: str | None


@dataclass(frozen=True, slots=True, eq=False)
class ResultRow:
    """One board as the file has it; a player is None where nobody is named.

    `result` is the home side's half-points as played or None, `award` a default or None. Scores
    are half-points of the match, None if the file does not say. `date` is None if blank.
    """

    row: Row
    division: str
    home: str
    away: str
    round: int
    round_label: str
    played_on: date | None
    board: int
    home_player: Person | None
    away_player: Person | None
    home_colour: str
    result: int | None
    award: str | None
    stated_home: int | None
    stated_away: int | None

    @property
    def halves(self) -> tuple[int, int] | None:
        """The half-points of home and away, None before there is a result."""
        if self.award is not None:
            return 2 * (self.award == Award.HOME_DEFAULT), 2 * (self.award == Award.AWAY_DEFAULT)
        return None if self.result is None else (self.result, 2 - self.result)

    @property
    def says_a_result(self) -> bool:
        """Whether the board or its match was played; 0 - 0 is how some sites write a fixture."""
        return self.halves is not None or bool(self.stated_home or self.stated_away)

    @property
    def is_blank(self) -> bool:
        """Whether the row only says that there is such a board: the match is still to come."""
        return (self.home_player, self.away_player, self.halves) == (None, None, None)


def days_of(rows: Iterable[Row]) -> list[date]:
    """The dates of the rows that have one with a year, to tell the season by."""
    days = []
    for row in rows:
        try:
            days.append(read_date(row["Date"]))
        except ValueError:
            continue
    return sorted(days)


def still_to_come(day: date) -> str:
    """What is wrong with a result of this day."""
    return _("%s is still to come; expected no result yet") % day


def read_results(
    rows: Iterable[Row], starts_on: date, ends_on: date, today: date
) -> tuple[list[ResultRow], list[Problem], list[str]]:
    """The rows of a season `[starts_on, ends_on)` as boards, what is wrong, and what to look at.

    Nothing was played after `today`; a row without any result may be a fixture of such a day.
    """
    boards, problems, notices = [], [], []
    for row in rows:
        reader = _RowReader(row, starts_on, ends_on, today)
        board = reader.read()
        problems += reader.problems
        if not reader.problems:
            boards.append(board)
            notices += reader.notices
    return boards, problems, notices


class _RowReader:
    """Reads the cells of one row and collects what is wrong with them."""

    def __init__(self, row: Row, starts_on: date, ends_on: date, today: date):
        self.row = row
        self.starts_on = starts_on
        self.ends_on = ends_on
        self.today = today
        self.problems: list[Problem] = []
        self.notices: list[str] = []

    def read(self) -> ResultRow:
        home = self.text("HomeTeam")
        away = self.text("AwayTeam")
        if home and fold(home) == fold(away):
            self.refuse("AwayTeam", _("expected another team than the home team"))
        round_number, round_label = self.round()
        home_player, away_player = self.person("HomePlayer"), self.person("AwayPlayer")
        result, award = self.result(home_player, away_player)
        board = ResultRow(
            row=self.row,
            division=self.text("Section"),
            home=home,
            away=away,
            round=round_number,
            round_label=round_label,
            played_on=self.date(),
            board=self.board(),
            home_player=home_player,
            away_player=away_player,
            home_colour=self.colour(),
            result=result,
            award=award,
            stated_home=self.score("HTScore"),
            stated_away=self.score("ATScore"),
        )
        if board.says_a_result and board.played_on is not None and board.played_on > self.today:
            self.refuse("Date", still_to_come(board.played_on))
        return board

    def refuse(self, column: str, expected: str) -> None:
        self.problems.append(self.row.problem(column, expected))

    def refuse_as(self, column: str, error: ValueError, and_expected: str = "") -> None:
        """Refuse a cell for the reason that a reading function gave, without its quotation."""
        reason = str(error).removeprefix(repr(self.row[column])).lstrip(": ")
        self.refuse(column, f"{reason}; {and_expected}" if and_expected else reason)

    def text(self, column: str) -> str:
        try:
            text = plain_text(self.row[column], length=MOST_LETTERS)
            if not fold(text):
                raise ValueError(_("expected a name"))
            if len(fold(text)) > MOST_LETTERS:
                raise ValueError(_("expected at most %d characters") % MOST_LETTERS)
            return text
        except ValueError as error:
            self.refuse(column, str(error))
            return ""

    def round(self) -> tuple[int, str]:
        """A number with a blank name, or 0 with the name of the round."""
        text = self.row["Round"]
        if text.isdecimal() and text.isascii() and len(text) <= 6:
            if int(text) <= HIGHEST_ROUND:
                return int(text), ""
            self.refuse("Round", _("expected a number up to %d, or a name") % HIGHEST_ROUND)
            return 0, ""
        try:
            return 0, plain_text(text, length=MOST_LETTERS_OF_ROUND)
        except ValueError as error:
            self.refuse("Round", str(error))
            return 0, ""

    def date(self) -> date | None:
        text = self.row["Date"]
        if text == "":
            return None
        try:
            return read_date(text, starts_on=self.starts_on, ends_on=self.ends_on)
        except ValueError as error:
            last = date.fromordinal(self.ends_on.toordinal() - 1)
            within = _("expected a day from %(first)s to %(last)s") % {
                "first": self.starts_on,
                "last": last,
            }
            self.refuse_as("Date", error, within)
            return None

    def board(self) -> int:
        text = self.row["Board"]
        if text.isdecimal() and text.isascii() and len(text) <= 3 and 1 <= int(text) <= MOST_BOARDS:
            return int(text)
        self.refuse("Board", _("expected a number from 1 to %d") % MOST_BOARDS)
        return 0

    def person(self, column: str) -> Person | None:
        """Whom the cell names; None for a blank, Default, Bye, New Player, A.N. Other."""
        code, name = split_code(self.row[column])
        try:
            plain_text(name, length=2 * MOST_LETTERS)
            if is_nobody(name):
                if code is not None:
                    raise ValueError(_("expected a name behind the code"))
                return None
            if code is not None and not is_ecf_code(code):
                raise ValueError(
                    _("expected a code of six digits and a letter (A–L, no I), like 900101D")
                )
            person = Person(split_name(name), code)
            if max(map(len, person.name)) > MOST_LETTERS:
                raise ValueError(_("expected at most %d characters") % MOST_LETTERS)
            return person
        except ValueError as error:
            self.refuse(column, str(error))
            return None

    def result(self, home: Person | None, away: Person | None) -> tuple[int | None, str | None]:
        """What was played, and the default if there was one; a win over an empty chair is one."""
        try:
            read = read_result(self.row["Result"])
        except ValueError as error:
            self.refuse_as("Result", error)
            return None, None
        if read.halves is None:
            return None, read.default
        empty = [self.is_empty(column) for column in ("HomePlayer", "AwayPlayer")]
        if not any(empty):
            return read.halves, None
        winner = {2: (False, True), 0: (True, False)}.get(read.halves)
        if tuple(empty) != winner:
            self.refuse("Result", _("expected a default, such as 1-0 def, for nobody is named"))
            return None, None
        self.notices.append(
            _("Row %(row)d: a win over nobody is taken for a win by default.")
            % {"row": self.row.number}
        )
        return None, Award.HOME_DEFAULT if read.halves == 2 else Award.AWAY_DEFAULT

    def is_empty(self, column: str) -> bool:
        return fold(split_code(self.row[column])[1]) in _EMPTY_CHAIR

    def colour(self) -> str:
        text = self.row["HPColour"].lower()
        if text not in COLOURS:
            self.refuse("HPColour", _("expected White, Black or blank"))
        return COLOURS.get(text, Colour.UNKNOWN)

    def score(self, column: str) -> int | None:
        text = self.row[column]
        if text == "":
            return None
        try:
            halves = read_score(text)
            if halves > 2 * MOST_BOARDS:
                raise ValueError(_("expected at most %d points") % MOST_BOARDS)
            return halves
        except ValueError as error:
            self.refuse_as(column, error)
            return None
