"""What the tests of cards share: one match of six boards, and its evening."""

import pytest
from django.utils import timezone

from tests.games.card_scene import AT, make_scene


@pytest.fixture
def evening(monkeypatch):
    """It is the evening of the match."""
    monkeypatch.setattr(timezone, "now", lambda: AT)


@pytest.fixture
def scene(db):
    return make_scene()


@pytest.fixture
def captain(client, scene):
    """The browser of the home captain, signed in."""
    client.force_login(scene.captain)
    return client
