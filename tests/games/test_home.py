import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.factories import (
    BoardFactory,
    ClubRoleFactory,
    DivisionFactory,
    LeagueFactory,
    LeagueRoleFactory,
    MatchFactory,
    SeasonFactory,
    TeamFactory,
    TeamRoleFactory,
    UserFactory,
)
from tests.html import Page

pytestmark = pytest.mark.django_db
DAY = datetime.timedelta(days=1)
TODAY = datetime.date(2026, 11, 25)


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """It is the evening of 25 November 2026."""
    at = datetime.datetime(2026, 11, 25, 23, 30, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: at)


@pytest.fixture
def league():
    return LeagueFactory(name="Weald League", slug="weald")


@pytest.fixture
def season(league):
    return SeasonFactory(league=league, label="2026–27", slug="2026-27")


def division(season, name="Division 1", **kwargs):
    return DivisionFactory(season=season, name=name, slug=name.lower().replace(" ", "-"), **kwargs)


def match(division, home="Ash A", away="Birch A", halves=None, **kwargs):
    teams = [
        division.teams.filter(name=name).first() or TeamFactory(division=division, name=name)
        for name in (home, away)
    ]
    stated = dict(zip(("stated_home", "stated_away"), halves or (None, None), strict=True))
    return MatchFactory(division=division, home=teams[0], away=teams[1], **stated, **kwargs)


class TestHome:
    def test_begins_with_nothing(self, client):
        page = Page(client.get("/"))
        assert page.headings == ["Chess leagues and their ratings", "No league yet"]

    def test_shows_results_by_day_what_comes_next_and_who_leads(self, client, season):
        one, two = division(season), division(season, "Division 2", rank=2)
        match(one, halves=(7, 5), played_on=TODAY - DAY, number=2)
        match(two, "Cedar A", "Elm A", halves=(6, 6), played_on=TODAY - DAY, number=1)
        match(one, "Birch A", "Ash A", halves=(1, 11), played_on=TODAY - 2 * DAY)
        match(one, leg=2, played_on=TODAY)
        later = match(two, "Elm A", "Cedar A", played_on=TODAY + DAY)
        later.home.club.start_time = datetime.time(19, 30)
        later.home.club.save()
        match(one, "Birch A", "Ash A", leg=2, played_on=TODAY - DAY)
        division(season, "Division 3", rank=3)
        page = Page(client.get("/"))
        assert page.headings == [
            "Weald League",
            *("Latest results", "Tuesday 24 November", "Monday 23 November"),
            *("Next matches", "Wednesday 25 November", "Thursday 26 November"),
            *("Leagues, 2026–27", "Weald League"),
        ]
        assert [text for text, href in page.links if href.startswith("/matches/")] == [
            "Division 1 Ash A 3½ – 2½ Birch A",
            "Division 2 Cedar A 3 – 3 Elm A",
            "Division 1 Birch A ½ – 5½ Ash A",
            "Division 1 Ash A v Birch A",
            "Division 2 Elm A 7:30 pm Cedar A",
        ]
        assert (
            "Division 1 Ash A lead Division 2 Cedar A and Elm A level Division 3 Not begun"
            in page.text
        )

    def test_says_how_each_division_stands(self, client, season):
        done, shared, ahead = (division(season, name) for name in ("Done", "Shared", "Ahead"))
        match(done, halves=(8, 4))
        match(shared, halves=(6, 6))
        match(ahead, played_on=TODAY + 30 * DAY)
        text = Page(client.get("/")).text
        for words in ("Done Won by Ash A", "Shared Shared by Ash A and Birch A"):
            assert words in text
        assert "Ahead Starts 25 December" in text

    def test_leaves_out_results_of_the_future_and_unfinished_cards(self, client, season):
        one = division(season)
        match(one, halves=(6, 6), played_on=TODAY + DAY)
        begun = match(one, "Birch A", "Ash A", entered_at=timezone.now(), played_on=TODAY)
        BoardFactory(match=begun, number=1, result=2)
        page = Page(client.get("/"))
        assert not [href for _text, href in page.links if href.startswith("/matches/")]

    def test_keeps_unpublished_seasons_to_itself(self, client, season):
        hidden = division(SeasonFactory(published_at=None))
        match(hidden, halves=(6, 6), played_on=TODAY)
        match(hidden, "Birch A", "Ash A", played_on=TODAY + DAY)
        match(division(season), "Cedar A", "Elm A", halves=(6, 6), played_on=TODAY)
        for user in (None, UserFactory()):
            if user:
                client.force_login(user)
            text = Page(client.get("/")).text
            assert "Cedar A" in text
            assert "Ash A" not in text

    def test_takes_only_the_newest_season_of_a_league(self, client, league, season):
        old = SeasonFactory(
            league=league,
            label="2025–26",
            slug="2025-26",
            starts_on=datetime.date(2025, 7, 1),
            ends_on=datetime.date(2026, 7, 1),
        )
        division(old, "Old division")
        division(season, "New division")
        text = Page(client.get("/")).text
        assert "New division" in text
        assert "Old division" not in text

    def test_is_public(self, client, season):
        response = client.get("/")
        assert not response.cookies
        assert b"csrf" not in response.content
        assert client.post("/").status_code == 405


