"""What the tests of a cup's pages share: four teams and one semi-final settled."""

import pytest

from tests.games.cup_scene import make_cup


@pytest.fixture
def cup():
    """Four teams; one semi-final has been played and settled by board count."""
    cup = make_cup(4)
    cup.draw()
    cup.play(cup.tie(1, 1), "board_count")
    return cup
