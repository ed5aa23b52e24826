"""A merge before it is done: every game that moves, and whose rating moves how far."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from clubs.models import Player
from ratings.elo import displayed
from ratings.models import GradeList, PoolName, RatedGame, RatingPool
from ratings.people import ratings_of

from .merge_checks import Conflict, conflicts_of, reason_not_to_undo, reasons_against
from .models import PlayerMerge
from .people import merge_players, undo_merge
from .person_facts import DROPPED, KEPT

BIGGEST = 10


@dataclass(frozen=True, slots=True)
class RatingMove:
    """A player's rating in one pool before and after, in tenths; None where he has none."""

    player: Player
    pool: PoolName
    before: int | None
    after: int | None

    @property
    def by(self) -> int | None:
        """By how many tenths it moves; None where there is none before or after."""
        return None if None in (self.before, self.after) else self.after - self.before

    @property
    def shown_before(self) -> int | None:
        return None if self.before is None else displayed(self.before)

    @property
    def shown_after(self) -> int | None:
        return None if self.after is None else displayed(self.after)


@dataclass(frozen=True, slots=True)
class Moves:
    """What becomes of ratings: of the two themselves, how many others move, and the biggest.

    `waiting` are the pools whose ratings a job works out, so that nothing is known beforehand.
    """

    own: list[RatingMove]
    others: int
    biggest: list[RatingMove]
    waiting: list[PoolName]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a merge would do, and what stands against it or has to be chosen.

    `games` are those that move, the newest first, as they are now; `on_both` the published lists
    that keep a grade of each. `moves` is None where it is refused.
    """

    keep: Player
    drop: Player
    reasons: list[str]
    conflicts: list[Conflict]
    games: list[RatedGame]
    on_both: list[GradeList]
    moves: Moves | None


def preview_merge(*, keep: int, drop: int, by, at: datetime, choices: Mapping[str, str]) -> Preview:
    """What `merge_players` would do now; where nothing is chosen the kept player's word is taken.

    It is done and rolled back, under the same locks. Raises `Player.DoesNotExist`.
    """
    players = Player.objects.select_related("merged_into").in_bulk([keep, drop])
    if len({keep, drop} & players.keys()) < len({keep, drop}):
        raise Player.DoesNotExist
    kept, dropped = players[keep], players[drop]
    reasons = reasons_against(kept, dropped)
    conflicts = [] if reasons else conflicts_of(kept, dropped)
    of_both = GradeList.objects.published().filter(grades__player=keep)
    moves = None
    if not reasons:
        chosen = {found.name: KEPT for found in conflicts} | {
            name: DROPPED for name, side in choices.items() if side == DROPPED
        }
        with _tried() as found:
            merge_players(keep=keep, drop=drop, by=by, at=at, choices=chosen)
        moves = _moves(found, [keep, drop])
    games = RatedGame.objects.of_player(drop).with_ratings().newest_first()
    return Preview(
        keep=kept,
        drop=dropped,
        reasons=reasons,
        conflicts=conflicts,
        games=list(games),
        on_both=list(of_both.filter(pk__in=GradeList.objects.filter(grades__player=drop))),
        moves=moves,
    )


def preview_undo(*, merge: PlayerMerge, by, at: datetime) -> Moves | None:
    """What `undo_merge` would do to ratings now; None where it cannot be undone."""
    if reason_not_to_undo(merge) is not None:
        return None
    with _tried() as found:
        undo_merge(merge=merge.pk, by=by, at=at)
    return _moves(found, [merge.kept_id, merge.dropped_id])


@dataclass(slots=True)
class _Trial:
    """The ratings before and after what was tried, and the pools that wait for a job then."""

    before: dict[tuple[int, str], int]
    after: dict[tuple[int, str], int] = field(default_factory=dict)
    waiting: list[PoolName] = field(default_factory=list)


@contextmanager
def _tried() -> Iterator[_Trial]:
    """What is done inside leaves nothing behind but the ratings before and after it."""
    found = _Trial(ratings_of())
    with transaction.atomic():
        yield found
        found.after = ratings_of()
        stale = RatingPool.objects.filter(stale_from__isnull=False)
        found.waiting = [PoolName(name) for name in stale.values_list("pk", flat=True)]
        transaction.set_rollback(True)


def _moves(found: _Trial, own: list[int]) -> Moves:
    before, after = found.before, found.after
    keys = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
    others = [key for key in keys if key[0] not in own]
    others.sort(key=lambda key: (-_distance(before.get(key), after.get(key)), key))
    mine = sorted(
        (key for key in before.keys() | after.keys() if key[0] in own),
        key=lambda key: (own.index(key[0]), list(PoolName).index(key[1])),
    )
    players = Player.objects.in_bulk({pk for pk, _pool in [*mine, *others[:BIGGEST]]})

    def move(key: tuple[int, str]) -> RatingMove:
        return RatingMove(players[key[0]], PoolName(key[1]), before.get(key), after.get(key))

    return Moves(
        own=[move(key) for key in mine],
        others=len({pk for pk, _pool in others}),
        biggest=[move(key) for key in others[:BIGGEST]],
        waiting=found.waiting,
    )


def _distance(before: int | None, after: int | None) -> int:
    return 0 if before is None or after is None else abs(after - before)
