"""Tables: published seasons to the last row, and the faults others' tables had."""

import csv
import datetime
import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.division_tables.records import (
    AWAY,
    BOTH,
    DRAWN,
    HOME,
    LOST,
    WON,
    Adjustment,
    MatchPoints,
    MatchResult,
)
from games.division_tables.standings import TableTeam, table
from games.division_tables.table_policies import EXPUNGE, KEEP, TableRules
from games.division_tables.tie_breaks import CRITERIA, Why

DATA = Path(__file__).parents[1] / "data"


def rows(name, **chosen):
    with open(DATA / name, encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    return [row for row in found if all(row[key] == value for key, value in chosen.items())]


def teams_named(names):
    return [TableTeam(name, name.casefold()) for name in names]


def match(number, home, away, home_halves=None, away_halves=None, **more):
    more.setdefault("complete", home_halves is not None)
    return MatchResult(number, home, away, home_halves, away_halves, **more)


def places(found):
    return [(row.position, row.shared, row.team) for row in found]


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


# --- What counts -------------------------------------------------------------------------


def test_an_incomplete_match_counts_nothing():
    teams = teams_named("AB")
    matches = [match(1, "A", "B", 4, 0, complete=False)]
    found = table(teams, matches, TableRules())
    assert places(found) == [(1, True, "A"), (1, True, "B")]
    assert {(row.played, row.game_points, row.last_five) for row in found} == {(0, 0, ())}


def test_nought_all_is_a_draw():
    found = table(teams_named("AB"), [match(1, "A", "B", 0, 0)], TableRules())
    assert [(row.drawn, row.match_points) for row in found] == [(1, 2), (1, 2)]


def test_fewer_points_than_boards_are_counted_as_stated():
    found = table(teams_named("AB"), [match(1, "A", "B", 5, 4)], TableRules())
    assert [(row.match_points, row.game_points) for row in found] == [(4, 5), (0, 4)]


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (MatchPoints(4, 2, 0), [4, 2, 2, 0]),
        (MatchPoints(2, 1, 0), [2, 1, 1, 0]),
        (MatchPoints(6, 2, 0), [6, 2, 2, 0]),
        (MatchPoints(8, 4, 2, defaulted=0), [8, 4, 4, 2]),
    ],
)
def test_match_points_of_win_draw_and_loss(points, expected):
    teams = teams_named("ABCD")
    matches = [match(1, "A", "D", 8, 4), match(2, "B", "C", 6, 6)]
    found = table(teams, matches, TableRules(points=points))
    assert [row.match_points for row in found] == expected


def test_a_defaulted_match_is_awarded_and_not_played():
    teams = teams_named("AB")
    matches = [match(1, "A", "B", 12, 0, defaulted_by=AWAY)]
    points = MatchPoints(8, 4, 2, defaulted=0)
    found = table(teams, matches, TableRules(points=points))
    assert [
        (row.team, row.played, row.awarded, row.won, row.lost, row.match_points) for row in found
    ] == [("A", 0, 1, 1, 0, 8), ("B", 0, 1, 0, 1, 0)]


def test_played_and_awarded_matches_are_told_apart():
    matches = [
        match(1, "A", "B", 12, 0, defaulted_by=AWAY),
        match(2, "B", "A", 7, 5),
        match(3, "A", "B", 6, 6),
    ]
    found = table(teams_named("AB"), matches, TableRules())
    assert [(row.played, row.awarded, row.won, row.drawn, row.lost) for row in found] == [
        (2, 1, 1, 1, 1),
        (2, 1, 1, 1, 1),
    ]


def test_a_default_without_game_points_is_still_a_win():
    teams = teams_named("AB")
    matches = [match(1, "A", "B", 0, 0, defaulted_by=HOME)]
    found = table(teams, matches, TableRules())
    assert [(row.team, row.match_points, row.game_points) for row in found] == [
        ("B", 4, 0),
        ("A", 0, 0),
    ]


def test_a_match_both_defaulted_is_lost_by_both():
    teams = teams_named("AB")
    matches = [match(1, "A", "B", 0, 0, defaulted_by=BOTH)]
    found = table(teams, matches, TableRules(points=MatchPoints(8, 4, 2)))
    assert [(row.lost, row.match_points, row.awarded) for row in found] == [(1, 2, 1), (1, 2, 1)]


def test_a_default_win_gives_head_to_head_credit():
    teams = teams_named("ABCD")
    matches = [
        match(1, "B", "A", 12, 0, defaulted_by=AWAY),
        match(2, "A", "C", 12, 0),
        match(3, "D", "B", 12, 0),
    ]
    rules = TableRules(order=("match_points", "head_to_head"))
    found = table(teams, matches, rules)
    assert places(found) == [
        (1, False, "D"),
        (2, False, "B"),
        (3, False, "A"),
        (4, False, "C"),
    ]
    assert found[1].why == Why("A", "head_to_head", "match_points", 4, 0, 2, ("A", "B", "D"))


