"""Matches as the lines of a list: on one axis, grouped by round or by day, in words."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby

from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.dates import date_format
from games.models import Match, MatchState


@dataclass(frozen=True, slots=True)
class Line:
    """One match: half-points when it has a score, else the words that stand in its place."""

    address: str
    home: str
    away: str
    home_halves: int | None
    away_halves: int | None
    when: str
    where: str = ""
    mark: str = ""

    @property
    def home_won(self) -> bool:
        return self.home_halves is not None and self.home_halves > self.away_halves

    @property
    def away_won(self) -> bool:
        return self.home_halves is not None and self.away_halves > self.home_halves


Group = tuple[str, list[Line]]


def by_round(matches: Iterable[Match], today: date) -> list[Group]:
    """The matches in groups by round, or by day where rounds are not known, in their order."""
    return [
        (round_words(group, today), [line(match, _short_day(match, today)) for match in group])
        for group in _groups(matches, lambda match: (match.round, _day_unless_round(match)))
    ]


def by_day(matches: Iterable[Match], today: date) -> list[Group]:
    """The matches in groups by day, each with its division, as they stand in their order."""
    return [
        (day_words(group[0].played_on, today), [line(match, _start(match)) for match in group])
        for group in _groups(matches, lambda match: match.played_on)
    ]


def cards_by_day(matches: Iterable[Match], today: date) -> list[Group]:
    """The same for matches without a score yet; each line leads to the match's card."""
    return [
        (day_words(group[0].played_on, today), [_card_line(match) for match in group])
        for group in _groups(matches, lambda match: match.played_on)
    ]


def by_month(matches: Iterable[Match], today: date) -> list[Group]:
    """The matches of a team in groups by month, in their order."""
    return [
        (_month_words(group[0]), [line(match, _short_day(match, today)) for match in group])
        for group in _groups(matches, _month_words)
    ]


def line(match: Match, when: str) -> Line:
    """The line of a match of `MatchQuerySet.with_score()`."""
    return Line(
        address=match.get_absolute_url(),
        home=match.home.name,
        away=match.away.name,
        home_halves=match.home_points,
        away_halves=match.away_points,
        when=when,
        where=match.division.name,
        mark=match.open_words if match.home_points is not None else "",
    )


def _card_line(match: Match) -> Line:
    when = _("unfinished") if match.boards_decided else _("no card")
    return replace(line(match, when), address=reverse("match_card", args=[match.pk]))


def round_words(matches: list[Match], today: date) -> str:
    """A round's heading: `Round 6, 24 to 26 November`."""
    first = matches[0]
    days = sorted(match.played_on for match in matches if match.played_on)
    when = span_words(days[0], days[-1], today) if days else ""
    name = first.round_label or (_("Round %(number)s") % {"number": first.round})
    if not first.round and not first.round_label:
        return when or _no_date(first)
    return f"{name}, {when}" if when else name


def span_words(first: date, last: date, today: date) -> str:
    """The days from first to last: `24 to 26 November`, with the year when it is far off."""
    if first == last:
        return day_words(first, today, weekday=False)
    same_month = (first.year, first.month) == (last.year, last.month)
    start = date_format(first, "j" if same_month else "j F")
    if first.year != last.year:
        start = date_format(first, "j F Y")
    end = date_format(last, "j F Y") if first.year != last.year else None
    return _("%(first)s to %(last)s") % {
        "first": start,
        "last": end or day_words(last, today, weekday=False),
    }


def day_words(day: date | None, today: date, weekday: bool = True) -> str:
    """A day in words; its year stands there when it is more than half a year off."""
    if day is None:
        return _("No date yet")
    far = abs((day - today).days) > 183
    return date_format(day, f"{'l ' if weekday else ''}j F{' Y' if far else ''}")


def _groups(matches: Iterable[Match], key: Callable) -> list[list[Match]]:
    return [list(group) for _key, group in groupby(matches, key)]


def _day_unless_round(match: Match) -> date | None:
    return None if match.round else match.played_on


def _month_words(match: Match) -> str:
    return date_format(match.played_on, "F Y") if match.played_on else _no_date(match)


def _no_date(match: Match) -> str:
    """Why a heading has no day: the match is still to come, or nobody wrote down when it was."""
    return _("No date yet") if match.home_points is None else _("Date not known")


def _short_day(match: Match, today: date) -> str:
    """The day of a match; of one that is over, or may be, that its card is unfinished."""
    is_to_come = match.played_on is not None and match.played_on > today
    if match.boards_decided and not is_to_come:
        return _("unfinished")
    if match.state == MatchState.POSTPONED:
        return _("postponed")
    if match.played_on is None:
        return _("no date")
    return date_format(match.played_on, "D j")


def _start(match: Match) -> str:
    time = match.home.club.start_time
    # Translators: a time of day as Django formats it, 7:30 pm; H:i is 19:30.
    return date_format(time, _("g:i A")).replace(".", "").lower() if time else _("v")
