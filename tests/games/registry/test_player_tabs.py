"""A player's opponents, his seasons, and every game of two who met."""

from datetime import date

import pytest

from ratings import rebuilding
from tests.factories import RatedEventFactory, RatedGameFactory
from tests.games.player_scene import csv_of, json_of, person, text_of
from tests.html import Page

pytestmark = pytest.mark.django_db


# --- Opponents ---------------------------------------------------------------------------


def test_opponents_add_up_to_the_games(client, scene):
    games = json_of(client, f"/players/{scene.player.pk}.json")["rows"]
    rows = json_of(client, scene.url_of("opponents", ".json"))["rows"]
    for row in rows:
        met = [each for each in games if each["opponent_url"] == row["opponent_url"]]
        results = [each["result"] for each in met]
        assert (row["played"], row["won"], row["drawn"], row["lost"], row["score"]) == (
            len(met),
            results.count(1),
            results.count(0.5),
            results.count(0),
            sum(results),
        )
        assert row["last_met"] == met[0]["date"]
        # Across two ratings nothing adds up.
        pools = {each["pool"] for each in met}
        total = round(sum(each["change"] for each in met), 1)
        assert row["elo_change"] == (total if len(pools) == 1 else None)
    assert sum(row["played"] for row in rows) == len(games) == 60
    assert [-row["played"] for row in rows] == sorted(-row["played"] for row in rows)
    assert csv_of(client, scene.url_of("opponents", ".csv"))[0]["opponent"] == "Wragge, Bernard"


def test_the_page_of_opponents_leads_to_the_games_of_the_two(client, scene):
    page = Page(client.get(scene.url_of("opponents", "/?pool=rapid")))
    ibbot = scene.opponents["Ibbot"]
    assert page.tables[0][0] == [
        *("Opponent", "Elo now", "Played", "Won", "Drawn", "Lost", "Score"),
        *("Elo change", "Last met"),
    ]
    [row] = [row for row in page.tables[0] if row[0].startswith("D E F Ibbot")]
    assert row[2:6] == ["1", "0", "1", "0"] and row[8] == "7 Mar 2026"
    assert "12 opponents, 6½ out of 12" in page.text
    [words] = [
        text
        for text, address in page.links
        if address == f"/players/{scene.player.pk}/head-to-head/?with={ibbot.pk}"
    ]
    assert words.startswith("½") and words.endswith("the games against Ibbot, D E F")


def test_opponents_in_pages_of_fifty(client):
    player, event = person(16000), RatedEventFactory()
    for number in range(60):
        RatedGameFactory(event=event, white=player, black=person(), number=number)
    rebuilding.rebuild("standard")
    address = f"/players/{player.pk}/opponents"
    assert len(Page(client.get(f"{address}/")).tables[0]) == 51
    assert len(Page(client.get(f"{address}/?page=2")).tables[0]) == 11
    assert len(json_of(client, f"{address}.json?page=2")["rows"]) == 60


# --- Seasons -----------------------------------------------------------------------------


def test_seasons_by_event_colour_and_team(client, scene):
    page = Page(client.get(scene.url_of("seasons")))
    events, colours, teams = page.tables
    assert [(row[0].split(" Weald")[0], *row[1:6]) for row in events[1:]] == [
        ("2026–27", "10", "4", "4", "2", "6"),
        ("Kingsmead Congress +2 =2 −1", "5", "2", "2", "1", "3"),
        ("Division 1", "5", "2", "2", "1", "3"),
        ("2025–26", "31", "10", "13", "8", "16½"),
        ("Division 1", "19", "6", "8", "5", "10"),
        ("Rapidplay rapid +4 =5 −3", "12", "4", "5", "3", "6½"),
        ("2024–25", "19", "6", "9", "4", "10½"),
        ("Division 1", "19", "6", "9", "4", "10½"),
    ]
    assert events[4][6] == "–"  # standard and rapid
    assert [(row[0].split()[0], row[1], row[5]) for row in colours[1:]] == [
        ("White", "32", "17"),
        ("Black", "28", "16"),
        ("All", "60", "33"),
    ]
    assert [(row[2], row[7]) for row in teams[1:]] == [
        ("43", "23½"),
        ("5", "3"),
        ("19", "10"),
        ("19", "10½"),
    ]


def test_seasons_as_files(client, scene):
    found = json_of(client, scene.url_of("seasons", ".json?pool=rapid"))
    assert found["rows"] == [
        {
            "year": "2025–26",
            "event": "Rapidplay",
            "league": None,
            "season": None,
            "pool": "rapid",
            "played": 12,
            "won": 4,
            "drawn": 5,
            "lost": 3,
            "score": 6.5,
            "elo_change": 60.3,
            "url": None,
        }
    ]
    assert [row["colour"] for row in found["colours"]] == ["white", "black"]
    assert len(found["teams"]) == 3
    rows = csv_of(client, scene.url_of("seasons", ".csv"))
    assert [row["season"] for row in rows] == ["", "2026-27", "2025-26", "", "2024-25"]


