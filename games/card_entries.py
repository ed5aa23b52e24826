"""What a card says of each board, as plain values: typed on a page, read from a file, or stored."""

from dataclasses import dataclass
from datetime import date

from .models import Board


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """Somebody on a card whom the registry does not know: he becomes a pending player."""

    surname: str
    forenames: str
    club_id: int

    def __str__(self):
        return f"{self.forenames} {self.surname}".strip()


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """One board as typed: players are pks, `result` is the home side's half-points or None."""

    number: int
    home: int | NewPlayer | None
    away: int | NewPlayer | None
    home_colour: str
    result: int | None = None
    award: str | None = None
    award_home: int | None = None
    award_away: int | None = None
    award_reason: str = ""
    played_on: date | None = None
    counts_for_match: bool = True


def entry_of(board: Board) -> BoardEntry:
    """The board as a card that says what is stored."""
    return BoardEntry(
        number=board.number,
        home=board.home_player_id,
        away=board.away_player_id,
        home_colour=board.home_colour,
        result=board.result,
        award=board.award,
        award_home=board.award_home,
        award_away=board.award_away,
        award_reason=board.award_reason,
        played_on=board.played_on,
        counts_for_match=board.counts_for_match,
    )
