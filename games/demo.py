"""The demo league: one invented division, a finished season and one that is half-way.

Everything hangs on the day it is made for and is the same each time; people and results come in
through the workflows that real ones take.
"""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.utils import timezone

from clubs import registry
from clubs.models import Club, Player
from clubs.names import ecf_code_ok, split_name
from ratings import elo
from ratings.player_import import import_players

from . import cards, demo_accounts, fixtures, leagues
from .card_entries import BoardEntry
from .demo_people import CLUBS, DemoClub, DemoPlayer
from .models import Adjustment, Award, Colour, Division, League, Match, MatchState, TieBreak
from .result_import import import_results

LEAGUE = "Weald & Downs Chess League"
DIVISION = "Division 1"
BOARDS = 6

# The first leg by club, home first; the second is its mirror. Each team plays once a round.
ROUNDS = (
    "Ashdown - St Wulfric’s, Hartfield - Wellow Bridge, Castle Hedley - Netherby & District,"
    " Kingsmead - Long Marden",
    "Netherby & District - Ashdown, Wellow Bridge - St Wulfric’s, Kingsmead - Hartfield,"
    " Long Marden - Castle Hedley",
    "Ashdown - Kingsmead, Long Marden - Wellow Bridge, St Wulfric’s - Netherby & District,"
    " Hartfield - Castle Hedley",
    "Long Marden - Ashdown, Kingsmead - Wellow Bridge, Castle Hedley - St Wulfric’s,"
    " Hartfield - Netherby & District",
    "Wellow Bridge - Ashdown, Netherby & District - Long Marden, St Wulfric’s - Hartfield,"
    " Castle Hedley - Kingsmead",
    "Ashdown - Hartfield, Netherby & District - Kingsmead, Castle Hedley - Wellow Bridge,"
    " St Wulfric’s - Long Marden",
    "Ashdown - Castle Hedley, Kingsmead - St Wulfric’s, Long Marden - Hartfield,"
    " Wellow Bridge - Netherby & District",
)
BETWEEN_ROUNDS = timedelta(days=14)
A_YEAR = timedelta(days=364)

# Of the season that is on: the cards of this round wait, those of the one before came in last.
THIS_WEEK = 7
POSTPONED = (5, "Castle Hedley")
INCOMPLETE = (6, "St Wulfric’s")
# Of either season, by round and home club: where a board was lost by default.
DEFAULTS = {(2, "Kingsmead"), (4, "Hartfield"), (9, "Ashdown"), (12, "Long Marden")}
# The match of the season that is on whose result is settled: 3½-2½.
SETTLED = {(6, "Ashdown"): (1, 2, 1, 0, 2, 1)}

# Of all throws two after which the tables are close.
LAST_YEARS_THROW, THIS_YEARS_THROW = 1891, 1920


class DemoExists(Exception):
    """The demo league is there already."""


class Dice:
    """Numbers that look thrown and are the same on every machine."""

    def __init__(self, seed: int):
        self.state = seed

    def roll(self, sides: int) -> int:
        """A number from 0 up to `sides`, that one left out."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % sides


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match of the demo before anybody played it."""

    round: int
    home: DemoClub
    away: DemoClub
    played_on: date

    @property
    def key(self) -> tuple[int, str]:
        return self.round, self.home.name


@dataclass(frozen=True, slots=True)
class Game:
    """A board of the demo: `result` is the home side's half-points, None for a default by away."""

    number: int
    home: DemoPlayer
    away: DemoPlayer | None
    result: int | None

    @property
    def home_colour(self) -> str:
        return Colour.BLACK if self.number % 2 else Colour.WHITE


@transaction.atomic
def make_demo(*, at: datetime) -> League:
    """Make the demo league as it stands at the instant `at`; raises `DemoExists`."""
    registry.lock_for_import()
    if leagues.find_league(LEAGUE) is not None:
        raise DemoExists
    today = timezone.localdate(at)
    last_year, this_year = fixtures_of(today - A_YEAR), fixtures_of(today)
    add_people(today=today, as_of=last_year[0].played_on - timedelta(days=30))
    league = leagues.add_league(name=LEAGUE)
    division = add_season(league, last_year)
    import_games(division, last_year, Dice(LAST_YEARS_THROW))
    division = add_season(league, this_year)
    dice = Dice(THIS_YEARS_THROW)
    import_games(division, [f for f in this_year if f.round < THIS_WEEK - 1], dice)
    demo_accounts.add_accounts(league=league, division=division)
    record_last_round(division, [f for f in this_year if f.round == THIS_WEEK - 1], dice)
    deduct_a_point(division, this_year[11].played_on)
    return league


