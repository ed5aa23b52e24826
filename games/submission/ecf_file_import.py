"""The way back: a federation's results file, of elsewhere into the ledger, of our own compared."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.import_report import ImportRefused, Report
from games.models import SubmittedEvent
from games.tasks import recompute_later
from games.time_control import pool_for
from ratings.ecf_results_entries import ResultsFile
from ratings.ecf_results_file import read_results_file
from ratings.outside_events import store_event
from ratings.outside_people import read_choices

from .submission_comparison import compare_with_sent


def import_ecf_file(
    *,
    content: bytes,
    source: str,
    by,
    at: datetime,
    choices: bytes | None = None,
    create_players: bool = False,
    dry_run: bool = False,
) -> Report:
    """Store the games of a results file, all or nothing, and bring Elo up to date.

    `choices` is a CSV file that says who the unknown people are. An event that was submitted from
    here is compared with what was sent and never stored. With `dry_run` the report says what
    would be stored and nothing is. `source` is the file's name, `by` the account or None. Raises
    `ImportRefused` with every field that cannot be stored, `PeopleUndecided` where somebody has
    to say who is meant.
    """
    today = timezone.localdate(at)
    found = read_results_file(content, today)
    if found.problems:
        raise ImportRefused(found.problems)
    own = SubmittedEvent.objects.filter(code=found.event.code).first()
    if own is not None:
        return Report(notices=[*found.notices, *compare_with_sent(found, own, today)])
    decided = _choices(choices, found)
    with transaction.atomic():
        stored = store_event(
            found=found,
            pool=pool_for(found.event.minutes, found.event.increment_seconds),
            source=source,
            by=by,
            at=at,
            choices=decided,
            create_players=create_players,
        )
        for pool, since in stored.since.items():
            recompute_later(pool=pool, since=since)
        if dry_run:
            transaction.set_rollback(True)
    report = stored.report
    if dry_run:
        report.notices.insert(0, _("Dry run: nothing is stored."))
    return report


def _choices(content: bytes | None, found: ResultsFile) -> dict[int, str]:
    if content is None:
        return {}
    choices = read_choices(content, found)
    if choices.problems:
        raise ImportRefused(choices.problems)
    return choices.by_pin
