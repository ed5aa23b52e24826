"""Three players of a real season: the page that explains each grade, number by number."""

from datetime import date

import pytest
from django.urls import reverse
from django.utils.formats import date_format

from clubs.models import Player
from ratings import revisions
from tests.factories import UserFactory
from tests.games.armstrong_scene import (
    BY_HAND,
    JANUARY,
    JULY,
    at,
    correct_a_november_result,
    publish,
)
from tests.html import Page

pytestmark = pytest.mark.django_db

WORDS = {2: "Won", 1: "Drew", 0: "Lost"}
HALVES = {JANUARY: "July to December 2010", JULY: "January to June 2011"}
YEARS = {
    JANUARY: "1 January 2010 to 31 December 2010",
    JULY: "1 July 2010 to 30 June 2011",
}


def player_of(name):
    surname, forenames = name.split(", ")
    return Player.objects.get(surname=surname, forenames=forenames)


def expected_sum(account, games, cutoff):
    """The lines of the sum as the page writes them."""
    count, grade = account["opening"]
    points = sum(game[-1] for game in games)
    lines = [(f"{len(games)} games, {YEARS[cutoff]}", points)]
    if count:
        lines.append((f"{count} × your opening grade, {grade}", count * grade))
    lines.append(("Points", points + count * (grade or 0)))
    return [(label, f"{number:,}") for label, number in lines]


def expected_rows(account, cutoff):
    """The games of the half-year that a list closes, the newest first."""
    own = account["own"]
    for day, opponent, halves, grade, source, counted, points in reversed(account["games"]):
        surname, forenames = opponent.split(", ")
        from_list = f"1 {cutoff:%b} {cutoff.year} list" if source == "list" else "opening grade"
        if counted != grade:
            side = "above" if counted > own else "below"
            from_list += f"; counts as {counted}, 40 {side} {own}"
        shown = str(grade) if counted == grade else f"{grade} counts as {counted}"
        yield [
            date_format(day, "j M Y"),
            f"{forenames} {surname}",
            shown,
            from_list,
            WORDS[halves],
            str(points),
        ]


def without_phone(rows):
    """The rows of a page without the second line that a phone shows under the name."""
    return [
        [day, name.split(" list")[0].split(" opening")[0].rsplit(" ", 3)[0], *rest]
        for day, name, *rest in rows
    ]


@pytest.mark.parametrize("name", BY_HAND)
def test_the_page_says_what_the_hand_worked_out(client, season, name):
    """To the grading officer, who sees also what is below the minimum."""
    client.force_login(UserFactory(is_grading_officer=True))
    player = player_of(name)
    for cutoff in (JANUARY, JULY):
        publish(cutoff)
        account = BY_HAND[name][cutoff]
        cutoffs = [day for day in (JULY, JANUARY) if day <= cutoff]
        games = [game for day in cutoffs for game in BY_HAND[name][day]["games"]]
        page = Page(client.get(reverse("grade_why", args=[player.pk, cutoff])))
        published = account["published"]
        assert page.headings[0] == (
            "Why have I no grade?" if published is None else f"Why is my grade {published}?"
        )
        total = [
            (label.split(" armstrong")[0].split(" from a rating")[0], number)
            for label, number in page.tables[0]
        ]
        expected = expected_sum(account, games, cutoff)
        assert total[: len(expected)] == expected
        if published is not None:
            numerator, divisor = account["sum"]
            assert total[len(expected) :] == [
                (f"Divided by {divisor}", f"{numerator / divisor:.2f}"),
                ("To the nearest whole, halves up", str(published)),
            ]
        rows = iter(page.tables[1][1:])
        for day in cutoffs:
            half = BY_HAND[name][day]
            head = next(rows)
            assert head[0].startswith(f"{HALVES[day]}, your ") and head[0].endswith(
                f" {half['own']}"
            )
            assert head[-1] == f"{sum(game[-1] for game in half['games']):,}"
            found = without_phone([next(rows) for _ in half["games"]])
            assert found == list(expected_rows(half, date(2011, 1, 1)))
        assert next(rows, None) is None


def test_the_corrected_game_on_original_and_revision(client, season):
    """Kiely's half point against Orla Farrell counts on the list as it came out: 163, then 213."""
    publish(JANUARY)
    player = player_of("Kiely, Cormac")
    officer = UserFactory(is_grading_officer=True)
    correct_a_november_result(officer)
    address = reverse("grade_why", args=[player.pk, JANUARY])
    waiting = Page(client.get(address))
    revisions.revise(
        pool="standard", cutoff=JANUARY, at=at(date(2011, 8, 1)), by=officer, reason="a slip"
    )
    revised, original = Page(client.get(address)), Page(client.get(f"{address}?revision=0"))
    assert [page.headings[0] for page in (waiting, original, revised)] == [
        *("Why is my grade 158?", "Why is my grade 158?", "Why is my grade 160?"),
    ]
    for page, points, words in (
        (waiting, "163", "corrected since this list · as it is now"),
        (original, "163", "corrected since this list, now 213 points · revised list"),
        (revised, "213", "opening grade"),
    ):
        (row,) = [row for row in page.tables[1] if row[0] == "17 Nov 2010"]
        assert (row[3], row[-1]) == (words, points)
    assert [page.tables[0][0][1] for page in (waiting, original, revised)] == ["832", "832", "882"]
