import csv
import io
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from clubs.models import Player
from ratings.models import EloRating
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory, pool

pytestmark = pytest.mark.django_db

SCHOOLCHILD = date(timezone.localdate().year - 10, 1, 1)


def rated(surname, rating, games=40, *, forenames="Robin", club=None, in_pool="standard", **player):
    """A player with a rating in tenths, stored as a replay would leave it."""
    person = PlayerFactory(surname=surname, forenames=forenames, **player)
    EloRating.objects.create(
        player=person, pool=pool(in_pool), rating=rating, games=games, marks=0, established=False
    )
    if club:
        MembershipFactory(player=person, club=club)
    return person


@pytest.fixture
def people():
    hartfield = ClubFactory(name="Hartfield", slug="hartfield")
    ashdown = ClubFactory(name="Ashdown", slug="ashdown")
    return {
        "Quill": rated("Quill", 20104, club=hartfield, ecf_code="178853L"),
        "Ullathorne": rated("Ullathorne", 20096, 11, club=ashdown),
        "OBrien": rated("O'Brien", 19000, forenames="Élodie", club=hartfield),
        "Adder": rated("Adder", 15004, 64),
    }


def names(client, **filters):
    return [row["name"] for row in client.get("/ratings.json", filters).json()["rows"]]


def test_the_whole_list_as_json(client, people):
    assert client.get("/ratings.json").json() == {
        "pool": "standard",
        "stale_from": None,
        "rows": [
            {
                "position": 1,
                "shared": True,
                "name": "Quill, Robin",
                "code": "178853L",
                "club": "Hartfield",
                "elo": 2010,
                "provisional": False,
                "games": 40,
                "rating": 2010.4,
                "url": f"/players/{people['Quill'].pk}/",
            },
            {
                "position": 1,
                "shared": True,
                "name": "Ullathorne, Robin",
                "code": None,
                "club": "Ashdown",
                "elo": 2010,
                "provisional": True,
                "games": 11,
                "rating": 2009.6,
                "url": f"/players/{people['Ullathorne'].pk}/",
            },
            {
                "position": 3,
                "shared": False,
                "name": "O'Brien, Élodie",
                "code": None,
                "club": "Hartfield",
                "elo": 1900,
                "provisional": False,
                "games": 40,
                "rating": 1900.0,
                "url": f"/players/{people['OBrien'].pk}/",
            },
            {
                "position": 4,
                "shared": False,
                "name": "Adder, Robin",
                "code": None,
                "club": None,
                "elo": 1500,
                "provisional": False,
                "games": 64,
                "rating": 1500.4,
                "url": f"/players/{people['Adder'].pk}/",
            },
        ],
    }


def test_the_page_says_the_same(client, people):
    response = client.get("/ratings/")
    cells = [
        [" ".join(strip_tags(str(cell)).split()) for cell in row]
        for row in response.context["table"].rows
    ]

    assert cells == [
        ["1=", "Quill, RobinHartfield", "Hartfield", "2010", "40", "178853L"],
        ["1=", "Ullathorne, RobinAshdown", "Ashdown", "2010?", "11", "–"],
        ["3", "O&#x27;Brien, ÉlodieHartfield", "Hartfield", "1900", "40", "–"],
        ["4", "Adder, Robin", "", "1500", "64", "–"],
    ]
    assert "4 players." in response.text
    assert 'href="/ratings.csv"' in response.text


