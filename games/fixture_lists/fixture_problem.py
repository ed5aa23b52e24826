"""What a fixture list has to keep: teams, halls, weeks, days to avoid, wishes. Pure.

`fixture_solver` makes a list for it, `fixture_clashes` checks one.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import combinations

from .pairings import rounds_in_leg

MUST, STRONG, WISH, OFF = "must", "strong", "wish", "off"
WEIGHTS = {STRONG: 30, WISH: 10}
"""What one unmet wish costs; a list is the better the less it costs."""


@dataclass(frozen=True, slots=True)
class PlanTeam:
    """A team, where its club plays (`hall` None: its own rooms), and the weekday of its nights."""

    id: int
    name: str
    club: int
    night: int
    hall: int | None = None


@dataclass(frozen=True, slots=True)
class PlanDivision:
    """Teams that all meet each other `legs` times."""

    id: int
    name: str
    teams: tuple[int, ...]
    legs: int = 2

    @property
    def rounds_in_leg(self) -> int:
        return rounds_in_leg(len(self.teams))

    @property
    def rounds(self) -> int:
        return self.legs * self.rounds_in_leg


@dataclass(frozen=True, slots=True)
class Hall:
    """A venue that holds `limit` matches a night, None any number."""

    id: int
    name: str
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Closed:
    """Days on which nobody plays, both ends included."""

    id: int
    name: str
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Avoid:
    """Days, both ends included, on which these teams do not play, or not at home."""

    id: int
    name: str
    teams: tuple[int, ...]
    first: date
    last: date
    home_only: bool = True
    force: str = MUST


@dataclass(frozen=True, slots=True)
class Apart:
    """Two teams that do not play on one night, or are not both at home on one."""

    id: int
    first: int
    second: int
    home_only: bool = False
    force: str = MUST


@dataclass(frozen=True, slots=True)
class PlanRules:
    """How much the general rules bind: `MUST`, `STRONG`, `WISH` or `OFF`.

    `few_breaks` cannot be `MUST`.
    """

    club_teams_early: str = MUST
    club_teams_alternate: str = WISH
    no_three_running: str = STRONG
    few_breaks: str = WISH


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match of a list; `round` counts through all legs from 1."""

    division: int
    home: int
    away: int
    leg: int
    round: int
    day: date


@dataclass(frozen=True)
class Problem:
    """Everything one list over all divisions of a season must and should keep.

    `weeks` are Mondays, ascending. `taken` counts matches that stand already, by hall and day.
    """

    teams: Mapping[int, PlanTeam]
    divisions: tuple[PlanDivision, ...]
    weeks: tuple[date, ...]
    halls: Mapping[int, Hall] = field(default_factory=dict)
    breaks: tuple[Closed, ...] = ()
    avoids: tuple[Avoid, ...] = ()
    aparts: tuple[Apart, ...] = ()
    taken: Mapping[tuple[int, date], int] = field(default_factory=dict)
    rules: PlanRules = PlanRules()

    def home_day(self, team: int, week: date) -> date:
        """The day of a home match of the team in the week that begins on this Monday."""
        return week + timedelta(days=self.teams[team].night)

    def break_on(self, day: date) -> Closed | None:
        """The break that the day falls in."""
        return next((each for each in self.breaks if each.first <= day <= each.last), None)

    def weeks_for(self, division: PlanDivision) -> tuple[date, ...]:
        """The weeks in which at least one team of the division may be at home."""
        return tuple(
            week
            for week in self.weeks
            if any(self.break_on(self.home_day(team, week)) is None for team in division.teams)
        )

    def likely_weeks(self, division: PlanDivision) -> tuple[date, ...]:
        """As many of its weeks as it has rounds: those in which least speaks against playing.

        Looked at are the teams of all divisions, so that those of one length play in the same
        weeks, which shared halls need. Else the weeks left out lie at even distances.
        """
        weeks = list(self.weeks_for(division))
        spare = len(weeks) - division.rounds
        against = {week: self._speaks_against(week) for week in weeks}
        for nth in range(1, spare + 1):
            middle = len(weeks) * nth // (spare + 1)
            far = {week: abs(place - middle) for place, week in enumerate(weeks)}
            weeks.remove(max(weeks, key=lambda week: (against[week], -far[week])))
        return tuple(weeks)

    def _speaks_against(self, week: date) -> int:
        """How many teams should not play in the week, or not at home."""
        sunday = week + timedelta(days=6)
        count = sum(self.break_on(self.home_day(team, week)) is not None for team in self.teams)
        for avoid in self.avoids:
            for team in avoid.teams:
                at_home = avoid.first <= self.home_day(team, week) <= avoid.last
                any_day = avoid.first <= sunday and week <= avoid.last
                count += at_home if avoid.home_only else 3 * any_day
        return count

    def sisters(self) -> list[tuple[PlanDivision, int, tuple[int, ...]]]:
        """Each division with a club and its teams there, where it has two or more."""
        found = []
        for division in self.divisions:
            by_club: dict[int, list[int]] = defaultdict(list)
            for team in division.teams:
                by_club[self.teams[team].club].append(team)
            found += [
                (division, club, tuple(teams)) for club, teams in by_club.items() if len(teams) > 1
            ]
        return found

    def turns(self) -> list[tuple[int, int]]:
        """The teams of each club two by two, in the order of divisions: those that alternate."""
        by_club: dict[int, list[int]] = defaultdict(list)
        for division in self.divisions:
            for team in division.teams:
                by_club[self.teams[team].club].append(team)
        return [
            (teams[place], teams[place + 1])
            for teams in by_club.values()
            for place in range(0, len(teams) - 1, 2)
        ]


def early_rounds(teams: int) -> int:
    """How many rounds this many teams of one club need to have met each other."""
    return rounds_in_leg(teams)


def pairs_of(division: PlanDivision) -> list[tuple[int, int]]:
    """Every two teams of a division, once."""
    return list(combinations(division.teams, 2))
