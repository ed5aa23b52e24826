"""Why a grade is what it is: the numbers of its page, worked out here by hand."""

from datetime import date

import pytest
from django.urls import reverse

from ratings.models import RatingPool
from tests.factories import PlayerFactory
from tests.ratings.grade_scene import JANUARY, JULY
from tests.ratings.list_scene import NEXT
from tests.ratings.why_scene import graded, look, why

pytestmark = pytest.mark.django_db

HEAD = ["Date", "Opponent", "Grade used", "Where from", "Result", "Points"]


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
