"""A player's pages: grade and Elo, the numbers of the chart, opponents, seasons, head to head."""

import csv
import io
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Season
from ratings import rebuilding
from ratings.models import Grade, GradeList, RatedGame, RatingPool
from ratings.standing import grades_and_elos
from tests.factories import (
    LeagueRoleFactory,
    OpeningRatingFactory,
    PlayerFactory,
    RatedEventFactory,
    RatedGameFactory,
    SeasonFactory,
    UserFactory,
    pool,
)
from tests.games.player_scene import GRADES, game, make_scene, publish
from tests.html import Page

pytestmark = pytest.mark.django_db

TABS = ("opponents", "seasons", "head-to-head")


@pytest.fixture
def scene(db):
    return make_scene()


def text_of(client, address) -> str:
    return Page(client.get(address)).text.replace("\xa0", " ")


def json_of(client, address) -> dict:
    return client.get(address).json()


def csv_of(client, address) -> list[dict]:
    return list(csv.DictReader(io.StringIO(client.get(address).content.decode())))


def person(rating=None, **facts):
    player = PlayerFactory(**facts)
    if rating:
        OpeningRatingFactory(player=player, value=rating)
    return player


# --- The figures -------------------------------------------------------------------------


def test_the_figures_say_the_newest_grade_and_lead_to_why(client, scene):
    page = Page(client.get(scene.url))
    rating = scene.player.elo_ratings.get(pool="standard")
    assert "Grade, 1 July 2026 143 D +1 since January · Why 143?" in page.text
    assert f"Live Elo, standard {rating.shown} After 48 games · How?" in page.text
    assert "Rapid 137 E Elo 17" in page.text
    why = f"/players/{scene.player.pk}/grade/2026-07-01/?pool="
    assert ("Why 143?", f"{why}standard") in page.links
    assert ("Why 137?", f"{why}rapid") in page.links
    assert ("How?", f"/players/{scene.player.pk}/elo/?pool=standard") in page.links


def test_of_a_newcomer_nothing_is_invented(client):
    text = text_of(client, person().get_absolute_url())
    assert (
        "Grade – No grade yet Live Elo, standard – No rated game yet"
        " Rapid – No grade yet · no rated game yet Season – No board in a league yet"
    ) in text


def test_a_grade_that_the_newest_list_does_not_have_is_dated(client, scene):
    publish(person(), {date(2027, 1, 1): 100})
    assert "Standard, last grade, 1 July 2026 143 D" in text_of(client, scene.url)


def test_a_provisional_list_is_no_grade_yet(client, scene):
    made = GradeList.objects.create(
        pool=pool(), cutoff=date(2027, 1, 1), state="provisional", rules="BRIEF"
    )
    Grade.objects.create(
        grade_list=made, player=scene.player, numerator=150, divisor=1, grade=150, published=150
    )
    assert "Grade, 1 July 2026 143 D" in text_of(client, scene.url)
    assert "2027-01-01" not in client.get(scene.url_of("chart", ".json")).content.decode()


def test_a_revision_takes_the_place_of_its_list(client, scene):
    original = GradeList.objects.get(pool="standard", cutoff=date(2026, 7, 1))
    revised = GradeList.objects.create(
        pool=pool(),
        cutoff=original.cutoff,
        revision=1,
        state="published",
        rules="BRIEF",
        published_at=timezone.now(),
    )
    Grade.objects.create(
        grade_list=revised, player=scene.player, numerator=140, divisor=1, grade=140, published=140
    )
    assert "Grade, 1 July 2026 140 −2 since January · Why 140?" in text_of(client, scene.url)
    grades = json_of(client, scene.url_of("chart", ".json"))["grades"]
    assert [row["grade"] for row in grades] == [138, 139, 142, 140]


def test_a_negative_grade_shows_as_the_list_shows_it(client):
    player = person()
    publish(player, {date(2026, 7, 1): 0})
    Grade.objects.update(grade=-12, numerator=-12)
    assert "Grade, 1 July 2026 0 D" in text_of(client, player.get_absolute_url())
    grades = json_of(client, f"/players/{player.pk}/chart.json")["grades"]
    assert (grades[0]["grade"], grades[0]["as_rating"]) == (0, 700.0)


# --- The numbers of the chart ------------------------------------------------------------


