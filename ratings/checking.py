"""Proving stored ratings: each that a rebuild would change, named."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from django.utils.translation import gettext as _

from clubs.models import Player

from . import live, rebuilding
from .elo import PlayerState
from .live import ELO_COLUMNS
from .models import EloGame, RatedGame, RatingPool
from .order_of_play import EloRow
from .rebuilding import Differences

BATCH = 500


@contextmanager
def snapshot():
    """One state of the database for all reads in the block, without a lock: cards go on.

    Within another transaction it is that one's own view.
    """
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def check(pool: RatingPool) -> Iterator[str]:
    """A sentence for each stored row of the pool that a rebuild would change; writes nothing."""
    return sentences(rebuilding.check(pool), pool)


def stale_words(pool: RatingPool) -> str:
    """What there is to say of a stale pool instead of its differences."""
    return _(
        "%(pool)s: ratings from %(day)s on are being worked out again by a job (%(phase)s), and"
        " were not compared."
    ) % {"pool": pool, "day": pool.stale_from, "phase": pool.get_stale_phase_display()}


def sentences(found: Differences, pool: RatingPool) -> Iterator[str]:
    """What differed, games first; call before the rebuild is stored, to name the old values."""
    for batch in found.batches(BATCH):
        pks = [row.game_id for row in batch]
        games = RatedGame.objects.select_related("white", "black").in_bulk(pks)
        stored = {
            row[0]: row for row in EloGame.objects.filter(pk__in=pks).values_list(*ELO_COLUMNS)
        }
        for row in batch:
            yield _("%(pool)s, game %(pk)d, %(game)s: %(what)s") % {
                "pool": pool,
                "pk": row.game_id,
                "game": games[row.game_id],
                "what": _of_game(stored.get(row.game_id), row),
            }
    current = live.current_states(pool, [pk for pk, _state in found.ratings])
    names = Player.objects.in_bulk([pk for pk, _state in found.ratings])
    for pk, state in sorted(found.ratings, key=lambda pair: pair[0]):
        yield _("%(pool)s, player %(pk)d, %(name)s: %(what)s") % {
            "pool": pool,
            "pk": pk,
            "name": names[pk],
            "what": _of_rating(current.get(pk), state),
        }


def _of_game(stored: tuple | None, rebuilt: EloRow) -> str:
    if stored is None:
        return _("not rated")
    return "; ".join(
        _difference(name, old, new)
        for name, old, new in zip(ELO_COLUMNS, stored, rebuilt, strict=True)
        if old != new
    )


def _of_rating(stored: PlayerState | None, rebuilt: PlayerState | None) -> str:
    if stored is None:
        return _("no rating stored")
    if rebuilt is None:
        return _("a rating stored, and no game")
    return "; ".join(
        _difference(name, old, new)
        for name, old, new in zip(stored._fields, stored, rebuilt, strict=True)
        if old != new
    )


def _difference(name: str, stored, rebuilt) -> str:
    return _("%(name)s stored %(stored)s, rebuilt %(rebuilt)s") % {
        "name": name,
        "stored": stored,
        "rebuilt": rebuilt,
    }
