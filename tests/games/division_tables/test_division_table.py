"""The page of a division's table: places, reasons, prizes, notes, and its files."""

import csv
import datetime
import io

import pytest
from django.utils import timezone

from games.division_tables.league_tables import table_of
from games.models import Award, TieBreak
from tests.factories import AdjustmentFactory, BoardFactory, MatchFactory
from tests.games.division_scene import address, get, played, team
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """It is the evening of 25 November 2026."""
    at = datetime.datetime(2026, 11, 25, 23, 30, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: at)
    return at


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


def test_table_is_worked_out_twice_alike(division, four):
    first, second = table_of(division), table_of(division)
    assert [row.figures for row in first.rows] == [row.figures for row in second.rows]
    assert first.notes == second.notes
