"""The demo: a county league with its rapid league, half-way through its third season.

Everything hangs on the day it is made for and is the same each time. People come in and cards
are entered through the workflows that real ones take; old seasons are stored and rated at once.
"""

from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from clubs import registry
from clubs.history import forget_context
from games.grading_office.grading import count_outstanding
from games.match_cards import posting
from games.models import Adjustment, Division, League
from games.season_office import leagues
from ratings import ecf, lists
from ratings.models import RatingPool

from . import accounts
from .competitions import (
    COMPETITIONS,
    DEDUCTED,
    FIRST,
    LEAGUE,
    RAPID_LEAGUE,
    RAPID_TEAMS,
    SEASONS,
    TEAMS,
)
from .fixtures import fixtures_of
from .people import add_people
from .results import Busy, play_season
from .seasons import add_boards, add_division, add_season, record_last_cards


class DemoExists(Exception):
    """The demo league is there already."""


@transaction.atomic
def make_demo(*, at: datetime) -> League:
    """Make the demo as it stands at the instant `at`; raises `DemoExists`."""
    registry.lock_for_import()
    if leagues.find_league(LEAGUE) is not None:
        raise DemoExists
    today = timezone.localdate(at)
    planned = {
        (competition, season): fixtures_of(competition, season, today)
        for season in SEASONS
        for competition in COMPETITIONS
    }
    first_day = min(fixture.played_on for fixture in planned[FIRST, max(SEASONS)])
    people = add_people(
        teams=TEAMS, rapid_teams=RAPID_TEAMS, today=today, as_of=first_day - timedelta(days=30)
    )
    named = {name: leagues.add_league(name=name) for name in (LEAGUE, RAPID_LEAGUE)}
    seasons = {
        (name, season): add_season(league, [f.played_on for f in planned[FIRST, season]])
        for name, league in named.items()
        for season in SEASONS
    }
    divisions, played = {}, {}
    busy: Busy = set()
    for key, fixtures in planned.items():
        competition, season = key
        divisions[key] = add_division(seasons[competition.league, season], competition, fixtures)
        played[key] = play_season(fixtures, competition.throws[season], busy)
        add_boards(divisions[key], played[key], people)
    posting.post_divisions(divisions.values())
    now = divisions[FIRST, 0]
    accounts.add_accounts(leagues=named.values(), division=now)
    record_last_cards(now, played[FIRST, 0], people)
    forget_context()
    deduct_a_point(now, planned[FIRST, 0][11].played_on)
    publish_lists(first_day=first_day, at=at)
    return named[LEAGUE]


def deduct_a_point(division: Division, decided_on: date) -> None:
    """One match point off a team, with the reason that stands under the table."""
    Adjustment.objects.create(
        team=division.teams.get(name=DEDUCTED.name),
        match_points=-2,
        reason="an ineligible player on board 4",
        decided_on=decided_on,
    )


def publish_lists(*, first_day: date, at: datetime) -> None:
    """The grade lists from the first day of play on, each on the day it comes out by itself."""
    days = RatingPool.objects.aggregate(days=Max("publish_after_days"))["days"]
    cutoff = ecf.cutoff_closing(first_day)
    while (comes_out := _first_minute(cutoff + timedelta(days=days))) < at:
        lists.publish_due(at=comes_out, outstanding=count_outstanding)
        cutoff = ecf.next_cutoff(cutoff)
    lists.publish_due(at=at, outstanding=count_outstanding)


def _first_minute(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))
