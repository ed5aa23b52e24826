"""Dates, results and scores as league files write them.

What can be read in one way only is read; what is ambiguous or broken raises a ValueError that
says what was expected. Nothing is guessed and nothing is repaired.
"""

import datetime
import re
from typing import NamedTuple

HOME_DEFAULT = "home_default"
AWAY_DEFAULT = "away_default"
DOUBLE_DEFAULT = "double_default"


class ReadResult(NamedTuple):
    """What a result token says of one board.

    `halves` are the home side's half-points as played, None if nothing was played;
    `default` says which side won without play (`DOUBLE_DEFAULT`: neither), else None.
    """

    halves: int | None = None
    default: str | None = None


# --- Dates -------------------------------------------------------------------------------

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_WEEKDAY_FIRST = re.compile(r"\(?([A-Za-z]{3,9})\b\)?[.,]*\s*(?=[0-9])")
_TIME_LAST = re.compile(r"[ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?$")
_WEEK_LAST = re.compile(r"\s*\([0-9]{1,2}\)$")

_YEAR_FIRST = re.compile(r"([0-9]{4})([-./])([0-9]{1,2})\2([0-9]{1,2})")
_EIGHT_DIGITS = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_DAY_FIRST = re.compile(
    r"([0-9]{1,2}) ?([-./]) ?([0-9]{1,2})(?: ?\2 ?([0-9]{4}|[0-9]{2}))?\.?",
)
_MONTH_IN_WORDS = re.compile(
    r"([0-9]{1,2})(?:st|nd|rd|th)?[-./ ]*([A-Za-z]{3,9})\.?(?:[-./, ]*([0-9]{4}|[0-9]{2}))?",
    re.IGNORECASE,
)

# Two digits from here on are of the last century.
_FIRST_YEAR_OF_LAST_CENTURY = 70
_YEARS = range(1800, 2200)


def read_date(
    text: str,
    *,
    starts_on: datetime.date | None = None,
    ends_on: datetime.date | None = None,
) -> datetime.date:
    """Return the date that a league file writes, day first unless a four-digit year leads.

    Read are `16/10/12`, `Tues. 9.10.12`, `3 Oct 2019`, `Thu 13th Feb 2020`, `2026-02-09`,
    `20250905` and their like; a time or a week number after it is dropped. Two-digit years
    are 1970 to 2069. A weekday must be the date's own. With a season `[starts_on, ends_on)`
    the date must lie in it, and one without a year takes the only year that fits. Raises
    ValueError for anything else.

    `10.09.13` is 10 September 2013 here; tournament report files that mean 2010 by it need a
    reader of their own.
    """
    rest = " ".join(text.split())
    weekday, rest = _take_weekday(rest)
    rest = _TIME_LAST.sub("", _WEEK_LAST.sub("", rest))
    year, month, day = _parts(rest, text)
    if year is None:
        found = _in_season(month, day, starts_on, ends_on, text)
    else:
        found = _date(year, month, day, text)
    if weekday is not None and found.weekday() != weekday:
        raise ValueError(
            f"{text!r}: {found} is a {_WEEKDAYS[found.weekday()].title()},"
            f" not a {_WEEKDAYS[weekday].title()}"
        )
    if (starts_on is not None and found < starts_on) or (ends_on is not None and found >= ends_on):
        raise ValueError(f"{text!r}: {found} is outside the season")
    return found


def _take_weekday(text: str) -> tuple[int | None, str]:
    match = _WEEKDAY_FIRST.match(text)
    if match is None:
        return None, text
    return _position(match[1], _WEEKDAYS, text), text[match.end() :]


def _parts(rest: str, text: str) -> tuple[int | None, int, int]:
    """Year (None if there is none), month and day."""
    if match := _YEAR_FIRST.fullmatch(rest):
        return int(match[1]), int(match[3]), int(match[4])
    if match := _EIGHT_DIGITS.fullmatch(rest):
        return int(match[1]), int(match[2]), int(match[3])
    if match := _DAY_FIRST.fullmatch(rest):
        return _year(match[4]), int(match[3]), int(match[1])
    if match := _MONTH_IN_WORDS.fullmatch(rest):
        return _year(match[3]), _position(match[2], _MONTHS, text) + 1, int(match[1])
    raise ValueError(f"{text!r} is not a date: expected one like 16/10/2012 or 3 Oct 2019")


def _position(word: str, names: tuple[str, ...], text: str) -> int:
    """The place of a name written whole, or by three letters or more with or without an s."""
    start = word.lower()
    for place, name in enumerate(names):
        if name.startswith((start, start.removesuffix("s"))):
            return place
    kind = "weekday" if names is _WEEKDAYS else "month"
    raise ValueError(f"{text!r} is not a date: {word!r} is no {kind}")


def _year(digits: str | None) -> int | None:
    if digits is None:
        return None
    year = int(digits)
    if len(digits) == 2:
        year += 1900 if year >= _FIRST_YEAR_OF_LAST_CENTURY else 2000
    return year


def _date(year: int, month: int, day: int, text: str) -> datetime.date:
    if year not in _YEARS:
        raise ValueError(f"{text!r} is not a date: no year {year}")
    try:
        return datetime.date(year, month, day)
    except ValueError:
        raise ValueError(f"{text!r} is not a date: no day {day} in month {month}") from None


