"""A division's results, fixtures, cross table and players, and who may see them."""

import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Award, MatchState
from tests.factories import (
    AdjustmentFactory,
    BoardFactory,
    DivisionFactory,
    LeagueRoleFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
)
from tests.games.division_scene import PAGES, get, played, team
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """It is the evening of 25 November 2026."""
    at = datetime.datetime(2026, 11, 25, 23, 30, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: at)
    return at


class TestResultsAndFixtures:
    def test_results_stand_by_round_the_newest_first(self, client, division, four):
        page = Page(get(client, "division_results", division))
        assert page.headings == [
            "Division 1",
            "Round 3, 3 November",
            "Round 2, 20 October",
            "Round 1, 6 to 8 October",
        ]
        rows = get(client, "division_results", division, "json").json()["rows"]
        assert [
            (row["round"], row["date"], row["home"], row["home_points"], row["away_points"])
            for row in rows
        ] == [
            (1, "2026-10-06", "Ash A", 4, 2),
            (1, "2026-10-08", "Cedar A", 3.5, 2.5),
            (2, "2026-10-20", "Ash A", 5, 1),
            (2, "2026-10-20", "Elm A", 2, 4),
            (3, "2026-11-03", "Ash A", 2, 4),
        ]

    def test_fixtures_say_which_results_are_awaited(self, client, division):
        a, b = team(division, "Ash A"), team(division, "Birch A")
        MatchFactory(
            division=division, home=a, away=b, round=1, played_on=datetime.date(2026, 11, 24)
        )
        MatchFactory(
            division=division, home=b, away=a, round=2, played_on=datetime.date(2026, 11, 25)
        )
        MatchFactory(division=division, home=a, away=b, leg=2, round=3, played_on=None)
        MatchFactory(
            division=division, home=b, away=a, leg=2, round=4, state=MatchState.POSTPONED,
            played_on=None,
        )  # fmt: skip
        page = Page(get(client, "division_fixtures", division))
        assert page.headings == [
            "Division 1",
            *("Result awaited", "Round 1, 24 November"),
            *("To come", "Round 2, 25 November", "Round 3", "Round 4"),
        ]
        texts = [text for text, address in page.links if address.startswith("/matches/")]
        assert texts == [
            "Ash A Tue 24 Birch A",
            "Birch A Wed 25 Ash A",
            "Ash A no date Birch A",
            "Birch A postponed Ash A",
        ]
        rows = get(client, "division_fixtures", division, "json").json()["rows"]
        assert [(row["date"], row["home_points"], row["state"]) for row in rows] == [
            ("2026-11-24", None, "arranged"),
            ("2026-11-25", None, "arranged"),
            (None, None, "arranged"),
            (None, None, "postponed"),
        ]

    def test_match_on_the_day_of_the_clock_change_keeps_its_day(self, client, division):
        a, b = team(division, "Ash A"), team(division, "Birch A")
        played(a, b, 3, 3, played_on=datetime.date(2026, 10, 25))
        assert "Round 1, 25 October" in Page(get(client, "division_results", division)).text

    def test_empty_pages_name_the_next_best(self, client, division):
        assert "No fixtures yet" in Page(get(client, "division_fixtures", division)).text
        assert "Nothing played yet" in Page(get(client, "division_results", division)).text
        text = get(client, "division_results", division, "csv").content.decode()
        assert text == "round,date,home,away,home_points,away_points,state,url\r\n"


