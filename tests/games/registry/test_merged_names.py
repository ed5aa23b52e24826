"""Who was merged: his name on cards and in files, and his old addresses."""

import datetime

import pytest
from django.db.models import ProtectedError
from django.urls import reverse

from clubs.directory import Directory
from clubs.models import Player, PlayerState
from clubs.names import PersonName
from clubs.registry import add_pending
from games.grading_office.verification import verify
from games.match_cards.card_entries import BoardEntry
from games.match_cards.cards import CardRefused
from ratings.models import EloRating, Grade, RatedGame
from tests.factories import GradeListFactory, MembershipFactory, PlayerFactory
from tests.games.card_scene import AT, TODAY, make_scene
from tests.games.merge_scene import DAY, merge, play

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene():
    return make_scene(boards=2)


@pytest.fixture
def keep(scene):
    return scene.home[0]


@pytest.fixture
def drop(scene):
    player = PlayerFactory(surname="Lovell", forenames="Maureen", state=PlayerState.PENDING)
    MembershipFactory(club=scene.match.home.club, player=player, starts_on=TODAY - DAY * 400)
    return player


# --- Cards and names ---------------------------------------------------------------------


def test_a_card_opened_before_a_merge_is_told_the_other_name(scene, keep, drop):
    boards = [BoardEntry(1, drop.pk, scene.away[0].pk, "white", 2)]
    merge(keep, drop)
    with pytest.raises(CardRefused) as refused:
        scene.record(boards=boards)
    assert [str(problem) for problem in refused.value.problems[1]] == [
        "Entered twice in the registry. Maureen Lovell is the same person as Maureen T Lovell:"
        " choose that name."
    ]


def test_an_open_card_of_a_match_he_sat_in_is_out_of_date(scene, keep, drop):
    [match] = play(scene, drop, [TODAY - DAY * 50])
    match.refresh_from_db()
    before = match.version
    merge(keep, drop)
    match.refresh_from_db()
    assert match.version == before + 1


def test_the_name_he_had_means_the_other_one_when_it_is_typed_on_a_card(scene, keep, drop, client):
    merge(keep, drop)
    client.force_login(scene.officer)
    form = scene.form("1=", home_1="", home_name_1="Maureen Lovell")
    assert client.post(scene.url, form).status_code == 302
    assert scene.match.boards.get(number=1).home_player == keep
    assert not Player.objects.filter(state=PlayerState.PENDING).exists()


def test_a_pending_player_who_was_merged_is_found_as_the_other_one(scene, keep):
    club = scene.match.home.club
    added = add_pending(surname="Lovvel", forenames="Maureen", club=club.pk, on=TODAY)
    merge(keep, added)
    assert list(Player.objects.standing().found("Lovvel")) == []
    assert Player.objects.filter(pk=added.pk).kept_for() == {added.pk: keep.pk}


def test_a_member_typed_without_accents_and_in_capitals_is_no_second_player(scene, client):
    player = PlayerFactory(surname="Müller", forenames="Élodie")
    MembershipFactory(club=scene.match.home.club, player=player)
    client.force_login(scene.officer)
    form = scene.form("1=", home_1="", home_name_1="ELODIE MULLER")
    assert client.post(scene.url, form).status_code == 302
    assert scene.match.boards.get(number=1).home_player == player


def test_a_namesake_of_another_club_is_asked_for_and_not_taken(scene, client):
    PlayerFactory(surname="Müller", forenames="Élodie")
    client.force_login(scene.officer)
    answer = client.post(scene.url, scene.form("1=", home_1="", home_name_1="ELODIE MULLER"))
    assert "Which ELODIE MULLER?" in answer.content.decode()
    assert not scene.match.boards.exists()


def test_a_file_finds_the_kept_player_by_the_name_and_the_code_of_the_merged_one(scene, keep, drop):
    Player.objects.filter(pk=keep.pk).update(ecf_code="117540D")
    Player.objects.filter(pk=drop.pk).update(ecf_code="233310H")
    merge(keep, drop, ecf_code="kept")
    directory = Directory.load(codes=["233310H"])
    club = directory.club(scene.match.home.club.name)
    directory.load_members([club])
    by_code = directory.person(name=PersonName("Lovell", "M"), code="233310H", club=club)
    by_name = directory.person(name=PersonName("Lovell", "Maureen"), code=None, club=club)
    assert [(found.player, found.new) for found in (by_code, by_name)] == [(keep, False)] * 2


def test_a_player_with_games_is_never_deleted(scene, keep):
    with pytest.raises(ProtectedError) as refused:
        keep.delete()
    assert {type(row).__name__ for row in refused.value.protected_objects} >= {
        *("Board", "RatedGame", "EloRating"),
    }
    assert Player.objects.filter(pk=keep.pk).exists()


def test_one_game_entered_for_both_of_two_entries_is_one_row(scene, keep, drop):
    """The same card twice, once for each spelling: the second is a correction of the first."""
    Player.objects.filter(pk=drop.pk).update(state=PlayerState.ACTIVE)
    scene.record(boards=[BoardEntry(1, drop.pk, scene.away[0].pk, "white", 2)])
    scene.record(boards=[BoardEntry(1, keep.pk, scene.away[0].pk, "white", 2)])
    assert RatedGame.objects.filter(black=scene.away[0], played_on=TODAY).count() == 1
    merge(keep, drop)
    assert RatedGame.objects.filter(black=scene.away[0], played_on=TODAY).count() == 1
    assert EloRating.objects.get(player=keep).games == 2  # with the one of last time
    assert verify() == []


# --- Old addresses -----------------------------------------------------------------------


ADDRESSES = ["player_detail", "player_chart", "player_opponents", "player_seasons", "elo_why"]


@pytest.mark.parametrize("name", [*ADDRESSES, "player_head_to_head", "grade_why_newest"])
@pytest.mark.parametrize("form", ["", "json"])
def test_old_addresses_lead_to_the_kept_player_for_good(client, keep, drop, name, form):
    merge(keep, drop)
    twin = {"form": form} if form else {}
    if name == "player_chart" and not form or name == "grade_why_newest" and form:
        return
    old, new = (reverse(name, kwargs={"pk": each.pk, **twin}) for each in (drop, keep))
    answer = client.get(f"{old}?pool=standard")
    assert (answer.status_code, answer["Location"]) == (301, f"{new}?pool=standard")


def test_what_a_published_list_says_of_the_dropped_one_stays_at_its_address(client, keep, drop):
    listed = GradeListFactory(cutoff=datetime.date(2026, 7, 1), state="published", published_at=AT)
    for player, grade in ((keep, 160), (drop, 140)):
        Grade.objects.create(
            grade_list=listed,
            player=player,
            grade=grade,
            published=grade,
            numerator=30 * grade,
            divisor=30,
            opening_games=30,
            opening_grade=grade,
        )
    merge(keep, drop)
    page = client.get(f"/players/{drop.pk}/grade/2026-07-01/")
    assert page.status_code == 200 and "140" in page.content.decode()
