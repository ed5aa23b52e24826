"""A season's fixture list looked for by OR-Tools CP-SAT: found, or why there is none.

First the Berger table is tried, where only the teams' numbers are free: if a list of it meets every
wish, no other has fewer breaks. Else any pairing of the rounds is. The search is bounded in
deterministic time, with a fixed seed and one worker, so the same problem gives the same list on
any machine that is not slower than `SLOWEST`; a slower one stops at the wall clock.
"""

import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from ortools.sat.python import cp_model

from .fixture_clashes import Clash, breaks, clashes
from .fixture_decisions import ANY, LIKELY, SHARED
from .fixture_model import BREAKS, FixtureModel, Group, break_weight
from .fixture_problem import WEIGHTS, Fixture, Problem

SOLVED, IMPOSSIBLE, UNDECIDED = "solved", "impossible", "undecided"
WORKERS = 1
"""Two in turns find no better list, and OR-Tools 9.15 ends the process ("fixed_search != nullptr")
when a model with hints turns out to be impossible as they load it (google/or-tools#5025)."""
SEED = 1
WORK_PER_SECOND = 0.8
"""Deterministic work that one second is worth, as measured on two cores with nothing else to do."""
SLOWEST = 4
CHECK = 1.5
"""Deterministic work one question costs at most when a contradiction is narrowed down."""
MOST_REASONS = 6


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a wish is not met.

    If it `is_excluded`, `contradicts` holds the groups that exclude it; else `costs` says how many
    wishes of which groups would be unmet more (or, negative, fewer) if it were met. Nothing there:
    no list that meets it was found in the time.
    """

    group: Group
    is_excluded: bool = False
    contradicts: tuple[Group, ...] = ()
    costs: tuple[tuple[Group, int], ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What the solver says of a problem.

    `SOLVED` with `fixtures`, `IMPOSSIBLE` with the groups that contradict each other (none can be
    left out, where `is_smallest`), or `UNDECIDED` when the time was too short. `cost` is the
    weight of the unmet wishes, breaks included; no list costs less than `bound`.
    """

    state: str
    fixtures: tuple[Fixture, ...] = ()
    contradiction: tuple[Group, ...] = ()
    is_smallest: bool = True
    reasons: tuple[Reason, ...] = ()
    cost: int = 0
    bound: int = 0
    by_table: bool = False


@dataclass
class Search:
    """The time there is, how much of it is spent, and whether somebody wants it stopped."""

    seconds: float
    spent: float = 0.0
    stopped: bool = False
    began: float = field(default_factory=time.monotonic)
    running: cp_model.CpSolver | None = field(default=None, repr=False)

    @property
    def work(self) -> float:
        """All the deterministic work there is."""
        return self.seconds * WORK_PER_SECOND

    @property
    def share(self) -> float:
        """How much of the time is gone, as a clock sees it: from 0 to 1, or past it."""
        return (time.monotonic() - self.began) / self.seconds

    @property
    def left(self) -> float:
        return max(0.0, self.work - self.spent)

    def solve(
        self, model: FixtureModel, work: float, workers: int = WORKERS
    ) -> tuple[int, cp_model.CpSolver]:
        """CP-SAT's status, and the solver with what it found."""
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = workers
        solver.parameters.interleave_search = workers > 1
        solver.parameters.random_seed = SEED
        solver.parameters.max_deterministic_time = max(work, 0.01)
        solver.parameters.max_time_in_seconds = SLOWEST * max(work, 0.01) / WORK_PER_SECOND + 1
        self.running = solver
        status = cp_model.UNKNOWN if self.stopped else solver.solve(model.model)
        self.running = None
        if not self.stopped:
            self.spent += solver.response_proto.deterministic_time
        return status, solver

    def stop(self) -> None:
        """End the search now; what was found so far is kept."""
        self.stopped = True
        if self.running is not None:
            self.running.stop_search()


