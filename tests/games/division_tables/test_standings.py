"""Tables: published seasons to the last row, shared places, and what always holds."""

import csv
import datetime
import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.division_tables.records import Adjustment, MatchPoints
from games.division_tables.standings import TableTeam, table
from games.division_tables.table_policies import TableRules
from games.division_tables.tie_breaks import CRITERIA, Why
from tests.games.standings_scene import match, places, teams_named

DATA = Path(__file__).parents[1] / "data"


def rows(name, **chosen):
    with open(DATA / name, encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    return [row for row in found if all(row[key] == value for key, value in chosen.items())]


# --- Published seasons -------------------------------------------------------------------


def test_a_real_season_of_twelve_teams():
    matches = [
        match(
            number,
            row["home"],
            row["away"],
            int(2 * float(row["home_score"])),
            int(2 * float(row["away_score"])),
            round=int(row["round"]),
            played_on=datetime.date.fromisoformat(row["played_on"]),
        )
        for number, row in enumerate(rows("armstrong_matches.csv"))
    ]
    expected = rows("armstrong_table.csv")
    found = table(teams_named(row["team"] for row in expected), matches, TableRules())
    assert [
        (row.position, row.team, row.match_points / 2, row.game_points / 2, row.played)
        for row in found
    ] == [
        (
            int(row["position"]),
            row["team"],
            float(row["match_points"]),
            float(row["game_points"]),
            11,
        )
        for row in expected
    ]
    assert not any(row.shared for row in found)
    assert sum(row.game_points for row in found) == 2 * 528
    assert [(row.why.over, row.why.own, row.why.other) for row in found if row.why] == [
        ("Rathmines B", 79, 66),
        ("Malahide", 66, 64),
    ]


def test_462_football_results():
    """Three points a win; then goal difference, then goals. A goal is a point of two halves."""
    matches = [
        match(
            number,
            row["home"],
            row["away"],
            2 * int(row["home_goals"]),
            2 * int(row["away_goals"]),
            played_on=datetime.date.fromisoformat(row["played_on"]),
        )
        for number, row in enumerate(rows("football_matches.csv"))
    ]
    expected = rows("football_table.csv")
    rules = TableRules(
        points=MatchPoints(win=6, draw=2, loss=0),
        order=("match_points", "game_point_difference", "game_points"),
    )
    found = table(teams_named(row["team"] for row in expected), matches, rules)
    assert [
        (
            *(row.position, row.team, row.played, row.won, row.drawn, row.lost),
            *(row.game_points // 2, row.game_points_against // 2, row.match_points // 2),
        )
        for row in found
    ] == [
        (
            *(int(row["position"]), row["team"]),
            *(int(row[name]) for name in ("played", "won", "drawn", "lost")),
            *(int(row[name]) for name in ("goals", "goals_against", "points")),
        )
        for row in expected
    ]
    reasons = {row.team: row.why for row in found if row.why is not None}
    assert reasons["Leicester City"] == Why(
        "Sheffield United", "game_point_difference", "game_point_difference", 6, -6, 2
    )


@pytest.mark.parametrize("season", ["1932-33", "1996-97"])
def test_printed_tables_with_half_match_points_and_penalties(season):
    expected = rows("london_tables.csv", season=season)
    matches = [
        match(
            number,
            row["home"],
            row["away"],
            int(2 * float(row["home_score"])),
            int(2 * float(row["away_score"])),
        )
        for number, row in enumerate(rows("london_matches.csv", season=season))
    ]
    teams = []
    for row in expected:
        penalty = int(2 * float(row["penalty"]))
        adjustments = (Adjustment(-penalty, 0, "Penalty"),) if penalty else ()
        teams.append(TableTeam(row["team"], row["team"].casefold(), adjustments))
    rules = TableRules(points=MatchPoints(win=2, draw=1, loss=0))
    assert [
        (
            *(row.position, row.team, row.played, row.won, row.drawn, row.lost),
            *(row.game_points / 2, row.match_points / 2),
        )
        for row in table(teams, matches, rules)
    ] == [
        (
            *(int(row["position"]), row["team"]),
            *(int(row[name]) for name in ("played", "won", "drawn", "lost")),
            *(float(row["game_points"]), float(row["points"])),
        )
        for row in expected
    ]


# --- Positions ---------------------------------------------------------------------------


def test_before_the_first_match_all_share_the_first_place_in_alphabetical_order():
    teams = teams_named(["Wellow", "ashdown", "Hastings B", "Hastings A"])
    fixtures = [match(1, "Wellow", "ashdown")]
    assert places(table(teams, fixtures, TableRules())) == [
        (1, True, "ashdown"),
        (1, True, "Hastings A"),
        (1, True, "Hastings B"),
        (1, True, "Wellow"),
    ]


def test_a_table_without_teams_is_empty():
    assert table([], [], TableRules()) == []


def test_after_a_shared_place_the_numbers_go_on_in_the_whole_order():
    teams = teams_named("ABCDE")
    matches = [match(1, "E", "A", 8, 4), match(2, "C", "B", 6, 6)]
    found = table(teams, matches, TableRules())
    assert places(found) == [
        (1, False, "E"),
        (2, True, "B"),
        (2, True, "C"),
        (4, False, "A"),
        (5, False, "D"),
    ]
    assert [row.why for row in found] == [
        None,
        None,
        None,
        Why("D", "game_points", "game_points", 4, 0, 2),
        None,
    ]


def test_of_teams_that_share_a_place_the_last_says_why_above_the_next():
    teams = teams_named("ABC")
    matches = [match(1, "A", "B", 6, 6), match(2, "C", "A", 6, 6), match(3, "C", "B", 6, 6)]
    adjusted = [*teams[:2], replace(teams[2], adjustments=(Adjustment(0, -2, "Late card"),))]
    found = table(adjusted, matches, TableRules())
    assert places(found) == [(1, True, "A"), (1, True, "B"), (3, False, "C")]
    assert found[0].why is None
    assert found[1].why == Why("C", "game_points", "game_points", 12, 10, 2)


def test_on_game_points_22_and_a_half_to_21():
    teams = teams_named(["St Wulfric's A", "Wellow Bridge A", "Ashdown", "Bodle"])
    matches = [
        match(1, "Wellow Bridge A", "Ashdown", 45, 15),
        match(2, "St Wulfric's A", "Bodle", 42, 18),
    ]
    found = table(teams, matches, TableRules())
    assert found[0].why == Why("St Wulfric's A", "game_points", "game_points", 45, 42, 2)


def test_match_points_need_no_words():
    found = table(teams_named("AB"), [match(1, "A", "B", 8, 4)], TableRules())
    assert [row.why for row in found] == [None, None]


# --- Properties --------------------------------------------------------------------------


boards_of_a_match = st.lists(st.sampled_from([(2, 0), (1, 1), (0, 2)]), min_size=1, max_size=4)


@st.composite
def seasons(draw):
    """A double round of up to five teams with boards, and an order of criteria."""
    names = "ABCDE"[: draw(st.integers(2, 5))]
    matches = []
    for number, (home, away) in enumerate(itertools.permutations(names, 2)):
        boards = tuple(draw(boards_of_a_match))
        scores = [sum(side) for side in zip(*boards, strict=True)]
        complete = draw(st.booleans())
        matches.append(match(number, home, away, *scores, complete=complete, boards=boards))
    order = draw(st.permutations(list(CRITERIA)))
    return teams_named(names), matches, TableRules(order=tuple(order))


@given(seasons(), st.randoms(use_true_random=False))
def test_twice_the_same_whatever_the_order_of_entry(season, random):
    teams, matches, rules = season
    first = table(teams, matches, rules)
    random.shuffle(teams)
    random.shuffle(matches)
    assert table(teams, matches, rules) == first


@given(seasons())
def test_every_table_adds_up(season):
    teams, matches, rules = season
    found = table(teams, matches, rules)
    complete = [each for each in matches if each.complete]
    assert sorted(row.team for row in found) == [team.id for team in teams]
    assert sum(row.played for row in found) == 2 * len(complete)
    assert sum(row.won for row in found) == sum(row.lost for row in found)
    assert sum(row.match_points for row in found) == 4 * len(complete)
    assert sum(row.game_points for row in found) == sum(row.game_points_against for row in found)
    assert all(row.played == row.won + row.drawn + row.lost for row in found)


@given(seasons())
def test_positions_and_reasons_fit_together(season):
    found = table(*season)
    for place, row in enumerate(found, start=1):
        assert row.position <= place
        same = [other.team for other in found if other.position == row.position]
        assert row.shared == (len(same) > 1)
        assert row.position == 1 + sum(other.position < row.position for other in found)
        if row.why is not None:
            assert row.why.over == found[place].team
            assert row.why.own != row.why.other
            assert row.position != found[place].position
