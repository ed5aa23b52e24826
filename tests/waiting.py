"""Waiting in tests: for a condition, and for somebody who waits for a lock of the database."""

import time
from collections.abc import Callable

from django.db import connection


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Look again and again until the condition holds; fails after so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def somebody_waits() -> bool:
    """Whether a connection to this database waits for a lock that another one holds."""
    with connection.cursor() as cursor:
        # Within a transaction the view shows whom it saw first, unless it is told to look anew.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return cursor.fetchone()[0] > 0
