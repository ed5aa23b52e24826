"""Each rule of a table changing it, and the table saying so where a rule may surprise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.division_tables.records import AWAY, BOTH, HOME, Adjustment, MatchPoints, MatchResult
from games.division_tables.standings import TableTeam, table
from games.division_tables.table_policies import (
    DRAWN_GAMES,
    EXCLUDED,
    EXPUNGE,
    FORFEIT,
    FULL,
    IGNORE_GAME,
    IGNORE_MATCH,
    KEEP,
    MORE_THAN_A_LOSS,
    NONE,
    OPPONENTS_SCORE_NONE,
    THRESHOLD,
    BoardPenalty,
    TableRules,
    settled,
    ways_defaulting_pays,
)


def teams(names, **withdrawn):
    return [TableTeam(name, name.casefold(), withdrawn=name in withdrawn) for name in names]


def match(number, home, away, home_halves=None, away_halves=None, **more):
    more.setdefault("complete", home_halves is not None)
    more.setdefault("board_count", 6)
    return MatchResult(number, home, away, home_halves, away_halves, **more)


def figures(names, matches, rules, **withdrawn):
    """Each team's matches played and awarded, match points and game points."""
    return [
        (row.team, row.played, row.awarded, row.match_points, row.game_points)
        for row in table(teams(names, **withdrawn), matches, rules)
    ]


# --- Unfinished games --------------------------------------------------------------------


def begun(home, away, undecided):
    return match(1, "A", "B", home, away, complete=False, undecided=undecided)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (IGNORE_MATCH, [("A", 0, 0, 0, 0), ("B", 0, 0, 0, 0)]),
        (IGNORE_GAME, [("A", 1, 0, 4, 6), ("B", 1, 0, 0, 4)]),
        (DRAWN_GAMES, [("A", 1, 0, 4, 7), ("B", 1, 0, 0, 5)]),
        (THRESHOLD, [("A", 0, 0, 0, 0), ("B", 0, 0, 0, 0)]),
    ],
)
def test_a_match_of_which_one_game_is_unfinished(policy, expected):
    """A leads 3-2: not more than half of the six points."""
    assert figures("AB", [begun(6, 4, 1)], TableRules(unfinished=policy)) == expected


def test_the_threshold_is_more_than_half_of_the_points():
    rules = TableRules(unfinished=THRESHOLD)
    assert figures("AB", [begun(7, 3, 1)], rules) == [("A", 1, 0, 4, 7), ("B", 1, 0, 0, 3)]
    assert [row.unfinished for row in table(teams("AB"), [begun(7, 3, 1)], rules)] == [1, 1]


@pytest.mark.parametrize("policy", [IGNORE_MATCH, IGNORE_GAME, DRAWN_GAMES, THRESHOLD])
def test_a_match_that_has_not_begun_counts_under_no_policy(policy):
    to_come = match(1, "A", "B", undecided=6)
    assert figures("AB", [to_come], TableRules(unfinished=policy))[0] == ("A", 0, 0, 0, 0)


def test_unfinished_boards_are_drawn_board_by_board():
    boards = ((2, 0), None, (0, 2), None, (2, 0), (0, 2))
    open_match = match(1, "A", "B", 6, 6, complete=False, undecided=2, boards=boards)
    [drawn] = settled([open_match], TableRules(unfinished=DRAWN_GAMES), ())
    assert drawn.boards == ((2, 0), (1, 1), (0, 2), (1, 1), (2, 0), (0, 2))
    [ignored] = settled([open_match], TableRules(unfinished=IGNORE_GAME), ())
    assert ignored.boards[1] == (0, 0)


# --- Defaulted matches -------------------------------------------------------------------


def defaulted_season():
    """A and B won once each; A's win came without play. Both beat C or D."""
    return [
        match(1, "A", "C", 12, 0, defaulted_by=AWAY, away_defaults=6),
        match(2, "B", "D", 7, 5),
        match(3, "A", "B", 6, 6),
    ]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (FULL, [("A", 1, 1, 6, 18), ("B", 2, 0, 6, 13), ("D", 1, 0, 0, 5), ("C", 0, 1, 0, 0)]),
        (NONE, [("B", 2, 0, 6, 13), ("A", 1, 1, 6, 6), ("D", 1, 0, 0, 5), ("C", 0, 1, 0, 0)]),
        (EXCLUDED, [("B", 2, 0, 6, 13), ("A", 1, 1, 6, 6), ("D", 1, 0, 0, 5), ("C", 0, 1, 0, 0)]),
    ],
)
def test_game_points_of_a_defaulted_match(policy, expected):
    assert figures("ABCD", defaulted_season(), TableRules(defaulted=policy)) == expected


