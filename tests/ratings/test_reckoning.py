"""A grade taken apart adds up: by each set of rules, rounded as it was, after corrections."""

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings import categories, ecf
from ratings.ecf import BRIEF, ECF_2012, ECF_2015, GamePoints, OpeningGrade
from ratings.list_games import Change, GameNow, GradeUsed, Kept
from ratings.reckoning import NextCategory, Part, Step, decimals, in_decimals, reckon

CUTOFF = date(2015, 1, 1)
OWN = GradeUsed(140, "list", date(2014, 7, 1))


def kept(games, opening=None, rules=BRIEF, cutoff=CUTOFF):
    """What a list keeps: the mean of these games, newest first, worked out by `ratings.ecf`."""
    points = [GamePoints(day, gained) for day, gained in games]
    mean = ecf.mean_of(points, opening, cutoff, rules)
    out = ecf.is_published(mean, rules)
    category = ecf.category_of(points, cutoff, rules) if out else None
    return Kept(
        numerator=mean.numerator,
        divisor=mean.divisor,
        grade=mean.grade,
        published=ecf.published(mean.grade) if out else None,
        category=category.letter if category else None,
        recent=mean.recent,
        counted=mean.counted,
        brought_in=mean.brought_in,
        averaged=mean.averaged,
        averaged_from=mean.averaged_from,
        opening_games=mean.opening_games,
        opening_grade=opening.grade if opening and mean.opening_games else None,
        game_ids=list(range(len(games))),
        game_points=[gained for _, gained in games],
    )


def now(games):
    """The same games as the ledger has them: each a draw with somebody of that grade."""
    return {
        number: GameNow(day, 900 + number, 1, OWN, GradeUsed(gained, "list", None), gained)
        for number, (day, gained) in enumerate(games)
    }


def days(first, count, points):
    """So many games on days that go back from the first, with these points each."""
    return [(first - timedelta(days=n), points) for n in range(count)]


def taken_apart(games, opening=None, rules=BRIEF):
    return reckon(kept(games, opening, rules), now(games), CUTOFF, rules)


def lines(reckoning):
    return [(line.part, line.games, line.points) for line in reckoning.lines]


def groups(reckoning):
    return [(group.part, group.half_year, group.points) for group in reckoning.groups]


HALF_14, HALF_14A, HALF_13 = date(2014, 7, 1), date(2014, 1, 1), date(2013, 7, 1)


def test_all_games_of_the_year_and_the_newest_older_ones():
    """11 games this year, 25 the year before: 11 and the newest 19 (section 7)."""
    games = days(date(2014, 12, 20), 11, 150) + days(date(2013, 12, 20), 25, 120)
    found = taken_apart(games)
    assert lines(found) == [(Part.COUNTED, 11, 1650), (Part.BROUGHT_IN, 19, 2280)]
    assert groups(found) == [(Part.COUNTED, HALF_14, 1650), (Part.BROUGHT_IN, HALF_13, 2280)]
    assert (found.total, found.games, found.mean_shown, found.grade) == (
        3930,
        30,
        Decimal("131.00"),
        131,
    )
    assert [(g.part, g.half_year, len(g.games)) for g in found.unused] == [
        (Part.UNUSED, HALF_13, 6)
    ]


def test_a_busy_player_by_each_set_of_rules():
    games = days(date(2014, 12, 20), 45, 150)
    assert lines(taken_apart(games)) == [(Part.COUNTED, 45, 6750)]
    assert lines(taken_apart(games, rules=ECF_2012)) == [(Part.COUNTED, 30, 4500)]
    assert taken_apart(games, rules=ECF_2012).unused_games == 15
    assert lines(taken_apart(games, rules=ECF_2015)) == [(Part.COUNTED, 45, 6750)]


def test_the_half_year_that_crosses_thirty_counts_at_its_average():
    """1 January 2015: 11 and 14 games of the year, and 5/17 of the 17 of 2013 (section 7)."""
    games = (
        days(date(2014, 12, 20), 11, 150)
        + days(date(2014, 6, 20), 14, 140)
        + [(date(2013, 12, 20) - timedelta(days=n), 100 + n) for n in range(17)]
    )
    found = taken_apart(games, rules=ECF_2015)
    half_year = sum(range(100, 117))
    assert lines(found) == [
        (Part.COUNTED, 25, 1650 + 1960),
        (Part.AVERAGED, 5, Fraction(5 * half_year, 17)),
    ]
    assert groups(found) == [
        (Part.COUNTED, HALF_14, 1650),
        (Part.COUNTED, HALF_14A, 1960),
        (Part.AVERAGED, HALF_13, Fraction(5 * half_year, 17)),
    ]
    averaged = found.lines[-1]
    assert (averaged.of, averaged.of_points) == (17, half_year)
    assert found.total == 3610 + Fraction(5 * half_year, 17)
    assert found.games == 30


