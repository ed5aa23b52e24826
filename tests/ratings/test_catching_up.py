"""A change too large for a request: the fact at once, the ratings by a job, equal to a rebuild.

Whatever comes while the job works, and wherever it dies.
"""

import datetime
import threading
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection, connections, transaction
from procrastinate.contrib.django.models import ProcrastinateJob

from clubs import registry
from clubs.models import Player
from ratings import people, rebuilding
from ratings.catching_up import catch_up
from ratings.models import EloGame, EloRating, RatedGame, RatingPool, StaleTouch
from ratings.tasks import rate_stale_pools
from tests.factories import ClubFactory, PlayerFactory
from tests.job_queue import jobs, work
from tests.ratings.stale_scene import (
    FIRST,
    WEEK,
    assert_up_to_date,
    game_of,
    record,
    season,  # noqa: F401  (a fixture)
    standard,
    stored,
)
from tests.waiting import somebody_waits, wait_for

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 30
TASK = "rate_stale_pool"


def turned_round(game):
    """The game with another result."""
    return game._replace(white_halves=0 if game.white_halves else 2)


def correct_the_first_game(made) -> int:
    event, players = made
    return record(event, turned_round(game_of(players, 0, 0)))


@contextmanager
def paused(call, before: str):
    """The call in a thread of its own, held before its first statement that holds `before`.

    At the end of the block it goes on, and what it returns or raises is appended to the list.
    """
    there, go_on, outcome = threading.Event(), threading.Event(), []

    def wait(execute, sql, params, many, context):
        if before in sql and not there.is_set():
            there.set()
            assert go_on.wait(PATIENCE)
        return execute(sql, params, many, context)

    def run():
        try:
            with connection.execute_wrapper(wait):
                outcome.append(call())
        except Exception as error:
            outcome.append(error)
        finally:
            there.set()
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    assert there.wait(PATIENCE)
    assert not outcome
    try:
        yield outcome
    finally:
        go_on.set()
        thread.join(PATIENCE)


LOCK = "FOR NO KEY UPDATE"


# --- What is left to the job -----------------------------------------------------------------


def test_a_large_correction_stores_the_fact_and_leaves_the_ratings_to_a_job(season):  # noqa: F811
    event, players = season
    before, version = stored(), standard().ledger_version
    assert correct_the_first_game(season) == 0
    assert RatedGame.objects.get(source_key="w0b0").white_halves == 0
    pool = standard()
    assert (pool.stale_from, pool.stale_phase) == (FIRST, "waiting")
    assert pool.ledger_version == version + 1
    assert stored() == before
    assert jobs(TASK) == [({"pool": "standard"}, "todo")]
    work("ratings")
    assert jobs(TASK) == [({"pool": "standard"}, "succeeded")]
    assert_up_to_date()
    assert stored() != before
    assert standard().ledger_version > version + 1


def test_a_small_correction_is_rated_at_once(season):  # noqa: F811
    event, players = season
    assert record(event, turned_round(game_of(players, 9, 0))) > 0
    assert jobs(TASK) == []
    assert_up_to_date()


def test_exactly_so_many_games_are_rated_at_once(season, settings):  # noqa: F811
    event, players = season
    settings.MOST_GAMES_RATED_AT_ONCE = 12
    assert record(event, turned_round(game_of(players, 8, 0))) > 0
    settings.MOST_GAMES_RATED_AT_ONCE = 11
    assert record(event, game_of(players, 8, 0)) == 0
    assert standard().stale_from == FIRST + 8 * WEEK


def test_cards_are_taken_while_stale_and_one_job_rates_them_all(season):  # noqa: F811
    event, players = season
    correct_the_first_game(season)
    for week in (12, 13):
        assert record(event, *(game_of(players, week, board) for board in range(3))) == 0
    assert EloGame.objects.count() == 36 and RatedGame.objects.count() == 42
    assert standard().stale_from == FIRST
    early = game_of(players, 0, 1)._replace(source_key="early", played_on=FIRST - WEEK)
    record(event, early)
    assert standard().stale_from == FIRST - WEEK
    assert StaleTouch.objects.count() == 4
    assert jobs(TASK) == [({"pool": "standard"}, "todo")]
    work("ratings")
    assert_up_to_date()


