"""The match page: what happened, and who sees it."""

import datetime
from dataclasses import replace

import pytest

from clubs.models import Player
from games.match_cards.card_checks import SIDES
from games.match_cards.card_entries import NewPlayer
from games.models import Board, Match, MatchState, Season
from tests import factories
from tests.games.card_scene import make_scene
from tests.games.match_page_scene import PLAYED, page, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("evening")]


# --- Who sees it -------------------------------------------------------------------------


def test_everybody_sees_a_public_match(client, scene):
    scene.record(PLAYED)
    html = page(client, scene)
    assert "Change card" not in html and "Check the order" not in html
    assert "csrf" not in html


def test_a_match_of_a_season_not_public_is_for_those_who_enter_it(client, scene):
    Season.objects.update(published_at=None)
    scene.record(PLAYED)
    endings = ("/", ".json", ".csv", ".txt")
    other_officer = factories.LeagueRoleFactory().user
    for user in (None, scene.outsider, other_officer):
        if user:
            client.force_login(user)
        for ending in endings:
            assert client.get(f"/matches/{scene.match.pk}{ending}").status_code == 404
    for user in (scene.officer, scene.captain, scene.secretary):
        client.force_login(user)
        for ending in endings:
            assert client.get(f"/matches/{scene.match.pk}{ending}").status_code == 200


def test_no_such_match_and_no_other_method(client, scene):
    for ending in ("/", ".json", ".csv", ".txt"):
        assert client.get(f"/matches/{10**9}{ending}").status_code == 404
        assert client.post(f"/matches/{scene.match.pk}{ending}").status_code == 405


def test_the_name_of_a_junior_is_for_those_with_an_account(client, scene):
    Player.objects.filter(pk=scene.home[0].pk).update(
        birth_date=datetime.date.today() - datetime.timedelta(days=365 * 12)
    )
    scene.record(PLAYED)
    for ending in ("/", ".json", ".csv", ".txt"):
        assert "Lovell" not in page(client, scene, ending)
        assert "Junior player" in text_of(page(client, scene, ending))
    client.force_login(scene.captain)
    for ending in ("/", ".json", ".csv", ".txt"):
        assert "Lovell" in page(client, scene, ending)


# --- What it says ------------------------------------------------------------------------


def test_after_saving_it_says_so_first_and_once(client, scene):
    client.force_login(scene.captain)
    html = client.post(scene.url, scene.form(PLAYED), follow=True).content.decode()
    assert "Saved at " in html and html.index("Saved at ") < html.index("<h1")
    words = text_of(html)
    assert "Ashdown A 3½ – 2½ Hartfield A. Table and Elo are up to date." in words
    assert "Change card" in words and "Copy as text" in words
    assert "Saved at" not in page(client, scene)


@pytest.mark.parametrize("form", ["", ".json", ".csv", ".txt"])
def test_a_line_up_without_a_result_is_for_those_who_enter_the_card(client, scene, form):
    client.force_login(scene.captain)
    client.post(scene.url, scene.form("      "))
    address = f"/matches/{scene.match.pk}{form or '/'}"
    surname = scene.match.boards.earliest("number").home_player.surname
    assert surname in client.get(address).content.decode()
    client.logout()
    assert surname not in client.get(address).content.decode()


def test_a_line_up_is_said_to_be_one_and_has_no_score(client, scene):
    client.force_login(scene.captain)
    words = text_of(client.post(scene.url, scene.form("      "), follow=True).content.decode())
    assert "Line-up saved. No result yet." in words and "Change card" in words
    assert "up to date" not in words and "0 – 0" not in words and "Not complete" not in words
    words = text_of(page(client, scene))
    assert "The line-up. No board has a result yet. Enter the results" in words
    assert "Maureen T Lovell" in words and "Ashdown A v Hartfield A" in words
    assert page(client, scene, ".txt").startswith("Ashdown A v Hartfield A")
    client.logout()
    assert "Enter the results" not in text_of(page(client, scene))


def test_a_card_of_nobody_is_said_to_be_empty(client, scene):
    client.force_login(scene.captain)
    form = scene.form("      ", **{f"{side}_{n}": "" for side in SIDES for n in range(1, 7)})
    words = text_of(client.post(scene.url, form, follow=True).content.decode())
    assert "The card is empty. It names no player and has no result." in words
    assert "Not played yet" in words and scene.reload().version == 0


def test_an_unfinished_card_is_completed_from_its_banner(client, scene):
    scene.record("=1=0  ")
    link = f'<a role="button" href="{scene.url}">Complete the card</a>'
    assert "Complete the card" not in page(client, scene)
    client.force_login(scene.secretary)
    html = page(client, scene)
    assert html.count(scene.url) == html.count(link) == 1
    assert html.index(link) < html.index("<tbody>")


def test_who_did_not_save_it_is_not_told(client, scene):
    client.force_login(scene.captain)
    client.post(scene.url, scene.form(PLAYED))
    client.logout()
    assert "Saved at" not in page(client, scene)


