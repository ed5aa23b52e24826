"""The grading officer's desk: who may see it, and which lists are due, waiting or out."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.grading_office import grading
from ratings import ecf, lists
from ratings.models import Grade, GradeList, OpeningRating, RatingPool
from tests.factories import MatchFactory, OpeningRatingFactory, PlayerFactory, UserFactory
from tests.games.card_scene import make_scene, queries
from tests.games.grading_scene import (
    OFFICE,
    TODAY,
    address,
    graded,
    make_books,
    newest_cutoff,
    publish_by_hand,
    said,
    signed_in,
    wait_for_ever,
)
from tests.html import Page
from tests.ratings.list_scene import Ledger

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


# --- Who may -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["get", "post"])
def test_others_are_refused_and_the_anonymous_sent_to_the_login(client, books, last, method):
    pages = [
        address("publish", last),
        address("revise", last),
        reverse("office_opening", args=[books.one.pk]),
    ]
    pages += [OFFICE, address("cards", last), address("players", last)] * (method == "get")
    for user in (None, UserFactory(), UserFactory(is_staff=True)):
        client.logout()
        if user:
            client.force_login(user)
        for page in pages:
            response = getattr(client, method)(page)
            if user:
                assert (page, response.status_code) == (page, 403)
            else:
                assert response["Location"] == f"/accounts/login/?next={page}"
    assert not GradeList.objects.exists()
    assert OpeningRating.objects.count() == 2


def test_the_office_in_the_band_leads_a_grading_officer_to_the_lists(client):
    assert ("Office", "/office/") in Page(client.get("/")).links
    assert OFFICE in dict(Page(client.get("/office/")).links).values()
    client.force_login(UserFactory())
    assert OFFICE not in dict(Page(client.get("/office/")).links).values()
    client.logout()
    assert "Office" not in dict(Page(client.get("/")).links)


@pytest.mark.parametrize(
    "page",
    [
        "/office/grades/blitz/2026-07-01/publish/",
        "/office/grades/chess/2026-07-01/revise/",
        "/office/grades/standard/2026-07-02/publish/",
        "/office/grades/standard/2026-13-01/cards/",
        "/office/grades/standard/0001-01-01/cards/",
        "/office/grades/standard/0001-01-01/publish/",
        "/office/grades/rapid/9999-07-01/revise/",
        "/office/grades/standard/2026-07-01/players/",
        "/office/grades/openings/999999/",
        "/office/grades/bullet/rules/",
    ],
)
def test_there_is_no_such_page(client, page):
    assert client.get(page).status_code == 404


# --- The desk ----------------------------------------------------------------------------


def test_before_the_first_game(client):
    page = Page(client.get(OFFICE))
    assert page.headings == ["Grade lists", "Standard", "Rapid"]
    assert "No standard game is known." in page.text and page.tables == []


def test_a_list_to_come(client, last):
    coming = ecf.next_cutoff(last)
    Ledger().play(graded(150, "Lovell", last), graded(150, "Tso", last), 1, TODAY())
    page = Page(client.get(OFFICE))
    out = coming + timedelta(days=14)
    assert f"Next list {coming.day} {coming:%b %Y} to come" in page.text
    assert f"published by itself on {out.day} {out:%B %Y}" in page.text
    assert "Publish now" not in page.text


def test_a_provisional_list(client, books, last):
    wait_for_ever()
    scene = make_scene()
    scene.match.played_on = last - timedelta(days=1)
    scene.match.save()
    lists.publish_due(at=timezone.now(), outstanding=grading.count_outstanding)
    page = Page(client.get(OFFICE))
    assert (
        f"Next list {last.day} {last:%b %Y} provisional Cards outstanding 1 which cards"
        in page.text
    )
    links = dict(page.links)
    assert links["which cards"] == address("cards", last)
    assert links["set opening grades"] == address("players", last)
    assert address("publish", last) in links.values()

    cards = Page(client.get(links["which cards"]))
    assert cards.tables[0][1][0].startswith("Ashdown A – Hartfield A")
    assert scene.match.get_absolute_url() in dict(cards.links).values()

    players = Page(client.get(links["set opening grades"]))
    unanchored, below = players.tables
    assert [row[0] for row in unanchored[1:]] == ["Quill1, Zoë", "Quill2, Zoë"]
    assert [row[:4] for row in below[1:]] == [["Ibbot, Guy", "2", "2", "150"]]


def test_a_list_whose_days_are_over_and_no_worker_came(client, books, last):
    RatingPool.objects.update(publish_after_days=0)
    page = Page(client.get(OFFICE))
    assert f"Next list {last.day} {last:%b %Y} due" in page.text
    assert "the job worker publishes it within the hour, or you do now. Publish now" in page.text


def test_a_list_that_waits_for_an_earlier_one(client, books, last):
    wait_for_ever()
    before = ecf.cutoffs_back(last, 1)
    Ledger("rapid").play(books.one, books.other, 1, before - timedelta(days=3))
    page = Page(client.get(OFFICE))
    assert (
        f"Waits. The rapid list of {before.day} {before:%B %Y} has to be published first."
        in page.text
    )
    response = client.get(address("publish", last))
    assert response["Location"] == OFFICE
    assert said(response) == [
        (
            "error",
            f"The rapid list of {before.day} {before:%B %Y} is still to come,"
            " and lists come in order.",
        )
    ]


def test_published_lists(client, books, last):
    made = publish_by_hand(last)
    made.published_by = client.officer
    made.outstanding = 3
    made.save()
    page = Page(client.get(OFFICE))
    (row,) = page.tables[0][1:]
    today = f"{TODAY().day} {TODAY():%b %Y}"
    assert row == [
        f"{last.day} {last:%B %Y} {today}, Grace Grader · 3 cards outstanding",
        f"{today}, Grace Grader",
        "3",
        "2",
        "–",
        f"Revise {last.day} {last:%B %Y}",
    ]


def test_the_desk_asks_no_more_with_more_of_everything(client, books, last):
    publish_by_hand(last)
    before = queries(lambda: client.get(OFFICE))
    for _ in range(5):
        MatchFactory(played_on=last - timedelta(days=1))
    books.play(PlayerFactory(), books.one, 1, last, times=3)
    assert queries(lambda: client.get(OFFICE)) == before


def test_the_lists_of_people_and_cards_ask_no_more_with_more_rows(client, books, last):
    made = publish_by_hand(last)
    MatchFactory(played_on=last - timedelta(days=1))
    pages = [address("players", last), address("cards", last)]
    before = [queries(lambda page=page: client.get(page)) for page in pages]
    strangers = [PlayerFactory() for _ in range(5)]
    made.unanchored += [player.pk for player in strangers]
    made.save()
    for player in strangers:
        Grade.objects.create(grade_list=made, player=player, grade=90)
        MatchFactory(played_on=last - timedelta(days=1))
    assert [queries(lambda page=page: client.get(page)) for page in pages] == before


def test_all_is_well(client, books, last):
    for player in books.strangers:
        OpeningRatingFactory(player=player, system="grade", value=100, dated_on=date(2020, 1, 1))
    OpeningRatingFactory(player=books.newcomer, system="grade", value=100)
    Grade.objects.all().delete()
    publish_by_hand(last)
    Grade.objects.filter(published=None).delete()
    GradeList.objects.update(unanchored=[])
    assert "Everybody has a grade" in Page(client.get(address("players", last))).headings
    assert "All cards are in" in Page(client.get(address("cards", last))).headings
