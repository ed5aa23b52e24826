"""Cards saved at the same moment: with the locks nothing is lost, without them it would be.

Each race has a twin in which its lock alone is taken away, and in which the two sides are made to
meet at the worst moment; the twin shows what the lock prevents.
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from django.db import IntegrityError, connection, connections
from django.test import Client

from clubs.models import Player, PlayerState
from games.match_cards import cards
from games.match_cards.card_entries import NewPlayer
from games.match_cards.cards import CardChanged, Recorded
from games.models import Board, Match
from ratings import ledger, rebuilding
from ratings.models import RatedGame, RatingPool
from tests import factories
from tests.games.card_html import opened, results
from tests.games.card_scene import make_scene

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("evening")]

PATIENCE = 30  # seconds, before a race that hangs is a failure


@pytest.fixture
def scene():
    return make_scene(played_before=False)


def together(*calls) -> list:
    """What each call returned or raised, all of them begun at the same moment."""
    start = threading.Barrier(len(calls), timeout=PATIENCE)

    def run(call):
        try:
            start.wait()
            return call()
        except Exception as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls, timeout=PATIENCE))


def without_lock_of_the_match(monkeypatch) -> None:
    def read_match(pk: int) -> Match:
        return Match.objects.select_related("division__rated_event", "home", "away").get(pk=pk)

    monkeypatch.setattr(cards, "lock_match", read_match)


def meeting(before: str, *calls) -> list:
    """The calls, each of which waits for the others before its first statement that holds `before`.

    So each has read and checked before any has written.
    """
    met = threading.Barrier(len(calls), timeout=PATIENCE)
    return [pausing(call, before, met) for call in calls]


def pausing(call, before: str, met: threading.Barrier):
    """The call, which waits at `met` before its first statement that holds `before`."""

    def wait(execute, sql, params, many, context):
        if before in sql and not waited:
            waited.append(True)
            met.wait()
        return execute(sql, params, many, context)

    waited: list[bool] = []

    def run():
        with connection.execute_wrapper(wait):
            return call()

    return run


def ratings_are_a_rebuild() -> bool:
    return not rebuilding.check(factories.pool())


def results_of(match) -> list[int | None]:
    return list(match.boards.order_by("number").values_list("result", flat=True))


# --- The same card twice -----------------------------------------------------------------


def test_a_double_submit_saves_once(scene):
    entries = scene.entries("=1=01=")
    entries[5] = replace(entries[5], away=NewPlayer("Newman", "Zebedee", scene.match.away.club_id))

    def save():
        return scene.record(boards=entries, version=0, by=scene.captain)

    outcomes = together(save, save, save)
    assert sorted(outcome.changed for outcome in outcomes) == [False, False, True]
    assert results_of(scene.match) == [1, 2, 1, 0, 2, 1]
    assert scene.reload().version == 1
    assert RatedGame.objects.count() == 6 and ratings_are_a_rebuild()
    assert Player.objects.filter(state=PlayerState.PENDING).count() == 1


def test_without_its_lock_a_double_submit_fails(scene, monkeypatch):
    without_lock_of_the_match(monkeypatch)

    def save():
        return scene.record("=1=01=", version=0, by=scene.captain)

    calls = meeting('INSERT INTO "games_board"', save, save)
    outcomes = sorted(together(*calls), key=lambda outcome: isinstance(outcome, Exception))
    assert outcomes[0].changed
    assert isinstance(outcomes[1], IntegrityError)
    assert "games_board_one_per_number" in str(outcomes[1])


# --- Two people, one card ----------------------------------------------------------------


def savers(scene):
    """The captain changes board 1, the secretary board 2, of the same saved card."""
    scene.record("======")

    def captain():
        return scene.record("1=====", version=1, by=scene.captain)

    def secretary():
        return scene.record("=0====", version=1, by=scene.secretary)

    return captain, secretary


def test_of_two_savers_one_is_told_what_the_other_saved(scene):
    outcomes = together(*savers(scene))
    [saved] = [outcome for outcome in outcomes if isinstance(outcome, Recorded)]
    [told] = [outcome for outcome in outcomes if isinstance(outcome, CardChanged)]
    assert results_of(scene.match) == [board.result for board in saved.boards]
    assert [board.result for board in told.boards] == results_of(scene.match)
    assert told.match.entered_by == saved.match.entered_by
    assert scene.reload().version == 2
    assert ratings_are_a_rebuild()


def test_without_its_lock_two_savers_mix_their_cards_and_nobody_is_told(scene, monkeypatch):
    both = savers(scene)
    without_lock_of_the_match(monkeypatch)
    outcomes = together(*meeting('UPDATE "games_board"', *both))
    assert [type(outcome) for outcome in outcomes] == [Recorded, Recorded]
    assert results_of(scene.match) == [2, 0, 1, 1, 1, 1]
    assert scene.reload().version == 2


def test_nothing_is_lost_of_what_two_people_typed_on_the_page(scene):
    scene.record("======")

    def save(user, results):
        client = Client()
        client.force_login(user)
        form = scene.form(results, version=1) | opened(client.get(scene.url).content.decode())
        return lambda: client.post(scene.url, form)

    typed = {"1=====": save(scene.captain, "1====="), "=0====": save(scene.secretary, "=0====")}
    responses = dict(zip(typed, together(*typed.values()), strict=True))
    [saved] = [results for results, response in responses.items() if response.status_code == 302]
    [refused] = [response for response in responses.values() if response.status_code == 200]
    assert results_of(scene.match) == [{"1": 2, "=": 1, "0": 0}[result] for result in saved]
    html = refused.content.decode()
    assert "after you opened it" in html
    assert results(html) == {1: "2", 2: "0", 3: "1", 4: "1", 5: "1", 6: "1"}


# --- Two cards, one new player ---------------------------------------------------------


def two_cards_of_a_new_player(scene):
    """The calls that save cards of two divisions, each with the same new player of one club."""
    away = scene.match.away
    season = scene.match.division.season
    sister = factories.DivisionFactory(season=season, slug="sister", board_count=6)
    second = factories.TeamFactory(division=sister, club=away.club, name="Hartfield B")
    match = factories.MatchFactory(division=sister, away=second, played_on=scene.match.played_on)
    other = replace(scene, match=match, home=[factories.PlayerFactory() for _ in range(6)])

    def save(one, forenames):
        new = NewPlayer("Newman", forenames, away.club_id)
        boards = [replace(one.entries("1")[0], away=new)]
        return lambda: one.record(boards=boards, version=0, by=scene.officer)

    return save(scene, "Zebedee"), save(other, "ZEBEDEE")


def newmans() -> list[int]:
    return list(Player.objects.filter(search_name="zebedee newman").values_list("pk", flat=True))


def test_two_cards_of_one_new_player_make_him_once(scene):
    outcomes = together(*two_cards_of_a_new_player(scene))
    assert [outcome.changed for outcome in outcomes] == [True, True]
    assert [board.away_player_id for one in outcomes for board in one.boards] == newmans() * 2
    assert RatedGame.objects.count() == 2 and ratings_are_a_rebuild()


def test_without_the_clubs_lock_two_cards_make_him_twice(scene, monkeypatch):
    monkeypatch.setattr(cards, "lock_clubs_of_new_players", lambda boards: None)
    together(*meeting('INSERT INTO "clubs_player"', *two_cards_of_a_new_player(scene)))
    assert len(newmans()) == 2


# --- Two cards, one player ---------------------------------------------------------------


def two_cards(scene):
    """Cards of two divisions of one pool that share a player, and the two calls that save them."""
    sister = factories.DivisionFactory(season=scene.match.division.season, board_count=6)
    match = factories.MatchFactory(division=sister, round=6, played_on=scene.match.played_on)
    other = replace(scene, match=match, home=list(scene.away), away=[])
    other.home[0] = scene.home[0]
    other.away = [factories.PlayerFactory() for _ in range(6)]
    return (
        lambda: scene.record("111111", version=0, by=scene.captain),
        lambda: other.record("000000", version=0, by=scene.officer),
    )


def test_two_cards_that_share_a_player_rate_him_as_a_rebuild_does(scene):
    outcomes = together(*two_cards(scene))
    assert [outcome.changed for outcome in outcomes] == [True, True]
    assert RatedGame.objects.count() == Board.objects.count() == 12
    assert ratings_are_a_rebuild()


def test_without_the_pools_lock_he_is_rated_from_a_state_the_other_changes(scene, monkeypatch):
    monkeypatch.setattr(ledger, "lock_pool", lambda name: RatingPool.objects.get(pk=name))
    outcomes = together(*meeting("INSERT INTO ratings_elogame", *two_cards(scene)))
    assert [outcome.changed for outcome in outcomes] == [True, True]
    assert RatedGame.objects.count() == 12
    found = rebuilding.check(factories.pool())
    assert found and scene.home[0].pk in [player for player, _state in found.ratings]
