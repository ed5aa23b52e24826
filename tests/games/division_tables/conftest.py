"""What the tests of a division's pages share: it, and four teams with five results."""

import datetime

import pytest

from tests.factories import DivisionFactory, MatchFactory
from tests.games.division_scene import played, team


@pytest.fixture
def division():
    return DivisionFactory(
        season__league__name="Weald League",
        season__league__slug="weald",
        season__label="2026–27",
        season__slug="2026-27",
        name="Division 1",
        slug="division-1",
        promoted=1,
        relegated=1,
        changed_at=datetime.datetime(2026, 11, 24, 23, 14, tzinfo=datetime.UTC),
    )


@pytest.fixture
def four(division):
    """Four teams and five results: B, C and D end level on match points."""
    a, b, c, d = (team(division, f"{name} A") for name in ("Ash", "Birch", "Cedar", "Elm"))
    played(a, b, 4, 2, round=1, played_on=datetime.date(2026, 10, 6))
    played(c, d, 3.5, 2.5, round=1, played_on=datetime.date(2026, 10, 8))
    played(a, c, 5, 1, round=2, played_on=datetime.date(2026, 10, 20))
    played(d, b, 2, 4, round=2, played_on=datetime.date(2026, 10, 20))
    played(a, d, 2, 4, round=3, played_on=datetime.date(2026, 11, 3))
    MatchFactory(division=division, home=b, away=c, round=3, played_on=datetime.date(2026, 12, 8))
    return a, b, c, d
