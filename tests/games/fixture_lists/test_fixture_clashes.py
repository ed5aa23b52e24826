"""Each constraint of a fixture list, broken alone and named."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from games.fixture_lists.fixture_clashes import breaks, clashes
from games.fixture_lists.fixture_problem import Apart, Avoid, Closed, Fixture, Hall, PlanRules
from games.fixture_lists.fixture_words import clash_words
from tests.games.fixture_scene import (
    NO_WISHES,
    by_the_table,
    mondays,
    plain,
    rules_broken,
    with_teams,
)

FOUR = plain(4, rules=NO_WISHES)
LIST = by_the_table(FOUR)


@pytest.mark.parametrize("sizes", [(2,), (3,), (4,), (5,), (10,), (4, 6, 7)])
@pytest.mark.parametrize("legs", [1, 2, 3])
def test_the_table_breaks_nothing_that_binds(sizes, legs):
    problem = plain(*sizes, legs=legs)
    assert [clash for clash in clashes(problem, by_the_table(problem)) if clash.binds] == []


def test_an_empty_list_misses_every_match():
    found = clashes(FOUR, [])
    assert {clash.rule for clash in found} == {"missing"} and len(found) == 12


def changed(nth: int, **facts) -> list[Fixture]:
    return [replace(f, **facts) if n == nth else f for n, f in enumerate(LIST)]


def test_a_missing_and_a_repeated_match():
    assert ("missing", True) in rules_broken(FOUR, LIST[1:])
    assert ("repeated", True) in rules_broken(FOUR, [*LIST, replace(LIST[0], day=LIST[-1].day)])


def test_a_team_of_another_division():
    problem = plain(4, 2, rules=NO_WISHES)
    listed = by_the_table(problem)
    found = rules_broken(problem, [replace(listed[0], away=5), *listed[1:]])
    assert ("stranger", True) in found and ("missing", True) in found


def test_a_return_match_that_is_not_turned_or_comes_first():
    last = next(n for n, f in enumerate(LIST) if f.leg == 2)
    same = changed(last, home=LIST[last].away, away=LIST[last].home)
    assert ("mirror", True) in rules_broken(FOUR, same)
    early = changed(last, day=FOUR.home_day(LIST[last].home, FOUR.weeks[0] - timedelta(weeks=1)))
    assert ("mirror", True) in rules_broken(FOUR, early)


def test_home_and_away_out_of_balance_in_a_leg():
    own = [f for f in LIST if f.leg == 1 and 1 in (f.home, f.away)]
    listed = [replace(f, home=1, away=f.home + f.away - 1) if f in own else f for f in LIST]
    found = [clash for clash in clashes(FOUR, listed) if clash.rule == "balance"]
    assert ((1,), 1, 3, 0) in [(c.teams, c.about, c.count, c.limit) for c in found]


def test_two_matches_in_a_week_and_a_round_in_two():
    first, second = LIST[0], next(f for f in LIST if f.round == 2)
    moved = [replace(f, day=first.day) if f is second else f for f in LIST]
    found = rules_broken(FOUR, moved)
    assert ("team_twice", True) in found and ("round_apart", False) in found


def test_another_night_and_another_week():
    assert rules_broken(FOUR, changed(0, day=LIST[0].day + timedelta(days=2))) == [("night", True)]
    away = LIST[0].day - timedelta(weeks=3)
    assert rules_broken(FOUR, changed(0, day=away)) == [("round_apart", False), ("week", True)]


def test_a_break():
    closed = Closed(1, "Christmas", LIST[0].day, LIST[0].day)
    assert rules_broken(replace(FOUR, breaks=(closed,)), LIST) == [("break", True)]


def test_a_hall_that_is_full_counts_matches_that_stand_already():
    shared = with_teams(FOUR, t1={"hall": 7, "night": 1}, t2={"hall": 7, "night": 1})
    listed = by_the_table(shared)
    day = next(f.day for f in listed if f.home == 1)
    for limit, taken, expected in ((2, 0, False), (None, 5, False), (1, 1, True), (0, 0, True)):
        problem = replace(shared, halls={7: Hall(7, "Guildhall", limit)}, taken={(7, day): taken})
        found = [clash for clash in clashes(problem, listed) if clash.rule == "hall"]
        assert (limit, bool(found)) == (limit, expected)


def test_days_to_avoid_at_home_only_or_at_all():
    match = LIST[0]
    for teams, home_only, expected in (
        ((match.home,), True, [("avoid", True)]),
        ((match.away,), True, []),
        ((match.away,), False, [("avoid", True)]),
    ):
        avoid = Avoid(1, "X", teams, match.day, match.day, home_only)
        assert rules_broken(replace(FOUR, avoids=(avoid,)), LIST) == expected
    wish = Avoid(1, "X", (match.home,), match.day, match.day, force="wish")
    assert rules_broken(replace(FOUR, avoids=(wish,)), LIST) == [("avoid", False)]


def test_two_teams_apart_but_for_their_own_match():
    problem = with_teams(FOUR, **{f"t{pk}": {"night": 2} for pk in (1, 2, 3, 4)})
    listed = by_the_table(problem)
    nights = {f.round for f in listed if {f.home, f.away} != {1, 2}}
    found = clashes(replace(problem, aparts=(Apart(1, 1, 2),)), listed)
    own = {f.round for f in listed if {f.home, f.away} == {1, 2}}
    assert len(found) == len(nights - own) and {c.rule for c in found} == {"apart"}
    at_home = clashes(replace(problem, aparts=(Apart(1, 1, 2, home_only=True),)), listed)
    both = [r for r in range(1, 7) if {1, 2} <= {f.home for f in listed if f.round == r}]
    assert len(at_home) == len(both)


def test_teams_of_one_club_late_and_at_home_together():
    problem = with_teams(FOUR, t1={"club": 9}, t2={"club": 9})
    listed = by_the_table(problem)
    rounds = [f.round for f in listed if {f.home, f.away} == {1, 2}]
    assert rounds == [2, 5]
    early = replace(problem, rules=replace(NO_WISHES, club_teams_early="must"))
    found = [c for c in clashes(early, listed) if c.rule == "early"]
    assert [(c.force, c.count, c.limit) for c in found] == [("must", 2, 1), ("must", 2, 1)]
    turns = replace(problem, rules=replace(NO_WISHES, club_teams_alternate="wish"))
    both = [r for r in range(1, 7) if {1, 2} <= {f.home for f in listed if f.round == r}]
    assert len([c for c in clashes(turns, listed) if c.rule == "turns"]) == len(both)


def test_three_in_a_row():
    problem = replace(FOUR, rules=replace(NO_WISHES, no_three_running="strong"))
    found = [clash for clash in clashes(problem, LIST)]
    assert {clash.rule for clash in found} == {"three"}  # four teams cannot avoid it
    assert breaks(problem, LIST) == 6


def test_every_clash_has_its_words():
    problem = with_teams(
        plain(4, rules=PlanRules("must", "must", "must", "wish")),
        t1={"club": 9, "hall": 7, "night": 1},
        t2={"club": 9, "hall": 7, "night": 1},
    )
    listed = by_the_table(problem)
    first = listed[0]
    problem = replace(
        problem,
        halls={7: Hall(7, "Guildhall", 0)},
        breaks=(Closed(1, "Christmas", first.day, first.day),),
        avoids=(Avoid(1, "Ashdown", (first.home,), first.day, first.day + timedelta(days=2)),),
        aparts=(Apart(1, 1, 3, home_only=True), Apart(2, 1, 4)),
    )
    listed = [*listed[1:-1], replace(first, day=date(2026, 5, 1)), replace(first, away=77), first]
    listed.append(replace(listed[5], round=1, day=first.day))
    found = clashes(problem, listed)
    words = {clash.rule: clash_words(clash, problem) for clash in found}
    assert {"hall", "break", "avoid", "night", "week", "stranger", "missing"} <= set(words)
    assert words["hall"].startswith("Guildhall has ") and "holds 0" in words["hall"]
    assert all(text.endswith(".") and "%" not in text for text in words.values())


def test_weeks_are_named_by_mondays():
    assert {week.weekday() for week in mondays(30)} == {0}
