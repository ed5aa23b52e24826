"""Why a grade or an Elo is what it is: the numbers of the pages, worked out here by hand."""

import datetime
from datetime import date

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.juniors import HIDDEN_NAME
from ratings import ledger, lists, live, revisions
from ratings.ledger import Played
from ratings.models import Grade, RatingPool
from tests.factories import (
    OpeningRatingFactory,
    PlayerFactory,
    RatedEventFactory,
    UserFactory,
    pool,
)
from tests.html import Page

pytestmark = pytest.mark.django_db

JANUARY, JULY, NEXT = date(2026, 1, 1), date(2026, 7, 1), date(2027, 1, 1)
HEAD = ["Date", "Opponent", "Grade used", "Where from", "Result", "Points"]


def noon(day):
    return datetime.datetime(day.year, day.month, day.day, 12, tzinfo=datetime.UTC)


class Books:
    """Games of one event, and the lists made of them."""

    def __init__(self, name="standard"):
        self.name = name
        self.event = RatedEventFactory(pool=pool(name))
        self.count = 0

    def play(self, white, black, halves, day, *, times=1, key=None):
        for _ in range(times):
            self.count += 1
            self.post(key or f"{self.event.pk}:{self.count}", white, black, halves, day)

    def post(self, key, white, black, halves, day):
        self._post([key], [Played(key, day, 0, 0, self.count, white.pk, black.pk, halves, True)])

    def remove(self, key):
        self._post([key], [])

    def _post(self, keys, games):
        with transaction.atomic():
            locked = ledger.lock_pool(self.name)
            live.update(pool=locked, touched=ledger.post(event=self.event, keys=keys, games=games))

    def publish(self, *cutoffs):
        for cutoff in cutoffs:
            made = lists.publish(
                pool=self.name,
                cutoff=cutoff,
                at=noon(cutoff),
                by=None,
                outstanding=lambda pool, cutoff: 0,
            )
        return made

    def revise(self, cutoff, reason="board 3 was entered wrong"):
        return revisions.revise(
            pool=self.name, cutoff=cutoff, at=noon(JULY), by=None, reason=reason
        )


@pytest.fixture
def books(db):
    return Books()


def graded(grade, surname="Graded", name="standard"):
    """A player with this opening grade of 1 July 2025."""
    player = PlayerFactory(surname=surname)
    OpeningRatingFactory(
        player=player,
        pool=pool(name),
        system="grade",
        value=grade,
        dated_on=date(2025, 7, 1),
        source="set by the officer",
    )
    return player


def rated(tenths, surname="Rated", **fields):
    """A player with this rating from outside."""
    player = PlayerFactory(surname=surname)
    OpeningRatingFactory(player=player, value=tenths, source="a list", **fields)
    return player


def why(player, cutoff, **query):
    return reverse("grade_why", args=[player.pk, cutoff], query=query)


