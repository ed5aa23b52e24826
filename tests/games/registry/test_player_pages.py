"""A player's page: grade and Elo, the numbers of the chart, and who may read what."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Season
from ratings import rebuilding
from ratings.models import Grade, GradeList, RatedGame
from tests.factories import LeagueRoleFactory, RatedEventFactory, SeasonFactory, UserFactory, pool
from tests.games.player_scene import (
    GRADES,
    csv_of,
    game,
    json_of,
    person,
    publish,
    text_of,
)
from tests.html import Page

pytestmark = pytest.mark.django_db

TABS = ("opponents", "seasons", "head-to-head")


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


# --- What is not for everybody -----------------------------------------------------------


def every_address(scene):
    ends = ("/", ".json", ".csv")
    own = [scene.url, f"/players/{scene.player.pk}.json", scene.url_of("chart", ".json")]
    tabs = [scene.url_of(tab, end) for tab in TABS for end in ends]
    pair = f"?with={scene.opponents['Ibbot'].pk}"
    return [*own, *tabs, *(scene.url_of("head-to-head", end + pair) for end in ends)]


def test_the_public_reads_no_junior_s_name(client, scene):
    for each in (scene.player, scene.opponents["Ibbot"]):
        each.birth_date = date(timezone.localdate().year - 10, 1, 1)
        each.save()

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
