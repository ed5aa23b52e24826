"""Which grade list a page shows, what it says where there is none, and what it asks."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ratings import ecf
from ratings.models import Grade, RatingPool
from tests.factories import ClubFactory, RatedEventFactory, RatedGameFactory, pool
from tests.ratings.grade_scene import (
    FILE,
    JULY,
    JULY_25,
    LIST,
    five_and_one,
    grade_list,
    graded,
    person,
    rows,
    surnames,
    two_and_one,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def lists():
    return two_and_one()


@pytest.fixture
def people(lists):
    return five_and_one(lists)


# --- Which list --------------------------------------------------------------------------


def test_the_newest_list_is_led_to_with_what_the_address_asks(client, people):
    for address, target in (
        ("/grades/", "/grades/2026-07-01/"),
        ("/grades/?pool=rapid&q=quill", "/grades/2026-07-01/?pool=rapid&q=quill"),
        ("/grades.json?pool=rapid", "/grades/2026-07-01.json?pool=rapid"),
        ("/grades/?pool=", "/grades/2026-07-01/?pool="),
    ):
        response = client.get(address)
        assert (response.status_code, response["Location"]) == (302, target)
    assert 'href="/grades/" aria-current="true"' in client.get(LIST).text


def test_a_provisional_list_is_marked_and_not_the_newest(client, people):
    coming = grade_list(date(2027, 1, 1), state="provisional", outstanding=4)
    graded(people["Quill"], coming, 199)

    assert client.get("/grades/")["Location"] == "/grades/2026-07-01/"
    assert "The list of 1 January 2027 is provisional." in client.get(LIST).text
    text = client.get("/grades/2027-01-01/").text
    assert "comes out on 15 January 2027. 4 cards are still to come." in " ".join(text.split())
    assert rows(client, "/grades/2027-01-01.json")[0]["change"] == -2


def test_a_first_provisional_list_is_the_newest(client):
    grade_list(JULY, state="provisional")
    assert client.get("/grades/")["Location"] == "/grades/2026-07-01/"


def test_original_and_revised_lists_are_both_there(client, people, lists):
    revised = grade_list(JULY, revision=1, reason="The result of 4 November.")
    graded(people["Quill"], revised, 203, "B")
    graded(people["Ullathorne"], revised, 201, "C")
    graded(people["Few"], revised, 90, "E")

    assert surnames(client) == "Quill Ullathorne Few"
    assert surnames(client, revision=0) == "Quill Ullathorne O'Brien Adder Applegarth"
    assert surnames(client, revision=1) == surnames(client)
    text = client.get(LIST).text
    assert "Revision 1 of 15 July 2026." in text and "The result of 4 November." in text
    old = client.get(LIST, {"revision": 0}).text
    assert "Revised since." in old
    assert "/grade/2026-07-01/?pool=standard&amp;revision=0" in old
    assert client.get(LIST, {"revision": 2}).status_code == 404


@pytest.mark.parametrize(
    "address",
    [
        "/grades/2026-07-02/",
        "/grades/2026-13-01/",
        "/grades/2026-02-30/",
        "/grades/2024-07-01/",
        "/grades/2026-07-01.xml",
        "/grades/0001-01-01/",
        "/grades/9999-07-01/",
        "/grades/0000-00-00/",
        *("/grades/?pool=postal", "/grades.json?pool=blitz", "/grades/?pool=%00"),
        *(
            f"/grades/2026-07-01{end}?{query}"
            for end in ("/", ".json", ".csv", ".xlsx")
            for query in (
                *("pool=postal", "pool=blitz", "pool=%00", "pool=Rapid", "revision=7"),
                *("revision=x", "revision=-1", "revision=99999999999999999999", "revision=1.0"),
            )
        ),
        *(
            f"/grades/2026-07-01/{page}{end}?pool={pool}"
            for page in ("risers", "revisions", "distribution")
            for end in ("/", ".json")
            for pool in ("postal", "blitz")
        ),
        *("/grades/compare/?pool=postal", "/grades/compare.csv?pool=blitz"),
        *(f"/grades/{day}{end}" for day in ("0001-01-01", "9999-07-01") for end in ("/", ".csv")),
        *(f"/grades/{day}/risers/" for day in ("0001-01-01", "1899-07-01", "2201-01-01")),
    ],
)
def test_no_such_list_is_no_such_page(client, people, address):
    assert client.get(address).status_code == 404


def test_a_filter_that_is_empty_is_ignored(client, people):
    empty = dict.fromkeys(("q", "club", "category", "pool", "juniors", "changed", "revision"), "")
    assert rows(client, **empty) == rows(client)
    assert client.get(LIST, empty).status_code == 200
    for page in ("compare", "2026-07-01/risers", "2026-07-01/distribution"):
        assert client.get(f"/grades/{page}/?pool=").status_code == 200


# --- Empty -------------------------------------------------------------------------------


def next_of_the_calendar():
    return ecf.cutoff_closing(timezone.localdate())


def test_the_next_list_is_not_out_yet(client, people):
    following = next_of_the_calendar()
    response = client.get(f"/grades/{following}/")

    assert (response.status_code, "Not out yet" in response.text) == (200, True)
    assert "14 days later" in response.text
    assert 'href="/grades/2026-07-01/?pool=standard"' in response.text
    assert client.get(f"/grades/{following}.json").status_code == 404
    after = ecf.next_cutoff(following)
    assert client.get(f"/grades/{after}/").status_code == 404


def test_a_list_that_is_due_is_being_worked_out(client):
    RatedGameFactory(event=RatedEventFactory(pool=pool()), played_on=date(2020, 3, 1))
    response = client.get("/grades/2020-07-01/")

    assert "closed on 30 June 2020 and is being worked out" in response.text
    assert client.get("/grades/2020-01-01/").status_code == 404
    assert "Not out yet" in client.get("/grades/").text


def test_without_a_rated_game_there_is_no_list(client):
    response = client.get("/grades/")

    assert (response.status_code, "No list yet" in response.text) == (200, True)
    assert "Nobody has played a rated standard game yet." in response.text
    assert client.get("/grades.json").status_code == 404
    RatingPool.objects.filter(pk="standard").update(publish_after_days=0)
    assert client.get(f"/grades/{next_of_the_calendar()}/").status_code == 200


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?q=nobody", "Nobody found"),
        ("?category=E", "Nobody found"),
        ("?club=none", "Select a valid choice"),
        ("?club=none&sort=-change", "Select a valid choice"),
        ("?club=none&sort=beside", "Select a valid choice"),
        ("?club=%00", "Null characters are not allowed"),
        ("?category=Z", "Z is not one of the available choices"),
    ],
)
def test_an_empty_list_says_why(client, people, query, words):
    response = client.get(LIST + query)

    assert (response.status_code, words in response.text) == (200, True)
    assert "<table" not in response.text
    assert client.get(FILE + query).status_code in (200, 400)


def test_a_list_without_players_says_so(client, lists):
    graded(person("Few"), lists["now"], None)

    assert "Nobody is on this list" in client.get(LIST).text
    assert rows(client) == []


def test_a_file_with_an_unknown_filter_says_which(client, people):
    response = client.get("/grades/2026-07-01.csv?category=Z")

    assert (response.status_code, response.content.decode()) == (
        400,
        "category: Select a valid choice. Z is not one of the available choices.\n",
    )


def test_only_get(client, people):
    for address in (LIST, FILE, "/grades/", "/grades/lists/", "/grades/compare/"):
        assert client.post(address).status_code == 405


# --- Size --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        LIST,
        f"{LIST}?q=player&sort=club&juniors=&changed=on",
        f"{LIST}?club=club-x&sort=-change",
        "/grades/2026-07-01.csv",
        "/grades/2026-07-01.xlsx?sort=code",
        f"{FILE}?q=player&club=club-x&sort=-beside",
        "/grades/lists/",
        "/grades/compare/",
        "/grades/compare.json?sort=club",
        "/grades/2026-07-01/risers/",
        "/grades/2026-07-01/revisions/",
        "/grades/2026-07-01/distribution/",
    ],
)
def test_the_number_of_queries_does_not_grow(client, lists, address):
    club = ClubFactory(slug="club-x")
    grade_list(JULY_25)

    def queries(size):
        revised = grade_list(JULY, revision=size)
        for number in range(size):
            player = person(f"Player{size}{number}", club=club)
            for each, more in ((lists["before"], 0), (lists["rapid"], 9), (revised, 4)):
                graded(player, each, 100 + number + more)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        Grade.objects.filter(grade_list=revised).delete()
        revised.delete()
        return len(captured)

    assert queries(3) == queries(40) <= 12


@pytest.mark.parametrize("sort", ["", "club", "-change", "player"])
def test_a_page_reads_its_fifty_rows_alone(client, lists, sort):
    for number in range(60):
        graded(person(f"Player{number:02}"), lists["now"], 200 - number)
    with CaptureQueriesContext(connection) as captured:
        client.get(LIST, {"sort": sort})
    rows_read = [
        query["sql"] for query in captured if query["sql"].startswith('SELECT "ratings_grade"."id"')
    ]
    assert [sql.endswith("LIMIT 50") for sql in rows_read] == [True]
    counts = [query["sql"] for query in captured if query["sql"].startswith("SELECT COUNT")]
    assert [("membership" in sql, "GROUP BY" in sql) for sql in counts] == [(False, False)]
