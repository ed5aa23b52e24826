"""The pool of a game by its time control."""

import pytest

from games.time_control import pool_for


@pytest.mark.parametrize(
    ("minutes", "increment", "pool"),
    [
        (75, 10, "standard"),
        (25, 5, "rapid"),
        (5, 3, "blitz"),
        (60, 0, "standard"),
        (59, 0, "rapid"),
        (50, 10, "standard"),
        (50, 9, "rapid"),
        (10, 0, "rapid"),
        (9, 0, "blitz"),
        (8, 2, "rapid"),
        (3, 0, "blitz"),
        (2, 0, "bullet"),
        (1, 1, "bullet"),
        (2, 1, "blitz"),
        (0, 1, "bullet"),
        (120, 30, "standard"),
    ],
)
def test_pool_of_a_time_control(minutes, increment, pool):
    assert pool_for(minutes, increment) == pool


def test_increment_is_nought_unless_given():
    assert pool_for(15) == "rapid"


@pytest.mark.parametrize(("minutes", "increment"), [(-1, 0), (90, -30), (0, 0)])
def test_a_negative_or_empty_time_is_refused(minutes, increment):
    with pytest.raises(ValueError, match="time control"):
        pool_for(minutes, increment)
