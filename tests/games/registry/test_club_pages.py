"""The list of clubs and the page of one: what it says, whom it names, as files too."""

import pytest
from django.utils import timezone

from tests.factories import ClubFactory, UserFactory
from tests.games.people_scene import csv_rows, rows_of
from tests.html import Page

pytestmark = pytest.mark.django_db


# --- The list of clubs -------------------------------------------------------------------


def test_the_list_of_clubs_as_json(client, people):
    assert client.get("/clubs.json").json() == {
        "rows": [
            {
                "name": "Ashdown",
                "url": "/clubs/ashdown/",
                "venue": None,
                "club_night": None,
                "start_time": None,
                "members": 2,
            },
            {
                "name": "Hartfield",
                "url": "/clubs/hartfield/",
                "venue": "The Village Hall\n12 High Street",
                "club_night": "Tuesday",
                "start_time": "19:30:00",
                "members": 2,
            },
        ]
    }


def test_the_list_of_clubs_as_page_and_csv(client, people):
    assert Page(client.get("/clubs/")).tables == [
        [
            ["Club", "Club night", "Venue", "Members"],
            ["Ashdown", "–", "–", "2"],
            [
                "Hartfield Tuesday 19:30 · The Village Hall",
                "Tuesday 19:30",
                "The Village Hall",
                "2",
            ],
        ]
    ]
    assert [(row["name"], row["members"]) for row in csv_rows(client, "/clubs.csv")] == [
        ("Ashdown", "2"),
        ("Hartfield", "2"),
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=HART", ["Hartfield"]),
        ("?q=nowhere", []),
        ("?q=%00", ["Ashdown", "Hartfield", "King's Head"]),
        ("?sort=-name", ["King's Head", "Hartfield", "Ashdown"]),
        # A club without a night stands last, whichever way.
        ("?sort=club_night", ["Hartfield", "Ashdown", "King's Head"]),
        ("?sort=-club_night", ["Hartfield", "Ashdown", "King's Head"]),
        ("?sort=-member_count", ["Ashdown", "Hartfield", "King's Head"]),
        ("?q=kings head", ["King's Head"]),
    ],
)
def test_searching_and_sorting_clubs(client, people, query, found):
    ClubFactory(name="King's Head", slug="kings-head")

    assert [row["name"] for row in rows_of(client, f"/clubs.json{query}")] == found


def test_no_clubs(client):
    assert "No clubs yet" in client.get("/clubs/").text
    assert "No club found" in client.get("/clubs/?q=nowhere").text
    assert rows_of(client, "/clubs.json") == []


# --- A club ------------------------------------------------------------------------------


def test_a_club_as_json(client, match, people):
    quill, lune = people["quill"], people["lune"]
    assert client.get("/clubs/hartfield.json").json() == {
        "name": "Hartfield",
        "stale_from": None,
        "url": "/clubs/hartfield/",
        "venue": "The Village Hall\n12 High Street",
        "club_night": "Tuesday",
        "start_time": "19:30:00",
        "teams": [
            {
                "name": "Hartfield A",
                "league": "Weald",
                "season": "2026-27",
                "division": "Division 1",
                "url": f"/teams/{match.home.pk}/",
            }
        ],
        "rows": [
            {
                "name": "Quill, Robin",
                "code": "178853L",
                "elo": 1700,
                "provisional": False,
                "games": 1,
                "rapid": None,
                "rapid_provisional": None,
                "url": f"/players/{quill.pk}/",
            },
            {
                "name": "Lune, Robin",
                "code": None,
                "elo": None,
                "provisional": None,
                "games": 0,
                "rapid": None,
                "rapid_provisional": None,
                "url": f"/players/{lune.pk}/",
            },
        ],
    }
    assert [row["name"] for row in csv_rows(client, "/clubs/hartfield.csv")] == [
        "Quill, Robin",
        "Lune, Robin",
    ]


def test_a_club_as_page(client, match):
    page = Page(client.get("/clubs/hartfield/"))

    assert page.tables == [
        [
            ["Player", "Elo", "Games", "Rapid", "ECF code"],
            ["Quill, Robin", "1700", "1", "–", "178853L"],
            ["Lune, Robin", "–", "0", "–", "–"],
        ]
    ]
    for words in ("Tuesday, 19:30", "12 High Street", "Step-free", "Teams, 2026-27"):
        assert words in page.text
    assert ("Hartfield A", f"/teams/{match.home.pk}/") in [
        (text.replace("\xa0", " "), address) for text, address in page.links
    ]


CONTACTS = ("Ann Other", "01234 567890", "ann@example.org")


def test_contacts_of_a_club_are_for_accounts_alone(client, hartfield):
    page = client.get("/clubs/hartfield/").text
    assert [words in page for words in CONTACTS] == [False] * 3
    assert "/accounts/login/?next=/clubs/hartfield/" in page

    client.force_login(UserFactory())
    page = client.get("/clubs/hartfield/").text
    assert [words in page for words in CONTACTS] == [True] * 3
    for form in ("json", "csv"):
        assert "example.org" not in client.get(f"/clubs/hartfield.{form}").content.decode()


def test_a_club_of_nothing_and_no_club(client):
    ClubFactory(name="Empty", slug="empty")
    page = client.get("/clubs/empty/").text

    assert "No members yet" in page
    assert "no team in a public season" in page
    assert client.get("/clubs/none/").status_code == 404
    assert client.get("/clubs/none.json").status_code == 404


def test_members_whose_time_is_over_are_none(client, hartfield, people):
    people["quill"].memberships.update(ends_on=timezone.localdate())
    people["lune"].memberships.update(starts_on=timezone.localdate())

    assert [row["name"] for row in rows_of(client, "/clubs/hartfield.json")] == ["Lune, Robin"]
