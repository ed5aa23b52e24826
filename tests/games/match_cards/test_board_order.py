"""Who sits too low: all pairs of a line-up, strictly more than the tolerance."""

from hypothesis import given
from hypothesis import strategies as st

from games.match_cards.board_order import Breach, Seat, breaches


def seats(*grades) -> list[Seat]:
    return [Seat(number, grade) for number, grade in enumerate(grades, 1)]


def test_in_order_there_is_nothing_to_say():
    assert breaches(seats(168, 162, 159, 151, 151, 139), 0) == []


def test_one_above_a_higher_board_is_named_with_how_much():
    assert breaches(seats(168, 162, 159, 151, 154, 139), 0) == [Breach(5, 154, 4, 151, 3)]


def test_exactly_the_tolerance_is_allowed_and_one_more_is_not():
    assert breaches(seats(150, 160), 10) == []
    assert breaches(seats(150, 161), 10) == [Breach(2, 161, 1, 150, 11)]


def test_every_higher_board_counts_not_only_the_next():
    assert breaches(seats(150, 158, 165), 10) == [Breach(3, 165, 1, 150, 15)]


def test_no_tolerance_is_no_rule_and_nought_is_one():
    assert breaches(seats(150, 151), None) == []
    assert breaches(seats(150, 151), 0) == [Breach(2, 151, 1, 150, 1)]


def test_who_has_no_grade_is_neither_above_nor_below():
    assert breaches(seats(None, 200, None, 100), 0) == []
    assert breaches(seats(100, None, 101), 0) == [Breach(3, 101, 1, 100, 1)]


def test_a_grade_of_nought_is_a_grade():
    assert breaches(seats(0, 1), 0) == [Breach(2, 1, 1, 0, 1)]


def test_seats_may_come_in_any_order():
    assert breaches(seats(100, 101)[::-1], 0) == [Breach(2, 101, 1, 100, 1)]


@given(st.lists(st.none() | st.integers(0, 250), max_size=16), st.integers(0, 40), st.randoms())
def test_the_same_boards_as_by_looking_at_every_pair(grades, tolerance, random):
    line_up = seats(*grades)
    expected = {
        low.board
        for low in line_up
        for high in line_up
        if high.board < low.board and None not in (high.grade, low.grade)
        if low.grade - high.grade > tolerance
    }
    shuffled = random.sample(line_up, len(line_up))
    found = breaches(shuffled, tolerance)
    assert [breach.board for breach in found] == sorted(expected)
    for breach in found:
        above = min(seat.grade for seat in line_up[: breach.board - 1] if seat.grade is not None)
        assert (breach.above_grade, breach.excess) == (above, breach.grade - above)
