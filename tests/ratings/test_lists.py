"""Grade lists: in order, once, exact, and never changed in silence."""

import datetime
from datetime import date

import pytest
from django.db import transaction
from django.db.models import ProtectedError

from ratings import ledger, lists, live, people, revisions
from ratings.ledger import Played
from ratings.models import Grade, GradedGame, GradeList, RatingPool
from tests.factories import (
    OpeningRatingFactory,
    PlayerFactory,
    RatedEventFactory,
    UserFactory,
    pool,
)

pytestmark = pytest.mark.django_db

JANUARY, JULY, NEXT = date(2026, 1, 1), date(2026, 7, 1), date(2027, 1, 1)


def noon(day):
    return datetime.datetime(day.year, day.month, day.day, 12, tzinfo=datetime.UTC)


def nothing_outstanding(pool, cutoff):
    return 0


def publish(cutoff, name="standard"):
    return lists.publish(
        pool=name, cutoff=cutoff, at=noon(cutoff), by=None, outstanding=nothing_outstanding
    )


def publish_due(day):
    return lists.publish_due(at=noon(day), outstanding=nothing_outstanding)


class Ledger:
    """Games of one event, written by who played whom, when, and White's half-points."""

    def __init__(self, name="standard"):
        self.event = RatedEventFactory(pool=pool(name))
        self.count = 0

    def play(self, white, black, halves, day, *, times=1, key=None):
        for _ in range(times):
            self.count += 1
            self.post(key or f"{self.event.pk}:{self.count}", white, black, halves, day)

    def post(self, key, white, black, halves, day):
        game = Played(key, day, 0, 0, self.count, white.pk, black.pk, halves, True)
        self._post([key], [game])

    def remove(self, key):
        self._post([key], [])

    def _post(self, keys, games):
        with transaction.atomic():
            locked = ledger.lock_pool(self.event.pool_id)
            touched = ledger.post(event=self.event, keys=keys, games=games)
            live.update(pool=locked, touched=touched)


@pytest.fixture
def books(db):
    return Ledger()


def graded(grade, day=date(2025, 7, 1), name="standard"):
    """A player with this opening grade."""
    player = PlayerFactory()
    OpeningRatingFactory(player=player, pool=pool(name), system="grade", value=grade, dated_on=day)
    return player


def grade_of(player, grade_list):
    return Grade.objects.get(player=player, grade_list=grade_list)


def test_the_points_of_a_game_come_from_the_opening_grades(books):
    one, other = graded(160), graded(140)
    books.play(one, other, 2, date(2025, 11, 4))
    publish(JANUARY)
    row = GradedGame.objects.get()
    assert (row.white_points, row.black_points) == (190, 110)
    assert (row.white_grade, row.white_source, row.white_list) == (160, "opening", None)


def test_a_published_grade_is_in_force_in_the_next_half_year(books):
    one, other = graded(160), graded(140)
    books.play(one, other, 2, date(2025, 11, 4), times=10)
    first = publish(JANUARY)
    assert (grade_of(one, first).published, grade_of(other, first).published) == (170, 130)
    books.play(one, other, 0, date(2026, 3, 4))
    publish(JULY)
    row = GradedGame.objects.get(game__played_on=date(2026, 3, 4))
    assert (row.white_grade, row.white_source, row.white_list) == (170, "list", JANUARY)
    assert (row.white_points, row.black_points) == (130 - 50, 170 + 50)


def test_both_sides_of_the_cutoff(books):
    one, other = graded(150), graded(150)
    books.play(one, other, 2, date(2025, 12, 31))
    books.play(one, other, 2, date(2026, 1, 1))
    first = publish(JANUARY)
    assert grade_of(one, first).game_points == [200]
    second = publish(JULY)
    assert len(grade_of(one, second).game_points) == 2


def test_an_opening_grade_makes_up_the_thirty(books):
    one, other = graded(150), graded(120)
    books.play(one, other, 1, date(2025, 11, 4), times=10)
    row = grade_of(one, publish(JANUARY))
    assert (row.numerator, row.divisor, row.published) == (10 * 120 + 20 * 150, 30, 140)
    assert (row.category, row.opening_games, row.opening_grade) == ("E", 20, 150)


def test_newcomers_start_from_their_games_and_are_estimated_together(books):
    newcomer = PlayerFactory()
    rivals = [graded(150) for _ in range(10)]
    for rival in rivals:
        books.play(newcomer, rival, 0, date(2025, 10, 1))
    row = grade_of(newcomer, publish(JANUARY))
    assert (row.starting_grade, row.game_points) == (100, [90] * 10)
    assert row.published == 90
    stored = GradedGame.objects.first()
    assert (stored.white_grade, stored.white_source) == (100, "estimate")


def test_a_starting_grade_comes_first_from_the_other_rate_of_play(books):
    newcomer = graded(120, name="rapid")
    books.play(newcomer, graded(150), 0, date(2025, 10, 1))
    publish(JANUARY)
    stored = GradedGame.objects.get()
    assert (stored.white_grade, stored.white_source) == (120, "other")


def test_a_group_without_an_anchor_stays_ungraded_and_is_named(books):
    one, other = PlayerFactory(), PlayerFactory()
    books.play(one, other, 2, date(2025, 10, 1), times=12)
    made = publish(JANUARY)
    assert made.unanchored == sorted([one.pk, other.pk])
    assert not Grade.objects.exists()
    assert not GradedGame.objects.exists()