class TestCrossTable:
    def test_holds_both_legs(self, client, division):
        a, b = team(division, "Ash A"), team(division, "Birch A")
        first = played(a, b, 3.5, 2.5, played_on=datetime.date(2026, 10, 6))
        back = played(b, a, 4, 2, played_on=datetime.date(2026, 11, 3))
        third = MatchFactory(
            division=division, home=a, away=b, leg=2, played_on=datetime.date(2026, 12, 1)
        )
        answer = get(client, "division_crosstable", division, "json").json()
        assert [row["team"] for row in answer["rows"]] == ["Birch A", "Ash A"]
        assert answer["rows"][1]["against"] == {
            "Ash A": None,
            "Birch A": [
                meeting(True, 3.5, 2.5, "2026-10-06", first),
                meeting(False, 2, 4, "2026-11-03", back),
                meeting(True, None, None, "2026-12-01", third),
            ],
        }
        assert get(client, "division_crosstable", division, "csv").content.decode() == (
            "position,shared,team,Birch A,Ash A\r\n"
            '1,no,Birch A,,"2½-3½ A, 4-2 H"\r\n'
            '2,no,Ash A,"3½-2½ H, 2-4 A",\r\n'
        )
        page = Page(get(client, "division_crosstable", division))
        assert page.tables[0][1] == [
            "1 Birch A",
            "",
            "2½–3½ at Ash A 4–2 v Ash A to play, at Ash A",
            "6½",
            "2",
        ]

    def test_team_named_like_a_formula_is_no_formula(self, client, division):
        team(division, "=cmd|' /C calc'!A0")
        text = get(client, "division_crosstable", division, "csv").content.decode()
        assert text.splitlines() == [
            "position,shared,team,'=cmd|' /C calc'!A0",
            "1,no,'=cmd|' /C calc'!A0,",
        ]


class TestPlayers:
    @pytest.fixture
    def match(self, division):
        home, away = team(division, "Ash A"), team(division, "Birch A")
        match = MatchFactory(division=division, home=home, away=away, board_count=4)
        ann, bob, cy, dee = (
            PlayerFactory(forenames=f, surname=s)
            for f, s in (("Ann", "Able"), ("Bob", "Bell"), ("Cy", "Cole"), ("Dee", "Dunn"))
        )
        BoardFactory(match=match, number=1, home_player=ann, away_player=bob, result=1)
        BoardFactory(match=match, number=2, home_player=cy, away_player=dee, result=0)
        BoardFactory(
            match=match, number=3, home_player=None, away_player=PlayerFactory(surname="Earl"),
            award=Award.AWAY_DEFAULT,
        )  # fmt: skip
        BoardFactory(
            match=match, number=4, home_player=PlayerFactory(surname="Fox"),
            away_player=PlayerFactory(surname="Gray"),
        )  # fmt: skip
        return match

    def test_default_scores_and_is_no_game(self, client, division, match):
        rows = get(client, "division_players", division, "json").json()["rows"]
        assert [
            (row["position"], row["shared"], row["name"], row["team"], row["played"])
            + (row["won"], row["drawn"], row["lost"], row["defaults_won"], row["points"])
            for row in rows
        ] == [
            (1, True, "Dunn, Dee", "Birch A", 1, 1, 0, 0, 0, 1),
            (1, True, "Earl, Robin", "Birch A", 0, 0, 0, 0, 1, 1),
            (3, True, "Able, Ann", "Ash A", 1, 0, 1, 0, 0, 0.5),
            (3, True, "Bell, Bob", "Birch A", 1, 0, 1, 0, 0, 0.5),
            (5, False, "Cole, Cy", "Ash A", 1, 0, 0, 1, 0, 0),
        ]

    def test_page_shows_the_same(self, client, division, match):
        page = Page(get(client, "division_players", division))
        assert page.tables[0][:2] == [
            ["Position", "Player", "Team", "Boards", "Played", "Won", "Drawn", "Lost"]
            + ["By default", "Points"],
            ["1=", "Dunn, Dee Birch A", "Birch A", "2", "1", "1", "0", "0", "0", "1"],
        ]

    def test_sorts_page_and_twin_alike(self, client, division, match):
        address = reverse("division_players", args=[division.pk])
        page = Page(client.get(address, {"sort": "name"}))
        names = [row[1].removesuffix(row[2]).strip() for row in page.tables[0][1:]]
        assert names == ["Able, Ann", "Bell, Bob", "Cole, Cy", "Dunn, Dee", "Earl, Robin"]
        files = [href for _text, href in page.links if "players." in href]
        forms = ("csv", "json", "xlsx")
        assert files == [f"/divisions/{division.pk}/players.{f}?sort=name" for f in forms]
        assert [row["name"] for row in client.get(files[1]).json()["rows"]] == names

    @pytest.mark.parametrize("query", ["?sort=nothing", "?page=99", "?page=x", "?per_page=0"])
    def test_takes_any_query(self, client, division, match, query):
        response = client.get(reverse("division_players", args=[division.pk]) + query)
        assert len(Page(response).tables[0]) == 6

    def test_is_paged_by_fifty_and_its_files_are_not(self, client, division, match):
        for number in range(5, 17):
            BoardFactory(match=match, number=number, result=1)
        other = MatchFactory(division=division, home=match.away, away=match.home)
        for number in range(1, 17):
            BoardFactory(match=other, number=number, result=1)
        page = Page(get(client, "division_players", division))
        assert len(page.tables[0]) == 51
        assert "1–50 of 61" in page.text
        last = Page(client.get(reverse("division_players", args=[division.pk]) + "?page=2"))
        assert len(last.tables[0]) == 12
        assert last.tables[0][-1][0] == "61"
        assert len(get(client, "division_players", division, "json").json()["rows"]) == 61
        assert len(get(client, "division_players", division, "csv").content.splitlines()) == 62

    def test_hides_the_name_of_a_junior_from_the_public(self, client, division, match):
        junior = match.boards.get(number=1).home_player
        junior.birth_year, junior.ecf_code = 2014, "123456A"
        junior.save()
        rows = get(client, "division_players", division, "json").json()["rows"]
        assert [(row["name"], row["code"]) for row in rows if row["points"] == 0.5] == [
            ("Bell, Bob", None),
            ("Junior player", None),
        ]
        client.force_login(UserFactory())
        rows = get(client, "division_players", division, "json").json()["rows"]
        assert ("Able, Ann", "123456A") in [(row["name"], row["code"]) for row in rows]