def test_points_off_and_on_with_their_reasons():
    off = Adjustment(-2, -1, "Ineligible player on 3 November")
    on = Adjustment(0, 3, "Game awarded on appeal")
    teams = [TableTeam("A", "a", (off, on)), TableTeam("B", "b")]
    found = table(teams, [match(1, "A", "B", 8, 4)], TableRules())
    assert [(row.team, row.match_points, row.game_points) for row in found] == [
        ("A", 2, 10),
        ("B", 0, 4),
    ]
    assert found[0].adjustments == (off, on)


def test_an_adjustment_of_one_kind_leaves_the_other_alone():
    teams = [
        TableTeam("A", "a", (Adjustment(match_points=2),)),
        TableTeam("B", "b", (Adjustment(game_points=3),)),
    ]
    found = table(teams, [], TableRules())
    assert [(row.match_points, row.game_points) for row in found] == [(2, 0), (0, 3)]


def test_points_may_go_below_nought():
    teams = [TableTeam("A", "a", (Adjustment(-4, 0, "Two defaults"),)), TableTeam("B", "b")]
    found = table(teams, [], TableRules())
    assert [(row.team, row.position, row.match_points) for row in found] == [
        ("B", 1, 0),
        ("A", 2, -4),
    ]


# --- Last five ---------------------------------------------------------------------------


def test_last_five_in_order_of_play_with_the_newest_last():
    day = datetime.date
    matches = [
        match(1, "A", "B", 8, 4, played_on=day(2025, 12, 1)),
        match(2, "B", "A", 8, 4, played_on=day(2025, 10, 1)),
        match(3, "A", "C", 6, 6, played_on=day(2025, 11, 1)),
        match(4, "C", "A", 3, 9, played_on=day(2025, 9, 1)),
        match(5, "A", "D", 12, 0),
        match(6, "D", "A", 7, 5, played_on=day(2026, 1, 1), round=2),
        match(7, "D", "A", 4, 8, played_on=day(2026, 1, 1), round=1),
        match(8, "A", "B"),
    ]
    found = {row.team: row for row in table(teams_named("ABCD"), matches, TableRules())}
    assert [
        (each.match, each.opponent, each.at_home, each.own, each.other, each.outcome)
        for each in found["A"].last_five
    ] == [
        (3, "C", True, 6, 6, DRAWN),
        (1, "B", True, 8, 4, WON),
        (7, "D", False, 8, 4, WON),
        (6, "D", False, 5, 7, LOST),
        (5, "D", True, 12, 0, WON),
    ]
    assert found["A"].played == 7


# --- Withdrawn teams ---------------------------------------------------------------------


def withdrawn_season():
    teams = [TableTeam("A", "a", withdrawn=True), TableTeam("B", "b"), TableTeam("C", "c")]
    matches = [
        match(1, "A", "B", 12, 0),
        match(2, "C", "A", 8, 4),
        match(3, "B", "C", 7, 5),
    ]
    return teams, matches


def test_results_of_a_withdrawn_team_are_kept_for_all_its_opponents():
    found = table(*withdrawn_season(), TableRules(withdrawn=KEEP))
    assert [(row.team, row.played, row.match_points) for row in found] == [
        ("A", 2, 4),
        ("C", 2, 4),
        ("B", 2, 4),
    ]


def test_results_of_a_withdrawn_team_are_expunged_for_all_its_opponents():
    found = table(*withdrawn_season(), TableRules(withdrawn=EXPUNGE))
    assert [(row.position, row.team, row.played, row.match_points) for row in found] == [
        (1, "B", 1, 4),
        (2, "C", 1, 0),
        (3, "A", 0, 0),
    ]
    assert [(row.withdrawn, row.why) for row in found] == [
        (False, None),
        (False, None),
        (True, None),
    ]


def test_an_unknown_policy_is_refused():
    with pytest.raises(ValueError, match="'forget' is not a policy"):
        table(*withdrawn_season(), TableRules(withdrawn="forget"))


# --- What is refused ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (match(7, "A", "A", 8, 4), "match 7 is of team A with itself"),
        (match(7, "A", "Z", 8, 4), "match 7 is of team Z, which is not in the table"),
        (match(7, "A", "B", complete=True), "match 7 is complete without a score"),
    ],
)
def test_a_broken_match_is_refused(bad, message):
    with pytest.raises(ValueError, match=message):
        table(teams_named("AB"), [bad], TableRules())


def test_a_team_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        table(teams_named("ABA"), [], TableRules())


def test_an_unknown_criterion_is_refused():
    with pytest.raises(ValueError, match="'luck' is not a way to order a table: match_points"):
        table(teams_named("AB"), [], TableRules(order=("match_points", "luck")))


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
