"""Corrections at the same moment: each ends as if they had come one after the other."""

import datetime
import threading
from functools import partial

import pytest
from django.db import connection, connections

from games.grading_office import corrections
from games.grading_office.verification import verify
from games.models import Board
from ratings import rebuilding
from ratings.catching_up import catch_up
from ratings.corrections import CannotCorrect, GameFacts, facts_of
from ratings.effects import carry_out
from ratings.models import EloGame, GameCorrection, RatedGame, RatingPool
from tests.factories import PlayerFactory, RatedEventFactory, RatedGameFactory
from tests.games.card_scene import AT, make_scene
from tests.games.match_cards.test_card_races import together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("evening")]
PATIENCE = 30


def with_result(game: RatedGame, halves: int) -> corrections.Correction:
    facts = facts_of(game)
    facts = GameFacts(facts.played_on, facts.white, facts.black, halves)
    return corrections.of_game(game=game, facts=facts, reason="seen twice", by=None, at=AT)


def game_of_card() -> RatedGame:
    make_scene(played_before=False).record("=1=01=")
    board = Board.objects.get(number=2)
    return RatedGame.objects.get(source_key=f"board:{board.pk}")


def game_of_elsewhere() -> RatedGame:
    event = RatedEventFactory()
    players = PlayerFactory.create_batch(2)
    game = RatedGameFactory(event=event, white=players[0], black=players[1], white_halves=2)
    rebuilding.rebuild("standard")
    return game


GAMES = pytest.mark.parametrize("make", [game_of_card, game_of_elsewhere])


@GAMES
def test_of_two_corrections_of_one_game_one_is_shown_what_the_other_did(make):
    """Both saw the same; who comes second is shown his preview anew and has stored nothing."""
    game = make()
    both = [with_result(game, halves) for halves in (0, 1)]
    seals = [carry_out(each)[0].seal for each in both]
    outcomes = together(
        *(partial(carry_out, each, seen=seal) for each, seal in zip(both, seals, strict=True))
    )
    assert sorted(is_done for _effect, is_done in outcomes) == [False, True]
    winner = [is_done for _effect, is_done in outcomes].index(True)
    assert RatedGame.objects.get(pk=game.pk).white_halves == (0, 1)[winner]
    loser = outcomes[1 - winner][0]
    assert loser.seal != seals[1 - winner]
    assert GameCorrection.objects.count() == (make is game_of_elsewhere)
    assert verify() == []
    assert carry_out(both[1 - winner], seen=loser.seal)[1]
    assert RatedGame.objects.get(pk=game.pk).white_halves == (0, 1)[1 - winner]
    assert verify() == []


@GAMES
def test_a_game_deleted_while_another_corrects_it(make):
    game = make()
    gone = corrections.of_game(game=game, facts=None, reason="never played", by=None, at=AT)
    other = with_result(game, 0)
    seals = [carry_out(each)[0].seal for each in (gone, other)]
    outcomes = together(
        partial(carry_out, gone, seen=seals[0]), partial(carry_out, other, seen=seals[1])
    )
    done = [not isinstance(each, Exception) and each[1] for each in outcomes]
    assert sum(done) == 1
    if done[0] and make is game_of_elsewhere:
        assert isinstance(outcomes[1], CannotCorrect)
    assert RatedGame.objects.filter(pk=game.pk).exists() == done[1]
    assert verify() == []


def test_a_correction_beside_the_card_of_the_same_match_deadlocks_with_nothing():
    """The preview locks as a card does: match, people, pool."""
    scene = make_scene(played_before=False)
    scene.record("=1=01=")
    board = Board.objects.get(number=2)
    game = RatedGame.objects.get(source_key=f"board:{board.pk}")

    def previews():
        return [carry_out(with_result(game, 1))[0].games for _turn in range(5)]

    def cards():
        written = []
        for results in ("111111", "000000", "======", "1=1=1=", "=1=01="):
            written.append(scene.record(results).changed)
        return written

    outcomes = together(previews, cards, previews)
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert outcomes[1] == [True] * 5
    assert verify() == []


def test_a_card_saved_while_the_job_computes_is_rated_by_it(settings):
    scene = make_scene(played_before=False)
    old = RatedGameFactory(
        event=scene.match.division.rated_event,
        played_on=datetime.date(2026, 1, 5),
        white=scene.home[0],
        black=scene.away[0],
        source_key="old",
    )
    rebuilding.rebuild("standard")
    settings.MOST_GAMES_RATED_AT_ONCE = 0
    old_facts = with_result(old, 0)
    assert carry_out(old_facts, seen=carry_out(old_facts)[0].seal)[1]
    assert RatingPool.objects.get(pk="standard").stale_from == datetime.date(2026, 1, 5)

    there, go_on, outcome = threading.Event(), threading.Event(), []

    def wait(execute, sql, params, many, context):
        if "FOR NO KEY UPDATE" in sql:
            there.set()
            assert go_on.wait(PATIENCE)
        return execute(sql, params, many, context)

    def job():
        try:
            with connection.execute_wrapper(wait):
                outcome.append(catch_up("standard"))
        finally:
            there.set()
            connections.close_all()

    thread = threading.Thread(target=job)
    thread.start()
    assert there.wait(PATIENCE)
    recorded = scene.record("=1=01=")
    assert (recorded.changed, recorded.ratings_written) == (True, 0)
    assert EloGame.objects.count() == 1
    go_on.set()
    thread.join(PATIENCE)
    assert outcome[0] > 0
    assert EloGame.objects.count() == 7
    pool = RatingPool.objects.get(pk="standard")
    assert pool.stale_from is None and not rebuilding.check(pool)
