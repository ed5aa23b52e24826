"""The grading officer's desk in a real browser: whole at every width, worked without a script."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.grading_office.grading import count_outstanding
from ratings import ecf, lists
from ratings.models import GradeList, RatingPool
from tests.browser.looking import faults_at
from tests.factories import MatchFactory, UserFactory
from tests.games.grading_scene import address, make_books, newest_cutoff, publish_by_hand

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def last():
    return newest_cutoff()


@pytest.fixture
def desk(db, last):
    """A published list to revise, a provisional one, a card to come; returns the addresses."""
    books, before = make_books(last), ecf.cutoffs_back(last, 1)
    books.play(books.one, books.other, 2, before - timedelta(days=40), key="wrong")
    publish_by_hand(before)
    books.remove("wrong")
    RatingPool.objects.update(publish_after_days=180)
    books.one.surname = "Wolfeschlegelsteinhausenbergerdorff"
    books.one.save()
    MatchFactory(played_on=last - timedelta(days=1), home__name="Netherby & District Institute A")
    lists.publish_due(at=timezone.now(), outstanding=count_outstanding)
    opening = reverse("office_opening", args=[books.one.pk])
    names = [address(name, last) for name in ("cards", "players", "publish")]
    return [
        "/office/grades/",
        "/office/grades/rapid/rules/",
        *names,
        address("revise", before),
        opening,
    ]


def test_the_desk_is_whole_and_accessible(browse, desk):
    officer = UserFactory(is_grading_officer=True)
    assert browse(lambda page: faults_at(page, desk), user=officer) == {}


def test_a_list_is_published_and_another_revised_by_keyboard(browse, desk, last):
    def press(page, name, role="link"):
        page.get_by_role(role, name=name).first.focus()
        page.keyboard.press("Enter")
        page.wait_for_load_state()

    def scenario(page):
        page.goto("/")
        press(page, "Office")
        press(page, "Grade lists")
        press(page, "Publish now", role="button")
        press(page, "Publish", role="button")
        published = page.get_by_role("status").inner_text()
        press(page, f"Revise {ecf.cutoffs_back(last, 1):%-d %B %Y}")
        press(page, "Publish the revision", role="button")  # the browser asks for the reason
        page.get_by_label("Reason").fill("Board 3 was never played")
        page.keyboard.press("Enter")
        page.wait_for_load_state()
        return published, page.get_by_role("status").inner_text()

    officer = UserFactory(is_grading_officer=True)
    published, revised = browse(scenario, user=officer, javascript=False, width=360)
    assert published == f"The standard list of {last:%-d %B %Y} is published, with 2 grades."
    assert revised.startswith("Revised: The standard list of ")
    assert {(row.reason, row.published_by) for row in GradeList.objects.filter(revision=1)} == {
        ("Board 3 was never played", officer)
    }
