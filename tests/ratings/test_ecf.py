"""ECF grades against the rules' own cases, both sides of each boundary, and properties."""

import datetime
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings import ecf
from ratings.ecf import BRIEF, ECF_2012, ECF_2015, GamePoints, OpeningGrade

JULY = date(2026, 7, 1)
WIN, DRAW, LOSS = 2, 1, 0


@pytest.mark.parametrize(
    ("own", "opponent", "halves", "points", "theirs"),
    [
        (160, 140, WIN, 190, 110),
        (160, 100, WIN, 170, 90),
        (150, 90, WIN, 160, 80),
        (150, 90, DRAW, 110, 130),
        (150, 90, LOSS, 60, 180),
        (150, 130, WIN, 180, 100),
        (150, 130, LOSS, 80, 200),
        (150, 150, WIN, 200, 100),
        (150, 150, LOSS, 100, 200),
        (150, 200, WIN, 240, 110),
        (150, 200, DRAW, 190, 160),
        (150, 200, LOSS, 140, 210),
        (20, -12, WIN, 38, -30),
        (90, 150, LOSS, 80, 160),
        (150, 110, WIN, 160, 100),
        (150, 109, WIN, 160, 99),
        (150, 190, LOSS, 140, 200),
        (150, 191, LOSS, 140, 201),
    ],
)
def test_the_points_of_a_game_for_both_sides(own, opponent, halves, points, theirs):
    assert ecf.game_points(own, opponent, halves) == points
    assert ecf.game_points(opponent, own, 2 - halves) == theirs


@pytest.mark.parametrize(
    ("own", "opponent", "halves"), [(None, 150, 1), (150, None, 1), (150, 150, 3), (1.5, 150, 1)]
)
def test_what_is_no_grade_and_no_score_is_refused(own, opponent, halves):
    with pytest.raises(ValueError):
        ecf.game_points(own, opponent, halves)


@given(st.integers(-50, 300), st.integers(-50, 300), st.sampled_from([0, 1, 2]))
def test_a_game_is_zero_sum_around_the_two_own_grades(own, opponent, halves):
    gained = ecf.game_points(own, opponent, halves) - own
    assert gained == -(ecf.game_points(opponent, own, 2 - halves) - opponent)


@pytest.mark.parametrize(
    ("day", "cutoff"),
    [
        (date(2025, 6, 30), date(2025, 7, 1)),
        (date(2025, 7, 1), date(2026, 1, 1)),
        (date(2025, 12, 31), date(2026, 1, 1)),
        (date(2026, 1, 1), date(2026, 7, 1)),
    ],
)
def test_a_game_is_on_the_list_that_closes_its_half_year(day, cutoff):
    assert ecf.cutoff_closing(day) == cutoff


def test_cutoffs_back_and_forth():
    assert ecf.cutoffs_back(date(2026, 1, 1), 6) == date(2023, 1, 1)
    assert ecf.cutoffs_back(JULY, 1) == date(2026, 1, 1)
    assert ecf.next_cutoff(date(2026, 1, 1)) == JULY
    with pytest.raises(ValueError):
        ecf.cutoffs_back(date(2026, 7, 2), 1)


@pytest.mark.parametrize(
    ("numerator", "divisor", "whole"),
    [(285, 2, 143), (-25, 2, -12), (-27, 2, -13), (1432, 10, 143), (-1, 3, 0), (-2, 3, -1)],
)
def test_halves_round_up_of_both_signs(numerator, divisor, whole):
    assert ecf.rounded(numerator, divisor) == whole


def played(count, last, points=150):
    """`count` games on the days up to and with `last`, newest first."""
    return [GamePoints(last - timedelta(days=n), points) for n in range(count)]


THIS_YEAR = date(2026, 6, 30)
YEAR_BEFORE = date(2025, 6, 30)
TWO_BEFORE = date(2024, 6, 30)


def test_older_games_are_brought_in_newest_first_until_thirty():
    games = played(11, THIS_YEAR, 100) + played(25, YEAR_BEFORE, 130)
    mean = ecf.mean_of(games, None, JULY, BRIEF)
    assert (mean.counted, mean.brought_in) == (11, 19)
    assert (mean.numerator, mean.divisor) == (11 * 100 + 19 * 130, 30)
    assert ecf.category_of(games, JULY, BRIEF).letter == "C"


@pytest.mark.parametrize(("games", "brought_in"), [(29, 1), (30, 0), (31, 0)])
def test_thirty_games_in_the_twelve_months_suffice(games, brought_in):
    mean = ecf.mean_of(played(games, THIS_YEAR) + played(5, YEAR_BEFORE), None, JULY, BRIEF)
    assert (mean.counted, mean.brought_in) == (games, brought_in)


@pytest.mark.parametrize(("rules", "divisor"), [(BRIEF, 45), (ECF_2012, 30)])
def test_a_busy_player(rules, divisor):
    mean = ecf.mean_of(played(45, THIS_YEAR), None, JULY, rules)
    assert mean.divisor == mean.counted == divisor


def test_the_half_year_that_crosses_thirty_counts_at_its_average():
    later = [GamePoints(date(2025, 4, 1) - timedelta(days=n), 120) for n in range(12)]
    earlier = [GamePoints(date(2024, 11, 1) - timedelta(days=n), 100 + n) for n in range(13)]
    mean = ecf.mean_of(played(11, THIS_YEAR, 90) + later + earlier, None, JULY, ECF_2015)
    total = sum(game.points for game in earlier)
    assert (mean.counted, mean.brought_in, mean.averaged, mean.averaged_of) == (11, 12, 7, 13)
    assert mean.averaged_from == date(2024, 7, 1)
    assert (mean.numerator, mean.divisor) == ((990 + 1440) * 13 + 7 * total, 30 * 13)


