"""What the tests of cards share: one match of six boards, and its evening."""

import copy

import pytest

from tests.games.card_scene import make_scene


@pytest.fixture(scope="module")
def scene_of_module(rows_of_module):
    return make_scene()


@pytest.fixture
def scene(scene_of_module, db):
    """The scene, for tests that do not commit; who does makes one himself."""
    return copy.deepcopy(scene_of_module)


@pytest.fixture
def captain(client, scene):
    """The browser of the home captain, signed in."""
    client.force_login(scene.captain)
    return client