def solve(problem: Problem, search: Search) -> Outcome:
    """The best list that was found in the time, or why there is none."""
    shortage = _shortage(problem)
    if shortage:
        return Outcome(IMPOSSIBLE, contradiction=tuple(shortage))
    best = _by_table(problem, search)
    if best is not None and not wishes_unmet(problem, best.fixtures):
        return best
    weeks = SHARED if _has_spare_weeks(problem) else ANY
    best, is_none = _better(problem, search, best, weeks)
    if best is None and not is_none:
        best, weeks, is_none = _any_list(problem, search)
        if best is not None:
            best, _is_none = _better(problem, search, best, weeks)
    if is_none:
        groups, smallest = contradiction(problem, search, search.work)
        return Outcome(IMPOSSIBLE, contradiction=groups, is_smallest=smallest)
    return Outcome(UNDECIDED) if best is None else _with_reasons(problem, search, best)


def cost_of(problem: Problem, fixtures: Sequence[Fixture]) -> int:
    """The weight of the wishes that a list does not meet, breaks included."""
    unmet = sum(WEIGHTS[clash.force] for clash in clashes(problem, fixtures) if not clash.binds)
    return unmet + break_weight(problem.rules) * breaks(problem, fixtures)


def wishes_unmet(problem: Problem, fixtures: Sequence[Fixture]) -> Counter:
    """How often each wish is not met, by its group; breaks apart."""
    return Counter(group_of(clash) for clash in clashes(problem, fixtures) if not clash.binds)


def group_of(clash: Clash) -> Group:
    """The group of the model that a clash belongs to."""
    if clash.rule in ("hall", "break", "avoid", "apart"):
        return clash.rule, clash.about
    if clash.rule == "turns":
        return ("turns", *clash.teams)
    if clash.rule == "early":
        return "early", clash.fixtures[0].division, clash.about
    return (clash.rule,)


def _shortage(problem: Problem) -> list[Group]:
    """The divisions that have more rounds than there are weeks."""
    return [
        ("weeks", division.id, division.rounds, len(problem.weeks_for(division)))
        for division in problem.divisions
        if division.rounds > len(problem.weeks_for(division))
    ]


def _has_spare_weeks(problem: Problem) -> bool:
    return any(len(problem.weeks_for(d)) > d.rounds for d in problem.divisions)


def _by_table(problem: Problem, search: Search) -> Outcome | None:
    """A list by the table: one that meets every wish, else the best that is found soon."""
    for backwards in (False, True):
        model = FixtureModel(
            problem,
            by_table=True,
            strict=True,
            wishes=False,
            backwards=backwards,
            weeks=LIKELY,
        )
        status, solver = search.solve(model, search.work / 8)
        if status in FOUND:
            fixtures = tuple(model.decisions.fixtures(solver))
            cost = cost_of(problem, fixtures)
            return Outcome(SOLVED, fixtures, cost=cost, bound=cost, by_table=True)
    model = FixtureModel(problem, by_table=True, weeks=LIKELY)
    status, solver = search.solve(model, search.work / 6)
    return _outcome(model, solver, by_table=True) if status in FOUND else None


def _better(
    problem: Problem, search: Search, best: Outcome | None, weeks: str
) -> tuple[Outcome | None, bool]:
    """The list, or one that costs less; and whether there is none at all.

    A part of the time is kept: for another way to find a list, or to say why wishes are not met.
    What no list can fall below is known only where every week was looked at.
    """
    model = FixtureModel(problem, by_table=False, weeks=weeks)
    if best is not None:
        model.decisions.hint(best.fixtures)
    status, solver = search.solve(model, 0.7 * search.left)
    if status not in FOUND:
        return best, status == cp_model.INFEASIBLE and weeks == ANY
    found = _outcome(model, solver, by_table=False)
    bound = found.bound if weeks == ANY else 0
    return replace(found if best is None or found.cost < best.cost else best, bound=bound), False


def _any_list(problem: Problem, search: Search) -> tuple[Outcome | None, str, bool]:
    """A list that keeps what binds, whatever it costs; of which weeks; whether there is none.

    Without the wishes one worker alone finds a first list sooner.
    """
    for weeks in (SHARED, ANY) if _has_spare_weeks(problem) else (ANY,):
        model = FixtureModel(problem, by_table=False, wishes=False, weeks=weeks)
        status, solver = search.solve(model, 0.6 * search.left, workers=1)
        if status in FOUND:
            return _outcome(model, solver, by_table=False), weeks, False
        if status == cp_model.INFEASIBLE and weeks == ANY:
            return None, weeks, True
    return None, ANY, False