class TestWhoMaySee:
    @pytest.fixture
    def hidden(self):
        return DivisionFactory(season__published_at=None)

    @pytest.mark.parametrize("name", PAGES)
    @pytest.mark.parametrize("form", [(), ("csv",), ("json",)])
    def test_unpublished_season_is_for_officers_of_its_league(self, client, hidden, name, form):
        assert get(client, name, hidden, *form).status_code == 404
        client.force_login(UserFactory())
        assert get(client, name, hidden, *form).status_code == 404
        client.force_login(LeagueRoleFactory().user)
        assert get(client, name, hidden, *form).status_code == 404
        client.force_login(LeagueRoleFactory(league=hidden.season.league).user)
        assert get(client, name, hidden, *form).status_code == 200

    def test_officer_is_told_that_it_is_not_public(self, client, hidden):
        client.force_login(LeagueRoleFactory(league=hidden.season.league).user)
        assert "Not public yet" in Page(get(client, "division_detail", hidden)).text

    @pytest.mark.parametrize("name", PAGES)
    def test_nothing_is_posted_and_nothing_found_is_404(self, client, division, name):
        assert client.post(reverse(name, args=[division.pk])).status_code == 405
        for pk in (0, 10**30):
            assert client.get(reverse(name, args=[pk])).status_code == 404

    def test_public_page_sets_no_cookie_and_carries_no_token(self, client, division, four):
        response = get(client, "division_detail", division)
        assert not response.cookies
        assert b"csrf" not in response.content


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("form", [(), ("json",)])
def test_queries_do_not_grow(client, division, name, form):
    def fill(count):
        teams = [team(division, f"Team {count}-{n:02} A") for n in range(count)]
        for number, home in enumerate(teams):
            match = MatchFactory(
                division=division, home=home, away=teams[number - 1], board_count=2, round=number
            )
            for board in (1, 2):
                BoardFactory(match=match, number=board, result=1)
            AdjustmentFactory(team=home)

    fill(3)
    with CaptureQueriesContext(connection) as few:
        get(client, name, division, *form)
    fill(9)
    with CaptureQueriesContext(connection) as many:
        get(client, name, division, *form)
    assert len(many) == len(few) <= 5


def meeting(at_home, own, other, date, match):
    return {
        "at_home": at_home,
        "own": own,
        "other": other,
        "date": date,
        "url": reverse("match_detail", args=[match.pk]),
    }
