"""The house's own jobs, in PostgreSQL, run by `manage.py procrastinate worker`.

Jobs about a subject stand in its app's `tasks.py`; here is what keeps the queue itself going.
"""

import logging

from django.contrib.sessions.backends.db import SessionStore
from procrastinate import App, Blueprint
from procrastinate.job_context import JobContext
from procrastinate.jobs import Status

log = logging.getLogger(__name__)
house = Blueprint()

MOST_ATTEMPTS = 8
DAYS_KEPT = 30


def on_app_ready(app: App) -> None:
    """Give the job application what keeps it going."""
    app.add_tasks_from(house, namespace="house")


@house.periodic(cron="*/5 * * * *")
@house.task(name="retry_stalled", queue="house", queueing_lock="retry", pass_context=True)
async def retry_stalled(context: JobContext, timestamp: int) -> None:
    """Run again the jobs of workers that died; a job that killed eight of them fails."""
    jobs = context.app.job_manager
    for job in await jobs.get_stalled_jobs():
        if job.attempts < MOST_ATTEMPTS:
            await jobs.retry_job(job)
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
