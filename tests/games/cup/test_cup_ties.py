"""Who wins a tie, by each way of settling it, and what the steps say."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cup.cup_ties import (
    BLACKS,
    BOARD_COUNT,
    ELIMINATION,
    FIRST,
    MATCH,
    OFFICER,
    REPLAY,
    SCORE,
    SECOND,
    TOSS,
    WAYS,
    Step,
    TieMatch,
    Verdict,
    settle,
    start_of,
)

USUAL = (BOARD_COUNT, ELIMINATION)


def played(halves, blacks=None, start=(0, 0)) -> TieMatch:
    """A match with these halves of the first side, from board 1 down."""
    boards = tuple((own, 2 - own) for own in halves)
    score = (sum(own for own, _ in boards), sum(other for _, other in boards))
    if blacks is None:
        blacks = tuple(number % 2 == 0 for number in range(len(boards)))
    return TieMatch(score, boards, blacks, start)


def score(first, second, replay=0) -> Step:
    return Step(SCORE, first, second, replay=replay)


# A's results, board by board (rules/league-play.md, cup cases): 2 is a win.
CASES = [
    ([2, 1, 0, 1, 0, 2], FIRST, [score(6, 6), Step(BOARD_COUNT, 7, 8)]),
    (
        [2, 0, 1, 0, 2, 1],
        SECOND,
        [
            score(6, 6),
            Step(BOARD_COUNT, 6, 6),
            Step(ELIMINATION, 5, 5, 1),
            Step(ELIMINATION, 3, 5, 2),
        ],
    ),
    (
        [1, 1, 0, 2, 2, 0],
        FIRST,
        [score(6, 6), Step(BOARD_COUNT, 9, 9), Step(ELIMINATION, 6, 4, 1)],
    ),
    ([0, 0, 1, 2, 2], SECOND, [score(5, 5), Step(BOARD_COUNT, 9, 3)]),
]


@pytest.mark.parametrize(("halves", "winner", "steps"), CASES)
def test_the_four_cases(halves, winner, steps):
    assert settle([played(halves)], USUAL) == Verdict(tuple(steps), winner)


def test_the_score_decides_before_everything():
    assert settle([played([2, 1, 1])], WAYS) == Verdict((score(4, 2),), FIRST)


def test_straight_elimination_looks_at_no_board_count():
    tie = played([2, 1, 0, 1, 0, 2])
    steps = (score(6, 6), Step(ELIMINATION, 4, 6, 1))
    assert settle([tie], [ELIMINATION]) == Verdict(steps, SECOND)
    assert settle([tie], USUAL).winner == FIRST


def test_most_blacks_on_odd_boards_when_all_is_drawn():
    drawn = played([1, 1, 1], blacks=(True, False, True))
    assert settle([drawn], [*USUAL, BLACKS]) == Verdict((score(3, 3), Step(BLACKS, 2, 0)), FIRST)
    other = replace(drawn, blacks=(False, True, False))
    assert settle([other], [BLACKS]) == Verdict((score(3, 3), Step(BLACKS, 0, 2)), SECOND)
    level = replace(drawn, blacks=(True, False, False))
    steps = (score(3, 3), Step(BLACKS, 1, 1))
    assert settle([level], [BLACKS]) == Verdict(steps, None, OFFICER)
    unknown = replace(drawn, blacks=(True, False, None))
    assert settle([unknown], [BLACKS]) == Verdict((score(3, 3),), None, OFFICER)
    not_drawn = played([2, 1, 0], blacks=(True, False, True))
    assert settle([not_drawn], [BLACKS]) == Verdict((score(3, 3),), None, OFFICER)


def test_a_replay_is_awaited_and_decides():
    drawn = played([2, 0])
    assert settle([drawn], [REPLAY]) == Verdict((score(2, 2),), None, REPLAY)
    again = (score(2, 2), score(3, 1, 1))
    assert settle([drawn, played([2, 1])], [REPLAY]) == Verdict(again, FIRST)
    third = (score(2, 2), score(2, 2, 1), score(0, 4, 2))
    assert settle([drawn, drawn, played([0, 0])], [REPLAY]) == Verdict(third, SECOND)


def test_a_level_replay_is_settled_by_what_stands_after_it_or_before():
    drawn = played([2, 0])
    after = (score(2, 2), score(2, 2, 1), Step(BOARD_COUNT, 1, 2, replay=1))
    assert settle([drawn, drawn], [REPLAY, BOARD_COUNT]) == Verdict(after, FIRST)
    quiet = played([1, 1], blacks=(None, None))
    before = (score(2, 2), score(2, 2, 1), Step(BOARD_COUNT, 1, 2, replay=1))
    assert settle([quiet, drawn], [BOARD_COUNT, REPLAY]) == Verdict(before, FIRST)
    level = (score(2, 2), score(2, 2, 1))
    assert settle([quiet, quiet], [BOARD_COUNT, REPLAY]) == Verdict(level, None, REPLAY)
    assert settle([quiet, quiet], [REPLAY, TOSS]) == Verdict(level, None, OFFICER)
    assert settle([quiet], [REPLAY, TOSS]) == Verdict(level[:1], None, REPLAY)


def test_a_toss_ends_the_list():
    drawn = played([2, 0])
    assert settle([drawn], [TOSS, BOARD_COUNT]) == Verdict((score(2, 2),), None, OFFICER)
    assert settle([drawn], []) == Verdict((score(2, 2),), None, OFFICER)


def test_two_legs_are_one_score():
    first, second = played([2, 1, 1]), played([0, 1, 1])
    assert settle([], USUAL, legs=2) == Verdict((), None, MATCH)
    assert settle([first], USUAL, legs=2) == Verdict((score(4, 2),), None, MATCH)
    level = (score(6, 6), Step(BOARD_COUNT, 1, 1), Step(ELIMINATION, 4, 4, 1))
    level += (Step(ELIMINATION, 2, 2, 2),)
    assert settle([first, second], USUAL, legs=2) == Verdict(level, None, OFFICER)
    later = played([1, 0, 1])
    counted = (score(6, 6), Step(BOARD_COUNT, 1, 2))
    assert settle([first, later], USUAL, legs=2) == Verdict(counted, FIRST)
    replayed = settle([first, second, played([2, 1, 1])], [REPLAY], legs=2)
    assert replayed == Verdict((score(6, 6), score(4, 2, 1)), FIRST)


def test_a_start_is_on_the_score_from_the_beginning():
    assert settle([played([2, 0, 1], start=(0, 1))], USUAL) == Verdict((score(3, 4),), SECOND)
    level = played([2, 0, 2], start=(0, 2))  # 2-1 with a start of one point
    steps = (score(4, 4), Step(ELIMINATION, 2, 4, 1))
    assert settle([level], USUAL) == Verdict(steps, SECOND)


@pytest.mark.parametrize(
    ("figures", "points", "start"),
    [
        ([(180, 150), (160, 150)], 20, (0, 2)),
        ([(150, 180), (150, 160)], 20, (2, 0)),
        ([(150, 159)], 10, (0, 0)),
        ([(150, 160)], 10, (1, 0)),
        ([(180, None), (None, 150), (140, 150)], 10, (1, 0)),
        ([(0, 30)], 10, (3, 0)),
        ([], 10, (0, 0)),
        ([(180, 100)], None, (0, 0)),
    ],
)
def test_the_start_follows_the_totals(figures, points, start):
    assert start_of(figures, points) == start


def test_boards_that_are_not_known_decide_nothing():
    scored = TieMatch((6, 6))
    assert settle([scored], WAYS) == Verdict((score(6, 6),), None, REPLAY)


def test_a_board_lost_by_both_is_no_win():
    nobody = TieMatch((2, 2), ((2, 0), (0, 0), (0, 2)), (True, None, True))
    steps = (score(2, 2), Step(BOARD_COUNT, 1, 3))
    assert settle([nobody], USUAL) == Verdict(steps, FIRST)


def test_unequal_numbers_of_wins_have_no_board_count():
    given = TieMatch((3, 3), ((2, 0), (0, 2), (1, 0), (0, 1)))
    uneven = TieMatch((4, 4), ((2, 0), (1, 0), (1, 2), (0, 2)))
    assert settle([given], [BOARD_COUNT]).winner == FIRST  # 1 and 3 against 2 and 4
    assert settle([uneven], [BOARD_COUNT]).winner == FIRST
    odd = TieMatch((2, 2), ((2, 0), (0, 1), (0, 1)))
    assert settle([odd], [BOARD_COUNT]) == Verdict((score(2, 2),), None, OFFICER)


def test_an_unknown_way_is_refused():
    with pytest.raises(ValueError, match="settle no tie"):
        settle([], ["penalties"])


matches = st.lists(
    st.lists(st.tuples(st.sampled_from([0, 1, 2]), st.sampled_from([None, True, False])))
    .filter(lambda boards: 1 <= len(boards) <= 8)
    .map(lambda boards: played([own for own, _b in boards], tuple(b for _own, b in boards))),
    max_size=4,
)
lists_of_ways = st.permutations(WAYS).flatmap(
    lambda ways: st.integers(0, len(WAYS)).map(lambda count: ways[:count])
)
OTHER = {FIRST: SECOND, SECOND: FIRST, None: None}


def turned(match: TieMatch) -> TieMatch:
    return TieMatch(
        match.score[::-1],
        tuple(pair[::-1] for pair in match.boards),
        tuple(None if black is None else not black for black in match.blacks),
        match.start[::-1],
    )


@given(matches, lists_of_ways, st.sampled_from([1, 2]))
def test_the_sides_swapped_swap_the_winner(tie, ways, legs):
    one = settle(tie, ways, legs)
    two = settle([turned(match) for match in tie], ways, legs)
    assert two == Verdict(
        tuple(replace(step, first=step.second, second=step.first) for step in one.steps),
        OTHER[one.winner],
        one.awaits,
    )
    assert one == settle(tie, ways, legs)


@given(matches, lists_of_ways, st.sampled_from([1, 2]))
def test_a_tie_has_a_winner_or_waits(tie, ways, legs):
    found = settle(tie, ways, legs)
    assert (found.winner is None) != (found.awaits is None)
    assert [step.winner for step in found.steps if step.winner] in (
        [[found.winner]] if found.winner else [[], [found.steps[0].winner] if found.steps else []]
    )


@given(st.lists(st.sampled_from([0, 1, 2]), min_size=1, max_size=16))
def test_elimination_decides_whatever_was_not_all_drawn(halves):
    found = settle([played(halves)], [ELIMINATION])
    assert (found.winner is None) == all(own == 1 for own in halves)


@given(st.lists(st.sampled_from([0, 1, 2]), min_size=1, max_size=16), st.integers(1, 40))
def test_a_lower_total_never_gets_less_of_a_start(figures, points):
    pairs = [(100 + own, 101) for own in figures]
    lower = [(own - 5, other) for own, other in pairs]
    assert start_of(lower, points)[0] >= start_of(pairs, points)[0]
