import csv
import datetime
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.division_tables.league_tables import table_of
from games.models import Award, MatchState, TieBreak
from tests.factories import (
    AdjustmentFactory,
    BoardFactory,
    DivisionFactory,
    LeagueRoleFactory,
    MatchFactory,
    PlayerFactory,
    TeamFactory,
    UserFactory,
)
from tests.html import Page

pytestmark = pytest.mark.django_db

PAGES = [
    "division_detail",
    "division_results",
    "division_fixtures",
    "division_crosstable",
    "division_players",
]


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """It is the evening of 25 November 2026."""
    at = datetime.datetime(2026, 11, 25, 23, 30, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: at)
    return at


@pytest.fixture
def division():
    return DivisionFactory(
        season__league__name="Weald League",
        season__league__slug="weald",
        season__label="2026–27",
        season__slug="2026-27",
        name="Division 1",
        slug="division-1",
        promoted=1,
        relegated=1,
        changed_at=datetime.datetime(2026, 11, 24, 23, 14, tzinfo=datetime.UTC),
    )


def team(division, name):
    return TeamFactory(division=division, name=name)


def played(home, away, home_points, away_points, **kwargs):
    """A match with a stated score in points."""
    return MatchFactory(
        division=home.division,
        home=home,
        away=away,
        stated_home=int(2 * home_points),
        stated_away=int(2 * away_points),
        **kwargs,
    )


@pytest.fixture
def four(division):
    """Four teams and five results: B, C and D end level on match points."""
    a, b, c, d = (team(division, f"{name} A") for name in ("Ash", "Birch", "Cedar", "Elm"))
    played(a, b, 4, 2, round=1, played_on=datetime.date(2026, 10, 6))
    played(c, d, 3.5, 2.5, round=1, played_on=datetime.date(2026, 10, 8))
    played(a, c, 5, 1, round=2, played_on=datetime.date(2026, 10, 20))
    played(d, b, 2, 4, round=2, played_on=datetime.date(2026, 10, 20))
    played(a, d, 2, 4, round=3, played_on=datetime.date(2026, 11, 3))
    MatchFactory(division=division, home=b, away=c, round=3, played_on=datetime.date(2026, 12, 8))
    return a, b, c, d


def get(client, name, division, *args):
    return client.get(reverse(name, args=[division.pk, *args]))


