"""The replay by arrays gives the digits of the plain one, and stores them under the same keys."""

import random
from datetime import date, timedelta

import numpy as np
import pytest
from django.db import connection

from ratings import rebuilding, replay
from ratings.elo import CLUB, Opening, Rules, opening_state
from ratings.models import EloGame, EloRating
from ratings.order_of_play import LedgerGame, Place, rate_all
from tests.factories import PlayerFactory, RatedEventFactory, RatedGameFactory

FLOORED = Rules("CLUB", CLUB.units, CLUB.expected, after_every_game=True, floor=1400)


def random_games(choose, players, count):
    start = date(2020, 1, 1)
    return [
        LedgerGame(
            number + 1,
            Place(start + timedelta(days=number * 1800 // count), 0, 0, 0, number),
            *choose.sample(players, 2),
            choose.randrange(3),
            None,
        )
        for number in range(count)
    ]


def as_arrays(games):
    return replay.GameArrays(
        np.array([game.game_id for game in games], dtype=np.int64),
        np.array([game.place.played_on for game in games], dtype="datetime64[D]"),
        np.array([game.white_id for game in games], dtype=np.int64),
        np.array([game.black_id for game in games], dtype=np.int64),
        np.array([game.white_halves for game in games], dtype=np.int64),
    )


@pytest.mark.parametrize("rules", [CLUB, FLOORED], ids=["no floor", "floor"])
@pytest.mark.parametrize(("mean", "seed"), [(1450, 1), (1900, 2), (2290, 3), (2380, 4)])
def test_arrays_give_the_digits_of_the_plain_replay(mean, seed, rules):
    choose = random.Random(seed)
    players = list(range(100, 125))
    openings = {
        pk: opening_state(
            Opening(round(choose.gauss(mean, 250) * 10), choose.random() < 0.5), rules
        )
        for pk in players
    }
    births = {pk: date(choose.randrange(1999, 2012), 6, 1) for pk in players[::2]}
    games = random_games(choose, players, 1500)
    plain = rate_all(games, openings, births, rules)
    rows, states = replay.replay(as_arrays(games), openings, births, rules)
    assert rows.as_rows() == plain.rows
    assert states == plain.states


def test_no_games_at_all():
    rows, states = replay.replay(as_arrays([]), {}, {}, CLUB)
    assert (len(rows.game_id), states) == (0, {})


def constraints():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conrelid = 'ratings_elogame'::regclass ORDER BY 1"
        )
        return cursor.fetchall()


@pytest.mark.django_db
@pytest.mark.parametrize("rewrite_from", [0, 10**6])
def test_a_rebuild_of_most_rows_keeps_keys_and_the_rows_of_other_pools(monkeypatch, rewrite_from):
    monkeypatch.setattr(rebuilding, "REWRITE_FROM", rewrite_from)
    choose = random.Random(8)
    players = [PlayerFactory() for _ in range(8)]
    for name in ("standard", "rapid"):
        event = RatedEventFactory(pool_id=name)
        for number in range(40):
            white, black = choose.sample(players, 2)
            RatedGameFactory(
                event=event, white=white, black=black, number=number, white_halves=number % 3
            )
    before = constraints()
    rebuilding.rebuild("rapid")
    rapid = list(EloGame.objects.order_by("pk").values_list())
    assert len(rebuilding.rebuild("standard")) == 40 + 8
    assert constraints() == before
    assert (
        list(EloGame.objects.filter(pk__in=[row[0] for row in rapid]).order_by("pk").values_list())
        == rapid
    )
    assert EloGame.objects.count() == 80
    EloGame.objects.update(white_change=7)
    EloRating.objects.update(rating=7)
    assert len(rebuilding.rebuild("standard")) >= 40
    assert not rebuilding.check(event.pool.__class__.objects.get(pk="standard"))
    assert constraints() == before
