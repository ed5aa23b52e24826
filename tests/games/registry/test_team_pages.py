"""A team's page: its table, its matches, its players, and its captain for accounts alone."""

import pytest

from tests.factories import TeamFactory, UserFactory
from tests.games.people_scene import csv_rows, rows_of
from tests.html import Page

pytestmark = pytest.mark.django_db


def test_a_team_as_json(client, match, people):
    away = match.away
    assert client.get(f"/teams/{match.home.pk}.json").json() == {
        "name": "Hartfield A",
        "stale_from": None,
        "club": "Hartfield",
        "club_url": "/clubs/hartfield/",
        "league": "Weald",
        "season": "2026-27",
        "division": "Division 1",
        "division_url": f"/divisions/{match.division.pk}/",
        "position": 1,
        "shared": False,
        "match_points": 2,
        "game_points": 1.5,
        "matches": [
            {
                "round": 1,
                "round_label": None,
                "date": "2026-11-24",
                "home": "Hartfield A",
                "away": "Ashdown A",
                "home_points": 1.5,
                "away_points": 0.5,
                "state": "arranged",
                "url": f"/matches/{match.pk}/",
            },
            {
                "round": 2,
                "round_label": None,
                "date": None,
                "home": "Ashdown A",
                "away": "Hartfield A",
                "home_points": None,
                "away_points": None,
                "state": "arranged",
                "url": f"/matches/{away.home_matches.get().pk}/",
            },
        ],
        "rows": [
            {
                "name": "Lune, Robin",
                "code": None,
                "first_board": 2,
                "last_board": 2,
                "played": 0,
                "won": 0,
                "drawn": 0,
                "lost": 0,
                "defaults_won": 1,
                "points": 1,
                "elo": None,
                "provisional": None,
                "url": f"/players/{people['lune'].pk}/",
            },
            {
                "name": "Quill, Robin",
                "code": "178853L",
                "first_board": 1,
                "last_board": 1,
                "played": 1,
                "won": 0,
                "drawn": 1,
                "lost": 0,
                "defaults_won": 0,
                "points": 0.5,
                "elo": 1700,
                "provisional": False,
                "url": f"/players/{people['quill'].pk}/",
            },
        ],
    }
    assert [row["points"] for row in csv_rows(client, f"/teams/{match.home.pk}.csv")] == [
        "1",
        "0.5",
    ]


def test_a_team_as_page(client, match):
    page = Page(client.get(f"/teams/{match.home.pk}/"))

    assert page.tables == [
        [
            ["Player", "Boards", "Played", "Won", "Drawn", "Lost", "Points", "Elo"],
            ["Lune, Robin board 2", "2", "0", "0", "0", "0", "1", "–"],
            ["Quill, Robin Elo 1700 · board 1", "1", "1", "0", "1", "0", "½", "1700"],
        ]
    ]
    text = page.text.replace("\xa0", " ")
    for words in (
        "1 of 2",
        "Won 1, drew 0, lost 0",
        "November 2026 Hartfield A 1½ – ½ Ashdown A",
        "No date yet Ashdown A no date Hartfield A",
    ):
        assert words in text


def test_a_team_that_has_withdrawn(client, match):
    match.home.state = "withdrawn"
    match.home.save()

    assert "Withdrawn" in client.get(f"/teams/{match.home.pk}/").text
    assert client.get(f"/teams/{match.home.pk}.json").json()["name"] == "Hartfield A"


def test_a_team_that_has_not_played(client, match):
    new = TeamFactory(division=match.division, name="Newcomers A")
    page = client.get(f"/teams/{new.pk}/").text

    assert "Nobody has played for the team yet." in page
    assert "No matches are arranged yet." in page
    assert rows_of(client, f"/teams/{new.pk}.json") == []


CAPTAIN = ("Ken Captain", "07700 900123", "ken@example.org")


def test_the_captain_is_for_accounts_alone(client, match):
    address = f"/teams/{match.home.pk}/"
    page = client.get(address).text
    assert [words in page for words in CAPTAIN] == [False] * 3
    assert f"/accounts/login/?next={address}" in page

    client.force_login(UserFactory())
    page = client.get(address).text
    assert [words in page for words in CAPTAIN] == [True] * 3
    for form in ("json", "csv"):
        assert "example.org" not in client.get(f"{address[:-1]}.{form}").content.decode()
