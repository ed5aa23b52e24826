"""The grade list as page and files: every filter, every sort, what is hidden."""

import csv
import datetime
import io
import zipfile
from datetime import date
from xml.etree import ElementTree

import pytest
from django.utils.html import strip_tags

from clubs.models import Player
from tests.factories import ClubFactory, MembershipFactory, UserFactory
from tests.ratings.grade_scene import (
    FILE,
    JULY,
    LIST,
    SCHOOLCHILD,
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


def test_the_whole_list_as_json(client, people):
    found = client.get(FILE).json()

    assert {key: value for key, value in found.items() if key != "rows"} == {
        "pool": "standard",
        "cutoff": "2026-07-01",
        "state": "published",
        "revision": 0,
        "published_at": "2026-07-15T12:00:00Z",
        "outstanding": 0,
        "changes_since": "2026-01-01",
    }
    columns = ("position", "shared", "name", "code", "club", "grade", "category")
    more = ("change", "new", "games", "rapid", "junior")
    assert [tuple(row[key] for key in columns + more) for row in found["rows"]] == [
        (1, True, "Quill, Robin", "178853L", "Hartfield", 201, "B", -4, False, 26, 202, False),
        (1, True, "Ullathorne, Robin", None, "Ashdown", 201, "C", None, True, 11, None, False),
        (3, False, "O'Brien, Zoë", "102807J", "Hartfield", 157, "A", 7, False, 45, None, False),
        (4, False, "Adder, Robin", None, None, 120, None, 0, False, 3, 130, False),
        (5, False, "Applegarth, Yusuf", None, "Ashdown", 99, "D", None, True, 7, None, True),
    ]
    assert found["rows"][0]["url"] == f"/players/{people['Quill'].pk}/"
    assert set(found["rows"][0]) == {*columns, *more, "url"}


def test_the_page_says_the_same(client, people):
    response = client.get(LIST)
    cells = [
        [" ".join(strip_tags(str(cell)).split()) for cell in row]
        for row in response.context["table"].rows
    ]

    assert cells == [
        ["1=", "Quill, RobinHartfield", "Hartfield", "201", "B", "−4", "26", "202", "178853L"],
        ["1=", "Ullathorne, RobinAshdown", "Ashdown", "201", "C", "new", "11", "–", "–"],
        ["3", "O&#x27;Brien, ZoëHartfield", "Hartfield", "157", "A", "+7", "45", "–", "102807J"],
        ["4", "Adder, Robin", "", "120", "–", "0", "3", "130", "–"],
        [
            "5",
            "Applegarth, Yusuf juniorAshdown, junior",
            "Ashdown",
            "99",
            "D",
            "new",
            "7",
            "–",
            "–",
        ],
    ]
    text = response.text
    why = f"/players/{people['Quill'].pk}/grade/2026-07-01/?pool=standard"
    assert f'<a href="{why}">201</a>' in text and client.get(why).status_code == 200
    assert "Grade list, 1\xa0July\xa02026" in text and "Published 15 July 2026" in text
    assert "5 players." in text
    for form in ("csv", "json", "xlsx"):
        assert f'href="/grades/2026-07-01.{form}"' in text


def test_the_csv_has_the_same_rows(client, people):
    content = client.get("/grades/2026-07-01.csv").content.decode()
    assert [
        (row["position"], row["name"], row["grade"], row["change"], row["new"], row["rapid"])
        for row in csv.DictReader(io.StringIO(content))
    ] == [
        ("1", "Quill, Robin", "201", "-4", "no", "202"),
        ("1", "Ullathorne, Robin", "201", "", "yes", ""),
        ("3", "O'Brien, Zoë", "157", "7", "no", ""),
        ("4", "Adder, Robin", "120", "0", "no", "130"),
        ("5", "Applegarth, Yusuf", "99", "", "yes", ""),
    ]


def workbook(response):
    """The rows of a workbook's only sheet as a spreadsheet reads them; formulas as `=...`."""
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    with zipfile.ZipFile(io.BytesIO(response.content)) as book:
        texts = [
            "".join(part.text or "" for part in each.iter(f"{space}t"))
            for each in ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
        ]
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    found = []
    for row in sheet.iter(f"{space}row"):
        cells = {}
        for cell in row:
            column = "".join(filter(str.isalpha, cell.get("r")))
            assert cell.find(f"{space}f") is None  # a formula
            value = cell.find(f"{space}v").text
            cells[column] = texts[int(value)] if cell.get("t") == "s" else float(value)
        found.append(cells)
    return found


def test_the_workbook_has_the_same_rows_and_no_formula(client, people):
    Player.objects.filter(pk=people["Adder"].pk).update(surname="=SUM(A1)", forenames="+1")
    response = client.get("/grades/2026-07-01.xlsx", {"sort": "player"})
    head, *body = workbook(response)

    assert response["Content-Type"] == (
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    )
    assert 'filename="grades-standard-2026-07-01.xlsx"' in response["Content-Disposition"]
    assert list(head.values()) == [
        *("position", "shared", "name", "code", "club", "grade", "category", "change", "new"),
        *("games", "rapid", "junior", "url"),
    ]
    assert [(row["A"], row["B"], row["C"], row["F"], row.get("H")) for row in body] == [
        (4, "no", "=SUM(A1), +1", 120, 0),
        (5, "no", "Applegarth, Yusuf", 99, None),
        (3, "no", "O'Brien, Zoë", 157, 7),
        (1, "yes", "Quill, Robin", 201, -4),
        (1, "yes", "Ullathorne, Robin", 201, None),
    ]
    # A validator is a hash of it.
    assert response["ETag"] == client.get("/grades/2026-07-01.xlsx?sort=player")["ETag"]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"q": "quill"}, "Quill"),
        ({"q": "Robin Quill"}, "Quill"),
        ({"q": "o'brien"}, "O'Brien"),
        ({"q": "OBRIEN"}, "O'Brien"),
        ({"q": "zoe"}, "O'Brien"),
        ({"q": "zoë"}, "O'Brien"),
        ({"q": "178853l"}, "Quill"),
        ({"q": "few"}, ""),
        ({"q": ""}, "Quill Ullathorne O'Brien Adder Applegarth"),
        ({"q": "\x00"}, "Quill Ullathorne O'Brien Adder Applegarth"),
        ({"q": "x" * 300}, ""),
        ({"club": "hartfield"}, "Quill O'Brien"),
        ({"club": "ashdown", "q": "robin"}, "Ullathorne"),
        ({"category": "A"}, "O'Brien"),
        ({"category": "E"}, ""),
        ({"category": "none"}, "Adder"),
        ({"juniors": "on"}, "Applegarth"),
        ({"changed": "on"}, "Quill Ullathorne O'Brien Applegarth"),
        ({"pool": "rapid"}, "Quill Adder"),
        # All of them, and each of them needed.
        (
            {"q": "y", "club": "ashdown", "category": "D", "juniors": "on", "changed": "on"},
            "Applegarth",
        ),
        ({"q": "y", "club": "hartfield", "category": "D", "juniors": "on", "changed": "on"}, ""),
        ({"q": "y", "club": "ashdown", "category": "C", "juniors": "on", "changed": "on"}, ""),
        ({"q": "r", "club": "ashdown", "category": "D", "juniors": "on", "changed": "on"}, ""),
        ({"club": "ashdown", "changed": "on"}, "Ullathorne Applegarth"),
        ({"club": "hartfield", "category": "B", "changed": "on"}, "Quill"),
        # Nobody's club, change, category, rapid grade and code stand last, whichever way.
        ({"sort": "published"}, "Applegarth Adder O'Brien Quill Ullathorne"),
        ({"sort": "-published"}, "Quill Ullathorne O'Brien Adder Applegarth"),
        ({"sort": "player"}, "Adder Applegarth O'Brien Quill Ullathorne"),
        ({"sort": "-player"}, "Ullathorne Quill O'Brien Applegarth Adder"),
        ({"sort": "club"}, "Ullathorne Applegarth Quill O'Brien Adder"),
        ({"sort": "-club"}, "Quill O'Brien Ullathorne Applegarth Adder"),
        ({"sort": "category"}, "O'Brien Quill Ullathorne Applegarth Adder"),
        ({"sort": "-category"}, "Applegarth Ullathorne Quill O'Brien Adder"),
        ({"sort": "change"}, "Quill Adder O'Brien Ullathorne Applegarth"),
        ({"sort": "-change"}, "O'Brien Adder Quill Ullathorne Applegarth"),
        ({"sort": "games"}, "Adder Applegarth Ullathorne Quill O'Brien"),
        ({"sort": "-games"}, "O'Brien Quill Ullathorne Applegarth Adder"),
        ({"sort": "beside"}, "Adder Quill Ullathorne O'Brien Applegarth"),
        ({"sort": "-beside"}, "Quill Adder Ullathorne O'Brien Applegarth"),
        ({"sort": "code"}, "O'Brien Quill Ullathorne Adder Applegarth"),
        ({"sort": "-code"}, "Quill O'Brien Ullathorne Adder Applegarth"),
        ({"sort": "position"}, "Quill Ullathorne O'Brien Adder Applegarth"),
        ({"sort": "password"}, "Quill Ullathorne O'Brien Adder Applegarth"),
        ({"sort": "-change", "club": "hartfield"}, "O'Brien Quill"),
    ],
)
def test_every_filter_and_sort_holds_for_page_and_files(client, people, filters, found):
    assert surnames(client, **filters) == found
    table = client.get(LIST, filters).context["table"]
    assert " ".join(row.record.player.surname for row in table.rows) == found


