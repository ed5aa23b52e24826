"""A county's leagues, seeded, and what its public pages ask: queries and server time.

    createdb topboard_county
    DATABASE_URL=... ./topboard manage migrate
    DATABASE_URL=... python -m tests.benchmarks.county [--times 20] [--small] [--keep]

Wants an empty migrated database, which it leaves empty unless `--keep`; what an earlier `--keep`
left is measured as it stands. The exit status is 1 if a page is over the limits.

In every league each club has a team in every division, and plays in it with the next ten of its
players by strength. The newest season is half played, with cards that are still to come, and a
withdrawn team here and there; the last division plays rapid.
"""

import argparse
import os
import random
import sys
import time as clock
from datetime import date, time, timedelta
from typing import NamedTuple

from .county_cards import add_cards, add_decisions, add_grade_lists, evening, fill_ledger
from .grade_pages import FORENAMES, SURNAMES

PLACES = (
    *("Ash", "Brack", "Cold", "Dun", "Elm", "Fern"),
    *("Grim", "Hazel", "Ivy", "Kirk", "Long", "Mill"),
)
ENDINGS = (
    *("by", "combe", "don", "field", "ford", "ham"),
    *("hurst", "ley", "port", "stead", "ton", "worth"),
)
SQUAD = 10
BOARDS, BOARDS_BEFORE, BOARDS_BEFORE_BELOW = 6, 5, 4
# So many days before the newest season's end of play: half of it is played.
BEGAN = timedelta(days=150)


class Size(NamedTuple):
    """How large a county is; in the `double` newest of its seasons everybody meets twice.

    `lists` is how many grade lists of each pool are worked out, the newest.
    """

    leagues: int
    divisions: int
    teams: int
    seasons: int
    double: int
    lists: int


COUNTY = Size(leagues=12, divisions=5, teams=10, seasons=20, double=2, lists=3)
TOWN = Size(leagues=3, divisions=3, teams=6, seasons=4, double=1, lists=2)
VILLAGE = Size(leagues=1, divisions=2, teams=6, seasons=4, double=1, lists=2)


class Year(NamedTuple):
    """A season of all leagues, `[starts_on, ends_on)`; `back` is 0 for the newest."""

    back: int
    label: str
    starts_on: date
    ends_on: date


def years_until(today: date, count: int) -> list[Year]:
    """So many seasons, the oldest first; the last began five months ago."""
    first = today - BEGAN
    day = min(first.day, 28)
    return [
        Year(
            back,
            f"{first.year - back}-{(first.year - back + 1) % 100:02d}",
            first.replace(year=first.year - back, day=day),
            first.replace(year=first.year - back + 1, day=day),
        )
        for back in reversed(range(count))
    ]


def load(size: Size, *, today: date, seed: int = 1) -> None:
    """Put a county into an empty database: rated, with its newest grade lists."""
    from django.db import connection

    from ratings import rebuilding

    choose = random.Random(seed)
    strengths, squads = _people(size, today, choose)
    divisions = _competitions(size, today)
    add_cards(today, divisions, strengths, squads, choose)
    add_decisions(today, today - BEGAN)
    fill_ledger(divisions)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        cursor.execute("ANALYZE")
    for pool in ("standard", "rapid"):
        rebuilding.rebuild(pool)
    add_grade_lists(size.lists, today)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def is_empty() -> bool:
    """Whether nobody is in the database: only then is it a benchmark's to fill and to empty."""
    from clubs.models import Player

    return not Player.objects.exists()


