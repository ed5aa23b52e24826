"""The grade list as page and files: every filter, every sort, what is hidden, what is empty."""

import csv
import datetime
import io
import zipfile
from datetime import date
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from clubs.models import Player
from ratings import ecf
from ratings.models import Grade, RatingPool
from tests.factories import (
    ClubFactory,
    MembershipFactory,
    RatedEventFactory,
    RatedGameFactory,
    UserFactory,
    pool,
)
from tests.ratings.grade_scene import JANUARY, JULY, JULY_25, grade_list, graded, person

pytestmark = pytest.mark.django_db

THIS_YEAR = timezone.localdate().year
SCHOOLCHILD = date(THIS_YEAR - 10, 1, 1)
LIST = "/grades/2026-07-01/"
FILE = "/grades/2026-07-01.json"


@pytest.fixture
def lists():
    """Two standard lists and a rapid one."""
    return {
        "before": grade_list(JANUARY),
        "now": grade_list(JULY),
        "rapid": grade_list(JULY, "rapid"),
    }


@pytest.fixture
def people(lists):
    """Five people of two clubs, and one who is not on the list: too few games."""
    hartfield = ClubFactory(name="Hartfield", slug="hartfield")
    ashdown = ClubFactory(name="Ashdown", slug="ashdown")
    quill = person("Quill", club=hartfield, ecf_code="178853L")
    ulla = person("Ullathorne", club=ashdown)
    obrien = person("O'Brien", forenames="Zoë", club=hartfield, ecf_code="102807J")
    adder = person("Adder")
    yusuf = person(
        "Applegarth", forenames="Yusuf", birth_date=SCHOOLCHILD, name_consent=True, club=ashdown
    )
    few = person("Few")
    before, now, rapid = lists["before"], lists["now"], lists["rapid"]
    graded(quill, before, 205)
    graded(obrien, before, 150)
    graded(adder, before, 120)
    graded(yusuf, before, None)
    graded(quill, now, 201, "B", 26)
    graded(ulla, now, 201, "C", 11)
    graded(obrien, now, 157, "A", 45)
    graded(adder, now, 120, None, 3)
    graded(yusuf, now, 99, "D", 7)
    graded(few, now, None)
    graded(quill, rapid, 202)
    graded(adder, rapid, 130)
    return {each.surname: each for each in (quill, ulla, obrien, adder, yusuf, few)}


def rows(client, address=FILE, **filters):
    return client.get(address, filters).json()["rows"]


def surnames(client, address=FILE, **filters):
    return " ".join(row["name"].partition(",")[0] for row in rows(client, address, **filters))


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
