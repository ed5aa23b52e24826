"""What a correction does to ratings: shown before it is stored, and held to what was shown."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from django.db import transaction

from clubs.models import Player

from . import checking, game_arrays, rebuilding, staleness
from .elo import PlayerState, displayed
from .ledger import place_of
from .live import current_states, opening_states, rules_of
from .models import PoolName, RatedGame, RatingPool
from .order_of_play import Place

BIGGEST = 10
States = dict[tuple[str, int], PlayerState]


@dataclass(frozen=True, slots=True)
class Move:
    """A player's rating in one pool before and after, in tenths; None where he has none."""

    player: Player
    pool: PoolName
    before: int | None
    after: int | None

    @property
    def by(self) -> int | None:
        """By how many tenths it moves; None where there is none before or after."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def shown_before(self) -> int | None:
        return None if self.before is None else displayed(self.before)

    @property
    def shown_after(self) -> int | None:
        return None if self.after is None else displayed(self.after)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A pool whose ratings a job works out: from which day on, and how many games that are.

    Unless `is_new` it was stale before, and nothing is known of the moves.
    """

    pool: RatingPool
    since: date
    games: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """What a correction does: games rated anew, players whose rating moves, the biggest moves.

    `seal` is a word that is another as soon as any of it, or what is corrected, is another.
    """

    games: int
    players: int
    biggest: list[Move]
    waiting: list[Waiting]
    seal: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction to be tried or done.

    `lock` takes all its locks in the house's order and returns the pools, which come last; `facts`
    says, under the locks, what is stored and what shall be; `correct` does it and returns the
    number of stored rating rows written. Nothing of the ledger changes but the game of this pk,
    if any, and of the facts from outside nothing but those of `people`, who hold everybody who
    plays the game then.
    """

    lock: Callable[[], Collection[RatingPool]]
    facts: Callable[[], object]
    correct: Callable[[], int]
    game: int | None
    people: tuple[int, ...]


def carry_out(correction: Correction, *, seen: str = "") -> tuple[Effect, bool]:
    """The effect of a correction, and whether it was done: where its seal is the one `seen`.

    Else it was tried, by the same workflow under the same locks, and rolled back. What is left to
    a job is worked out after that without a lock, to be shown; its seal says only from which day
    on, so that nobody waits for that when he confirms it. Raises what the workflow raises.
    """
    tried: list[_Tried] = []
    with transaction.atomic():
        pools = list(correction.lock())
        stale = {pool.pk for pool in pools if pool.stale_from is not None}
        facts = correction.facts()
        before = _states(pools)
        written = correction.correct()
        after = _states(pools)
        changed = [key for key in before | after if before.get(key) != after.get(key)]
        games, moves = written - len(changed), _moves(before, after)
        waiting = _waiting(pools, stale)
        seal = _seal(facts, games, moves, waiting)
        is_done = seal == seen
        if not is_done:
            tried = [_tried(correction, each.pool) for each in waiting if each.is_new]
            transaction.set_rollback(True)
    if not is_done:
        waiting = [
            replace(each, games=staleness.games_from(each.pool, each.since)) for each in waiting
        ]
    for each in tried:
        ledger = _as_tried(each)
        rows, states = rebuilding.compute(ledger)
        found = rebuilding.compare(ledger, rows, states)
        games += len(found.differing.game_id)
        moves += _moves(_of_pool(each.pool, ledger.ratings), _of_pool(each.pool, states))
    return _effect(games, moves, waiting, seal), is_done


class _Tried(NamedTuple):
    """What a correction made of a pool's ledger before it was rolled back.

    `place` and `facts` are None where its game is not in the pool (any more).
    """

    pool: RatingPool
    game: int | None
    place: Place | None
    facts: tuple[date, int, int, int] | None
    births: dict[int, date | None]
    openings: dict[int, PlayerState]


def _tried(correction: Correction, pool: RatingPool) -> _Tried:
    game = (
        RatedGame.objects.filter(pk=correction.game, event__pool=pool)
        .select_related("event")
        .first()
    )
    people = Player.objects.filter(pk__in=correction.people)
    return _Tried(
        pool=pool,
        game=correction.game,
        place=place_of(game.event, game) if game else None,
        facts=(game.played_on, game.white_id, game.black_id, game.white_halves) if game else None,
        births=dict(people.values_list("pk", "birth_date")),
        openings=opening_states(correction.people, pool, rules_of(pool)),
    )


def _as_tried(tried: _Tried) -> rebuilding.Ledger:
    """The pool's ledger as it is, with what was tried."""
    with checking.snapshot():
        ledger = rebuilding.read(tried.pool)
        before = staleness.games_before(tried.pool, tried.place, tried.game) if tried.place else 0
    games = ledger.games
    if tried.game is not None:
        games = game_arrays.corrected(games, tried.game, before, tried.facts)
    births = {pk: day for pk, day in (ledger.births | tried.births).items() if day is not None}
    return replace(
        ledger, games=games, births=births, openings={**ledger.openings, **tried.openings}
    )


class _Change(NamedTuple):
    pool: str
    player: int
    before: int | None
    after: int | None

    @property
    def distance(self) -> int:
        """By how many tenths the rating moves, 0 where there is none before or after."""
        return 0 if None in (self.before, self.after) else abs(self.after - self.before)


def _states(pools: Iterable[RatingPool]) -> States:
    found: dict[tuple[str, int], PlayerState] = {}
    for pool in pools:
        found |= _of_pool(pool, current_states(pool, None))
    return found


def _of_pool(pool: RatingPool, states: Mapping[int, PlayerState]) -> States:
    return {(pool.pk, pk): state for pk, state in states.items()}


def _moves(before: States, after: States) -> list[_Change]:
    """Whose rating is another, comes or goes."""
    found = []
    for key in before | after:
        old, new = (states[key].rating if key in states else None for states in (before, after))
        if old != new:
            found.append(_Change(*key, old, new))
    return found


def _waiting(pools: Collection[RatingPool], stale: Collection[str]) -> list[Waiting]:
    """The pools of these that are left to a job now; `stale` are those that were so before.

    Their games are counted later, without a lock.
    """
    rows = RatingPool.objects.stale(*(pool.pk for pool in pools))
    return [
        Waiting(
            pool=pool,
            since=pool.stale_from,
            games=0,
            is_new=pool.pk not in stale,
        )
        for pool in rows
    ]


def _seal(facts: object, games: int, moves: list[_Change], waiting: list[Waiting]) -> str:
    days = [(each.pool.pk, each.since, each.is_new) for each in waiting]
    return hashlib.sha256(repr((facts, games, sorted(moves, key=str), days)).encode()).hexdigest()


def _effect(games: int, moves: list[_Change], waiting: list[Waiting], seal: str) -> Effect:
    moves = sorted(moves, key=lambda move: (-move.distance, move.pool, move.player))
    shown = moves[:BIGGEST]
    players = Player.objects.in_bulk([move.player for move in shown])
    return Effect(
        games=games,
        players=len({move.player for move in moves}),
        biggest=[
            Move(players[move.player], PoolName(move.pool), move.before, move.after)
            for move in shown
        ],
        waiting=waiting,
        seal=seal,
    )
