"""Lists among lists: all of them, revisions with their differences, two side by side, spread."""

from datetime import date

import pytest

from ratings.grade_spread import Band, Spread, bands, spread
from ratings.models import GradeList
from tests.factories import ClubFactory, UserFactory, pool
from tests.html import Page
from tests.ratings.grade_scene import JANUARY, JULY, JULY_25, grade_list, graded, noon, person

pytestmark = pytest.mark.django_db

COMPARE = "/grades/compare.json"


def rows(client, address, **query):
    return client.get(address, query).json()["rows"]


def test_bands_of_ten_with_the_empty_ones_between():
    counts = {0: 1, 9: 2, 30: 1, 139: 5}
    found = bands(counts)

    assert found[:4] == [Band(0, 9, 3, 60), Band(10, 19, 0, 0), Band(20, 29, 0, 0)] + [
        Band(30, 39, 1, 20)
    ]
    assert (found[-1], len(found)) == (Band(130, 139, 5, 100), 14)
    assert spread(counts) == Spread(9, 0, 139, 139)
    assert spread({100: 1, 110: 1}) == Spread(2, 100, 110, 100)
    assert (bands({}), spread({})) == ([], None)


def test_the_distribution_is_numbers_and_bars(client):
    made = grade_list(JULY)
    for grade in (0, 101, 102, 118):
        graded(person(f"P{grade}"), made, grade)
    graded(person("Few"), made, None)

    found = rows(client, "/grades/2026-07-01/distribution.json")
    assert len(found) == 12
    assert [row for row in found if row["players"]] == [
        {"from": 0, "to": 9, "players": 1},
        {"from": 100, "to": 109, "players": 2},
        {"from": 110, "to": 119, "players": 1},
    ]
    response = client.get("/grades/2026-07-01/distribution/")
    assert Page(response).tables[0][-2:] == [["100–109", "2", ""], ["110–119", "1", ""]]
    assert "4 players, from 0 to 118; half of them have 101 or less." in response.text
    assert '<rect width="50%" height="16">' in response.text
    assert "style=" not in response.text


def test_all_lists_with_what_became_of_them(client):
    graded(person("Quill"), grade_list(JANUARY), 150)
    revised = grade_list(JANUARY, revision=1, published_at=noon(date(2026, 3, 2)))
    for name in ("Quill", "Adder"):
        graded(person(name), revised, 151)
    grade_list(JULY, state="provisional", outstanding=3)
    grade_list(JANUARY, "rapid")

    assert [
        (row["cutoff"], row["pool"], row["state"], row["revisions"], row["players"])
        for row in rows(client, "/grades/lists.json")
    ] == [
        ("2026-07-01", "standard", "provisional", 0, 0),
        ("2026-01-01", "standard", "published", 1, 2),
        ("2026-01-01", "rapid", "published", 0, 0),
    ]
    assert [row[-1] for row in Page(client.get("/grades/lists/")).tables[0][1:]] == [
        "provisional, 3 cards to come, out on 15 July 2026",
        "15 January 2026, revised 2 March 2026 (as it came out , changes )",
        "15 January 2026",
    ]


def test_lists_from_outside_stand_apart_by_publisher(client):
    for publisher in ("FIDE", "ECF"):
        made = GradeList.objects.create(
            pool=pool(),
            cutoff=JULY,
            state="imported",
            publisher=publisher,
            published_on=date(2026, 8, 1),
        )
        graded(person(publisher), made, 1800)
    page = client.get("/grades/lists/")

    assert page.text.index("Lists of ECF") < page.text.index("Lists of FIDE")
    assert (
        Page(page).tables
        == [
            [["List", "Rate", "Players"], ["1 August 2026", "Standard", "1"]],
        ]
        * 2
    )
    assert rows(client, "/grades/lists.json") == []
    assert client.get("/grades/2026-07-01/").status_code == 404


