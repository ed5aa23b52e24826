"""Elo by hand-checked numbers, published calculations, properties and extremes."""

import csv
import datetime
import os
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from decimal import ROUND_HALF_UP, Decimal, localcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.elo import (
    CLUB,
    ELO,
    FIDE_2024,
    GRADE,
    Opening,
    OpeningFact,
    PlayerState,
    change,
    change_tenths,
    displayed,
    expected_score,
    is_provisional,
    k_factor,
    opening_state,
    opening_tenths,
    period_change,
    period_k,
    plays_as_junior,
    rate_game,
)

DATA = Path(__file__).parent / "data"
ROOT = Path(__file__).parents[2]

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


def rows(name):
    with open(DATA / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rows_as_params(name):
    return [pytest.param(row, id=row["id"]) for row in rows(name)]


def rules_named(name):
    return {"CLUB": CLUB, "FIDE_2024": FIDE_2024}[name]


def change_of(row):
    numbers = [int(row[name]) for name in ("own", "opponent", "halves", "k")]
    return change(*numbers, rules_named(row["rules"]))


# --- Published numbers -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("behind", "percent"), [(0, 50), (50, 43), (100, 36), (200, 24), (400, 9), (800, 1)]
)
def test_chances_of_the_lower_side_in_whole_per_cent(behind, percent):
    lower = expected_score(1500, 1500 + behind, CLUB)
    assert (lower * 100).quantize(Decimal(1), ROUND_HALF_UP) == percent


def test_chance_of_the_higher_side_400_ahead():
    assert expected_score(1900, 1500, CLUB) == Decimal("0.9091")


@pytest.mark.parametrize("row", rows_as_params("elo_changes.csv"))
def test_change_of_one_game(row):
    assert change_of(row) == Decimal(row["change"])


@pytest.mark.parametrize("row", rows_as_params("elo_whole_points.csv"))
def test_change_rounds_to_the_whole_points_others_publish(row):
    assert change_of(row).quantize(Decimal(1), ROUND_HALF_UP) == Decimal(row["whole"])


def test_two_games_in_sequence_are_rated_from_the_rating_before_each():
    after_loss = 16130 + change_tenths(1613, 1609, 0, 32)
    assert after_loss == 15968
    assert after_loss + change_tenths(displayed(after_loss), 1477, 1, 32) == 15915


# --- Expected scores ---------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("fide_812.csv"), ids=lambda row: row["d_min"])
def test_fide_expected_score_is_table_8_1_2(row):
    uncapped = replace(FIDE_2024, difference_cap=None)
    last = int(row["d_max"] or 4000)
    for difference in {int(row["d_min"]), last}:
        higher = expected_score(1500 + difference, 1500, uncapped)
        lower = expected_score(1500, 1500 + difference, uncapped)
        assert (higher, lower) == (Decimal(row["pd_higher"]), Decimal(row["pd_lower"]))


@pytest.mark.parametrize(
    ("own", "opponent", "expected"),
    [
        (1900, 1500, "0.92"),
        (1901, 1500, "0.92"),
        (2649, 1500, "0.92"),
        (1500, 2649, "0.08"),
        (2650, 2250, "0.92"),
        (2650, 2100, "0.97"),
        (2650, 1914, "1.00"),
        (2650, 1915, "0.99"),
        # Judged on the player himself: against a 2650 he is capped, the 2650 is not.
        (2100, 2650, "0.08"),
        (2650, 3200, "0.03"),
    ],
)
def test_fide_difference_above_400_counts_as_400_below_2650(own, opponent, expected):
    assert expected_score(own, opponent, FIDE_2024) == Decimal(expected)


def test_club_has_no_cap():
    assert expected_score(1500, 2300, CLUB) == Decimal("0.0099")
    assert expected_score(2900, 1500, CLUB) == Decimal("0.9997")


def test_club_expected_score_is_the_formula_to_four_decimals():
    with localcontext() as context:
        context.prec = 50
        for difference in range(2000):
            exact = 1 / (1 + Decimal(10) ** (Decimal(-difference) / 400))
            rounded = exact.quantize(Decimal("0.0001"), ROUND_HALF_UP)
            assert expected_score(difference, 0, CLUB) == rounded
            assert expected_score(0, difference, CLUB) == 1 - rounded


def test_no_club_expected_score_lies_so_near_a_half_that_its_rounding_is_in_doubt():
    with localcontext() as context:
        context.prec = 50
        for difference in range(1, 2000):
            exact = 10_000 / (1 + Decimal(10) ** (Decimal(-difference) / 400))
            assert abs(exact % 1 - Decimal("0.5")) > Decimal("1e-6")


