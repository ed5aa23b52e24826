"""Two people at one grade list at once: who is told what, and what the lock is there for."""

import threading
from contextlib import suppress
from datetime import UTC, date, datetime

import pytest
from django.db import connection

from games.grading_office.grading import count_outstanding
from ratings import lists
from ratings.models import GradedGame, GradeList, RatedGame, RatingPool
from tests.factories import UserFactory
from tests.games.card_scene import make_scene
from tests.job_queue import jobs, work
from tests.waiting import somebody_waits, wait_for

pytestmark = pytest.mark.django_db(transaction=True)

NEXT = date(2027, 1, 1)
NEW_YEAR = datetime(2027, 1, 1, 12, tzinfo=UTC)


class Other(threading.Thread):
    """Somebody else, over a connection of his own; `outcome` is what he got or was told."""

    def __init__(self, act, *arguments):
        super().__init__(daemon=True)
        self.act, self.arguments = act, arguments
        self.outcome = None
        self.start()

    def run(self):
        try:
            self.outcome = self.act(*self.arguments)
        except Exception as error:  # what he was told
            self.outcome = error
        finally:
            connection.close()

    def done(self):
        self.join(timeout=30)
        assert not self.is_alive()
        return self.outcome


def without_lock(name):
    """`lock_pool` with its lock taken away."""
    return RatingPool.objects.get(pk=name)


# --- Two officers ------------------------------------------------------------------------


def both_publish(monkeypatch) -> list:
    """Two officers press the button at once: both are let through the checks, if both get there."""
    barrier = threading.Barrier(2)
    check = lists._require_next

    def check_together(*arguments):
        check(*arguments)
        with suppress(threading.BrokenBarrierError):
            barrier.wait(timeout=2)

    monkeypatch.setattr(lists, "_require_next", check_together)

    def press(officer):
        return lists.publish(
            pool="standard", cutoff=NEXT, at=NEW_YEAR, by=officer, outstanding=count_outstanding
        )

    officers = [Other(press, UserFactory(is_grading_officer=True)) for _ in range(2)]
    return [officer.done() for officer in officers]


def test_of_two_officers_who_publish_at_once_one_does_and_the_other_is_told(
    transactional_db,
    monkeypatch,
):
    make_scene().record("=1=01=")
    outcomes = both_publish(monkeypatch)
    (made,) = [outcome for outcome in outcomes if isinstance(outcome, GradeList)]
    (told,) = [outcome for outcome in outcomes if isinstance(outcome, lists.AlreadyPublished)]
    assert told.grade_list == made
    assert str(told) == "The standard list of 1 January 2027 is published already."
    stored = GradeList.objects.get()
    assert (stored.state, stored.published_by_id) == ("published", made.published_by_id)
    assert stored.graded_games.count() == 18


def test_without_the_lock_both_would_publish(transactional_db, monkeypatch):
    make_scene().record("=1=01=")
    monkeypatch.setattr(lists, "lock_pool", without_lock)
    outcomes = both_publish(monkeypatch)
    assert [type(outcome) for outcome in outcomes] == [GradeList, GradeList]


def test_of_two_workers_who_ask_at_once_each_list_comes_from_one(transactional_db):
    make_scene().record("=1=01=")
    later = datetime(2028, 7, 20, 12, tzinfo=UTC)
    workers = [
        Other(lambda: lists.publish_due(at=later, outstanding=count_outstanding)) for _ in range(2)
    ]
    made = [row.pk for worker in workers for row in worker.done()]
    cutoffs = [date(2027, 1, 1), date(2027, 7, 1), date(2028, 1, 1), date(2028, 7, 1)]
    assert list(GradeList.objects.order_by("cutoff").values_list("cutoff", "state")) == [
        (cutoff, "published") for cutoff in cutoffs
    ]
    assert sorted(made) == sorted(GradeList.objects.values_list("pk", flat=True))


# --- A card during a publish -------------------------------------------------------------


def card_during_publish() -> tuple[Other, int]:
    """A list is published; once its outstanding cards are counted, the one that is gets saved.

    Returns the secretary, and the number of games that the list holds of his card.
    """
    scene = make_scene()
    secretary = []

    def count(pool, cutoff):
        counted = count_outstanding(pool, cutoff)
        secretary.append(Other(scene.record, "=1=01="))
        wait_for(lambda: somebody_waits() or not secretary[0].is_alive())
        return counted

    lists.publish(pool="standard", cutoff=NEXT, at=NEW_YEAR, by=None, outstanding=count)
    secretary[0].done()
    games = RatedGame.objects.filter(event=scene.match.division.rated_event)
    return secretary[0], games.filter(
        source_key__in=[f"board:{board.pk}" for board in scene.match.boards.all()],
        graded__isnull=False,
    ).count()


def test_a_card_saved_during_a_publish_waits_and_enters_the_next_list(transactional_db):
    secretary, on_the_list = card_during_publish()
    made = GradeList.objects.get()
    assert secretary.outcome.changed
    assert (made.state, made.outstanding, on_the_list) == ("published", 1, 0)
    july = datetime(2027, 7, 1, 12, tzinfo=UTC)
    following = lists.publish(
        pool="standard", cutoff=date(2027, 7, 1), at=july, by=None, outstanding=count_outstanding
    )
    assert (following.outstanding, following.graded_games.count()) == (0, 6)


def test_without_the_lock_the_list_would_hold_a_card_that_it_calls_outstanding(
    transactional_db,
    monkeypatch,
):
    monkeypatch.setattr(lists, "lock_pool", without_lock)
    _secretary, on_the_list = card_during_publish()
    assert (GradeList.objects.get().outstanding, on_the_list) == (1, 6)


def test_a_card_saved_while_a_provisional_list_is_made_is_worked_in_after_it(
    transactional_db,
):
    scene = make_scene()
    secretary = []

    def count(pool, cutoff):
        if not secretary:
            secretary.append(Other(lambda: scene.record("=1=01=", at=NEW_YEAR)))
            wait_for(lambda: somebody_waits() or not secretary[0].is_alive())
        return count_outstanding(pool, cutoff)

    lists.publish_due(at=NEW_YEAR, outstanding=count)
    assert secretary[0].done().changed
    assert jobs("recompute_grades") == [({"pool": "standard"}, "todo")]
    assert GradedGame.objects.count() == 12
    work("grades")
    assert GradedGame.objects.count() == 18
    assert GradeList.objects.get().outstanding == 0