def test_no_lists_say_why(client):
    assert "No list yet" in client.get("/grades/lists/").text
    assert "No list yet" in client.get("/grades/compare/").text
    assert rows(client, COMPARE) == []
    for page in ("risers", "revisions", "distribution"):
        assert client.get(f"/grades/2026-07-01/{page}/").status_code == 404
    grade_list(JULY)
    assert "Never revised" in client.get("/grades/2026-07-01/revisions/").text
    assert "everybody on it is new" in client.get("/grades/2026-07-01/risers/").text
    assert "Nobody is on this list" in client.get("/grades/2026-07-01/distribution/").text
    for page in ("risers", "revisions", "distribution"):
        assert rows(client, f"/grades/2026-07-01/{page}.json") == []


def test_what_each_revision_changed(client):
    first = grade_list(JULY)
    second = grade_list(JULY, revision=1, reason="The result of 4 November.")
    third = grade_list(JULY, revision=2)
    people = {name: person(name) for name in ("Same", "Moved", "Came", "Went", "Lettered")}
    for made, grades in (
        (first, {"Same": 150, "Moved": 140, "Went": 90, "Lettered": 80, "Came": None}),
        (second, {"Same": 150, "Moved": 141, "Came": 60, "Lettered": 80}),
        (third, {"Same": 150, "Moved": 141, "Came": 60, "Lettered": 80}),
    ):
        for name, grade in grades.items():
            letter = None if name == "Lettered" and made == first else "C"
            graded(people[name], made, grade, letter)
    address = "/grades/2026-07-01/revisions"

    assert [
        (row["revision"], row["name"], row["before"], row["after"])
        + (row["category_before"], row["category_after"])
        for row in rows(client, f"{address}.json")
    ] == [
        (1, "Moved, Robin", 140, 141, "C", "C"),
        (1, "Lettered, Robin", 80, 80, None, "C"),
        (1, "Came, Robin", None, 60, None, "C"),
        (1, "Went, Robin", 90, None, "C", None),
    ]
    page = client.get(f"{address}/")
    assert "The result of 4 November." in page.text
    assert "No grade and no category changed" in page.text
    assert Page(page).tables[0][1:3] == [
        ["Moved, Robin", "140", "141", "C"],
        ["Lettered, Robin", "80", "80", "– → C"],
    ]


@pytest.fixture
def three_lists():
    """Lists of three cutoffs with people who come, go, rise and fall."""
    hartfield = ClubFactory(name="Hartfield", slug="hartfield")
    lists = [grade_list(day) for day in (JULY_25, JANUARY, JULY)]
    for name, grades in {
        "Riser": (100, 110, 131),
        "Faller": (150, 140, 139),
        "Leaver": (120, 121, None),
        "Comer": (None, None, 90),
        "Still": (70, 70, 70),
    }.items():
        player = person(name, club=hartfield if name in ("Riser", "Still") else None)
        for made, grade in zip(lists, grades, strict=True):
            if grade is not None:
                graded(player, made, grade)
    return lists


def compared(client, **query):
    return [
        (row["name"].partition(",")[0], row["before"], row["after"], row["change"])
        for row in rows(client, COMPARE, **query)
    ]


def test_the_newest_list_beside_the_one_before(client, three_lists):
    assert compared(client) == [
        ("Faller", 140, 139, -1),
        ("Riser", 110, 131, 21),
        ("Comer", None, 90, None),
        ("Still", 70, 70, 0),
        ("Leaver", 121, None, None),
    ]
    page = client.get("/grades/compare/")
    assert '<option value="2026-01-01" selected>' in page.text
    assert '<option value="2026-07-01" selected>' in page.text
    assert Page(page).tables[0] == [
        ["Player", "Club", "1 Jan 2026", "1 Jul 2026", "Change", "ECF code"],
        ["Faller, Robin", "", "140", "139", "−1", "–"],
        ["Riser, Robin Hartfield", "Hartfield", "110", "131", "+21", "–"],
        ["Comer, Robin", "", "–", "90", "new", "–"],
        ["Still, Robin Hartfield", "Hartfield", "70", "70", "0", "–"],
        ["Leaver, Robin", "", "121", "–", "–", "–"],
    ]


