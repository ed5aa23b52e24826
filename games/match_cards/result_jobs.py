"""The job that follows results up; apart from `tasks.py`, which the cards themselves import.

`config/jobs.py` gives it to the application.
"""

from django.utils import timezone
from procrastinate import Blueprint

from clubs import mail

from . import agreement, deadlines

results = Blueprint()


@results.periodic(cron="30 * * * *")
@results.task(
    name="chase_results", queue="office", queueing_lock="chase_results", retry=mail.RETRIES
)
def chase_results(*, timestamp: int | None = None) -> None:
    """Agree on what nobody objected to, remind of cards and answers, charge late ones; hourly.

    What is due is found out when it runs, so an hour that was left out is made up for.
    """
    at = timezone.now()
    agreement.agree_due(at=at)
    deadlines.remind_due(at=at)
    deadlines.remind_to_answer(at=at)
    deadlines.penalise_late(at=at)
