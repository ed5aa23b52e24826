"""Posting whole divisions to the ledger: many cards at once, rated in one go."""

from collections.abc import Collection, Iterator

from games.models import Board, Division
from games.tasks import recompute_later
from ratings import ledger, live

from .cards import key_of, played


def games_of(division: Division) -> Iterator[ledger.Played]:
    """What the ledger must hold of a division: its rateable boards as games."""
    boards = Board.objects.filter(match__division=division).rateable()
    for board in boards.select_related("match"):
        yield played(board.match, board)


def post_divisions(divisions: Collection[Division]) -> int:
    """Make the ledger equal to the boards of these divisions and bring Elo up to date.

    The divisions are locked. Their pools are locked here, by name, and each is rated once, from
    the first game that differs. Returns the number of stored rating rows that were written.
    """
    written = 0
    for name in sorted({division.rated_event.pool_id for division in divisions}):
        pool = ledger.lock_pool(name)
        touched = ledger.Touched()
        for division in divisions:
            if division.rated_event.pool_id == name:
                touched.join(_post(division))
        if touched.since is not None:
            recompute_later(pool=name, since=touched.since.played_on)
        written += live.update(pool=pool, touched=touched)
    return written


def _post(division: Division) -> ledger.Touched:
    event = division.rated_event
    keys = {
        *event.games.values_list("source_key", flat=True),
        *map(key_of, Board.objects.filter(match__division=division).values_list("pk", flat=True)),
    }
    return ledger.post(event=event, keys=keys, games=games_of(division))