def test_the_chart_has_the_elo_of_each_game_and_the_grade_of_each_list(client, scene):
    found = json_of(client, scene.url_of("chart", ".json"))
    games = json_of(client, f"/players/{scene.player.pk}.json?pool=standard")["rows"]
    assert found["pool"] == "standard"
    assert found["elo"] == [
        {"date": row["date"], "rating": row["rating_after"]} for row in reversed(games)
    ]
    assert found["grades"] == [
        {
            "cutoff": cutoff,
            "until": until,
            "grade": grade,
            "category": "D",
            "games": 19,
            "change": change,
            "as_rating": grade * 7.5 + 700,
        }
        for cutoff, until, grade, change in (
            ("2025-01-01", "2025-07-01", 138, None),
            ("2025-07-01", "2026-01-01", 139, 1),
            ("2026-01-01", "2026-07-01", 142, 3),
            ("2026-07-01", None, 143, 1),
        )
    ]
    rows = csv_of(client, scene.url_of("chart", ".csv"))
    assert [(row["cutoff"], row["grade"]) for row in rows] == [
        (str(cutoff), str(grade)) for cutoff, grade in GRADES.items()
    ]


def test_a_missing_grade_and_an_unrated_game_are_gaps(client, scene):
    Grade.objects.filter(player=scene.player, grade_list__cutoff=date(2025, 7, 1)).delete()
    game(scene.congress, scene.player, person(16000), date(2026, 11, 20), 2, 9)
    found = json_of(client, scene.url_of("chart", ".json"))
    assert found["elo"][-1] == {"date": "2026-11-20", "rating": None}
    assert [(row["grade"], row["change"]) for row in found["grades"]] == [
        (138, None),
        (None, None),
        (142, None),
        (143, 1),
    ]
    [steps] = [table for table in Page(client.get(scene.url)).tables if table[0][0] == "List"]
    assert steps[3] == ["1 Jul 2025", "–", "–", "–", "–", "–"]


def test_the_chart_of_another_pool(client, scene):
    found = json_of(client, scene.url_of("chart", ".json?pool=rapid"))
    assert found["pool"] == "rapid"
    assert len(found["elo"]) == 12
    assert [row["grade"] for row in found["grades"]] == [137]
    assert client.get(scene.url_of("chart", ".json?pool=postal")).status_code == 404


def test_the_grades_stand_in_a_table_for_who_sees_no_chart(client, scene):
    page = Page(client.get(scene.url))
    assert page.tables[0] == [
        ["List", "Grade", "Category", "Change", "Games", "As Elo"],
        ["1 Jul 2026", "143", "D", "+1", "19", "1773"],
        ["1 Jan 2026", "142", "D", "+3", "19", "1765"],
        ["1 Jul 2025", "139", "D", "+1", "19", "1743"],
        ["1 Jan 2025", "138", "D", "–", "19", "1735"],
    ]


def test_a_page_without_a_game_has_no_chart(client):
    page = client.get(person().get_absolute_url()).content.decode()
    assert "chart" not in page.split("<main")[1]
    assert "uPlot" not in page


# --- The opponent's grade ----------------------------------------------------------------


def grade_at(client, day, opponent) -> int | None:
    """What the page says of the opponent's grade for a game on this day."""
    player = person(16000)
    RatedGameFactory(white=player, black=opponent, played_on=day)
    return json_of(client, f"/players/{player.pk}.json")["rows"][0]["opponent_grade"]


@pytest.mark.parametrize(
    ("day", "grade"),
    [
        (date(2024, 12, 31), 120),  # the opening grade until the first list
        (date(2025, 1, 1), 138),
        (date(2025, 6, 30), 138),
        (date(2025, 7, 1), 139),
        (date(2028, 6, 30), 139),  # the sixth list back
        (date(2028, 7, 1), None),
    ],
)
def test_the_opponent_s_grade_is_the_one_in_force_on_that_day(client, day, grade):
    opponent = person()
    OpeningRatingFactory(
        player=opponent, system="grade", value=120, dated_on=date(2024, 8, 1), pool=pool()
    )
    publish(opponent, {date(2025, 1, 1): 138, date(2025, 7, 1): 139})
    assert grade_at(client, day, opponent) == grade


def test_an_opening_grade_is_in_force_from_its_half_year_on(client):
    opponent = person()
    OpeningRatingFactory(player=opponent, value=18000, dated_on=date(2025, 3, 1))
    assert grade_at(client, date(2024, 12, 31), opponent) is None
    assert grade_at(client, date(2025, 1, 2), opponent) == 147  # (1800 - 700) / 7.5


