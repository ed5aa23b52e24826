"""What a league's season has for the rating officer: its games of one time control, and who played.

A higher submission index overwrites the event (rules/formats.md), so a file always holds all games
of the event, those of earlier submissions too.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import NamedTuple

from django.db.models import Max, Min, Q

from clubs.models import Club, Membership, Player
from games.match_cards.posting import key_of
from games.models import DEFAULTS, Board, Colour, Division, Match, Season, SubmittedEvent, Team

from .ecf_results_file import EventLines, GameLine, MatchLines, PlayerLine, results_file

HAS_WHITE = {Colour.WHITE: True, Colour.BLACK: False, Colour.UNKNOWN: None}


class TimeControl(NamedTuple):
    """One player's time: minutes, and seconds a move."""

    minutes: int
    increment_seconds: int

    def __str__(self):
        return f"{self.minutes} + {self.increment_seconds}"

    @property
    def slug(self) -> str:
        return f"{self.minutes}-{self.increment_seconds}"


class GameFacts(NamedTuple):
    """A game as a file has it, people by pk; `result` is the home side's half-points."""

    match_title: str
    board: int
    played_on: date
    home: int
    away: int
    home_colour: str
    result: int


@dataclass(slots=True)
class Person:
    """Somebody with games in the file: his club on the day of the last one, None without any.

    `not_member` counts the games on whose day he was no member of the federation, as far as is
    known here.
    """

    player: Player
    club: Club | None = None
    games: int = 0
    not_member: int = 0
    last_day: date = date.min
    team_clubs: Counter = field(default_factory=Counter)


@dataclass(slots=True)
class Contents:
    """The divisions of a season with one time control, and what a file of them holds.

    `games` stand by ledger key in the order of the file, `matches` holds the keys of each match;
    `undated` are boards left out for want of a date. `starts_on` and `ends_on` are the first and
    the last day of games and fixtures.
    """

    control: TimeControl
    divisions: list[Division]
    games: dict[str, GameFacts]
    matches: list[list[str]]
    undated: list[Board]
    people: dict[int, Person]
    teams: list[Team]
    starts_on: date
    ends_on: date


def controls_of(season: Season) -> dict[TimeControl, list[Division]]:
    """The divisions of a season by time control, each an event of its own."""
    found: dict[TimeControl, list[Division]] = defaultdict(list)
    for division in season.divisions.order_by("rank", "name", "pk"):
        found[TimeControl(division.minutes, division.increment_seconds)].append(division)
    return dict(found)


def contents_of(season: Season, control: TimeControl, divisions: list[Division]) -> Contents:
    """What a file of these divisions holds now, in a few queries however many games there are."""
    boards = list(
        Board.objects.filter(match__division__in=divisions)
        .rateable()
        .select_related("match__home", "match__away")
        .order_by(
            *("match__division__rank", "match__division__name", "match__division"),
            *("match__played_on", "match__number", "match__leg", "match", "number"),
        )
    )
    games = {
        key_of(board.pk): GameFacts(
            f"{board.match.home.name} - {board.match.away.name}",
            board.number,
            board.day,
            board.home_player_id,
            board.away_player_id,
            board.home_colour,
            board.result,
        )
        for board in boards
    }
    days = Match.objects.filter(division__in=divisions).aggregate(
        first=Min("played_on"), last=Max("played_on")
    )
    played = [game.played_on for game in games.values()]
    teams = {team.pk: team for board in boards for team in (board.match.home, board.match.away)}
    return Contents(
        control=control,
        divisions=divisions,
        games=games,
        matches=[
            [key_of(board.pk) for board in of_match]
            for _match, of_match in groupby(boards, key=lambda board: board.match_id)
        ],
        undated=_undated(divisions),
        people=_people(boards),
        teams=[teams[pk] for pk in sorted(teams)],
        starts_on=min([*filter(None, [days["first"]]), *played], default=season.starts_on),
        ends_on=max([*filter(None, [days["last"]]), *played], default=season.starts_on),
    )