def look(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return Page(response)


def queries(client, address):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


# --- A grade -----------------------------------------------------------------------------


@pytest.fixture
def small(books):
    """Two games of a 150 in November: he beats a 140 and draws with a 200."""
    hero, near, far = graded(150, "Hero"), graded(140, "Near"), graded(200, "Far")
    books.play(hero, near, 2, date(2025, 11, 4), key="won")
    books.play(far, hero, 1, date(2025, 11, 11), key="drawn")
    books.publish(JANUARY)
    return hero


def test_every_number_of_a_first_grade(client, small):
    """190 for the win, 190 for the draw with a 200 that counts as 190, 28 times the opening."""
    page = look(client, why(small, JANUARY))
    assert page.headings[0] == "Why is my grade 153?"
    assert page.tables[0] == [
        ["2 games, 1 January 2025 to 31 December 2025", "380"],
        ["28 × your opening grade, 150 set by the officer, 1 July 2025", "4,200"],
        ["Points", "4,580"],
        ["Divided by 30", "152.67"],
        ["To the nearest whole, halves up", "153"],
    ]
    assert page.tables[1] == [
        HEAD,
        ["July to December 2025, your opening grade 150", "", "", "380"],
        [
            "11 Nov 2025",
            "Robin Far 11 Nov · opening grade; counts as 190, 40 above 150",
            "200 counts as 190",
            "opening grade; counts as 190, 40 above 150",
            "Drew",
            "190",
        ],
        [
            *("4 Nov 2025", "Robin Near 4 Nov · opening grade", "140", "opening grade"),
            *("Won", "190"),
        ],
    ]
    for words in (
        "Your grade is the mean of 30 game points.",
        "You played 2 graded games in the 12 months before 1 January 2026,"
        " so your opening grade makes up the 30.",
        "No category",
        "25 more points in the sum give 154; 6 fewer give 152.",
        "One draw made a win is worth 50, and the grade would be 154.",
    ):
        assert words in page.text


def test_the_reckoning_as_json(client, small):
    answer = client.get(reverse("grade_why", args=[small.pk, JANUARY, "json"])).json()
    games = answer.pop("games")
    assert answer == {
        "name": "Hero, Robin",
        "code": None,
        "url": small.get_absolute_url(),
        "pool": "standard",
        "cutoff": "2026-01-01",
        "revision": 0,
        "state": "published",
        "rules": "BRIEF",
        "grade": 153,
        "category": None,
        "unanchored": False,
        "lines": [
            {
                "part": "counted",
                "games": 2,
                "from": "2025-01-01",
                "to": "2025-12-31",
                "each": None,
                "points": 380,
                "exact": "380",
            },
            {
                "part": "opening",
                "games": 28,
                "from": None,
                "to": None,
                "each": 150,
                "points": 4200,
                "exact": "4200",
            },
        ],
        "points": 4580,
        "exact": "4580",
        "divided_by": 30,
        "recent": 2,
        "real": 2,
        "numerator": 4580,
        "divisor": 30,
        "mean": "152.67",
        "true_grade": 153,
    }
    assert [
        (game["date"], game["opponent"], game["grade"], game["counts_as"], game["points"])
        for game in games
    ] == [("2025-11-11", "Far, Robin", 200, 190, 190), ("2025-11-04", "Near, Robin", 140, 140, 190)]
    assert {(game["source"], game["own_grade"], game["part"]) for game in games} == {
        ("opening", 150, "counted")
    }
    csv = client.get(reverse("grade_why", args=[small.pk, JANUARY, "csv"])).content.decode()
    assert csv.splitlines()[1].startswith('2025-11-11,2025-07-01,counted,"Far, Robin",')


def test_the_next_list_uses_the_published_grades(client, books, small):
    """In July his own 153 and the 153 of a newcomer's other rate; older games stay as they were."""
    other = graded(120, "Rapid", name="rapid")
    rival = graded(150, "Rival")
    books.play(small, other, 0, date(2026, 2, 3))
    books.play(rival, small, 1, date(2026, 3, 3), times=7)
    books.publish(JULY)
    page = look(client, why(small, JULY))
    assert page.tables[0][:2] == [
        ["10 games, 1 July 2025 to 30 June 2026", "1,500"],  # 7 x 150, 120 - 50, 380
        ["20 × your opening grade, 150 set by the officer, 1 July 2025", "3,000"],
    ]
    heads = [row[0] for row in page.tables[1] if len(row) == 4]
    assert heads == [
        "January to June 2026, your grade then 153",
        "July to December 2025, your opening grade 150",
    ]
    assert page.tables[1][9] == [
        *("3 Feb 2026", "Robin Rapid 3 Feb · rapid grade", "120", "rapid grade", "Lost", "70"),
    ]
    assert "Category E" in page.headings
    assert "9 or more games in 36 months (you have 10) and 1 or more in the last 12" in page.text
    assert "5 more games would make 15 in 36 months, 15 of them in the last 12" in page.text
    assert ("1 January 2026: 153", f"{why(small, JANUARY)}?pool=standard") in page.links


def test_a_newcomer_has_a_starting_grade_and_may_lack_a_grade(client, books):
    """Ten losses to players of 150: starting grade 100, each loss counts as 140 - 50 = 90."""
    newcomer = PlayerFactory(surname="Newcomer")
    for number in range(10):
        books.play(newcomer, graded(150, f"Rival{number}"), 0, date(2025, 10, 1))
    books.publish(JANUARY)
    page = look(client, why(newcomer, JANUARY))
    assert page.headings[0] == "Why is my grade 90?"
    assert page.tables[1][1] == [
        *("July to December 2025, your starting grade 100", "", "", "900"),
    ]
    assert page.tables[1][2][2:] == [
        *("150 counts as 140", "opening grade; counts as 140, 40 above 100", "Lost", "90"),
    ]
    assert "these are all there are" in page.text
    rival = look(client, why(books.event.games.first().black, JANUARY))
    assert "starting grade from the games; counts as 110, 40 below 150" in rival.text


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("BRIEF", ["20 games brought in", "the newest of the two years before, to reach 30"]),
        ("ECF_2012", ["20 games brought in", "the newest of the two years before, to reach 30"]),
        ("ECF_2015", ["20 × the average of July to December 2025", "4,500 points in 30 games"]),
    ],
)
def test_older_games_by_each_set_of_rules(client, books, rules, line):
    RatingPool.objects.filter(pk="standard").update(grade_rules=rules)
    one, other = graded(150, "One"), graded(150, "Other")
    books.play(one, other, 1, date(2025, 11, 4), times=30)
    books.publish(JANUARY, JULY)
    books.play(one, other, 1, date(2026, 10, 4), times=10)
    books.publish(NEXT)
    page = look(client, why(one, NEXT))
    assert page.tables[0][1] == [" ".join(line), "3,000"]
    assert page.tables[0][-1] == ["To the nearest whole, halves up", "150"]
    assert [row[-1] for row in page.tables[1] if len(row) == 4] == ["1,500", "3,000"]
    if rules != "ECF_2015":
        assert "10 older games of the 36 months did not count" in page.text
        assert len(page.tables[2]) == 12


