"""Clones for the tests of the private PostgreSQL."""

import subprocess

import pytest

from tests.config.clones import Clone


@pytest.fixture
def new_clone(tmp_path):
    """A clone below pytest's own folder, which is 0700: as root this is the clone under /root."""
    clone = Clone(tmp_path / "clone")
    yield clone
    clone.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A data folder to copy, since making one takes longer than most tests."""
    clone = Clone(tmp_path_factory.mktemp("made") / "clone")
    assert clone.ask("SELECT 1") == "1"
    return clone.kept


@pytest.fixture
def clone(new_clone, made):
    """A clone whose database has been made."""
    subprocess.run(["cp", "-a", made, new_clone.kept], check=True)
    return new_clone
