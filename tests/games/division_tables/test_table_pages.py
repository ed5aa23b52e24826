"""A division's table with its rules at work: what is stored, what the page and its twins say."""

import datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from games.division_tables.league_tables import table_of, tables_of
from games.models import Award, Division, MatchState, TeamState, TieBreak
from tests.factories import (
    AdjustmentFactory,
    BoardFactory,
    DivisionFactory,
    MatchFactory,
    TeamFactory,
)
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """It is the evening of 25 November 2026."""
    at = datetime.datetime(2026, 11, 25, 23, 30, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: at)


@pytest.fixture
def division():
    return DivisionFactory(name="Division 1", board_count=4)


@pytest.fixture
def pair(division):
    return [TeamFactory(division=division, name=name) for name in ("Ash A", "Birch A")]


def match(home, away, **facts):
    return MatchFactory(division=home.division, home=home, away=away, **facts)


def boards(of, *results):
    """Boards with these half-points of the home side; a default is named, None is unfinished."""
    for number, result in enumerate(results, start=1):
        facts = {"award": result} if isinstance(result, str) else {"result": result}
        BoardFactory(match=of, number=number, **facts)


def rules(division, **columns):
    Division.objects.filter(pk=division.pk).update(**columns)
    return Division.objects.get(pk=division.pk)


def get(client, division, form="", **query):
    args = [division.pk, form] if form else [division.pk]
    return client.get(reverse("division_detail", args=args), query)


def figures(client, division):
    rows = get(client, division, "json").json()["rows"]
    return [(row["team"], row["played"], row["match_points"], row["game_points"]) for row in rows]


@pytest.mark.parametrize(
    ("policy", "expected", "words"),
    [
        ("ignore_match", [("Ash A", 0, 0, 0), ("Birch A", 0, 0, 0)], None),
        (
            "ignore_game",
            [("Ash A", 1, 2, 2.5), ("Birch A", 1, 0, 0.5)],
            "The unfinished games are left out.",
        ),
        (
            "drawn",
            [("Ash A", 1, 2, 3), ("Birch A", 1, 0, 1)],
            "The unfinished games count as drawn.",
        ),
        (
            "threshold",
            [("Ash A", 1, 2, 2.5), ("Birch A", 1, 0, 0.5)],
            "One side has more than half of the points.",
        ),
    ],
)
def test_an_unfinished_game(client, division, pair, policy, expected, words):
    boards(match(*pair), 2, 1, 2, None)
    rules(division, unfinished_games=policy)
    assert figures(client, division) == expected
    text = Page(get(client, division)).text
    counted = "Counted before its last game: Ash A v Birch A. "
    assert (counted + words in text) if words else ("Counted before" not in text)
    fixtures = Page(client.get(reverse("division_fixtures", args=[division.pk]))).text
    assert "unfinished" in fixtures


@pytest.mark.parametrize(
    ("policy", "points", "words"),
    [
        ("full", 4, None),
        ("none", 0, "Nobody scores a game point in a defaulted match."),
        ("excluded", 0, "A defaulted match gives match points only; no tie-break looks at it."),
    ],
)
def test_a_match_that_one_side_defaulted(client, division, pair, policy, points, words):
    boards(match(*pair), *[Award.HOME_DEFAULT] * 4)
    rules(division, defaulted_matches=policy)
    assert figures(client, division) == [("Ash A", 0, 2, points), ("Birch A", 0, 0, 0)]
    page = Page(get(client, division))
    assert "won by default v Birch A" in page.text
    pays = "keeps its opponents from scoring game points"
    if words is None:
        assert pays not in page.text
    else:
        assert words in page.text
        assert pays in page.text


def test_match_points_for_defaulting_and_what_the_table_says_of_them(client, division, pair):
    boards(match(*pair), *[Award.HOME_DEFAULT] * 4)
    scheme = {"match_points_win": 8, "match_points_draw": 4, "match_points_loss": 2}
    rules(division, **scheme)
    assert figures(client, division)[1] == ("Birch A", 0, 1, 0)
    rules(division, match_points_defaulted=0)
    assert figures(client, division)[1] == ("Birch A", 0, 0, 0)
    text = Page(get(client, division)).text
    assert "A match won is 4, drawn 2, lost 1. A match defaulted is 0." in text
    rules(division, match_points_defaulted=4)
    text = Page(get(client, division)).text
    assert "a team gets more for defaulting a match than for losing it" in text


