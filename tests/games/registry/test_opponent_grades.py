"""Grades beside a player's games: the one in force on that day, and one below nought."""

from datetime import date

import pytest

from ratings.models import Grade, RatingPool
from ratings.standing import grades_and_elos
from tests.factories import OpeningRatingFactory, RatedGameFactory, pool
from tests.games.player_scene import json_of, person, publish, text_of

pytestmark = pytest.mark.django_db


# --- The figures -------------------------------------------------------------------------


def test_a_negative_grade_shows_as_the_list_shows_it(client):
    player = person()
    publish(player, {date(2026, 7, 1): 0})
    Grade.objects.update(grade=-12, numerator=-12)
    assert "Grade, 1 July 2026 0 D" in text_of(client, player.get_absolute_url())
    grades = json_of(client, f"/players/{player.pk}/chart.json")["grades"]
    assert (grades[0]["grade"], grades[0]["as_rating"]) == (0, 700.0)


# --- The opponent's grade ----------------------------------------------------------------


def grade_at(client, day, opponent) -> int | None:
    """What the page says of the opponent's grade for a game on this day."""
    player = person(16000)
    RatedGameFactory(white=player, black=opponent, played_on=day)
    return json_of(client, f"/players/{player.pk}.json")["rows"][0]["opponent_grade"]


@pytest.mark.parametrize(
    ("day", "grade"),
    [
        (date(2024, 12, 31), 120),  # the opening grade until the first list
        (date(2025, 1, 1), 138),
        (date(2025, 6, 30), 138),
        (date(2025, 7, 1), 139),
        (date(2028, 6, 30), 139),  # the sixth list back
        (date(2028, 7, 1), None),
    ],
)
def test_the_opponent_s_grade_is_the_one_in_force_on_that_day(client, day, grade):
    opponent = person()
    OpeningRatingFactory(
        player=opponent, system="grade", value=120, dated_on=date(2024, 8, 1), pool=pool()
    )
    publish(opponent, {date(2025, 1, 1): 138, date(2025, 7, 1): 139})
    assert grade_at(client, day, opponent) == grade


def test_an_opening_grade_is_in_force_from_its_half_year_on(client):
    opponent = person()
    OpeningRatingFactory(player=opponent, value=18000, dated_on=date(2025, 3, 1))
    assert grade_at(client, date(2024, 12, 31), opponent) is None
    assert grade_at(client, date(2025, 1, 2), opponent) == 147  # (1800 - 700) / 7.5


@pytest.mark.parametrize(("day", "grade"), [(date(2024, 12, 31), 0), (date(2025, 1, 1), 0)])
def test_an_opponent_below_nought_stands_there_as_beside_his_name(client, day, grade):
    """His opening grade is −100 and the list's −12: both are published as 0."""
    opponent = person()
    OpeningRatingFactory(
        player=opponent, system="grade", value=-100, dated_on=date(2024, 8, 1), pool=pool()
    )
    publish(opponent, {date(2025, 1, 1): 0})
    Grade.objects.update(grade=-12, numerator=-12)
    assert grade_at(client, day, opponent) == grade
    shown = grades_and_elos([opponent.pk], RatingPool.objects.get(pk="standard"), day)
    assert shown[opponent.pk].grade == grade