def card_links(client):
    page = Page(client.get("/"))
    return [(text, href) for text, href in page.links if href.endswith("/card/")]


class TestCardsToEnter:
    def test_whose_day_has_come_the_oldest_first(self, client, season):
        one = division(season)
        begun = match(one, played_on=TODAY - 8 * DAY, entered_at=timezone.now())
        BoardFactory(match=begun, number=1, result=2)
        today = match(one, leg=2, played_on=TODAY)
        missing = match(one, "Birch A", "Ash A", played_on=TODAY - 7 * DAY)
        # Not due, without a day, in already, stated, or never to come.
        match(one, leg=3, played_on=TODAY + DAY)
        match(one, leg=4, played_on=None)
        match(one, leg=5, played_on=TODAY - DAY, state="postponed")
        done = match(one, leg=6, played_on=TODAY - DAY, board_count=1)
        BoardFactory(match=done, number=1, result=None, award="double_default")
        match(one, leg=7, played_on=TODAY - DAY, halves=(6, 6))
        gone = match(one, "Ash A", "Elm A", played_on=TODAY - DAY)
        gone.away.state = "withdrawn"
        gone.away.save()
        client.force_login(LeagueRoleFactory(league=season.league).user)
        page = Page(client.get("/"))
        assert page.headings[1:5] == [
            "Cards to enter",
            *("Tuesday 17 November", "Wednesday 18 November", "Wednesday 25 November"),
        ]
        assert card_links(client) == [
            ("Division 1 Ash A unfinished Birch A", f"/matches/{begun.pk}/card/"),
            ("Division 1 Birch A no card Ash A", f"/matches/{missing.pk}/card/"),
            ("Division 1 Ash A no card Birch A", f"/matches/{today.pk}/card/"),
        ]

    @pytest.mark.parametrize(
        ("role", "number"),
        [
            *(("captain", 2), ("secretary", 2), ("officer", 2)),
            *(("anonymous", 0), ("outsider", 0), ("sister", 0), ("second", 0)),
            *(("staff", 0), ("grader", 0), ("chief", 0)),
        ],
    )
    def test_only_of_ones_own_teams_clubs_and_leagues(self, client, cast, role, number):
        user = cast.account(role)
        if user is not None:
            client.force_login(user)
        found = card_links(client)
        assert len(found) == number
        for _text, href in found:
            assert client.get(href).status_code == 200
        assert (b"Cards to enter" in client.get("/").content) == (number > 0)

    def test_ten_and_how_many_more(self, client, season):
        one = division(season)
        matches = [match(one, leg=n, played_on=TODAY - n * DAY) for n in range(1, 14)]
        client.force_login(TeamRoleFactory(team=matches[0].away).user)
        assert [href for _text, href in card_links(client)] == [
            f"/matches/{one.pk}/card/" for one in matches[:2:-1]
        ]
        assert "and 3 more" in Page(client.get("/")).text

    def test_also_of_a_season_that_is_not_public_yet(self, client):
        due = match(division(SeasonFactory(published_at=None)), played_on=TODAY)
        client.force_login(ClubRoleFactory(club=due.home.club).user)
        assert [href for _text, href in card_links(client)] == [f"/matches/{due.pk}/card/"]
        client.logout()
        assert Page(client.get("/")).headings[-1] == "No league yet"

    def test_queries_do_not_grow(self, client, season):
        one = division(season)
        role = LeagueRoleFactory(league=season.league)
        client.force_login(role.user)

        def queries(*legs):
            for leg in legs:
                match(one, leg=leg, played_on=TODAY - leg * DAY)
                match(division(season, f"Other {leg}"), played_on=TODAY - leg * DAY)
            with CaptureQueriesContext(connection) as seen:
                assert card_links(client)
            return len(seen)

        assert queries(1) == queries(2, 3, 4, 5, 6, 7) <= 14


