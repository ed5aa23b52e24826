"""A player's page: his teams and seasons, and every game with what it did."""

from datetime import date, timedelta

import pytest

from games.models import Season
from ratings import rebuilding
from ratings.models import RatedGame
from tests.factories import (
    BoardFactory,
    DivisionFactory,
    MatchFactory,
    OpeningRatingFactory,
    PlayerFactory,
    RatedEventFactory,
    RatedGameFactory,
    SeasonFactory,
    pool,
)
from tests.games.people_scene import csv_rows, member, play, rows_of
from tests.html import Page

pytestmark = pytest.mark.django_db


def test_a_player_as_json(client, match, people):
    quill, wragge = people["quill"], people["wragge"]
    OpeningRatingFactory(player=quill, system="grade", value=143, dated_on=date(2026, 7, 1))
    assert client.get(f"/players/{quill.pk}.json").json() == {
        "name": "Quill, Robin",
        "stale_from": None,
        "code": "178853L",
        "url": f"/players/{quill.pk}/",
        "clubs": ["Hartfield"],
        "ratings": [
            {
                "pool": "standard",
                "elo": 1700,
                "provisional": False,
                "games": 1,
                "rating": 1700.0,
            }
        ],
        "grades": [],
        "opening_grades": [{"pool": "standard", "grade": 143, "dated_on": "2026-07-01"}],
        "season": {
            "label": "2026-27",
            "points": 0.5,
            "boards": 1,
            "played": 1,
            "won": 0,
            "drawn": 1,
            "lost": 0,
            "defaults_won": 0,
        },
        "rows": [
            {
                "date": "2026-11-24",
                "pool": "standard",
                "event": match.division.rated_event.name,
                "colour": "black",
                "opponent": "Wragge, Robin",
                "opponent_code": None,
                "opponent_grade": 133,
                "opponent_elo": 1700,
                "result": 0.5,
                "change": 0.0,
                "elo_before": 1700,
                "elo_after": 1700,
                "rating_after": 1700.0,
                "opponent_url": f"/players/{wragge.pk}/",
                "match_url": f"/matches/{match.pk}/",
            }
        ],
    }


def test_both_players_see_the_game_from_their_side(client, people):
    event = RatedEventFactory(name="Kingsmead Congress")
    quill, yeadon = people["quill"], people["yeadon"]
    RatedGameFactory(event=event, white=quill, black=yeadon, white_halves=0)
    RatedGameFactory(
        event=event, white=yeadon, black=quill, white_halves=0, colours_known=False, round=1
    )
    rebuilding.rebuild("standard")

    def seen_by(player):
        columns = ("colour", "opponent", "opponent_elo", "result", "change", "rating_after")
        return [
            tuple(row[name] for name in (*columns, "match_url"))
            for row in rows_of(client, f"/players/{player.pk}.json")
        ]

    # K 20: 1700 loses to 1500, then 1685 beats 1515; the newest first.
    assert seen_by(quill) == [
        (None, "Yeadon, Robin", 1515, 1, 5.5, 1690.3, None),
        ("white", "Yeadon, Robin", 1500, 0, -15.2, 1684.8, None),
    ]
    assert seen_by(yeadon) == [
        (None, "Quill, Robin", 1685, 0, -5.5, 1509.7, None),
        ("black", "Quill, Robin", 1700, 1, 15.2, 1515.2, None),
    ]


def test_a_player_as_page(client, match, people):
    page = Page(client.get(f"/players/{people['quill'].pk}/"))

    assert page.tables == [
        [
            [
                *("Date", "Colour", "Opponent", "Grade", "Elo", "Event", "Result"),
                *("Change", "Elo after"),
            ],
            [
                "24 Nov 2026",
                "Black",
                "Robin Wragge Black · 24 Nov · Division 1",
                "133",
                "1700",
                "Division 1",
                "½ Drew",
                "0.0",
                "1700",
            ],
        ]
    ]
    text = page.text.replace("\xa0", " ")
    for words in (
        "Hartfield · ECF 178853L · plays for Hartfield A",
        "Live Elo, standard 1700 After 1 game",
        "Season 2026-27 ½ of 1 Won 0, drew 1, lost 0",
    ):
        assert words in text
    assert ("Division 1", f"/matches/{match.pk}/") in page.links


def test_a_season_that_is_over(client, match, people):
    Season.objects.update(starts_on=date(2010, 7, 1), ends_on=date(2011, 7, 1), label="2010-11")
    text = Page(client.get(f"/players/{people['quill'].pk}/")).text.replace("\xa0", " ")

    assert "played for Hartfield A" in text
    assert "Season 2010-11 ½ of 1" in text