def _outcome(model: FixtureModel, solver: cp_model.CpSolver, *, by_table: bool) -> Outcome:
    fixtures = tuple(model.decisions.fixtures(solver))
    return Outcome(
        SOLVED,
        fixtures,
        cost=cost_of(model.problem, fixtures),
        bound=round(solver.best_objective_bound) if model.costs else 0,
        by_table=by_table,
    )


FOUND = (cp_model.OPTIMAL, cp_model.FEASIBLE)


def _with_reasons(problem: Problem, search: Search, best: Outcome) -> Outcome:
    """The outcome with a reason for each unmet wish, or a better one that was found on the way."""
    reasons: dict[Group, Reason] = {}
    asked = 0
    while asked < MOST_REASONS:
        unmet = wishes_unmet(problem, best.fixtures)
        group = next((each for each, _n in unmet.most_common() if each not in reasons), None)
        if group is None:
            break
        asked += 1
        model = FixtureModel(problem, by_table=False, fulfilled=[group])
        model.decisions.hint(best.fixtures)
        status, solver = search.solve(model, search.left / (MOST_REASONS + 1 - asked))
        if status == cp_model.INFEASIBLE:
            groups, _smallest = contradiction(problem, search, 4 * CHECK, [group])
            against = tuple(each for each in groups if each != group)
            reasons[group] = Reason(group, contradicts=against, is_excluded=True)
            continue
        found = _outcome(model, solver, by_table=False) if status in FOUND else None
        if found is not None and found.cost < best.cost:
            best, reasons = replace(found, bound=best.bound), {}
            continue
        reasons[group] = Reason(group, costs=_differences(problem, best, found))
    shown = tuple(reasons[group] for group in unmet if group in reasons)
    return replace(best, reasons=shown)


def _differences(
    problem: Problem, best: Outcome, found: Outcome | None
) -> tuple[tuple[Group, int], ...]:
    """How many wishes more, or fewer, the other list leaves unmet; nothing without one."""
    if found is None:
        return ()
    before = wishes_unmet(problem, best.fixtures)
    after = wishes_unmet(problem, found.fixtures)
    before[BREAKS] = breaks(problem, best.fixtures)
    after[BREAKS] = breaks(problem, found.fixtures)
    groups = sorted({*before, *after}, key=repr)
    return tuple((g, after[g] - before[g]) for g in groups if after[g] != before[g])


# Why not ------------------------------------------------------------------------------------


def contradiction(
    problem: Problem, search: Search, work: float, fulfilled: Collection[Group] = ()
) -> tuple[tuple[Group, ...], bool]:
    """Groups that cannot all be kept, as few as can be; whether each of them is needed for sure.

    Of more than `work` deterministic work the set stays as small as it is then. The structure of
    a list (everybody meets everybody, home and away in balance, rounds in order) always
    holds and is no group.
    """
    model = FixtureModel(problem, by_table=False, guarded=True, wishes=False, fulfilled=fulfilled)
    every = list(model.guards)
    until = search.spent + work
    groups = _core(model, every, search)
    smallest = True
    for group in list(groups):
        if search.spent > until:
            return tuple(groups), False
        fewer = [each for each in groups if each != group]
        status = _check(problem, search, every, fewer, fulfilled)
        if status == cp_model.INFEASIBLE:
            groups = fewer
        elif status not in FOUND:
            smallest = False
    return tuple(groups), smallest


def _core(model: FixtureModel, every: list[Group], search: Search) -> list[Group]:
    """The groups that the solver itself blames, all of them if it cannot say."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = SEED
    solver.parameters.max_deterministic_time = 4 * CHECK
    status = solver.solve(model.model)
    search.spent += solver.response_proto.deterministic_time
    if status != cp_model.INFEASIBLE:
        return every
    blamed = set(solver.sufficient_assumptions_for_infeasibility())
    return [group for group in every if model.guards[group].index in blamed] or every


def _check(problem, search: Search, every, groups, fulfilled) -> int:
    """Whether there is a list that keeps these groups alone."""
    model = FixtureModel(
        problem,
        by_table=False,
        wishes=False,
        without=set(every) - set(groups),
        fulfilled=fulfilled,
    )
    return search.solve(model, CHECK)[0]
