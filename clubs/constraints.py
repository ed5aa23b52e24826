"""Deferred constraints, for workflows that must know at once whether their rows may stand."""

from django.db import connection


def check_now(*names: str) -> None:
    """Check these deferred constraints here instead of at commit; raises `IntegrityError`.

    They are deferred again afterwards. One statement for the database.
    """
    listed = ", ".join(names)
    with connection.cursor() as cursor:
        cursor.execute(f"SET CONSTRAINTS {listed} IMMEDIATE; SET CONSTRAINTS {listed} DEFERRED")