def fixtures_of(today: date) -> list[Fixture]:
    """A season's fixtures in order, so that the games of the round in the middle are just over."""
    clubs = {club.name: club for club in CLUBS}
    found = []
    for number in range(1, 2 * len(ROUNDS) + 1):
        week_ends_on = today + (number - THIS_WEEK) * BETWEEN_ROUNDS
        for pair in ROUNDS[(number - 1) % len(ROUNDS)].split(", "):
            home, away = (clubs[name] for name in pair.split(" - "))
            if number > len(ROUNDS):
                home, away = away, home
            since = timedelta(days=(week_ends_on.weekday() - home.night) % 7)
            found.append(Fixture(number, home, away, week_ends_on - since))
    return found


def add_people(*, today: date, as_of: date) -> None:
    """Clubs, players and what opens their ratings, and what else is known of them."""
    codes = iter(_codes())
    rows = [("name", "club", "code", "grade", "rating", "provisional")]
    for club in CLUBS:
        for player in club.players:
            grade = (player.strength - 700) * 2 // 15 if player.known == "grade" else ""
            rating = player.strength if player.known == "rating" else ""
            code = "" if player.known == "new" else next(codes)
            rows.append((player.name, club.name, code, grade, rating, ""))
    source = "Grades of the old league secretary"
    import_players(content=_as_csv(rows), source=source, pool="standard", as_of=as_of, by=None)
    for about in CLUBS:
        club = Club.objects.get(name=about.name)
        club.venue, club.access = about.venue, about.access
        club.club_night, club.start_time = about.night, about.starts_at
        club.contact_name = f"Secretary of {about.name}"
        club.contact_email = f"{club.slug}@demo.example"
        club.save()
        juniors = [player for player in about.players if player.age is not None]
        for player in juniors:
            person = _person(player, club)
            person.birth_date = date(today.year - player.age, 1, 1)
            person.birth_year = person.birth_date.year
            person.name_consent = player.may_be_named
            person.save()


def add_season(league: League, season: list[Fixture]) -> Division:
    """A season with its division, teams and matches, none of them played yet."""
    days = sorted(fixture.played_on for fixture in season)
    starts_on = days[0].replace(day=1)
    first, last = days[0].year, days[-1].year
    division = leagues.add_division(
        season=leagues.add_season(
            league=league,
            label=f"{first}-{last % 100:02d}" if last > first else str(first),
            starts_on=starts_on,
            ends_on=starts_on + A_YEAR,
            published_at=_evening(starts_on),
        ),
        name=DIVISION,
        board_count=BOARDS,
        first_day=days[0],
        promoted=2,
        relegated=1,
        table_order=[TieBreak.MATCH_POINTS, TieBreak.GAME_POINTS, TieBreak.HEAD_TO_HEAD],
    )
    clubs = {club.name: club for club in Club.objects.all()}
    teams = {
        team.club.name: team
        for team in fixtures.add_teams(
            division=division, teams=[(about.team, clubs[about.name]) for about in CLUBS]
        )
    }
    for fixture in season:
        fixtures.add_match(
            home=teams[fixture.home.name],
            away=teams[fixture.away.name],
            round=fixture.round,
            played_on=fixture.played_on,
        )
    return division


def import_games(division: Division, season: list[Fixture], dice: Dice) -> None:
    """Play these matches and import the results, as from the file of a league's old site."""
    columns = ("Section", "Date", "Round", "HomeTeam", "HomePlayer", "Result", "AwayPlayer")
    rows = [(*columns, "AwayTeam", "Board", "HPColour")]
    is_over = season[-1].round > THIS_WEEK
    for fixture in season:
        if fixture.key == POSTPONED and not is_over:
            _postpone(division, fixture)
            continue
        for game in _play(fixture, dice):
            token = {2: "1-0", 1: "draw", 0: "0-1", None: "1-0 def"}[game.result]
            rows.append(
                (
                    *(DIVISION, fixture.played_on, fixture.round, fixture.home.team),
                    *(game.home.name, token, game.away.name if game.away else ""),
                    *(fixture.away.team, game.number, game.home_colour),
                )
            )
    import_results(
        content=_as_csv(rows),
        source="Results of the old league site",
        league=LEAGUE,
        season=division.season.label,
        by=None,
        at=_evening(season[-1].played_on),
    )


