"""Whether a line-up stands in order of strength: pure, grades in and breaches out."""

from collections.abc import Sequence
from typing import NamedTuple


class Seat(NamedTuple):
    """A board of one side with the grade of whoever sits there; None is nobody or no grade."""

    board: int
    grade: int | None


class Breach(NamedTuple):
    """`board` has a grade `excess` above that of the higher board `above`."""

    board: int
    grade: int
    above: int
    above_grade: int
    excess: int


def breaches(seats: Sequence[Seat], tolerance: int | None) -> list[Breach]:
    """The boards whose player is more than `tolerance` above anyone on a higher board.

    All pairs are looked at, and exactly the tolerance is allowed; of each board only the worst
    pair is named. A seat without a grade is neither above nor below. A tolerance of None is no
    rule, and 0 is one. Seats may come in any order; the breaches come by board.
    """
    if tolerance is None:
        return []
    found = []
    weakest: Seat | None = None
    for seat in sorted(seats, key=lambda seat: seat.board):
        if seat.grade is None:
            continue
        if weakest is not None and seat.grade - weakest.grade > tolerance:
            excess = seat.grade - weakest.grade
            found.append(Breach(seat.board, seat.grade, weakest.board, weakest.grade, excess))
        if weakest is None or seat.grade < weakest.grade:
            weakest = seat
    return found
