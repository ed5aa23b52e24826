"""Grade lists come by themselves: each once, in order, also after a night without a worker."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection, transaction
from django.utils import timezone
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

from games.grading_office.grading import count_outstanding, outstanding_cards
from games.match_cards import posting
from games.models import Match
from games.tasks import publish_due_grades, recompute_later
from ratings import ecf, lists
from ratings.models import GradedGame, GradeList, RatingPool
from tests.factories import (
    BoardFactory,
    MatchFactory,
    OpeningRatingFactory,
    PlayerFactory,
    RatedEventFactory,
    RatedGameFactory,
    pool,
)
from tests.games.card_scene import AT, TODAY, make_scene
from tests.job_queue import jobs, work
from tests.waiting import somebody_waits, wait_for

ROOT = Path(__file__).resolve().parents[3]
NEXT = date(2027, 1, 1)
LATE = AT.replace(year=2027)


# --- The worker --------------------------------------------------------------------------


@contextmanager
def worker(*options):
    """A job worker as it runs in production, at the database of the test; killed at the end."""
    url = urlsplit(os.environ["DATABASE_URL"])
    name = connection.settings_dict["NAME"]
    started = subprocess.Popen(
        [sys.executable, "manage.py", "procrastinate", "worker", *options],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": urlunsplit(url._replace(path=f"/{name}"))},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield started
    finally:
        started.kill()
        started.wait()
        started.stderr.close()


def states():
    rows = GradeList.objects.order_by("cutoff", "pool", "revision")
    return list(rows.values_list("pool", "cutoff", "revision", "state"))


def asked() -> list[str]:
    """The states of the jobs that workers began with; those of the full hour are apart."""
    return [state for args, state in jobs("publish_due_grades") if "timestamp" not in args]


@pytest.fixture
def three_due(transactional_db):
    """Games before the last three cutoffs, whose lists nobody has made; all published at once."""
    RatingPool.objects.update(publish_after_days=0)
    last = ecf.half_year_of(timezone.localdate())
    cutoffs = [ecf.cutoffs_back(last, back) for back in (2, 1, 0)]
    players = [PlayerFactory() for _ in range(2)]
    for player in players:
        OpeningRatingFactory(
            player=player, system="grade", value=150, dated_on=cutoffs[0] - timedelta(days=90)
        )
    event = RatedEventFactory()
    for cutoff in cutoffs:
        RatedGameFactory(
            event=event,
            white=players[0],
            black=players[1],
            white_halves=2,
            played_on=cutoff - timedelta(days=1),
        )
    return cutoffs


@pytest.mark.django_db(transaction=True)
def test_after_a_time_without_a_worker_and_a_killed_one_each_list_came_once_in_order(three_due):
    first, second, third = three_due
    with transaction.atomic():
        # Somebody else holds the second list's place, so that the worker stops before it.
        GradeList.objects.create(pool=pool(), cutoff=second, state="provisional")
        with worker() as started:
            made = GradeList.objects.published().filter(cutoff=first)
            wait_for(lambda: made.exists() and somebody_waits())
            os.kill(started.pid, signal.SIGKILL)
            assert started.wait() == -signal.SIGKILL
        transaction.set_rollback(True)
    wait_for(lambda: not somebody_waits())
    assert states() == [("standard", first, 0, "published")]
    assert asked() == ["doing"]

    with worker("--one-shot") as started:
        _out, said = started.communicate(timeout=60)
        assert (started.returncode, "rror" in said) == (0, False), said
    expected = [("standard", cutoff, 0, "published") for cutoff in three_due]
    assert states() == expected
    moments = list(GradeList.objects.order_by("cutoff").values_list("published_at", flat=True))
    assert moments == sorted(moments)
    points = GradedGame.objects.order_by("game__played_on").values_list("grade_list__cutoff")
    assert [row[0] for row in points] == three_due

    # The job of the dead worker is found, run again, and has nothing to do; within ten minutes of
    # a full hour that hour's own job waits already, and the dead one gives way to it.
    once = list(GradeList.objects.order_by("pk").values())
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 hour'"
        )
    app.tasks["house:retry_stalled"].defer(timestamp=0)
    work("house")
    work("grades")
    assert {state for _args, state in jobs("publish_due_grades")} <= {"succeeded", "aborted"}
    assert list(GradeList.objects.order_by("pk").values()) == once


@pytest.mark.django_db(transaction=True)
def test_every_worker_of_the_queue_asks_what_is_due(three_due):
    work("mail")  # a worker that does not make lists
    assert states() == []
    work("grades")
    expected = [("standard", cutoff, 0, "published") for cutoff in three_due]
    assert states() == expected
    publish_due_grades.defer()
    work("grades")  # the same job waits already: one is enough
    assert states() == expected
    assert {state for _args, state in jobs("publish_due_grades")} == {"succeeded"}


# --- The clock ---------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    "visits",
    [
        ["2026-12-31", "2027-01-01", "2027-01-14", "2027-01-15", "2027-07-01", "2027-07-15"],
        ["2027-01-01", "2027-07-15"],
        ["2027-07-15"],
        ["2027-07-15", "2027-07-15", "2027-07-16"],
    ],
)
def test_however_often_it_is_asked_the_lists_are_the_same(visits):
    scene = make_scene()
    scene.record("=1=01=")
    for day in visits:
        at = timezone.make_aware(timezone.datetime.fromisoformat(f"{day} 12:00"))
        lists.publish_due(at=at, outstanding=count_outstanding)
    assert states() == [
        ("standard", NEXT, 0, "published"),
        ("standard", date(2027, 7, 1), 0, "published"),
    ]
    rows = GradedGame.objects.values_list("grade_list__cutoff", "white_points", "black_points")
    assert rows.count() == 18
    assert {row[0] for row in rows} == {NEXT}


# --- Late cards --------------------------------------------------------------------------


def in_january(day=2):
    """Make the list that waits, as it is made on 1 January."""
    at = timezone.make_aware(timezone.datetime(2027, 1, day, 12))
    lists.publish_due(at=at, outstanding=count_outstanding)
    return GradeList.objects.provisional().get()


def queued() -> list[str]:
    """The pools whose provisional lists wait to be worked out again."""
    return [args["pool"] for args, state in jobs("recompute_grades") if state == "todo"]


@pytest.mark.django_db(transaction=True)
def test_a_late_card_reaches_the_provisional_list(transactional_db):
    scene = make_scene()
    waiting = in_january()
    assert (waiting.outstanding, GradedGame.objects.count()) == (1, 12)
    scene.record("=1=01=", at=LATE)
    assert queued() == ["standard"]
    work("grades")
    assert queued() == []
    made = GradeList.objects.get(cutoff=NEXT)
    assert (made.outstanding, GradedGame.objects.filter(grade_list=made).count()) == (0, 18)
    scene.record("=1=011", at=LATE)
    assert queued() == ["standard"]


@pytest.mark.django_db
def test_one_job_waits_however_many_cards_come():
    first = make_scene()
    second = make_scene(name="2")
    in_january()
    first.record("=1=01=", at=LATE)
    second.record("=1=01=", at=LATE)
    first.record("=1=011", at=LATE)
    assert queued() == ["standard"]
    assert first.reload().version == 2  # the queue's refusal of a second job undid nothing


@pytest.mark.django_db
def test_a_card_refused_queues_nothing():
    scene = make_scene()
    in_january()
    with pytest.raises(RuntimeError), transaction.atomic():
        scene.record("=1=01=", at=LATE)
        raise RuntimeError
    assert queued() == []


@pytest.mark.django_db
def test_a_card_that_says_what_is_stored_queues_nothing():
    scene = make_scene()
    scene.record("=1=01=")
    in_january()
    scene.record("=1=01=", at=LATE)
    assert queued() == []


@pytest.mark.django_db
def test_a_card_of_the_next_half_year_is_not_late():
    scene = make_scene()
    in_january()
    scene.record("=1=01=", played_on=NEXT, at=LATE)
    assert queued() == []


@pytest.mark.django_db
def test_a_card_moved_behind_the_cutoff_is():
    scene = make_scene()
    scene.record("=1=01=")
    in_january()
    scene.record("=1=01=", played_on=NEXT, at=LATE)
    assert queued() == ["standard"]


@pytest.mark.django_db
def test_a_default_queues_too_for_the_card_is_no_longer_outstanding():
    scene = make_scene(boards=1)
    waiting = in_january()
    assert waiting.outstanding == 1
    (entry,) = scene.entries(" ")
    default = type(entry)(1, entry.home, None, entry.home_colour, None, award="home_default")
    scene.record(boards=[default], at=LATE)
    assert queued() == ["standard"]
    assert count_outstanding("standard", NEXT) == 0


@pytest.mark.django_db
def test_without_a_provisional_list_nothing_is_queued():
    scene = make_scene()
    scene.record("=1=01=")
    in_january()
    lists.publish(
        pool="standard",
        cutoff=NEXT,
        at=LATE,
        by=None,
        outstanding=count_outstanding,
    )
    scene.record("=1=011", at=LATE)
    recompute_later(pool="rapid", since=TODAY)
    assert queued() == []


@pytest.mark.django_db
def test_a_whole_division_posted_queues_once():
    scene = make_scene()
    in_january()
    BoardFactory(match=scene.match, number=1, result=2)
    BoardFactory(match=scene.match, number=2, result=1)
    posting.post_divisions([scene.match.division])
    assert queued() == ["standard"]


# --- Cards to come -----------------------------------------------------------------------


@pytest.mark.django_db
def test_which_cards_are_outstanding():
    scene = make_scene(boards=2)
    division = scene.match.division

    def match(**facts):
        return MatchFactory(division=division, home__division=division, **facts)

    incomplete = match(board_count=2)
    BoardFactory(match=incomplete, number=1, result=2)
    BoardFactory(match=incomplete, number=2)
    complete = match(board_count=2)
    BoardFactory(match=complete, number=1, result=2)
    BoardFactory(match=complete, number=2, award="double_default")
    match(played_on=NEXT)
    match(played_on=None)
    match(state="postponed")
    match(home__state="withdrawn")
    match(away__state="withdrawn")
    unpublished = MatchFactory(division__season__published_at=None)
    rapid = MatchFactory(division__rated_event__pool=pool("rapid"))
    old = match(played_on=date(2023, 12, 31))
    only_stated = match(board_count=2, stated_home=3, stated_away=1)

    outstanding = Match.objects.outstanding(NEXT, "standard")
    assert set(outstanding) == {scene.match, incomplete, only_stated, old}
    assert set(outstanding_cards("standard", NEXT, NEXT)) == {scene.match, incomplete, only_stated}
    assert set(outstanding_cards("rapid", NEXT, NEXT)) == {rapid}
    assert unpublished not in outstanding
    assert not outstanding_cards("standard", NEXT, TODAY).exists()  # the evening is still to come
    assert count_outstanding("blitz", NEXT) == 0
    assert not ProcrastinateJob.objects.exists()
