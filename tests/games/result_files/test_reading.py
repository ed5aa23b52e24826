"""Dates, results and scores as they come in league files."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.result_files.reading import (
    AWAY_DEFAULT,
    DOUBLE_DEFAULT,
    HOME_DEFAULT,
    ReadResult,
    read_date,
    read_result,
    read_score,
)

SEASON = {"starts_on": datetime.date(2012, 7, 1), "ends_on": datetime.date(2013, 7, 1)}


# --- Dates -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("16/10/12", "2012-10-16"),
        ("Tues.   9.10.12", "2012-10-09"),
        ("Mon.    4. 2.13", "2013-02-04"),
        ("3 Oct 2019", "2019-10-03"),
        ("12 may 2012", "2012-05-12"),
        ("12 Sep 2011", "2011-09-12"),
        ("12 Sept. 2011", "2011-09-12"),
        ("30 March 2013", "2013-03-30"),
        ("Mon 29 Sep 25", "2025-09-29"),
        ("Monday, 29 September 2025", "2025-09-29"),
        ("Weds 1 Oct 25", "2025-10-01"),
        ("Thurs 2 Oct 25", "2025-10-02"),
        ("Thu 13th Feb 2020", "2020-02-13"),
        ("1st Feb 2020", "2020-02-01"),
        ("2nd Feb 2020", "2020-02-02"),
        ("3rd Feb 2020", "2020-02-03"),
        ("Tue 30th Apr 2019 23:40", "2019-04-30"),
        ("11 Jan 13", "2013-01-11"),
        ("11-Jan-13", "2013-01-11"),
        ("22/09/2025", "2025-09-22"),
        ("22-09-2025", "2025-09-22"),
        ("2026-02-09", "2026-02-09"),
        ("2026-02-09T19:30", "2026-02-09"),
        ("2026-02-09 00:00:00", "2026-02-09"),
        ("2005.07.28", "2005-07-28"),
        ("2005/7/8", "2005-07-08"),
        ("24/09/2010", "2010-09-24"),
        ("28. 07. 2005", "2005-07-28"),
        ("10.09.13", "2013-09-10"),
        ("20250905", "2025-09-05"),
        ("(Tue) 10 Sep 1963 (36)", "1963-09-10"),
        ("\u00a03\u00a0Oct\u00a02019\r\n", "2019-10-03"),
        ("29/2/2012", "2012-02-29"),
        ("1/1/69", "2069-01-01"),
        ("1/1/70", "1970-01-01"),
    ],
)
def test_date_day_first(text, iso):
    assert read_date(text) == datetime.date.fromisoformat(iso)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a date"),
        ("soon", "'soon' is not a date"),
        ("2025.??.??", "is not a date"),
        ("1987/00/00", "no day 0 in month 0"),
        ("29/02/2013", "no day 29 in month 2"),
        ("31 Apr 2013", "no day 31 in month 4"),
        ("10/13/2012", "no day 10 in month 13"),
        ("3 Foo 2019", "'Foo' is no month"),
        ("Fri 13 Oz 2019", "is not a date"),
        ("Oct 3 2019", "'Oct' is no weekday"),
        ("3 Oct 019", "is not a date"),
        ("3/10/0019", "no year 19"),
        ("31/12/1799", "no year 1799"),
        ("1/1/2200", "no year 2200"),
        ("16/10-12", "is not a date"),
        ("16/10/12 or 17/10/12", "is not a date"),
        ("2026-02-09T19:30:00Z", "is not a date"),
        ("٣/١٠/٢٠١٩", "is not a date"),
        ("22nd Jan", "has no year"),
        ("11/1", "has no year"),
        ("Mon 22 Jan", "has no year"),
    ],
)
def test_what_is_no_date_is_refused(text, message):
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        read_date(text)


def test_a_weekday_that_is_not_the_dates_own_is_refused():
    with pytest.raises(ValueError, match="2012-10-09 is a Tuesday, not a Monday"):
        read_date("Mon. 9.10.12")


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("22nd Jan", "2013-01-22"),
        ("11/1", "2013-01-11"),
        ("Mon. 1 Oct", "2012-10-01"),
        ("1/7", "2012-07-01"),
        ("30/6", "2013-06-30"),
    ],
)
def test_the_season_decides_the_year(text, iso):
    assert read_date(text, **SEASON) == datetime.date.fromisoformat(iso)


def test_a_season_that_has_the_day_twice_or_never_does_not_decide():
    with pytest.raises(ValueError, match="season does not decide"):
        read_date("29 Feb", **SEASON)
    with pytest.raises(ValueError, match="season does not decide"):
        read_date("1 Aug", starts_on=datetime.date(2012, 7, 1), ends_on=datetime.date(2013, 9, 1))


@pytest.mark.parametrize("text", ["1/7/12", "30/6/13"])
def test_first_and_last_day_of_the_season(text):
    assert read_date(text, **SEASON) == read_date(text)


@pytest.mark.parametrize("text", ["30/6/12", "1/7/13", "16/10/2021"])
def test_a_date_outside_the_season_is_refused(text):
    with pytest.raises(ValueError, match="outside the season"):
        read_date(text, **SEASON)


@given(st.dates(datetime.date(1800, 1, 1), datetime.date(2199, 12, 31)))
def test_every_date_is_read_back(day):
    forms = ["%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y", "%d %b %Y", "%A %d %B %Y", "%Y%m%d"]
    assert {read_date(day.strftime(form)) for form in forms} == {day}


@given(st.text())
def test_any_text_is_a_date_or_a_value_error(text):
    try:
        assert isinstance(read_date(text), datetime.date)
    except ValueError as error:
        assert str(error)


# --- Results -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("halves", "tokens"),
    [
        (2, ["1-0", "1 - 0", "1–0", "1—0", "1−0", "1:0", "10", "1 0", "1", " 1-0 ", "1 / 0"]),
        (0, ["0-1", "0 - 1", "0–1", "01", "0 1", "0", "0:1"]),
        (
            1,
            [
                *["draw", "Draw", "DRAW", "drawn", "½-½", "½ - ½", "½–½", "½ ½", "½", "=", "55"],
                *["1/2-1/2", "1/2 - 1/2", "0.5-0.5", "0.5 / 0.5", "0,5-0,5", "0.5"],
                *["Â½ - Â½", "˝ - ˝", "\\u00bd - \\u00bd"],
            ],
        ),
    ],
)
def test_games_played(halves, tokens):
    assert {token: read_result(token) for token in tokens} == {
        token: ReadResult(halves, None) for token in tokens
    }


@pytest.mark.parametrize(
    ("default", "tokens"),
    [
        (
            HOME_DEFAULT,
            [
                *["1-0 def", "1 - 0(def)", "1 - 0 (def)", "1-0 DEF.", "1-0 default", "1-0d"],
                *["1-0 by default", "1-0 (by default)", "1-0 f", "1-0 w/o", "1d", "1 ( def)"],
                *["def+", "+", "+-", "+ -", "+ - -"],
            ],
        ),
        (
            AWAY_DEFAULT,
            ["0-1 def", "0 - 1(def)", "0-1 d", "0-1 Default", "d1", "def-", "-+", "- - +"],
        ),
        (
            DOUBLE_DEFAULT,
            ["0-0 def", "0 - 0(def)", "dd", "dbld", "dbl def", "def-def", "double default", "---"],
        ),
    ],
)
def test_defaults(default, tokens):
    assert {token: read_result(token) for token in tokens} == {
        token: ReadResult(None, default) for token in tokens
    }


@pytest.mark.parametrize(
    "token", ["", "  ", "*", "unfinished", "Not played", "- (  )", "void", "tbr"]
)
def test_no_result(token):
    assert read_result(token) == ReadResult(None, None)


@pytest.mark.parametrize("token", ["0 - 0", "0-0", "00", "0–0"])
def test_nought_all_needs_its_kind(token):
    with pytest.raises(ValueError, match="unplayed, void or a double default: say which"):
        read_result(token)


@pytest.mark.parametrize(
    "token",
    [
        *[
            "-",
            "- -",
            "1-1",
            "½-0",
            "1-½",
            "½-½ def",
            "½ ( HPB)",
            "3½ - 2½",
            "29½",
            "3 : -3",
            "18,5",
        ],
        *["W", "D", "L", "X", "H", "F", "U", "Z", "B", "w5+", "b9=", "bye+", "bye=", "def="],
        *["default", "def", "d", "2-0", "1-0-0", "1-0 1-0", "01-Jan", "10.5", "1.0", "\0", "1-0\0"],
        *["Evan ½ ½ Frank", "Frank 1 0 Colin Jones", "١-٠"],
    ],
)
def test_what_is_no_result_is_refused(token):
    with pytest.raises(ValueError, match="is not a result: expected 1-0, 0-1, draw or 1-0 def"):
        read_result(token)


@given(st.text())
def test_any_text_is_a_result_or_a_value_error(text):
    try:
        result = read_result(text)
    except ValueError:
        return
    assert result.halves in (None, 0, 1, 2)
    assert result.halves is None or result.default is None


# --- Scores ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("3½", 7),
        ("3 ½", 7),
        ("½", 1),
        ("0½", 1),
        ("2.5", 5),
        ("2,5", 5),
        ("2.50", 5),
        (".5", 1),
        ("3 1/2", 7),
        ("1/2", 1),
        ("4", 8),
        ("4.0", 8),
        ("0", 0),
        ("0.0", 0),
        ("29½", 59),
        ("18,5", 37),
        (" 6.0\u00a0", 12),
        ("3Â½", 7),
        ("3˝", 7),
        ("3\\u00bd", 7),
    ],
)
def test_score_in_half_points(text, halves):
    assert read_score(text) == halves


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-1",
        "-½",
        "+3",
        "2.25",
        "2.",
        ".0",
        ".",
        "3½½",
        "3½.0",
        "31/2",
        "1e2",
        "three",
        "٣",
    ],
)
def test_what_is_no_score_is_refused(text):
    with pytest.raises(ValueError, match="is not a score"):
        read_score(text)


@given(st.integers(0, 500))
def test_scores_are_read_back(halves):
    whole, half = divmod(halves, 2)
    for text in (f"{halves / 2}", f"{whole}½" if half else f"{whole}", f"{halves / 2:.2f}"):
        assert read_score(text) == halves