def test_an_average_that_is_no_whole_number_is_written_as_a_fraction(client, books):
    RatingPool.objects.filter(pk="standard").update(grade_rules="ECF_2015")
    one, other = graded(150, "One"), graded(150, "Other")
    books.play(one, other, 1, date(2025, 11, 4), times=16)
    books.play(one, other, 2, date(2025, 11, 5))
    books.publish(JANUARY, JULY)
    books.play(one, other, 1, date(2026, 10, 4), times=25)
    books.publish(NEXT)
    page = look(client, why(one, NEXT))
    assert page.tables[0] == [
        ["25 games, 1 January 2026 to 31 December 2026", "3,700"],
        ["5 × the average of July to December 2025 2,600 points in 17 games", "764 12⁄17"],
        ["Points", "4,464 12⁄17"],
        ["Divided by 30", "148.82"],
        ["To the nearest whole, halves up", "149"],
    ]
    heads = [row for row in page.tables[1] if len(row) == 4]
    assert heads[1][0] == (
        "At its average: July to December 2025, your opening grade 150;"
        " 5 of 17 games that gave 2,600"
    )
    assert heads[1][-1] == "764 12⁄17"


def test_a_negative_grade_is_shown_as_nought(client, books):
    weak, rival = graded(0, "Weak"), graded(20, "Rival")
    books.play(weak, rival, 0, date(2025, 10, 1), times=30)
    books.publish(JANUARY)
    page = look(client, why(weak, JANUARY))
    assert page.headings[0] == "Why is my grade 0?"
    assert page.tables[0][2:] == [
        ["Divided by 30", "−30.00"],
        ["To the nearest whole, halves up", "−30"],
        ["A negative grade is published as", "0"],
    ]
    assert "It comes to −30: a grade below nought is published as 0" in page.text
    assert "915 more points in the sum give 1." in page.text
    books.play(weak, rival, 1, date(2026, 3, 1))
    books.publish(JULY)
    assert "your grade then −30" in look(client, why(weak, JULY)).text