def test_no_tie_break_looks_at_an_excluded_match():
    order = ("match_points", "wins", "game_points")
    found = table(teams("ABCD"), defaulted_season(), TableRules(order=order, defaulted=EXCLUDED))
    assert [(row.team, row.excluded) for row in found][:2] == [("B", 0), ("A", 1)]
    assert (found[0].why.criterion, found[0].why.own, found[0].why.other) == ("wins", 1, 0)
    none = table(teams("ABCD"), defaulted_season(), TableRules(order=order, defaulted=NONE))
    assert none[0].why.criterion == "game_points"


def test_what_a_team_gets_that_does_not_turn_up():
    matches = [match(1, "A", "B", 0, 12, defaulted_by=HOME)]
    loss_is_one = MatchPoints(8, 4, 2)
    assert figures("AB", matches, TableRules(points=loss_is_one))[1] == ("A", 0, 1, 2, 0)
    nothing = MatchPoints(8, 4, 2, defaulted=0)
    assert figures("AB", matches, TableRules(points=nothing))[1] == ("A", 0, 1, 0, 0)


@pytest.mark.parametrize(
    ("rules", "ways"),
    [
        (TableRules(), []),
        (TableRules(points=MatchPoints(8, 4, 2, defaulted=0)), []),
        (TableRules(points=MatchPoints(8, 4, 2, defaulted=4)), [MORE_THAN_A_LOSS]),
        (TableRules(defaulted=NONE), [OPPONENTS_SCORE_NONE]),
        (TableRules(defaulted=EXCLUDED), [OPPONENTS_SCORE_NONE]),
        (TableRules(defaulted=NONE, order=("match_points",)), []),
    ],
)
def test_the_table_knows_when_defaulting_pays(rules, ways):
    assert ways_defaulting_pays(rules) == ways


# --- Boards defaulted --------------------------------------------------------------------


def season_of_default_boards():
    """B defaulted two boards in each of two matches, and a third match as a whole."""
    return [
        match(1, "A", "B", 8, 4, away_defaults=2),
        match(2, "B", "A", 8, 4, home_defaults=2),
        match(3, "A", "B", 12, 0, defaulted_by=AWAY, away_defaults=6),
    ]


@pytest.mark.parametrize(
    ("penalty", "adjustments"),
    [
        (BoardPenalty(), ()),
        (BoardPenalty(4, match_points=2), (Adjustment(-2, 0, boards_defaulted=4),)),
        (BoardPenalty(2, match_points=1), (Adjustment(-2, 0, boards_defaulted=4),)),
        (BoardPenalty(3, game_points=1), (Adjustment(0, -1, boards_defaulted=4),)),
        (BoardPenalty(5, match_points=2), ()),
        (BoardPenalty(1), ()),
    ],
)
def test_a_penalty_for_every_so_many_boards_defaulted(penalty, adjustments):
    rows = {
        r.team: r
        for r in table(teams("AB"), season_of_default_boards(), TableRules(penalty=penalty))
    }
    assert (rows["A"].adjustments, rows["B"].adjustments) == ((), adjustments)
    assert rows["B"].match_points == 4 + sum(each.match_points for each in adjustments)
    assert rows["B"].game_points == 12 + sum(each.game_points for each in adjustments)


# --- Extra boards ------------------------------------------------------------------------


def test_extra_boards_count_for_game_points_alone():
    matches = [
        match(1, "A", "B", 6, 6, home_extra=2, away_extra=0),
        match(2, "C", "D", 6, 6),
    ]
    assert figures("ABCD", matches, TableRules())[0] == ("A", 1, 0, 2, 6)
    counted = table(teams("ABCD"), matches, TableRules(extra_boards=True))
    assert [(row.team, row.match_points, row.game_points) for row in counted][0] == ("A", 2, 8)
    assert [row.extra_game_points for row in counted] == [2, 0, 0, 0]
    assert counted[1].team == "B" and counted[1].game_points_against == 8


# --- Teams that withdrew -----------------------------------------------------------------


def season_with_a_withdrawal():
    """B lost to A and left; its matches with C and D, of whom D left as well, are to come."""
    return [
        match(1, "A", "B", 8, 4),
        match(2, "B", "C", undecided=6),
        match(3, "D", "B", undecided=6),
        match(4, "C", "A", 7, 5),
    ]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (EXPUNGE, [("C", 1, 0, 4, 7), ("A", 1, 0, 0, 5), ("B", 0, 0, 0, 0), ("D", 0, 0, 0, 0)]),
        (KEEP, [("A", 2, 0, 4, 13), ("C", 1, 0, 4, 7), ("B", 1, 0, 0, 4), ("D", 0, 0, 0, 0)]),
        (FORFEIT, [("C", 1, 1, 8, 19), ("A", 2, 0, 4, 13), ("B", 1, 2, 0, 4), ("D", 0, 1, 0, 0)]),
    ],
)
def test_one_policy_for_all_opponents_of_teams_that_withdrew(policy, expected):
    rules = TableRules(withdrawn=policy)
    assert figures("ABCD", season_with_a_withdrawal(), rules, B=True, D=True) == expected


