"""What the tests of a match's pages share: one match to come, made once for a module."""

import copy

import pytest

from tests.games.card_scene import make_scene


@pytest.fixture(scope="module")
def scene_of_module(rows_of_module):
    return make_scene(played_before=False)


@pytest.fixture
def scene(scene_of_module, db):
    return copy.deepcopy(scene_of_module)
