"""Clones for the tests of the private PostgreSQL."""

import subprocess

import pytest
from django.urls import reverse

from tests.config.clones import Clone
from tests.factories import MatchFactory, PlayerFactory


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


@pytest.fixture
def public_pages(db):
    """Addresses that anybody reads."""
    match = MatchFactory()
    pages = ["home", "league_list", "club_list", "elo_list", "ratings_how"]
    return [
        *map(reverse, pages),
        match.division.get_absolute_url(),
        match.division.season.get_absolute_url(),
        match.get_absolute_url(),
        match.home.club.get_absolute_url(),
        PlayerFactory().get_absolute_url(),
    ]
