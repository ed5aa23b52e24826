"""Cross tables keep every meeting of a pairing."""

import datetime

import pytest

from games.division_tables.crosstable import crosstable
from games.division_tables.records import MatchPoints, MatchResult


def cells(found):
    """Each cell as a list of (match, at home, own, other)."""
    return {
        row.team: [
            cell and [(each.match, each.at_home, each.own, each.other) for each in cell]
            for cell in row.cells
        ]
        for row in found
    }


def test_a_double_round_keeps_both_scores():
    matches = [
        MatchResult(2, "B", "A", 5, 7, complete=True, played_on=datetime.date(2026, 2, 1)),
        MatchResult(1, "A", "B", 8, 4, complete=True, played_on=datetime.date(2025, 10, 1)),
        MatchResult(3, "A", "C"),
    ]
    assert cells(crosstable(["A", "B", "C"], matches, MatchPoints())) == {
        "A": [None, [(1, True, 8, 4), (2, False, 7, 5)], [(3, True, None, None)]],
        "B": [[(1, False, 4, 8), (2, True, 5, 7)], None, ()],
        "C": [[(3, False, None, None)], (), None],
    }


def test_the_same_pairing_twice_at_one_ground_keeps_both():
    matches = [
        MatchResult(1, "A", "B", 8, 4, complete=True, round=1),
        MatchResult(2, "A", "B", 3, 9, complete=True, round=1),
    ]
    found = cells(crosstable(["A", "B"], matches, MatchPoints()))
    assert found["B"][0] == [(1, False, 4, 8), (2, False, 9, 3)]


def test_rows_and_columns_keep_the_order_given():
    matches = [MatchResult(1, "A", "B", 8, 4, complete=True)]
    found = crosstable(["C", "B", "A"], matches, MatchPoints())
    assert [row.team for row in found] == ["C", "B", "A"]
    assert [len(row.cells[2] or ()) for row in found] == [0, 1, 0]
    assert [row.cells[place] for place, row in enumerate(found)] == [None, None, None]


def test_a_score_of_nought_is_a_score():
    matches = [MatchResult(1, "A", "B", 12, 0, complete=True)]
    [meeting] = crosstable(["A", "B"], matches, MatchPoints())[1].cells[0]
    assert (meeting.own, meeting.other, meeting.outcome) == (0, 12, "lost")


def test_an_unfinished_match_shows_its_score_without_an_outcome():
    matches = [MatchResult(1, "A", "B", 4, 2)]
    [meeting] = crosstable(["A", "B"], matches, MatchPoints())[0].cells[1]
    assert (meeting.own, meeting.other, meeting.outcome, meeting.match_points) == (4, 2, None, 0)


def test_a_stranger_is_refused():
    with pytest.raises(ValueError, match="team Z, which is not in the table"):
        crosstable(["A"], [MatchResult(1, "A", "Z")], MatchPoints())


def test_no_teams_no_rows():
    assert crosstable([], [], MatchPoints()) == []
