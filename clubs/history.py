"""The history that database triggers keep of a model: every insert, update and delete, with who."""

import pghistory
from django.db import connection


def tracked(**options):
    """A class decorator: each change of a row becomes an event row, whoever made it and however.

    The triggers stand in the database, so `bulk_update`, the admin and plain SQL are kept too.
    `options` go to `pghistory.track`, such as `exclude` for columns the database computes.
    """
    return pghistory.track(
        pghistory.InsertEvent(), pghistory.UpdateEvent(), pghistory.DeleteEvent(), **options
    )


def forget_context() -> None:
    """Let what the running transaction writes from here on be nobody's.

    What a context says holds in the database until the transaction ends, not its block; so one
    that goes on to other work would ascribe that to it as well.
    """
    with connection.cursor() as cursor:
        for name in ("pghistory.context_id", "pghistory.context_metadata"):
            cursor.execute("select set_config(%s, '', true)", [name])
