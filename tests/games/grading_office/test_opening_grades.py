"""The grading officer's rules of the lists, and the opening grades he sets."""

import datetime
from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.urls import reverse
from django.utils import timezone

from games.grading_office import grading
from ratings import ecf, lists
from ratings.models import EloGame, GradedGame, GradeList, GradeRuleSet, OpeningRating, RatingPool
from tests.factories import pool
from tests.games.grading_scene import (
    OFFICE,
    address,
    make_books,
    newest_cutoff,
    publish_by_hand,
    said,
    signed_in,
    wait_for_ever,
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


# --- Rules of the lists ------------------------------------------------------------------


RULES = "/office/grades/standard/rules/"


def test_the_rules_of_lists_are_changed_from_the_next_one_on(client, books, last):
    wait_for_ever()
    before = ecf.cutoffs_back(last, 1)
    books.play(books.one, books.other, 0, before - timedelta(days=1), times=9)
    publish_by_hand(before)
    lists.publish_due(at=timezone.now(), outstanding=grading.count_outstanding)
    page = Page(client.get(RULES))
    assert page.headings == ["How standard lists are made"]
    data = {"grade_rules": "ECF_2015", "publish_after_days": "150", "juniors_start_anew": "on"}
    response = client.post(RULES, data)
    assert response["Location"] == OFFICE
    assert said(response) == [("success", "Standard lists are made so from the next one on.")]
    found = RatingPool.objects.get(pk="standard")
    assert (found.grade_rules, found.publish_after_days, found.juniors_start_anew) == (
        "ECF_2015",
        150,
        True,
    )
    assert list(GradeList.objects.order_by("cutoff").values_list("rules", "state")) == [
        ("BRIEF", "published"),
        ("ECF_2015", "provisional"),
    ]
    assert RatingPool.objects.get(pk="rapid").grade_rules == "BRIEF"
    # A box that is not ticked is not sent, and is off.
    client.post(RULES, {"grade_rules": "BRIEF", "publish_after_days": "0"})
    found.refresh_from_db()
    assert (found.publish_after_days, found.juniors_start_anew) == (0, False)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"grade_rules": "MINE"}, "not one of the available choices"),
        ({"publish_after_days": "-1"}, "greater than or equal to 0"),
        ({"publish_after_days": "151"}, "less than or equal to 150"),
        ({"publish_after_days": ""}, "This field is required."),
    ],
)
def test_rules_that_are_none_are_refused(client, changes, error):
    before = RatingPool.objects.values().get(pk="standard")
    response = client.post(RULES, {"grade_rules": "BRIEF", "publish_after_days": "14"} | changes)
    assert error in Page(response).text
    assert RatingPool.objects.values().get(pk="standard") == before


@pytest.mark.parametrize(
    ("column", "value", "constraint"),
    [
        ("grade_rules", "MINE", "ratings_ratingpool_grade_rules_known"),
        ("publish_after_days", -1, "ratings_ratingpool_days_not_negative"),
    ],
)
def test_the_database_refuses_them_too(db, column, value, constraint):
    with pytest.raises(IntegrityError, match=constraint):
        RatingPool.objects.update(**{column: value})


def test_every_choice_of_rules_is_one_that_lists_are_made_by():
    assert set(GradeRuleSet.values) == set(ecf.PRESETS)


# --- Opening grades ----------------------------------------------------------------------


def form(**changes):
    data = {
        "pool": "standard",
        "grade": "110",
        "dated_on": "2020-01-01",
        "source": "estimate of the officer",
    }
    return data | changes


def test_an_opening_grade_ties_a_group_and_everything_follows(client, books, last):
    wait_for_ever()
    lists.publish_due(at=timezone.now(), outstanding=grading.count_outstanding)
    stranger, friend = books.strangers
    page = reverse("office_opening", args=[stranger.pk])
    assert "Nothing is known of this player from outside." in Page(client.get(page)).text

    day = last - timedelta(days=30)
    response = client.post(page, form(dated_on=day.isoformat()))
    assert response["Location"] == OFFICE
    ((level, sentence),) = said(response)
    assert level == "success"
    assert sentence.startswith("Zoë Quill1 has the opening grade 110. ")
    assert sentence.endswith(" ratings were worked out again.")
    fact = OpeningRating.objects.get(player=stranger)
    assert (fact.pool_id, fact.system, fact.value, fact.dated_on, fact.source) == (
        "standard",
        "grade",
        110,
        day,
        "estimate of the officer",
    )
    made = GradeList.objects.get()
    assert (made.state, made.unanchored) == ("provisional", [])
    assert GradedGame.objects.filter(game__white=stranger, white_grade=110).count() == 1
    assert made.grades.filter(player=friend).exists()
    elo = EloGame.objects.get(game__white=stranger)
    assert elo.white_before == 7.5 * 1100 + 7000


def test_an_opening_grade_takes_the_place_of_the_one_there_is(client, books):
    page = reverse("office_opening", args=[books.one.pk])
    assert "Standard, grade" in Page(client.get(page)).text
    client.post(page, form(grade="0"))
    assert books.one.opening_ratings.values_list("value", "source").get() == (
        0,
        "estimate of the officer",
    )
    client.post(page, form(grade="0"))
    assert books.one.opening_ratings.count() == 1


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"grade": ""}, "This field is required."),
        ({"grade": "strong"}, "Enter a whole number."),
        ({"grade": "441"}, "less than or equal to 440"),
        ({"grade": "-101"}, "greater than or equal to -100"),
        ({"dated_on": ""}, "This field is required."),
        ({"dated_on": "2020-02-30"}, "Enter a valid date."),
        ({"dated_on": "2199-01-01"}, "This day is still to come."),
        ({"dated_on": "0001-01-01"}, "No grade is of before 1900."),
        ({"dated_on": "1899-12-31"}, "No grade is of before 1900."),
        ({"source": ""}, "This field is required."),
        ({"source": "x" * 201}, "at most 200 characters"),
        ({"source": "\x00\u200b"}, "This field is required."),
        ({"pool": "blitz"}, "not one of the available choices"),
    ],
)
def test_an_opening_grade_that_is_none_is_refused_at_its_field(client, books, changes, error):
    page = reverse("office_opening", args=[books.newcomer.pk])
    response = client.post(page, form(**changes))
    assert response.status_code == 200
    assert error in Page(response).text
    assert not OpeningRating.objects.filter(player=books.newcomer).exists()


def test_the_form_is_of_the_rate_of_play_one_comes_from(client, books):
    page = reverse("office_opening", args=[books.newcomer.pk])
    for rate, shown in (("rapid", "rapid"), ("", ""), ("chess", "chess")):
        found = client.get(page, {"pool": rate})
        assert (found.status_code, found.context["form"]["pool"].value()) == (200, shown)


def test_a_rapid_opening_reaches_the_standard_list(client, books, last):
    """At the other rate of play it is what a newcomer starts from."""
    wait_for_ever()
    lists.publish_due(at=timezone.now(), outstanding=grading.count_outstanding)
    day = ecf.cutoffs_back(last, 2)
    client.post(
        reverse("office_opening", args=[books.strangers[0].pk]),
        form(pool="rapid", dated_on=day.isoformat()),
    )
    assert GradeList.objects.get().unanchored == []
    assert OpeningRating.objects.get(player=books.strangers[0]).pool == pool("rapid")


def test_moments_are_those_of_the_clock(client, books, last):
    before = timezone.now()
    client.post(address("publish", last))
    made = GradeList.objects.get()
    assert before <= made.published_at <= timezone.now()
    assert made.published_at - made.computed_at == datetime.timedelta(0)
