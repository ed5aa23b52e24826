"""Posting boards to the ledger: a card's, or those of whole divisions, rated in one go."""

from collections.abc import Collection, Iterable, Iterator
from datetime import date

from games.models import Board, Colour, Division, Match
from games.tasks import recompute_later
from ratings import ledger, live


def rate(match: Match, boards: Iterable[int], today: date) -> int:
    """Make the ledger equal to the match's rateable boards and bring Elo up to date.

    The match is locked; `boards` are the pks of all it has, and of those that were deleted. A
    provisional grade list is worked out again by a job, if the match is before its cutoff. The
    caller checks the total order. Returns the number of stored rating rows that were written.
    """
    event = match.division.rated_event
    pool = ledger.lock_pool(event.pool_id)
    games = [played(match, board) for board in match.boards.rateable()]
    touched = ledger.post(event=event, keys=[*map(key_of, boards)], games=games, check=False)
    days = {match.played_on, touched.since and touched.since.played_on} - {None}
    if days:
        recompute_later(pool=pool.pk, since=min(days), today=today)
    return live.update(pool=pool, touched=touched)


def key_of(board: int) -> str:
    """The ledger's key of the board with this pk."""
    return f"board:{board}"


def played(match: Match, board: Board) -> ledger.Played:
    """A rateable board as the ledger keeps it; unknown colours stand as home with White."""
    home_is_white = board.home_colour != Colour.BLACK
    halves = board.result if home_is_white else 2 - board.result
    sides = (board.home_player_id, board.away_player_id)
    white, black = sides if home_is_white else sides[::-1]
    return ledger.Played(
        source_key=key_of(board.pk),
        played_on=board.played_on or match.played_on,
        round=match.round,
        board=board.number,
        number=match.number,
        white_id=white,
        black_id=black,
        white_halves=halves,
        colours_known=board.home_colour != Colour.UNKNOWN,
    )


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
