"""The grade and the Elo beside a name."""

from datetime import UTC, date, datetime

import pytest

from ratings import rebuilding
from ratings.models import Grade, GradeList
from ratings.standing import NOTHING_KNOWN, Standing, grades_and_elos, strength
from tests.factories import (
    OpeningRatingFactory,
    PlayerFactory,
    RatedGameFactory,
    pool,
)

pytestmark = pytest.mark.django_db

DAY = date(2026, 11, 24)


def standing(player, name="standard") -> Standing:
    return grades_and_elos([player.pk], pool(name), DAY)[player.pk]


def test_nobody_has_measured_him():
    assert standing(PlayerFactory()) == NOTHING_KNOWN == Standing(None, None, False)


def test_before_the_first_game_the_opening():
    player = PlayerFactory()
    OpeningRatingFactory(player=player, system="grade", value=150)
    assert standing(player) == Standing(150, 1825, True)
    OpeningRatingFactory(player=player, system="elo", value=19994)
    assert standing(player) == Standing(150, 1999, False)


def test_a_grade_of_nought_is_a_grade():
    player = PlayerFactory()
    OpeningRatingFactory(player=player, system="grade", value=0)
    assert standing(player) == Standing(0, 700, True)


def test_another_pool_lends_its_elo_and_not_its_grade():
    player = PlayerFactory()
    OpeningRatingFactory(player=player, system="grade", value=150)
    assert standing(player, "rapid") == Standing(None, 1825, True)


@pytest.mark.parametrize(
    ("cutoff", "shown"),
    [
        (date(2026, 7, 1), 0),
        (date(2024, 1, 1), 0),
        (date(2023, 7, 1), None),
        (date(2027, 1, 1), 150),
    ],
)
def test_a_published_grade_comes_before_the_opening_for_six_lists(cutoff, shown):
    player = PlayerFactory()
    OpeningRatingFactory(player=player, system="grade", value=150)
    out = GradeList.objects.create(
        pool=pool(), cutoff=cutoff, state="published", published_at=datetime.now(UTC)
    )
    Grade.objects.create(grade_list=out, player=player, grade=-12, published=0)
    assert standing(player).grade == shown


def test_after_a_game_the_live_rating():
    white, black = PlayerFactory(), PlayerFactory()
    OpeningRatingFactory(player=white, system="grade", value=150)
    RatedGameFactory(white=white, black=black, white_halves=2)
    rebuilding.rebuild("standard")
    found = grades_and_elos([white.pk, black.pk], pool(), DAY)
    assert found == {white.pk: Standing(150, 1830, True), black.pk: Standing(None, 1495, True)}


def test_four_queries_for_any_number_and_none_for_nobody(django_assert_num_queries):
    standard = pool()
    for count in (1, 20):
        players = [PlayerFactory().pk for _ in range(count)]
        with django_assert_num_queries(4):
            assert len(grades_and_elos(players, standard, DAY)) == count
    with django_assert_num_queries(0):
        assert grades_and_elos([], standard, DAY) == {}


def test_the_strongest_first_and_the_unknown_last():
    order = [
        Standing(150, 1900),
        Standing(150, 1800),
        Standing(150, None),
        Standing(0, 700),
        Standing(None, 2500),
        NOTHING_KNOWN,
    ]
    assert sorted(order[::-1], key=strength) == order
