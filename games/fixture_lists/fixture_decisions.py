"""What is decided in a fixture list, as literals of a model for OR-Tools CP-SAT.

Decided are, for the first leg of each division, who is at home to whom in which round (later legs
mirror it), and in which week each round is played. With `by_table` the rounds are those of the
Berger table (`pairings`) and only the teams' numbers are free: far fewer lists, with the
fewest breaks, found at once.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import date

from ortools.sat.python import cp_model

from .fixture_problem import Fixture, PlanDivision, Problem
from .pairings import fixture_rounds

LIKELY, SHARED, ANY = "likely", "shared", "any"


class Decisions:
    """The literals of a list, with what makes it one: all meet once a leg, rounds in order.

    The table has as few breaks `backwards`, but other teams meet in its first round. `weeks`
    says in which weeks a division with weeks to spare plays: in its `LIKELY` ones, in those that
    all divisions of its length choose together (`SHARED`), or in any; the earlier, the quicker.
    """

    def __init__(
        self,
        problem: Problem,
        model: cp_model.CpModel,
        *,
        by_table: bool,
        backwards: bool = False,
        weeks: str = ANY,
    ):
        self.problem = problem
        self.model = model
        self.by_table = by_table
        self.backwards = backwards
        self.weeks = weeks
        self.plays: dict[tuple[int, int, int], cp_model.IntVar] = {}  # home, away, round of leg 1
        self.home: dict[tuple[int, int], cp_model.IntVar] = {}  # team, round of leg 1
        self.away: dict[tuple[int, int], cp_model.IntVar] = {}
        self.when: dict[tuple[int, int], dict[date, cp_model.IntVar | None]] = {}
        self.at_home_in: dict[tuple[int, date], cp_model.IntVar] = {}
        self.division_of = {team: d for d in problem.divisions for team in d.teams}

    def add(self, division: PlanDivision) -> None:
        """Put the rounds and weeks of a division into the model."""
        self._add_rounds(division)
        self._add_weeks(division)
        if self.by_table:
            self._add_table(division)

    def _add_rounds(self, division: PlanDivision) -> None:
        model, teams, rounds = self.model, division.teams, range(division.rounds_in_leg)
        for home in teams:
            for away in teams:
                if home != away:
                    for number in rounds:
                        self.plays[home, away, number] = model.new_bool_var("")
        for team in teams:
            others = [other for other in teams if other != team]
            for number in rounds:
                self.home[team, number] = model.new_bool_var("")
                self.away[team, number] = model.new_bool_var("")
                model.add(
                    sum(self.plays[team, other, number] for other in others)
                    == self.home[team, number]
                )
                model.add(
                    sum(self.plays[other, team, number] for other in others)
                    == self.away[team, number]
                )
                playing = [self.home[team, number], self.away[team, number]]
                if len(teams) % 2:
                    model.add_at_most_one(playing)
                else:
                    model.add_exactly_one(playing)
            matches = len(teams) - 1
            at_home = sum(self.home[team, number] for number in rounds)
            model.add_linear_constraint(at_home, matches // 2, matches - matches // 2)
        for place, one in enumerate(teams):
            for other in teams[place + 1 :]:
                model.add_exactly_one(
                    self.plays[pair] for number in rounds for pair in ((one, other, number),
                                                                      (other, one, number))
                )  # fmt: skip

    def _add_weeks(self, division: PlanDivision) -> None:
        """Rounds follow each other; where there are as many weeks as rounds, each has its own."""
        weeks = self.problem.weeks_for(division)
        if self.weeks == LIKELY:
            weeks = self.problem.likely_weeks(division)
        elif self.weeks == SHARED:
            for other in self.problem.divisions[: self.problem.divisions.index(division)]:
                if (other.rounds, self.problem.weeks_for(other)) == (division.rounds, weeks):
                    for number in range(division.rounds):
                        self.when[division.id, number] = self.when[other.id, number]
                    return
        spare = len(weeks) - division.rounds
        assert spare >= 0, "too few weeks are seen before"
        for number in range(division.rounds):
            if not spare:
                self.when[division.id, number] = {weeks[number]: None}
                continue
            own = weeks[number : number + spare + 1]
            self.when[division.id, number] = {week: self.model.new_bool_var("") for week in own}
            self.model.add_exactly_one(self.when[division.id, number].values())
            # Evenly over the weeks there are, unless something speaks against it.
            likely = own[(number * spare) // max(1, division.rounds - 1)]
            for week, literal in self.when[division.id, number].items():
                self.model.add_hint(literal, week == likely)
        if spare:
            for number in range(division.rounds - 1):
                self._add_order(division, number)

    def _add_order(self, division: PlanDivision, number: int) -> None:
        """The next round is in a later week: if this one is in the nth or later, so is that."""
        now = list(self.when[division.id, number].values())
        then = list(self.when[division.id, number + 1].values())
        # The next round's weeks begin one week later, so its nth place is past this one's nth.
        for place in range(len(now)):
            self.model.add(sum(then[place:]) >= sum(now[place:]))

    def _add_table(self, division: PlanDivision) -> None:
        teams, size = division.teams, len(division.teams)
        table = fixture_rounds(size, division.legs)[: division.rounds_in_leg]
        if self.backwards:
            table.reverse()
        numbers = {
            (team, number): self.model.new_bool_var("")
            for team in teams
            for number in range(1, size + 1)
        }
        for team in teams:
            self.model.add_exactly_one(numbers[team, n] for n in range(1, size + 1))
        for n in range(1, size + 1):
            self.model.add_exactly_one(numbers[team, n] for team in teams)
        for place, team in enumerate(teams):
            for n in range(1, size + 1):
                self.model.add_hint(numbers[team, n], n == place + 1)
        for number, pairs in enumerate(table):
            at_home = {home for home, _away in pairs}
            for team in teams:
                self.model.add(sum(numbers[team, n] for n in at_home) == self.home[team, number])
            for home, away in pairs:
                for one in teams:
                    for other in teams:
                        if one != other:
                            self.model.add_bool_or(
                                numbers[one, home].negated(),
                                numbers[other, away].negated(),
                                self.plays[one, other, number],
                            )

    # Who is where when --------------------------------------------------------------------

    def rounds(self, division: PlanDivision) -> Iterator[tuple[int, int, bool]]:
        """Each round through all legs: its number, that in the first leg, whether it is turned."""
        for number in range(division.rounds):
            leg, own = divmod(number, division.rounds_in_leg)
            yield number, own, leg % 2 == 1

    def at_home(self, team: int, number: int):
        """The literal that the team is at home in this round of all."""
        division = self.division_of[team]
        leg, own = divmod(number, division.rounds_in_leg)
        return self.away[team, own] if leg % 2 else self.home[team, own]

    def home_in(self, team: int, week: date):
        """The literal that the team is at home in this week; None where its division is free."""
        division = self.division_of[team]
        rounds = [
            (number, self.when[division.id, number][week])
            for number in range(division.rounds)
            if week in self.when[division.id, number]
        ]
        if not rounds:
            return None
        if (team, week) not in self.at_home_in:
            if rounds[0][1] is None:
                self.at_home_in[team, week] = self.at_home(team, rounds[0][0])
            else:
                self._add_home_week(team, division)
        return self.at_home_in[team, week]

    def _add_home_week(self, team: int, division: PlanDivision) -> None:
        """The literals of all weeks of a team whose rounds may be played in several."""
        by_week = defaultdict(list)
        for number in range(division.rounds):
            for week, literal in self.when[division.id, number].items():
                by_week[week].append((number, literal))
        for week, rounds in by_week.items():
            at_home = self.model.new_bool_var("")
            self.at_home_in[team, week] = at_home
            for number, literal in rounds:
                own = self.at_home(team, number)
                self.model.add_bool_or(literal.negated(), own.negated(), at_home)
                self.model.add_bool_or(literal.negated(), own, at_home.negated())
            self.model.add_bool_or(at_home.negated(), *(literal for _number, literal in rounds))
        self.model.add(
            sum(self.at_home_in[team, week] for week in by_week)
            == sum(self.at_home(team, number) for number in range(division.rounds))
        )

    def meetings(self, team: int, week: date) -> Iterator[tuple[bool, int, list]]:
        """Each match the team may have in the week: whether at home, with whom, its literals."""
        division = self.division_of[team]
        for number, own, turned in self.rounds(division):
            if week not in self.when[division.id, number]:
                continue
            literal = self.when[division.id, number][week]
            played_then = [] if literal is None else [literal]
            for other in division.teams:
                if other != team:
                    home, away = self.plays[team, other, own], self.plays[other, team, own]
                    if turned:
                        home, away = away, home
                    yield True, other, [home, *played_then]
                    yield False, other, [away, *played_then]

    # What comes and goes ------------------------------------------------------------------

    def hint(self, fixtures: Collection[Fixture]) -> None:
        """Begin the search at this list."""
        self.model.clear_hints()
        played = {(f.home, f.away, f.round - 1) for f in fixtures if f.leg == 1}
        for key, literal in self.plays.items():
            self.model.add_hint(literal, key in played)
        days = defaultdict(set)
        for fixture in fixtures:
            days[fixture.division, fixture.round - 1].add(fixture.day)
        for key, weeks in self.when.items():
            for week, literal in weeks.items():
                if literal is not None:
                    self.model.add_hint(
                        literal, any(0 <= (day - week).days < 7 for day in days[key])
                    )

    def fixtures(self, solver: cp_model.CpSolver) -> list[Fixture]:
        """The list that the solver found, by division, round and home team."""
        found = []
        for division in self.problem.divisions:
            for number, own, turned in self.rounds(division):
                weeks = self.when[division.id, number]
                week = next(w for w, lit in weeks.items() if lit is None or solver.value(lit))
                for home in division.teams:
                    for away in division.teams:
                        first = (away, home) if turned else (home, away)
                        if home != away and solver.value(self.plays[*first, own]):
                            leg = number // division.rounds_in_leg + 1
                            day = self.problem.home_day(home, week)
                            found.append(Fixture(division.id, home, away, leg, number + 1, day))
        return found
