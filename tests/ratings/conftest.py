"""What the tests of grades share: an event without a game yet, and a first list of two games."""

from datetime import date

import pytest

from tests.ratings.grade_scene import JANUARY
from tests.ratings.list_scene import Ledger
from tests.ratings.why_scene import graded


@pytest.fixture
def books(db):
    return Ledger()


@pytest.fixture
def small(books):
    """Two games of a 150 in November: he beats a 140 and draws with a 200."""
    hero, near, far = graded(150, "Hero"), graded(140, "Near"), graded(200, "Far")
    books.play(hero, near, 2, date(2025, 11, 4), key="won")
    books.play(far, hero, 1, date(2025, 11, 11), key="drawn")
    books.publish(JANUARY)
    return hero
