"""A game that is not over yet, a board's own day, and points that the league gives on the card."""

import datetime

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.models import Board
from ratings.models import RatedGame
from tests.games.card_scene import AT, make_scene

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("evening")]
LATER = AT + datetime.timedelta(days=14)


@pytest.fixture
def scene(db):
    return make_scene()


def board(scene, number) -> dict:
    columns = ("result", "award", "award_home", "award_away", "award_reason", "played_on")
    return Board.objects.values(*columns, "unfinished").get(match=scene.match, number=number)


def day_rated(scene, number) -> datetime.date | None:
    key = f"board:{Board.objects.get(match=scene.match, number=number).pk}"
    return RatedGame.objects.filter(source_key=key).values_list("played_on", flat=True).first()


NOTHING = {
    **{"result": None, "award": None, "award_home": None, "award_away": None},
    **{"award_reason": "", "played_on": None, "unfinished": ""},
}


def test_an_adjourned_game_is_completed_on_its_own_day(client, scene, monkeypatch):
    client.force_login(scene.captain)
    form = scene.form("=1=01 ", result_6="adjourned", played_on_6="2026-12-06")
    assert client.post(scene.url, form).status_code == 302
    resumed = datetime.date(2026, 12, 6)
    assert board(scene, 6) == NOTHING | {"unfinished": "adjourned", "played_on": resumed}
    page = client.get(f"/matches/{scene.match.pk}/").text
    assert "Board 6: adjourned, to be played on 6 Dec" in page
    said = [
        each["unfinished"]
        for each in client.get(f"/matches/{scene.match.pk}.json").json()["boards"]
    ]
    assert said == [*[None] * 5, "adjourned"]
    head, *_five, last = client.get(f"/matches/{scene.match.pk}.csv").text.splitlines()
    assert dict(zip(head.split(","), last.split(","), strict=True))["unfinished"] == "adjourned"
    assert day_rated(scene, 6) is None
    monkeypatch.setattr(timezone, "now", lambda: LATER)
    form = scene.form("=1=011", played_on_6="2026-12-06")
    assert client.post(scene.url, form).status_code == 302
    assert board(scene, 6) == NOTHING | {"result": 2, "played_on": resumed}
    assert (day_rated(scene, 5), day_rated(scene, 6)) == (AT.date(), resumed)


def test_a_card_that_says_nothing_of_a_day_keeps_it(client, scene):
    client.force_login(scene.captain)
    client.post(scene.url, scene.form("=1=01=", played_on_6="2026-11-20"))
    client.post(scene.url, scene.form("=1=010"))
    assert board(scene, 6) == NOTHING | {"result": 0, "played_on": datetime.date(2026, 11, 20)}
    client.post(scene.url, scene.form("=1=010", played_on_6=""))
    assert board(scene, 6) == NOTHING | {"result": 0}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("next week", "That is not a day."),
        ("2019-11-20", "2019 is not in the season"),
        ("2026-12-06", "This board is on 6 December"),
    ],
)
def test_a_day_that_cannot_be(client, scene, typed, said):
    client.force_login(scene.captain)
    answer = client.post(scene.url, scene.form("=1=01=", played_on_6=typed))
    assert answer.status_code == 200 and said in answer.text and typed in answer.text
    assert not Board.objects.filter(match=scene.match).exists()


def test_only_the_officer_gives_points(client, scene):
    given = {"award_home_6": "½", "award_away_6": "0", "award_reason_6": "Telephone rang twice."}
    for who, stored in (
        (scene.captain, NOTHING | {"unfinished": "adjudication"}),
        (
            scene.officer,
            NOTHING
            | {"award": "given", "award_home": 1, "award_away": 0}
            | {"award_reason": "Telephone rang twice."},
        ),
    ):
        client.force_login(who)
        form = scene.form("=1=01 ", result_6="adjudication", **given)
        assert client.post(scene.url, form).status_code == 302
        assert board(scene, 6) == stored
    assert "award_reason" in client.get(scene.url).text
    client.force_login(scene.captain)
    assert "award_reason" not in client.get(scene.url).text


@pytest.mark.parametrize(
    "typed", [{"result_6": "home_default", "away_6": ""}, {"result_6": "no_game"}]
)
def test_points_that_the_league_gave_only_its_officer_takes_back(client, scene, typed):
    given = {"award_home_6": "0", "award_away_6": "1", "award_reason_6": "Ineligible."}
    client.force_login(scene.officer)
    client.post(scene.url, scene.form("=1=01=", **given))
    client.force_login(scene.captain)
    answer = client.post(scene.url, scene.form("=1=01=", **typed))
    assert answer.status_code == 200
    assert "The league decides the points of this board." in answer.text
    awarded = {"result": 1, "award": "given", "award_home": 0, "award_away": 2}
    assert board(scene, 6) == NOTHING | awarded | {"award_reason": "Ineligible."}
    client.force_login(scene.officer)
    assert client.post(scene.url, scene.form("=1=01=", **typed)).status_code == 302
    assert not Board.objects.filter(match=scene.match, award="given").exists()


@pytest.mark.parametrize(
    ("home", "away", "reason", "said"),
    [
        ("1", "", "Late.", "Enter both, or none."),
        ("1", "0", "", "Write why the league gives them."),
        ("2", "0", "Late.", "A side gets 1, ½ or 0."),
        ("one", "0", "Late.", "Points are whole or half"),
        ("", "", "Late.", "Enter both, or none."),
    ],
)
def test_points_that_cannot_be_given(client, scene, home, away, reason, said):
    client.force_login(scene.officer)
    given = {"award_home_6": home, "award_away_6": away, "award_reason_6": reason}
    answer = client.post(scene.url, scene.form("=1=01=", **given))
    assert said in answer.text and not Board.objects.filter(match=scene.match).exists()


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"unfinished": "postponed"}, "games_board_unfinished_known"),
        ({"unfinished": "adjourned"}, "games_board_unfinished_without_points"),
    ],
)
def test_the_database_refuses(scene, values, name):
    scene.record("=1=01=")
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        Board.objects.filter(match=scene.match).update(**values)
