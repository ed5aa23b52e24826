"""What is printed: a match's card, filled or to be filled by hand, and a season on one page."""

from dataclasses import dataclass

from games.match_cards.line_ups import home_colour
from games.models import Board, Colour, Match

from .match_page import NOBODY, Half, Line, MatchPage


@dataclass(frozen=True, slots=True)
class PaperRow:
    """One board of a card on paper; a colour is blank where a toss decides it."""

    number: int
    home: Half
    away: Half
    home_colour: str
    away_colour: str
    board: Board | None

    @property
    def is_decided(self) -> bool:
        return self.home.halves is not None


@dataclass(frozen=True, slots=True)
class PaperCard:
    """A card on one sheet; the score is in half-points, None while it is to be written."""

    match: Match
    rows: list[PaperRow]
    score: tuple[int, int] | None = None


def paper_card(page: MatchPage) -> PaperCard:
    """The card as far as it is known, with a row for each board of the match."""
    known = {line.number: line for line in page.lines}
    numbers = sorted({*range(1, page.match.board_count + 1), *known})
    rows = [_row(page.match, number, known.get(number)) for number in numbers]
    return PaperCard(page.match, rows, page.score)


def blank_card(match: Match) -> PaperCard:
    """The card of a match of `for_card()` with nothing but its teams, day and colours."""
    numbers = range(1, match.board_count + 1)
    return PaperCard(match, [_row(match, number, None) for number in numbers])


def _row(match: Match, number: int, line: Line | None) -> PaperRow:
    colour = line.board.home_colour if line and line.board else Colour.UNKNOWN
    if colour == Colour.UNKNOWN:
        colour = home_colour(match.division.home_colour, number, None)
    other = {Colour.WHITE: Colour.BLACK, Colour.BLACK: Colour.WHITE}.get(colour, Colour.UNKNOWN)
    return PaperRow(
        number=number,
        home=line.home if line else NOBODY,
        away=line.away if line else NOBODY,
        home_colour=colour,
        away_colour=other,
        board=line.board if line else None,
    )
