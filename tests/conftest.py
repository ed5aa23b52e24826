"""What every test may ask for."""

import os
import shutil

import pytest
from django.core.management.commands import flush
from django.db import transaction
from django.db.backends.postgresql.operations import DatabaseOperations
from django.test import override_settings
from django.utils import timezone, translation
from hypothesis import settings

from ratings.apps import ensure_pools
from tests.games.card_scene import AT
from tests.job_queue import empty_queue

# A property is not a benchmark: a busy machine may take its time over one example.
settings.register_profile("topboard", deadline=None)
settings.load_profile("topboard")

# Accounts with one right each: `cast`, `officer`, `secretary`, `captain`, `outsider`.
pytest_plugins = ["tests.cast"]

QUICK_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LARGE_TABLE = 500_000  # bytes
NO_BROWSER = "no Chromium (as root: apt install chromium)"


@pytest.fixture(autouse=True)
def quick_passwords(settings):
    """A password is hashed a million times, which costs a third of a second each time."""
    settings.PASSWORD_HASHERS = QUICK_HASHERS


@pytest.fixture(scope="module")
def rows_of_module(django_db_setup, django_db_blocker):
    """A module's fixture that asks for this makes its rows once; each test rolls back to them.

    None of the module's tests may commit, and what a test changes in memory must be its own: give
    it a deep copy.
    """
    with (
        django_db_blocker.unblock(),
        transaction.atomic(),
        override_settings(PASSWORD_HASHERS=QUICK_HASHERS),
    ):
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def nothing_kept(settings):
    """Pages are drawn each time: tests change rows past the workflows that raise versions."""
    dummy = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
    settings.CACHES = settings.CACHES | {"pages": dummy}


@pytest.fixture(autouse=True)
def no_language_left():
    """A page asked for in French leaves its thread in French, as the next request asks anew."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def no_job_left(request, django_db_blocker):
    """Django does not empty the queue after a test that commits: procrastinate made its tables."""
    yield
    marker = request.node.get_closest_marker("django_db")
    commits = marker is not None and marker.kwargs.get("transaction")
    if commits or {"transactional_db", "live_server"} & set(request.fixturenames):
        with django_db_blocker.unblock():
            empty_queue()


@pytest.fixture
def evening(monkeypatch):
    """It is the evening of the match of a card scene."""
    monkeypatch.setattr(timezone, "now", lambda: AT)


@pytest.fixture(autouse=True, scope="session")
def quick_flush():
    """After a test that commits only those tables are emptied that have rows, few of all.

    Django truncates all and then makes its content types and permissions anew, which takes half a
    second and more; here these stay, and only the four pools have to come back. What was deleted
    or rolled back stays on the pages of a table, so now and then they are truncated all the same.
    """
    truncate_all = DatabaseOperations.sql_flush

    def empty(self, style, tables, **options):
        tables = sorted(set(tables) - {"auth_permission", "django_content_type"})
        with self.connection.cursor() as cursor:
            cursor.execute("SHOW is_superuser")
            is_superuser = cursor.fetchone() == ("on",)
            found = " UNION ALL ".join(
                f"SELECT '{table}', pg_relation_size('{table}'),"
                f" EXISTS (SELECT FROM {self.quote_name(table)})"
                for table in tables
            )
            cursor.execute(found)
            found = cursor.fetchall()
        if not is_superuser or max(size for _table, size, _has_rows in found) > LARGE_TABLE:
            return truncate_all(self, style, tables, **options)
        filled = [table for table, _size, has_rows in found if has_rows]
        # Neither foreign keys nor the triggers that keep the history look at it.
        return [
            "SET LOCAL session_replication_role = replica",
            *(f"DELETE FROM {self.quote_name(table)}" for table in filled),
        ]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", empty)
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_: ensure_pools(None, "default"))
        yield


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the browser; without one the test is skipped, or fails when CI is set.

    `./topboard test` installs it as root and names it in TOPBOARD_CHROMIUM.
    """
    names = ["chromium", "chromium-browser", "google-chrome"]
    found = os.environ.get("TOPBOARD_CHROMIUM") or next(
        filter(None, map(shutil.which, names)), None
    )
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(NO_BROWSER)
    return found


def pytest_terminal_summary(terminalreporter):
    """Say once more, in red, that the browser tests did not run."""
    skipped = [
        r for r in terminalreporter.stats.get("skipped", []) if NO_BROWSER in str(r.longrepr)
    ]
    if skipped:
        said = f"{len(skipped)} BROWSER TESTS SKIPPED: {NO_BROWSER}"
        terminalreporter.write_sep("*", said, red=True, bold=True)
