"""The grading officer and the games of a half-year: who plays, what is published, what is said."""

from datetime import timedelta

from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone

from games.grading_office import grading
from ratings import ecf, lists
from ratings.models import RatingPool
from tests.factories import OpeningRatingFactory, PlayerFactory, UserFactory
from tests.ratings.grade_scene import noon
from tests.ratings.list_scene import Ledger

TODAY = timezone.localdate
OFFICE = "/office/grades/"


def signed_in(client):
    """The grading officer's browser."""
    client.officer = UserFactory(is_grading_officer=True, name="Grace Grader")
    client.force_login(client.officer)
    return client


def newest_cutoff():
    """The cutoff of this half-year: the newest there is."""
    return ecf.half_year_of(TODAY())


def graded(grade, surname, day, forenames="Anna"):
    player = PlayerFactory(surname=surname, forenames=forenames)
    OpeningRatingFactory(player=player, system="grade", value=grade, dated_on=day)
    return player


def make_books(last) -> Ledger:
    """Two graded players and a newcomer of few games before the newest cutoff; two of no tie."""
    books = Ledger()
    day, earlier = last - timedelta(days=40), last - timedelta(days=400)
    books.one = graded(150, "Lovell", earlier)
    books.other = graded(130, "Tso", earlier)
    books.newcomer = PlayerFactory(surname="Ibbot", forenames="Guy")
    books.strangers = [PlayerFactory(surname=f"Quill{n}", forenames="Zoë") for n in (1, 2)]
    books.play(books.one, books.other, 2, day, times=9)
    books.play(books.newcomer, books.one, 1, day, times=2)
    books.play(*books.strangers, 1, day)
    return books


def wait_for_ever():
    """Nothing is published by itself, whatever day it is."""
    RatingPool.objects.update(publish_after_days=180)


def address(name, cutoff, rate="standard"):
    return reverse(f"office_{name}", args=[rate, cutoff])


def said(response) -> list[tuple[str, str]]:
    """What the officer is told after what he did: level and sentence."""
    return [(message.level_tag, str(message)) for message in get_messages(response.wsgi_request)]


def publish_by_hand(cutoff):
    return lists.publish(
        pool="standard",
        cutoff=cutoff,
        at=noon(max(cutoff, TODAY())),
        by=None,
        outstanding=grading.count_outstanding,
    )
