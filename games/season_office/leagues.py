"""Leagues, their seasons and divisions: found by the names people write, or made."""

import re
from datetime import date, datetime

from django.db.models import Max
from django.utils.text import slugify

from clubs import registry
from clubs.names import fold
from games.models import Division, HomeColour, League, Season
from games.time_control import pool_for
from ratings import ledger

_TWO_YEARS = re.compile(r"(?<![0-9])([0-9]{4})\s*[-/–—]\s*([0-9]{4}|[0-9]{2})(?![0-9])")


def dates_of_label(label: str) -> tuple[date, date] | None:
    """The days `[starts_on, ends_on)` of a season called 2010-11, 2010/11 or 2010-2011.

    It runs from 1 July to 30 June. None if the label does not say two years, one after the other.
    """
    match = _TWO_YEARS.search(label)
    if match is None:
        return None
    first, second = int(match[1]), match[2]
    if not 1800 <= first <= 2199 or second not in (str(first + 1), f"{(first + 1) % 100:02d}"):
        return None
    return date(first, 7, 1), date(first + 1, 7, 1)


def dates_around(day: date) -> tuple[date, date]:
    """The days `[starts_on, ends_on)` of the season from 1 July to 30 June that holds `day`."""
    first = day.year if day.month >= 7 else day.year - 1
    return date(first, 7, 1), date(first + 1, 7, 1)


def day_after(day: date) -> date:
    """Where a season ends whose last day is `day`; the last day of the calendar has none."""
    return day if day == date.max else date.fromordinal(day.toordinal() + 1)


def slug_of_label(label: str) -> str:
    """A season's address: 2019/20 is 2019-20."""
    return slugify(re.sub(r"[/–—]", "-", label))[:40] or "season"


def find_league(name: str) -> League | None:
    """The league of this name or address, ignoring case and accents."""
    for league in League.objects.order_by("pk"):
        if name == league.slug or fold(name) == fold(league.name):
            return league
    return None


def add_league(*, name: str) -> League:
    """A new league of this name."""
    return League.objects.create(name=name, slug=registry.free_slug(League, name))


def find_season(league: League, label: str) -> Season | None:
    """The league's season of this label; 2019/20 and 2019-20 are one."""
    return league.seasons.filter(slug=slug_of_label(label)).first()


def add_season(
    *,
    league: League,
    label: str,
    starts_on: date,
    ends_on: date,
    published_at: datetime | None = None,
) -> Season:
    """A new season `[starts_on, ends_on)`; the public sees it from `published_at` on."""
    return Season.objects.create(
        league=league,
        label=label,
        slug=slug_of_label(label),
        starts_on=starts_on,
        ends_on=ends_on,
        published_at=published_at,
    )


def add_division(
    *,
    season: Season,
    name: str,
    board_count: int,
    home_colour: str = HomeColour.EVEN,
    minutes: int = 75,
    increment_seconds: int = 10,
    first_day: date | None = None,
    **rules,
) -> Division:
    """A new division, below those there are, with its event in the ledger of its time control.

    `rules` are other columns of `Division`, such as `promoted`.
    """
    slug = _free_division_slug(season, name)
    event = ledger.open_event(
        source=f"{season.league.slug}/{season.slug}/{slug}",
        name=event_name(season, name),
        pool=pool_for(minutes, increment_seconds),
        first_day=first_day,
    )
    last = season.divisions.aggregate(last=Max("rank"))["last"]
    return Division.objects.create(
        season=season,
        name=name,
        slug=slug,
        rank=1 if last is None else last + 1,
        rated_event=event,
        board_count=board_count,
        home_colour=home_colour,
        minutes=minutes,
        increment_seconds=increment_seconds,
        **rules,
    )


def event_name(season: Season, division: str) -> str:
    """What the ledger calls the event of a division."""
    return f"{season.league.name} {season.label}, {division}"[:200]


def _free_division_slug(season: Season, name: str) -> str:
    taken = set(season.divisions.values_list("slug", flat=True))
    root = slugify(name)[:80] or "division"
    slug, nth = root, 1
    while slug in taken:
        nth += 1
        slug = f"{root}-{nth}"
    return slug
