"""One ECF grade list of a nation, from the ledger to stored grades, beside its limit.

    DATABASE_URL=... ./topboard manage migrate
    DATABASE_URL=... python -m tests.benchmarks.grades [--games 1000000] [--players 14700] [--keep]

Wants an empty migrated database. Makes four years of a nation, of which the 36 months before the
cutoff hold three quarters, publishes the five lists before it, and measures the sixth. Prints
`what, seconds, limit, ratio`: the limit is a sequential read of those games and the COPY of the
same grades, ready made, under their keys, in the same run. Leaves the database empty again.
`one_cutoff()` gives the same as `(what, seconds, limit)` to who measures more.
"""

import argparse
import os
import time
from datetime import UTC, date, datetime

import django

CUTOFF = date(2020, 7, 1)
FIRST_DAY = date(2017, 7, 1)
YEARS = 4
TABLES = "clubs_player, ratings_ratedevent, ratings_gradelist"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000, help="in the four years")
    parser.add_argument("--players", type=int, default=14_700)
    parser.add_argument("--keep", action="store_true", help="leave nation and lists for looking at")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    print(f"{'what':44}{'seconds':>10}{'limit':>10}{'ratio':>8}")
    for what, seconds, limit in one_cutoff(options.games, options.players, keep=options.keep):
        print(f"{what:44}{seconds:10.3f}{limit:10.3f}{seconds / limit:7.1f}x", flush=True)


def one_cutoff(
    games: int = 1_000_000, players: int = 14_700, *, keep: bool = False
) -> list[tuple[str, float, float]]:
    """Rows of `(what, seconds, limit)`: the list of a nation whose earlier lists came out.

    `games` are those of four years; the database is empty, and is left so unless `keep`.
    """
    from django.db import connection

    from ratings import lists

    from .nation import generate, load

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM clubs_player")
        assert cursor.fetchone() == (0,), "this benchmark wants an empty database"
    load(generate(games=games, players=players, years=YEARS))
    try:
        while (cutoff := lists.next_cutoff("standard")) < CUTOFF:
            _publish(cutoff)
        _analyze()
        seconds = _timed(lambda: _publish(CUTOFF))
        reading, count = _reading()
        copying, rows = _copying()
        what = f"an ECF list: {count:,} games, {rows:,} players"
        return [(what, seconds, reading + copying)]
    finally:
        if not keep:
            with connection.cursor() as cursor:
                cursor.execute(f"TRUNCATE {TABLES} CASCADE")


def _timed(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _publish(cutoff: date) -> None:
    from ratings import lists

    at = datetime(cutoff.year, cutoff.month, 15, 12, tzinfo=UTC)
    lists.publish(
        pool="standard", cutoff=cutoff, at=at, by=None, outstanding=lambda pool, before: 0
    )


def _analyze() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _reading() -> tuple[float, int]:
    """Seconds to read the games of the 36 months once, in no order; how many they are."""
    from django.db import connection

    games = "FROM ratings_ratedgame WHERE played_on >= %s AND played_on < %s"
    with connection.cursor() as cursor:

        def work() -> None:
            query = f"COPY (SELECT * {games}) TO STDOUT (FORMAT binary)"
            with cursor.copy(query, [FIRST_DAY, CUTOFF]) as copy:
                for _ in copy:
                    pass

        seconds = _timed(work)
        cursor.execute(f"SELECT count(*) {games}", [FIRST_DAY, CUTOFF])
        return seconds, cursor.fetchone()[0]


def _copying() -> tuple[float, int]:
    """Seconds to COPY the grades of the list, ready made, under the keys of their table."""
    from django.db import connection, transaction

    grades = (
        "FROM ratings_grade WHERE grade_list_id IN"
        " (SELECT id FROM ratings_gradelist WHERE cutoff = %s)"
    )
    with transaction.atomic(), connection.cursor() as cursor:
        with cursor.copy(f"COPY (SELECT * {grades}) TO STDOUT", [CUTOFF]) as copy:
            ready = b"".join(copy)
        cursor.execute(f"DELETE {grades}", [CUTOFF])
        rows = cursor.rowcount

        def work() -> None:
            with cursor.copy("COPY ratings_grade FROM STDIN") as copy:
                copy.write(ready)
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")

        seconds = _timed(work)
        transaction.set_rollback(True)
        return seconds, rows


if __name__ == "__main__":
    main()
