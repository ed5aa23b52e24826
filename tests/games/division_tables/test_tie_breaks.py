"""Each way to separate level teams: deciding, not deciding, and saying so."""

import pytest

from games.division_tables.records import MatchPoints, MatchResult, Record, meetings_by_team
from games.division_tables.tie_breaks import CRITERIA, Level, Why, levels


def records_of(teams, *matches):
    """Records of teams named by letters; a match is (home, away, boards or score)."""
    results = [result(number, *each) for number, each in enumerate(matches, start=1)]
    meetings = meetings_by_team(teams, results, MatchPoints())
    return {team: Record(team, tuple(meetings[team])) for team in teams}


def result(number, home, away, score):
    """`score` is "1=0" from board 1 down for the home side, or a pair of half-points."""
    if isinstance(score, tuple):
        return MatchResult(number, home, away, *score, complete=True)
    halves = [{"1": 2, "=": 1, "0": 0}[sign] for sign in score]
    boards = tuple((own, 2 - own) for own in halves)
    home_halves = sum(halves)
    away_halves = 2 * len(halves) - home_halves
    return MatchResult(number, home, away, home_halves, away_halves, complete=True, boards=boards)


def order_of(records, *order):
    return [level.teams for level in levels(records, sorted(records), order)]


def why_first(records, *order):
    return levels(records, sorted(records), order)[0].why


# --- Over the season ---------------------------------------------------------------------


def two_level_on_match_points():
    """A and B won once each: A 10 to 2 over C, B 9 to 1 (two boards without a point) over D."""
    return records_of("ABCD", ("A", "C", (10, 2)), ("D", "B", (1, 9)))


def test_game_points():
    records = two_level_on_match_points()
    assert order_of(records, "match_points", "game_points") == [("A",), ("B",), ("C",), ("D",)]
    why = why_first(records, "match_points", "game_points")
    assert why == Why("B", "game_points", "game_points", 10, 9, 2)


def test_game_point_difference_may_be_level_where_game_points_are_not():
    records = two_level_on_match_points()
    order = ("match_points", "game_point_difference")
    assert order_of(records, *order) == [("A", "B"), ("C", "D")]
    better = records_of("ABCD", ("A", "C", (9, 3)), ("D", "B", (1, 9)))
    assert order_of(better, *order) == [("B",), ("A",), ("C",), ("D",)]
    why = why_first(better, *order)
    assert why == Why("A", "game_point_difference", "game_point_difference", 8, 6, 2)


def test_wins():
    records = records_of(
        "ABCD",
        ("A", "C", (6, 6)),
        ("A", "D", (6, 6)),
        ("B", "C", (8, 4)),
        ("B", "D", (4, 8)),
    )
    order = ("match_points", "wins")
    assert order_of(records, *order) == [("D",), ("B",), ("A",), ("C",)]
    assert levels(records, "ABCD", order)[1].why == Why("A", "wins", "wins", 1, 0, 1)


def test_wins_level_decide_nothing():
    records = records_of("ABCD", ("A", "C", (10, 2)), ("B", "D", (7, 5)))
    assert order_of(records, "match_points", "wins") == [("A", "B"), ("C", "D")]


def test_sonneborn_berger_counts_whom_one_beat():
    records = records_of(
        "ABCDE",
        ("A", "C", (8, 4)),
        ("B", "D", (8, 4)),
        ("C", "E", (8, 4)),
        ("E", "D", (6, 6)),
    )
    order = ("match_points", "sonneborn_berger")
    assert order_of(records, *order) == [("A",), ("B", "C"), ("D", "E")]
    why = why_first(records, *order)
    assert why == Why("B", "sonneborn_berger", "sonneborn_berger", 16, 8, 4)


def test_sonneborn_berger_level_decides_nothing():
    records = records_of("ABCD", ("A", "C", (10, 2)), ("B", "D", (7, 5)))
    assert order_of(records, "match_points", "sonneborn_berger") == [("A", "B"), ("C", "D")]


def test_buchholz_counts_whom_one_met():
    records = records_of(
        "ABCD",
        ("A", "C", (4, 8)),
        ("B", "D", (4, 8)),
        ("C", "D", (8, 4)),
    )
    order = ("match_points", "buchholz")
    assert order_of(records, *order) == [("C",), ("D",), ("A",), ("B",)]
    why = levels(records, "ABCD", order)[2].why
    assert why == Why("B", "buchholz", "buchholz", 8, 4, 2)


def test_buchholz_level_decides_nothing():
    records = records_of("ABCD", ("A", "C", (10, 2)), ("B", "D", (7, 5)))
    assert order_of(records, "match_points", "buchholz") == [("A", "B"), ("C", "D")]


# --- Head to head ------------------------------------------------------------------------


def test_head_to_head_counts_only_the_matches_between_the_level_teams():
    """B scored far more over the season, A beat B."""
    records = records_of(
        "ABCD",
        ("A", "B", (7, 5)),
        ("B", "C", (12, 0)),
        ("C", "A", (7, 5)),
        ("A", "D", (7, 5)),
        ("B", "D", (12, 0)),
        ("C", "D", (0, 12)),
    )
    order = ("match_points", "head_to_head")
    assert order_of(records, *order) == [("A",), ("B",), ("D",), ("C",)]
    assert why_first(records, *order) == Why(
        "B", "head_to_head", "match_points", 4, 0, 2, ("A", "B")
    )


