"""Somebody else saved the card meanwhile: what both typed is kept, and asked about."""

from dataclasses import replace

import pytest

from clubs.models import Player
from ratings.models import RatedGame
from tests.games.card_html import chosen, kept, opened, results, stored

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("evening")]


def test_boards_that_two_changed_apart_are_joined(client, scene):
    client.force_login(scene.captain)
    scene.record("======")
    was = opened(client.get(scene.url).content.decode())
    mine = scene.form("=1====", away_6=scene.away[6]) | was
    client.force_login(scene.secretary)
    client.post(scene.url, scene.form("1=====", home_5=scene.home[6]) | was)
    client.force_login(scene.captain)
    html = client.post(scene.url, mine).content.decode()
    assert f"{scene.secretary.name} saved this card at" in html
    assert "Both of you" not in html and html.count("now as saved, ") == 2
    assert results(html) == {1: "2", 2: "2", 3: "1", 4: "1", 5: "1", 6: "1"}
    assert chosen(html, 5, "home") == str(scene.home[6].pk)
    assert chosen(html, 6, "away") == str(scene.away[6].pk)
    again = scene.form("11====", home_5=scene.home[6], away_6=scene.away[6], version=2)
    assert client.post(scene.url, again | opened(html)).status_code == 302
    assert [row[4] for row in stored(scene)] == [2, 2, 1, 1, 1, 1]


def test_a_new_cards_guesses_are_nobodys_change(client, scene):
    client.force_login(scene.captain)
    was = opened(client.get(scene.url).content.decode())
    mine = scene.form("  1=  ") | was
    scene.record(boards=scene.entries("10"), by=scene.secretary)
    html = client.post(scene.url, mine).content.decode()
    assert "Both of you" not in html
    assert results(html) == {1: "2", 2: "0", 3: "2", 4: "1"}
    assert chosen(html, 5, "home") == ""


@pytest.mark.parametrize("keep", ["theirs", "mine"])
def test_of_a_board_that_both_changed_one_is_chosen(client, scene, keep):
    client.force_login(scene.captain)
    scene.record("======")
    was = opened(client.get(scene.url).content.decode())
    mine = scene.form("1=====", home_1=scene.home[6]) | was
    scene.record("0=====", by=scene.secretary)
    html = client.post(scene.url, mine).content.decode()
    assert html.count("saved is ") == 1 and html.count("Both of you changed this board.") == 1
    assert 'name="boards-0-keep" value="theirs" checked' in html
    assert results(html)[1] == "0" and chosen(html, 1, "home") == str(scene.home[0].pk)
    form = scene.form("0=====", version=2) | opened(html) | kept(html, 1)
    # A third thing is wrong first: the question is still there, and so is its answer.
    wrong = form | {"boards-0-keep": keep, "boards-5-away": ""}
    html = client.post(scene.url, wrong).content.decode()
    assert ("Both of you" in html) == (keep == "theirs")
    assert results(html)[1] == {"theirs": "0", "mine": "2"}[keep]
    client.post(scene.url, form | {"boards-0-keep": keep})
    who = {"theirs": scene.home[0], "mine": scene.home[6]}[keep]
    assert (stored(scene)[0][1], stored(scene)[0][4]) == (who.pk, {"theirs": 0, "mine": 2}[keep])


@pytest.mark.parametrize("garbled", ["", "x", "[]", "[1]", "{}", "[" * 5000, '[{"home":1}]'])
def test_what_a_card_said_cannot_be_read_so_nothing_is_overwritten(captain, scene, garbled):
    scene.record("======")
    mine = scene.form("1=====") | {"boards-0-opened": garbled, "opened": garbled}
    scene.record("0=====")
    html = captain.post(scene.url, mine).content.decode()
    assert results(html)[1] == "0" and "Both of you" in html
    mine = {"boards-0-mine": garbled, "boards-0-keep": "mine"}
    assert captain.post(scene.url, scene.form("0=====") | mine).status_code in (200, 302)
    assert stored(scene)[0][4] == 0


def test_a_card_changed_meanwhile_shows_what_changed_and_keeps_what_is_typed(client, scene):
    client.force_login(scene.captain)
    mine = scene.form("=1=01=")
    client.force_login(scene.secretary)
    client.post(scene.url, scene.form("=1=00="))
    client.force_login(scene.captain)
    html = client.post(scene.url, mine).content.decode()
    assert f"{scene.secretary.name} saved this card at" in html
    assert html.count("saved is ") == 1
    assert (
        "saved is Kam Wa Tso 0–1 Tolemi Belavonti Marsudan;"
        " you have Kam Wa Tso 1–0 Tolemi Belavonti Marsudan." in html
    )
    assert results(html) == {1: "1", 2: "2", 3: "1", 4: "0", 5: "0", 6: "1"}
    assert stored(scene)[4][4] == 0
    assert 'name="version" value="1"' in html
    again = scene.form("=1=00=") | kept(html, 5) | {"boards-4-keep": "mine"}
    assert client.post(scene.url, again).status_code == 302
    assert stored(scene)[4][4] == 2


def test_another_day_saved_meanwhile_is_shown_too(captain, scene):
    mine = scene.form("=1=01=")
    captain.post(scene.url, scene.form("=1=01=", played_on="2026-11-20"))
    html = captain.post(scene.url, mine).content.decode()
    assert "Played on: saved is 20 November 2026; you have 24 November 2026." in html
    assert html.count("saved is ") == 1
    assert 'name="played_on" value="2026-11-20"' in html


def test_a_day_that_one_did_not_touch_is_as_saved(captain, scene):
    was = opened(captain.get(scene.url).content.decode())
    mine = scene.form("=1=01=") | was
    captain.post(scene.url, scene.form("      ", played_on="2026-11-20"))
    html = captain.post(scene.url, mine).content.decode()
    assert "Played on: now as saved, 20 November 2026." in html
    assert 'name="played_on" value="2026-11-20"' in html
    assert results(html) == {1: "1", 2: "2", 3: "1", 4: "0", 5: "2", 6: "1"}


def test_a_card_with_fewer_rows_of_an_older_version_is_shown_the_new_one(captain, scene):
    mine = scene.form("=1=01=")
    extra = replace(scene.entries("1")[0], number=7, home=scene.home[6].pk, away=scene.away[6].pk)
    scene.record(boards=[*scene.entries("======"), extra])
    html = captain.post(scene.url, mine).content.decode()
    assert "after you opened it" in html
    assert results(html) == dict.fromkeys(range(1, 7), "1") | {7: "2"}
    assert html.count("Both of you changed this board.") == 3
    assert chosen(html, 7, "home") == str(scene.home[6].pk)


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 30, "\x00", None])
def test_a_card_that_says_no_version_has_seen_none(captain, scene, version):
    captain.post(scene.url, scene.form("=1=01="))
    response = captain.post(scene.url, scene.form("=1=00=", version=version or "") | {})
    assert "after you opened it" in response.content.decode()
    assert stored(scene)[4][4] == 2


def test_saving_twice_changes_nothing_more(captain, scene):
    form = scene.form("=1=01=", away_6="new", away_name_6="Zebedee Newman")
    for _click in range(3):
        response = captain.post(scene.url, form)
        assert (response.status_code, response["Location"]) == (
            302,
            f"/matches/{scene.match.pk}/",
        )
    assert scene.reload().version == 1
    assert len(stored(scene)) == 6
    assert Player.objects.filter(surname="Newman").count() == 1
    assert RatedGame.objects.filter(event=scene.match.division.rated_event).count() == 18
