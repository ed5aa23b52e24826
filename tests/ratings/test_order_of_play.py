"""A change followed through later games: read in parts or whole, it gives what a rebuild gives."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings import order_of_play
from ratings.elo import CLUB, Opening, opening_state
from ratings.ledger import Touched
from ratings.order_of_play import LedgerGame, Place, rate_again, rate_all, rate_reached

FIRST_DAY = date(2024, 9, 1)
DAYS = 200
PLAYERS = range(1, 9)
# Marks, juniors and the thirtieth game: all that may make a K another.
RULES = replace(CLUB, full_games=4, junior_mark=1550, high_mark=1600)
BIRTHS = {1: date(2006, 5, 1), 2: date(2007, 5, 1)}
OPENINGS = {pk: opening_state(Opening(14300 + 300 * pk, pk % 3 == 0), RULES) for pk in PLAYERS}
ESTABLISHED = {pk: state.established for pk, state in OPENINGS.items()}

days = st.integers(0, DAYS).map(lambda n: FIRST_DAY + timedelta(days=n))
pairs = st.permutations(PLAYERS).map(lambda order: (order[0], order[1]))
# (day, the two players, White's half-points): a number in the source makes the place its own.
games = st.tuples(days, pairs, st.integers(0, 2))
changes = st.tuples(st.sampled_from(["change", "delete", "insert"]), st.integers(0, 10**6), games)


def game(number, played) -> LedgerGame:
    day, (white, black), halves = played
    return LedgerGame(number, Place(day, 0, 0, 0, number), white, black, halves, None)


def in_order(ledger) -> list[LedgerGame]:
    return sorted(ledger.values(), key=lambda game: game.place)


def rated(ledger):
    """The ledger with its rows as a rebuild stores them, and everybody's last state."""
    bare = [game._replace(stored=None) for game in in_order(ledger)]
    rows, states, _began = rate_all(bare, OPENINGS, BIRTHS, RULES)
    stored = {row.game_id: row for row in rows}
    return {pk: one._replace(stored=stored[pk]) for pk, one in ledger.items()}, states


def changed(ledger, steps):
    """The ledger after these changes, its stored rows as before them, and what they touched."""
    ledger, touched = dict(ledger), Touched()
    for kind, choice, played in steps:
        number = 1000 + len(ledger) if kind == "insert" else sorted(ledger)[choice % len(ledger)]
        old, new = ledger.pop(number, None), game(number, played)
        if old is not None:
            touched.add(old.place, old.white_id, old.black_id)
        if kind != "delete" or not ledger:
            touched.add(new.place, new.white_id, new.black_id)
            ledger[number] = new
    return ledger, touched


@given(
    st.lists(games, min_size=1, max_size=60),
    st.lists(changes, min_size=1, max_size=3),
    st.sampled_from([0, 6, 60, 400]),
)
@settings(max_examples=300, deadline=None)
def test_whatever_changes_the_reached_games_are_those_that_differ(played, steps, days_at_once):
    before, _states = rated({n: game(n, one) for n, one in enumerate(played)})
    after, touched = changed(before, steps)
    earlier = [game for game in in_order(after) if game.place < touched.since]
    at_since = rate_all(earlier, OPENINGS, BIRTHS, RULES).states
    start = {pk: at_since[pk] for pk in touched.until}
    later = [game for game in in_order(after) if game.place >= touched.since]
    read = []

    def reader(players, first, last):
        found = [
            game
            for game in later
            if first <= game.place.played_on <= last
            and not {game.white_id, game.black_id}.isdisjoint(players)
        ]
        read.extend(found)
        return found

    known = (touched.until, ESTABLISHED, BIRTHS, RULES)
    whole = rate_again(later, start, *known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order_of_play, "DAYS_AT_ONCE", timedelta(days=days_at_once))
        last = max((game.place.played_on for game in later), default=date.min)
        parts = rate_reached(reader, touched.since.played_on, last, start, *known)
    rebuilt, states = rated(after)

    assert (parts.rows, parts.states) == (whole.rows, whole.states)
    ratings = {row.game_id: row for row in parts.rows}
    assert all(ratings.get(pk, one.stored) == rebuilt[pk].stored for pk, one in after.items())
    assert all(states.get(pk, OPENINGS[pk]) == state for pk, state in parts.states.items())


def test_games_of_players_who_never_differ_are_not_read():
    before, _states = rated(
        {n: game(n, (FIRST_DAY + timedelta(days=n), pair, 1)) for n, pair in enumerate(PAIRS)}
    )
    after, touched = changed(before, [("change", 0, (FIRST_DAY, (1, 2), 2))])
    read = set()

    def reader(players, first, last):
        found = [one for one in after.values() if {one.white_id, one.black_id} & set(players)]
        read.update(one.game_id for one in found)
        return found

    known = (touched.until, ESTABLISHED, BIRTHS, RULES)
    last = FIRST_DAY + timedelta(days=len(PAIRS))
    start = {pk: OPENINGS[pk] for pk in touched.until}
    found = rate_reached(reader, FIRST_DAY, last, start, *known)
    assert [row.game_id for row in found.rows] == [0, 2, 3]
    assert read == {0, 2, 3}


# The first pair's result reaches the third and the fourth game.
PAIRS = [(1, 2), (5, 6), (2, 3), (4, 3), (7, 8), (5, 7)]
