"""`publish_due_grades` and `publish_grades`: what they say, store, and exit with."""

import datetime
import io
from datetime import date

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ratings import ecf
from ratings.models import GradeList
from tests.factories import (
    OpeningRatingFactory,
    PlayerFactory,
    RatedEventFactory,
    RatedGameFactory,
    pool,
)
from tests.games.card_scene import make_scene

pytestmark = pytest.mark.django_db

JANUARY, JULY, NEXT = date(2020, 1, 1), date(2020, 7, 1), date(2021, 1, 1)


def run(*arguments) -> list[str]:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue().splitlines()


def refused(*arguments) -> str:
    before = list(GradeList.objects.values_list("pk", "state"))
    with pytest.raises(CommandError) as error:
        run(*arguments)
    assert list(GradeList.objects.values_list("pk", "state")) == before
    return str(error.value)


def graded(grade, surname, name="standard"):
    player = PlayerFactory(surname=surname, forenames="Anna")
    OpeningRatingFactory(
        player=player, pool=pool(name), system="grade", value=grade, dated_on=date(2019, 7, 1)
    )
    return player


def play(white, black, halves, day, *, times=1, name="standard"):
    event = RatedEventFactory(pool=pool(name))
    for _ in range(times):
        RatedGameFactory(event=event, white=white, black=black, white_halves=halves, played_on=day)


@pytest.fixture
def season(db):
    """Nine games of two graded players in the autumn of 2019, one more in the spring."""
    one, other = graded(150, "Lovell"), graded(130, "Tso")
    play(one, other, 2, date(2019, 10, 1), times=9)
    play(one, other, 0, date(2020, 3, 1), times=30)
    return one, other


def states():
    return list(GradeList.objects.order_by("cutoff", "pool").values_list("pool", "cutoff", "state"))


def test_the_lists_that_are_due_come_in_order_and_once(season):
    assert run("publish_due_grades", "--at", "2020-07-14") == [
        "The standard list of 1 January 2020: published, 2 grades, no card outstanding.",
        "The standard list of 1 July 2020: provisional, 2 grades, no card outstanding.",
    ]
    assert states() == [("standard", JANUARY, "published"), ("standard", JULY, "provisional")]
    assert run("publish_due_grades", "--at", "2020-07-15") == [
        "The standard list of 1 July 2020: published, 2 grades, no card outstanding."
    ]
    assert run("publish_due_grades", "--at", "2020-07-15") == ["No list was due."]
    assert states() == [("standard", JANUARY, "published"), ("standard", JULY, "published")]


def test_without_a_day_it_is_now(season):
    run("publish_due_grades")
    today = timezone.localdate()
    made = list(GradeList.objects.order_by("cutoff").values_list("cutoff", flat=True))
    assert made == [ecf.cutoffs_back(made[-1], back) for back in range(len(made) - 1, -1, -1)]
    assert (made[0], made[-1]) == (JANUARY, ecf.half_year_of(today))


def test_nothing_is_due_before_the_first_game():
    assert run("publish_due_grades") == ["No list was due."]
    assert states() == []


def test_a_list_is_published_by_hand(season):
    assert run("publish_grades", "2020-01-01", "--pool", "standard") == [
        "The standard list of 1 January 2020: published, 2 grades, no card outstanding."
    ]
    made = GradeList.objects.get()
    assert (made.published_by, made.published_at.date()) == (None, timezone.now().date())


def test_published_already_is_said_and_changes_nothing(season):
    run("publish_grades", "2020-01-01", "--pool", "standard")
    before = list(GradeList.objects.values())
    for options in ([], ["--preview"]):
        assert run("publish_grades", "2020-01-01", "--pool", "standard", *options) == [
            "The standard list of 1 January 2020 is published already."
        ]
    assert list(GradeList.objects.values()) == before


def test_an_earlier_list_still_due_is_named(season):
    sentence = "The standard list of 1 January 2020 is still to come, and lists come in order."
    for options in ([], ["--pool", "standard"], ["--preview"]):
        assert refused("publish_grades", "2020-07-01", *options) == sentence


def test_an_earlier_list_is_named_beside_one_that_is_published(season):
    run("publish_grades", "2020-01-01")
    run("publish_grades", "2020-07-01")
    play(*season, 1, date(2019, 10, 1), name="rapid")
    assert refused("publish_grades", "2020-07-01") == (
        "The rapid list of 1 January 2020 is still to come, and lists come in order."
    )


