"""The grading officer publishes a list he has seen, and revises one with a reason."""

from datetime import timedelta

import pytest
from django.utils import timezone

from ratings import ecf, revisions
from ratings.models import GradeList
from tests.factories import MatchFactory
from tests.games.grading_scene import (
    OFFICE,
    address,
    make_books,
    newest_cutoff,
    publish_by_hand,
    said,
    signed_in,
)
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(client):
    return signed_in(client)


@pytest.fixture
def last():
    return newest_cutoff()


@pytest.fixture
def books(db, last):
    return make_books(last)


# --- Publishing --------------------------------------------------------------------------


def test_a_preview_and_the_list(client, books, last):
    page = Page(client.get(address("publish", last)))
    assert page.headings == [f"Publish the standard list of {last.day} {last:%B %Y}?"]
    assert "Grades 2 2 are new Changed 0 this is the first list Below the minimum 1" in page.text
    assert "Without a tie to a grade 2" in page.text
    assert not GradeList.objects.exists()

    response = client.post(address("publish", last))
    assert response["Location"] == OFFICE
    assert said(response) == [
        (
            "success",
            f"The standard list of {last.day} {last:%B %Y} is published, with 2 grades.",
        )
    ]
    made = GradeList.objects.get()
    assert (made.state, made.published_by) == ("published", client.officer)


def test_the_biggest_changes_stand_on_the_preview(client, books, last):
    before = ecf.cutoffs_back(last, 1)
    books.play(books.one, books.other, 0, before - timedelta(days=1), times=9)
    publish_by_hand(before)
    page = Page(client.get(address("publish", last)))
    rows = page.tables[0][1:]
    assert {row[0] for row in rows} == {"Lovell, Anna", "Tso, Anna"}
    assert all(row[3][0] in "+−" for row in rows)


def test_a_second_click_is_told_and_changes_nothing(client, books, last):
    client.post(address("publish", last))
    once = list(GradeList.objects.values())
    for response in (client.post(address("publish", last)), client.get(address("publish", last))):
        assert response["Location"] == OFFICE
    assert list(GradeList.objects.values()) == once
    told = f"The standard list of {last.day} {last:%B %Y} is published already."
    assert ("info", told) in said(response)


def test_cards_outstanding_are_said_before_it_is_published(client, books, last):
    MatchFactory(played_on=last - timedelta(days=1))
    page = Page(client.get(address("publish", last)))
    assert "1 card is outstanding. Their games enter the next list" in page.text


@pytest.mark.parametrize(
    ("back", "sentence"),
    [
        (-1, "is worked out on that day, not before."),
        (1, "they begin with that of"),
    ],
)
def test_what_cannot_be_published_is_said(client, books, last, back, sentence):
    cutoff = ecf.cutoffs_back(last, back)
    for method in (client.get, client.post):
        response = method(address("publish", cutoff))
        assert response["Location"] == OFFICE
        ((level, text),) = said(response)[-1:]
        assert (level, sentence in text) == ("error", True)
    assert not GradeList.objects.exists()


def test_nobody_publishes_what_he_has_not_seen(client, books, last):
    page = client.get(address("publish", last))
    seen = page.context["seen"]
    books.play(books.one, books.other, 1, last - timedelta(days=2))
    response = client.post(address("publish", last), {"seen": seen})
    assert response.status_code == 200
    assert "Games came in or changed while you looked" in Page(response).text
    assert not GradeList.objects.exists()
    client.post(address("publish", last), {"seen": response.context["seen"]})
    assert GradeList.objects.get().state == "published"


# --- Revising ----------------------------------------------------------------------------


@pytest.fixture
def corrected(books, last):
    """Two lists published, and since then the result of a game before the first turned round."""
    before = ecf.cutoffs_back(last, 1)
    day = before - timedelta(days=40)
    books.play(books.one, books.other, 2, day, key="wrong")
    books.play(books.one, books.other, 1, day, times=9)
    publish_by_hand(before)
    publish_by_hand(last)
    books.count += 1
    books.post("wrong", books.one, books.other, 0, day)
    return before


def test_a_revision_is_previewed_and_then_published_with_its_reason(client, corrected, last):
    page = Page(client.get(address("revise", corrected)))
    shown = revisions.preview_revision(pool="standard", cutoff=corrected, at=timezone.now())
    assert page.headings[1:3] == [
        f"Standard, {cutoff.day} {cutoff:%B %Y}" for cutoff in (corrected, last)
    ]
    assert [[(row[1], row[2]) for row in table[1:]] for table in page.tables] == [
        [(str(d.before), str(d.after)) for d in each.differences] for each in shown
    ]
    assert GradeList.objects.count() == 2

    response = client.post(address("revise", corrected), {"reason": "Board 3 was entered wrong"})
    assert response["Location"] == OFFICE
    assert said(response) == [
        (
            "success",
            "Revised: "
            + ", ".join(
                f"The standard list of {cutoff.day} {cutoff:%B %Y}" for cutoff in (corrected, last)
            )
            + ".",
        )
    ]
    made = GradeList.objects.filter(revision=1)
    assert {(row.reason, row.published_by) for row in made} == {
        ("Board 3 was entered wrong", client.officer)
    }
    assert "revised" in dict(Page(client.get(OFFICE)).links)


def test_a_revision_needs_a_reason(client, corrected):
    for reason in ("", "   ", "x" * 301):
        response = client.post(address("revise", corrected), {"reason": reason})
        page = Page(response)
        assert "This field is required." in page.text or "at most 300 characters" in page.text
        assert len(page.tables) == 2
    assert GradeList.objects.count() == 2


def test_a_second_click_on_a_revision_changes_nothing(client, corrected):
    reason = {"reason": "Board 3 was entered wrong"}
    client.post(address("revise", corrected), reason)
    response = client.post(address("revise", corrected), reason)
    assert said(response)[-1] == (
        "success",
        "Nothing differs from what was published: no list was revised.",
    )
    assert GradeList.objects.count() == 4


def test_nothing_to_revise(client, books, last):
    publish_by_hand(last)
    page = Page(client.get(address("revise", last)))
    assert page.headings[1:] == ["Nothing to revise"]


def test_a_list_that_never_came_out_is_not_revised(client, books, last):
    for method in (client.get, client.post):
        response = method(address("revise", last), {"reason": "x"})
        assert said(response)[-1] == (
            "error",
            f"The standard list of {last.day} {last:%B %Y} is not published.",
        )