def test_the_opening_grade_has_its_line():
    """Opening grade 150, 10 games averaging 120: 140, the category by the 10 (section 7)."""
    games = days(date(2014, 12, 20), 10, 120)
    found = taken_apart(games, OpeningGrade(150, date(2014, 7, 1)))
    assert lines(found) == [(Part.COUNTED, 10, 1200), (Part.OPENING, 20, 3000)]
    assert found.lines[-1].each == 150
    assert (found.grade, found.earned.category.letter, found.missing) == (140, "E", 0)


def test_what_would_change_it():
    """The brief's own picture: 4,296 over 30 is 143.20; 9 more give 144, 22 fewer 142."""
    games = days(date(2014, 12, 20), 29, 143) + [(date(2014, 10, 1), 149)]
    found = taken_apart(games)
    assert (found.total, found.mean_shown, found.grade) == (4296, Decimal("143.20"), 143)
    assert (found.up, found.down) == (Step(9, 144), Step(22, 142))
    assert found.with_win_for_draw == Step(50, 145)


@pytest.mark.parametrize(
    ("total", "grade"),
    [(4305, 144), (4304, 143), (4275, 143), (4274, 142), (-15, 0), (-16, -1), (15, 1), (14, 0)],
)
def test_halves_round_up_and_the_steps_reach_the_next_half(total, grade):
    games = days(date(2014, 12, 20), 29, 0) + [(date(2014, 10, 1), total)]
    found = taken_apart(games)
    assert found.grade == grade
    assert found.published == max(grade, 0)
    for step, sign in ((found.up, 1), (found.down, -1)):
        if step is not None:
            for points, expected in ((step.points, step.grade), (step.points - 1, found.published)):
                assert ecf.published(ecf.rounded(total + sign * points, 30)) == expected
    assert (found.down is None) == (grade <= 0)


def test_the_decimals_round_as_the_mean_does():
    assert in_decimals(Fraction(28499, 200)) == Decimal("142.495")
    assert in_decimals(Fraction(-25, 2)) == Decimal("-12.50")
    assert in_decimals(Fraction(-12501, 1000)) == Decimal("-12.501")
    assert decimals(Fraction(1, 3), 2) == Decimal("0.33")
    assert decimals(Fraction(-2, 3), 2) == Decimal("-0.67")


def test_a_clamped_opponent_counts_forty_away():
    games = [(date(2014, 12, 1), 132), (date(2014, 11, 1), 150), (date(2014, 10, 1), 140)]
    mine = GradeUsed(142, "list", HALF_14)
    ledger = {
        0: GameNow(date(2014, 12, 1), 1, 0, mine, GradeUsed(188, "list", HALF_14), 132),
        1: GameNow(date(2014, 11, 1), 2, 2, mine, GradeUsed(60, "opening"), 152),
        2: GameNow(date(2014, 10, 1), 3, 1, mine, GradeUsed(140, "estimate"), 140),
    }
    games[1] = (date(2014, 11, 1), 152)
    found = reckon(kept(games), ledger, CUTOFF, BRIEF)
    assert [(g.counts_as, g.clamp, g.points) for g in found.groups[0].games] == [
        (182, "above", 132),
        (102, "below", 152),
        (140, "", 140),
    ]
    assert found.groups[0].own == [mine]


def test_a_corrected_and_a_removed_game_still_add_up():
    games = days(date(2014, 12, 20), 5, 150) + days(date(2014, 6, 20), 5, 140)
    ledger = now(games)
    del ledger[1]
    ledger[2] = ledger[2]._replace(points=None, own=None, other=None)
    ledger[3] = ledger[3]._replace(points=50, halves=0)
    ledger[6] = ledger[6]._replace(played_on=date(2015, 2, 1))
    found = reckon(kept(games), ledger, CUTOFF, BRIEF)
    assert [game.change for group in found.groups for game in group.games] == [
        *(Change.NONE, Change.REMOVED, Change.CORRECTED, Change.CORRECTED, Change.NONE),
        *(Change.NONE, Change.CORRECTED, Change.NONE, Change.NONE, Change.NONE),
    ]
    assert groups(found) == [(Part.COUNTED, HALF_14, 750), (Part.COUNTED, HALF_14A, 700)]
    assert lines(found) == lines(taken_apart(games))
    assert found.has_changes
    assert [g.counts_as for g in found.groups[0].games] == [150, None, None, None, 150]


def in_full(games):
    """What a list keeps of these games in full: each a draw with somebody of that grade."""
    return kept(games)._replace(
        game_days=[day for day, _ in games],
        game_opponents=[900 + number for number in range(len(games))],
        game_halves=[1] * len(games),
        game_own_grades=[OWN.grade] * len(games),
        game_grades=[gained for _, gained in games],
    )


