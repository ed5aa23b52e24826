"""Rating games in the order of play: the loop that a new card, a correction and a rebuild share.

Pure: tuples in, tuples out. The rules stand in `ratings.elo`; here stands only which games have
to be rated again. Ratings are in tenths of a point.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, timedelta
from operator import attrgetter
from typing import NamedTuple

from ratings.elo import PlayerState, Rules, marks_reached, plays_as_junior, rate_game


class Place(NamedTuple):
    """Where a game stands in the order of play (rules/elo.md section 1)."""

    played_on: date
    event_key: int
    round: int
    board: int
    number: int


class EloRow(NamedTuple):
    """What one game did to both ratings, as it is stored."""

    game_id: int
    white_before: int
    white_change: int
    white_k: int
    white_games: int
    white_marks: int
    black_before: int
    black_change: int
    black_k: int
    black_games: int
    black_marks: int


class LedgerGame(NamedTuple):
    """A game of the ledger in its place, with its stored row if it has one."""

    game_id: int
    place: Place
    white_id: int
    black_id: int
    white_halves: int
    stored: EloRow | None


class Replayed(NamedTuple):
    """The rows that differ from the stored ones, and the last state of each player who differed.

    `began` holds the place of the game by which each player came to differ who had not before.
    """

    rows: list[EloRow]
    states: dict[int, PlayerState]
    began: Mapping[int, Place]


# The games of some players from one day to another, both included, in no order.
Reader = Callable[[Collection[int], date, date], Iterable[LedgerGame]]

# How many days of games are asked for at once: few make many questions, many read games of
# players who do not differ any more.
DAYS_AT_ONCE = timedelta(days=120)


def rate_all(
    games: Iterable[LedgerGame],
    openings: Mapping[int, PlayerState],
    births: Mapping[int, date],
    rules: Rules,
) -> Replayed:
    """Rate every game from nothing.

    `openings` holds the state before the first game of every player who plays, `births` the
    birth dates that are known. Returns the rows that differ from what is stored, and the state
    of every player after his last game.
    """
    states = dict(openings)
    rows = []
    for game in games:
        row = _rate(game, states, births, rules)
        if row != game.stored:
            rows.append(row)
    return Replayed(rows, states, {})


def rate_again(
    games: Iterable[LedgerGame],
    before: Mapping[int, PlayerState],
    until: Mapping[int, Place],
    established: Mapping[int, bool],
    births: Mapping[int, date],
    rules: Rules,
) -> Replayed:
    """Rate again, from a first change on, only the games whose players' states differ.

    `games` are all of the pool from the first touched place on, in order; `before` holds the
    state there of each player of a touched game, `until` the last place at which one of his
    games was touched: up to it his stored states mean nothing. `established` is known of every
    other player, whose state is read from his own stored rows. A player drops out as soon as
    his state equals the stored one, so a correction dies out (rules/elo.md section 5).
    """
    states = dict(before)
    differing = set(before)
    began: dict[int, Place] = {}
    rows = []
    for game in games:
        sides = (game.white_id, game.black_id)
        if game.stored is not None and differing.isdisjoint(sides):
            continue
        for player_id in sides:
            if player_id not in differing and game.stored is not None:
                states[player_id] = _stored_before(game, player_id, established)
        row = _rate(game, states, births, rules)
        if row != game.stored:
            rows.append(row)
        for player_id in sides:
            touched_later = player_id in until and game.place <= until[player_id]
            if touched_later or not _is_stored_after(
                states[player_id], game, player_id, established, rules
            ):
                if player_id not in differing and player_id not in before:
                    began.setdefault(player_id, game.place)
                differing.add(player_id)
            else:
                differing.discard(player_id)
    return Replayed(rows, {player_id: states[player_id] for player_id in differing}, began)


def rate_reached(
    read: Reader,
    since: date,
    last: date,
    before: Mapping[int, PlayerState],
    until: Mapping[int, Place],
    established: Mapping[int, bool],
    births: Mapping[int, date],
    rules: Rules,
) -> Replayed:
    """As `rate_again`, but asks only for games of players who differ, some weeks at a time.

    `since` is the first touched day and `last` the last with a game. `read` gives no game before
    the first touched place, and fills `established` and `births` with what it meets.
    """
    states, rows = dict(before), []
    day = since
    while states and day <= last:
        end = min(day + DAYS_AT_ONCE, last)
        replayed = _rate_weeks(read, day, end, states, until, established, births, rules)
        rows += replayed.rows
        states = replayed.states
        day = end + timedelta(days=1)
    return Replayed(rows, states, {})


def _rate_weeks(
    read: Reader,
    day: date,
    end: date,
    before: Mapping[int, PlayerState],
    until: Mapping[int, Place],
    established: Mapping[int, bool],
    births: Mapping[int, date],
    rules: Rules,
) -> Replayed:
    """The games of these weeks rated again.

    Whoever comes to differ meanwhile has games that are not read yet: they are, and all is rated
    once more, until nobody is met whose games are missing. What an earlier round made of the days
    after he was met is void then, and players met there may be read for nothing; the days before
    stay as they are, so nobody is met on an earlier day than from which his games were read.
    """
    games: dict[int, LedgerGame] = {}
    known: set[int] = set()
    met: dict[int, date] = dict.fromkeys(before, day)
    while met:
        games.update((game.game_id, game) for game in read(met, min(met.values()), end))
        known.update(met)
        ordered = sorted(games.values(), key=attrgetter("place"))
        replayed = rate_again(ordered, before, until, established, births, rules)
        met = {pk: place.played_on for pk, place in replayed.began.items() if pk not in known}
    return replayed


def state_after_game(
    game: LedgerGame, player_id: int, established: Mapping[int, bool], rules: Rules
) -> PlayerState:
    """The stored state of one of the two players after this game, which has its row."""
    rating, change, _k, games, marks = _stored_side(game, player_id)
    rating += change
    marks = max(marks, marks_reached(rating, rules))
    return PlayerState(rating, games + 1, marks, established.get(player_id, False))


def _rate(
    game: LedgerGame, states: dict[int, PlayerState], births: Mapping[int, date], rules: Rules
) -> EloRow:
    white, black = states[game.white_id], states[game.black_id]
    played_on = game.place.played_on
    rated = rate_game(
        white,
        black,
        game.white_halves,
        plays_as_junior(births.get(game.white_id), played_on),
        plays_as_junior(births.get(game.black_id), played_on),
        rules,
    )
    states[game.white_id], states[game.black_id] = rated.white, rated.black
    return EloRow(
        game.game_id,
        *(white.rating, rated.white_change, rated.white_k, white.games, white.marks),
        *(black.rating, rated.black_change, rated.black_k, black.games, black.marks),
    )


def _stored_side(game: LedgerGame, player_id: int) -> tuple[int, ...]:
    """His rating before, change, K, games and marks, as the game's row has them."""
    row = game.stored
    return row[1:6] if player_id == game.white_id else row[6:]


def _stored_before(
    game: LedgerGame, player_id: int, established: Mapping[int, bool]
) -> PlayerState:
    rating, _change, _k, games, marks = _stored_side(game, player_id)
    return PlayerState(rating, games, marks, established.get(player_id, False))


def _is_stored_after(
    state: PlayerState,
    game: LedgerGame,
    player_id: int,
    established: Mapping[int, bool],
    rules: Rules,
) -> bool:
    """Whether the state is the stored one after the game: most often the rating tells already."""
    if game.stored is None:
        return False
    rating, change, _k, games, _marks = _stored_side(game, player_id)
    if state.rating != rating + change or state.games != games + 1:
        return False
    return state == state_after_game(game, player_id, established, rules)