def test_what_a_withdrawn_team_forfeits_scores_by_the_rule_for_defaulted_matches():
    rules = TableRules(withdrawn=FORFEIT, defaulted=NONE)
    found = figures("ABCD", season_with_a_withdrawal(), rules, B=True, D=True)
    assert found[0] == ("C", 1, 1, 8, 7)


# --- Rules that are none, and properties -------------------------------------------------


@pytest.mark.parametrize("rule", ["withdrawn", "unfinished", "defaulted"])
def test_a_policy_that_is_none_is_refused(rule):
    with pytest.raises(ValueError, match="'luck' is not a policy"):
        table(teams("AB"), [], TableRules(**{rule: "luck"}))


@st.composite
def seasons(draw):
    """Five teams, some gone, and matches in every state, under any rules."""
    names = "ABCDE"
    matches = []
    for number, (home, away) in enumerate(
        (home, away) for home in names for away in names if home != away
    ):
        boards = draw(st.integers(0, 4))
        home_halves = draw(st.integers(0, 2 * boards))
        by = draw(st.sampled_from([None, None, None, HOME, AWAY, BOTH])) if boards == 4 else None
        full = {None: home_halves, HOME: 0, AWAY: 8, BOTH: 0}[by]
        against = {None: 2 * boards - home_halves, HOME: 8, AWAY: 0, BOTH: 0}[by]
        matches.append(
            MatchResult(
                number,
                home,
                away,
                full if boards else None,
                against if boards else None,
                complete=boards == 4,
                board_count=4,
                undecided=4 - boards,
                defaulted_by=by,
                home_defaults=draw(st.integers(0, 2)),
            )
        )
    gone = draw(st.sets(st.sampled_from(names), max_size=2))
    rules = TableRules(
        order=("match_points", "game_points", "head_to_head", "sonneborn_berger"),
        withdrawn=draw(st.sampled_from([EXPUNGE, KEEP, FORFEIT])),
        unfinished=draw(st.sampled_from([IGNORE_MATCH, IGNORE_GAME, DRAWN_GAMES, THRESHOLD])),
        defaulted=draw(st.sampled_from([FULL, NONE, EXCLUDED])),
        penalty=BoardPenalty(draw(st.sampled_from([None, 1, 3])), 1, 1),
        boards=4,
    )
    return names, matches, rules, gone


@given(seasons(), st.randoms())
def test_the_order_of_the_matches_and_computing_twice_change_nothing(season, random):
    names, matches, rules, gone = season
    squad = teams(names, **dict.fromkeys(gone))
    first = table(squad, matches, rules)
    shuffled = random.sample(matches, len(matches))
    assert table(random.sample(squad, len(squad)), shuffled, rules) == first
    assert table(squad, settled(matches, rules, gone), rules) == first


@given(seasons())
def test_teams_under_other_numbers_stand_as_before(season):
    names, matches, rules, gone = season
    numbers = {name: 50 - place for place, name in enumerate(names)}
    renamed = [TableTeam(numbers[name], name.casefold(), withdrawn=name in gone) for name in names]
    played = [
        MatchResult(
            **{
                **{field: getattr(each, field) for field in MatchResult.__dataclass_fields__},
                "home": numbers[each.home],
                "away": numbers[each.away],
            }
        )
        for each in matches
    ]
    found = table(renamed, played, rules)
    expected = table(teams(names, **dict.fromkeys(gone)), matches, rules)
    assert [(row.position, row.team, row.match_points, row.game_points) for row in found] == [
        (row.position, numbers[row.team], row.match_points, row.game_points) for row in expected
    ]


@given(seasons())
def test_points_are_conserved(season):
    """Of 2/1/0 each counted match that somebody turned up for gives four halves."""
    names, matches, rules, gone = season
    found = table(teams(names, **dict.fromkeys(gone)), matches, rules)
    meetings = sum(row.played + row.awarded for row in found)
    nobody = sum(
        each.defaulted_by == BOTH
        for each in settled(matches, rules, gone)
        if each.complete and not (rules.withdrawn == EXPUNGE and gone & {each.home, each.away})
    )
    taken = sum(each.match_points for row in found for each in row.adjustments)
    assert sum(row.match_points for row in found) == 4 * (meetings // 2 - nobody) + taken
    assert sum(row.won for row in found) + nobody * 2 + sum(row.drawn for row in found) // 2 == (
        meetings // 2 + nobody
    )
