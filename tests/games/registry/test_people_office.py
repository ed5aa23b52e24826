"""The registry's office: pairs with reasons, two players merged after a look, and taken apart."""

import re

import pytest

from clubs.models import Player
from games.models import PlayerMerge
from games.registry.people import merge_players
from tests.factories import (
    MembershipFactory,
    PlayerFactory,
    RegistrationFactory,
    TeamFactory,
    UserFactory,
    ViolationFactory,
)
from tests.games.card_scene import AT, TODAY, make_scene, play_before, queries
from tests.games.league_state import everything
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene():
    return make_scene(boards=2)


@pytest.fixture
def grader(client):
    user = UserFactory(is_grading_officer=True)
    client.force_login(user)
    return user


@pytest.fixture
def twice(scene):
    """A member whom a card entered once more, without the accent of his name, with two games."""
    keep = scene.home[2]
    drop = PlayerFactory(surname="de la Marre", forenames="Zoe")
    MembershipFactory(club=scene.match.home.club, player=drop)
    play_before(scene.match.home, [drop], TODAY)
    return keep, drop


def page(client, address) -> Page:
    answer = client.get(address)
    assert answer.status_code == 200
    return Page(answer)


def merge_address(keep, drop) -> str:
    return f"/office/people/{drop.pk}/into/{keep.pk}/"


def seal_in(answer) -> str:
    return answer.context["effect"].seal


def test_pairs_come_with_reasons_and_those_who_met_do_not(client, grader, scene, twice):
    scene.home[0].forenames, scene.home[1].forenames = "Robin", "Robin"
    scene.home[1].surname = scene.home[0].surname  # two of one name, who sit on one card
    scene.home[0].save()
    scene.home[1].save()
    [header, row] = page(client, "/office/people/").tables[0]
    assert row[2] == "the same name but for accents, apostrophes or hyphens, at the same club"
    assert row[0].startswith("de la Marre, Zo")


def test_a_league_officer_sees_the_pairs_of_his_clubs_alone(client, scene, twice):
    PlayerFactory.create_batch(2, surname="Elsewhere", forenames="Robin")
    client.force_login(scene.officer)
    found = page(client, "/office/people/")
    assert [row[0][:8] for row in found.tables[0][1:]] == ["de la Ma"]
    client.force_login(UserFactory(is_grading_officer=True))
    assert "Elsewhere" in page(client, "/office/people/").text


def test_a_league_officer_merges_only_what_is_all_his(client, scene, twice):
    keep, drop = twice
    client.force_login(scene.officer)
    assert client.get(merge_address(keep, drop)).status_code == 200
    sister = make_scene(boards=2, name="-two")
    assert client.get(merge_address(keep, sister.home[0])).status_code == 403
    play_before(sister.match.home, [drop])
    assert client.post(merge_address(keep, drop)).status_code == 403
    assert not PlayerMerge.objects.exists()


@pytest.mark.parametrize(
    "of_another_league",
    [
        lambda player: RegistrationFactory(player=player),
        lambda player: ViolationFactory(player=player),
        lambda player: MembershipFactory(player=player, club=TeamFactory().club),
    ],
)
def test_a_league_officer_merges_nobody_whom_another_league_knows(
    client, scene, twice, of_another_league
):
    keep, drop = twice
    MembershipFactory(player=drop)  # of a club that plays in no league yet
    client.force_login(scene.officer)
    assert client.get(merge_address(keep, drop)).status_code == 200
    of_another_league(drop)
    assert client.get(merge_address(keep, drop)).status_code == 403


def test_a_merge_is_shown_confirmed_and_undone(client, grader, twice):
    keep, drop = twice
    before = everything()
    address = merge_address(keep, drop)
    first = page(client, address)
    assert "1 rated game moves" in first.headings
    shown = client.post(address)
    assert "What it changes" in Page(shown).headings
    assert everything() == before
    done = client.post(address, {"seen": seal_in(shown)})
    assert (done.status_code, done["Location"]) == (302, keep.get_absolute_url())
    merged = PlayerMerge.objects.get()
    assert (merged.kept, merged.dropped, merged.merged_by, merged.games) == (keep, drop, grader, 1)
    assert client.post(address, {"seen": seal_in(shown)}).status_code == 302  # pressed twice
    assert PlayerMerge.objects.count() == 1
    undo = f"/office/people/merges/{merged.pk}/"
    shown = client.post(undo)
    assert client.post(undo, {"seen": seal_in(shown)}).status_code == 302
    assert everything() == before
    assert "It cannot be undone." in page(client, undo).text
    assert "undone" in page(client, "/office/people/").text


