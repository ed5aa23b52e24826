"""A side of a card against the rules, each rule breaking and not breaking (pure)."""

import pytest

from games.match_cards.team_rules import Finding, Seated, TeamRules, findings


def side(*grades, **facts):
    return [
        Seated(board, order=grade, figure=grade, **facts) for board, grade in enumerate(grades, 1)
    ]


def rules_of(seats, **rules):
    return [(finding.rule, finding.board) for finding in findings(seats, TeamRules(**rules))]


def test_without_rules_everything_passes():
    seats = [Seated(1, 100, 100, registered=False, member=False, higher_games=9, games=9)]
    assert findings(seats, TeamRules()) == []


def test_the_board_order_names_the_worst_pair():
    seats = side(150, 158, 165)
    assert findings(seats, TeamRules(tolerance=10)) == [
        Finding(
            "board_order",
            3,
            {"board": 3, "grade": 165, "above": 1, "above_grade": 150, "excess": 15, "limit": 10},
        )
    ]
    assert findings(seats, TeamRules(tolerance=15)) == []


def test_whom_the_card_excepts_is_left_out_of_the_order_alone():
    seats = [*side(150, 140), Seated(3, 190, 190, excepted=True)]
    assert rules_of(seats, tolerance=0, player_limit=180) == [("player_limit", 3)]


@pytest.mark.parametrize(
    ("limit", "ungraded", "found"),
    [
        (449, None, []),
        (448, None, [("team_total", 0)]),
        (549, 100, []),
        (548, 100, [("team_total", 0)]),
        (449, 0, []),
    ],
)
def test_the_teams_total(limit, ungraded, found):
    seats = side(150, 150, 149, None)
    assert rules_of(seats, total_limit=limit, ungraded_counts_as=ungraded) == found


@pytest.mark.parametrize(
    ("limit", "ungraded", "found"),
    [
        (150, None, []),
        (149, None, [("team_average", 0)]),
        (100, 0, []),
        (99, 0, [("team_average", 0)]),
    ],
)
def test_the_teams_average_is_exact(limit, ungraded, found):
    seats = side(150, 150, None)
    assert rules_of(seats, average_limit=limit, ungraded_counts_as=ungraded) == found


def test_an_average_over_by_a_third_of_a_point_is_over():
    assert rules_of(side(150, 150, 151), average_limit=150) == [("team_average", 0)]


def test_a_player_over_his_limit():
    assert rules_of(side(160, 140, None), player_limit=159) == [("player_limit", 1)]
    assert rules_of(side(160), player_limit=160) == []
    assert rules_of(side(1), player_limit=0) == [("player_limit", 1)]


def test_who_may_play():
    seat = Seated(2, registered=False, nominated_higher=True, higher_games=4, member=False, games=3)
    assert rules_of([seat], registration_required=True) == [("not_registered", 2)]
    assert rules_of([seat], nominated_stay_up=True) == [("nominated", 2)]
    assert rules_of([seat], tied_after=4) == [("tied", 2)]
    assert rules_of([seat], tied_after=5) == []
    assert rules_of([seat], members_only_after=3) == [("not_a_member", 2)]
    assert rules_of([seat], members_only_after=4) == []
    assert rules_of([Seated(2, member=False)], members_only_after=0) == [("not_a_member", 2)]


def test_the_team_stands_first_then_the_boards():
    seats = side(150, 165, registered=False)
    assert rules_of(seats, total_limit=1, tolerance=0, registration_required=True) == [
        ("team_total", 0),
        ("not_registered", 1),
        ("board_order", 2),
        ("not_registered", 2),
    ]