def _in_season(
    month: int,
    day: int,
    starts_on: datetime.date | None,
    ends_on: datetime.date | None,
    text: str,
) -> datetime.date:
    """The day in the only year of the season that has it."""
    if starts_on is None or ends_on is None:
        raise ValueError(f"{text!r} has no year")
    found = []
    for year in range(starts_on.year, ends_on.year + 1):
        try:
            candidate = datetime.date(year, month, day)
        except ValueError:
            continue
        if starts_on <= candidate < ends_on:
            found.append(candidate)
    if len(found) != 1:
        raise ValueError(f"{text!r} has no year, and the season does not decide it")
    return found[0]


# --- Results -----------------------------------------------------------------------------

# A half as it arrives: composed, spelled, as UTF-8 read for Latin-1, and from old code pages.
_HALF_SIGNS = ("Â½", "\\u00bd", "˝")
_HALVES = (*_HALF_SIGNS, "1/2", "0.5", "0,5")
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))

_PLAYED = {"1-0": 2, "½-½": 1, "0-1": 0}
_DEFAULTED = {"1-0": HOME_DEFAULT, "0-1": AWAY_DEFAULT, "0-0": DOUBLE_DEFAULT}
_TWO_SIDES = re.compile(r"([01½]) ?[-:/ ]? ?([01½])")
_MARKED_DEFAULT = re.compile(
    r"(.*?)[ (]*(?:by )?(?:d|def|default|defaulted|f|ff|forfeit|w/?o|walkover)[.)]*"
)
_WHOLE_SCORE = re.compile(r"([0-9]{1,4})(?:[.,]0+)?")
_HALF_SCORE = re.compile(r"([0-9]{1,4})?(?: ?½|[.,]50*)|(?:([0-9]{1,4}) )?1/2")

# Whole tokens, lower case, after spaces and brackets are squashed.
_WORDS = {
    "": ReadResult(),
    "*": ReadResult(),
    "-()": ReadResult(),
    "unfinished": ReadResult(),
    "unplayed": ReadResult(),
    "notplayed": ReadResult(),
    "void": ReadResult(),
    "tbr": ReadResult(),
    "1": ReadResult(2),
    "½": ReadResult(1),
    "=": ReadResult(1),
    "0": ReadResult(0),
    "draw": ReadResult(1),
    "drawn": ReadResult(1),
    "55": ReadResult(1),
    "+": ReadResult(default=HOME_DEFAULT),
    "+-": ReadResult(default=HOME_DEFAULT),
    "+--": ReadResult(default=HOME_DEFAULT),
    "-+": ReadResult(default=AWAY_DEFAULT),
    "--+": ReadResult(default=AWAY_DEFAULT),
    "---": ReadResult(default=DOUBLE_DEFAULT),
    "1d": ReadResult(default=HOME_DEFAULT),
    "1(def)": ReadResult(default=HOME_DEFAULT),
    "def+": ReadResult(default=HOME_DEFAULT),
    "d1": ReadResult(default=AWAY_DEFAULT),
    "0(def)": ReadResult(default=AWAY_DEFAULT),
    "def-": ReadResult(default=AWAY_DEFAULT),
    "dd": ReadResult(default=DOUBLE_DEFAULT),
    "dbld": ReadResult(default=DOUBLE_DEFAULT),
    "dbldef": ReadResult(default=DOUBLE_DEFAULT),
    "def-def": ReadResult(default=DOUBLE_DEFAULT),
    "doubledefault": ReadResult(default=DOUBLE_DEFAULT),
}


def read_result(token: str) -> ReadResult:
    """Return what a result token says, seen from the home side (or the side named first).

    `1-0`, `0 - 1`, `draw`, `½-½` and `10` are games played; `1-0 def`, `0 - 1(def)`, `1d`,
    `+` and `dd` are defaults; a blank, `*` and `unfinished` are neither. Raises ValueError
    for anything else, `0 - 0` included: unplayed, void or a double default, it needs its kind.
    """
    plain = _plain_token(token)
    if (word := _WORDS.get(plain.replace(" ", ""))) is not None:
        return word
    if match := _TWO_SIDES.fullmatch(plain):
        score = f"{match[1]}-{match[2]}"
        if score in _PLAYED:
            return ReadResult(_PLAYED[score])
        if score == "0-0":
            raise ValueError(f"{token!r} may be unplayed, void or a double default: say which")
    elif match := _MARKED_DEFAULT.fullmatch(plain):
        sides = _TWO_SIDES.fullmatch(match[1])
        score = f"{sides[1]}-{sides[2]}" if sides else ""
        if score in _DEFAULTED:
            return ReadResult(default=_DEFAULTED[score])
    raise ValueError(f"{token!r} is not a result: expected 1-0, 0-1, draw or 1-0 def")


def read_score(text: str) -> int:
    """Return the half-points of a score written `3½`, `3.5`, `3,5`, `3 1/2` or `3`.

    Raises ValueError for anything that is not whole or half points, or is negative.
    """
    plain = text.strip()
    for half in _HALF_SIGNS:
        plain = plain.replace(half, "½")
    if match := _WHOLE_SCORE.fullmatch(plain):
        return 2 * int(match[1])
    if match := _HALF_SCORE.fullmatch(plain):
        return 2 * int(match[1] or match[2] or 0) + 1
    raise ValueError(f"{text!r} is not a score: expected one like 3½, 3.5 or 3")


def _plain_token(token: str) -> str:
    """Lower case, single spaces, one kind of dash and of half."""
    plain = token.translate(_DASHES)
    for half in _HALVES:
        plain = plain.replace(half, "½")
    plain = " ".join(plain.lower().split())
    return plain.replace("( ", "(").replace(" )", ")")