def _undated(divisions: Iterable[Division]) -> list[Board]:
    """The boards that were played and would be in the file, had they or their match a date."""
    return list(
        Board.objects.filter(match__division__in=divisions)
        .filter(result__isnull=False, home_player__isnull=False, away_player__isnull=False)
        .filter(played_on__isnull=True, match__played_on__isnull=True)
        .filter(Q(award__isnull=True) | ~Q(award__in=DEFAULTS))
        .select_related("match__home", "match__away", "home_player", "away_player")
        .order_by("match__division__rank", "match__division", "match__number", "match", "number")
    )


def _people(boards: Iterable[Board]) -> dict[int, Person]:
    seats = [
        (player, team.club_id, board.day)
        for board in boards
        for player, team in (
            (board.home_player_id, board.match.home),
            (board.away_player_id, board.match.away),
        )
    ]
    players = Player.objects.in_bulk({player for player, _club, _day in seats})
    people = {pk: Person(players[pk]) for pk in sorted(players)}
    for player, club, day in seats:
        person = people[player]
        person.games += 1
        person.not_member += not is_member(person.player, day)
        person.last_day = max(person.last_day, day)
        person.team_clubs[club] += 1
    _find_clubs(people)
    return people


def _find_clubs(people: dict[int, Person]) -> None:
    """Each person's club: of those he is a member of, the one he played most games for."""
    rows = Membership.objects.filter(player__in=people).select_related("club")
    for row in rows.order_by("club__search_name", "club_id", "pk"):
        person = people[row.player_id]
        begun = row.starts_on is None or row.starts_on <= person.last_day
        lasts = row.ends_on is None or person.last_day < row.ends_on
        if not (begun and lasts):
            continue
        known = person.club
        if known is None or person.team_clubs[row.club_id] > person.team_clubs[known.pk]:
            person.club = row.club


def is_member(player: Player, day: date) -> bool:
    """Whether he was a member of the federation that day; one without a known end still is."""
    if player.membership_number is None:
        return False
    return player.membership_expires_on is None or day <= player.membership_expires_on


# --- As the file has it ------------------------------------------------------------------


def text_of(event: SubmittedEvent, contents: Contents, index: int) -> str:
    """The file of the event with this index; its PINs are the players' pks, the same each time."""
    return results_file(
        _event_lines(event, contents, index),
        [player_line(person) for person in contents.people.values()],
        match_lines(contents),
    )


def _event_lines(event: SubmittedEvent, contents: Contents, index: int) -> EventLines:
    return EventLines(
        code=event.code,
        index=index,
        name=event.name,
        starts_on=contents.starts_on,
        ends_on=contents.ends_on,
        results_officer=event.results_officer,
        results_officer_address=_lines(event.results_officer_address),
        treasurer=event.treasurer,
        treasurer_address=_lines(event.treasurer_address),
        minutes=event.minutes,
        increment_seconds=event.increment_seconds,
    )


def _lines(address: str) -> list[str]:
    return [line for line in address.splitlines() if line.strip()]


def player_line(person: Person) -> PlayerLine:
    """A person as the file has him."""
    player = person.player
    return PlayerLine(
        pin=player.pk,
        surname=player.surname,
        forenames=player.forenames,
        code=player.ecf_code,
        gender=player.gender,
        born_on=player.birth_date,
        club="" if person.club is None else person.club.name,
        club_code=None if person.club is None else person.club.code,
        membership_number=player.membership_number,
        fide_id=player.fide_id,
    )


def match_lines(contents: Contents) -> list[MatchLines]:
    """The games by match, in the order of the file."""
    found = []
    for keys in contents.matches:
        games = [contents.games[key] for key in keys]
        found.append(MatchLines(games[0].match_title, [_game_line(game) for game in games]))
    return found


def _game_line(game: GameFacts) -> GameLine:
    return GameLine(
        game.home, game.away, game.result, game.played_on, game.board, HAS_WHITE[game.home_colour]
    )