def test_a_correction_that_fails_leaves_no_job_and_no_stale_pool(season):  # noqa: F811
    event, players = season
    with pytest.raises(RuntimeError), transaction.atomic():
        correct_the_first_game(season)
        raise RuntimeError
    assert jobs(TASK) == []
    assert_up_to_date()


def test_other_pools_are_rated_as_ever(season):  # noqa: F811
    event, players = season
    correct_the_first_game(season)
    event.pool_id = "rapid"
    event.pk, event.source, event.key = None, "other", event.key + 1
    event.save()
    assert record(event, game_of(players, 12, 0)._replace(source_key="other")) == 3
    assert RatingPool.objects.get(pk="rapid").stale_from is None


def test_a_birth_date_and_an_opening_rating_wait_too(season):  # noqa: F811
    event, players = season
    changed = people.correct_birth_date(
        player=players[0].pk, birth_date=datetime.date(2012, 5, 1), by=None
    )
    changed += people.correct_opening(
        player=players[9].pk,
        pool="standard",
        system="elo",
        value=21000,
        dated_on=FIRST,
        source="test",
        by=None,
    )
    assert changed == 0
    work("ratings")
    assert_up_to_date()
    assert EloGame.objects.filter(white_k=40).exists()


def test_a_job_without_a_stale_pool_does_nothing(season):  # noqa: F811
    before, version = stored(), standard().ledger_version
    assert catch_up("standard") == 0
    assert (stored(), standard().ledger_version) == (before, version)


def test_a_rebuild_by_hand_ends_it(season):  # noqa: F811
    correct_the_first_game(season)
    rebuilding.rebuild("standard")
    assert_up_to_date()
    work("ratings")
    assert jobs(TASK) == [({"pool": "standard"}, "succeeded")]
    assert_up_to_date()


# --- What comes while the job works ----------------------------------------------------------


def newcomer(club) -> Player:
    return registry.add_pending(surname="Newman", forenames="Zebedee", club=club.pk, on=FIRST)


def everything_at_once(made) -> None:
    """Games new, corrected, deleted, re-dated, of another player; and a birth date."""
    event, players = made
    record(event, *(game_of(players, 12, board) for board in range(3)))
    record(event, turned_round(game_of(players, 9, 1)))
    record(event, keys=["w10b0", "w0b1"])
    record(event, game_of(players, 11, 2)._replace(played_on=FIRST + 3 * WEEK))
    other = PlayerFactory()
    record(event, game_of(players, 11, 1)._replace(white_id=other.pk))
    people.correct_birth_date(player=players[3].pk, birth_date=FIRST.replace(year=2010), by=None)


@pytest.mark.parametrize("limit", [10, 10_000])
def test_what_comes_while_the_job_computes_is_rated_too(season, settings, limit):  # noqa: F811
    """Little is rated under the lock; of much, the job begins again."""
    correct_the_first_game(season)
    with paused(lambda: catch_up("standard"), LOCK) as outcome:
        everything_at_once(season)
        settings.MOST_GAMES_RATED_AT_ONCE = limit
        assert EloGame.objects.filter(game__source_key="w12b0").count() == 0
    assert outcome[0] > 0
    assert_up_to_date()


def test_a_player_of_the_snapshot_may_have_left_the_registry(season):  # noqa: F811
    event, players = season
    correct_the_first_game(season)
    club = ClubFactory()
    other = newcomer(club)
    game = game_of(players, 12, 0)._replace(white_id=other.pk)
    record(event, game)
    with paused(lambda: catch_up("standard"), LOCK) as outcome:
        record(event, game._replace(white_id=players[0].pk))
        registry.drop_pending([other.pk])
        assert not Player.objects.filter(pk=other.pk).exists()
    assert outcome[0] > 0
    assert_up_to_date()


def test_a_rebuild_while_the_job_computes_makes_it_needless(season):  # noqa: F811
    correct_the_first_game(season)
    with paused(lambda: catch_up("standard"), LOCK) as outcome:
        rebuilding.rebuild("standard")
        assert_up_to_date()
    assert outcome == [0]
    assert_up_to_date()