def test_both_rates_of_play_if_none_is_named(season):
    play(*season, 1, date(2019, 10, 1), times=9, name="rapid")
    assert run("publish_grades", "2020-01-01") == [
        "The standard list of 1 January 2020: published, 2 grades, no card outstanding.",
        "The rapid list of 1 January 2020: published, 2 grades, no card outstanding.",
    ]


def test_one_rate_of_play_may_have_no_list(season):
    assert run("publish_grades", "2020-01-01") == [
        "The standard list of 1 January 2020: published, 2 grades, no card outstanding.",
        "There is no rapid list of 1 January 2020: no rapid game is known.",
    ]
    assert refused("publish_grades", "2020-01-01", "--pool", "rapid") == (
        "There is no rapid list of 1 January 2020: no rapid game is known."
    )


@pytest.mark.parametrize(
    ("cutoff", "sentence"),
    [
        ("2020-01-02", "2 January 2020 is no cutoff: lists close on 1 January and 1 July."),
        ("2199-01-01", "The standard list of 1 January 2199 is worked out on that day"),
        ("2019-07-01", "standard list of 1 July 2019: they begin with that of 1 January 2020."),
        ("July", "'July' is no day; expected year, month and day, as 2026-07-01"),
        ("2020-02-30", "'2020-02-30' is no day"),
        ("", "'' is no day"),
    ],
)
def test_what_is_no_cutoff_is_refused(season, cutoff, sentence):
    assert sentence in refused("publish_grades", cutoff)


@pytest.mark.parametrize("day", ["soon", "2020-13-01"])
def test_a_day_that_is_none_is_refused(season, day):
    assert f"{day!r} is no day" in refused("publish_due_grades", "--at", day)


def test_no_list_of_a_day_to_come_is_published(season, settings):
    """They would be published for good, while their half-years are still played."""
    settings.DEV = False
    tomorrow = (timezone.localdate() + datetime.timedelta(days=1)).isoformat()
    for day in (tomorrow, "9999-12-31"):
        assert refused("publish_due_grades", "--at", day) == (
            f"{day} is still to come, and lists are published for good."
        )
    assert states() == []


def test_in_development_the_clock_may_be_moved_over_two_cutoffs(season, settings):
    settings.DEV = True
    next_year = timezone.localdate() + datetime.timedelta(days=400)
    run("publish_due_grades", "--at", next_year.isoformat())
    assert states()
    assert "still to come" in refused("publish_due_grades", "--at", "9999-12-31")


def test_as_if_it_were_today_is_now(season):
    run("publish_due_grades", "--at", timezone.localdate().isoformat())
    made = states()
    run("publish_due_grades")
    assert states() == made


def test_a_preview_says_what_changes_and_stores_nothing(season):
    one, other = season
    run("publish_grades", "2020-01-01")
    play(one, PlayerFactory(), 2, date(2020, 4, 1))
    play(PlayerFactory(), PlayerFactory(), 2, date(2020, 4, 1))
    before = states()
    assert run("publish_grades", "2020-07-01", "--pool", "standard", "--preview") == [
        "The standard list of 1 July 2020 as it would come out now: 2 grades, no card outstanding.",
        "1 below the minimum of games, 2 without any tie to a grade.",
        "2 grades are others than on the last list, 0 are new.",
        "  Anna Tso: 121 -> 184 (+63)",
        "  Anna Lovell: 159 -> 98 (-61)",
    ]
    assert states() == before


def test_cards_that_are_still_to_come_are_counted(season):
    scene = make_scene()
    scene.match.played_on = date(2020, 3, 1)
    scene.match.save()
    run("publish_due_grades", "--at", "2020-07-15")
    assert list(GradeList.objects.order_by("cutoff").values_list("cutoff", "outstanding")) == [
        (JANUARY, 0),
        (JULY, 1),
    ]


def test_the_clock_is_that_of_london(season):
    """`--at` is a day there: on 1 July the list of 1 July is made."""
    run("publish_due_grades", "--at", "2020-07-01")
    assert states()[-1] == ("standard", JULY, "provisional")
    assert GradeList.objects.last().computed_at == datetime.datetime(
        2020, 7, 1, 11, tzinfo=datetime.UTC
    )
