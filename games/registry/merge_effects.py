"""A merge and its undo as corrections of ratings: tried and shown first, then done."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial

from games.models import PlayerMerge
from ratings.effects import Correction

from .people import lock_for_merge, lock_for_undo, merge_players, undo_merge

# Many games move at once: where a job rates them, nothing is told of the moves beforehand.
UNTOLD = {"game": None, "people": ()}


def of_merge(*, keep: int, drop: int, choices: Mapping[str, str], by, at: datetime) -> Correction:
    """The merge of `drop` into `keep`; every conflict is chosen."""
    return Correction(
        lock=partial(lock_for_merge, keep, drop),
        facts=lambda: ("merge", keep, drop, sorted(choices.items())),
        correct=lambda: (
            merge_players(keep=keep, drop=drop, by=by, at=at, choices=choices).ratings_written
        ),
        **UNTOLD,
    )


def of_undo(*, merge: PlayerMerge, by, at: datetime) -> Correction:
    """The undo of a merge."""
    return Correction(
        lock=partial(lock_for_undo, merge.pk),
        facts=lambda: ("undo", merge.pk),
        correct=lambda: undo_merge(merge=merge.pk, by=by, at=at).ratings_written,
        **UNTOLD,
    )
