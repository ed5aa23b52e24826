"""The games of a pool and what they did, read and written as whole columns."""

from collections.abc import Callable

from . import replay
from .replay import EloArrays, GameArrays, no_progress

# So much of a table is read as one row of arrays, which must stay below a gigabyte.
BYTES_AT_ONCE = 1 << 28
# Of fewer games than this the rows are looked up instead of reading all.
FEW = 20_000
GAMES = {
    "g.id": 8,
    "g.played_on - DATE '1970-01-01'": 4,
    "g.event_id": 8,
    "g.round": 4,
    "g.board": 4,
    "g.number": 4,
    "g.white_id": 8,
    "g.black_id": 8,
    "g.white_halves": 2,
}
ROWS = dict(zip(EloArrays._fields, replay.ROW_SIZES, strict=True))

Progress = Callable[[float], None]


def read_games(cursor, pool: str) -> GameArrays:
    """The games of a pool in the order of play."""
    cursor.execute("SELECT id, key FROM ratings_ratedevent WHERE pool_id = %s", [pool])
    keys = dict(cursor.fetchall())
    source = (
        "ratings_ratedgame g JOIN ratings_ratedevent e ON e.id = g.event_id WHERE e.pool_id = %s"
    )
    columns = _columns(cursor, GAMES, "ratings_ratedgame", source, pool)
    return replay.in_order_of_play(*columns, keys)


def read_rows(cursor, games: GameArrays) -> EloArrays:
    """What is stored of these games, and maybe of others, ordered by game."""
    if len(games.game_id) < FEW:
        source, value = "ratings_elogame WHERE game_id = ANY(%s)", games.game_id.tolist()
    else:
        source, value = "ratings_elogame WHERE %s", True
    return replay.by_game(EloArrays(*_columns(cursor, ROWS, "ratings_elogame", source, value)))


def write_rows(
    cursor, rows: EloArrays, table: str = "ratings_elogame", progress: Progress = no_progress
) -> None:
    """Add rows to the table by one binary COPY; none of the games may have one."""
    pieces = len(rows.game_id) // replay.AT_ONCE + 3
    with cursor.copy(f"COPY {table} ({', '.join(ROWS)}) FROM STDIN (FORMAT binary)") as copy:
        for done, piece in enumerate(replay.packed(rows)):
            copy.write(piece)
            progress(done / pieces)


def _columns(cursor, columns: dict[str, int], table: str, source: str, value) -> list:
    """Columns without nulls, named with their sizes in bytes, as arrays.

    The server packs them: a million rows by themselves cost more than the numbers in them.
    """
    cursor.execute("SELECT pg_relation_size(%s)", [table])
    parts = cursor.fetchone()[0] // BYTES_AT_ONCE + 1
    query = f"SELECT {', '.join(f'array_agg({column})' for column in columns)} FROM {source}"
    copies = []
    for part in range(parts):
        some = f" AND {next(iter(columns))} %% {parts} = {part}" if parts > 1 else ""
        with cursor.copy(f"COPY ({query}{some}) TO STDOUT (FORMAT binary)", [value]) as copy:
            copies.append(replay.unpacked(b"".join(copy), columns.values()))
    return replay.joined(copies)