def test_the_newest_season_over_all_its_leagues(client, match, hartfield, people):
    def score(year, league, result):
        season = SeasonFactory(
            league__name=league, starts_on=date(year, 7, 1), ends_on=date(year + 1, 7, 1)
        )
        division = DivisionFactory(season=season)
        other = MatchFactory(division=division, away__club=hartfield, away__name=f"{league} A")
        BoardFactory(match=other, number=1, away_player=people["quill"], result=result)

    score(2025, "Old", 0)
    score(2026, "Other", 0)
    season = client.get(f"/players/{people['quill'].pk}.json").json()["season"]

    # ½ at home in one league, 1 away in the other; the year before does not count.
    assert (season["points"], season["boards"]) == (1.5, 2)
    text = Page(client.get(f"/players/{people['quill'].pk}/")).text.replace("\xa0", " ")
    assert "plays for Other A , Hartfield A" in text


def test_a_default_won_scores_and_is_no_rated_game(client, match, people):
    page = Page(client.get(f"/players/{people['lune'].pk}/"))

    assert "Season 2026-27 1 of 1 Won 0, drew 0, lost 0, 1 by default" in page.text
    assert "No rated games yet" in page.text
    assert "Live Elo, standard – No rated game yet" in page.text


def test_an_opening_grade_is_said_to_be_one(client, people):
    lune = people["lune"]
    lune.opening_ratings.all().delete()
    OpeningRatingFactory(player=lune, system="grade", value=143, dated_on=date(2026, 7, 1))
    play(lune, [people["quill"]])
    text = Page(client.get(f"/players/{lune.pk}/")).text

    assert "Opening grade, standard 143 From elsewhere, 1 July 2026; on no list yet" in text
    # 7.5 x 143 + 700 opens the rating, which stays provisional.
    assert "? After 1 game · provisional" in text


def test_games_in_pages_of_fifty_the_newest_first(client, people):
    quill = people["quill"]
    others = [PlayerFactory() for _ in range(60)]
    play(quill, others)
    address = f"/players/{quill.pk}/"

    def dates(query=""):
        return [row[0] for row in Page(client.get(address + query)).tables[0][1:]]

    every = [f"{date(2026, 1, 1) + timedelta(days=n):%-d %b %Y}" for n in range(59, -1, -1)]
    assert dates() == every[:50]
    assert dates("?page=2") == every[50:]
    for query in ("?page=99", "?page=-1"):
        assert dates(query) == every[50:]
    assert dates("?page=x") == every[:50]
    first, second = Page(client.get(address)), Page(client.get(f"{address}?page=2"))
    assert ("Older games", "?page=2") in first.links
    assert ("Newer games", "?page=1") in second.links
    assert "1–50 of 60" in first.text
    assert len(rows_of(client, f"/players/{quill.pk}.json?page=2")) == 60


def test_each_pool_by_itself(client, people):
    quill = people["quill"]
    play(quill, [people["lune"]])
    play(quill, [people["wragge"], people["yeadon"]], RatedEventFactory(pool=pool("rapid")))
    address = f"/players/{quill.pk}"

    assert [row["pool"] for row in rows_of(client, f"{address}.json")].count("rapid") == 2
    assert {row["pool"] for row in rows_of(client, f"{address}.json?pool=rapid")} == {"rapid"}
    assert len(csv_rows(client, f"{address}.csv?pool=standard")) == 1
    text = Page(client.get(f"{address}/?pool=rapid")).text
    assert "All games Standard Rapid" in text
    assert "Rapid – No grade yet · Elo 1" in text
    assert client.get(f"{address}/?pool=postal").status_code == 404


def test_no_such_player_or_team(client):
    for address in ("/players/0", "/teams/0", "/players/99999999999999999999"):
        for end in ("/", ".json", ".csv"):
            assert client.get(address + end).status_code == 404


def test_a_player_of_whom_nothing_is_known(client):
    nobody = PlayerFactory(surname="Newman", forenames="", state="pending")
    page = Page(client.get(f"/players/{nobody.pk}/"))

    assert page.headings[0] == "Newman"
    assert "No club" in page.text
    assert rows_of(client, f"/players/{nobody.pk}.json") == []
    assert csv_rows(client, f"/players/{nobody.pk}.csv") == []


def test_a_game_that_is_not_rated_yet_is_a_gap(client, people):
    RatedGameFactory(white=people["quill"], black=people["lune"], white_halves=2)
    address = f"/players/{people['quill'].pk}"

    row = rows_of(client, f"{address}.json")[0]
    assert (row["change"], row["elo_after"], row["opponent_elo"]) == (None, None, None)
    assert Page(client.get(f"{address}/")).tables[0][1][3:] == [
        "120",
        "–",
        RatedGame.objects.get().event.name,
        "1 Won",
        "–",
        "–",
    ]


def test_names_are_shown_as_they_are_written(client, hartfield):
    person = member(hartfield, "O'Brien<b>", forenames="Élodie & Co")

    assert Page(client.get(f"/players/{person.pk}/")).headings[0] == "Élodie & Co O'Brien<b>"
    assert client.get(f"/players/{person.pk}.json").json()["name"] == "O'Brien<b>, Élodie & Co"
