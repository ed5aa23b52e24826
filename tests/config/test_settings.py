"""Settings come from the environment alone, are secure by default, and name what is missing."""

import ast
import os
import stat
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.utils import translation
from django.utils.formats import date_format

from config import settings as read

ROOT = Path(__file__).resolve().parent.parent.parent
DATABASE = "postgresql://nobody@/nothing?host=/nowhere"
PRODUCTION = {
    "SECRET_KEY": "k3y-of-more-than-fifty-characters-that-nobody-guesses-9fQ2",
    "ALLOWED_HOSTS": "topboard.example",
    "DATABASE_URL": DATABASE,
}
DEVELOPMENT = {"TOPBOARD_DEV": "1", "DATABASE_URL": DATABASE}


@pytest.mark.parametrize("form", ["DATETIME_FORMAT", "TIME_FORMAT", "SHORT_DATETIME_FORMAT"])
@pytest.mark.parametrize("language", ["en-gb", "fr"])
def test_times_are_told_by_the_clock_of_twenty_four_hours(language, form):
    with translation.override(language):
        assert date_format(datetime(2026, 11, 30, 18, 22), form).endswith("18:22")


def python(code: str, environment: dict) -> subprocess.CompletedProcess:
    """Run a few lines with nothing but this environment; warnings are errors."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        env={**kept, **environment, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
    )


def held(environment: dict, *names: str) -> dict:
    """The settings of these names in a process of its own."""
    values = f"print({{name: getattr(settings, name, None) for name in {names}}})"
    done = python(f"from django.conf import settings; {values}", environment)
    assert (done.returncode, done.stderr) == (0, "")
    return ast.literal_eval(done.stdout)


def complaint(environment: dict) -> str:
    """The last line of a start that fails."""
    done = python("from django.conf import settings; settings.DEBUG", environment)
    assert done.returncode == 1
    return done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("missing", PRODUCTION)
@pytest.mark.parametrize("value", [None, "  "])
def test_production_names_the_variable_that_is_missing(missing, value):
    environment = {name: PRODUCTION[name] for name in PRODUCTION if name != missing}
    if value is not None:
        environment[missing] = value
    assert complaint(environment) == (
        "django.core.exceptions.ImproperlyConfigured:"
        f" {missing} is not set; it is required unless TOPBOARD_DEV=1."
    )


def test_development_without_a_database_says_how_to_start():
    assert complaint({"TOPBOARD_DEV": "1"}) == (
        "django.core.exceptions.ImproperlyConfigured:"
        " DATABASE_URL is not set. Start through ./topboard, which brings its own PostgreSQL."
    )


@pytest.mark.parametrize("url", ["sqlite:///x.db", "mysql://u@h/n", "nonsense", "://"])
def test_no_other_database_will_do(url):
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL must be postgresql://"):
        read.database(url)


@pytest.mark.parametrize("name", ["EMAIL_PORT", "TRUSTED_PROXY_COUNT", "DATABASE_POOL"])
def test_a_number_that_is_none_is_named(name):
    assert complaint({**PRODUCTION, name: "many"}).endswith(
        f"{name} must be a whole number, not 'many'."
    )


def test_production_is_secure_by_default():
    done = python(
        "from django.core.management import execute_from_command_line as run\n"
        "run(['manage.py', 'check', '--deploy', '--fail-level', 'WARNING'])",
        PRODUCTION,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "System check identified no issues (0 silenced).\n"


def test_what_the_two_modes_hold():
    names = ["DEBUG", "ALLOWED_HOSTS", "SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE"]
    names += ["SECURE_HSTS_SECONDS", "SECURE_PROXY_SSL_HEADER", "ALLAUTH_TRUSTED_PROXY_COUNT"]
    assert held(DEVELOPMENT, *names) == {
        "DEBUG": False,
        "ALLOWED_HOSTS": ["*"],
        "SECURE_SSL_REDIRECT": False,
        "SESSION_COOKIE_SECURE": False,
        "SECURE_HSTS_SECONDS": 0,
        "SECURE_PROXY_SSL_HEADER": None,
        "ALLAUTH_TRUSTED_PROXY_COUNT": 0,
    }
    # A flag of development does nothing here, and hosts may be divided by blanks too.
    hosts = {"TOPBOARD_DEBUG": "1", "TOPBOARD_DEV": "0", "ALLOWED_HOSTS": "a.example, b.example c"}
    assert held({**PRODUCTION, **hosts}, *names) == {
        "DEBUG": False,
        "ALLOWED_HOSTS": ["a.example", "b.example", "c"],
        "SECURE_SSL_REDIRECT": True,
        "SESSION_COOKIE_SECURE": True,
        "SECURE_HSTS_SECONDS": 31536000,
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
        "ALLAUTH_TRUSTED_PROXY_COUNT": 1,
    }


def test_without_a_proxy_nobody_claims_https_by_a_header():
    environment = {**PRODUCTION, "TRUSTED_PROXY_COUNT": "0"}
    assert held(environment, "SECURE_PROXY_SSL_HEADER") == {"SECURE_PROXY_SSL_HEADER": None}


def test_a_list_of_hosts_names_one():
    assert complaint({**PRODUCTION, "ALLOWED_HOSTS": " , "}).endswith(
        "ALLOWED_HOSTS names nothing: ','."
    )


def test_development_answers_a_phone_at_the_lan_address(client, db, settings):
    settings.ALLOWED_HOSTS = ["*"]
    page = client.get("/accounts/login/", SERVER_NAME="192.168.1.23", SERVER_PORT="8000")
    assert page.status_code == 200


def test_the_generated_key_is_read_by_its_owner_alone(tmp_path):
    folder = tmp_path / "keys"
    key = read.generated_key(folder)
    assert len(key) >= 50
    assert read.generated_key(folder) == key
    path = folder / "secret_key"
    assert [stat.S_IMODE(each.stat().st_mode) for each in (folder, path)] == [0o700, 0o600]
    assert list(folder.iterdir()) == [path]


def test_two_processes_that_start_at_once_have_one_key(tmp_path):
    code = (
        "import os, sys, pathlib; from config.settings import generated_key;"
        "print(generated_key(pathlib.Path(sys.argv[1])))"
    )
    environment = {**os.environ, **DEVELOPMENT, "SECRET_KEY": "x"}
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    keys = [start.communicate()[0] for start in starts]
    assert len(set(keys)) == 1 and keys[0].strip()


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY is not set and .*/secret_key: "):
        read.generated_key(tmp_path / "file")
