"""The games of a pool and what they did, read and written as whole columns."""

from collections.abc import Callable, Iterator

from . import binary_copy
from .game_arrays import AT_ONCE, EloArrays, GameArrays, by_game, in_order_of_play
from .replay import no_progress

# So many pages of a table are read as one row of arrays.
PAGES_AT_ONCE = 4096
# Of fewer games than this the rows are looked up instead of reading all.
FEW = 20_000
# What is read: a first number of 8 bytes, then pairs of 4 bytes each.
GAMES = (
    "g.id",
    ("g.event_id", "g.played_on - DATE '1970-01-01'"),
    ("g.round", "g.board"),
    ("g.number", "g.white_halves"),
    ("g.white_id", "g.black_id"),
)
ROWS = (
    "g.game_id",
    *(
        (f"g.white_{name}", f"g.black_{name}")
        for name in ("before", "change", "k", "games", "marks")
    ),
)

Progress = Callable[[float], None]


def read_games(cursor, pool: str, progress: Progress = no_progress) -> GameArrays:
    """The games of a pool in the order of play; `progress` is told the share that is read."""
    cursor.execute("SELECT id, key FROM ratings_ratedevent WHERE pool_id = %s", [pool])
    keys = dict(cursor.fetchall())
    source = "g JOIN ratings_ratedevent e ON e.id = g.event_id WHERE e.pool_id = %s"
    copies = _copies(cursor, GAMES, "ratings_ratedgame", source, pool, progress)
    return in_order_of_play(*binary_copy.unpacked(copies), keys)


def read_rows(cursor, games: GameArrays, progress: Progress = no_progress) -> EloArrays:
    """What is stored of these games, and maybe of others, ordered by game."""
    if len(games.game_id) < FEW:
        source, value = "g WHERE game_id = ANY(%s)", games.game_id.tolist()
    else:
        source, value = "g WHERE %s", True
    copies = _copies(cursor, ROWS, "ratings_elogame", source, value, progress)
    game_id, *columns = binary_copy.unpacked(copies)
    return by_game(EloArrays(game_id, *columns[0::2], *columns[1::2]))


def write_rows(
    cursor, rows: EloArrays, table: str = "ratings_elogame", progress: Progress = no_progress
) -> None:
    """Add rows to the table by one binary COPY; none of the games may have one."""
    pieces = len(rows.game_id) // AT_ONCE + 3
    with cursor.copy(
        f"COPY {table} ({', '.join(EloArrays._fields)}) FROM STDIN (FORMAT binary)"
    ) as copy:
        for done, piece in enumerate(binary_copy.packed(rows)):
            copy.write(piece)
            progress(done / pieces)


def _copies(cursor, columns, table: str, source: str, value, progress: Progress) -> Iterator[bytes]:
    """Columns of integers without nulls, in no order, as copies that `binary_copy.unpacked` reads.

    The server packs them, so many pages of the table at a time: a million rows by themselves, and
    small numbers by themselves, cost more than what they say. The pool is locked or one snapshot
    is read, so that nobody moves a row meanwhile.
    """
    cursor.execute("SELECT pg_relation_size(%s) / current_setting('block_size')::int", [table])
    pages = cursor.fetchone()[0]
    first_column, *pairs = columns
    packed = [first_column, *(f"{high}::int8 * {1 << 32} + ({low})::int4" for high, low in pairs)]
    arrays = ", ".join(f"array_agg({column})" for column in packed)
    for first in range(0, pages + 1, PAGES_AT_ONCE):
        query = f"SELECT {arrays} FROM {table} {source} AND g.ctid >= '({first},0)'"
        if first + PAGES_AT_ONCE <= pages:
            query += f" AND g.ctid < '({first + PAGES_AT_ONCE},0)'"
        with cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT binary)", [value]) as copy:
            yield b"".join(copy)
        progress(first / (pages + 1))
