"""What the tests of the grading office share: a real season, and a card to be corrected."""

import datetime

import pytest
from django.core.management import call_command

from ratings import ledger
from tests.factories import PlayerFactory, RatedEventFactory, UserFactory
from tests.games.armstrong_scene import PLAYERS, RESULTS
from tests.games.card_scene import make_scene
from tests.games.correction_scene import DAY, rate


@pytest.fixture
def season(db):
    """The season with opening grades of 1 July 2010, and no list yet."""
    call_command("import_players", str(PLAYERS), "--as-of", "2010-07-01", verbosity=0)
    call_command("import_results", str(RESULTS), "--league", "Leinster", "--season", "2010-11")


@pytest.fixture
def scene(db):
    """A match of six boards that was played, with its card."""
    scene = make_scene()
    scene.record("=1=01=")
    return scene


@pytest.fixture
def officer(client):
    """A client logged in as the grading officer."""
    client.force_login(UserFactory(is_grading_officer=True, name="Gwen Office"))
    return client


@pytest.fixture
def elsewhere(scene):
    """A congress that came as a file: two rated games, the first before the match."""
    event = RatedEventFactory(name="Easter Congress")
    people = [scene.home[0], PlayerFactory(surname="Stranger"), scene.away[0]]
    for number, (white, black) in enumerate(((0, 1), (1, 2)), 1):
        day = DAY + datetime.timedelta(number)
        sides = people[white].pk, people[black].pk
        rate(event, ledger.Played(f"c{number}", day, 1, 1, number, *sides, 2, True))
    return event