@pytest.mark.parametrize(("day", "grade"), [(date(2024, 12, 31), 0), (date(2025, 1, 1), 0)])
def test_an_opponent_below_nought_stands_there_as_beside_his_name(client, day, grade):
    """His opening grade is −100 and the list's −12: both are published as 0."""
    opponent = person()
    OpeningRatingFactory(
        player=opponent, system="grade", value=-100, dated_on=date(2024, 8, 1), pool=pool()
    )
    publish(opponent, {date(2025, 1, 1): 0})
    Grade.objects.update(grade=-12, numerator=-12)
    assert grade_at(client, day, opponent) == grade
    shown = grades_and_elos([opponent.pk], RatingPool.objects.get(pk="standard"), day)
    assert shown[opponent.pk].grade == grade


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


# --- What is not for everybody -----------------------------------------------------------


def every_address(scene):
    ends = ("/", ".json", ".csv")
    own = [scene.url, f"/players/{scene.player.pk}.json", scene.url_of("chart", ".json")]
    tabs = [scene.url_of(tab, end) for tab in TABS for end in ends]
    pair = f"?with={scene.opponents['Ibbot'].pk}"
    return [*own, *tabs, *(scene.url_of("head-to-head", end + pair) for end in ends)]


def test_the_public_reads_no_junior_s_name(client, scene):
    for person in (scene.player, scene.opponents["Ibbot"]):
        person.birth_date = date(timezone.localdate().year - 10, 1, 1)
        person.save()

    def named():
        words = ("Żabrek", "Ibbot", "233310H", "birth")
        read = {address: client.get(address).content.decode() for address in every_address(scene)}
        return {address for address, text in read.items() if any(word in text for word in words)}

    assert named() == set()
    search = Page(client.get(scene.url_of("head-to-head"), {"q": "ibbot"}))
    assert "No player has every one of these words" in search.text
    client.force_login(UserFactory())
    assert scene.url in named()


def test_a_season_that_is_not_public_shows_nowhere(client, scene):
    season = scene.division.season
    Season.objects.filter(pk=season.pk).update(published_at=None)
    rows = json_of(client, scene.url_of("seasons", ".json"))
    assert [row["season"] for row in rows["rows"]] == [None, "2025-26", None, "2024-25"]
    assert [row["season"] for row in rows["teams"]] == ["2025-26", "2024-25"]
    assert len(json_of(client, scene.url_of("chart", ".json"))["elo"]) == 43
    met = json_of(client, scene.url_of("opponents", ".json"))["rows"]
    assert sum(row["played"] for row in met) == 55

    client.force_login(LeagueRoleFactory(league=SeasonFactory().league).user)
    assert len(json_of(client, scene.url_of("chart", ".json"))["elo"]) == 43
    client.force_login(LeagueRoleFactory(league=season.league).user)
    assert len(json_of(client, scene.url_of("chart", ".json"))["elo"]) == 48


def test_nobody_s_pages(client):
    for end in ("/opponents/", "/seasons.json", "/head-to-head/", "/chart.json"):
        assert client.get(f"/players/0{end}").status_code == 404
        assert client.get(f"/players/99999999999999999999{end}").status_code == 404


def test_pages_of_somebody_without_games(client):
    nobody = person()
    for tab, words in zip(
        TABS, ("No opponents yet", "No rated games yet", "Head to head"), strict=True
    ):
        assert words in text_of(client, f"/players/{nobody.pk}/{tab}/")
        assert json_of(client, f"/players/{nobody.pk}/{tab}.json")["rows"] == []
    assert json_of(client, f"/players/{nobody.pk}/chart.json")["elo"] == []


# --- How much is asked of the database ---------------------------------------------------


def grow(scene, size):
    """More opponents, events, seasons, lists and games."""
    for number in range(size):
        event = RatedEventFactory(pool=pool("rapid" if number % 2 else "standard"))
        other = person(16000)
        day = date(2010 + number, 1, 1) + timedelta(days=number)
        game(event, scene.player, other, day, number % 3, number)
        game(event, scene.player, scene.opponents["Ibbot"], day, 1, number + 100)
        publish(scene.player, {date(2000 + RatedGame.objects.count(), 1, 1): 140})
    rebuilding.rebuild("standard")
    rebuilding.rebuild("rapid")


def test_the_number_of_queries_does_not_grow(client, scene):
    def counts():
        found = {}
        for address in every_address(scene):
            with CaptureQueriesContext(connection) as captured:
                assert client.get(address).status_code == 200
            found[address] = len(captured)
        return found

    few = counts()
    grow(scene, 7)
    assert counts() == few
    assert max(few.values()) <= 18
