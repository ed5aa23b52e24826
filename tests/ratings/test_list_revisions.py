"""Published grade lists never change in silence: corrections, revisions, what they reach."""

from datetime import date

import pytest

from ratings import lists, revisions
from ratings.models import Grade, GradedGame, GradeList, RatingPool
from tests.factories import PlayerFactory
from tests.ratings.grade_scene import JANUARY, JULY, noon
from tests.ratings.list_scene import (
    NEXT,
    Ledger,
    correct_opening,
    grade_of,
    graded,
    publish,
    publish_due,
)

pytestmark = pytest.mark.django_db


def corrected(books):
    """Two lists published, then the result of a November game turned round."""
    one, other = graded(150), graded(140)
    books.play(one, other, 2, date(2025, 11, 4), key="november")
    books.play(one, other, 1, date(2025, 12, 4), times=29)
    books.play(one, other, 1, date(2026, 2, 4), times=9)
    publish(JANUARY)
    publish(JULY)
    books.post("november", one, other, 0, date(2025, 11, 4))
    return one, other


def numbers():
    return list(
        Grade.objects.order_by("grade_list", "player").values_list("published", "numerator")
    )


def test_a_correction_changes_no_published_list(books):
    one, other = graded(150), graded(140)
    books.play(one, other, 2, date(2025, 11, 4), key="november")
    books.play(one, other, 1, date(2025, 12, 4), times=9)
    publish(JANUARY)
    before = numbers()
    books.post("november", one, other, 0, date(2025, 11, 4))
    books.remove("november")
    assert numbers() == before


def test_a_revision_shows_its_differences_and_every_later_list(books):
    one, other = corrected(books)
    before = numbers()
    shown = revisions.preview_revision(pool="standard", cutoff=JANUARY, at=noon(JULY))
    assert numbers() == before
    assert GradeList.objects.count() == 2
    revised = revisions.revise(
        pool="standard", cutoff=JANUARY, at=noon(JULY), by=None, reason="board 3 was entered wrong"
    )
    assert [(row.grade_list.cutoff, row.differences) for row in revised] == [
        (row.grade_list.cutoff, row.differences) for row in shown
    ]
    assert [row.grade_list.cutoff for row in revised] == [JANUARY, JULY]
    original = GradeList.objects.get(cutoff=JANUARY, revision=0)
    revision = GradeList.objects.get(cutoff=JANUARY, revision=1)
    assert grade_of(one, original).numerator - grade_of(one, revision).numerator == 100
    assert revised[0].differences[0] == (one.pk, 142, 138, "A", "A")
    assert GradeList.objects.in_force().values_list("revision", flat=True).distinct().get() == 1
    assert (
        revisions.revise(pool="standard", cutoff=JANUARY, at=noon(JULY), by=None, reason="again")
        == []
    )


def test_without_a_revision_a_correction_enters_the_next_list(books):
    one, other = corrected(books)
    books.play(one, other, 1, date(2026, 9, 4))
    made = publish(NEXT)
    assert sorted(grade_of(one, made).game_points)[0] == 140 - 50
    assert GradeList.objects.count() == 3


def test_a_revision_of_rapid_reaches_the_standard_lists_that_started_from_it(books):
    """Only those: a correction of a standard game that nobody revised stays out of it."""
    rapid = Ledger("rapid")
    one, other, bystander = graded(150, name="rapid"), graded(150, name="rapid"), graded(150)
    rapid.play(one, other, 2, date(2025, 10, 1), key="wrong")
    rapid.play(one, other, 1, date(2025, 10, 2), times=8)
    books.play(graded(150), bystander, 1, date(2025, 10, 1), key="unasked", times=1)
    books.play(one, bystander, 1, date(2026, 3, 1), times=9)
    publish_due(date(2026, 7, 20))
    rapid.post("wrong", one, other, 0, date(2025, 10, 1))
    revised = revisions.revise(
        pool="rapid", cutoff=JANUARY, at=noon(JULY), by=None, reason="the other way round"
    )
    assert [(row.grade_list.pool_id, row.grade_list.cutoff) for row in revised] == [
        ("rapid", JANUARY),
        ("rapid", JULY),
        ("standard", JULY),
    ]
    used = GradedGame.objects.filter(game__white=one, game__event=books.event)
    assert {row.white_grade for row in used} == {grade_of(one, revised[0].grade_list).grade}


def test_a_revision_of_rapid_leaves_other_standard_lists_alone(books):
    rapid = Ledger("rapid")
    one, other = graded(150, name="rapid"), graded(150, name="rapid")
    rapid.play(one, other, 2, date(2025, 10, 1), key="wrong")
    rapid.play(one, other, 1, date(2025, 10, 2), times=8)
    three, four = graded(150), graded(150)
    books.play(three, four, 1, date(2026, 3, 1), times=9)
    books.play(three, four, 1, date(2026, 3, 2), key="corrected")
    publish_due(date(2026, 7, 20))
    rapid.post("wrong", one, other, 0, date(2025, 10, 1))
    books.post("corrected", three, four, 2, date(2026, 3, 2))
    revised = revisions.revise(
        pool="rapid", cutoff=JANUARY, at=noon(JULY), by=None, reason="the other way round"
    )
    assert {row.grade_list.pool_id for row in revised} == {"rapid"}


