"""Who can still win: never a claim that some results would break, and exact where it says so."""

from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.division_tables import title_race
from games.division_tables.records import Adjustment, MatchPoints, MatchResult
from games.division_tables.standings import TableTeam
from games.division_tables.table_policies import BoardPenalty, TableRules
from games.division_tables.title_race import Prospect, prospects


def teams(names, **more):
    return [TableTeam(name, name.casefold(), **more.get(name, {})) for name in names]


def played(number, home, away, home_halves, away_halves):
    return MatchResult(number, home, away, home_halves, away_halves, complete=True, board_count=6)


def to_come(number, home, away):
    return MatchResult(number, home, away, board_count=6, undecided=6)


def single_round(names, results):
    """Every pairing once, with the results given as {"AB": "1"} for the home side."""
    scores = {"1": (8, 4), "=": (6, 6), "0": (4, 8)}
    return [
        played(number, *pair, *scores[results["".join(pair)]])
        if "".join(pair) in results
        else to_come(number, *pair)
        for number, pair in enumerate(combinations(names, 2))
    ]


def found(names, results, rules=TableRules(), **more):  # noqa: B008
    return prospects(teams(names, **more), single_round(names, results), rules)


def test_champions_before_the_last_round():
    race = found("ABCD", {"AB": "1", "AC": "1", "AD": "1", "BC": "=", "BD": "1"})
    assert race == {
        "A": Prospect("A", best=1, worst=1, can_win=True, exact=True),
        "B": Prospect("B", best=2, worst=3, can_win=False, exact=True),
        "C": Prospect("C", best=2, worst=4, can_win=False, exact=True),
        "D": Prospect("D", best=3, worst=4, can_win=False, exact=True),
    }


def test_a_team_that_can_only_be_caught_is_not_champion():
    race = found("ABC", {"AB": "1", "AC": "="})
    assert (race["A"].worst, race["C"].can_win) == (2, True)


def test_a_team_that_has_the_points_may_be_out_since_the_others_meet():
    """D can come to 4 points, but B and C have 3 each and play each other: one gets 4 or both."""
    names = "ABCDE"
    results = {"AB": "0", "AC": "0", "AD": "0", "AE": "0", "BE": "1", "CE": "1"}
    results |= {"BD": "1", "CD": "1"}
    race = found(names, results)
    assert race["D"].can_win is False
    assert race["D"].exact is True


def test_a_penalty_already_decided_counts():
    docked = {"A": {"adjustments": (Adjustment(-6, 0, "two wrong players"),)}}
    free = found("ABC", {"AB": "1", "AC": "1"})
    race = found("ABC", {"AB": "1", "AC": "1"}, **docked)
    assert (free["A"].worst, race["A"].worst) == (1, 3)


@pytest.mark.parametrize(("boards", "worst"), [(None, 1), (7, 1), (4, 3)])
def test_points_that_defaulted_boards_may_still_cost_are_not_counted_on(boards, worst):
    """A leads by one point with a match of six boards to come."""
    results = {"AB": "1", "AC": "1", "BC": "=", "BD": "1", "CD": "1"}
    rules = TableRules(penalty=BoardPenalty(boards, match_points=2))
    assert found("ABCD", results, rules)["A"].worst == worst


@pytest.mark.parametrize(
    "matches",
    [
        [],
        [played(1, "A", "B", 8, 4), played(2, "A", "C", 8, 4), played(3, "B", "C", 8, 4)],
        [played(1, "A", "B", 8, 4), to_come(2, "A", "C")],
        [
            played(1, "A", "B", 8, 4),
            to_come(2, "A", "C"),
            to_come(3, "B", "C"),
            to_come(4, "C", "B"),
        ],
    ],
    ids=["no matches", "all played", "a pair that does not meet", "a pair that meets twice"],
)
def test_nothing_is_said_without_a_whole_fixture_list_or_with_nothing_to_play(matches):
    assert prospects(teams("ABC"), matches, TableRules()) is None


