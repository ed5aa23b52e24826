"""A run of the fixture solver in the job worker: its progress is stored while it works."""

import threading
import time
from datetime import datetime

from games.models import FixturePlan, PlanState

from . import fixture_plans
from .fixture_clashes import breaks
from .fixture_solver import Outcome, Search, solve
from .fixture_words import group_words, reason_words

STEP = 1.0
"""Seconds between two looks at the clock and at whether the run is still wanted."""


def make_draft(*, plan: int, run: int, at: datetime) -> None:
    """Look for a list and store it as the draft, or store why there is none."""
    stored = FixturePlan.objects.select_related("season").get(pk=plan)
    if not fixture_plans.note_progress(plan=plan, run=run, percent=0):
        return
    try:
        problem = fixture_plans.problem_of(stored.season, stored)
    except fixture_plans.FixturesRefused as refused:
        report = {"refused": str(refused)}
        _keep(plan, run, PlanState.FAILED, (), report, at)
        return
    began = time.monotonic()
    try:
        outcome = _solve_beside(problem, Search(stored.seconds), plan, run)
    except Exception:
        _keep(plan, run, PlanState.FAILED, (), {}, at)
        raise  # the queue's log says what it was
    report = report_of(outcome, problem) | {"seconds": round(time.monotonic() - began)}
    _keep(plan, run, outcome.state, outcome.fixtures, report, at)


def _keep(plan: int, run: int, state: str, found, report: dict, at: datetime) -> None:
    fixture_plans.keep_outcome(plan=plan, run=run, state=state, found=found, report=report, at=at)


def _solve_beside(problem, search: Search, plan: int, run: int) -> Outcome:
    """Solve in a thread of its own, and meanwhile say how far it is."""
    outcomes: list[Outcome | Exception] = []

    def work():
        try:
            outcomes.append(solve(problem, search))
        except Exception as error:  # raised again where the job sees it
            outcomes.append(error)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(STEP)
        percent = min(99, round(100 * search.share))
        if not fixture_plans.note_progress(plan=plan, run=run, percent=percent):
            search.stop()
    (outcome,) = outcomes
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def report_of(outcome: Outcome, problem) -> dict:
    """What the solver says, in words, as the plan keeps it."""
    return {
        "contradiction": [group_words(group, problem) for group in outcome.contradiction],
        "is_smallest": outcome.is_smallest,
        "reasons": [reason_words(reason, problem) for reason in outcome.reasons],
        "cost": outcome.cost,
        "bound": outcome.bound,
        "by_table": outcome.by_table,
        "breaks": breaks(problem, outcome.fixtures),
    }
