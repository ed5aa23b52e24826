"""The job queue in tests: a worker that runs what waits, and a queue that is empty after each."""

import pytest
from django.db import connection
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob


@pytest.fixture
def empty_queue(transactional_db):
    """Django does not empty these tables after a test: procrastinate made them."""
    yield
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
