"""How the demo's matches go: as strength has it, and the same on any machine."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from games.models import Award, Colour
from ratings import elo

from .competitions import INCOMPLETE, NEWCOMERS_MET, SETTLED
from .fixtures import Fixture
from .people import DemoPlayer

Busy = set[tuple[DemoPlayer | None, date]]


class Dice:
    """Numbers that look thrown and are the same on every machine."""

    def __init__(self, seed: int):
        self.state = seed

    def roll(self, sides: int) -> int:
        """A number from 0 up to `sides`, that one left out."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % sides


@dataclass(frozen=True, slots=True)
class Game:
    """A board of the demo: `result` is the home side's half-points, None without a game."""

    number: int
    home: DemoPlayer | None
    away: DemoPlayer | None
    result: int | None
    award: Award | None = None

    @property
    def home_colour(self) -> str:
        return Colour.BLACK if self.number % 2 else Colour.WHITE


def play_season(fixtures: Iterable[Fixture], throw: int, busy: Busy) -> dict[Fixture, list[Game]]:
    """The boards of those of a season's matches whose cards are in.

    Nobody plays who is `busy` that day, and who plays here is so for other divisions.
    """
    dice = Dice(throw)
    played = {}
    for fixture in fixtures:
        if fixture.is_played:
            played[fixture] = games = _play(fixture, dice, busy)
            busy |= {(player, fixture.played_on) for g in games for player in (g.home, g.away)}
    return played


def _play(fixture: Fixture, dice: Dice, busy: Busy) -> list[Game]:
    """The boards of a match: who came, in order of strength, and how it went."""
    boards = fixture.competition.boards
    settled = SETTLED.get(fixture.key)
    if settled is not None:
        line_ups = zip(fixture.home.regulars, fixture.away.regulars, settled, strict=False)
        return [Game(number, *line_up) for number, line_up in enumerate(line_ups, 1)]
    free = [
        [player for player in team.regulars if (player, fixture.played_on) not in busy]
        for team in (fixture.home, fixture.away)
    ]
    line_ups = [_line_up(players, boards, dice) for players in free]
    games = [
        Game(number, home, away, _result(home, away, dice))
        for number, (home, away) in enumerate(zip(*line_ups, strict=True), 1)
    ]
    games[-1] = _last_board(fixture, games[-1])
    if fixture.key == INCOMPLETE:
        games[3] = Game(4, games[3].home, games[3].away, None)
    return games


def _line_up(players: list[DemoPlayer], boards: int, dice: Dice) -> list[DemoPlayer]:
    """As many of the players as there are boards; each of the others could not come."""
    absent = len(players) - boards
    chosen = []
    for player in players:
        if absent and dice.roll(7) == 0:
            absent -= 1
        else:
            chosen.append(player)
    return chosen[:boards]


def _result(home: DemoPlayer, away: DemoPlayer, dice: Dice) -> int:
    """The home side's half-points, drawn one time in three and else as likely as Elo says."""
    expected = int(elo.expected_score(home.strength, away.strength, elo.CLUB) * 1000)
    draws = min(330, 2 * expected, 2 * (1000 - expected))
    thrown = dice.roll(1000)
    if thrown < draws:
        return 1
    return 2 if thrown < expected + draws // 2 else 0


def _last_board(fixture: Fixture, game: Game) -> Game:
    """Where a default stands, and where newcomers met."""
    home, away = game.home, game.away
    if fixture.key in NEWCOMERS_MET:
        return Game(game.number, fixture.home.guests[0], fixture.away.guests[0], 1)
    award = fixture.competition.defaults.get((fixture.round, fixture.place))
    if award is None:
        return game
    if award in (Award.AWAY_DEFAULT, Award.DOUBLE_DEFAULT):
        home = None
    if award in (Award.HOME_DEFAULT, Award.DOUBLE_DEFAULT):
        away = None
    return Game(game.number, home, away, None, award)
