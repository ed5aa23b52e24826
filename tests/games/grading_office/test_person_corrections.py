"""Corrections of a person, and those too large for a request."""

import datetime
import re

import pytest
from django.db import transaction
from django.urls import reverse

from clubs.models import Player
from games.grading_office.verification import verify
from games.models import Board
from ratings import ledger, live, people
from ratings.models import OpeningRating, RatedGame, RatingPool
from tests.factories import PlayerFactory
from tests.games.correction_scene import (
    DAY,
    address,
    correct,
    everything,
    game_of,
    seal,
    typed,
)
from tests.html import Page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("evening")]


# --- A person ----------------------------------------------------------------------------


def test_a_birth_date(officer, scene):
    """Established and a junior: K is 40 then, not 20."""
    who = scene.home[0]
    people.correct_opening(
        player=who.pk,
        pool="standard",
        system="elo",
        value=19000,
        dated_on=DAY,
        source="FIDE",
        by=None,
    )
    url = reverse("office_correct_birth_date", args=[who.pk])
    shown = officer.post(url, {"birth_date": "2012-03-01"})
    assert Player.objects.get(pk=who.pk).birth_date is None
    assert "games are rated again" in Page(shown).text
    correct(officer, url, {"birth_date": "2012-03-01"})
    assert Player.objects.get(pk=who.pk).birth_date == datetime.date(2012, 3, 1)
    correct(officer, url, {"birth_date": ""})
    assert Player.objects.get(pk=who.pk).birth_date is None
    assert "nothing would change" in officer.post(url, {"birth_date": ""}).text
    assert "still to come" in officer.post(url, {"birth_date": "2027-01-01"}).text
    assert verify() == []


def test_an_opening_rating_comes_changes_and_goes(officer, scene):
    who = scene.home[0]
    url = reverse("office_correct_opening", args=[who.pk])
    fact = {
        "pool": "standard",
        "system": "elo",
        "value": "2100",
        "dated_on": "2026-07-01",
        "source": "FIDE list of July 2026",
    }
    page = Page(officer.post(url, fact))
    assert "moves." in page.text or "move." in page.text
    correct(officer, url, fact)
    known = OpeningRating.objects.get(player=who, system="elo")
    assert (known.value, known.provisional) == (21000, False)
    form = officer.get(f"{url}?of={known.pk}").text
    assert 'value="2100"' in form and "FIDE list of July 2026" in form
    correct(officer, url, fact | {"provisional": "on"})
    assert OpeningRating.objects.get(pk=known.pk).provisional
    correct(officer, url, fact | {"remove": "on"})
    assert not OpeningRating.objects.filter(pk=known.pk).exists()
    assert verify() == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"value": ""}, "A whole number from 1 to 4000."),
        ({"value": "0"}, "A whole number from 1 to 4000."),
        ({"value": "999999999999999999999"}, "A whole number from 1 to 4000."),
        ({"system": "grade", "value": "500"}, "A whole number from -100 to 440."),
        ({"system": "grade", "pool": "blitz", "value": "150"}, "standard and rapid rates alone"),
        ({"dated_on": ""}, "This is needed"),
        ({"source": ""}, "This is needed"),
        ({"dated_on": "2026-12-24"}, "still to come"),
    ],
)
def test_what_no_opening_can_be(officer, scene, changes, words):
    url = reverse("office_correct_opening", args=[scene.home[0].pk])
    fact = {"pool": "standard", "system": "elo", "value": "2100", "source": "a list"}
    fact |= {"dated_on": "2026-07-01"} | changes
    before = everything()
    assert words in Page(officer.post(url, fact)).text
    assert everything() == before


# --- Too large for a request -------------------------------------------------------------


@pytest.fixture
def large(scene, elsewhere, settings):
    """Everything older than some weeks is too much."""
    settings.MOST_GAMES_RATED_AT_ONCE = 3
    game = elsewhere.games.get(source_key="c1")
    RatedGame.objects.filter(pk=game.pk).update(played_on=datetime.date(2026, 1, 5))
    with transaction.atomic():
        live.rate_at_once(
            pool=ledger.lock_pool("standard"),
            touched=ledger.Touched(
                ledger.Place(datetime.date(2026, 1, 1), 0, 0, 0, 0),
                {
                    pk: ledger.Place(datetime.date(2026, 12, 1), 0, 0, 0, 0)
                    for pk in Player.objects.values_list("pk", flat=True)
                },
                set(RatedGame.objects.values_list("pk", flat=True)),
            ),
        )
    assert verify() == []
    return RatedGame.objects.get(pk=game.pk)


def test_a_large_correction_shows_its_moves_and_that_a_job_does_it(officer, large):
    before = everything()
    shown = officer.post(address(large), typed(large, white_halves=0))
    page = Page(shown)
    count = RatedGame.objects.count()
    assert f"By a job. {count} standard games were played from 5 January 2026 on" in page.text
    assert "is rated again" in page.text or "are rated again" in page.text
    assert len(page.tables[0]) > 2
    assert everything() == before
    done = officer.post(
        address(large), typed(large, white_halves=0) | {"seen": seal(shown)}, follow=True
    )
    assert "A job works the standard ratings out again." in Page(done).text
    pool = RatingPool.objects.get(pk="standard")
    assert pool.stale_from == datetime.date(2026, 1, 5)
    assert RatedGame.objects.get(pk=large.pk).white_halves == 0


def said_by(response) -> tuple:
    """What a preview says: its sentence of games and players, and the moves."""
    page = Page(response)
    sentence = re.search(r"What it changes (.* moves?\.)", page.text)[1]
    return sentence, page.tables[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"white_halves": 0},
        {"played_on": "2026-11-22"},
        {"played_on": "2026-10-20"},
        {"black": "tolbert"},
        {"white": "newcomer", "white_halves": 1},
        {"remove": "on"},
    ],
)
def test_what_is_shown_of_a_large_correction_is_what_it_does(officer, large, settings, changes):
    """Worked out beside the ledger, and by the workflow itself."""
    PlayerFactory(surname="Newcomer")
    by_job = said_by(officer.post(address(large), typed(large, **changes)))
    settings.MOST_GAMES_RATED_AT_ONCE = 10_000
    at_once = said_by(officer.post(address(large), typed(large, **changes)))
    assert by_job == at_once


def test_so_it_is_of_a_person(officer, large, scene, settings):
    url = reverse("office_correct_opening", args=[scene.home[0].pk])
    fact = {"pool": "standard", "system": "elo", "value": "2100", "source": "a list"}
    fact |= {"dated_on": "2026-07-01"}
    by_job = said_by(officer.post(url, fact))
    settings.MOST_GAMES_RATED_AT_ONCE = 10_000
    assert by_job == said_by(officer.post(url, fact))
    correct(officer, url, fact)
    url = reverse("office_correct_birth_date", args=[scene.home[0].pk])
    at_once = said_by(officer.post(url, {"birth_date": "2012-03-01"}))
    settings.MOST_GAMES_RATED_AT_ONCE = 3
    assert said_by(officer.post(url, {"birth_date": "2012-03-01"})) == at_once


def test_a_correction_of_a_stale_pool_joins_the_job(officer, large):
    correct(officer, address(large), typed(large, white_halves=0))
    game = game_of(4)
    shown = officer.post(address(game), typed(game, white_halves=1))
    assert "By the job that runs." in Page(shown).text
    done = officer.post(
        address(game), typed(game, white_halves=1) | {"seen": seal(shown)}, follow=True
    )
    assert "Corrected." in done.text
    assert Board.objects.filter(match__round=6).get(number=4).result == 1