def test_below_the_minimum_a_grade_is_kept_and_not_shown(books):
    newcomer, rival = PlayerFactory(), graded(150)
    books.play(newcomer, rival, 1, date(2025, 10, 1), times=8)
    row = grade_of(newcomer, publish(JANUARY))
    assert (row.grade, row.published, row.category) == (150, None, None)


def test_a_negative_grade_is_shown_as_nought_and_in_force_with_its_true_value(books):
    weak, rival = graded(0), graded(20)
    books.play(weak, rival, 0, date(2025, 10, 1), times=30)
    first = publish(JANUARY)
    assert (grade_of(weak, first).grade, grade_of(weak, first).published) == (-30, 0)
    books.play(weak, rival, 1, date(2026, 3, 1))
    publish(JULY)
    assert GradedGame.objects.get(game__played_on=date(2026, 3, 1)).white_grade == -30


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


def test_standard_and_rapid_are_apart(books):
    one, other = graded(150), graded(150)
    books.play(one, other, 2, date(2025, 10, 1), times=9)
    rapid = Ledger("rapid")
    rapid.play(one, other, 0, date(2025, 10, 1), times=9)
    publish_due(date(2026, 1, 20))
    assert {
        (row.grade_list.pool_id, tuple(row.game_points))
        for row in Grade.objects.filter(player=one).select_related("grade_list")
    } == {("standard", (200,) * 9), ("rapid", (100,) * 9)}


def test_a_list_without_players_is_published_and_empty(books):
    one, other = graded(150), graded(150)
    books.play(one, other, 2, date(2025, 10, 1), times=9)
    for cutoff in (JANUARY, JULY, NEXT):
        made = publish(cutoff)
    assert made.state == "published"
    assert not made.grades.published().exists()


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


def correct_opening(player, value, name="standard"):
    people.correct_opening(
        player=player.pk,
        pool=name,
        system="grade",
        value=value,
        dated_on=date(2025, 7, 1),
        source="another list",
        by=None,
    )


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


def test_juniors_start_anew_where_the_pool_says_so(books):
    RatingPool.objects.filter(pk="standard").update(juniors_start_anew=True)
    junior, rival = graded(100), graded(150)
    junior.birth_date = date(2010, 5, 1)
    junior.save()
    books.play(junior, rival, 2, date(2025, 10, 1), times=9)
    publish(JANUARY)
    stored = GradedGame.objects.first()
    assert (stored.white_grade, stored.white_source) == (200, "estimate")
    assert stored.black_points == 190 - 50


def test_a_junior_who_starts_anew_does_not_start_from_the_other_rate(books):
    """Nor is the list worked out again for his sake when a list of the other rate is revised."""
    RatingPool.objects.filter(pk="standard").update(juniors_start_anew=True)
    rapid = Ledger("rapid")
    junior, rival = graded(100, name="rapid"), graded(150)
    junior.birth_date = date(2010, 5, 1)
    junior.save()
    rapid.play(junior, graded(100, name="rapid"), 1, date(2025, 10, 1), times=9)
    books.play(junior, rival, 1, date(2025, 10, 1), times=9)
    books.play(rival, graded(150), 1, date(2025, 10, 2), key="corrected")
    publish_due(date(2026, 1, 20))
    stored = GradedGame.objects.filter(game__event=books.event, game__white=junior).first()
    assert (stored.white_grade, stored.white_source) == (150, "estimate")
    correct_opening(junior, 120, "rapid")
    books.remove("corrected")
    revised = revisions.revise(
        pool="rapid", cutoff=JANUARY, at=noon(JULY), by=None, reason="another opening"
    )
    assert [row.grade_list.pool_id for row in revised] == ["rapid"]


def test_a_junior_group_without_anchor_falls_back_to_old_grades(books):
    RatingPool.objects.filter(pk="standard").update(juniors_start_anew=True)
    one, other = graded(100), graded(120)
    for junior in (one, other):
        junior.birth_date = date(2010, 5, 1)
        junior.save()
    books.play(one, other, 2, date(2025, 10, 1), times=9)
    made = publish(JANUARY)
    assert made.unanchored == []
    stored = GradedGame.objects.first()
    assert (stored.white_grade, stored.white_source) == (100, "opening")


def test_the_order_of_entry_changes_no_number(books):
    everyone = [graded(120 + 10 * n) for n in range(4)] + [PlayerFactory(), PlayerFactory()]
    games = [
        (everyone[n % 6], everyone[(n + 1 + n // 6) % 6], n % 3, date(2025, 10, 1 + n % 28))
        for n in range(60)
        if n % 6 != (n + 1 + n // 6) % 6
    ]
    for game in games:
        books.play(*game)
    expected = sorted(grade_list_numbers(publish(JANUARY)), key=lambda row: row[0])
    for kept in (GradedGame, Grade, GradeList):
        kept.objects.all().delete()
    again = Ledger()
    for row in list(books.event.games.values_list("source_key", flat=True)):
        books.remove(row)
    for game in reversed(games):
        again.play(*game)
    assert sorted(grade_list_numbers(publish(JANUARY)), key=lambda row: row[0]) == expected


def grade_list_numbers(made):
    return made.grades.values_list("player", "numerator", "divisor", "published", "starting_grade")
