"""Problems of fixture lists, small and large, of invented clubs."""

from dataclasses import replace
from datetime import date, timedelta

from games.fixture_lists.fixture_clashes import clashes
from games.fixture_lists.fixture_problem import (
    OFF,
    Apart,
    Avoid,
    Closed,
    Fixture,
    Hall,
    PlanDivision,
    PlanRules,
    PlanTeam,
    Problem,
)
from games.fixture_lists.pairings import fixture_rounds

FIRST = date(2026, 9, 28)  # a Monday


def mondays(count: int, first: date = FIRST) -> tuple[date, ...]:
    return tuple(first + timedelta(weeks=week) for week in range(count))


def plain(*sizes: int, legs: int = 2, spare: int = 0, **more) -> Problem:
    """Divisions of these sizes, each team a club of its own with a night of its own."""
    teams, divisions = {}, []
    for number, size in enumerate(sizes, 1):
        ids = tuple(range(len(teams) + 1, len(teams) + size + 1))
        teams |= {pk: PlanTeam(pk, f"Team {pk}", club=pk, night=pk % 5) for pk in ids}
        divisions.append(PlanDivision(number, f"Division {number}", ids, legs))
    weeks = mondays(max(d.rounds for d in divisions) + spare)
    return Problem(teams, tuple(divisions), weeks, **more)


def with_teams(problem: Problem, **changes: dict) -> Problem:
    """The problem with other columns of some teams: `t3={"hall": 1}`."""
    changed = {int(name[1:]): row for name, row in changes.items()}
    teams = {pk: replace(team, **changed.get(pk, {})) for pk, team in problem.teams.items()}
    return replace(problem, teams=teams)


def by_the_table(problem: Problem) -> list[Fixture]:
    """The list of the Berger tables, teams numbered as they stand."""
    found = []
    for division in problem.divisions:
        rounds = fixture_rounds(len(division.teams), division.legs)
        for number, pairs in enumerate(rounds, 1):
            for home, away in pairs:
                ids = division.teams[home - 1], division.teams[away - 1]
                leg = (number - 1) // division.rounds_in_leg + 1
                day = problem.home_day(ids[0], problem.weeks[number - 1])
                found.append(Fixture(division.id, *ids, leg, number, day))
    return found


def rules_broken(problem: Problem, fixtures) -> list[tuple[str, bool]]:
    """The rules of every clash, and whether they bind."""
    return sorted({(clash.rule, clash.binds) for clash in clashes(problem, fixtures)})


NO_WISHES = PlanRules(OFF, OFF, OFF, OFF)


def county(*, spare: int = 0, per_hall: int = 2) -> Problem:
    """Four divisions of ten: twenty clubs of two teams, two clubs a hall, days to avoid.

    Club 0 has both its teams in the first division. Each club's hall is shut on two nights, and
    two pairs of teams share a captain.
    """
    members: list[list[tuple[int, str]]] = [[], [], [], []]
    for club in range(20):
        members[0 if club < 10 else 1].append((club, "A"))
        members[2 if club % 2 else 3].append((club, "B"))
    members[3].remove((0, "B"))
    members[0].remove((9, "A"))
    members[0].append((0, "B"))
    members[3].append((9, "A"))
    teams, divisions = {}, []
    for number, own in enumerate(members, 1):
        ids = tuple(range(len(teams) + 1, len(teams) + 11))
        for pk, (club, letter) in zip(ids, own, strict=True):
            name = f"Club {club:02d} {letter}"
            teams[pk] = PlanTeam(pk, name, club, night=club // 2 % 5, hall=club // 2)
        divisions.append(PlanDivision(number, f"Division {number}", ids))
    halls = {pk: Hall(pk, f"Hall {pk}", per_hall) for pk in range(10)}
    christmas = Closed(1, "Christmas", date(2026, 12, 21), date(2027, 1, 3))
    every = mondays(20 + spare)
    weeks = tuple(week for week in every if not christmas.first <= week <= christmas.last)
    avoids = []
    for club in range(20):
        own = tuple(pk for pk, team in teams.items() if team.club == club)
        for nth in range(2):
            week = weeks[(5 * club + 7 * nth + 1) % 18]
            day = week + timedelta(days=teams[own[0]].night)
            avoids.append(Avoid(len(avoids) + 1, f"Club {club:02d}", own, day, day))
    ids = list(teams)
    aparts = (Apart(1, ids[0], ids[15]), Apart(2, ids[3], ids[27], home_only=True, force="wish"))
    return Problem(teams, tuple(divisions), weeks, halls, (christmas,), tuple(avoids), aparts)