def test_any_two_lists_filtered_and_sorted(client, three_lists):
    two = {"from": "2025-07-01", "to": "2026-07-01"}
    assert compared(client, **two, sort="-change", club="hartfield") == [
        ("Riser", 100, 131, 31),
        ("Still", 70, 70, 0),
    ]
    assert compared(client, **two, q="faller robin") == [("Faller", 150, 139, -11)]
    assert compared(client, **{"from": "2026-07-01", "to": "2026-07-01"}, q="riser") == [
        ("Riser", 131, 131, 0)
    ]
    for sort, first in {
        "player": "Comer",
        "-player": "Still",
        "club": "Riser",
        "before": "Still",
        "-before": "Faller",
        "after": "Still",
        "change": "Faller",
        "-change": "Riser",
        "code": "Faller",
    }.items():
        assert (sort, compared(client, sort=sort)[0][0]) == (sort, first)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?from=2020-01-01&sort=-before", "2020-01-01 is not one of the available choices"),
        ("?to=x&sort=change", "x is not one of the available choices"),
        ("?from=%00&sort=club", "not one of the available choices"),
        ("?pool=rapid", "No list yet"),
        ("?q=nobody", "Nobody found"),
    ],
)
def test_lists_that_are_not_there(client, three_lists, query, words):
    response = client.get(f"/grades/compare/{query}")
    assert (response.status_code, words in response.text) == (200, True)
    assert client.get(COMPARE + query).status_code in (200, 400)


def test_the_biggest_risers(client, three_lists):
    address = "/grades/2026-07-01/risers"
    assert [(row["name"], row["change"]) for row in rows(client, f"{address}.json")] == [
        ("Riser, Robin", 21)
    ]
    assert [
        (row["name"], row["change"]) for row in rows(client, "/grades/2026-01-01/risers.json")
    ] == [("Riser, Robin", 10), ("Leaver, Robin", 1)]
    assert "1 player rose." in client.get(f"{address}/").text
    assert "Nobody found" in client.get(f"{address}/?q=faller&sort=before").text


def test_hidden_juniors_beside_other_lists(client, three_lists):
    born = date(date.today().year - 10, 1, 1)
    hidden = person("Aardvark", birth_date=born, ecf_code="169156K")
    graded(hidden, three_lists[1], 100)
    graded(hidden, three_lists[2], 180)
    revised = grade_list(JULY, revision=1)
    graded(hidden, revised, 181)
    for page in ("compare", "2026-07-01/risers", "2026-07-01/revisions"):
        for end in ("/", ".json", ".csv"):
            text = client.get(f"/grades/{page}{end}").content.decode()
            seen = [word for word in ("Aardvark", "169156K", "Junior player") if word in text]
            assert (page, end, seen) == (page, end, ["Junior player"])
    assert compared(client, q="aardvark") == []
    client.force_login(UserFactory())
    assert compared(client, q="aardvark") == [("Aardvark", 100, 181, 81)]


@pytest.mark.parametrize(
    "page",
    [
        "compare",
        *(f"compare{sort}" for sort in ("?sort=before", "?sort=-change", "?sort=code")),
        "2026-07-01/risers",
        "2026-07-01/revisions",
    ],
)
def test_among_equals_the_hidden_stand_last(client, page):
    """Between two names in their order a hidden one would be told within a few letters."""
    lists = grade_list(JANUARY), grade_list(JULY), grade_list(JULY, revision=1)
    born = date(date.today().year - 10, 1, 1)
    for surname, fields in (("Crossthwaite", {}), ("Lamb", {"birth_date": born}), ("Rooke", {})):
        player = person(surname, **fields)
        for made, grade in zip(lists, (120, 125, 126), strict=True):
            graded(player, made, grade)
    address, _, query = page.partition("?")
    everybody = ["Crossthwaite, Robin", "Rooke, Robin", "Junior player"]

    for end in ("/", ".json", ".csv"):
        text = client.get(f"/grades/{address}{end}?{query}").content.decode()
        assert (end, sorted(everybody, key=text.index)) == (end, everybody)
    client.force_login(UserFactory())
    seen = rows(client, f"/grades/{address}.json?{query}")
    assert [row["name"] for row in seen] == ["Crossthwaite, Robin", "Lamb, Robin", "Rooke, Robin"]