def test_fide_table_leaves_the_normal_curve():
    """A formula would give 0.51 from 4 points on, but 0.92 only to 401 or so."""
    assert expected_score(2392, 2000, FIDE_2024) == Decimal("0.92")
    assert FIDE_2024.expected[411] == 92
    assert FIDE_2024.expected[412] == 93


# --- Rounding ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "opponent", "halves", "k", "expected"),
    [
        (1565, 1500, 2, 20, "8.2"),  # 20 x 0.4075 = 8.15
        (1500, 1565, 0, 20, "-8.2"),
        (1565, 1500, 0, 20, "-11.9"),  # 20 x 0.5925 = 11.85
        (1500, 1565, 2, 20, "11.9"),
        (1627, 1500, 2, 10, "3.3"),  # 10 x 0.325: rounding to even would give 3.2
        (1500, 1627, 0, 10, "-3.3"),
        (1627, 1500, 1, 10, "-1.8"),
        (1500, 1627, 1, 10, "1.8"),
    ],
)
def test_club_change_rounds_halves_away_from_zero(own, opponent, halves, k, expected):
    assert change(own, opponent, halves, k, CLUB) == Decimal(expected)


def test_a_small_change_does_not_vanish():
    assert change(2000, 1500, 2, 10, CLUB) == Decimal("0.5")
    assert change(2400, 1500, 2, 10, CLUB) == Decimal("0.1")


@pytest.mark.parametrize(
    ("tenths", "shown"),
    [
        (15965, 1597),
        (15964, 1596),
        (15966, 1597),
        (15955, 1596),
        (0, 0),
        (4, 0),
        (5, 1),
        (-4, 0),
        (-5, 0),
        (-6, -1),
        (-15, -1),
        (-16, -2),
    ],
)
def test_displayed_rating_rounds_halves_up(tenths, shown):
    assert displayed(tenths) == shown


# --- FIDE's periods ----------------------------------------------------------------------


def games_of(text):
    halves = {"1": 2, "=": 1, "0": 0}
    words = text.split()
    return [
        (int(opponent), halves[score])
        for opponent, score in zip(words[::2], words[1::2], strict=True)
    ]


@pytest.mark.parametrize("row", rows_as_params("fide_periods.csv"))
def test_period_is_summed_exactly_and_rounded_once(row):
    own, k, games = int(row["own"]), int(row["k"]), games_of(row["games"])
    exact = sum(change(own, opponent, halves, k, FIDE_2024) for opponent, halves in games)
    assert exact == Decimal(row["exact"])
    assert period_change(own, games, k, FIDE_2024) == int(row["whole"])


def test_period_rounds_a_positive_half_up_too():
    assert period_change(2000, [(2000, 2), (2000, 1), (2000, 0), (2000, 2)], 5, FIDE_2024) == 3
    assert period_change(2000, [(2000, 2)], 5, FIDE_2024) == 3
    assert period_change(2000, [(2000, 0)], 5, FIDE_2024) == -3


def test_period_without_games_changes_nothing():
    assert period_change(2000, [], 20, FIDE_2024) == 0


def test_period_refuses_half_points_written_as_points():
    with pytest.raises(ValueError, match="half-points"):
        period_change(2000, [(1900, 2), (1900, 0.5)], 20, FIDE_2024)


@pytest.mark.parametrize(
    ("k", "games", "used"),
    [
        (20, 39, 17),
        (40, 18, 38),
        (10, 71, 9),
        (40, 17, 40),
        (10, 70, 10),
        (20, 35, 20),
        (40, 0, 40),
    ],
)
def test_period_k_times_games_is_at_most_700(k, games, used):
    assert period_k(k, games, FIDE_2024) == used


def test_club_has_no_period_limit():
    assert period_k(40, 100, CLUB) == 40


def test_period_k_refuses_a_negative_number_of_games():
    with pytest.raises(ValueError, match="number of games"):
        period_k(20, -1, FIDE_2024)


# --- K -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marks", "games", "established", "under_18", "k"),
    [
        (0, 0, False, False, 40),
        (0, 29, False, False, 40),
        (0, 30, False, False, 20),
        (0, 0, True, False, 20),
        (0, 500, True, True, 40),
        (1, 500, True, True, 20),
        (1, 0, True, True, 20),
        (1, 29, False, True, 40),
        (1, 29, False, False, 40),
        (2, 0, False, False, 10),
        (2, 0, False, True, 10),
        (2, 500, True, False, 10),
    ],
)
def test_k_is_the_first_that_fits(marks, games, established, under_18, k):
    found = k_factor(marks=marks, games=games, established=established, under_18=under_18)
    assert found == k


