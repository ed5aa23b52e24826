"""A table's reasons as sentences: why a team stands above the next, what was taken off it."""

from collections.abc import Mapping

from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.dates import date_format
from games.models import Adjustment, TieBreak
from games.templatetags.topboard import MINUS, halves, signed_halves

from . import records, tie_breaks
from .tie_breaks import Why


def why_words(team: str, why: Why, names: Mapping[int, str]) -> str:
    """`Wellow Bridge A are ahead of St Wulfric's A on game points, 22½ to 21.`"""
    if why.criterion == tie_breaks.PLAY_OFF:
        words = _("%(team)s are ahead of %(other_team)s by a play-off.")
        return words % {"team": team, "other_team": names[why.over]}
    return _("%(team)s are ahead of %(other_team)s on %(what)s, %(own)s to %(other)s.") % {
        "team": team,
        "other_team": names[why.over],
        "what": _what(why, names),
        "own": _value(why, why.own),
        "other": _value(why, why.other),
    }


def adjustment_words(team: str, adjustment: Adjustment) -> str:
    """`Kingsmead B: 1 match point deducted for an ineligible player, 6 October.`"""
    pieces = [
        _points_words(adjustment.match_points, "match"),
        _points_words(adjustment.game_points, "game"),
    ]
    return _("%(team)s: %(points)s for %(reason)s, %(day)s.") % {
        "team": team,
        "points": _(" and ").join(filter(None, pieces)),
        "reason": adjustment.reason.strip().rstrip("."),
        "day": date_format(adjustment.decided_on, "j F"),
    }


def penalty_words(team: str, penalty: records.Adjustment) -> str:
    """`Kingsmead B: 1 match point deducted for 4 boards defaulted.`"""
    pieces = [
        _points_words(penalty.match_points, "match"),
        _points_words(penalty.game_points, "game"),
    ]
    words = ngettext(
        "%(team)s: %(points)s for %(count)s board defaulted.",
        "%(team)s: %(points)s for %(count)s boards defaulted.",
        penalty.boards_defaulted,
    )
    return words % {
        "team": team,
        "points": _(" and ").join(filter(None, pieces)),
        "count": penalty.boards_defaulted,
    }


def number_word(number: int) -> str:
    """A small number as a word, others as figures."""
    words = (
        *(_("none"), _("one"), _("two"), _("three"), _("four")),
        *(_("five"), _("six"), _("seven"), _("eight"), _("nine")),
    )
    return words[number] if 0 <= number < len(words) else str(number)


def _what(why: Why, names: Mapping[int, str]) -> str:
    if why.criterion in (tie_breaks.HEAD_TO_HEAD, tie_breaks.EXTENDED_DIRECT_ENCOUNTER):
        return _head_to_head(why, names)
    if why.criterion == tie_breaks.BOTTOM_BOARD_ELIMINATION:
        return ngettext(
            "game points without the last board",
            "game points without the last %(count)s boards",
            why.boards_left_out,
        ) % {"count": why.boards_left_out}
    if why.criterion == tie_breaks.BOARD_COUNT:
        return _("board count (the lower the better)")
    return str(TieBreak(why.criterion).label)


def _head_to_head(why: Why, names: Mapping[int, str]) -> str:
    if len(why.among) > 2:
        *first, last = (names[team] for team in why.among)
        teams = _("%(first)s and %(last)s") % {"first": ", ".join(first), "last": last}
    else:
        teams = _("them")
    if why.measure == tie_breaks.GAME_POINTS:
        return _("game points in the matches between %(teams)s") % {"teams": teams}
    return _("match points in the matches between %(teams)s") % {"teams": teams}


def _value(why: Why, value: int) -> str:
    if why.criterion == tie_breaks.GAME_POINT_DIFFERENCE:
        return signed_halves(value)
    if why.unit == 2:
        return halves(value)
    if why.unit == 1:
        return str(value)
    sign = MINUS if value < 0 else ""
    short = f"{abs(value) / why.unit:.2f}".rstrip("0").rstrip(".")
    return sign + short.replace(".", get_format("DECIMAL_SEPARATOR"))


def _points_words(value: int, kind: str) -> str:
    if not value:
        return ""
    count = 1 if abs(value) <= 2 else 2
    if kind == "match":
        words = (
            ngettext("%(points)s match point deducted", "%(points)s match points deducted", count)
            if value < 0
            else ngettext("%(points)s match point added", "%(points)s match points added", count)
        )
    else:
        words = (
            ngettext("%(points)s game point deducted", "%(points)s game points deducted", count)
            if value < 0
            else ngettext("%(points)s game point added", "%(points)s game points added", count)
        )
    return words % {"points": halves(abs(value))}