def test_the_boards_with_what_each_game_changed(client, scene):
    scene.record(PLAYED)
    html = page(client, scene)
    rows = html[html.index("<tbody>") : html.index("</tbody>")].split("</tr>")[:-1]
    assert [text_of(row) for row in rows][:2] == [
        "1 1960 +1.3 1961 Maureen T Lovell Black 1960 +1.3 → 1961 ½ – ½"
        " White Pieter van der Lune 1983 −1.3 → 1981 1983 −1.3 1981",
        "2 1915 +20.5 1936 Ronald J McVale White 1915 +20.5 → 1936 1 – 0"
        " Black Siobhan O’Grange 1923 −20.5 → 1902 1923 −20.5 1902",
    ]
    assert "the home side has Black on odd boards" in html


def test_a_default_is_said_in_words_and_changes_no_elo(client, scene):
    entries = scene.entries(PLAYED)
    entries[0] = replace(entries[0], away=None, result=None, award="home_default")
    scene.record(boards=entries)
    html = page(client, scene)
    row = text_of(html[html.index("<tbody>") : html.index("</tr>", html.index("<tbody>"))])
    assert row == "1 – – – Maureen T Lovell Black 1 – 0 lost by default – – –"
    assert text_of(html).count("4 – 2") == 1


def test_an_incomplete_match_says_what_is_missing(client, scene):
    client.force_login(scene.captain)
    html = client.post(scene.url, scene.form("=1=0  "), follow=True).content.decode()
    words = text_of(html)
    assert "Ashdown A 2 – 2 Hartfield A. Elo is up to date." in words
    assert "Not complete. Boards 5 and 6 have no result yet." in words
    assert "What moved" not in words
    scene.record("=1=01 ")
    assert "Board 6 has no result yet." in text_of(page(client, scene))


def test_a_board_that_nobody_has_named_is_shown_too(client, scene):
    scene.record(boards=scene.entries("=1=01 ")[:5])
    words = text_of(page(client, scene))
    assert "6 – – – not named yet – no result yet not named yet – – –" in words
    assert "Board 6 has no result yet." in words


def test_a_match_not_played_says_so_and_offers_the_card(client, scene):
    assert "Not played yet" in page(client, scene)
    assert "Enter the card" not in page(client, scene)
    client.force_login(scene.secretary)
    assert f'href="{scene.url}">Enter the card' in page(client, scene)
    Match.objects.update(played_on=None, state=MatchState.POSTPONED)
    assert "postponed" in text_of(page(client, scene))
    Match.objects.update(state=MatchState.VOID, decision="wrong clocks")
    void = page(client, scene)
    assert "Not played yet" not in void and "Enter the card" not in void


def test_a_score_without_boards_and_one_beside_them(client, scene):
    Match.objects.filter(pk=scene.match.pk).update(stated_home=7, stated_away=5)
    words = text_of(page(client, scene))
    assert "Ashdown A 3½ – 2½ Hartfield A" in words
    assert "Only the score of this match is known" in words
    scene.record("111111")
    Match.objects.filter(pk=scene.match.pk).update(stated_home=7, stated_away=5)
    words = text_of(page(client, scene))
    assert "The score given for the match is 3½ – 2½" in words
    assert "the boards add up to 6 – 0" in words


def test_a_decision_of_the_league_is_shown_beside_the_game(client, scene):
    scene.record(PLAYED)
    Board.objects.filter(match=scene.match, number=2).update(
        award="given", award_home=0, award_away=2, award_reason="a telephone rang"
    )
    words = text_of(page(client, scene))
    assert "Board 2: 0–1 by decision of the league: a telephone rang" in words
    assert "Ashdown A 2½ – 3½ Hartfield A" in words


def test_an_extra_board_is_rated_and_not_counted(client, scene):
    scene.record(PLAYED)
    extra = replace(scene.entries(PLAYED)[0], number=7, counts_for_match=False, result=2)
    extra = replace(extra, home=scene.home[6].pk, away=scene.away[6].pk)
    scene.record(boards=[*scene.entries(PLAYED), extra])
    words = text_of(page(client, scene))
    assert "Ashdown A 3½ – 2½ Hartfield A" in words
    assert "Board 7: rated, but not counted for the match." in words
    client.force_login(scene.captain)
    card = text_of(client.get(scene.url).content.decode())
    assert "3½ – 2½" in card and "6 of 6 boards" in card
    form = scene.form("1" * 7, version=2)
    client.post(scene.url, form)
    assert scene.reload().board_count == 6
    assert not scene.match.boards.get(number=7).counts_for_match


def test_the_order_and_new_names_are_for_those_who_enter_cards(client):
    scene = make_scene(name="two", board_order_tolerance=5)
    entries = scene.entries(PLAYED)
    entries[0], entries[1] = (
        replace(entries[0], home=entries[1].home),
        replace(entries[1], home=entries[0].home),
    )
    new = NewPlayer("Newman", "Zebedee", scene.match.away.club_id)
    entries[5] = replace(entries[5], away=new)
    scene.record(boards=entries)
    warned = "Maureen T Lovell (168) is 6 above Ronald J McVale (162) on board 1"
    assert warned not in page(client, scene)
    assert "Zebedee Newman is not confirmed in the registry yet" not in page(client, scene)
    client.force_login(scene.officer)
    assert warned in page(client, scene)
    assert "Ashdown A: board order." in page(client, scene)
    assert "Zebedee Newman is not confirmed in the registry yet" in page(client, scene)