def test_a_void_match_is_part_of_the_fixture_list():
    matches = [played(1, "A", "B", 8, 4), to_come(2, "A", "C")]
    race = prospects(teams("ABC"), matches, TableRules(), void=[("B", "C")])
    assert sorted(race) == ["A", "B", "C"]


def test_nothing_is_said_of_a_table_by_game_points():
    assert found("ABC", {"AB": "1"}, TableRules(order=("game_points",))) is None


def test_a_withdrawn_team_is_no_rival():
    gone = {"A": {"withdrawn": True}}
    race = found("ABC", {"AB": "1", "AC": "1"}, **gone)
    assert {name: (each.best, each.worst) for name, each in race.items()} == {
        "B": (1, 2),
        "C": (1, 2),
    }


def test_with_too_many_ways_to_try_a_team_may_be_said_to_be_in_that_is_out(monkeypatch):
    results = {"AB": "=", "AC": "1", "AE": "=", "BC": "0"}
    results |= {"CD": "=", "CE": "0", "DE": "1", "DF": "1"}
    tried = found("ABCDEF", results)["C"]
    assert (tried.best, tried.can_win, tried.exact) == (1, False, True)
    monkeypatch.setattr(title_race, "MOST_STATES", 0)
    bound = found("ABCDEF", results)["C"]
    assert (bound.best, bound.can_win, bound.exact) == (1, True, False)


# --- Against every way the season can end --------------------------------------------------


def endings(names, points, left, worth):
    """Every team's points for each way the matches left can end."""
    outcomes = [(worth.win, worth.loss), (worth.draw, worth.draw), (worth.loss, worth.win)]
    for results in product(outcomes, repeat=len(left)):
        final = dict(points)
        for (home, away), (own, other) in zip(left, results, strict=True):
            final[home] += own
            final[away] += other
        yield final


@st.composite
def unfinished_seasons(draw):
    names = "ABCDE"[: draw(st.integers(3, 5))]
    pairs = list(permutations(names, 2)) if len(names) == 3 else list(combinations(names, 2))
    left = draw(st.sets(st.sampled_from(pairs), min_size=1, max_size=6))
    scores = st.sampled_from([(8, 4), (6, 6), (4, 8)])
    matches = [
        to_come(number, *pair) if pair in left else played(number, *pair, *draw(scores))
        for number, pair in enumerate(pairs)
    ]
    worth = draw(st.sampled_from([MatchPoints(), MatchPoints(6, 2, 0), MatchPoints(8, 4, 2)]))
    return names, matches, sorted(left), worth


@settings(max_examples=150)
@given(unfinished_seasons())
def test_no_ending_breaks_a_claim_and_exact_means_exact(season):
    names, matches, left, worth = season
    race = prospects(teams(names), matches, TableRules(points=worth))
    points = dict.fromkeys(names, 0)
    for each in matches:
        if each.complete:
            gap = each.home_halves - each.away_halves
            own, other = (
                (worth.draw, worth.draw)
                if not gap
                else (worth.win, worth.loss)
                if gap > 0
                else (worth.loss, worth.win)
            )
            points[each.home] += own
            points[each.away] += other
    finals = list(endings(names, points, left, worth))
    for name in names:
        others = [[final[n] for n in names if n != name] for final in finals]
        own = [final[name] for final in finals]
        firsts = [
            all(mine >= theirs for theirs in rest) for mine, rest in zip(own, others, strict=True)
        ]
        bests = [1 + sum(p > mine for p in rest) for mine, rest in zip(own, others, strict=True)]
        worsts = [1 + sum(p >= mine for p in rest) for mine, rest in zip(own, others, strict=True)]
        prospect = race[name]
        assert prospect.exact
        assert prospect.can_win == any(firsts)
        assert prospect.best <= min(bests)
        assert prospect.worst >= max(worsts)
        if prospect.worst == 1:
            assert set(worsts) == {1}
