"""A county's fixtures solved and checked: `python -m tests.benchmarks.fixtures [SECONDS]`.

Four divisions of ten teams, 18 rounds, ten halls for two matches a night shared by two clubs of
two teams each, forty days to avoid, Christmas, two pairs to keep apart. Then the same without the
days, with two weeks to spare, and a case that is impossible.
"""

import os
import sys
import time
from dataclasses import replace
from datetime import timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def main() -> None:
    django.setup()
    from games.fixture_lists.fixture_problem import Avoid
    from tests.games.fixture_scene import county

    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    problem = county()
    first = run("18 weeks, 40 days to avoid", problem, seconds)
    again = run("the same once more", problem, seconds)
    print(f"  the same list: {first.fixtures == again.fixtures}")
    run("no days to avoid", replace(problem, avoids=(), aparts=()), seconds)
    run("two weeks to spare", county(spare=2), seconds)
    week = problem.weeks[4]
    hall = [team.id for team in problem.teams.values() if team.hall == 2][:3]
    shut = Avoid(99, "Three teams of Hall 2", tuple(hall), week, week + timedelta(days=6))
    run("three of the four teams of a hall away in one week", replace(
        problem, avoids=(*problem.avoids, shut)
    ), seconds)  # fmt: skip


def run(title: str, problem, seconds: float):
    """Solve, check, and say what came of it."""
    from games.fixture_lists.fixture_clashes import breaks, clashes
    from games.fixture_lists.fixture_solver import Search, solve
    from games.fixture_lists.fixture_words import group_words, reason_words

    wall, cpu = time.perf_counter(), time.process_time()
    outcome = solve(problem, Search(seconds))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{title}: {outcome.state} in {wall:.1f} s ({cpu:.1f} s of CPU)")
    if outcome.fixtures:
        found = clashes(problem, outcome.fixtures)
        binding = sum(clash.binds for clash in found)
        print(
            f"  {len(outcome.fixtures)} matches, {binding} binding clashes,"
            f" {len(found) - binding} wishes unmet, {breaks(problem, outcome.fixtures)} breaks,"
            f" cost {outcome.cost}, no list below {outcome.bound}"
        )
    for reason in outcome.reasons:
        print(f"  {reason_words(reason, problem)}")
    for group in outcome.contradiction:
        print(f"  contradicts: {group_words(group, problem)}")
    return outcome


if __name__ == "__main__":
    main()
