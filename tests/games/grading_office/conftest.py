"""A real season, for the tests that grade it."""

import pytest
from django.core.management import call_command

from tests.games.armstrong_scene import PLAYERS, RESULTS


@pytest.fixture
def season(db):
    """The season with opening grades of 1 July 2010, and no list yet."""
    call_command("import_players", str(PLAYERS), "--as-of", "2010-07-01", verbosity=0)
    call_command("import_results", str(RESULTS), "--league", "Leinster", "--season", "2010-11")
