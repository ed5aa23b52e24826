"""Registrations of two entries of one person joined, and parted after others were given theirs."""

import datetime

import pytest

from games.models import Registration
from games.registry.people import merge_players, undo_merge
from games.season_office import registrations
from tests.factories import (
    MembershipFactory,
    PlayerFactory,
    RegistrationFactory,
    TeamFactory,
    UserFactory,
)
from tests.games.card_scene import AT, TODAY, make_scene

pytestmark = pytest.mark.django_db
DAY = datetime.timedelta(days=1)


@pytest.fixture
def scene():
    return make_scene(boards=2)


@pytest.fixture
def keep(scene):
    return scene.home[0]


@pytest.fixture
def drop(scene):
    player = PlayerFactory(surname="Lovell", forenames="Maureen")
    MembershipFactory(club=scene.match.home.club, player=player, starts_on=TODAY - DAY * 400)
    return player


def enrol(scene, player, **more):
    season, club = scene.match.division.season, scene.match.home.club
    more = {"starts_on": TODAY - DAY * 60, **more}
    return RegistrationFactory(season=season, club=club, player=player, **more)


def merge(keep, drop):
    return merge_players(keep=keep.pk, drop=drop.pk, by=None, at=AT)


def undo(merged):
    return undo_merge(merge=merged.pk, by=None, at=AT)


def nominated(*players) -> list[tuple]:
    rows = Registration.objects.filter(player__in=players).order_by("pk")
    return list(rows.values_list("player", "team", "nominated_rank"))


def test_a_nomination_and_a_consent_are_the_kept_ones_and_go_back(scene, keep, drop):
    enrol(scene, keep, approved_at=None)
    enrol(scene, drop, approved_at=AT, team=scene.match.home, nominated_rank=1)
    before = nominated(keep, drop)
    merged = merge(keep, drop)
    assert nominated(keep, drop) == [(keep.pk, scene.match.home_id, 1)]
    assert keep.registrations.get().approved_at == AT
    undo(merged)
    assert nominated(keep, drop) == before
    assert keep.registrations.get().approved_at is None


def test_who_is_tied_to_a_team_himself_stays_so(scene, keep, drop):
    second = TeamFactory(
        club=scene.match.home.club, division=scene.match.division, name="Ashdown Z"
    )
    enrol(scene, keep, team=second)
    enrol(scene, drop, team=scene.match.home, nominated_rank=1)
    merge(keep, drop)
    assert nominated(keep, drop) == [(keep.pk, second.pk, None)]


def test_a_nomination_of_an_ended_time_is_not_taken_over(scene, keep, drop):
    enrol(scene, keep)
    enrol(scene, drop, team=scene.match.home, ends_on=TODAY - DAY)
    merge(keep, drop)
    assert nominated(keep, drop) == [(keep.pk, None, None)]


@pytest.mark.parametrize("moved_since", [False, True])
def test_a_board_given_to_a_third_since_stays_his(scene, keep, drop, moved_since):
    team, third = scene.match.home, scene.home[1]
    own = enrol(
        scene, keep, team=TeamFactory(club=team.club, division=team.division, name="Ashdown Z")
    )
    enrol(scene, drop, team=team, nominated_rank=1)
    merged = merge(keep, drop)
    given = enrol(scene, third)
    registrations.nominate(registration=given.pk, team=team.pk, rank=1, by=None)
    if moved_since:
        registrations.nominate(registration=own.pk, team=None, rank=None, by=None)
    undo(merged)
    assert nominated(drop, third) == [(drop.pk, team.pk, None), (third.pk, team.pk, 1)]


def test_what_a_registration_led_to_and_is_gone_is_left_out(scene, keep, drop):
    officer = UserFactory()
    team = TeamFactory(club=scene.match.home.club, division=scene.match.division, name="Ashdown Z")
    enrol(scene, keep, team=scene.match.home)
    enrol(scene, drop, registered_by=officer, team=team, nominated_rank=1)
    merged = merge(keep, drop)
    officer.delete()
    team.delete()
    undo(merged)
    assert nominated(drop) == [(drop.pk, None, None)]
    assert drop.registrations.get().registered_by is None
