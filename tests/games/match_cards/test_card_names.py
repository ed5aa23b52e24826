"""Names typed on a card: found, asked about, taken as new; never somebody without a word."""

import re

import pytest

from clubs.models import Player, PlayerState
from tests import factories
from tests.games.card_html import chosen, results, stored
from tests.games.card_scene import TODAY, people

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("evening")]


def test_a_new_player_becomes_a_pending_one_and_is_rated(captain, scene):
    form = scene.form("=1=01=", away_6="new", away_name_6="Zebedee de la Rue")
    response = captain.post(scene.url, form)
    assert response.status_code == 302
    player = Player.objects.get(surname="de la Rue")
    assert (player.forenames, player.state) == ("Zebedee", PlayerState.PENDING)
    assert [m.club for m in player.memberships.all()] == [scene.match.away.club]
    assert [m.starts_on for m in player.memberships.all()] == [TODAY]
    assert stored(scene)[5][2] == player.pk
    assert player.elo_ratings.get().games == 1


def test_a_name_that_nobody_has_makes_no_player_until_one_says_so(captain, scene):
    form = scene.form("=1=01=", away_name_6="Zebedee de la Rue")
    html = captain.post(scene.url, form).content.decode()
    said = "Nobody known is called so: choose a new player, or correct the name."
    assert f"<b>Who is Zebedee de la Rue?</b> {said}" in html
    assert 'value="Zebedee de la Rue"' in html and chosen(html, 6, "away") == ""
    assert results(html) == {1: "1", 2: "2", 3: "1", 4: "0", 5: "2", 6: "1"}
    assert stored(scene) == [] and not Player.objects.filter(surname="de la Rue").exists()
    asked = {"boards-5-away_asked": "Zebedee de la Rue"}
    captain.post(scene.url, form | asked | {"boards-5-away": ""})
    assert stored(scene) == []
    captain.post(scene.url, form | asked | {"boards-5-away": "new"})
    assert stored(scene)[5][2] == Player.objects.get(surname="de la Rue").pk


def test_a_surname_alone_is_asked_about_and_is_never_a_new_player(captain, scene):
    [away] = people(factories.ClubFactory(name="Crowborough"), [("Tolbert", "Robin", 120)])
    form = scene.form("=1=01=", home_name_6="Tolbert")
    for change in ({"boards-5-home": ""}, {}, {"boards-5-home": "new"}):
        html = captain.post(scene.url, form | change).content.decode()
        assert (
            "<b>Which Tolbert?</b> 2 players may be meant."
            " A new player needs a forename and a surname." in html
        )
        assert "as a new player</option>" not in html
        assert stored(scene) == [] and Player.objects.filter(state="pending").count() == 0
    picker = html[html.index('<select name="boards-5-home"') :]
    likely = re.search(r"<optgroup data-likely[^>]*>(.*?)</optgroup>", picker, re.DOTALL)[1]
    assert re.findall(r'value="(\d+)"[^>]*>([^<]*)<', likely) == [
        (str(scene.away[3].pk), "John Tolbert Sr, Hartfield"),
        (str(away.pk), "Robin Tolbert, Crowborough"),
    ]
    asked = {"boards-5-home_asked": "Tolbert", "boards-5-home": away.pk}
    assert captain.post(scene.url, form | asked).status_code == 302
    assert stored(scene)[5][1] == away.pk


def test_a_name_of_the_club_spelt_otherwise_is_offered(captain, scene):
    html = captain.post(
        scene.url, scene.form("=1=01=", home_name_6="Ester Szabbo")
    ).content.decode()
    assert "Who is Ester Szabbo?" in html and "1 player may be meant." in html
    picker = html[html.index('<select name="boards-5-home"') :]
    likely = re.search(r"<optgroup data-likely[^>]*>(.*?)</optgroup>", picker, re.DOTALL)[1]
    assert "Eszter Szabó" in likely
    assert "Add “Ester Szabbo” as a new player</option>" in picker


def test_what_was_chosen_for_one_name_is_no_answer_for_another(captain, scene):
    form = scene.form("=1=01=", home_name_6="Zebedee Newman")
    asked = {"boards-5-home_asked": "Zebedee Oldman"}
    html = captain.post(scene.url, form | asked).content.decode()
    assert "Who is Zebedee Newman?" in html and stored(scene) == []


def test_a_new_player_stays_one_while_another_row_is_refused(captain, scene):
    form = scene.form("=1=01=", home_6="new", home_name_6="Zebedee Newman", away_5="")
    html = captain.post(scene.url, form).content.decode()
    assert "A result without a player." in html
    assert chosen(html, 6, "home") == "new" and 'value="Zebedee Newman"' in html