def test_the_csv_has_the_same_rows(client, people):
    rows = list(csv.DictReader(io.StringIO(client.get("/ratings.csv").content.decode())))

    assert [(row["position"], row["name"], row["elo"], row["provisional"]) for row in rows] == [
        ("1", "Quill, Robin", "2010", "no"),
        ("1", "Ullathorne, Robin", "2010", "yes"),
        ("3", "O'Brien, Élodie", "1900", "no"),
        ("4", "Adder, Robin", "1500", "no"),
    ]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"q": "quill"}, "Quill"),
        ({"q": "Robin Quill"}, "Quill"),
        ({"q": "obrien elodie"}, "O'Brien"),
        ({"q": "178853l"}, "Quill"),
        ({"q": "nobody"}, ""),
        ({"q": "\x00"}, "Quill Ullathorne O'Brien Adder"),
        ({"q": "x" * 300}, ""),
        ({"q": "?!"}, ""),
        ({"club": "hartfield"}, "Quill O'Brien"),
        ({"club": "hartfield", "q": "robin"}, "Quill"),
        ({"club": "hartfield", "pool": "rapid"}, ""),
        (
            {"sort": "player"},
            "Adder O'Brien Quill Ullathorne",
        ),
        (
            {"sort": "-player"},
            "Ullathorne Quill O'Brien Adder",
        ),
        # Nobody's club stands last, whichever way.
        (
            {"sort": "club"},
            "Ullathorne Quill O'Brien Adder",
        ),
        (
            {"sort": "-club"},
            "Quill O'Brien Ullathorne Adder",
        ),
        (
            {"sort": "rating"},
            "Adder O'Brien Ullathorne Quill",
        ),
        (
            {"sort": "-games"},
            "Adder Quill O'Brien Ullathorne",
        ),
        (
            {"sort": "password"},
            "Quill Ullathorne O'Brien Adder",
        ),
    ],
)
def test_every_filter_and_sort_holds_for_the_files(client, people, filters, found):
    surnames = [name.partition(",")[0] for name in names(client, **filters)]

    assert surnames == found.split()


def test_a_position_is_that_in_the_whole_order(client, people):
    rows = client.get("/ratings.json", {"club": "hartfield", "sort": "player"}).json()["rows"]

    assert [(row["name"], row["position"]) for row in rows] == [
        ("O'Brien, Élodie", 3),
        ("Quill, Robin", 1),
    ]


def test_the_four_pools_are_four_lists(client, people):
    rated("Speedwell", 17000, in_pool="rapid")

    assert names(client, pool="rapid") == ["Speedwell, Robin"]
    assert client.get("/ratings.json?pool=rapid").json()["pool"] == "rapid"
    assert "Live Elo, rapid" in client.get("/ratings/?pool=rapid").text


def test_a_membership_that_ended_is_no_club(client, people):
    gone = people["Quill"].memberships.get()
    gone.ends_on = timezone.localdate()
    gone.save()

    assert names(client, club="hartfield") == ["O'Brien, Élodie"]
    assert client.get("/ratings.json?q=quill").json()["rows"][0]["club"] is None


def test_pages_of_fifty_and_what_an_address_may_ask(client):
    for number in range(60):
        rated(f"Player{number:02}", 20000 - 10 * number)

    def shown(address):
        table = client.get(address).context["table"]
        return [row.record.player.surname for row in table.paginated_rows]

    assert shown("/ratings/") == [f"Player{number:02}" for number in range(50)]
    assert shown("/ratings/?page=2") == [f"Player{number:02}" for number in range(50, 60)]
    for address in ("/ratings/?page=99", "/ratings/?page=-1"):
        assert shown(address) == shown("/ratings/?page=2")
    for address in ("/ratings/?page=x", "/ratings/?per_page=0", "/ratings/?per_page=1000"):
        assert shown(address) == shown("/ratings/")
    assert "1–50 of 60" in client.get("/ratings/").text
    assert len(names(client, page=2)) == 60


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/ratings/?pool=rapid", "No games yet"),
        ("/ratings/?q=nobody", "Nobody found"),
        ("/ratings/?club=none", "Select a valid choice"),
        ("/ratings/?club=%00", "Null characters are not allowed"),
        ("/ratings/?club=none&pool=", "Select a valid choice"),
    ],
)
def test_an_empty_list_says_why(client, people, address, words):
    response = client.get(address)

    assert (response.status_code, words in response.text) == (200, True)
    assert "<table" not in response.text


def test_a_file_with_an_unknown_filter_says_which(client):
    response = client.get("/ratings.csv?club=none")

    assert (response.status_code, response.content.decode()) == (
        400,
        "club: Select a valid choice. That choice is not one of the available choices.\n",
    )