def test_the_state_of_the_page_stays_in_its_addresses(client, people):
    text = client.get(LIST, {"club": "hartfield", "sort": "-games", "revision": "0"}).text

    assert 'href="/grades/2026-07-01.csv?club=hartfield&amp;sort=-games&amp;revision=0"' in text
    assert 'name="sort" value="-games"' in text
    assert '<input type="hidden" name="revision" value="0"' in text
    assert '<option value="hartfield" selected>' in text
    assert 'aria-sort="descending"' in text


def test_positions_are_those_of_the_whole_order(client, lists):
    for number in range(120):
        graded(person(f"Player{number:03}"), lists["now"], 200 - number // 2)
    second = client.get(LIST, {"page": 2}).context["table"]
    positions = [strip_tags(row.get_cell("position")) for row in second.paginated_rows]

    assert positions[:3] == ["51=", "51=", "53="]
    assert len(positions) == 50
    found = rows(client, q="player119", sort="player", page=2)
    assert [(row["position"], row["grade"]) for row in found] == [(119, 141)]
    assert len(rows(client, page=2)) == 120
    for page in ("99", "-1", "x", "0"):
        assert client.get(LIST, {"page": page}).status_code == 200
    assert "51–100 of 120" in client.get(LIST, {"page": 2}).text


def test_a_club_is_that_of_the_cutoff(client, lists):
    player = person("Mover")
    graded(player, lists["now"], 150)
    old, new = ClubFactory(name="Old", slug="old"), ClubFactory(name="New", slug="new")
    MembershipFactory(player=player, club=old, ends_on=JULY + datetime.timedelta(days=1))
    MembershipFactory(player=player, club=new, starts_on=JULY + datetime.timedelta(days=1))

    assert [row["club"] for row in rows(client)] == ["Old"]
    assert (surnames(client, club="old"), surnames(client, club="new")) == ("Mover", "")
    lists["now"].grades.all().delete()
    lists["now"].delete()
    graded(player, grade_list(date(2027, 1, 1)), 151)
    assert rows(client, "/grades/2027-01-01.json")[0]["club"] == "New"


def test_the_rapid_list_has_the_standard_grades_beside(client, people):
    found = client.get(FILE, {"pool": "rapid"}).json()
    assert [(row["grade"], row["standard"], row["new"]) for row in found["rows"]] == [
        (202, 201, True),
        (130, 120, True),
    ]
    assert found["changes_since"] is None
    assert "Rapid grade list, 1\xa0July\xa02026" in client.get(LIST, {"pool": "rapid"}).text


def test_hidden_juniors(client, lists):
    hidden = person(
        "Aardvark", birth_date=SCHOOLCHILD, ecf_code="169156K", club=ClubFactory(name="Ashdown")
    )
    graded(hidden, lists["now"], 140)
    graded(person("Zebra", ecf_code="285525C"), lists["now"], 150)
    page = client.get(LIST).text

    assert ("Aardvark" in page, "169156K" in page, "Junior player" in page) == (False, False, True)
    assert rows(client)[1]["name"] == "Junior player"
    assert (rows(client)[1]["code"], rows(client)[1]["junior"]) == (None, False)
    for q in ("aardvark", "169156K", "robin aardvark"):
        assert surnames(client, q=q) == ""
    # His place in an order of names or codes would tell.
    assert surnames(client, sort="player") == "Zebra Junior player"
    assert surnames(client, sort="code") == "Zebra Junior player"
    assert surnames(client, juniors="on") == "Junior player"
    client.force_login(UserFactory())
    assert surnames(client, q="aardvark") == "Aardvark"
    assert surnames(client, sort="player") == "Aardvark Zebra"
    assert rows(client)[1]["junior"] is True


@pytest.mark.parametrize(
    "sort", ["", "published", "club", "-club", "category", "change", "-games", "beside", "code"]
)
def test_among_equals_the_hidden_stand_last(client, lists, sort):
    """Between two names in their order a hidden one would be told within a few letters."""
    club = ClubFactory()
    for surname, born in (("Crossthwaite", None), ("Lamb", SCHOOLCHILD), ("Rooke", None)):
        player = person(surname, birth_date=born, club=club)
        for made in lists.values():
            graded(player, made, 120)
    order = "Crossthwaite Rooke Junior player"

    assert surnames(client, sort=sort) == order
    table = client.get(LIST, {"sort": sort}).context["table"]
    shown = [strip_tags(row.get_cell("player")).partition(",")[0] for row in table.rows]
    assert " ".join(shown).replace(club.name, "") == order
    listed = client.get("/grades/2026-07-01.csv", {"sort": sort}).content.decode()
    names = [row["name"].partition(",")[0] for row in csv.DictReader(io.StringIO(listed))]
    assert " ".join(names) == order
    book = workbook(client.get("/grades/2026-07-01.xlsx", {"sort": sort}))
    assert " ".join(row["C"].partition(",")[0] for row in book[1:]) == order
    client.force_login(UserFactory())
    assert surnames(client, sort=sort) == "Crossthwaite Lamb Rooke"


def test_who_was_a_junior_at_the_cutoff_is_told_of_nobody_grown_up(client):
    old = grade_list(date(2012, 1, 1))
    graded(person("Grown", birth_date=date(2000, 1, 1)), old, 140)

    assert surnames(client, "/grades/2012-01-01.json", juniors="on") == ""
    assert "junior</small>" not in client.get("/grades/2012-01-01/").text
    table = client.get("/grades/2012-01-01/").context["table"]
    assert [strip_tags(row.get_cell("player")) for row in table.rows] == ["Grown, Robin"]


def test_names_are_escaped(client, lists):
    graded(person("<b>Bold</b>", forenames="=1+1"), lists["now"], 140)

    assert "&lt;b&gt;Bold&lt;/b&gt;, =1+1" in client.get(LIST).text
    assert rows(client)[0]["name"] == "<b>Bold</b>, =1+1"
