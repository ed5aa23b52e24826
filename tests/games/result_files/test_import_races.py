"""Imports beside each other and beside a card: what their locks keep right, and what goes wrong
without them.
"""

import datetime

import pytest
from django.db import IntegrityError, connection

from clubs import registry
from clubs.import_report import Report
from clubs.models import Player
from games.grading_office.verification import verify
from games.models import Board
from games.result_files.result_import import import_results
from ratings import people, rebuilding
from ratings.models import OpeningRating, RatingPool
from ratings.player_import import import_players
from tests.factories import pool
from tests.games.card_scene import make_scene
from tests.games.match_cards.test_card_races import meeting, together

pytestmark = pytest.mark.django_db(transaction=True)

AT = datetime.datetime(2026, 11, 24, 23, 30, tzinfo=datetime.UTC)
RESULTS = (
    b"Section,Date,HomeTeam,HomePlayer,Result,AwayPlayer,AwayTeam,Board\n"
    b"Division 1,2026-10-06,Ashdown A,Lovell,1-0,Tso,Hartfield A,1\n"
    b"Division 1,2026-10-06,Ashdown A,McVale,draw,Ibbot,Hartfield A,2\n"
)


def import_season():
    pool()
    return import_results(
        content=RESULTS, source="test", league="Weald", season="2026-27", by=None, at=AT
    )


def import_rating():
    """A rating for somebody whose card is being saved at this moment."""
    return import_players(
        content=b'name,club,rating\n"Lovell, Maureen T",Ashdown,2050\n',
        source="test",
        pool="standard",
        as_of=AT.date(),
        by=None,
    )


def new_rows(outcome):
    return outcome.new if isinstance(outcome, Report) else type(outcome)


def test_one_file_twice_at_once_is_stored_once():
    pool()
    outcomes = together(import_season, import_season)
    assert sorted(map(new_rows, outcomes)) == [0, 2]
    assert (Board.objects.count(), Player.objects.count()) == (2, 4)
    assert verify() == []


def test_without_its_lock_the_second_import_fails(monkeypatch):
    pool()
    monkeypatch.setattr(registry, "lock_for_import", lambda: None)
    outcomes = together(*meeting('INSERT INTO "clubs_club"', import_season, import_season))
    assert {type(outcome) for outcome in outcomes} == {Report, IntegrityError}


def test_an_opening_rating_beside_a_card_is_as_a_rebuild():
    scene = make_scene(played_before=False)
    outcomes = together(lambda: scene.record("=1=01=", version=0), import_rating)
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert OpeningRating.objects.filter(system="elo").count() == 1
    assert verify() == []


def test_without_the_pools_locks_the_card_rates_from_the_old_opening(monkeypatch):
    scene = make_scene(played_before=False)
    monkeypatch.setattr(people, "lock_pools", lambda: list(RatingPool.objects.all()))
    outcomes = []

    def read_then_let_the_import_run(execute, sql, *rest):
        answer = execute(sql, *rest)
        if "FROM ratings_openingrating" in sql and not outcomes:
            outcomes.extend(together(import_rating))
        return answer

    with connection.execute_wrapper(read_then_let_the_import_run):
        scene.record("=1=01=", version=0)
    assert [type(outcome) for outcome in outcomes] == [Report]
    assert rebuilding.check(pool())