def test_an_award_for_a_default_is_one(client, division, pair):
    facts = {"stated_home": 0, "stated_away": 8, "state": MatchState.AWARDED}
    match(*pair, decision="nobody came", defaulted_by="home", **facts)
    rules(division, defaulted_matches="none")
    assert figures(client, division) == [("Birch A", 0, 2, 0), ("Ash A", 0, 0, 0)]


def test_a_void_match_counts_for_nobody_and_is_not_awaited(client, division, pair):
    void = match(*pair, state=MatchState.VOID, decision="a fire alarm")
    boards(void, 2, 2, 2, 2)
    assert figures(client, division) == [("Ash A", 0, 0, 0), ("Birch A", 0, 0, 0)]
    assert "Result awaited" not in Page(get(client, division)).text


def test_a_penalty_for_boards_defaulted(client, division, pair):
    boards(match(*pair), 2, 2, Award.HOME_DEFAULT, Award.HOME_DEFAULT)
    facts = {"boards_defaulted_per_penalty": 2, "default_penalty_match_points": 2}
    rules(division, **facts)
    assert figures(client, division) == [("Ash A", 1, 2, 4), ("Birch A", 1, -1, 0)]
    row = get(client, division, "json").json()["rows"][1]
    assert (row["match_points_adjusted"], row["game_points_adjusted"]) == (-1, 0)
    text = Page(get(client, division)).text
    assert "Birch A: 1 match point deducted for 2 boards defaulted." in text


def test_extra_boards(client, division, pair):
    extra = match(*pair)
    boards(extra, 2, 1, 0, 1)
    BoardFactory(match=extra, number=5, result=2, counts_for_match=False)
    assert figures(client, division) == [("Ash A", 1, 1, 2), ("Birch A", 1, 1, 2)]
    rules(division, extra_boards_count=True)
    assert figures(client, division) == [("Ash A", 1, 1, 3), ("Birch A", 1, 1, 2)]
    assert "Ash A: 1 of the game points come from extra boards." in Page(get(client, division)).text


@pytest.mark.parametrize(
    ("order", "results", "words"),
    [
        ("board_count", (2, 0, 0, 2), None),
        ("board_count", (2, 0, 2, 0), "board count (the lower the better), 4 to 6"),
        ("bottom_board_elimination", (1, 1, 1, 1), None),
        ("bottom_board_elimination", (1, 1, 2, 0), "game points without the last board, 2 to 1"),
    ],
)
def test_tie_breaks_by_single_boards(client, division, pair, order, results, words):
    boards(match(*pair), *results)
    rules(division, table_order=["match_points", order])
    found = get(client, division, "json").json()
    places = [(row["position"], row["team"]) for row in found["rows"]]
    if words is None:
        assert (places, found["notes"]) == ([(1, "Ash A"), (1, "Birch A")], [])
    else:
        assert places == [(1, "Ash A"), (2, "Birch A")]
        assert found["notes"] == [f"Ash A are ahead of Birch A on {words}."]


def test_every_tie_break_can_order_a_stored_table(division, pair):
    boards(match(*pair), 2, 0, 1, 1)
    for order in TieBreak.values:
        rows = table_of(rules(division, table_order=["match_points", order])).rows
        assert len(rows) == 2
    everything = rules(division, table_order=TieBreak.values)
    first, second = (table_of(everything) for _ in range(2))
    assert [row.figures for row in first.rows] == [row.figures for row in second.rows]


@pytest.fixture
def season(division):
    """Ash beat Birch in October and Cedar in November; the other match was due on the 24th."""
    ash, birch, cedar = (
        TeamFactory(division=division, name=f"{name} A") for name in ("Ash", "Birch", "Cedar")
    )
    match(ash, birch, stated_home=5, stated_away=3, played_on=datetime.date(2026, 10, 6))
    match(cedar, ash, stated_home=2, stated_away=6, played_on=datetime.date(2026, 11, 3))
    match(birch, cedar, played_on=datetime.date(2026, 11, 24))
    AdjustmentFactory(
        team=ash, match_points=-1, reason="a late card", decided_on=datetime.date(2026, 11, 10)
    )
    return ash, birch, cedar


def test_what_is_awaited_is_marked_and_named(client, division, season):
    page = Page(get(client, division))
    assert "Result awaited: Birch A v Cedar A, 24 November." in page.text
    rows = get(client, division, "json").json()["rows"]
    assert [(row["team"], row["awaited"]) for row in rows] == [
        ("Ash A", 0),
        ("Birch A", 1),
        ("Cedar A", 1),
    ]


def test_who_has_won_already_stands_under_the_table(client, division, season):
    assert "Ash A are champions." in Page(get(client, division)).text
    assert get(client, division, "json").json()["race"] == ["Ash A are champions."]
    rules(division, promoted=2, relegated=1)
    assert get(client, division, "json").json()["race"] == ["Ash A are champions."]


