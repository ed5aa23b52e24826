"""The ledger of rated games: made equal to what a source says was played."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from clubs.constraints import check_now

from .models import EloGame, GradedGame, RatedEvent, RatedGame, RatingPool
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


def post(*, event: RatedEvent, keys: Collection[str], games: Iterable[Played]) -> Touched:
    """Make the ledger under `keys` equal to `games`; the pool's lock is held.

    A key without a game loses its row. Returns what was touched, for `ratings.live.update`;
    nothing is touched when the ledger said the same already.
    """
    wanted = {game.source_key: game for game in games}
    stored = {
        row[1]: row
        for row in RatedGame.objects.filter(source_key__in={*keys, *wanted}).values_list(
            "pk", *Played._fields
        )
    }
    touched = Touched()
    gone, changed, new = [], [], []
    for key, (pk, *values) in stored.items():
        old = Played(*values)
        game = wanted.get(key)
        if game == old:
            continue
        touched.add(place_of(event, old), old.white_id, old.black_id)
        if game is None:
            gone.append(pk)
            continue
        touched.add(place_of(event, game), game.white_id, game.black_id)
        touched.moved.add(pk)
        changed.append(RatedGame(pk=pk, event=event, **game._asdict()))
    for key, game in wanted.items():
        if key not in stored:
            touched.add(place_of(event, game), game.white_id, game.black_id)
            new.append(RatedGame(event=event, **game._asdict()))
    write(gone=gone, changed=changed, new=new)
    return touched


def write(*, gone: list[int], changed: list[RatedGame], new: list[RatedGame]) -> None:
    """Delete, change and add rows of the ledger; the total order is checked at once.

    What a grade list made of a game that is no longer the same goes with it.
    """
    altered = [*gone, *(game.pk for game in changed)]
    if altered:
        GradedGame.objects.filter(pk__in=altered)._raw_delete("default")
    if gone:
        EloGame.objects.filter(pk__in=gone)._raw_delete("default")
        RatedGame.objects.filter(pk__in=gone)._raw_delete("default")
    if changed:
        RatedGame.objects.bulk_update(
            changed, [name for name in Played._fields if name != "source_key"]
        )
    if new:
        RatedGame.objects.bulk_create(new)
    if changed or new:
        check_now("ratings_ratedgame_total_order")


def place_of(event: RatedEvent, game: Played) -> Place:
    """Where a game of this event stands in the order of play."""
    return Place(game.played_on, event.key, game.round, game.board, game.number)