def empty() -> None:
    """Take a county away, and all that hangs on its people and competitions."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "TRUNCATE clubs_player, clubs_club, clubs_user, games_league, ratings_ratedevent,"
            " ratings_gradelist CASCADE"
        )
        cursor.execute("UPDATE ratings_ratingpool SET stale_from = NULL, stale_phase = ''")


# --- Who ---------------------------------------------------------------------------------


def _people(size: Size, today: date, choose: random.Random):
    """Clubs with their members; true ratings by player's pk, and squads by club's name.

    A squad is the pks of a division's team, the strongest first.
    """
    from clubs.models import Club, Membership, Player
    from ratings.models import OpeningRating

    clubs = [
        Club(
            name=name,
            slug=name.lower(),
            search_name=name.lower(),
            club_night=number % 5,
            start_time=time(19, 30),
            venue=f"{name} Village Hall\nHigh Street",
            contact_name="Robin Invented",
            contact_email=f"chess@{name.lower()}.example",
        )
        for number, name in enumerate(club_names(size))
    ]
    Club.objects.bulk_create(clubs)
    players = [_player(number, today, choose) for number in range(len(clubs) * members(size))]
    Player.objects.bulk_create(players, batch_size=1000)
    strengths = {player.pk: max(700, round(choose.gauss(1600, 280))) for player in players}
    squads = {}
    for number, club in enumerate(clubs):
        own = [p.pk for p in players[number * members(size) : (number + 1) * members(size)]]
        own.sort(key=lambda pk: -strengths[pk])
        squads[club.name] = [own[start : start + SQUAD] for start in range(0, len(own), SQUAD)]
        Membership.objects.bulk_create(Membership(club=club, player_id=pk) for pk in own)
    began = years_until(today, size.seasons)[0].starts_on
    OpeningRating.objects.bulk_create(
        OpeningRating(
            player_id=pk,
            pool_id=pool,
            system="grade",
            value=max(1, round((strength - 700) / 7.5)),
            dated_on=began,
            source="invented",
        )
        for number, (pk, strength) in enumerate(strengths.items())
        for pool in ("standard", "rapid")
        if number % 2
    )
    return strengths, squads


def club_names(size: Size) -> list[str]:
    """As many names as the county has clubs; those of a league end alike."""
    return [
        f"{PLACES[team]}{ENDINGS[league]}"
        for league in range(size.leagues)
        for team in range(size.teams)
    ]


def members(size: Size) -> int:
    """How many members a club has."""
    return size.divisions * SQUAD


def _player(number: int, today: date, choose: random.Random):
    """One in twelve is a junior, and every other of these says yes to his name."""
    from clubs.models import Player

    player = Player(
        surname=choose.choice(SURNAMES),
        forenames=f"{choose.choice(FORENAMES)} {chr(65 + number % 26)}.",
        ecf_code=f"{number:06}{'ABCDEFGHJKL'[number % 11]}" if number % 9 else None,
        birth_year=today.year - 14 if number % 12 == 0 else None,
        name_consent=True if number % 24 == 0 else None,
    )
    player.fold_names()
    return player


# --- Competitions ------------------------------------------------------------------------


def _competitions(size: Size, today: date) -> list[tuple]:
    """Leagues, seasons, divisions and teams; each division with its year and its teams."""
    from clubs.models import Club
    from games.fixture_lists.fixtures import add_teams
    from games.models import League, Season

    made = []
    clubs = list(Club.objects.order_by("pk"))
    for number in range(size.leagues):
        name = f"{PLACES[number]} Valley League"
        league = League.objects.create(name=name, slug=f"{PLACES[number].lower()}-valley")
        own = clubs[number * size.teams : (number + 1) * size.teams]
        for year in years_until(today, size.seasons):
            season = Season.objects.create(
                league=league,
                label=year.label,
                slug=year.label,
                starts_on=year.starts_on,
                ends_on=year.ends_on,
                published_at=evening(year.starts_on),
                closed_at=evening(year.ends_on) if year.back else None,
            )
            for rank in range(1, size.divisions + 1):
                division = _division(season, year, rank, size)
                names = [(f"{club.name} {chr(64 + rank)}", club) for club in own]
                made.append((division, year, add_teams(division=division, teams=names)))
    return made


def _division(season, year: Year, rank: int, size: Size):
    """A division with its event; the last of a season plays rapid."""
    from games.models import Division
    from ratings.models import RatedEvent

    is_rapid = rank == size.divisions
    source = f"{season.league.slug}/{season.slug}/{rank}"
    return Division.objects.create(
        season=season,
        name=f"Division {rank}",
        slug=f"division-{rank}",
        rank=rank,
        rated_event=RatedEvent.objects.create(
            name=f"{season}, Division {rank}",
            source=source,
            key=RatedEvent.key_of(source),
            pool_id="rapid" if is_rapid else "standard",
            first_day=year.starts_on,
        ),
        minutes=25 if is_rapid else 75,
        board_count=_boards(year, rank, size),
        legs=_legs(year, size),
        promoted=int(rank > 1),
        relegated=int(rank < size.divisions),
        version=1,
        changed_at=evening(year.starts_on),
    )


def _boards(year: Year, rank: int, size: Size) -> int:
    if year.back < size.double:
        return BOARDS
    return BOARDS_BEFORE if rank == 1 else BOARDS_BEFORE_BELOW


def _legs(year: Year, size: Size) -> int:
    return 2 if year.back < size.double else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=20, help="how often a page is asked for")
    parser.add_argument("--small", action="store_true", help="a town instead")
    parser.add_argument("--keep", action="store_true", help="leave the county in the database")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.conf import settings

    from games.models import League

    from .public_pages import report

    settings.ALLOWED_HOSTS = ["*"]
    today = date.today()
    if League.objects.filter(slug__endswith="-valley").exists():
        print("Measuring the county that stands in the database.")
    else:
        assert is_empty(), "this benchmark wants an empty database"
        start = clock.perf_counter()
        load(TOWN if options.small else COUNTY, today=today)
        print(f"{counted()}: made, loaded and rated in {clock.perf_counter() - start:.0f} s")
    over = report(today, options.times)
    if not options.keep:
        empty()
    return bool(over)


def counted() -> str:
    """How large the county in the database is, in words."""
    from clubs.models import Player
    from games.models import Board, League, Season, Team

    running = Team.objects.filter(division__season__closed_at=None)
    seasons = Season.objects.values("label").distinct().count()
    return (
        f"{League.objects.count()} leagues, {running.values('division').distinct().count()}"
        f" divisions and {running.count()} teams a season, {seasons} seasons,"
        f" {Player.objects.count():,} players, {Board.objects.count():,} boards"
    )


if __name__ == "__main__":
    sys.exit(main())