def test_what_was_seen_before_a_new_game_is_shown_once_more(client, grader, scene, twice):
    keep, drop = twice
    shown = client.post(merge_address(keep, drop))
    play_before(scene.match.home, [drop])
    again = client.post(merge_address(keep, drop), {"seen": seal_in(shown)})
    assert "This is not what you saw before" in Page(again).text
    assert not PlayerMerge.objects.exists()


def test_codes_that_differ_are_chosen_first(client, grader, twice):
    keep, drop = twice
    Player.objects.filter(pk=keep.pk).update(ecf_code="117540D")
    Player.objects.filter(pk=drop.pk).update(ecf_code="233310H")
    answer = client.post(merge_address(keep, drop))
    assert "Choose which of the two is right." in Page(answer).text
    shown = client.post(merge_address(keep, drop), {"ecf_code": "dropped"})
    assert "What it changes" in Page(shown).headings
    client.post(merge_address(keep, drop), {"ecf_code": "dropped", "seen": seal_in(shown)})
    assert Player.objects.get(pk=keep.pk).ecf_code == "233310H"


def test_what_is_private_is_shown_before_it_is_carried_over(client, grader, twice):
    keep, drop = twice
    Player.objects.filter(pk=keep.pk).update(title="FM")
    Player.objects.filter(pk=drop.pk).update(
        birth_year=2015, gender="F", membership_number="M7", name_consent=True
    )
    UserFactory(player=drop, email="zoe@example.org")
    html = client.get(merge_address(keep, drop)).text
    rows = re.findall(r'<th scope="row">([^<]*)</th><td>([^<]*)</td><td>([^<]*)(<span)?', html)
    assert [(label, own, other.strip(), bool(more)) for label, own, other, more in rows][-7:-1] == [
        ("Membership number", "–", "M7", True),
        ("Date of birth", "–", "2015", True),
        ("Gender", "–", "female", True),
        ("Name may be shown", "not asked", "yes", False),
        ("Title", "FM", "–", False),
        ("Account", "–", "zoe@example.org", True),
    ]
    assert re.search(r'name="name_consent" value="kept"[^>]* checked', html)
    assert not re.search(r'value="dropped"[^>]* checked', html)


def test_two_who_met_are_refused_with_the_list(client, grader, scene):
    one, other = scene.home[:2]
    found = page(client, merge_address(one, other))
    assert "They cannot be merged. Both are on the card of Ashdown A v " in found.text
    assert client.post(merge_address(one, other), {"seen": "x"}).status_code == 200
    assert not PlayerMerge.objects.exists()


@pytest.mark.parametrize("text", ["", "\x00", "x" * 300, "zoe marre", "?!"])
def test_two_players_are_found_by_name(client, grader, twice, text):
    answer = client.get("/office/people/", {"q": text})
    assert answer.status_code == 200
    assert ("de la Marre, Zoe" in Page(answer).text) is True


@pytest.mark.parametrize("first", ["0", "x", "9" * 30, "-1"])
def test_a_first_player_who_is_none_is_no_page(client, grader, first):
    assert client.get("/office/people/", {"first": first}).status_code == 404


def test_the_second_player_is_looked_for_after_the_first(client, grader, twice):
    keep, drop = twice
    found = page(client, f"/office/people/?first={drop.pk}&q=marre")
    assert (keep.listed_name, merge_address(keep, drop)) in found.links
    assert f"Who is the same person as {drop}?" in found.headings


def test_queries_do_not_grow_with_pairs_and_merges(client, grader, twice):
    def look():
        client.get("/office/people/")

    few = queries(look)
    for number in range(6):
        pair = PlayerFactory.create_batch(2, surname=f"Twin{number}", forenames="Robin")
        MembershipFactory(player=pair[0])
        other = PlayerFactory(surname=f"Gone{number}")
        merge_players(keep=pair[0].pk, drop=other.pk, by=grader, at=AT)
    assert queries(look) <= few + 1  # the table of merges
