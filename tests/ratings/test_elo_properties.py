"""What holds of Elo for any ratings and results."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from ratings.elo import (
    CLUB,
    FIDE_2024,
    PlayerState,
    change,
    change_tenths,
    displayed,
    expected_score,
    rate_game,
)

whole_ratings = st.integers(-500, 4000)
half_points = st.integers(0, 2)
k_values = st.integers(1, 60)
both_rules = st.sampled_from([CLUB, FIDE_2024])
states = st.builds(
    PlayerState,
    rating=st.integers(0, 32_000),
    games=st.integers(0, 60),
    marks=st.integers(0, 2),
    established=st.booleans(),
)


@given(whole_ratings, whole_ratings)
def test_club_expected_scores_of_the_sides_make_one(own, opponent):
    total = expected_score(own, opponent, CLUB) + expected_score(opponent, own, CLUB)
    assert total == 1


@given(st.integers(0, 2649), st.integers(0, 2649))
def test_fide_expected_scores_of_the_sides_make_one_below_2650(own, opponent):
    total = expected_score(own, opponent, FIDE_2024) + expected_score(opponent, own, FIDE_2024)
    assert total == 1


@given(whole_ratings, whole_ratings, half_points, k_values)
def test_club_game_is_zero_sum_under_equal_k(own, opponent, halves, k):
    own_change = change(own, opponent, halves, k, CLUB)
    assert own_change == -change(opponent, own, 2 - halves, k, CLUB)


@given(whole_ratings, whole_ratings, half_points, k_values)
def test_bulk_change_is_the_same_number(own, opponent, halves, k):
    tenths = change_tenths(own, opponent, halves, k)
    assert type(tenths) is int
    assert change(own, opponent, halves, k, CLUB) == Decimal(tenths) / 10


@given(whole_ratings, whole_ratings, st.integers(0, 400), both_rules)
def test_a_stronger_opponent_never_lowers_the_change(own, opponent, more, rules):
    for halves in (0, 1, 2):
        weaker = change(own, opponent, halves, 20, rules)
        assert change(own, opponent + more, halves, 20, rules) >= weaker


@given(whole_ratings, whole_ratings, k_values, both_rules)
def test_a_better_score_never_lowers_the_change(own, opponent, k, rules):
    changes = [change(own, opponent, halves, k, rules) for halves in (0, 1, 2)]
    assert changes == sorted(changes)
    assert changes[0] <= 0 <= changes[2]


@given(whole_ratings, whole_ratings, half_points, k_values, both_rules)
def test_a_change_is_never_more_than_k(own, opponent, halves, k, rules):
    assert abs(change(own, opponent, halves, k, rules)) <= k


@given(whole_ratings, whole_ratings, half_points, k_values)
def test_club_change_is_within_half_a_tenth_of_k_times_score_less_expected(
    own, opponent, halves, k
):
    exact = k * (Decimal(halves) / 2 - expected_score(own, opponent, CLUB))
    assert abs(change(own, opponent, halves, k, CLUB) - exact) <= Decimal("0.05")


@given(states, states, half_points, st.booleans(), st.booleans())
def test_a_game_is_the_same_seen_from_either_side(white, black, halves, white_young, black_young):
    game = rate_game(white, black, halves, white_young, black_young)
    mirrored = rate_game(black, white, 2 - halves, black_young, white_young)
    assert game == (*mirrored[2:4], *mirrored[:2], mirrored.black, mirrored.white)


@given(states, states, half_points, st.booleans(), st.booleans())
def test_a_game_follows_from_change_and_k(white, black, halves, white_young, black_young):
    game = rate_game(white, black, halves, white_young, black_young)
    own, opponent = displayed(white.rating), displayed(black.rating)
    assert game.white_change == change_tenths(own, opponent, halves, game.white_k)
    assert game.black_change == change_tenths(opponent, own, 2 - halves, game.black_k)
    assert game.white.rating == white.rating + game.white_change
    assert game.black.rating == black.rating + game.black_change
    assert (game.white.games, game.black.games) == (white.games + 1, black.games + 1)
    assert game.white.marks >= white.marks
    assert game.black.marks >= black.marks


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), half_points), max_size=30))
def test_points_do_not_leak_between_established_players(games):
    pool = [PlayerState(15000 + 1000 * number, 30, 0, True) for number in range(4)]
    before = sum(state.rating for state in pool)
    for white, black, halves in games:
        if white != black:
            game = rate_game(pool[white], pool[black], halves, False, False)
            pool[white], pool[black] = game.white, game.black
    assert sum(state.rating for state in pool) == before
