"""The history that database triggers keep of a model: every insert, update and delete, with who."""

import pghistory


def tracked(**options):
    """A class decorator: each change of a row becomes an event row, whoever made it and however.

    The triggers stand in the database, so `bulk_update`, the admin and plain SQL are kept too.
    `options` go to `pghistory.track`, such as `exclude` for columns the database computes.
    """
    return pghistory.track(
        pghistory.InsertEvent(), pghistory.UpdateEvent(), pghistory.DeleteEvent(), **options
    )