class TestTable:
    def test_stands_in_order_with_its_reasons(self, client, division, four):
        AdjustmentFactory(team=four[0], match_points=-2, reason="an ineligible player on board 4")
        page = Page(get(client, "division_detail", division))
        assert page.tables == [
            [
                ["Position", "Team", "P", "W", "D", "L"]
                + ["Game points", "Match points", "Last five"],
                ["1, promoted", "Ash A", "3", "2", "0", "1", "11", "3 a"]
                + ["won 4–2 v Birch A won 5–1 v Cedar A lost 2–4 v Elm A"],
                ["2", "Elm A", "3", "1", "0", "2", "8½", "2 b"]
                + ["lost 2½–3½ v Cedar A lost 2–4 v Birch A won 4–2 v Ash A"],
                ["3", "Birch A", "2", "1", "0", "1", "6", "2 c"]
                + ["lost 2–4 v Ash A won 4–2 v Elm A"],
                ["4, relegated", "Cedar A", "2", "1", "0", "1", "4½", "2"]
                + ["won 3½–2½ v Elm A lost 1–5 v Ash A"],
            ]
        ]
        for sentence in (
            "a Ash A: 1 match point deducted for an ineligible player on board 4, 6 October.",
            "b Elm A are ahead of Birch A on game points, 8½ to 6.",
            "c Birch A are ahead of Cedar A on game points, 6 to 4½.",
            "Promoted: the first Relegated: the last Last five: newest on the right",
            "Order: match points, then game points. A match won is 2, drawn 1, lost 0.",
            "5 of 6 matches played · updated 24 November, 23:14",
        ):
            assert sentence in page.text

    def test_shows_the_last_two_rounds_and_what_comes_next(self, client, division, four):
        page = Page(get(client, "division_detail", division))
        assert page.headings == [
            "Division 1",
            *("Latest results", "Round 3, 3 November", "Round 2, 20 October"),
            *("Next fixtures", "Round 3, 8 December"),
        ]
        texts = [text for text, address in page.links if address.startswith("/matches/")]
        assert texts[-4:] == [
            "Ash A 2 – 4 Elm A",
            "Ash A 5 – 1 Cedar A",
            "Elm A 2 – 4 Birch A",
            "Birch A Tue 8 Cedar A",
        ]

    def test_json_holds_every_row(self, client, division, four):
        AdjustmentFactory(team=four[3], match_points=0, game_points=-1, reason="a late start")
        answer = get(client, "division_detail", division, "json").json()
        rows = answer.pop("rows")
        assert answer == {
            "league": "Weald League",
            "season": "2026–27",
            "division": "Division 1",
            "url": f"/divisions/{division.pk}/",
            "updated_at": "2026-11-24T23:14:00Z",
            "on": None,
            "order": ["match_points", "game_points"],
            "promoted": 1,
            "relegated": 1,
            "notes": [
                "Elm A are ahead of Birch A on game points, 8 to 6.",
                "Elm A: ½ game point deducted for a late start, 6 October.",
                "Birch A are ahead of Cedar A on game points, 6 to 4½.",
            ],
            "policies": [],
            "race": [
                "Can still finish first, if every match is played: Ash A, Birch A, Cedar A.",
            ],
        }
        figures = ("position", "shared", "team", "played", "won", "drawn", "lost")
        points = ("match_points", "game_points", "game_points_against")
        adjusted = ("awarded", "match_points_adjusted", "game_points_adjusted", "withdrawn")
        columns = (*figures, *points, *adjusted, "awaited", "unfinished", "url")
        assert rows == [
            dict(zip(columns, row, strict=True))
            for row in (
                (1, False, "Ash A", 3, 2, 0, 1, 4, 11, 7, 0, 0, 0, False, 0, 0, address(four[0])),
                (
                    2,
                    False,
                    "Elm A",
                    3,
                    1,
                    0,
                    2,
                    2,
                    8,
                    9.5,
                    0,
                    0,
                    -0.5,
                    False,
                    0,
                    0,
                    address(four[3]),
                ),
                (3, False, "Birch A", 2, 1, 0, 1, 2, 6, 6, 0, 0, 0, False, 0, 0, address(four[1])),
                (
                    4,
                    False,
                    "Cedar A",
                    2,
                    1,
                    0,
                    1,
                    2,
                    4.5,
                    7.5,
                    0,
                    0,
                    0,
                    False,
                    0,
                    0,
                    address(four[2]),
                ),
            )
        ]

    def test_csv_is_the_json_in_columns(self, client, division, four):
        rows = get(client, "division_detail", division, "json").json()["rows"]
        text = get(client, "division_detail", division, "csv").content.decode()
        words = {True: "yes", False: "no"}
        assert list(csv.DictReader(io.StringIO(text))) == [
            {k: words[v] if isinstance(v, bool) else str(v) for k, v in row.items()} for row in rows
        ]

    def test_of_a_new_season_is_alphabetical_and_shared(self, client, division):
        for name in ("Zelkova A", "ash B", "Élan A"):
            team(division, name)
        rows = get(client, "division_detail", division, "json").json()["rows"]
        assert [(row["team"], row["position"], row["shared"]) for row in rows] == [
            ("ash B", 1, True),
            ("Élan A", 1, True),
            ("Zelkova A", 1, True),
        ]
        page = Page(get(client, "division_detail", division))
        assert [row[0] for row in page.tables[0][1:]] == ["1=, promoted", "1=", "1=, relegated"]
        assert "Nothing played yet" in page.text

    def test_of_no_teams_says_so(self, client, division):
        page = Page(get(client, "division_detail", division))
        assert page.tables == []
        assert page.headings == ["Division 1", "No teams yet"]
        assert get(client, "division_detail", division, "json").json()["rows"] == []

    def test_counts_boards_only_when_the_card_is_complete(self, client, division):
        home, away = team(division, "Ash A"), team(division, "Birch A")
        match = MatchFactory(division=division, home=home, away=away, board_count=2)
        BoardFactory(match=match, number=1, result=2)
        second = BoardFactory(match=match, number=2)
        rows = get(client, "division_detail", division, "json").json()["rows"]
        assert [(row["played"], row["game_points"]) for row in rows] == [(0, 0), (0, 0)]
        assert "unfinished" in Page(get(client, "division_fixtures", division)).text
        second.result = 1
        second.save()
        rows = get(client, "division_detail", division, "json").json()["rows"]
        assert [(row["played"], row["game_points"]) for row in rows] == [(1, 1.5), (1, 0.5)]

    def test_counts_the_stated_score_while_it_stands_beside_the_boards(self, client, division):
        home, away = team(division, "Ash A"), team(division, "Birch A")
        match = MatchFactory(
            division=division, home=home, away=away, board_count=1, stated_home=0, stated_away=2
        )
        BoardFactory(match=match, number=1, result=2)
        rows = get(client, "division_detail", division, "json").json()["rows"]
        assert [(row["team"], row["game_points"]) for row in rows] == [("Birch A", 1), ("Ash A", 0)]

    def test_leaves_out_boards_that_do_not_count(self, client, division):
        home, away = team(division, "Ash A"), team(division, "Birch A")
        match = MatchFactory(division=division, home=home, away=away, board_count=1)
        BoardFactory(match=match, number=1, result=1)
        BoardFactory(match=match, number=2, result=2, counts_for_match=False)
        rows = get(client, "division_detail", division, "json").json()["rows"]
        assert [row["game_points"] for row in rows] == [0.5, 0.5]

    @pytest.mark.parametrize(
        ("award", "points"),
        [
            (Award.HOME_DEFAULT, {"Ash A": (2, 2), "Birch A": (0, 0)}),
            (Award.AWAY_DEFAULT, {"Ash A": (0, 0), "Birch A": (2, 2)}),
            (Award.DOUBLE_DEFAULT, {"Ash A": (0, 0), "Birch A": (0, 0)}),
        ],
    )
    def test_sets_matches_without_play_apart(self, client, division, award, points):
        home, away = team(division, "Ash A"), team(division, "Birch A")
        match = MatchFactory(division=division, home=home, away=away, board_count=2)
        for number in (1, 2):
            BoardFactory(match=match, number=number, award=award)
        rows = get(client, "division_detail", division, "json").json()["rows"]
        found = {row["team"]: (row["match_points"], row["game_points"]) for row in rows}
        assert found == points
        assert {(row["played"], row["awarded"]) for row in rows} == {(0, 1)}
        text = Page(get(client, "division_detail", division)).text
        assert "Ash A: 1 match decided by default, without play." in text

    def test_explains_head_to_head(self, client, division, four):
        division.table_order = [TieBreak.MATCH_POINTS, TieBreak.HEAD_TO_HEAD]
        division.save()
        text = Page(get(client, "division_detail", division)).text
        assert (
            "Birch A are ahead of Elm A on game points in the matches between Birch A, Cedar A "
            "and Elm A"
        ) in text or "on match points in the matches between" in text

    def test_says_that_the_season_is_over(self, client, division):
        played(team(division, "Ash A"), team(division, "Birch A"), 3, 3)
        assert "Final table" in Page(get(client, "division_detail", division)).text

    def test_counts_whole_rounds(self, client, division):
        a, b = team(division, "Ash A"), team(division, "Birch A")
        played(a, b, 3, 3, round=1)
        MatchFactory(division=division, home=b, away=a, round=2)
        assert "After 1 of 2 rounds" in Page(get(client, "division_detail", division)).text


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


def address(team):
    return reverse("team_detail", args=[team.pk])


def meeting(at_home, own, other, date, match):
    return {
        "at_home": at_home,
        "own": own,
        "other": other,
        "date": date,
        "url": reverse("match_detail", args=[match.pk]),
    }


def test_table_is_worked_out_twice_alike(division, four):
    first, second = table_of(division), table_of(division)
    assert [row.figures for row in first.rows] == [row.figures for row in second.rows]
    assert first.notes == second.notes
