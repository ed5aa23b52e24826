"""Every constraint of a fixture list checked, without knowing how the list was made. Pure.

It shares nothing with the solver but the problem: used for edits by hand, and to test the solver.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from .fixture_problem import MUST, OFF, WISH, Fixture, PlanDivision, Problem, early_rounds

RULES = (
    *("missing", "repeated", "stranger", "mirror", "balance", "team_twice", "week", "night"),
    *("break", "round_apart", "hall", "avoid", "apart", "early", "turns", "three"),
)


@dataclass(frozen=True, slots=True)
class Clash:
    """A constraint that a list does not keep; `force` says whether it binds or is a wish.

    `teams` and `days` are those concerned, `about` the row of the problem (a hall, a break, an
    `Avoid`, an `Apart`), `count` and `limit` numbers that the rule compares; `fixtures` are the
    matches that would have to move.
    """

    rule: str
    force: str
    teams: tuple[int, ...] = ()
    days: tuple[date, ...] = ()
    about: int | None = None
    count: int = 0
    limit: int = 0
    fixtures: tuple[Fixture, ...] = ()

    @property
    def binds(self) -> bool:
        return self.force == MUST


def clashes(problem: Problem, fixtures: Iterable[Fixture]) -> list[Clash]:
    """Everything that the list breaks, what binds first; empty for a list without fault."""
    listed = sorted(fixtures, key=lambda f: (f.day, f.round, f.division, f.home))
    found = [
        *_meetings(problem, listed),
        *_days(problem, listed),
        *_halls(problem, listed),
        *_avoids(problem, listed),
        *_aparts(problem, listed),
        *_sisters(problem, listed),
        *_turns(problem, listed),
    ]
    return sorted(found, key=lambda clash: (not clash.binds, RULES.index(clash.rule)))


def breaks(problem: Problem, fixtures: Iterable[Fixture]) -> int:
    """How often a team has two matches running at home, or two away."""
    lines = (_sides(team, own) for team, own in _by_team(problem, fixtures))
    return sum(a == b for line in lines for a, b in zip(line, line[1:], strict=False))


# Who meets whom -----------------------------------------------------------------------------


def _meetings(problem: Problem, listed: Sequence[Fixture]) -> Iterator[Clash]:
    for division in problem.divisions:
        own = [f for f in listed if f.division == division.id]
        teams = set(division.teams)
        for f in own:
            if not {f.home, f.away} <= teams or f.home == f.away:
                yield Clash("stranger", MUST, (f.home, f.away), (f.day,), fixtures=(f,))
        yield from _each_meets_each(division, own)
        yield from _balance(division, own)


def _each_meets_each(division: PlanDivision, own: Sequence[Fixture]) -> Iterator[Clash]:
    by_pair: dict[tuple[frozenset, int], list[Fixture]] = defaultdict(list)
    for f in own:
        by_pair[frozenset((f.home, f.away)), f.leg].append(f)
    for place, one in enumerate(division.teams):
        for other in division.teams[place + 1 :]:
            pair = frozenset((one, other))
            for leg in range(1, division.legs + 1):
                met = by_pair[pair, leg]
                if not met:
                    yield Clash("missing", MUST, (one, other), count=leg)
                elif len(met) > 1:
                    days = tuple(f.day for f in met)
                    yield Clash("repeated", MUST, (one, other), days, fixtures=tuple(met))
                if leg > 1 and len(met) == len(by_pair[pair, leg - 1]) == 1:
                    before, after = by_pair[pair, leg - 1][0], met[0]
                    turned = (before.home, before.away) == (after.away, after.home)
                    if not turned or after.day <= before.day:
                        days = (before.day, after.day)
                        yield Clash("mirror", MUST, (one, other), days, fixtures=(before, after))


def _balance(division: PlanDivision, own: Sequence[Fixture]) -> Iterator[Clash]:
    home = Counter((f.home, f.leg) for f in own)
    away = Counter((f.away, f.leg) for f in own)
    for team in division.teams:
        for leg in range(1, division.legs + 1):
            at_home, on_the_road = home[team, leg], away[team, leg]
            if abs(at_home - on_the_road) > 1:
                yield Clash("balance", MUST, (team,), about=leg, count=at_home, limit=on_the_road)


# When ---------------------------------------------------------------------------------------


def _days(problem: Problem, listed: Sequence[Fixture]) -> Iterator[Clash]:
    weeks = set(problem.weeks)
    rounds: dict[tuple[int, int], set[date]] = defaultdict(set)
    for f in listed:
        week = monday(f.day)
        rounds[f.division, f.round].add(week)
        if week not in weeks:
            yield Clash("week", MUST, (f.home, f.away), (f.day,), fixtures=(f,))
        if f.home in problem.teams and f.day.weekday() != problem.teams[f.home].night:
            yield Clash("night", MUST, (f.home, f.away), (f.day,), fixtures=(f,))
        for closed in problem.breaks:
            if closed.first <= f.day <= closed.last:
                yield Clash("break", MUST, (f.home, f.away), (f.day,), closed.id, fixtures=(f,))
    for (division, number), mondays in rounds.items():
        if len(mondays) > 1:
            own = tuple(f for f in listed if (f.division, f.round) == (division, number))
            usual = Counter(monday(f.day) for f in own).most_common(1)[0][0]
            moved = tuple(f for f in own if monday(f.day) != usual)
            for f in moved:
                yield Clash(
                    "round_apart", WISH, (f.home, f.away), (f.day,), division, number,
                    fixtures=(f,),
                )  # fmt: skip
    for team, own in _by_team(problem, listed):
        for _week, matches in groupby(own, key=lambda f: monday(f.day)):
            together = tuple(matches)
            if len(together) > 1:
                days = tuple(f.day for f in together)
                yield Clash("team_twice", MUST, (team,), days, fixtures=together)


def monday(day: date) -> date:
    """The Monday of the week of a day."""
    return day - timedelta(days=day.weekday())


def _halls(problem: Problem, listed: Sequence[Fixture]) -> Iterator[Clash]:
    nights: dict[tuple[int, date], list[Fixture]] = defaultdict(list)
    for f in listed:
        hall = problem.teams[f.home].hall if f.home in problem.teams else None
        if hall is not None and problem.halls[hall].limit is not None:
            nights[hall, f.day].append(f)
    for (hall, day), own in nights.items():
        count = len(own) + problem.taken.get((hall, day), 0)
        limit = problem.halls[hall].limit
        if count > limit:
            teams = tuple(f.home for f in own)
            yield Clash("hall", MUST, teams, (day,), hall, count, limit, tuple(own))


def _avoids(problem: Problem, listed: Sequence[Fixture]) -> Iterator[Clash]:
    for avoid in problem.avoids:
        if avoid.force == OFF:
            continue
        for f in listed:
            sides = {f.home} if avoid.home_only else {f.home, f.away}
            if avoid.first <= f.day <= avoid.last and sides & set(avoid.teams):
                yield Clash(
                    "avoid", avoid.force, (f.home, f.away), (f.day,), avoid.id, fixtures=(f,)
                )


def _aparts(problem: Problem, listed: Sequence[Fixture]) -> Iterator[Clash]:
    for apart in problem.aparts:
        if apart.force == OFF:
            continue
        pair = {apart.first, apart.second}
        by_day: dict[date, dict[int, Fixture]] = defaultdict(dict)
        for f in listed:
            if {f.home, f.away} == pair:
                continue
            for team in (f.home,) if apart.home_only else (f.home, f.away):
                if team in pair:
                    by_day[f.day][team] = f
        for day, matches in by_day.items():
            if len(matches) == 2:
                teams = (apart.first, apart.second)
                both = (matches[apart.first], matches[apart.second])
                yield Clash("apart", apart.force, teams, (day,), apart.id, fixtures=both)


def _sisters(problem: Problem, listed: Sequence[Fixture]) -> Iterator[Clash]:
    force = problem.rules.club_teams_early
    if force == OFF:
        return
    for division, club, teams in problem.sisters():
        last = early_rounds(len(teams))
        for f in listed:
            own = (f.round - 1) % division.rounds_in_leg + 1
            if f.division == division.id and {f.home, f.away} <= set(teams) and own > last:
                yield Clash("early", force, (f.home, f.away), (f.day,), club, own, last, (f,))


def _turns(problem: Problem, listed: Sequence[Fixture]) -> Iterator[Clash]:
    force = problem.rules.club_teams_alternate
    home = {(f.home, monday(f.day)): f for f in listed}
    if force != OFF:
        for one, other in problem.turns():
            for team, week in sorted(home):
                if team == one and (other, week) in home:
                    both = (home[one, week], home[other, week])
                    yield Clash(
                        "turns", force, (one, other), tuple(f.day for f in both), fixtures=both
                    )
    if problem.rules.no_three_running != OFF:
        yield from _three(problem, listed)


def _three(problem: Problem, listed: Sequence[Fixture]) -> Iterator[Clash]:
    for team, own in _by_team(problem, listed):
        sides = _sides(team, own)
        for place in range(len(own) - 2):
            if len(set(sides[place : place + 3])) == 1:
                running = tuple(own[place : place + 3])
                yield Clash(
                    "three",
                    problem.rules.no_three_running,
                    (team,),
                    tuple(f.day for f in running),
                    count=sides[place] == "H",
                    fixtures=running,
                )


def _by_team(problem: Problem, listed: Iterable[Fixture]) -> Iterator[tuple[int, list[Fixture]]]:
    """Each team with its matches by day."""
    matches: dict[int, list[Fixture]] = defaultdict(list)
    for f in listed:
        matches[f.home].append(f)
        matches[f.away].append(f)
    for team in problem.teams:
        yield team, sorted(matches[team], key=lambda f: (f.day, f.round))


def _sides(team: int, own: Iterable[Fixture]) -> str:
    """H or A for each match of a team."""
    return "".join("H" if f.home == team else "A" for f in own)
