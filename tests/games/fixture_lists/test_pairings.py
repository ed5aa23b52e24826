"""Berger tables: everybody meets everybody, at home and away by turns."""

from collections import Counter
from itertools import permutations, product

import pytest

from games.fixture_lists.pairings import berger, fixture_rounds, longest_run, rounds_in_leg

SIZES = range(2, 25)
EVEN, ODD = range(2, 25, 2), range(3, 25, 2)


def sides(rounds, team: int) -> str:
    """H or A for each match of a team, in order."""
    return "".join("H" if home == team else "A" for pairs in rounds for home, away in pairs
                   if team in (home, away))  # fmt: skip


def breaks(rounds, teams: int) -> int:
    """How often somebody has two matches running at home, or away."""
    lines = [sides(rounds, team) for team in range(1, teams + 1)]
    return sum(a == b for line in lines for a, b in zip(line, line[1:], strict=False))


def test_the_tables_of_the_handbook():
    assert berger(4) == [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]
    assert berger(6) == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]
    assert berger(3) == [[(2, 3)], [(1, 2)], [(3, 1)]]


@pytest.mark.parametrize("teams", SIZES)
@pytest.mark.parametrize("legs", [1, 2, 3, 4])
def test_everybody_meets_everybody_once_a_leg(teams, legs):
    rounds = fixture_rounds(teams, legs)
    length = rounds_in_leg(teams)
    assert len(rounds) == legs * length
    for leg in range(legs):
        own = rounds[leg * length : (leg + 1) * length]
        met = Counter(frozenset(pair) for pairs in own for pair in pairs)
        every = {frozenset((a, b)) for a in range(1, teams + 1) for b in range(1, a)}
        assert met == dict.fromkeys(every, 1)
        for pairs in own:
            playing = [team for pair in pairs for team in pair]
            assert len(playing) == len(set(playing)) == teams - teams % 2
        for team in range(1, teams + 1):
            line = sides(own, team)
            assert abs(line.count("H") - line.count("A")) <= 1


@pytest.mark.parametrize("teams", SIZES)
def test_a_return_leg_is_the_mirror_of_the_first(teams):
    rounds = fixture_rounds(teams, 2)
    half = len(rounds) // 2
    assert rounds[half:] == [[(away, home) for home, away in pairs] for pairs in rounds[:half]]
    meetings = Counter(pair for pairs in rounds for pair in pairs)
    assert set(meetings.values()) == {1} and len(meetings) == teams * (teams - 1)


@pytest.mark.parametrize("teams", ODD)
def test_of_an_odd_number_each_is_free_once_a_leg_without_a_row(teams):
    for number in range(1, teams + 1):
        free = [pairs for pairs in berger(teams) if all(number not in pair for pair in pairs)]
        assert len(free) == 1


@pytest.mark.parametrize("teams", SIZES)
@pytest.mark.parametrize("legs", [1, 2, 3, 4])
def test_nobody_is_three_times_running_at_home_or_away(teams, legs):
    rounds = fixture_rounds(teams, legs)
    longest = max(longest_run(sides(rounds, team)) for team in range(1, teams + 1))
    assert longest <= (3 if teams == 4 and legs > 1 else 2)


@pytest.mark.parametrize("teams", EVEN)
def test_breaks_are_as_few_as_can_be(teams):
    assert breaks(fixture_rounds(teams, 1), teams) == teams - 2
    assert breaks(fixture_rounds(teams, 2), teams) == max(0, 3 * teams - 6)


def test_four_teams_cannot_avoid_three_in_a_row():
    best = 9
    for order in permutations(berger(4)):
        for turned in product((False, True), repeat=6):
            turn = iter(turned)
            first = [[pair[::-1] if next(turn) else pair for pair in pairs] for pairs in order]
            rounds = first + [[pair[::-1] for pair in pairs] for pairs in first]
            lines = [sides(first, team) for team in range(1, 5)]
            if all(1 <= line.count("H") <= 2 for line in lines):
                best = min(best, max(longest_run(sides(rounds, team)) for team in range(1, 5)))
    assert best == 3


@pytest.mark.parametrize(("teams", "legs"), [(0, 1), (1, 1), (-2, 2), (4, 0)])
def test_nobody_to_meet_is_refused(teams, legs):
    with pytest.raises(ValueError):
        fixture_rounds(teams, legs)
