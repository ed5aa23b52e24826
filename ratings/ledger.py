"""The ledger of rated games: made equal to what a source says was played."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from django.db import connection

from clubs.constraints import check_now

from .models import RatedEvent, RatingPool
from .order_of_play import Place


class Played(NamedTuple):
    """A game as its source tells it; `source_key` identifies it for good and never orders it."""

    source_key: str
    played_on: date
    round: int
    board: int
    number: int
    white_id: int
    black_id: int
    white_halves: int
    colours_known: bool


TOTAL_ORDER = "ratings_ratedgame_total_order"
_COLUMNS = ", ".join(Played._fields)
# One statement, for of what a card asks the reading, comparing and writing would be four. All of
# it sees the ledger as it was before, and that is what comes back.
POST = f"""
    WITH wanted AS (
        SELECT * FROM unnest(
            %(source_key)s::text[], %(played_on)s::date[], %(round)s::int[], %(board)s::int[],
            %(number)s::int[], %(white_id)s::bigint[], %(black_id)s::bigint[],
            %(white_halves)s::int[], %(colours_known)s::boolean[]
        ) AS game ({_COLUMNS})
    ),
    stored AS (SELECT id, {_COLUMNS} FROM ratings_ratedgame WHERE source_key = ANY(%(keys)s)),
    changed AS (SELECT * FROM wanted EXCEPT SELECT {_COLUMNS} FROM stored),
    gone AS (SELECT id FROM stored WHERE source_key <> ALL(%(source_key)s::text[])),
    of_lists AS (
        DELETE FROM ratings_gradedgame WHERE game_id IN (
            SELECT id FROM gone UNION ALL SELECT id FROM stored JOIN changed USING (source_key)
        )
    ),
    of_elo AS (DELETE FROM ratings_elogame WHERE game_id IN (SELECT id FROM gone)),
    of_ledger AS (DELETE FROM ratings_ratedgame WHERE id IN (SELECT id FROM gone)),
    written AS (
        INSERT INTO ratings_ratedgame (event_id, {_COLUMNS})
        SELECT %(event)s, {_COLUMNS} FROM changed
        ON CONFLICT (source_key) DO UPDATE SET
            {", ".join(f"{name} = EXCLUDED.{name}" for name in Played._fields[1:])}
    )
    SELECT id, {_COLUMNS} FROM stored
"""


@dataclass(slots=True)
class Touched:
    """What a posting changed: the places before and after, the people there, the rows to rate anew.

    `until` maps a player's pk to the last place at which one of his games was touched; `moved`
    holds the pks of games whose stored ratings belong to another place.
    """

    since: Place | None = None
    until: dict[int, Place] = field(default_factory=dict)
    moved: set[int] = field(default_factory=set)

    def add(self, place: Place, *player_ids: int) -> None:
        """Note that a game of these players at this place came, went or changed."""
        if self.since is None or place < self.since:
            self.since = place
        for player_id in player_ids:
            if player_id not in self.until or self.until[player_id] < place:
                self.until[player_id] = place

    def join(self, other: "Touched") -> None:
        """Note all that another posting of the same pool changed."""
        if other.since is not None:
            self.add(other.since)
        for player_id, place in other.until.items():
            self.add(place, player_id)
        self.moved |= other.moved


def lock_pool(name: str) -> RatingPool:
    """The pool, its row locked until the transaction ends: taken before the ledger is first read.

    Without it two cards that share a player each rate him from a state the other is changing.
    """
    return RatingPool.objects.select_for_update(no_key=True).get(pk=name)


def open_event(*, source: str, name: str, pool: str, first_day: date | None = None) -> RatedEvent:
    """A new event of the ledger; its key comes from the source text and never changes."""
    return RatedEvent.objects.create(
        source=source,
        name=name,
        pool_id=pool,
        first_day=first_day,
        key=RatedEvent.key_of(source),
    )


def post(
    *, event: RatedEvent, keys: Collection[str], games: Iterable[Played], check: bool = True
) -> Touched:
    """Make the ledger under `keys` equal to `games`; the pool's lock is held.

    A key without a game loses its row. What a grade list made of a game that is no longer the
    same goes with it. Returns what was touched, for `ratings.live.update`; nothing is touched
    when the ledger said the same already. The total order is checked at once, unless the caller
    does it (`TOTAL_ORDER`): raises `IntegrityError`.
    """
    wanted = {game.source_key: game for game in games}
    keys = sorted({*keys, *wanted})
    columns = [list(column) for column in zip(*wanted.values(), strict=True)]
    values = dict(zip(Played._fields, columns or [[]] * len(Played._fields), strict=True))
    with connection.cursor() as cursor:
        cursor.execute(POST, values | {"keys": keys, "event": event.pk})
        stored = {row[1]: (row[0], Played._make(row[1:])) for row in cursor.fetchall()}
    touched = Touched()
    for key in keys:
        pk, old = stored.get(key, (None, None))
        game = wanted.get(key)
        if game == old:
            continue
        for each in (old, game):
            if each is not None:
                touched.add(place_of(event, each), each.white_id, each.black_id)
        if old is not None and game is not None:
            touched.moved.add(pk)
    if check and touched.since is not None:
        check_now(TOTAL_ORDER)
    return touched


def place_of(event: RatedEvent, game: Played) -> Place:
    """Where a game of this event stands in the order of play."""
    return Place(game.played_on, event.key, game.round, game.board, game.number)
