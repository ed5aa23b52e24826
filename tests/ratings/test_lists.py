"""The numbers on grade lists: what counts, where newcomers and juniors start, exact and once."""

from datetime import date

import pytest

from ratings import revisions
from ratings.models import Grade, GradedGame, GradeList, RatingPool
from tests.factories import PlayerFactory
from tests.ratings.grade_scene import JANUARY, JULY, noon
from tests.ratings.list_scene import Ledger, correct_opening, grade_of, graded, publish, publish_due

pytestmark = pytest.mark.django_db


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
