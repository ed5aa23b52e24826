"""The house's own jobs, in PostgreSQL, run by `manage.py procrastinate worker`.

Jobs about a subject stand in its app's `tasks.py`; here is what keeps the queue itself going.
"""

import contextlib
import logging

from procrastinate import App, Blueprint
from procrastinate.exceptions import AlreadyEnqueued, UniqueViolation
from procrastinate.job_context import JobContext
from procrastinate.jobs import Status

from clubs.devices import SessionStore
from games import tasks
from games.match_cards import result_jobs

log = logging.getLogger(__name__)
house = Blueprint()

MOST_ATTEMPTS = 8
DAYS_KEPT = 30


def on_app_ready(app: App) -> None:
    """Give the job application what keeps it going, and each worker something to begin with."""
    app.add_tasks_from(house, namespace="house")
    app.add_tasks_from(result_jobs.results, namespace="results")
    app.run_worker_async = asking_what_is_due(app.run_worker_async)


def asking_what_is_due(run_worker):
    """`run_worker`, and before it a job that makes the grade lists which are due.

    An hourly run that is ten minutes late is dropped, so after a night without a worker nobody
    would ask until the next hour.
    """

    async def run_worker_async(**options):
        queues = options.get("queues")
        if not queues or tasks.QUEUE in queues:
            with contextlib.suppress(AlreadyEnqueued):
                await tasks.publish_due_grades.defer_async()
        await run_worker(**options)

    return run_worker_async


@house.periodic(cron="*/5 * * * *")
@house.task(name="retry_stalled", queue="house", queueing_lock="retry", pass_context=True)
async def retry_stalled(context: JobContext, timestamp: int) -> None:
    """Run again the jobs of workers that died; a job that killed eight of them fails."""
    jobs = context.app.job_manager
    for job in await jobs.get_stalled_jobs():
        if job.attempts < MOST_ATTEMPTS:
            try:
                await jobs.retry_job(job)
            except UniqueViolation:  # of its queueing lock: the same job waits again already
                await jobs.finish_job(job, Status.ABORTED, delete_job=False)
        else:
            log.error("Job %s (%s) was given up: its workers died", job.id, job.task_name)
            await jobs.finish_job(job, Status.FAILED, delete_job=False)


@house.periodic(cron="17 4 * * *")
@house.task(name="clean_up", queue="house", queueing_lock="clean_up", pass_context=True)
async def clean_up(context: JobContext, timestamp: int) -> None:
    """Remove finished jobs of a month ago, failed ones too, and sessions that have ended."""
    await context.app.job_manager.delete_old_jobs(
        nb_hours=24 * DAYS_KEPT, include_failed=True, include_cancelled=True, include_aborted=True
    )
    await SessionStore.aclear_expired()