def test_without_enough_games_only_those_concerned_see_the_mean(client, books):
    few, rival = PlayerFactory(surname="Few"), graded(150, "Rival")
    books.play(few, rival, 1, date(2025, 10, 1), times=7)
    books.publish(JANUARY)
    address, twin = why(few, JANUARY), reverse("grade_why", args=[few.pk, JANUARY, "json"])
    public = look(client, address)
    assert public.headings[0] == "Why have I no grade?"
    assert "from 9 games in 36 months on; you have 7, so 2 more would do" in public.text
    assert public.tables[0] == [
        ["7 games, 1 January 2025 to 31 December 2025", ""],
        ["Published", "none"],
    ]
    assert "the player and the grading officer see it" in public.text
    # Seven draws with a 150 are 150 each; their sum, the mean and his starting grade are his own.
    assert public.tables[1][1] == ["July to December 2025", "", "", ""]
    assert public.tables[1][2][2:] == ["150", "opening grade", "Drew", "150"]
    answer = client.get(twin).json()
    games = answer.pop("games")
    assert answer == {
        "name": "Few, Robin",
        "code": None,
        "url": few.get_absolute_url(),
        "pool": "standard",
        "cutoff": "2026-01-01",
        "revision": 0,
        "state": "published",
        "rules": "BRIEF",
        "grade": None,
        "category": None,
        "unanchored": False,
        "lines": [
            {
                "part": "counted",
                "games": 7,
                "from": "2025-01-01",
                "to": "2025-12-31",
                "each": None,
            }
        ],
        "recent": 7,
        "real": 7,
    }
    own = [(game["own_grade"], game["counts_as"], game["points"]) for game in games]
    assert own == [(None, None, 150)] * 7
    for account in (UserFactory(is_grading_officer=True), UserFactory(player=few)):
        client.force_login(account)
        assert look(client, address).tables[0][2:4] == [
            ["Divided by 7", "150.00"],
            ["To the nearest whole, halves up", "150"],
        ]
        assert client.get(twin).json()["mean"] == "150.00"
        assert client.get(twin).json()["games"][0]["own_grade"] == 150
    client.force_login(UserFactory())
    assert look(client, address).tables[0] == public.tables[0]


def test_below_the_minimum_no_game_tells_the_starting_grade(client, books):
    """Two losses to a 150: he starts with 100, and each counts as 140; nobody else is told."""
    few = PlayerFactory(surname="Few")
    books.play(few, graded(150, "Rival"), 0, date(2025, 10, 1), times=2)
    books.publish(JANUARY)
    twin = reverse("grade_why", args=[few.pk, JANUARY, "csv"])
    public = look(client, why(few, JANUARY))
    assert public.tables[1][2][2:] == ["150", "opening grade", "Lost", "90"]
    assert "100" not in public.text
    assert client.get(twin).content.decode().splitlines()[1].split(",")[7:11] == [
        *("opening", "", "", ""),
    ]
    client.force_login(UserFactory(player=few))
    own = look(client, why(few, JANUARY))
    assert own.tables[1][1][0] == "July to December 2025, your starting grade 100"
    assert own.tables[1][2][2] == "150 counts as 140"


def test_an_old_grade_without_a_game_in_the_year_runs_out(client, books):
    one, other = graded(150, "One"), graded(150, "Other")
    books.play(one, other, 1, date(2025, 10, 1), times=9)
    books.publish(JANUARY, JULY, NEXT)
    page = look(client, why(one, NEXT))
    assert page.headings[0] == "Why have I no grade?"
    assert "you have played none since 1 January 2026" in page.text
    assert "One graded game in the last 12 months." in page.text


def test_a_group_without_an_anchor_is_told_so(client, books):
    one, other = PlayerFactory(surname="One"), PlayerFactory(surname="Other")
    books.play(one, other, 2, date(2025, 10, 1))
    books.publish(JANUARY)
    page = look(client, why(one, JANUARY))
    assert page.headings == ["Why have I no grade?", "Games that are not in this list"]
    assert "One game against a graded player is enough to start" in page.text
    assert (
        "1 Oct 2025, Robin Other : Won. Not graded: no tie to a player with a grade." in page.text
    )
    answer = client.get(reverse("grade_why", args=[one.pk, JANUARY, "json"])).json()
    assert (answer["grade"], answer["unanchored"], answer["games"]) == (None, True, [])


