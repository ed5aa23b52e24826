"""Grade lists come out in order and once, and wait their days until then."""

import datetime
from datetime import date

import pytest
from django.db.models import ProtectedError

from ratings import lists
from ratings.models import Grade, GradedGame, GradeList
from tests.factories import PlayerFactory, UserFactory
from tests.ratings.grade_scene import JANUARY, JULY, noon
from tests.ratings.list_scene import (
    NEXT,
    Ledger,
    grade_of,
    graded,
    nothing_outstanding,
    publish,
    publish_due,
)

pytestmark = pytest.mark.django_db


def test_lists_come_in_order(books):
    books.play(graded(150), graded(150), 1, date(2025, 10, 1))
    with pytest.raises(lists.EarlierListDue) as refused:
        publish(JULY)
    assert refused.value.cutoff == JANUARY
    with pytest.raises(lists.NoSuchCutoff):
        publish(date(2025, 7, 1))
    with pytest.raises(lists.NoSuchCutoff):
        publish(date(2026, 1, 2))
    publish(JANUARY)
    with pytest.raises(lists.AlreadyPublished):
        publish(JANUARY)
    with pytest.raises(lists.NotYetDue):
        lists.publish(
            pool="standard",
            cutoff=JULY,
            at=noon(date(2026, 6, 30)),
            by=None,
            outstanding=nothing_outstanding,
        )


def test_after_a_long_time_every_list_that_is_due_comes_once_in_order(books):
    books.play(graded(150), graded(150), 1, date(2025, 10, 1))
    made = publish_due(date(2027, 1, 20))
    assert [row.cutoff for row in made] == [JANUARY, JULY, NEXT]
    assert publish_due(date(2027, 1, 20)) == []
    assert GradeList.objects.count() == 3


def test_lists_of_both_rates_of_play_come_in_the_order_of_their_cutoffs(books):
    """A newcomer starts from his rapid grade, whether the lists come in time or years late."""
    one, other = graded(150, name="rapid"), graded(150, name="rapid")
    rapid = Ledger("rapid")
    rapid.play(one, other, 2, date(2025, 10, 1), times=9)
    books.play(one, graded(150), 1, date(2026, 3, 1), times=9)
    made = publish_due(date(2027, 1, 20))
    assert [(row.cutoff, row.pool_id) for row in made] == [
        (JANUARY, "rapid"),
        (JULY, "standard"),
        (JULY, "rapid"),
        (NEXT, "standard"),
        (NEXT, "rapid"),
    ]
    row = GradedGame.objects.filter(game__event=books.event).first()
    assert (row.white_source, row.white_grade) == ("other", 165)


def test_an_earlier_list_of_the_other_rate_of_play_comes_first(books):
    Ledger("rapid").play(graded(150), graded(150), 1, date(2025, 10, 1))
    books.play(graded(150), graded(150), 1, date(2026, 3, 1))
    with pytest.raises(lists.EarlierListDue) as refused:
        publish(JULY)
    assert (refused.value.pool, refused.value.cutoff) == ("rapid", JANUARY)
    assert str(refused.value) == (
        "The rapid list of 1 January 2026 is still to come, and lists come in order."
    )
    publish(JANUARY, "rapid")
    publish(JULY)


def test_the_cutoff_begins_at_midnight_in_london(books):
    books.play(graded(150), graded(150), 1, date(2026, 3, 1))
    eve = datetime.datetime(2026, 6, 30, 22, 59, tzinfo=datetime.UTC)
    lists.publish_due(at=eve, outstanding=nothing_outstanding)
    assert not GradeList.objects.exists()
    lists.publish_due(at=eve + datetime.timedelta(minutes=1), outstanding=nothing_outstanding)
    assert GradeList.objects.get().cutoff == JULY


def test_there_are_grades_in_standard_and_rapid_only(books):
    Ledger("blitz").play(graded(150), graded(150), 1, date(2025, 10, 1))
    assert publish_due(date(2027, 1, 20)) == []
    with pytest.raises(lists.NoSuchCutoff, match="standard and rapid only"):
        publish(JANUARY, "blitz")


def test_a_provisional_list_that_is_no_longer_the_next_goes(books):
    one, other = graded(150), graded(150)
    books.play(one, other, 1, date(2025, 10, 1), key="first")
    publish_due(JANUARY)
    books.post("first", one, other, 1, date(2026, 3, 1))
    publish_due(JANUARY)
    assert not GradeList.objects.exists()
    books.play(one, other, 1, date(2024, 10, 1))
    assert [row.cutoff for row in publish_due(JANUARY)] == [date(2025, 1, 1), date(2025, 7, 1)]
    assert GradeList.objects.provisional().get().cutoff == JANUARY


def test_a_list_with_grades_or_points_on_it_is_not_deleted(books):
    one, other = graded(150), graded(150)
    books.play(one, other, 2, date(2025, 10, 1), times=9)
    made = publish(JANUARY)
    for kept in (Grade, GradedGame):
        with pytest.raises(ProtectedError) as refused:
            GradeList.objects.filter(pk=made.pk).delete()
        assert {type(row) for row in refused.value.protected_objects} & {kept}
        kept.objects.all().delete()
    assert GradeList.objects.get() == made


def test_who_published_is_kept_and_stands_in_the_history(books):
    books.play(graded(150), graded(150), 1, date(2025, 10, 1))
    officer = UserFactory(is_grading_officer=True)
    made = lists.publish(
        pool="standard",
        cutoff=JANUARY,
        at=noon(JULY),
        by=officer,
        outstanding=lambda pool, cutoff: 3,
    )
    made.refresh_from_db()
    assert (made.state, made.published_at, made.published_by, made.outstanding, made.rules) == (
        "published",
        noon(JULY),
        officer,
        3,
        "BRIEF",
    )
    assert {event.pgh_context["user"] for event in made.events.all()} == {officer.pk}


@pytest.mark.parametrize(
    ("day", "state"),
    [
        (date(2026, 1, 1), "provisional"),
        (date(2026, 1, 14), "provisional"),
        (date(2026, 1, 15), "published"),
    ],
)
def test_a_list_waits_its_days_and_is_worked_out_again_meanwhile(books, day, state):
    one, other = graded(150), graded(150)
    books.play(one, other, 2, date(2025, 10, 1), times=9)
    publish_due(date(2026, 1, 1))
    books.play(one, other, 2, date(2025, 12, 1))
    publish_due(day)
    made = GradeList.objects.get()
    assert made.state == state
    assert len(grade_of(one, made).game_points) == 10


def test_provisional_worked_out_many_times_equals_once(books):
    one, other, newcomer = graded(150), graded(130), PlayerFactory()
    books.play(one, other, 2, date(2025, 10, 1), times=9)
    books.play(newcomer, other, 1, date(2025, 10, 2), times=9)
    publish_due(date(2026, 1, 1))
    once = list(Grade.objects.order_by("player").values_list(*lists.GRADE_COLUMNS))
    for _ in range(3):
        publish_due(date(2026, 1, 2))
        lists.recompute_provisional(
            pool="standard", at=noon(JANUARY), outstanding=nothing_outstanding
        )
    assert list(Grade.objects.order_by("player").values_list(*lists.GRADE_COLUMNS)) == once


def test_a_list_without_players_is_published_and_empty(books):
    one, other = graded(150), graded(150)
    books.play(one, other, 2, date(2025, 10, 1), times=9)
    for cutoff in (JANUARY, JULY, NEXT):
        made = publish(cutoff)
    assert made.state == "published"
    assert not made.grades.published().exists()
