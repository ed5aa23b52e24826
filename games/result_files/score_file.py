"""Reading match scores that came without boards: each row as one match, or what is wrong."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from clubs.names import fold
from clubs.sheets import Problem, Row, plain_text
from games.models import Colour

from .reading import read_score
from .result_file import MOST_BOARDS, MOST_LETTERS
from .result_places import MOST_LETTERS_OF_SEASON

COLUMNS = (*("season", "division", "boards", "home", "away", "home_score", "away_score"),)
OPTIONAL_COLUMNS = ("note",)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRow:
    """One match as the file has it, its score in half-points; it says no day.

    It stands for its own meeting: a match whose boards nobody knows.
    """

    row: Row
    season: str
    division: str
    home: str
    away: str
    board_count: int
    home_halves: int
    away_halves: int
    note: str

    played_on: date | None = None
    board: int = 1
    home_colour: str = Colour.UNKNOWN

    @property
    def first(self) -> "ScoreRow":
        return self

    @property
    def rows(self) -> tuple["ScoreRow", ...]:
        return (self,)

    @property
    def pairing(self) -> tuple[str, str, str]:
        """The division and the two teams, folded: what tells a return match from this one."""
        return fold(self.division), fold(self.home), fold(self.away)

    def __str__(self):
        return f"{self.home} v {self.away}"


def read_scores(rows: Iterable[Row]) -> tuple[list[ScoreRow], list[Problem]]:
    """The rows as matches, and what is wrong with the others."""
    scores, problems = [], []
    for row in rows:
        reader = _RowReader(row)
        score = reader.read()
        problems += reader.problems
        if not reader.problems:
            scores.append(score)
    return scores, problems


class _RowReader:
    """Reads one row and notes what is wrong with it."""

    def __init__(self, row: Row):
        self.row = row
        self.problems: list[Problem] = []

    def read(self) -> ScoreRow:
        boards = self._boards()
        score = ScoreRow(
            row=self.row,
            season=self._name("season", MOST_LETTERS_OF_SEASON),
            division=self._name("division"),
            home=self._name("home"),
            away=self._name("away"),
            board_count=boards,
            home_halves=self._score("home_score"),
            away_halves=self._score("away_score"),
            note=self.row["note"],
        )
        if self.problems:
            return score
        if fold(score.home) == fold(score.away):
            self._refuse("away", _("expected another team than at home"))
        if score.home_halves + score.away_halves > 2 * boards:
            most = _("expected at most %(most)d points together with home_score %(home)s")
            self._refuse("away_score", most % {"most": boards, "home": self.row["home_score"]})
        return score

    def _name(self, column: str, length: int = MOST_LETTERS) -> str:
        try:
            name = plain_text(self.row[column], length=length)
            if not fold(name):
                raise ValueError(_("expected a name"))
        except ValueError as error:
            self._refuse(column, str(error))
            return ""
        return name

    def _boards(self) -> int:
        text = self.row["boards"]
        if text.isascii() and text.isdigit() and len(text) < 3 and 1 <= int(text) <= MOST_BOARDS:
            return int(text)
        self._refuse("boards", _("expected a number from 1 to %d") % MOST_BOARDS)
        return 0

    def _score(self, column: str) -> int:
        try:
            return read_score(self.row[column])
        except ValueError:
            self._refuse(column, _("expected points like 3½, 3.5 or 3"))
            return 0

    def _refuse(self, column: str, expected: str) -> None:
        self.problems.append(self.row.problem(column, expected))