def test_a_player_who_did_not_play_is_told_so(client, books, small):
    idle = PlayerFactory(surname="Idle")
    page = look(client, why(idle, JANUARY))
    assert page.headings == ["Why have I no grade?"]
    assert "You have no graded game from 1 January 2023 until 1 January 2026" in page.text


# --- Lists as documents ------------------------------------------------------------------


def test_a_provisional_list_says_so(client, books):
    one, other = graded(150, "One"), graded(150, "Other")
    books.play(one, other, 1, date(2025, 10, 1), times=9)
    lists.publish_due(at=noon(JANUARY), outstanding=lambda pool, cutoff: 4)
    page = look(client, why(one, JANUARY))
    assert (
        "Provisional. This list is worked out again as late cards arrive and comes out on"
        " 15 January 2026. 4 cards are still to come." in page.text
    )
    assert page.headings[0] == "Why is my grade 150?"


def test_a_removed_and_a_corrected_game_count_as_the_list_had_them(client, books, small):
    books.remove("won")
    books.post("drawn", *_far_and(small), 0, date(2025, 11, 11))
    page = look(client, why(small, JANUARY))
    assert page.tables[0][0][1] == "380"
    assert page.tables[1][1] == [
        *("July to December 2025, your grade used then 150", "", "", "380"),
    ]
    corrected, removed = page.tables[1][2:4]
    assert corrected == [
        "11 Nov 2025",
        "Robin Far corrected since this list · as it is now",
        *("200 counts as 190", "corrected since this list · as it is now", "Drew", "190"),
    ]
    assert removed == [
        *("4 Nov 2025", "Robin Near removed since this list · as it is now", "140"),
        *("removed since this list · as it is now", "Won", "190"),
    ]
    assert ("as it is now", f"{reverse('elo_why', args=[small.pk])}?pool=standard") in page.links
    assert "A list is a document" in page.text


def _far_and(hero):
    """White and black of the drawn game."""
    far = hero.games_with_black.select_related("white").get().white
    return far, hero


def test_original_and_revision_are_both_there(client, books, small):
    far, hero = _far_and(small)
    books.post("drawn", far, hero, 0, date(2025, 11, 11))
    books.revise(JANUARY)
    revised, original = (
        look(client, why(small, JANUARY)),
        look(client, why(small, JANUARY, revision=0)),
    )
    assert (revised.headings[0], original.headings[0]) == (
        "Why is my grade 154?",
        "Why is my grade 153?",
    )
    assert revised.tables[0][0][1] == "430"
    assert "Revision 1 of 1 July 2026. Reason: board 3 was entered wrong." in revised.text
    address = reverse("grade_why", args=[small.pk, JANUARY])
    assert (
        "On the list as it first came out the grade was 153.",
        f"{address}?pool=standard&revision=0",
    ) in revised.links
    assert original.tables[0][0][1] == "380"
    assert (
        "This is the list as it came out on 1 January 2026."
        " It was revised on 1 July 2026: board 3 was entered wrong." in original.text
    )
    assert ("The revised grade is 154.", f"{address}?pool=standard") in original.links
    assert original.tables[1][2][3] == ("corrected since this list, now 240 points · revised list")
    assert (
        client.get(
            reverse("grade_why", args=[small.pk, JANUARY, "json"], query={"revision": 0})
        ).json()["grade"]
        == 153
    )