def test_an_unknown_pool_is_no_page(client, people):
    for form in ("/", ".json", ".csv", ".xlsx"):
        for pool_asked in ("postal", "%00", "Rapid"):
            assert client.get(f"/ratings{form}?pool={pool_asked}").status_code == 404
    assert names(client, pool="", q="", club="") == names(client)


def test_hidden_juniors(client, people):
    rated("Aardvark", 16000, birth_date=SCHOOLCHILD, ecf_code="169156K")
    rated("Zebra", 16010, birth_date=SCHOOLCHILD, name_consent=True)
    everybody = ["Quill, Robin", "Ullathorne, Robin", "O'Brien, Élodie"]

    assert names(client) == [*everybody, "Zebra, Robin", "Junior player", "Adder, Robin"]
    # His place among the names would tell how his begins.
    assert names(client, sort="player")[-1] == "Junior player"
    for q in ("aardvark", "169156K", "robin aardvark"):
        assert names(client, q=q) == []
    assert client.get("/ratings.json").json()["rows"][4]["code"] is None
    page = client.get("/ratings/").text
    assert ("Aardvark" in page, "169156K" in page, "Junior player" in page) == (False, False, True)

    client.force_login(UserFactory())
    assert names(client, q="aardvark") == ["Aardvark, Robin"]
    assert names(client, sort="player")[0] == "Aardvark, Robin"


@pytest.mark.parametrize("sort", ["", "rating", "games", "-games", "club", "-club"])
def test_among_equals_the_hidden_stand_last(client, sort):
    """Between two names in their order a hidden one would be told within a few letters."""
    club = ClubFactory()
    for surname, born in (("Crossthwaite", None), ("Lamb", SCHOOLCHILD), ("Rooke", None)):
        rated(surname, 15000, birth_date=born, club=club)
    everybody = ["Crossthwaite, Robin", "Rooke, Robin", "Junior player"]

    assert names(client, sort=sort) == everybody
    page = client.get("/ratings/", {"sort": sort}).text
    assert sorted(everybody, key=page.index) == everybody
    client.force_login(UserFactory())
    assert names(client, sort=sort) == ["Crossthwaite, Robin", "Lamb, Robin", "Rooke, Robin"]


def test_pending_and_retired_players_stand_in_the_list(client):
    rated("Newman", 15000, state="pending")
    rated("Oldman", 14000, state="retired")

    assert names(client) == ["Newman, Robin", "Oldman, Robin"]


def test_names_are_escaped(client):
    rated("<b>Bold</b>", 15000, forenames="=1+1")

    assert "&lt;b&gt;Bold&lt;/b&gt;, =1+1" in client.get("/ratings/").text
    assert names(client) == ["<b>Bold</b>, =1+1"]
    Player.objects.update(surname="=SUM(A1)", forenames="")
    assert "'=SUM(A1)" in client.get("/ratings.csv").content.decode()


def test_a_rating_below_nought_has_a_minus_sign(client):
    rated("Weak", -104)

    table = client.get("/ratings/").context["table"]
    assert [strip_tags(row.get_cell("rating")) for row in table.rows] == ["−10"]
    assert client.get("/ratings.json").json()["rows"][0]["elo"] == -10


def test_only_get(client):
    assert client.post("/ratings/").status_code == 405
    assert client.post("/ratings.json").status_code == 405


@pytest.mark.parametrize(
    "address",
    [
        "/ratings/",
        "/ratings/?q=player&sort=club",
        "/ratings/?club=club-x&sort=player",
        "/ratings.csv",
        "/ratings.json?q=player&club=club-x&sort=-games",
    ],
)
def test_the_number_of_queries_does_not_grow(client, address):
    club = ClubFactory(slug="club-x")

    def queries(size):
        for number in range(size):
            rated(f"Player{size}{number}", 15000 + number, club=club)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    assert queries(3) == queries(40) <= 7
