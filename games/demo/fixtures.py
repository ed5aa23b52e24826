"""The fixtures of the demo: each hangs on the day the demo is made for."""

from dataclasses import dataclass
from datetime import date, timedelta

from .competitions import INCOMPLETE, POSTPONED, Competition, Key
from .people import DemoTeam

BETWEEN_ROUNDS = timedelta(days=14)
A_YEAR = timedelta(days=364)


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match of the demo before anybody played it; `place` is that of the home team."""

    competition: Competition
    season: int
    round: int
    place: int
    home: DemoTeam
    away: DemoTeam
    played_on: date

    @property
    def key(self) -> Key:
        return self.competition, self.season, self.round, self.place

    @property
    def is_played(self) -> bool:
        """Whether its card is in: in the season that is on, of the rounds that are over."""
        is_over = self.season > 0 or self.round <= self.competition.played
        return is_over and self.key != POSTPONED

    @property
    def is_last_card(self) -> bool:
        """Whether its card came in last, by somebody's hand."""
        incomplete, season, number, _place = INCOMPLETE
        return (self.competition, self.season, self.round) == (incomplete, season, number)


def fixtures_of(competition: Competition, season: int, today: date) -> list[Fixture]:
    """A season's fixtures, round by round; `season` counts back from the one that is on.

    The next round after those that are over ends its week on `today`, or `days_ahead` later.
    """
    today -= season * A_YEAR
    teams = competition.teams[season]
    found = []
    for number in range(1, 2 * len(competition.rounds) + 1):
        away_leg = number > len(competition.rounds)
        week_ends_on = today + timedelta(days=competition.days_ahead)
        week_ends_on += (number - competition.played - 1) * BETWEEN_ROUNDS
        for pair in competition.rounds[(number - 1) % len(competition.rounds)]:
            home, away = pair[::-1] if away_leg else pair
            night = teams[home].club.night if competition.night is None else competition.night
            since = timedelta(days=(week_ends_on.weekday() - night) % 7)
            day = week_ends_on - since
            found.append(Fixture(competition, season, number, home, teams[home], teams[away], day))
    return found