class TestLeagues:
    def test_list_names_each_league_and_its_divisions(self, client, season):
        one = division(season)
        LeagueFactory(name="Without a season")
        division(SeasonFactory(published_at=None))
        page = Page(client.get(reverse("league_list")))
        assert page.headings == ["Leagues", "Weald League 2026–27"]
        assert client.get("/leagues.json").json() == {
            "leagues": [
                {
                    "name": "Weald League",
                    "url": "/leagues/weald/",
                    "season": "2026–27",
                    "season_url": "/leagues/weald/2026-27/",
                }
            ]
        }
        assert one.get_absolute_url() in [href for _text, href in page.links]

    def test_names_are_in_one_order_whatever_language_the_database_sorts_by(self, client):
        # The test's own database may sort by code point anyway; the columns must say so.
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT table_name, collation_name FROM information_schema.columns WHERE"
                " column_name = 'name' AND table_name IN ('games_league', 'games_division')"
            )
            assert dict(cursor.fetchall()) == {"games_league": "C", "games_division": "C"}
        for name in ("Éire", "St Wulfric", "St-Albans", "Stour"):
            season = SeasonFactory(league=LeagueFactory(name=name))
            for same_rank in ("Élite", "North", "A-Z", "A B"):
                division(season, same_rank)
        answer = client.get("/leagues.json").json()
        assert [league["name"] for league in answer["leagues"]] == [
            *("St Wulfric", "St-Albans", "Stour", "Éire"),
        ]
        names = [one.name for one in season.divisions.all()]
        assert names == ["A B", "A-Z", "North", "Élite"]

    def test_league_lists_its_seasons(self, client, league, season):
        old = SeasonFactory(
            league=league,
            label="2025–26",
            slug="2025-26",
            starts_on=datetime.date(2025, 7, 1),
            ends_on=datetime.date(2026, 7, 1),
        )
        division(old)
        page = Page(client.get("/leagues/weald/"))
        assert page.headings == ["Weald League", "Season 2026–27", "Earlier seasons"]
        assert client.get("/leagues/weald.csv").content.decode() == (
            "label,url,starts_on,ends_on\r\n"
            "2026–27,/leagues/weald/2026-27/,2026-07-01,2027-07-01\r\n"
            "2025–26,/leagues/weald/2025-26/,2025-07-01,2026-07-01\r\n"
        )

    def test_season_shows_its_tables_and_its_file_their_addresses(self, client, season):
        two = division(season, "Division 2", rank=2)
        one = division(season, rank=1)
        match(one, halves=(7, 5))
        page = Page(client.get("/leagues/weald/2026-27/"))
        assert page.headings == ["Season 2026–27", "Division 1", "Division 2"]
        assert page.tables == [
            [
                ["Position", "Team", "P", "Game points", "Match points"],
                ["1", "Ash A", "1", "3½", "2"],
                ["2", "Birch A", "1", "2½", "0"],
            ]
        ]
        assert client.get("/leagues/weald/2026-27.json").json() == {
            "league": "Weald League",
            "season": "2026–27",
            "url": "/leagues/weald/2026-27/",
            "divisions": [
                {
                    "name": of.name,
                    "rank": of.rank,
                    "url": f"/divisions/{of.pk}/",
                    "json": f"/divisions/{of.pk}.json",
                    "csv": f"/divisions/{of.pk}.csv",
                }
                for of in (one, two)
            ],
        }

    @pytest.mark.parametrize(
        "address", ["/leagues/weald/", "/leagues/weald.json", "/leagues/weald/2026-27/"]
    )
    def test_unpublished_season_is_for_officers_of_its_league(self, client, season, address):
        season.published_at = None
        season.save()
        assert client.get(address).status_code == 404
        client.force_login(LeagueRoleFactory().user)
        assert client.get(address).status_code == 404
        client.force_login(LeagueRoleFactory(league=season.league).user)
        assert client.get(address).status_code == 200
        client.force_login(UserFactory(is_superuser=True))
        assert client.get(address).status_code == 200

    def test_unknown_addresses_are_404(self, client, season):
        for address in ("/leagues/none/", "/leagues/weald/1999/", "/leagues/weald/1999.json"):
            assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    "address", ["/", "/leagues/", "/leagues/weald/", "/leagues/weald/2026-27/"]
)
def test_queries_do_not_grow(client, league, season, address):
    def fill(start, stop):
        for n in range(start, stop):
            of = division(season, f"Division {n}", rank=n)
            match(of, halves=(7, 5), played_on=TODAY - n * DAY)
            match(of, "Birch A", "Ash A", played_on=TODAY + n * DAY)
            division(SeasonFactory(label=f"Season {n}"), f"Elsewhere {n}")

    fill(1, 3)
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    fill(3, 7)
    with CaptureQueriesContext(connection) as many:
        client.get(address)
    assert len(many) == len(few) <= 10
