"""The demo's seasons in the league office: divisions, teams, matches and boards, many at once."""

from collections.abc import Mapping
from datetime import date, datetime, time

from django.utils import timezone

from clubs.models import Club, Player
from games.fixture_lists import fixtures
from games.match_cards import cards
from games.match_cards.card_entries import BoardEntry
from games.models import Board, Division, League, Match, MatchState, Season, Team
from games.season_office import leagues

from .accounts import captain_and_officer
from .competitions import POSTPONED, Competition
from .fixtures import A_YEAR, Fixture
from .people import DemoPlayer
from .results import Game

People = Mapping[DemoPlayer, Player]
Played = Mapping[Fixture, list[Game]]


def add_season(league: League, days: list[date]) -> Season:
    """A season around these days of play, public from its first day on.

    It begins with the month of the first day and ends where the next season begins.
    """
    first, last = min(days), max(days)
    label = f"{first.year}-{last.year % 100:02d}" if last.year > first.year else str(first.year)
    starts_on = first.replace(day=1)
    return leagues.add_season(
        league=league,
        label=label,
        starts_on=starts_on,
        ends_on=(first + A_YEAR).replace(day=1),
        published_at=evening(starts_on),
    )


def add_division(season: Season, competition: Competition, planned: list[Fixture]) -> Division:
    """A division with its teams and matches, none of them played yet."""
    division = leagues.add_division(
        season=season,
        name=competition.division,
        board_count=competition.boards,
        minutes=competition.minutes,
        increment_seconds=competition.increment_seconds,
        first_day=min(fixture.played_on for fixture in planned),
        **competition.rules,
    )
    clubs = {club.name: club for club in Club.objects.all()}
    names = [(team.name, clubs[team.club.name]) for team in competition.teams[planned[0].season]]
    teams = {team.name: team for team in fixtures.add_teams(division=division, teams=names)}
    Match.objects.bulk_create(_match(fixture, teams) for fixture in planned)
    return division


def _match(fixture: Fixture, teams: Mapping[str, Team]) -> Match:
    is_postponed = fixture.key == POSTPONED
    return fixtures.new_match(
        home=teams[fixture.home.name],
        away=teams[fixture.away.name],
        round=fixture.round,
        played_on=None if is_postponed else fixture.played_on,
        state=MatchState.POSTPONED if is_postponed else MatchState.ARRANGED,
    )


def add_boards(division: Division, played: Played, people: People) -> None:
    """The boards of the matches that are over, except those whose card came in last.

    Nothing is rated yet.
    """
    matches = {(match.home.name, match.away.name): match for match in _matches(division)}
    boards = []
    entered = []
    for fixture, games in played.items():
        if fixture.is_last_card:
            continue
        match = matches[fixture.home.name, fixture.away.name]
        match.version, match.entered_at = 1, evening(fixture.played_on)
        entered.append(match)
        boards += [_board(match, game, people) for game in games]
    Match.objects.bulk_update(entered, ["version", "entered_at"])
    Board.objects.bulk_create(boards)
    division.version = 1
    division.changed_at = max(match.entered_at for match in entered)
    division.save(update_fields=["version", "changed_at"])


def _board(match: Match, game: Game, people: People) -> Board:
    return Board(
        match=match,
        number=game.number,
        home_player=people[game.home] if game.home else None,
        away_player=people[game.away] if game.away else None,
        home_colour=game.home_colour,
        result=game.result,
        award=game.award,
    )


def record_last_cards(division: Division, played: Played, people: People) -> None:
    """The cards of the round before this week's, entered one by one by those who may."""
    captain, officer = captain_and_officer()
    matches = {(match.home.name, match.away.name): match for match in _matches(division)}
    last = [fixture for fixture in played if fixture.is_last_card]
    for fixture in sorted(last, key=lambda fixture: fixture.played_on):
        match = matches[fixture.home.name, fixture.away.name]
        cards.record_card(
            match=match.pk,
            boards=[_entry(game, people) for game in played[fixture]],
            version=match.version,
            by=captain if fixture.home.name == "Ashdown A" else officer,
            at=evening(fixture.played_on),
        )


def _entry(game: Game, people: People) -> BoardEntry:
    return BoardEntry(
        number=game.number,
        home=people[game.home].pk if game.home else None,
        away=people[game.away].pk if game.away else None,
        home_colour=game.home_colour,
        result=game.result,
        award=game.award,
    )


def _matches(division: Division) -> list[Match]:
    return list(division.matches.select_related("home", "away"))


def evening(day: date) -> datetime:
    """When the cards of a match day come in."""
    return timezone.make_aware(datetime.combine(day, time(23, 14)))