def test_stale_once_more_after_that_rebuild_the_job_begins_again(season):  # noqa: F811
    event, players = season
    correct_the_first_game(season)
    with paused(lambda: catch_up("standard"), LOCK) as outcome:
        rebuilding.rebuild("standard")
        record(event, turned_round(game_of(players, 1, 1)))
        assert standard().stale_from == FIRST + WEEK
    assert outcome[0] > 0
    assert_up_to_date()


def test_two_jobs_at_once_store_it_once(season):  # noqa: F811
    correct_the_first_game(season)
    with paused(lambda: catch_up("standard"), LOCK) as outcome:
        assert catch_up("standard") > 0
    assert outcome == [0]
    assert_up_to_date()


def test_a_card_waits_for_the_job_to_store_and_is_rated_at_once(season):  # noqa: F811
    event, players = season
    correct_the_first_game(season)
    written = []

    def card():
        written.append(record(event, game_of(players, 12, 0)))
        connections.close_all()

    with paused(lambda: catch_up("standard"), 'DELETE FROM "ratings_staletouch"') as outcome:
        thread = threading.Thread(target=card)
        thread.start()
        wait_for(somebody_waits)
    thread.join(PATIENCE)
    assert outcome[0] > 0 and written == [3]
    assert_up_to_date()


def test_a_correction_during_a_rebuild_waits_for_it(season, settings):  # noqa: F811
    event, players = season
    settings.MOST_GAMES_RATED_AT_ONCE = 10_000
    EloGame.objects.filter(game__round__gte=6).update(white_change=7)
    written = []

    def correction():
        written.append(record(event, turned_round(game_of(players, 0, 0))))
        connections.close_all()

    with paused(lambda: rebuilding.rebuild("standard"), "INSERT INTO ratings_elogame") as outcome:
        thread = threading.Thread(target=correction)
        thread.start()
        wait_for(somebody_waits)
    thread.join(PATIENCE)
    assert len(outcome[0]) == 18 and written[0] > 0
    assert_up_to_date()


# --- A job that dies ---------------------------------------------------------------------------


class Killed(Exception):
    """The process is no more."""


def test_a_job_that_dies_at_any_statement_leaves_nothing_half(season):  # noqa: F811
    """It dies before its first, second ... statement, until one run is through."""
    before, statements = None, 0
    correct_the_first_game(season)
    before = stored()
    while True:
        left = statements

        def dying(execute, sql, params, many, context):
            nonlocal left
            if left == 0:
                raise Killed
            left -= 1
            return execute(sql, params, many, context)

        try:
            with connection.execute_wrapper(dying):
                catch_up("standard")
            break
        except Killed:
            assert stored() == before
            assert standard().stale_from == FIRST and StaleTouch.objects.count() == 1
        statements += 1
    assert statements > 10
    assert_up_to_date()


def test_a_connection_that_is_cut_off_in_the_middle(season):  # noqa: F811
    """As PostgreSQL sees a kill -9, with the difference written and not committed."""
    correct_the_first_game(season)
    before = stored()

    backend = connection.connection.info.backend_pid

    def cut_off(execute, sql, params, many, context):
        if 'DELETE FROM "ratings_staletouch"' in sql:
            other = connections["default"].copy()
            with other.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [backend])
            other.close()
        return execute(sql, params, many, context)

    with pytest.raises(OperationalError), connection.execute_wrapper(cut_off):
        catch_up("standard")
    connection.close()
    assert stored() == before and standard().stale_phase == "writing"
    catch_up("standard")
    assert_up_to_date()


def test_a_job_that_was_lost_is_queued_anew(season):  # noqa: F811
    correct_the_first_game(season)
    ProcrastinateJob.objects.filter(task_name=TASK).delete()
    rate_stale_pools.defer(timestamp=0)
    work("ratings")
    assert jobs(TASK) == [({"pool": "standard"}, "succeeded")]
    assert_up_to_date()


def test_undoing_the_correction_gives_every_number_back(season):  # noqa: F811
    event, players = season
    before = stored()
    correct_the_first_game(season)
    work("ratings")
    assert stored() != before
    record(event, game_of(players, 0, 0))
    work("ratings")
    assert stored() == before
    assert EloRating.objects.count() == 12
