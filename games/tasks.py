"""Jobs: grade lists that are due come out, provisional ones follow late cards; fixtures made."""

from datetime import date, timedelta

from django.db import transaction
from django.utils import timezone, translation
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from ratings import ecf, lists
from ratings.models import GradeList

from .accounts import (
    invitations,  # noqa: F401  (its job)
    leavers,  # noqa: F401  (its job)
)
from .grading_office.grading import count_outstanding
from .match_cards import (
    card_mail,  # noqa: F401  (its job tells the sides of a card)
)

QUEUE = "grades"


@app.periodic(cron="0 * * * *")
@app.task(name="publish_due_grades", queue=QUEUE, queueing_lock="publish_due_grades")
def publish_due_grades(*, timestamp: int | None = None) -> None:
    """Make the grade lists that are due now; every hour, and whenever a worker starts.

    `timestamp` is the hour for which it was queued. What counts is when it runs: a run that is
    late, or the second of one hour, finds what is due then, or nothing.
    """
    lists.publish_due(at=timezone.now(), outstanding=count_outstanding)


@app.task(name="recompute_grades", queue=QUEUE)
def recompute_grades(*, pool: str) -> None:
    """Work the pool's provisional list out again."""
    lists.recompute_provisional(pool=pool, at=timezone.now(), outstanding=count_outstanding)


def recompute_later(*, pool: str, since: date, today: date | None = None) -> None:
    """Queue `recompute_grades` if a game or card of the day `since` is before the list's cutoff.

    The pool is locked, so a job that waits already runs after the caller's transaction and sees
    what it did: one is enough. `today` is the day of a card, which may be of a half-year that is
    not over yet, as most are: no list is worked out before its cutoff, and none is looked for
    until the day before, for the card may have waited for the list's lock over midnight.
    """
    if today is not None and today + timedelta(days=1) < ecf.cutoff_closing(since):
        return
    if not GradeList.objects.provisional().filter(pool=pool, cutoff__gt=since).exists():
        return
    try:
        with transaction.atomic():
            job = recompute_grades.configure(queueing_lock=f"recompute_grades:{pool}")
            job.defer(pool=pool)
    except AlreadyEnqueued:
        pass


@app.task(name="make_fixtures", queue="fixtures")
def make_fixtures(*, plan: int, run: int, language: str = "en") -> None:
    """Look for a season's fixtures; a run that was stopped meanwhile does nothing.

    What the solver says is kept in words, in the language of whoever asked.
    """
    # Here, for OR-Tools brings pandas: a second and 100 MB that no web process needs.
    from .fixture_lists.fixture_runs import make_draft

    with translation.override(language):
        make_draft(plan=plan, run=run, at=timezone.now())
