"""A fixture list as a model for OR-Tools CP-SAT: what is decided, what binds, what is wished.

Constraints belong to groups, such as `("avoid", 7)`. A group binds, or is a wish with a weight;
with `guarded` each binding group hangs on a literal, so that the solver can name a set of groups
that contradict each other.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import date

from ortools.sat.python import cp_model

from .fixture_decisions import ANY, Decisions
from .fixture_problem import (
    MUST,
    OFF,
    STRONG,
    WEIGHTS,
    PlanDivision,
    PlanRules,
    Problem,
    early_rounds,
)

Group = tuple
BREAKS: Group = ("breaks",)


def break_weight(rules: PlanRules) -> int:
    """What one break costs."""
    return {OFF: 0, STRONG: 3}.get(rules.few_breaks, 1)


class FixtureModel:
    """A problem's model; `without` are groups left out, `fulfilled` wishes that must be met.

    Without `wishes` only what binds is in it; where it is `strict` every wish binds, breaks apart.
    What is decided stands in `decisions`, which says what `by_table`, `backwards` and `weeks` are.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        by_table: bool,
        guarded: bool = False,
        without: Collection[Group] = (),
        fulfilled: Collection[Group] = (),
        wishes: bool = True,
        strict: bool = False,
        backwards: bool = False,
        weeks: str = ANY,
    ):
        self.problem = problem
        self.guarded = guarded
        self.without = frozenset(without)
        self.fulfilled = frozenset(fulfilled)
        self.wishes = wishes
        self.strict = strict
        self.model = cp_model.CpModel()
        self.guards: dict[Group, cp_model.IntVar] = {}
        self.costs: list[tuple[int, cp_model.IntVar]] = []
        self.decisions = Decisions(
            problem, self.model, by_table=by_table, backwards=backwards, weeks=weeks
        )
        for division in problem.divisions:
            self.decisions.add(division)
            self._add_turns(division)
        self._add_halls()
        self._add_breaks()
        self._add_avoids()
        self._add_aparts()
        self._add_sisters()
        if guarded:
            self.model.add_assumptions(list(self.guards.values()))
        elif self.costs:
            self.model.minimize(sum(weight * literal for weight, literal in self.costs))

    # What a constraint costs --------------------------------------------------------------

    def _forbid(self, group: Group, force: str, *literals, weight: int | None = None) -> None:
        """Not all of these literals at once: as a must of the group, or as a wish."""
        if force == OFF or group in self.without:
            return
        clause = [literal.negated() for literal in literals]
        if force == MUST or group in self.fulfilled or (self.strict and group != BREAKS):
            self.model.add_bool_or([*clause, *self._unless(group)])
        elif self.wishes:
            cost = self.model.new_bool_var("")
            self.model.add_bool_or([*clause, cost])
            self.costs.append((WEIGHTS[force] if weight is None else weight, cost))

    def _unless(self, group: Group) -> list:
        """What a clause of the group has beside its own literals."""
        return [self._guard(group).negated()] if self.guarded else []

    def _guard(self, group: Group):
        if group not in self.guards:
            self.guards[group] = self.model.new_bool_var(repr(group))
        return self.guards[group]

    # The constraints ----------------------------------------------------------------------

    def _add_turns(self, division: PlanDivision) -> None:
        rules = self.problem.rules
        breaks = break_weight(rules)
        for team in division.teams:
            home = [self.decisions.at_home(team, number) for number in range(division.rounds)]
            away = [
                self.decisions.home[team, own] if turned else self.decisions.away[team, own]
                for _number, own, turned in self.decisions.rounds(division)
            ]
            for side in (home, away):
                for places in self._runs(division, 2):
                    self._forbid_run(
                        BREAKS, rules.few_breaks, side, home, away, places, weight=breaks
                    )
                for places in self._runs(division, 3):
                    self._forbid_run(("three",), rules.no_three_running, side, home, away, places)

    def _runs(self, division: PlanDivision, length: int) -> Iterator[tuple[int, ...]]:
        """The rounds of each `length` matches running; of an odd number also with a week free."""
        for first in range(division.rounds - length + 1):
            yield tuple(range(first, first + length))
            if len(division.teams) % 2 and first + length < division.rounds:
                for free in range(1, length):
                    yield tuple(first + n + (n >= free) for n in range(length))

    def _forbid_run(self, group, force, side, home, away, places, weight=None) -> None:
        literals = [side[place] for place in places]
        free = set(range(places[0], places[-1])) - set(places)
        literals += [both[place].negated() for place in free for both in (home, away)]
        self._forbid(group, force, *literals, weight=weight)

    def _add_halls(self) -> None:
        by_night = defaultdict(list)
        for team in self.problem.teams.values():
            hall = None if team.hall is None else self.problem.halls[team.hall]
            if hall is None or hall.limit is None or team.id not in self.decisions.division_of:
                continue
            for week in self.problem.weeks:
                literal = self.decisions.home_in(team.id, week)
                if literal is not None:
                    by_night[hall.id, self.problem.home_day(team.id, week)].append(literal)
        for (hall, day), literals in by_night.items():
            free = max(0, self.problem.halls[hall].limit - self.problem.taken.get((hall, day), 0))
            group = ("hall", hall)
            if len(literals) <= free or group in self.without:
                continue
            bound = self.model.add(sum(literals) <= free)
            if self.guarded:
                bound.only_enforce_if(self._guard(group))

    def _add_breaks(self) -> None:
        for team in self.decisions.division_of:
            for week in self.problem.weeks:
                closed = self.problem.break_on(self.problem.home_day(team, week))
                literal = None if closed is None else self.decisions.home_in(team, week)
                if literal is not None:
                    self._forbid(("break", closed.id), MUST, literal)

    def _add_avoids(self) -> None:
        for avoid in self.problem.avoids:
            group = ("avoid", avoid.id)
            for team in avoid.teams:
                for week in self.problem.weeks:
                    self._avoid(avoid, group, team, week)

    def _avoid(self, avoid, group, team: int, week: date) -> None:
        if avoid.first <= self.problem.home_day(team, week) <= avoid.last:
            literal = self.decisions.home_in(team, week)
            if literal is not None:
                self._forbid(group, avoid.force, literal)
        if avoid.home_only:
            return
        for at_home, other, literals in self.decisions.meetings(team, week):
            if not at_home and avoid.first <= self.problem.home_day(other, week) <= avoid.last:
                self._forbid(group, avoid.force, *literals)

    def _add_aparts(self) -> None:
        for apart in self.problem.aparts:
            group = ("apart", apart.id)
            for week in self.problem.weeks:
                first = self._nights(apart.first, apart.second, week, apart.home_only)
                second = self._nights(apart.second, apart.first, week, apart.home_only)
                for day in sorted(first.keys() & second.keys()):  # the same model each time
                    self._forbid(group, apart.force, first[day], second[day])

    def _nights(self, team: int, but: int, week: date, home_only: bool) -> Mapping[date, object]:
        """By day of the week, a literal that is true if the team plays then, not against `but`."""
        if home_only:
            literal = self.decisions.home_in(team, week)
            return {} if literal is None else {self.problem.home_day(team, week): literal}
        nights: dict[date, object] = {}
        for at_home, other, literals in self.decisions.meetings(team, week):
            if other == but:
                continue
            day = self.problem.home_day(team if at_home else other, week)
            if day not in nights:
                nights[day] = self.model.new_bool_var("")
            self.model.add_bool_or(*(literal.negated() for literal in literals), nights[day])
        return nights

    def _add_sisters(self) -> None:
        rules = self.problem.rules
        for division, club, teams in self.problem.sisters():
            for number in range(early_rounds(len(teams)), division.rounds_in_leg):
                for home in teams:
                    for away in teams:
                        if home != away:
                            self._forbid(
                                ("early", division.id, club),
                                rules.club_teams_early,
                                self.decisions.plays[home, away, number],
                                weight=division.legs * WEIGHTS.get(rules.club_teams_early, 0),
                            )
        for one, other in self.problem.turns():
            for week in self.problem.weeks:
                both = [self.decisions.home_in(one, week), self.decisions.home_in(other, week)]
                if all(literal is not None for literal in both):
                    self._forbid(("turns", one, other), rules.club_teams_alternate, *both)
