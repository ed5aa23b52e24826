"""What a card says of each board, as plain values: typed on a page, read from a file, or stored."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import islice

from clubs.names import full_name
from games.models import Board

MAX_BOARDS = 16


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """Somebody on a card whom the registry does not know: he becomes a pending player."""

    surname: str
    forenames: str
    club_id: int

    def __str__(self):
        return full_name(self.surname, self.forenames)


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
    home_exception: str = ""
    away_exception: str = ""
    unfinished: str = ""


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
        home_exception=board.home_exception,
        away_exception=board.away_exception,
        unfinished=board.unfinished,
    )


def seated_in(boards: Iterable[BoardEntry]) -> set[int]:
    """The pks of the players on these boards, beside those who are new."""
    sides = (who for entry in boards for who in (entry.home, entry.away))
    return {who for who in sides if isinstance(who, int)}


def awaited_numbers(boards: Iterable[Board], board_count: int) -> list[int]:
    """The numbers of the boards that a match of so many still has no row for, from the top."""
    boards = list(boards)
    there = {board.number for board in boards}
    free = (number for number in range(1, MAX_BOARDS + 1) if number not in there)
    return list(islice(free, max(board_count - sum(b.counts_for_match for b in boards), 0)))