@pytest.mark.parametrize(
    ("born", "played", "junior"),
    [
        ((2007, 1, 1), (2025, 12, 31), True),
        ((2007, 12, 31), (2025, 12, 31), True),
        ((2007, 1, 1), (2026, 1, 1), False),
        ((2007, 12, 31), (2026, 1, 1), False),
        ((2008, 2, 29), (2026, 12, 31), True),
    ],
)
def test_junior_to_31_december_of_the_year_of_the_18th_birthday(born, played, junior):
    assert plays_as_junior(datetime.date(*born), datetime.date(*played)) is junior


def test_without_a_birth_date_nobody_is_a_junior():
    assert plays_as_junior(None, datetime.date(2025, 10, 1)) is False


@pytest.mark.parametrize(
    ("games", "established", "provisional"),
    [(0, False, True), (29, False, True), (30, False, False), (0, True, False)],
)
def test_provisional_before_30_games_without_an_established_opening(
    games, established, provisional
):
    assert is_provisional(games, established) is provisional


# --- Opening ratings ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, Opening(15000, False)),
        ({("rapid", ELO): OpeningFact(17520)}, Opening(17520, True)),
        ({("rapid", ELO): OpeningFact(17525, provisional=True)}, Opening(17525, False)),
        ({("rapid", GRADE): OpeningFact(160)}, Opening(19000, False)),
        ({("rapid", GRADE): OpeningFact(101)}, Opening(14575, False)),
        ({("rapid", GRADE): OpeningFact(0)}, Opening(7000, False)),
        (
            {("rapid", ELO): OpeningFact(17000), ("rapid", GRADE): OpeningFact(160)},
            Opening(17000, True),
        ),
        # His own pool's grade comes before any other pool's rating.
        (
            {("standard", ELO): OpeningFact(18000), ("rapid", GRADE): OpeningFact(100)},
            Opening(14500, False),
        ),
        # Another pool's rating is provisional here, however established there.
        ({("standard", ELO): OpeningFact(18000)}, Opening(18000, False)),
        (
            {("bullet", ELO): OpeningFact(12000), ("blitz", GRADE): OpeningFact(120)},
            Opening(16000, False),
        ),
        (
            {("blitz", ELO): OpeningFact(12000), ("standard", GRADE): OpeningFact(120)},
            Opening(16000, False),
        ),
    ],
)
def test_opening_rating_in_rapid_is_the_first_there_is(facts, expected):
    assert opening_tenths(facts, "rapid") == expected


def test_default_opening_is_a_setting():
    rules = replace(CLUB, default_opening=1200)
    assert opening_tenths({}, "standard", rules=rules) == Opening(12000, False)


@pytest.mark.parametrize(
    ("tenths", "marks"), [(22994, 0), (22995, 1), (23994, 1), (23995, 2), (15000, 0)]
)
def test_opening_rating_counts_as_reached(tenths, marks):
    state = opening_state(Opening(tenths, True))
    assert state == PlayerState(rating=tenths, games=0, marks=marks, established=True)


# --- One game in the replay --------------------------------------------------------------


def test_both_sides_are_rated_from_the_ratings_before_the_game():
    white, black = PlayerState(15000, 40, 0, False), PlayerState(17000, 40, 0, False)
    assert rate_game(white, black, 2, False, False) == (
        152,
        20,
        -152,
        20,
        PlayerState(15152, 41, 0, False),
        PlayerState(16848, 41, 0, False),
    )


def test_each_side_has_its_own_k():
    white, black = PlayerState(15000, 0, 0, False), PlayerState(15000, 0, 0, True)
    game = rate_game(white, black, 1, False, True)
    assert (game.white_k, game.black_k) == (40, 40)
    game = rate_game(white, black, 0, False, False)
    assert (game.white_change, game.white_k) == (-200, 40)
    assert (game.black_change, game.black_k) == (100, 20)


def test_k_falls_with_the_thirtieth_game_behind_him():
    white, black = PlayerState(15000, 29, 0, False), PlayerState(15000, 30, 0, False)
    game = rate_game(white, black, 1, False, False)
    assert (game.white_k, game.black_k) == (40, 20)
    assert rate_game(game.white, game.black, 1, False, False).white_k == 20


def test_a_mark_once_reached_stays():
    white, black = PlayerState(23990, 80, 1, True), PlayerState(23990, 80, 1, True)
    game = rate_game(white, black, 2, False, False)
    assert (game.white.marks, game.black.marks) == (2, 1)
    back = rate_game(game.white, game.black, 0, False, False)
    assert (back.white_k, back.white.marks) == (10, 2)
    assert displayed(back.white.rating) < 2405


