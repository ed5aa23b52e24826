"""The job queue in tests: a worker that runs what waits, and what became of it."""

from django.db import connection
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob


def empty_queue() -> None:
    """Take everything out of the queue; `tests.conftest` does so after each test that commits."""
    names = "jobs", "events", "periodic_defers", "workers"
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(f'procrastinate_{name}' for name in names)}")


def work(queue: str) -> None:
    """A worker runs what is in a queue, over a connection of its own, and goes."""
    with app.replace_connector(app.connector.get_worker_connector()) as worker_app:
        worker_app.run_worker(
            queues=[queue], wait=False, install_signal_handlers=False, listen_notify=False
        )


def jobs(task: str) -> list[tuple[dict, str]]:
    """Arguments and state of each job of a task, oldest first."""
    found = ProcrastinateJob.objects.filter(task_name=task).order_by("pk")
    return list(found.values_list("args", "status"))