def test_a_game_of_unknown_colours_is_neither_white_nor_black(client):
    player = person(16000)
    RatedGameFactory(white=person(), black=player, white_halves=0, colours_known=False)
    rebuilding.rebuild("standard")
    found = json_of(client, f"/players/{player.pk}/seasons.json")
    assert [(row["colour"], row["won"]) for row in found["colours"]] == [(None, 1)]
    assert "Not known" in text_of(client, f"/players/{player.pk}/seasons/")


@pytest.mark.parametrize(
    ("day", "year"),
    [(date(2025, 6, 30), "2024–25"), (date(2025, 7, 1), "2025–26"), (date(1999, 9, 1), "1999–00")],
)
def test_a_season_runs_from_july(client, day, year):
    played = RatedGameFactory(played_on=day)
    found = json_of(client, f"/players/{played.white_id}/seasons.json")
    assert [row["year"] for row in found["rows"]] == [year]


# --- Head to head ------------------------------------------------------------------------


def test_every_game_of_two_with_what_it_did_to_both(client, scene):
    ibbot = scene.opponents["Ibbot"]
    address = scene.url_of("head-to-head", f".json?with={ibbot.pk}")
    found = json_of(client, address)
    games = json_of(client, f"/players/{scene.player.pk}.json")["rows"]
    expected = [row for row in games if row["opponent"] == "Ibbot, D E F"]
    assert [{k: v for k, v in row.items() if k != "opponent_change"} for row in found["rows"]] == (
        expected
    )
    assert (found["name"], found["opponent"]) == ("Żabrek, Łucja", "Ibbot, D E F")
    assert (found["played"], found["won"], found["drawn"], found["lost"]) == (5, 1, 2, 2)
    assert (found["score"], found["elo_change"]) == (2, None)

    other = json_of(client, f"/players/{ibbot.pk}/head-to-head.json?with={scene.player.pk}")
    assert [(row["change"], row["opponent_change"]) for row in other["rows"]] == [
        (row["opponent_change"], row["change"]) for row in found["rows"]
    ]
    assert found["score"] + other["score"] == found["played"]


def test_the_page_of_two(client, scene):
    ibbot = scene.opponents["Ibbot"]
    page = Page(client.get(scene.url_of("head-to-head", f"/?with={ibbot.pk}")))
    assert page.headings[1] == "Łucja Żabrek v D E F Ibbot"
    assert "5 games 2 – 3 Won 1, drew 2, lost 2" in page.text
    assert "Standard and rapid are two ratings" in page.text
    assert [row[0].split(" Black")[0].split(" White")[0] for row in page.tables[0][1:]] == [
        *("18 Oct 2026", "21 Apr 2026", "7 Mar 2026", "4 Nov 2025", "14 Jan 2025")
    ]


def test_two_who_have_not_met(client, scene):
    stranger = person(surname="Stranger")
    address = scene.url_of("head-to-head", f"/?with={stranger.pk}")
    assert "They have not met" in text_of(client, address)
    assert json_of(client, address.replace("/?", ".json?"))["rows"] == []


@pytest.mark.parametrize("words", ["ibbot d", "IBBOT", "  íbbot "])
def test_the_other_one_is_searched_for(client, scene, words):
    page = Page(client.get(scene.url_of("head-to-head"), {"q": words}))
    assert ("Ibbot, D E F", f"?with={scene.opponents['Ibbot'].pk}") in page.links


@pytest.mark.parametrize("words", ["zzz", "x" * 300, "a\x00b", "Żabrek"])
def test_a_search_that_finds_nobody_says_so(client, scene, words):
    response = client.get(scene.url_of("head-to-head"), {"q": words})
    assert response.status_code == 200
    assert "No player has every one of these words" in Page(response).text


def test_without_a_search_those_met_most_often(client, scene):
    text = text_of(client, scene.url_of("head-to-head"))
    assert "Met most often Wragge, Bernard 4 out of 6" in text
    assert json_of(client, scene.url_of("head-to-head", ".json"))["rows"] == []


@pytest.mark.parametrize("other", ["0", "-1", "x", "1.5", "٣", "9" * 30, "99999999", "himself"])
def test_no_such_pair(client, scene, other):
    other = str(scene.player.pk) if other == "himself" else other
    for end in ("/", ".json", ".csv"):
        response = client.get(scene.url_of("head-to-head", end), {"with": other})
        assert response.status_code == 404