@pytest.mark.parametrize("value", [170, None])
def test_a_changed_opening_grade_reaches_the_other_rate_at_the_same_cutoff(books, value):
    """The rapid list of a cutoff is made before the standard one, and starts from its openings."""
    rapid = Ledger("rapid")
    one, other, rival = graded(120), graded(150), graded(150, name="rapid")
    books.play(one, other, 1, date(2025, 10, 1), times=9)
    rapid.play(one, rival, 1, date(2025, 10, 1), times=9)
    publish_due(date(2026, 1, 20))
    assert grade_of(one, GradeList.objects.get(pool="rapid")).starting_grade == 120

    def revise():
        return revisions.revise(
            pool="standard", cutoff=JANUARY, at=noon(JULY), by=None, reason="another opening"
        )

    correct_opening(one, value)
    shown = revisions.preview_revision(pool="standard", cutoff=JANUARY, at=noon(JULY))
    revised = revise()
    assert [(row.grade_list.pool_id, row.differences) for row in revised] == [
        (row.grade_list.pool_id, row.differences) for row in shown
    ]
    assert [row.grade_list.pool_id for row in revised] == ["rapid", "standard"]
    start = grade_of(one, revised[0].grade_list).starting_grade
    assert start == (150 if value is None else value)
    used = GradedGame.objects.filter(game__event=rapid.event)
    assert set(used.values_list("white_grade", "white_source")) == {
        (start, "estimate" if value is None else "other")
    }
    assert revise() == []


def test_an_opening_grade_set_late_is_what_one_starts_from_at_the_other_rate(books):
    """He had been estimated, and his opponent left ungraded for want of any tie."""
    rapid = Ledger("rapid")
    estimated, lone, stranger = (PlayerFactory() for _ in range(3))
    books.play(graded(150), graded(150), 1, date(2025, 10, 1), times=9)
    rapid.play(estimated, graded(150, name="rapid"), 1, date(2025, 10, 1), times=9)
    rapid.play(lone, stranger, 1, date(2025, 10, 1), times=9)
    publish_due(date(2026, 1, 20))
    for player in (estimated, lone):
        correct_opening(player, 100)
        revised = revisions.revise(
            pool="standard", cutoff=JANUARY, at=noon(JULY), by=None, reason="an opening"
        )
        assert [row.grade_list.pool_id for row in revised] == ["rapid"]
        assert grade_of(player, revised[0].grade_list).starting_grade == 100
    assert revised[0].grade_list.unanchored == []


def test_a_list_is_revised_by_the_rules_it_came_out_under(books):
    corrected(books)
    RatingPool.objects.filter(pk="standard").update(grade_rules="ECF_2015", juniors_start_anew=True)
    revised = revisions.revise(
        pool="standard", cutoff=JANUARY, at=noon(JULY), by=None, reason="board 3"
    )
    assert {(row.grade_list.rules, row.grade_list.juniors_start_anew) for row in revised} == {
        ("BRIEF", False)
    }
    assert publish(NEXT).rules == "ECF_2015"


def test_a_revision_reaches_the_provisional_list(books):
    one, other = corrected(books)
    books.play(one, other, 1, date(2026, 9, 4))
    publish_due(NEXT)
    before = grade_of(one, GradeList.objects.provisional().get()).numerator
    revisions.revise(pool="standard", cutoff=JULY, at=noon(NEXT), by=None, reason="board 3")
    made = GradeList.objects.provisional().get()
    assert grade_of(one, made).numerator != before
    published = grade_of(one, GradeList.objects.in_force().get(cutoff=JULY)).grade
    assert GradedGame.objects.get(game__played_on=date(2026, 9, 4)).white_grade == published


def test_the_differences_of_a_stored_revision(books):
    corrected(books)
    revised = revisions.revise(
        pool="standard", cutoff=JANUARY, at=noon(JULY), by=None, reason="board 3"
    )
    for row in revised:
        assert revisions.differences_of(row.grade_list) == row.differences


def test_what_is_not_published_is_not_revised(books):
    books.play(graded(150), graded(150), 1, date(2025, 10, 1))
    publish_due(JANUARY)
    with pytest.raises(lists.NoSuchCutoff, match="1 January 2026 is not published"):
        revisions.revise(pool="standard", cutoff=JANUARY, at=noon(JULY), by=None, reason="x")


def test_a_preview_is_what_comes_out(books):
    one, other = graded(150), graded(130)
    books.play(one, other, 2, date(2025, 10, 1), times=9)
    shown = lists.preview(pool="standard", cutoff=JANUARY, at=noon(JANUARY))
    assert not GradeList.objects.exists()
    made = publish(JANUARY)
    stored = made.grades.order_by("player").values_list(*lists.GRADE_COLUMNS)
    assert [tuple(row) for row in shown.grades] == list(stored)


def test_a_revision_corrected_back_returns_every_number(books):
    one, other = corrected(books)
    first = list(
        Grade.objects.filter(grade_list__revision=0)
        .order_by("grade_list__cutoff", "player")
        .values_list(*lists.GRADE_COLUMNS)
    )
    revisions.revise(pool="standard", cutoff=JANUARY, at=noon(JULY), by=None, reason="wrong")
    books.post("november", one, other, 2, date(2025, 11, 4))
    revisions.revise(pool="standard", cutoff=JANUARY, at=noon(JULY), by=None, reason="right")
    assert first == list(
        Grade.objects.filter(grade_list__revision=2)
        .order_by("grade_list__cutoff", "player")
        .values_list(*lists.GRADE_COLUMNS)
    )
