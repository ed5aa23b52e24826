"""A list is a document: its grades explained as it had them, whatever came since."""

from datetime import date

import pytest
from django.urls import reverse

from ratings import lists
from ratings.models import Grade
from tests.factories import PlayerFactory
from tests.ratings.grade_scene import JANUARY, JULY, noon
from tests.ratings.list_scene import NEXT
from tests.ratings.why_scene import far_and, graded, look, why

pytestmark = pytest.mark.django_db


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
    books.post("drawn", *far_and(small), 0, date(2025, 11, 11))
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


def test_original_and_revision_are_both_there(client, books, small):
    far, hero = far_and(small)
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
    far, hero = far_and(small)
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
