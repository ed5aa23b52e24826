"""Deferred constraints, for workflows that must know at once whether their rows may stand."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


def check_now(*names: str) -> None:
    """Check these deferred constraints here instead of at commit; raises `IntegrityError`.

    They are deferred again afterwards. One statement for the database.
    """
    listed = ", ".join(names)
    with connection.cursor() as cursor:
        cursor.execute(f"SET CONSTRAINTS {listed} IMMEDIATE; SET CONSTRAINTS {listed} DEFERRED")


@contextmanager
def checked_meanwhile() -> Iterator[None]:
    """All deferred constraints checked while the block works on without the database.

    Raises `IntegrityError` at its end. They are deferred again afterwards.
    """
    # The driver's own: by Django's, the history would put a second statement before each.
    driver = connection.connection
    with connection.wrap_database_errors, driver.pipeline():
        driver.execute("SET CONSTRAINTS ALL IMMEDIATE")
        driver.execute("SET CONSTRAINTS ALL DEFERRED")
        yield
