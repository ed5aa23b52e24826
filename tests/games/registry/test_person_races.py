"""A person erased while a card that has to do with him is saved: both are done, one after another.

Each is made to stop where the other would already be in its way without the order of locks.
"""

import threading
from contextlib import suppress
from dataclasses import replace

import pytest

from clubs.models import Club, Player, PlayerState
from games.match_cards import agreement
from games.match_cards.card_entries import NewPlayer
from games.models import Match
from games.registry.erasure import erase_person
from tests.factories import UserFactory
from tests.games.card_scene import AT, make_scene
from tests.games.match_cards.test_card_races import pausing, together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("evening")]


class Meeting(threading.Barrier):
    """Where two wait for each other, for a second: one of them may be kept from coming."""

    def wait(self):
        with suppress(threading.BrokenBarrierError):
            return super().wait(1)


@pytest.fixture
def scene():
    scene = make_scene(played_before=False)
    scene.record(by=scene.captain)
    return scene


def named_in_a_dispute(scene):
    stored = scene.reload()
    words = {"reason": f"{scene.home[0]} lost", "by": scene.secretary, "at": AT}
    agreement.dispute(match=stored.pk, version=stored.version, **words)


def entered_by_his_account(scene):
    account = UserFactory(player=scene.home[0])
    Match.objects.filter(pk=scene.match.pk).update(entered_by=account)


def contact_of_a_new_player_s_club(scene):
    club = Club.objects.filter(pk=scene.match.home.club_id)
    club.update(contact_name=str(scene.home[0]))


@pytest.mark.parametrize(
    "prepare", [named_in_a_dispute, entered_by_his_account, contact_of_a_new_player_s_club]
)
def test_who_sits_on_a_card_is_erased_while_it_is_saved(scene, prepare):
    prepare(scene)
    entries = scene.entries("01=01=")
    entries[5] = replace(entries[5], home=NewPlayer("Newman", "Zoe", scene.match.home.club_id))
    met = Meeting(2)

    def erase():
        return erase_person(player=scene.home[0].pk, by=None, at=AT)

    def save():
        return scene.record(boards=entries, by=scene.captain)

    done = together(
        pausing(erase, 'UPDATE "clubs_player"', met), pausing(save, "WITH named AS", met)
    )
    assert [each for each in done if isinstance(each, Exception)] == []
    assert Player.objects.get(pk=scene.home[0].pk).state == PlayerState.ERASED
    assert scene.match.boards.get(number=1).result == 0
    assert str(scene.home[0]) not in (
        *Match.objects.values_list("dispute", flat=True),
        *Club.objects.values_list("contact_name", flat=True),
    )
