"""Starting grades: the rules' cases, and rationals as the oracle for groups up to fifty."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.ecf import game_points, rounded
from ratings.starting_grades import Unknown, starting_grades


def test_a_newcomer_who_only_lost_starts_fifty_below():
    newcomer = Unknown()
    for _ in range(10):
        newcomer.add(0, 150)
    assert starting_grades({"N": newcomer}).grades == {"N": 100}
    assert game_points(100, 150, 0) == 90


def test_two_newcomers_who_met_each_other():
    one, other = Unknown(), Unknown()
    for halves in (2, 2, 2, 0, 0, 0):
        one.add(halves, 120)
    for halves in (2, 2, 0, 0):
        one.add(halves, None, "M")
        other.add(2 - halves, None, "N")
    for halves in (2, 0):
        other.add(halves, 100)
    solved = starting_grades({"N": one, "M": other})
    assert solved.grades == {"N": 116, "M": 111}
    assert solved.unanchored == []


def test_a_group_that_met_no_graded_player_is_named_and_left_out():
    alone, pair = Unknown(), Unknown()
    alone.add(2, None, "B")
    pair.add(0, None, "A")
    tied = Unknown()
    tied.add(1, 130)
    solved = starting_grades({"A": alone, "B": pair, "C": tied})
    assert solved.grades == {"C": 130}
    assert solved.unanchored == [["A", "B"]]


def test_a_tie_rounds_up():
    tie = Unknown()
    tie.add(1, 100)
    tie.add(1, 101)
    negative = Unknown()
    negative.add(1, -100)
    negative.add(1, -101)
    assert starting_grades({"T": tie, "U": negative}).grades == {"T": 101, "U": -100}


def eliminated(group, unknowns):
    """The exact solution by plain elimination in rationals."""
    place = {player: n for n, player in enumerate(group)}
    rows = []
    for player in group:
        row = [Fraction(0)] * (len(group) + 1)
        row[place[player]] = Fraction(unknowns[player].games)
        for other, count in unknowns[player].met.items():
            row[place[other]] -= count
        row[-1] = Fraction(unknowns[player].known)
        rows.append(row)
    for n in range(len(rows)):
        rows[n] = [value / rows[n][n] for value in rows[n]]
        for other in range(len(rows)):
            if other != n and rows[other][n]:
                factor = rows[other][n]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[n], strict=True)]
    return {player: rows[place[player]][-1] for player in group}


def random_newcomers(choose, size, games, anchored):
    unknowns = {player: Unknown() for player in range(size)}
    for unknown in unknowns.values():
        if choose.random() < anchored:
            for _ in range(choose.randrange(1, 5)):
                unknown.add(choose.randrange(3), choose.randrange(-20, 220))
    for _ in range(games):
        one, other = choose.sample(range(size), 2)
        halves = choose.randrange(3)
        unknowns[one].add(halves, None, other)
        unknowns[other].add(2 - halves, None, one)
    return {player: unknown for player, unknown in unknowns.items() if unknown.games}


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 50), st.floats(0.05, 0.9))
def test_the_scheme_equals_rationals_on_random_groups(seed, size, anchored):
    choose = random.Random(seed)
    unknowns = random_newcomers(choose, size, choose.randrange(1, 3 * size), anchored)
    solved = starting_grades(unknowns)
    lost = {player for group in solved.unanchored for player in group}
    left = [player for player in unknowns if player not in lost]
    assert solved.grades == {
        player: rounded(value.numerator, value.denominator)
        for player, value in eliminated(left, unknowns).items()
    }
    assert all(not unknowns[player].anchors for player in lost)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_neither_order_nor_names_of_players_change_a_number(seed):
    choose = random.Random(seed)
    unknowns = random_newcomers(choose, 30, 60, 0.3)
    names = {player: f"player {choose.random()}" for player in unknowns}
    renamed = {}
    for player in choose.sample(sorted(unknowns), len(unknowns)):
        old = unknowns[player]
        met = {names[other]: count for other, count in old.met.items()}
        renamed[names[player]] = Unknown(old.known, old.anchors, met)
    solved = starting_grades(renamed).grades
    expected = starting_grades(unknowns).grades
    assert solved == {names[player]: grade for player, grade in expected.items()}


@pytest.mark.parametrize("length", [2, 300])
def test_a_long_thread_of_players_hanging_on_one_game(length):
    unknowns = {player: Unknown() for player in range(length)}
    unknowns[0].add(1, 100)
    for player in range(length - 1):
        unknowns[player].add(1, None, player + 1)
        unknowns[player + 1].add(1, None, player)
    assert set(starting_grades(unknowns).grades.values()) == {100}


def test_an_opponent_who_was_graded_for_one_side_only():
    unknowns = {"A": Unknown(), "B": Unknown()}
    unknowns["A"].add(2, 120)
    unknowns["B"].add(0, None, "A")
    unknowns["B"].add(1, 90)
    grades = starting_grades(unknowns).grades
    assert grades == {"A": 170, "B": rounded(120 + 90, 2)}