def test_a_list_that_kept_its_games_knows_what_each_was():
    """A grade that moved is no correction; another day, opponent or result is."""
    games = days(date(2014, 12, 20), 5, 150) + days(date(2014, 6, 20), 5, 140)
    ledger = now(games)
    del ledger[0]
    ledger[1] = ledger[1]._replace(halves=2, points=200)
    ledger[2] = ledger[2]._replace(points=151, other=GradeUsed(151, "list", HALF_14))
    ledger[3] = ledger[3]._replace(points=None, own=None, other=None)
    ledger[4] = ledger[4]._replace(own=GradeUsed(141, "list", HALF_14))
    ledger[5] = ledger[5]._replace(played_on=date(2014, 12, 1))
    ledger[6] = ledger[6]._replace(opponent=1)
    found = reckon(in_full(games), ledger, CUTOFF, BRIEF)
    shown = [game for group in found.groups for game in group.games]
    assert [game.change for game in shown] == [
        *(Change.REMOVED, Change.CORRECTED, Change.NONE, Change.NONE, Change.NONE),
        *(Change.CORRECTED, Change.CORRECTED, Change.NONE, Change.NONE, Change.NONE),
    ]
    assert [(g.played_on, g.counts_as, g.points) for g in shown] == [
        (day, gained, gained) for day, gained in games
    ]
    assert [(g.opponent, g.halves) for g in shown] == [(900 + number, 1) for number in range(10)]
    assert groups(found) == [(Part.COUNTED, HALF_14, 750), (Part.COUNTED, HALF_14A, 700)]
    assert [g.other.source for g in shown[:5]] == ["", "list", "", "", "list"]
    assert [g.own.source for g in shown[:5]] == ["", "list", "list", "", ""]
    assert found.groups[0].own == [OWN]


def test_with_every_game_gone_a_list_that_kept_them_is_whole():
    games = days(date(2014, 12, 20), 12, 150) + days(date(2013, 12, 20), 12, 120)
    found = reckon(in_full(games), {}, CUTOFF, BRIEF)
    assert groups(found) == [(Part.COUNTED, HALF_14, 1800), (Part.BROUGHT_IN, HALF_13, 1440)]
    assert found.groups[0].own == [GradeUsed(140, "")]
    assert {g.change for group in found.groups for g in group.games} == {Change.REMOVED}


def test_with_every_game_gone_the_sum_stands():
    games = days(date(2014, 12, 20), 12, 150) + days(date(2013, 12, 20), 12, 120)
    found = reckon(kept(games), {}, CUTOFF, BRIEF)
    assert lines(found) == lines(taken_apart(games))
    assert groups(found) == [(Part.COUNTED, None, 1800), (Part.BROUGHT_IN, None, 1440)]


def test_below_the_minimum_it_says_how_many_are_missing():
    found = taken_apart(days(date(2014, 12, 20), 7, 150))
    assert (found.published, found.missing, found.earned) == (None, 2, None)


@pytest.mark.parametrize(
    ("recent", "older", "letter", "expected"),
    [
        (19, 7, "D", ("B", 4, 30, 23)),  # the picture: four more make 30, with 20 in the last 12
        (28, 10, "B", ("A", 2, 30, 30)),
        (10, 30, "C", ("B", 10, 50, 20)),
        (9, 0, "E", ("D", 6, 15, 15)),
        (4, 14, "E", ("D", 1, 19, 5)),
    ],
)
def test_what_would_earn_the_next_category(recent, older, letter, expected):
    played = [date(2014, 12, 1)] * recent + [date(2013, 3, 1)] * older
    found = categories.better(letter, played, CUTOFF, BRIEF)
    assert (found.category.letter, *found[1:]) == expected
    assert isinstance(found, NextCategory)


def test_above_the_best_category_is_none():
    assert categories.better("A", [date(2014, 12, 1)] * 30, CUTOFF, BRIEF) is None
    assert categories.better("A", [date(2014, 12, 1)] * 29 + [date(2014, 2, 1)], CUTOFF, ECF_2012)


DAYS = st.dates(date(2012, 1, 1), date(2014, 12, 31))
GAMES = st.lists(st.tuples(DAYS, st.integers(-60, 300)), min_size=1, max_size=70)
OPENINGS = st.none() | st.builds(OpeningGrade, st.integers(-20, 250), DAYS)


@given(GAMES, OPENINGS, st.sampled_from([BRIEF, ECF_2012, ECF_2015]), st.data())
def test_the_lines_always_make_the_stored_fraction(games, opening, rules, data):
    """Whatever was corrected or removed since: lines, groups and mean are the list's own."""
    games.sort(reverse=True)
    row = kept(games, opening, rules)
    ledger = now(games)
    for number in data.draw(st.sets(st.sampled_from(range(len(games))))):
        if number % 2:
            del ledger[number]
        else:
            ledger[number] = ledger[number]._replace(points=None, own=None, other=None)
    found = reckon(row, ledger, CUTOFF, rules)
    assert found.mean == Fraction(row.numerator, row.divisor)
    assert found.grade == row.grade
    assert ecf.rounded(*found.mean_shown.as_integer_ratio()) == row.grade
    for part in (Part.COUNTED, Part.BROUGHT_IN, Part.AVERAGED):
        line = sum(line.points for line in found.lines if line.part == part)
        assert line == sum(group.points for group in found.groups if group.part == part)
    shown = [game for group in (*found.groups, *found.unused) for game in group.games]
    assert sorted(game.game_id for game in shown) == list(range(len(games)))