def test_who_is_no_member_is_warned_of_and_saved(captain, scene):
    [guest] = people(factories.ClubFactory(name="Crowborough"), [("Rook", "Robin", 120)])
    [known] = people(factories.ClubFactory(name="Kingsmead"), [("Pawn", "Ann", 110)])
    factories.RegistrationFactory(
        season=scene.match.division.season, club=scene.match.home.club, player=known
    )
    said = "<b>Check the player.</b> Robin Rook is not a member of Ashdown."
    assert 'class="note warn' not in captain.get(scene.url).content.decode()
    changed = {"home_6": guest, "home_5": known}
    refused = captain.post(scene.url, scene.form("=1=01=", away_4="", **changed)).content.decode()
    assert refused.count('class="note warn') == 1 and said in refused
    assert captain.post(scene.url, scene.form("=1=01=", **changed)).status_code == 302
    assert stored(scene)[5][1] == guest.pk
    assert said in captain.get(scene.url).content.decode()
    page = f"/matches/{scene.match.pk}/"
    told = "Board 6: Robin Rook is not a member of Ashdown."
    assert told in captain.get(page).content.decode()
    captain.force_login(scene.officer)
    assert told in captain.get(page).content.decode()
    captain.force_login(factories.UserFactory())
    assert "is not a member" not in captain.get(page).content.decode()


@pytest.mark.parametrize("typed", ["eszter szabo", "Szabó, Eszter", "  SZABO,ESZTER  "])
def test_a_name_of_the_club_is_that_player(captain, scene, typed):
    captain.post(scene.url, scene.form("=1=01=", home_name_6=typed))
    assert stored(scene)[5][1] == scene.home[7].pk


def test_a_code_is_that_player_wherever_he_is(captain, scene):
    guest = factories.PlayerFactory(surname="Guest", ecf_code="123456A")
    for typed in ("123456a", "123456A Somebody Else"):
        captain.post(scene.url, scene.form("=1=01=", home_name_6=typed))
        assert stored(scene)[5][1] == guest.pk
    html = captain.post(scene.url, scene.form("=1=01=", home_name_5="654321B")).content.decode()
    assert "Nobody has the code 654321B" in html


def test_nobody_in_words_is_nobody(captain, scene):
    captain.post(scene.url, scene.form("=1=01 ", home_name_6="Default", away_name_6="A.N. Other"))
    assert len(stored(scene)) == 5


@pytest.mark.parametrize("typed", ["1-0", "0", "12345", "½-½"])
def test_what_has_no_letter_is_no_player(captain, scene, typed):
    response = captain.post(scene.url, scene.form("=1=01=", home_name_6=typed))
    assert f"“{typed}” is no name." in response.content.decode()
    assert stored(scene) == [] and not Player.objects.filter(state=PlayerState.PENDING).exists()


def test_a_namesake_elsewhere_is_offered_and_never_taken(captain, scene):
    [namesake] = people(factories.ClubFactory(name="Crowborough"), [("Rook", "Robin", 120)])
    form = scene.form("=1=01=", home_name_6="Robin Rook")
    html = captain.post(scene.url, form).content.decode()
    assert "Which Robin Rook?" in html and "Crowborough" in html
    assert 'value="Robin Rook"' in html and chosen(html, 6, "home") == ""
    assert stored(scene) == []
    captain.post(scene.url, form | {"boards-5-home": namesake.pk})
    assert stored(scene)[5][1] == namesake.pk


def test_a_namesake_elsewhere_may_be_somebody_new(captain, scene):
    people(factories.ClubFactory(name="Crowborough"), [("Rook", "Robin", 120)])
    form = scene.form("=1=01=", home_name_6="Robin Rook") | {"boards-5-home": "new"}
    captain.post(scene.url, form)
    new = Player.objects.get(surname="Rook", state=PlayerState.PENDING)
    assert stored(scene)[5][1] == new.pk


def test_two_of_one_name_in_the_club_must_be_told_apart(captain, scene):
    twins = people(scene.match.home.club, [("Rook", "Robin", 120), ("Rook", "Robin", 90)])
    form = scene.form("=1=01=", home_name_6="Robin Rook")
    assert "Which Robin Rook?" in captain.post(scene.url, form).content.decode()
    captain.post(scene.url, form | {"boards-5-home": twins[1].pk})
    assert stored(scene)[5][1] == twins[1].pk


@pytest.mark.parametrize(
    "typed",
    [
        "\x00",
        "Rob\x00in",
        "æ" * 100 + " " + "æ" * 90,
        "x" * 201,
        "x" * 101,
        "...",
        "\u202e Robin Rook",
        "!",
    ],
)
def test_what_is_no_name_is_refused_at_its_row(captain, scene, typed):
    html = captain.post(scene.url, scene.form("=1=01=", home_name_6=typed)).content.decode()
    assert 'id="problems-6"' in html and stored(scene) == []
    assert not Player.objects.filter(state=PlayerState.PENDING).exists()


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ("home_name_6", "\x00", "Not a player. That is no name: write letters."),
        ("away_name_6", "Rob\x00in", "Not a player. That is no name: write letters."),
        ("away_name_6", "x" * 201, "Not a player. A name has at most 200 letters."),
        ("toss", "\x00", "Choose how the toss fell."),
    ],
)
def test_what_cannot_be_read_is_refused_in_our_own_words(captain, scene, field, typed, told):
    scene.match.division.home_colour = "toss"
    scene.match.division.save()
    html = captain.post(scene.url, scene.form("=1=01=", **{field: typed})).content.decode()
    banner = html[html.index('class="banner bad"') : html.index("<form class")]
    assert told in banner and stored(scene) == []
    for djangos in ("Null characters", "Ensure this value", "Select a valid choice"):
        assert djangos not in html