def test_the_table_as_it_stood_on_a_day(client, division, season):
    page = Page(get(client, division, on="2026-10-31"))
    assert "As it stood on 31 October 2026 · 1 of 3 matches played" in page.text
    assert "deducted" not in page.text
    assert "Result awaited" not in page.text
    answer = get(client, division, "json", on="2026-10-31").json()
    assert answer["on"] == "2026-10-31"
    assert [(row["team"], row["played"], row["match_points"]) for row in answer["rows"]] == [
        ("Ash A", 1, 2),
        ("Birch A", 1, 0),
        ("Cedar A", 0, 0),
    ]
    links = [address for text, address in page.links if text in ("CSV", "JSON")]
    assert links == [
        f"/divisions/{division.pk}.csv?on=2026-10-31",
        f"/divisions/{division.pk}.json?on=2026-10-31",
    ]
    later = get(client, division, "json", on="2026-11-10").json()["rows"][0]
    assert (later["played"], later["match_points"], later["match_points_adjusted"]) == (
        2,
        3.5,
        -0.5,
    )


def test_matches_of_neither_day_nor_round_make_no_form(client, division, pair):
    match(*pair, stated_home=5, stated_away=3, played_on=None, round=0)
    page = Page(get(client, division))
    assert "Date not known" in page.text
    assert "won 2½–1½ v Birch A" not in page.text
    assert page.tables[0][1][-1] == ""


def test_a_match_without_a_date_is_left_out_of_the_table_of_a_day(client, division, pair):
    match(*pair, stated_home=5, stated_away=3, played_on=None)
    assert figures(client, division)[0] == ("Ash A", 1, 2, 2.5)
    page = Page(get(client, division, on="2026-11-25"))
    assert "1 match without a date is left out." in page.text
    assert get(client, division, "json", on="2026-11-25").json()["rows"][0]["played"] == 0


@pytest.mark.parametrize("typed", ["yesterday", "2026-13-01", "24/11/2026", "\x00", "9" * 300])
def test_a_day_that_is_none_is_said_and_the_table_shown(client, division, season, typed):
    answer = get(client, division, on=typed)
    assert answer.status_code == 400
    page = Page(answer)
    assert "Not a day: write it as 2026-11-24." in page.text
    assert len(page.tables[0]) >= 1
    twin = get(client, division, "csv", on=typed)
    assert (twin.status_code, twin.content.decode()) == (
        400,
        "on: Not a day: write it as 2026-11-24.",
    )


def test_a_day_to_come_awaits_nothing_more_than_today(client, division, season):
    ash, birch, _cedar = season
    match(birch, ash, played_on=datetime.date(2026, 12, 8))
    today, later = (
        [row["awaited"] for row in get(client, division, "json", on=day).json()["rows"]]
        for day in ("", "2030-01-01")
    )
    assert today == later == [0, 1, 1]


def test_a_blank_day_is_today(client, division, season):
    assert get(client, division, "json", on="").json()["on"] is None


def test_a_withdrawn_team_has_its_day_and_the_rule_under_the_table(client, division, season):
    birch = season[1]
    birch.state, birch.withdrawn_on = TeamState.WITHDRAWN, datetime.date(2026, 11, 20)
    birch.save()
    text = Page(get(client, division)).text
    assert "Birch A withdrew on 20 November: none of their matches counts." in text
    rules(division, withdrawn_teams="forfeit")
    page = Page(get(client, division))
    assert "what they played counts, the rest is lost by default." in page.text
    assert "Final table" in page.text
    assert figures(client, division) == [
        ("Ash A", 2, 3.5, 5.5),
        ("Cedar A", 1, 2, 5),
        ("Birch A", 1, 0, 1.5),
    ]
    cross = client.get(reverse("division_crosstable", args=[division.pk, "json"])).json()["rows"]
    [meeting] = cross[1]["against"]["Birch A"]
    assert (meeting["own"], meeting["other"]) == (4, 0)


def test_three_queries_with_every_rule_at_work(division, season, django_assert_num_queries):
    columns = {
        "table_order": ["match_points", "board_count", "score_and_schedule"],
        "withdrawn_teams": "forfeit",
        "unfinished_games": "drawn",
    }
    stored = rules(division, **columns)
    with django_assert_num_queries(3):
        table = tables_of([stored], datetime.date(2026, 11, 25))[stored.pk]
        assert (table.policies, table.race) == ([], ["Ash A are champions."])