def test_the_mark_is_judged_before_the_game_on_the_displayed_rating():
    white, black = PlayerState(22944, 10, 0, False), PlayerState(22950, 10, 0, False)
    game = rate_game(white, black, 2, True, True)
    assert (game.white_k, game.white.marks) == (40, 1)
    assert rate_game(game.white, game.black, 1, True, True).white_k == 40
    older = game.white._replace(games=30)
    assert rate_game(older, game.black, 1, True, True).white_k == 20


def test_displayed_ratings_decide_and_stored_tenths_move():
    """1596.8 shows as 1597: the difference to 1477 is 120, not 119.8."""
    white, black = PlayerState(15968, 0, 0, False), PlayerState(14770, 0, 0, False)
    rules = replace(CLUB, k_new=32)
    assert rate_game(white, black, 1, False, False, rules).white.rating == 15915


def test_floor_is_off_by_default():
    white, black = PlayerState(10, 50, 0, True), PlayerState(10, 50, 0, True)
    assert rate_game(white, black, 0, False, False).white.rating == -90


def test_floor_stops_a_fall_and_the_change_says_what_moved():
    rules = replace(CLUB, floor=800)
    white, black = PlayerState(8030, 50, 0, True), PlayerState(8030, 50, 0, True)
    game = rate_game(white, black, 0, False, False, rules)
    assert (game.white_change, game.white.rating) == (-30, 8000)
    assert (game.black_change, game.black.rating) == (100, 8130)
    assert opening_state(Opening(7000, False), rules).rating == 8000


def test_floor_of_nought_is_a_floor():
    rules = replace(CLUB, floor=0)
    white, black = PlayerState(10, 50, 0, True), PlayerState(10, 50, 0, True)
    assert rate_game(white, black, 0, False, False, rules).white.rating == 0


def test_rules_by_period_rate_no_single_game():
    white = PlayerState(15000, 0, 0, False)
    with pytest.raises(ValueError, match="FIDE_2024 rates a whole period"):
        rate_game(white, white, 1, False, False, FIDE_2024)


# --- What is refused ---------------------------------------------------------------------


@pytest.mark.parametrize("rules", [CLUB, FIDE_2024], ids=lambda rules: rules.name)
@pytest.mark.parametrize("halves", [-1, 3, 0.5, 1.0, "1", None, True, Decimal(1)])
def test_bad_score_is_refused(halves, rules):
    with pytest.raises(ValueError, match="0, 1 or 2 half-points"):
        change(1500, 1500, halves, 20, rules)


@pytest.mark.parametrize("halves", [-1, 3, 0.5])
def test_bad_score_is_refused_in_the_replay(halves):
    state = PlayerState(15000, 0, 0, False)
    with pytest.raises(ValueError, match="0, 1 or 2 half-points"):
        rate_game(state, state, halves, False, False)


@pytest.mark.parametrize("k", [0, -20, 20.0, "20", None, True])
def test_k_of_nought_or_no_number_is_refused(k):
    with pytest.raises(ValueError, match="K is a whole number above 0"):
        change(1500, 1500, 1, k, CLUB)


@pytest.mark.parametrize("rating", [None, "1500", 1500.5, Decimal(1500), False])
def test_missing_or_odd_rating_is_refused(rating):
    for own, opponent in ((rating, 1500), (1500, rating)):
        with pytest.raises(ValueError, match="rating is a whole number of points"):
            expected_score(own, opponent, CLUB)
        with pytest.raises(ValueError, match="rating is a whole number of points"):
            change(own, opponent, 1, 20, CLUB)


def test_rules_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        CLUB.k = 32


def test_importing_needs_no_django():
    code = "import sys; sys.modules['django'] = None; import ratings.elo"
    environment = {name: value for name, value in os.environ.items() if "DJANGO" not in name}
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, env=environment)


# --- Properties --------------------------------------------------------------------------


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


# --- Extremes ----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [CLUB, FIDE_2024], ids=lambda rules: rules.name)
def test_immense_differences(rules):
    assert expected_score(10**9, 0, rules) == 1
    assert change(10**9, 0, 2, 40, rules) == 0
    assert change(10**9, 0, 0, 40, rules) == -40


def test_club_expected_score_reaches_certainty_only_far_out():
    assert expected_score(1720, 0, CLUB) == Decimal("0.9999")
    assert expected_score(1721, 0, CLUB) == 1
    assert expected_score(0, 1720, CLUB) == Decimal("0.0001")
    assert expected_score(0, 1721, CLUB) == 0


def test_negative_ratings_count_by_their_difference():
    assert expected_score(-100, 100, CLUB) == expected_score(1500, 1700, CLUB)