def test_the_two_latest_half_years_count_whole_and_the_third_in_part():
    cutoff = date(2015, 1, 1)
    latest = [GamePoints(date(2014, 12, 1) - timedelta(days=n), 110) for n in range(11)]
    second = [GamePoints(date(2014, 6, 1) - timedelta(days=n), 120) for n in range(14)]
    third = [GamePoints(date(2013, 12, 1) - timedelta(days=n), 90 + n) for n in range(17)]
    mean = ecf.mean_of(latest + second + third, None, cutoff, ECF_2015)
    total = sum(game.points for game in third)
    assert (mean.numerator, mean.divisor) == ((1210 + 1680) * 17 + 5 * total, 30 * 17)


@pytest.mark.parametrize(
    ("recent", "older", "last_older", "rules", "letter"),
    [
        (30, 0, YEAR_BEFORE, BRIEF, "A"),
        (20, 10, YEAR_BEFORE, BRIEF, "B"),
        (20, 10, TWO_BEFORE + timedelta(days=5), BRIEF, "C"),
        (10, 20, YEAR_BEFORE, BRIEF, "C"),
        (9, 30, YEAR_BEFORE, BRIEF, "D"),
        (5, 10, YEAR_BEFORE, BRIEF, "D"),
        (1, 8, YEAR_BEFORE, BRIEF, "E"),
        (1, 4, YEAR_BEFORE, ECF_2015, "F"),
        (1, 4, YEAR_BEFORE, BRIEF, None),
        (0, 40, YEAR_BEFORE, BRIEF, None),
        (30, 0, YEAR_BEFORE, ECF_2012, "X"),
        (30, 0, YEAR_BEFORE, ECF_2015, "A"),
    ],
)
def test_categories(recent, older, last_older, rules, letter):
    games = played(recent, THIS_YEAR) + played(older, last_older)
    category = ecf.category_of(games, JULY, rules)
    assert (category and category.letter) == letter


def test_a_player_without_a_game_in_the_last_twelve_months_is_not_published():
    games = [GamePoints(date(2025, 6, 30), 150)] * 40
    assert not ecf.is_published(ecf.mean_of(games, None, JULY, BRIEF), BRIEF)
    games = [GamePoints(date(2025, 7, 1), 150)] * 9
    assert ecf.is_published(ecf.mean_of(games, None, JULY, BRIEF), BRIEF)


@pytest.mark.parametrize(
    ("games", "rules", "out"),
    [(8, BRIEF, False), (9, BRIEF, True), (4, ECF_2015, False), (5, ECF_2015, True)],
)
def test_the_minimum_of_games(games, rules, out):
    assert ecf.is_published(ecf.mean_of(played(games, THIS_YEAR), None, JULY, rules), rules) is out


def test_the_opening_grade_fills_up_to_thirty_and_counts_no_category():
    games = played(10, THIS_YEAR, 120)
    mean = ecf.mean_of(games, OpeningGrade(150, date(2026, 2, 1)), JULY, BRIEF)
    assert (mean.numerator, mean.divisor, mean.grade) == (10 * 120 + 20 * 150, 30, 140)
    assert mean.opening_games == 20
    assert ecf.category_of(games, JULY, BRIEF).letter == "E"


@pytest.mark.parametrize(
    ("dated_on", "counts"),
    [
        (date(2023, 6, 30), False),
        (date(2023, 7, 1), True),
        (date(2026, 6, 30), True),
        (date(2026, 7, 1), False),
    ],
)
def test_the_opening_grade_counts_from_36_months_before_the_cutoff_to_the_day(dated_on, counts):
    assert OpeningGrade(150, dated_on).counts_at(JULY) is counts


def test_nothing_to_take_a_mean_of():
    assert ecf.mean_of([], None, JULY, BRIEF) is None


def test_grades_and_ratings():
    assert [ecf.rating_from_grade(grade) for grade in (160, 100)] == [19000, 14500]
    assert [ecf.grade_from_rating(tenths) for tenths in (19000, 14500, 14538)] == [160, 100, 101]
    assert [ecf.fide_from_rating(t) for t in (15000, 17500, 19000)] == [16000, 17500, 19000]
    assert ecf.published(-12) == 0


@given(st.lists(st.integers(0, 250), min_size=30, max_size=60), st.integers(0, 250))
def test_a_draw_with_ones_equal_moves_the_mean_towards_ones_grade(points, own):
    games = [GamePoints(THIS_YEAR, value) for value in points]
    more = [GamePoints(THIS_YEAR, ecf.game_points(own, own, DRAW)), *games]
    before = ecf.mean_of(games, None, JULY, BRIEF)
    after = ecf.mean_of(more, None, JULY, BRIEF)
    off = abs(before.numerator - own * before.divisor) * after.divisor
    assert abs(after.numerator - own * after.divisor) * before.divisor <= off


@given(st.integers(0, 400), st.sampled_from([BRIEF, ECF_2012, ECF_2015]))
def test_a_mean_of_equal_points_is_those_points(count, rules):
    games = [GamePoints(THIS_YEAR - timedelta(days=3 * n), 137) for n in range(min(count, 300))]
    games = [game for game in games if game.played_on >= date(2023, 7, 1)]
    mean = ecf.mean_of(games, None, JULY, rules)
    assert mean is None if not games else mean.grade == 137


def test_importing_the_module_needs_no_framework():
    assert "django" not in ecf.__dict__
    assert ecf.half_year_of(datetime.date(2026, 12, 31)) == date(2026, 7, 1)
