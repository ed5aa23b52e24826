"""The replay by arrays gives the digits of the plain one, whatever is played."""

import itertools
import random
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings import game_arrays, replay
from ratings.elo import CLUB, Opening, Rules, opening_state
from ratings.order_of_play import LedgerGame, Place, rate_all
from tests.benchmarks.nation import generate

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
    return game_arrays.GameArrays(
        np.array([game.game_id for game in games], dtype=np.int64),
        np.array([game.place.played_on for game in games], dtype="datetime64[D]"),
        np.array([game.white_id for game in games], dtype=np.int64),
        np.array([game.black_id for game in games], dtype=np.int64),
        np.array([game.white_halves for game in games], dtype=np.int64),
    )


def assert_same_digits(games, openings, births, rules):
    plain = rate_all(games, openings, births, rules)
    rows, states = replay.replay(as_arrays(games), openings, births, rules)
    assert rows.as_rows() == sorted(plain.rows)
    assert states == {pk: plain.states[pk] for pk in states}


@pytest.mark.parametrize(
    "narrow", [1, replay.NARROW, 10**6], ids=["at once", "mixed", "one by one"]
)
@pytest.mark.parametrize("rules", [CLUB, FLOORED], ids=["no floor", "floor"])
@pytest.mark.parametrize(("mean", "seed"), [(1450, 1), (1900, 2), (2290, 3), (2380, 4)])
def test_arrays_give_the_digits_of_the_plain_replay(monkeypatch, mean, seed, rules, narrow):
    monkeypatch.setattr(replay, "NARROW", narrow)
    choose = random.Random(seed)
    players = list(range(100, 190))
    openings = {
        pk: opening_state(
            Opening(round(choose.gauss(mean, 250) * 10), choose.random() < 0.5), rules
        )
        for pk in players
    }
    births = {pk: date(choose.randrange(1999, 2012), 6, 1) for pk in players[::2]}
    assert_same_digits(random_games(choose, players, 2500), openings, births, rules)


PLAYERS = range(1, 9)


@settings(max_examples=100, deadline=None)
@given(
    games=st.lists(
        st.tuples(
            st.sampled_from(PLAYERS),
            st.sampled_from(PLAYERS),
            st.integers(0, 2),
            st.integers(0, 500),
        ).filter(lambda game: game[0] != game[1]),
        max_size=60,
    ),
    openings=st.lists(
        st.tuples(
            st.one_of(st.integers(1000, 30_000), st.sampled_from([22_994, 22_995, 23_994, 23_995])),
            st.booleans(),
        ),
        min_size=8,
        max_size=8,
    ),
    births=st.dictionaries(st.sampled_from(PLAYERS), st.dates(date(2000, 1, 1), date(2010, 1, 1))),
    floor=st.sampled_from([None, 1200, 2299, 2300]),
    narrow=st.sampled_from([1, 3, 100]),
    full_games=st.sampled_from([2, 30]),
)
def test_any_games_have_the_digits_of_the_plain_replay(
    games, openings, births, floor, narrow, full_games
):
    rules = Rules(
        *("CLUB", CLUB.units, CLUB.expected),
        after_every_game=True,
        floor=floor,
        full_games=full_games,
    )
    start = date(2018, 12, 1)
    played = [
        LedgerGame(1000 - number, Place(start + timedelta(days=day), 0, 0, 0, number), *game, None)
        for number, (*game, day) in enumerate(games)
    ]
    states = {
        pk: opening_state(Opening(*opening), rules)
        for pk, opening in zip(PLAYERS, openings, strict=True)
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay, "NARROW", narrow)
        assert_same_digits(sorted(played, key=lambda game: game.place), states, births, rules)


def test_a_small_nation_has_the_digits_of_the_plain_replay():
    nation = generate(games=6000, players=500)
    games = [
        LedgerGame(key, Place(day, event, *place), white, black, halves, None)
        for key, event, day, *place, white, black, halves in nation.games
    ]
    openings = {
        pk: opening_state(Opening(10 * strength, pk % 3 == 0))
        for pk, strength in enumerate(nation.strengths, 1)
    }
    births = {pk: date(1998 + pk % 12, 1, 1) for pk in range(1, 501, 4)}
    assert_same_digits(sorted(games, key=lambda game: game.place), openings, births, CLUB)


def test_players_of_far_apart_numbers():
    games = [
        LedgerGame(number, Place(date(2024, 1, 1), 0, 0, 0, number), *sides, 2, None)
        for number, sides in enumerate([(1, 10**12), (10**12, 5), (5, 1)])
    ]
    openings = {pk: opening_state(Opening(15_000, False)) for pk in (1, 5, 10**12)}
    assert_same_digits(games, openings, {}, CLUB)


def test_no_games_at_all():
    rows, states = replay.replay(as_arrays([]), {}, {}, CLUB)
    assert (len(rows.game_id), states) == (0, {})


def test_progress_goes_up_to_the_whole():
    choose = random.Random(1)
    openings = {pk: opening_state(Opening(15_000, False)) for pk in range(8)}
    told = []
    replay.replay(as_arrays(random_games(choose, range(8), 300)), openings, {}, CLUB, told.append)
    assert told == sorted(told)
    assert told[-1] == 1


@pytest.mark.parametrize("far", [1, 10**6, 2**40], ids=["near", "far", "beyond one number"])
def test_the_order_of_play_by_day_key_round_board_and_number(far):
    choose = random.Random(far)
    places = [
        (*place[:2], *(part * far for part in place[2:]))
        for place in itertools.product(range(3), range(4), *[range(3)] * 3)
    ]
    choose.shuffle(places)
    keys = {event: choose.randrange(-(2**62), 2**62) for event in range(4)}
    count = len(places)
    day, event, round_, board, number = (np.array(column) for column in zip(*places, strict=True))
    same = np.zeros(count, dtype=np.int32)
    games = game_arrays.in_order_of_play(
        *(np.arange(count), event, day, round_, board, number, same, same, same), keys
    )
    assert games.game_id.tolist() == sorted(
        range(count), key=lambda n: (places[n][0], keys[places[n][1]], *places[n][2:])
    )
