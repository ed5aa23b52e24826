"""One game after another: the K of each, opening ratings, marks and the floor."""

import datetime
from dataclasses import replace

import pytest

from ratings.elo import (
    CLUB,
    ELO,
    FIDE_2024,
    GRADE,
    Opening,
    OpeningFact,
    PlayerState,
    displayed,
    is_provisional,
    k_factor,
    opening_state,
    opening_tenths,
    plays_as_junior,
    rate_game,
)

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
