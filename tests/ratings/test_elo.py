"""Elo by hand-checked numbers and published calculations: expected scores, rounding, periods."""

import csv
import os
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from decimal import ROUND_HALF_UP, Decimal, localcontext
from pathlib import Path

import pytest

from ratings.elo import (
    CLUB,
    FIDE_2024,
    PlayerState,
    change,
    change_tenths,
    displayed,
    expected_score,
    period_change,
    period_k,
    rate_game,
)

DATA = Path(__file__).parent / "data"
ROOT = Path(__file__).parents[2]


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