def test_a_revision_that_only_moves_grades_leaves_the_original_as_it_was(client, books):
    """Rival's November win is turned round: from 200 to 197 in January, and Hero's July follows."""
    hero, rival, third = graded(150, "Hero"), graded(150, "Rival"), graded(150, "Third")
    books.play(rival, third, 2, date(2025, 11, 4), key="november")
    books.play(rival, third, 2, date(2025, 11, 5), times=29)
    books.play(hero, third, 1, date(2025, 12, 4), times=4)
    books.play(hero, rival, 1, date(2026, 2, 3), times=5)
    books.play(hero, rival, 1, date(2026, 2, 4))
    books.publish(JANUARY, JULY)
    before = look(client, why(hero, JULY))
    books.post("november", rival, third, 0, date(2025, 11, 4))
    books.revise(JANUARY)
    original, revised = look(client, why(hero, JULY, revision=0)), look(client, why(hero, JULY))
    heads = ["January to June 2026", "July to December 2025"]
    for page, grade, points in (
        (before, "200 counts as 190", "190"),
        (original, "200 counts as 190", "190"),
        (revised, "197 counts as 190", "190"),
    ):
        rows = page.tables[1][1:]
        groups = [row for row in rows if len(row) == 4]
        assert [row[0].split(",")[0] for row in groups] == heads
        games = [row for row in rows if len(row) == 6]
        assert [(row[2], row[4], row[5]) for row in games[:6]] == [(grade, "Drew", points)] * 6
        assert [row[0] for row in games[:6]] == ["4 Feb 2026"] + ["3 Feb 2026"] * 5
        assert sum(int(row[-1].replace(",", "")) for row in groups) == sum(
            int(row[-1]) for row in games
        )
        assert "corrected since" not in page.text
        assert "removed since" not in page.text
    assert original.tables[0] == before.tables[0]
    assert [row[3] for row in original.tables[1] if len(row) == 6][1:2] == [
        "as used for this list; counts as 190, 40 above 150"
    ]


def test_lists_of_before_their_games_were_kept_go_by_the_ledger(client, books, small):
    whole = look(client, why(small, JANUARY)).tables
    kept = ("game_days", "game_opponents", "game_halves", "game_own_grades", "game_grades")
    Grade.objects.update(**dict.fromkeys(kept, []))
    assert look(client, why(small, JANUARY)).tables == whole
    assert books.revise(JANUARY) == []
    books.remove("won")
    page = look(client, why(small, JANUARY))
    assert page.tables[1][3] == [
        *("–", "Removed game removed since this list · as it is now", "–"),
        *("removed since this list · as it is now", "–", "190"),
    ]


def test_a_game_that_comes_in_late_is_named(client, books, small):
    far, hero = _far_and(small)
    books.play(hero, far, 2, date(2025, 12, 20))
    page = look(client, why(small, JANUARY))
    assert page.tables[0][0][1] == "380"
    assert "20 Dec 2025, Robin Far : Won. Came in after this list was made." in page.text


def test_the_newest_list_with_a_grade(client, books, small):
    address = reverse("grade_why_newest", args=[small.pk])

    def sent_to():
        return client.get(address)["Location"]

    assert sent_to() == f"{reverse('grade_why', args=[small.pk, JANUARY])}?pool=standard"
    books.publish(JULY, NEXT)
    assert sent_to() == f"{reverse('grade_why', args=[small.pk, JULY])}?pool=standard"


def test_before_the_first_list(client, db):
    page = look(client, reverse("grade_why_newest", args=[PlayerFactory().pk]))
    assert page.headings == ["Why have I no grade?", "No list yet"]


# --- Who and what ------------------------------------------------------------------------


def test_a_junior_without_consent_stays_nameless(client, books, small):
    far, hero = _far_and(small)
    young = date.today().replace(year=date.today().year - 12, day=1)
    far.birth_date, far.surname = young, "Youngster"
    far.save()
    for address in (
        why(hero, JANUARY),
        reverse("grade_why", args=[hero.pk, JANUARY, "json"]),
        reverse("elo_why", args=[hero.pk]),
        reverse("elo_why", args=[hero.pk, "csv"]),
        why(far, JANUARY),
        reverse("elo_why", args=[far.pk]),
        reverse("elo_why", args=[far.pk, "json"]),
    ):
        shown = client.get(address).content.decode()
        assert "Youngster" not in shown
        assert str(HIDDEN_NAME) in shown
    client.force_login(UserFactory())
    assert "Youngster" in client.get(why(hero, JANUARY)).content.decode()