def record_last_round(division: Division, season: list[Fixture], dice: Dice) -> None:
    """The cards of the round before this week's, entered one by one by those who may."""
    captain, officer = demo_accounts.captain_and_officer()
    played = [(fixture, _play(fixture, dice, SETTLED.get(fixture.key))) for fixture in season]
    for fixture, games in sorted(played, key=lambda pair: pair[0].played_on):
        match = _match(division, fixture)
        entries = []
        for game in games:
            unfinished = fixture.key == INCOMPLETE and game.number == 4
            entries.append(
                BoardEntry(
                    number=game.number,
                    home=_person(game.home, match.home.club).pk,
                    away=_person(game.away, match.away.club).pk if game.away else None,
                    home_colour=game.home_colour,
                    result=None if unfinished else game.result,
                    award=Award.HOME_DEFAULT if game.result is None else None,
                )
            )
        cards.record_card(
            match=match.pk,
            boards=entries,
            version=match.version,
            by=captain if fixture.home.name == "Ashdown" else officer,
            at=_evening(fixture.played_on),
        )


def deduct_a_point(division: Division, decided_on: date) -> None:
    """One match point off a team, with the reason that stands under the table."""
    Adjustment.objects.create(
        team=division.teams.get(club__name="Kingsmead"),
        match_points=-2,
        reason="an ineligible player on board 4",
        decided_on=decided_on,
    )


def _play(fixture: Fixture, dice: Dice, settled: Iterable[int] | None = None) -> list[Game]:
    """The boards of a match: who came, in order of strength, and how it went."""
    if settled is not None:
        line_ups = zip(fixture.home.players, fixture.away.players, settled, strict=False)
        return [Game(number, *line_up) for number, line_up in enumerate(line_ups, 1)]
    pairs = zip(_line_up(fixture.home, dice), _line_up(fixture.away, dice), strict=True)
    games = [
        Game(number, home, away, _result(home, away, dice))
        for number, (home, away) in enumerate(pairs, 1)
    ]
    if fixture.key in DEFAULTS:
        games[-1] = Game(BOARDS, games[-1].home, None, None)
    return games


def _line_up(club: DemoClub, dice: Dice) -> list[DemoPlayer]:
    """Six of the club's players; each of the others could not come."""
    absent = len(club.players) - BOARDS
    chosen = []
    for player in club.players:
        if absent and dice.roll(7) == 0:
            absent -= 1
        else:
            chosen.append(player)
    return chosen[:BOARDS]


def _result(home: DemoPlayer, away: DemoPlayer, dice: Dice) -> int:
    """The home side's half-points, drawn one time in three and else as likely as Elo says."""
    expected = int(elo.expected_score(home.strength, away.strength, elo.CLUB) * 1000)
    draws = min(330, 2 * expected, 2 * (1000 - expected))
    thrown = dice.roll(1000)
    if thrown < draws:
        return 1
    return 2 if thrown < expected + draws // 2 else 0


def _postpone(division: Division, fixture: Fixture) -> None:
    match = _match(division, fixture)
    match.state, match.played_on = MatchState.POSTPONED, None
    match.save(update_fields=["state", "played_on"])


def _match(division: Division, fixture: Fixture) -> Match:
    return division.matches.select_related("home__club", "away__club").get(
        home__club__name=fixture.home.name, away__club__name=fixture.away.name
    )


def _person(player: DemoPlayer, club: Club) -> Player:
    return Player.objects.named(*split_name(player.name)).get(memberships__club=club)


def _evening(day: date) -> datetime:
    """When the cards of a match day come in."""
    return timezone.make_aware(datetime.combine(day, time(23, 14)))


def _codes() -> Iterable[str]:
    """ECF codes that fit their check letter; nobody has one that begins with 9."""
    for number in range(900201, 1_000_000):
        yield next(f"{number}{c}" for c in "ABCDEFGHJKL" if ecf_code_ok(f"{number}{c}"))


def _as_csv(rows: Iterable[Iterable]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()
