"""The solver's lists, checked by what has never heard of it; and what it says without one."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from games.fixture_lists.fixture_clashes import clashes
from games.fixture_lists.fixture_problem import (
    MUST,
    OFF,
    WISH,
    Apart,
    Avoid,
    Closed,
    Hall,
    PlanRules,
)
from games.fixture_lists.fixture_solver import IMPOSSIBLE, SOLVED, Search, solve, wishes_unmet
from games.fixture_lists.fixture_words import group_words, reason_words
from tests.games.fixture_scene import NO_WISHES, plain, with_teams

SECONDS = 2


def six_and_six():
    """Two divisions whose clubs have a team in each, three of them in one hall."""
    problem = plain(6, 6)
    clubs = {f"t{pk}": {"club": pk % 6, "night": 2, "hall": pk % 6 // 3} for pk in problem.teams}
    halls = {pk: Hall(pk, f"Hall {pk}", 3) for pk in (0, 1)}
    return replace(with_teams(problem, **clubs), halls=halls)


def solved(problem, seconds=SECONDS):
    """A list that keeps everything that binds, and its rounds whole and in order."""
    outcome = solve(problem, Search(seconds))
    assert outcome.state == SOLVED
    assert [clash for clash in clashes(problem, outcome.fixtures) if clash.binds] == []
    assert "round_apart" not in {clash.rule for clash in clashes(problem, outcome.fixtures)}
    for division in problem.divisions:
        own = [f for f in outcome.fixtures if f.division == division.id]
        by_round = {f.round: f.day - timedelta(days=f.day.weekday()) for f in own}
        assert list(by_round) == list(range(1, division.rounds + 1))
        assert list(by_round.values()) == sorted(set(by_round.values()))
    return outcome


@pytest.mark.parametrize("sizes", [(2,), (3,), (5,), (6, 7), (10,)])
@pytest.mark.parametrize("legs", [1, 2, 3])
def test_any_size_and_legs(sizes, legs):
    outcome = solved(plain(*sizes, legs=legs))
    assert outcome.by_table and not wishes_unmet(plain(*sizes, legs=legs), outcome.fixtures)


def test_weeks_to_spare_are_left_out_where_a_break_wants_it():
    problem = plain(4, spare=2)
    week = problem.weeks[3]
    closed = Closed(1, "Christmas", week, week + timedelta(days=6))
    outcome = solved(replace(problem, breaks=(closed,)))
    assert not any(closed.first <= f.day <= closed.last for f in outcome.fixtures)


def test_a_week_in_which_a_team_does_not_play_is_left_out():
    problem = plain(4, spare=1)
    week = problem.weeks[2]
    avoid = Avoid(1, "Team 1", (1,), week, week + timedelta(days=6), home_only=False)
    outcome = solved(replace(problem, avoids=(avoid,)))
    days = [f.day for f in outcome.fixtures if 1 in (f.home, f.away)]
    assert not any(avoid.first <= day <= avoid.last for day in days)


def test_halls_shared_over_divisions():
    problem = plain(4, 4)
    shared = {f"t{pk}": {"hall": 1, "night": 2} for pk in (1, 2, 5, 6)}
    problem = replace(with_teams(problem, **shared), halls={1: Hall(1, "Guildhall", 2)})
    nights = Counter(f.day for f in solved(problem).fixtures if f.home in (1, 2, 5, 6))
    assert max(nights.values()) == 2
    day = min(nights)
    larger = replace(problem, halls={1: Hall(1, "Guildhall", 3)}, taken={(1, day): 2})
    at_home = [f for f in solved(larger).fixtures if f.home in (1, 2, 5, 6) and f.day == day]
    assert len(at_home) == 1


def test_teams_of_one_club_meet_first_and_alternate():
    problem = with_teams(plain(6), t1={"club": 9}, t4={"club": 9})
    outcome = solved(replace(problem, rules=PlanRules(MUST, MUST, MUST, WISH)))
    assert [f.round for f in outcome.fixtures if {f.home, f.away} == {1, 4}] == [1, 6]


def test_two_teams_on_different_nights():
    # Only in one week can both play away on the other's night.
    nights = zip(range(1, 9), (0, 0, 1, 0, 1, 0, 1, 1), strict=True)
    problem = with_teams(plain(4, 4), **{f"t{pk}": {"night": night} for pk, night in nights})
    problem = replace(problem, aparts=(Apart(1, 1, 5),))
    listed = solved(problem).fixtures
    days = [{f.day for f in listed if pk in (f.home, f.away)} for pk in (1, 5)]
    assert not days[0] & days[1]


def test_the_same_problem_gives_the_same_list():
    problem = replace(six_and_six(), aparts=(Apart(1, 1, 7, home_only=True, force=WISH),))
    first, second = (solve(problem, Search(SECONDS)) for _ in range(2))
    assert first == second and first.state == SOLVED


def test_a_wish_that_the_rules_exclude_is_said_so():
    problem = plain(4)
    week = problem.weeks[0]
    days = {"first": week, "last": week + timedelta(days=6)}
    avoids = (Avoid(1, "Team 1", (1,), **days), Avoid(2, "Team 2", (2,), **days, force=WISH))
    both = replace(problem, avoids=(*avoids, Avoid(3, "Team 3", (3,), **days)))
    outcome = solved(replace(both, rules=NO_WISHES))
    assert dict(wishes_unmet(both, outcome.fixtures))[("avoid", 2)] == 1
    assert [reason_words(reason, both) for reason in outcome.reasons] == [
        "Team 2 not at home Mon 28 Sep 2026 to Sun 4 Oct 2026: excluded by"
        " Team 1 not at home Mon 28 Sep 2026 to Sun 4 Oct 2026;"
        " Team 3 not at home Mon 28 Sep 2026 to Sun 4 Oct 2026."
    ]


def contradiction(problem) -> list[str]:
    outcome = solve(problem, Search(SECONDS))
    assert (outcome.state, outcome.fixtures, outcome.is_smallest) == (IMPOSSIBLE, (), True)
    return sorted(group_words(group, problem) for group in outcome.contradiction)


def test_too_few_weeks():
    problem = plain(4, 6)
    assert contradiction(replace(problem, weeks=problem.weeks[:8])) == [
        "Division 2 has 10 rounds and 8 match weeks"
    ]


def test_what_contradicts_is_named_and_nothing_beside_it():
    problem = with_teams(plain(4, 4), t1={"club": 9}, t2={"club": 9})
    first = problem.weeks[0]
    days = {"first": first, "last": first + timedelta(days=6)}
    problem = replace(
        problem,
        avoids=(
            Avoid(1, "Team 7", (7,), **days),
            Avoid(2, "Club 9", (1, 2), **days),
            Avoid(3, "Team 5", (5,), **days),
        ),
    )
    assert contradiction(problem) == [
        "Club 9 not at home Mon 28 Sep 2026 to Sun 4 Oct 2026",
        "Team 1 and Team 2 meet in the first rounds",
    ]
    relaxed = replace(problem, rules=PlanRules(WISH, OFF, OFF, OFF))
    assert wishes_unmet(relaxed, solved(relaxed).fixtures) == {("early", 1, 9): 2}


def test_a_hall_too_small_for_its_teams():
    shared = {f"t{pk}": {"hall": 1, "night": 2} for pk in (1, 2, 5)}
    problem = replace(with_teams(plain(4, 4), **shared), halls={1: Hall(1, "Guildhall", 1)})
    assert contradiction(problem) == ["Guildhall holds 1 match a night"]


def test_a_hall_too_small_for_teams_of_two_divisions_with_weeks_to_spare():
    teams = (1, 2, 3, 4, 9, 10, 11, 12)
    shared = {f"t{pk}": {"club": pk % 4, "hall": 1, "night": 2} for pk in teams}
    problem = with_teams(plain(8, 8, legs=1, spare=2), **shared)
    problem = replace(problem, halls={1: Hall(1, "Guildhall", 2)})
    assert solve(problem, Search(SECONDS)).state == IMPOSSIBLE


def test_a_search_that_is_stopped_finds_nothing_more():
    search = Search(SECONDS)
    search.stop()
    assert solve(plain(10), search).state == "undecided"