def test_what_is_not_there_is_a_404(client, books, small):
    known = reverse("grade_why", args=[small.pk, JANUARY])
    base = f"/players/{small.pk}"
    for address in (
        "/players/999999/grade/2026-01-01/",
        f"/players/{10**30}/grade/2026-01-01/",
        f"/players/{10**30}/elo/",
        "/players/999999/elo/",
        "/players/999999/grade/",
        f"{base}/grade/2026-07-01/",
        f"{base}/grade/2026-02-30/",
        f"{base}/grade/2026-01-02/",
        f"{base}/grade/0000-01-01/",
        f"{base}/grade/?pool=blitz",
        f"{base}/elo/?pool=chess960",
        f"{known}?pool=rapid",
        f"{known}?pool=blitz",
        f"{known}?revision=1",
        f"{known}?revision=-1",
        f"{known}?revision=x",
        f"{known}?revision={'9' * 40}",
        f"{known}?pool=%00",
    ):
        assert (address, client.get(address).status_code) == (address, 404)
    assert client.get(f"{known}?pool=&revision=").status_code == 200
    for address in (known, f"{base}/elo/", f"{base}/grade/"):
        assert (address, client.post(address).status_code) == (address, 405)


def test_more_games_ask_no_more_of_the_database(client, books, small):
    address, elo = why(small, JULY), reverse("elo_why", args=[small.pk])
    rivals = [graded(140 + number, f"Rival{number}") for number in range(12)]
    books.play(small, rivals[0], 1, date(2026, 2, 1), times=9)
    books.publish(JULY)
    books.play(small, rivals[0], 1, date(2026, 2, 8))
    few = queries(client, address), queries(client, elo)
    for rival in rivals:
        books.play(rival, small, 1, date(2026, 3, 1))
    books.revise(JULY)
    for rival in rivals:
        books.play(rival, small, 1, date(2026, 4, 1))
    assert (queries(client, address), queries(client, elo)) == few


# --- An Elo ------------------------------------------------------------------------------


def test_every_number_of_an_elo(client, books):
    """1500 beats 1700 with K 40: 40 x (1 - 0.2403) = 30.388; then K 20 for the established."""
    hero, far = PlayerFactory(surname="Hero"), rated(17000, "Far")
    books.play(hero, far, 2, date(2026, 10, 6))
    books.play(far, hero, 1, date(2026, 10, 13))
    page = look(client, reverse("elo_why", args=[hero.pk]))
    assert page.headings[0] == "Why is my Elo 1539?"
    assert page.tables[0] == [
        ["Opening rating nothing was known from outside: everybody opens so", "1500.0"],
        ["2 games", "+38.8"],
        ["Rating", "1538.8"],
        ["To the nearest whole, halves up", "1539?"],
    ]
    assert page.tables[1] == [
        [
            *("Date", "Opponent", "Theirs", "Mine", "Expected", "Result", "K"),
            *("K × (score − expected)", "Change", "Elo after"),
        ],
        [
            "13 Oct 2026",
            "Robin Far 13 Oct 2026 · Drew 1530 v 1685 · 1 game before it 40 × (½ − 0.2906) = 8.376",
            *("1685", "1530", "0.2906", "Drew", "40: 1 game before it"),
            *("40 × (½ − 0.2906) = 8.376", "+8.4", "1539"),
        ],
        [
            "6 Oct 2026",
            "Robin Far 6 Oct 2026 · Won 1500 v 1700 · 0 games before it 40 × (1 − 0.2403) = 30.388",
            *("1700", "1500", "0.2403", "Won", "40: 0 games before it"),
            *("40 × (1 − 0.2403) = 30.388", "+30.4", "1530"),
        ],
    ]
    other = look(client, reverse("elo_why", args=[far.pk]))
    assert other.tables[0][0][0] == (
        "Opening rating brought from elsewhere; counts as 30 games; a list, 1 July 2026"
    )
    assert [row[6:] for row in other.tables[1][1:]] == [
        ["20: established opening", "20 × (½ − 0.7094) = −4.188", "−4.2", "1681"],
        ["20: established opening", "20 × (0 − 0.7597) = −15.194", "−15.2", "1685"],
    ]