def test_head_to_head_counts_all_their_meetings_home_and_away():
    records = records_of(
        "ABCD",
        ("A", "B", (7, 5)),
        ("B", "A", (10, 2)),
        ("A", "C", (7, 5)),
        ("B", "C", (7, 5)),
    )
    order = ("match_points", "head_to_head")
    assert order_of(records, *order) == [("B",), ("A",), ("C", "D")]
    assert why_first(records, *order) == Why(
        "A", "head_to_head", "game_points", 15, 9, 2, ("A", "B")
    )


def test_head_to_head_level_or_without_a_meeting_decides_nothing():
    drawn = records_of("AB", ("A", "B", (7, 5)), ("B", "A", (7, 5)))
    assert order_of(drawn, "match_points", "head_to_head") == [("A", "B")]
    not_met = records_of("ABCD", ("A", "C", (10, 2)), ("B", "D", (7, 5)))
    assert order_of(not_met, "match_points", "head_to_head") == [("A", "B"), ("C", "D")]


def test_head_to_head_in_a_ring_of_equal_scores_decides_nothing():
    records = records_of("ABC", ("A", "B", (7, 5)), ("B", "C", (7, 5)), ("C", "A", (7, 5)))
    assert order_of(records, "match_points", "head_to_head") == [("A", "B", "C")]


def test_head_to_head_is_worked_out_again_when_fewer_are_level():
    """In the ring A and B have 6½ game points, C has 5; between the two left, A won."""
    records = records_of("ABC", ("A", "B", (8, 4)), ("B", "C", (9, 3)), ("C", "A", (7, 5)))
    found = levels(records, "CBA", ("match_points", "head_to_head", "wins"))
    assert [level.teams for level in found] == [("A",), ("B",), ("C",)]
    assert found[0].why == Why("B", "head_to_head", "match_points", 4, 0, 2, ("B", "A"))
    assert found[1].why == Why("C", "head_to_head", "game_points", 13, 10, 2, ("C", "B", "A"))


# --- Boards ------------------------------------------------------------------------------


def test_board_count_lowest_total_of_boards_won():
    records = records_of("AB", ("A", "B", "1=0=01"))
    order = ("match_points", "board_count")
    assert order_of(records, *order) == [("A",), ("B",)]
    assert why_first(records, *order) == Why("B", "board_count", "board_count", 7, 8, 1, ("A", "B"))


def test_board_count_turns_the_boards_for_the_away_side():
    assert order_of(records_of("AB", ("B", "A", "0=1=10")), "board_count") == [("A",), ("B",)]
    assert order_of(records_of("AB", ("B", "A", "1=0=01")), "board_count") == [("B",), ("A",)]


def test_board_count_level_decides_nothing():
    assert order_of(records_of("AB", ("A", "B", "10=01=")), "board_count") == [("A", "B")]


def test_board_count_says_nothing_between_teams_that_won_unequally_many_boards():
    assert order_of(records_of("AB", ("A", "B", "1110")), "board_count") == [("A", "B")]


@pytest.mark.parametrize("name", ["board_count", "bottom_board_elimination"])
def test_without_the_boards_board_rules_decide_nothing(name):
    assert order_of(records_of("AB", ("A", "B", (6, 6))), name) == [("A", "B")]


@pytest.mark.parametrize("name", ["board_count", "bottom_board_elimination"])
def test_teams_that_have_not_met_are_not_separated_by_boards(name):
    assert order_of(records_of("AB"), name) == [("A", "B")]


@pytest.mark.parametrize(
    ("boards", "first", "own", "other", "left_out"),
    [
        # Without board 6 it stays 2½-2½, without board 5 it is 1½-2½.
        ("10=01=", "B", 5, 3, 2),
        # Boards 4 and 5 against 3 and 6: without board 6 the first side leads 3-2.
        ("==0110", "A", 6, 4, 1),
        ("1=0=01", "B", 6, 4, 1),
    ],
)
def test_bottom_board_elimination(boards, first, own, other, left_out):
    records = records_of("AB", ("A", "B", boards))
    order = ("match_points", "bottom_board_elimination")
    second = "B" if first == "A" else "A"
    assert order_of(records, *order) == [(first,), (second,)]
    assert why_first(records, *order) == Why(
        second,
        "bottom_board_elimination",
        "game_points",
        own,
        other,
        2,
        ("A", "B"),
        left_out,
    )


def test_board_count_then_bottom_board_elimination():
    records = records_of("AB", ("A", "B", "10=01="))
    order = ("match_points", "board_count", "bottom_board_elimination")
    assert order_of(records, *order) == [("B",), ("A",)]


def test_bottom_board_elimination_over_both_legs():
    records = records_of("AB", ("A", "B", "1100"), ("B", "A", "0110"))
    assert order_of(records, "bottom_board_elimination") == [("A",), ("B",)]


@pytest.mark.parametrize("boards", ["====", "="])
def test_all_drawn_decides_nothing(boards):
    records = records_of("AB", ("A", "B", boards))
    order = ("match_points", "board_count", "bottom_board_elimination")
    assert order_of(records, *order) == [("A", "B")]


# --- All of them -------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(CRITERIA))
def test_alone_and_without_matches_each_leaves_the_group_as_it_is(name):
    records = records_of("ABC")
    assert levels(records, "CAB", [name]) == [Level(("C", "A", "B"))]
    assert levels(records, "C", [name]) == [Level(("C",))]


def test_without_any_criterion_all_are_level():
    records = records_of("AB", ("A", "B", (12, 0)))
    assert levels(records, "AB", []) == [Level(("A", "B"))]


def test_nobody_to_order():
    assert levels({}, [], ["match_points"]) == []
