"""What a federation's list opens: Elo and grade of who has none."""

from datetime import date

import pytest

from ratings import lists, rebuilding
from ratings.models import EloGame, OpeningRating
from tests.factories import OpeningRatingFactory, PlayerFactory, pool
from tests.ratings.grade_scene import noon
from tests.ratings.list_scene import Ledger, nothing_outstanding
from tests.ratings.outside_scene import SINCE_2020, TO_2020, command_on, three_of_four

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db):
    return three_of_four()


@pytest.fixture
def run(tmp_path):
    return command_on(tmp_path)


def openings():
    return {
        (row.player.surname, row.pool_id, row.system): (row.value, row.provisional, row.source)
        for row in OpeningRating.objects.select_related("player")
    }


def test_a_rating_opens_elo_and_grade_of_who_has_none(run, people):
    lovell, grange, _mcvale = people
    OpeningRatingFactory(player=grange, pool=pool(), system="grade", value=120, source="by hand")
    PlayerFactory(surname="Harte-Wynne", ecf_code="900104K")
    lines = run(SINCE_2020, "--as-openings")
    assert "Opened: 3 players." in lines
    source = "ECF list of 2025-10-01 revised"
    assert openings() == {
        ("Lovell", "standard", "elo"): (17900, False, source),
        ("Lovell", "standard", "grade"): (145, False, source),
        ("Lovell", "rapid", "elo"): (17020, False, source),
        ("Lovell", "rapid", "grade"): (134, False, source),
        ("O'Grange", "standard", "grade"): (120, False, "by hand"),
        ("McVale", "standard", "elo"): (20110, False, source),
        ("McVale", "standard", "grade"): (175, False, source),
        ("Harte-Wynne", "rapid", "elo"): (14500, True, source),
        ("Harte-Wynne", "rapid", "grade"): (100, True, source),
    }
    assert {row.dated_on for row in OpeningRating.objects.filter(source=source)} == {
        date(2025, 10, 1)
    }
    assert run(SINCE_2020, "--as-openings")[-1] == "0 new, 0 changed"


def test_a_grade_opens_the_grade(run, people):
    run(TO_2020, "--as-openings", day="2019-07-01")
    assert openings() == {
        ("Lovell", "standard", "grade"): (142, False, "ECF list of 2019-07-01"),
        ("Lovell", "rapid", "grade"): (133, False, "ECF list of 2019-07-01"),
        ("O'Grange", "standard", "grade"): (0, False, "ECF list of 2019-07-01"),
    }


def test_openings_of_a_list_stored_before_count_as_changed(run, people):
    run(SINCE_2020)
    assert run(SINCE_2020, "--as-openings", "--pool", "rapid")[-1] == "0 new, 1 changed"
    assert {key[1] for key in openings()} == {"rapid"}


def test_an_original_rating_opens_where_nothing_was_revised(run, people):
    run(SINCE_2020.replace("1784,A,1790,A", "1784,A,,"), "--as-openings", "--pool", "standard")
    assert openings()["Lovell", "standard", "elo"][0] == 17840


def test_elo_and_grades_follow(run, people):
    lovell, _grange, mcvale = people
    books = Ledger()
    books.play(lovell, mcvale, 2, date(2026, 11, 3), times=9)
    assert EloGame.objects.order_by("pk").first().white_before == 15000
    run(SINCE_2020, "--as-openings")
    first = EloGame.objects.order_by("pk").first()
    assert (first.white_before, first.black_before) == (17900, 20110)
    assert not rebuilding.check(pool())
    made = lists.publish(
        pool="standard",
        cutoff=date(2027, 1, 1),
        at=noon(date(2027, 1, 1)),
        by=None,
        outstanding=nothing_outstanding,
    )
    # 145 beats 175 nine times: 225 each, and 21 games at 145.
    assert made.grades.get(player=lovell).published == (9 * 225 + 21 * 145) // 30