def test_each_reason_of_a_k(client, books):
    rival = rated(24000, "Master")
    junior = PlayerFactory(surname="Junior", birth_date=date(2009, 5, 1), name_consent=True)
    grown = graded(120, "Grown")
    books.play(rival, junior, 2, date(2026, 10, 1), times=31)
    books.play(grown, rival, 0, date(2026, 10, 2), times=31)

    def reasons(player):
        rows = client.get(reverse("elo_why", args=[player.pk, "json"])).json()["games"]
        return [(row["k"], row["k_reason"]) for row in (rows[0], rows[-1])]

    assert reasons(rival) == [(10, "high")] * 2
    assert reasons(junior) == [(40, "junior")] * 2
    assert reasons(grown) == [(20, "games"), (40, "new")]
    page = look(client, reverse("elo_why", args=[grown.pk]))
    assert page.tables[0][0] == [
        "Opening rating 7.5 × the standard opening grade 120, plus 700;"
        " set by the officer, 1 July 2025",
        "1600.0",
    ]


def test_an_elo_opens_from_another_pool_and_ends_at_the_floor(client, db):
    RatingPool.objects.filter(pk="rapid").update(floor=6000)
    weak, rival = graded(-13, "Weak"), graded(0, "Rival")
    books = Books("rapid")
    books.play(weak, rival, 0, date(2026, 10, 1))
    page = look(client, reverse("elo_why", args=[weak.pk], query={"pool": "rapid"}))
    assert page.headings[0] == "Why is my rapid Elo 600?"
    assert "7.5 × the standard opening grade −13, plus 700" in page.text
    assert page.tables[1][1][-3:] == [
        *("40 × (0 − 0.3639) = −14.556 · held by the floor", "−2.5", "600"),
    ]


def test_fifty_games_a_page(client, books):
    one, other = rated(15000, "One"), rated(15000, "Other")
    books.play(one, other, 1, date(2026, 10, 1), times=51)
    address = reverse("elo_why", args=[one.pk])
    assert len(look(client, address).tables[1]) == 51
    assert len(look(client, f"{address}?page=2").tables[1]) == 2
    assert len(look(client, f"{address}?page=99").tables[1]) == 2
    answer = client.get(reverse("elo_why", args=[one.pk, "json"])).json()
    assert len(answer["games"]) == 51
    assert (answer["opening"]["rating"], answer["changes"], answer["rating"]) == (1500, 0, 1500)


def test_an_elo_below_nought_has_a_minus_sign(client, books):
    """An opening grade of −100 is a rating of −50; a draw with a 1000 is half of K 40 more."""
    weak = graded(-100, "Weak")
    books.play(weak, graded(40, "Rival"), 1, date(2025, 10, 1))
    page = look(client, reverse("elo_why", args=[weak.pk]))
    assert page.headings[0] == "Why is my Elo −30?"
    assert page.tables[0][-1] == ["To the nearest whole, halves up", "−30?"]
    assert page.tables[1][1][3] == "−50"
    assert "-50" not in page.text and "-30" not in page.text
    query = {"next-player": "weak", "next-opponent": "rival", "next-pool": "standard"}
    told = look(client, reverse("ratings_how", query={**query, "next-result": "draw"}))
    assert "−30" in told.text and "-30" not in told.text


def test_without_a_game_there_is_no_elo_to_explain(client, db):
    player = PlayerFactory()
    page = look(client, reverse("elo_why", args=[player.pk], query={"pool": "blitz"}))
    assert page.headings == ["Why have I no Elo?", "No rated game yet"]
    answer = client.get(reverse("elo_why", args=[player.pk, "json"])).json()
    assert (answer["elo"], answer["games"]) == (None, [])
