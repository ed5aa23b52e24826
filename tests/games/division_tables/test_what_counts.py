"""What counts in a table: defaults, points off, withdrawn teams, the last five."""

import datetime

import pytest

from games.division_tables.records import (
    AWAY,
    BOTH,
    DRAWN,
    HOME,
    LOST,
    WON,
    Adjustment,
    MatchPoints,
)
from games.division_tables.standings import TableTeam, table
from games.division_tables.table_policies import EXPUNGE, KEEP, TableRules
from games.division_tables.tie_breaks import Why
from tests.games.standings_scene import match, places, teams_named

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
