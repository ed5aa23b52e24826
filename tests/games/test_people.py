"""Two entries of one person merged, and the merge undone: to the last digit, whatever came since."""

import datetime

import pytest
from django.db import connection

from clubs.models import Membership, Player, PlayerState, User
from games.merge_preview import preview_merge, preview_undo
from games.models import Board, PlayerMerge
from games.people import CannotUndo, MergeRefused, MergeUndecided, merge_players, undo_merge
from games.verification import verify
from ratings.models import EloGame, EloRating, Grade, GradedGame, OpeningRating, RatedGame
from tests.factories import (
    GradeListFactory,
    MembershipFactory,
    OpeningRatingFactory,
    PlayerFactory,
    RatedGameFactory,
    UserFactory,
)
from tests.games.card_scene import AT, TODAY, make_scene, play_before
from tests.games.league_state import everything

pytestmark = pytest.mark.django_db
DAY = datetime.timedelta(days=1)


def play(scene, player, days, results=(2, 1, 0)):
    """One match a day against strangers, with this player on a board of the home team."""
    for number, day in enumerate(days):
        play_before(scene.match.home, [player], day, results[number % len(results)])


@pytest.fixture
def scene():
    return make_scene(boards=2)


@pytest.fixture
def keep(scene):
    return scene.home[0]


@pytest.fixture
def drop(scene):
    player = PlayerFactory(surname="Lovell", forenames="Maureen", state=PlayerState.PENDING)
    MembershipFactory(club=scene.match.home.club, player=player)
    return player


def merge(keep, drop, **choices):
    return merge_players(keep=keep.pk, drop=drop.pk, by=None, at=AT, choices=choices)


def undo(merged):
    return undo_merge(merge=merged.pk, by=None, at=AT)


def days(first, count, step=7):
    return [first + DAY * step * number for number in range(count)]


def test_forty_games_each_merged_are_rated_as_a_rebuild_says_and_come_back(scene, keep, drop):
    year_ago = TODAY - DAY * 365
    play(scene, keep, days(year_ago, 40))
    play(scene, drop, days(year_ago + DAY * 3, 40))
    before = everything()
    merged = merge(keep, drop)
    assert verify() == []
    assert merged.games == 40
    assert EloRating.objects.get(player=keep).games == 81  # one was played in the scene
    assert not RatedGame.objects.of_player(drop.pk).exists()
    assert not EloRating.objects.filter(player=drop).exists()
    assert everything() != before
    undo(merged)
    assert everything() == before
    assert verify() == []
