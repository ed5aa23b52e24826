"""Ratings at a nation's size, each figure beside its limit measured in the same run.

    DATABASE_URL=... ./topboard manage migrate
    DATABASE_URL=... python -m tests.benchmarks.ratings [--games 1000000] [--players 20000]

Wants an empty migrated database, and leaves the nation in it; `riix` (from PyPI) for the first row.
"""

import argparse
import os
import random
import resource
import statistics
import time

import django


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=20_000)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    measure(options.games, options.players)


def timed(work):
    """What `work()` returns and how many seconds it took."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def measure(games: int, players: int) -> None:
    from ratings import rebuilding
    from ratings.models import RatingPool

    from .nation import generate, load

    nation = generate(games=games, players=players)
    _, loading = timed(lambda: load(nation))
    print(f"{games:,} games, {players:,} players, loaded in {loading:.0f} s\n")
    print(f"{'what':44}{'seconds':>10}{'limit':>10}{'ratio':>8}")
    pool = RatingPool.objects.get(pk="standard")
    in_memory(pool, nation)
    _, full = timed(lambda: rebuilding.rebuild("standard"))
    row("full rebuild: read, compute, store, index", full, copying())
    found, checking = timed(lambda: rebuilding.check(pool))
    assert not found
    row("nothing differs: check", checking, reading())
    for label, days in (("6 months", 182), ("1 year", 365), ("3 years", 1095)):
        corrections(pool, label, days)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\npeak memory of this process: {peak:.0f} MB")


def row(what: str, seconds: float, limit: float) -> None:
    print(f"{what:44}{seconds:10.3f}{limit:10.3f}{seconds / limit:7.1f}x", flush=True)


def in_memory(pool, nation) -> None:
    """The replay with its history against `riix` without."""
    import numpy as np
    from django.db import connection

    from ratings import live, replay

    with connection.cursor() as cursor:
        games = elo_rows.read_games(cursor, pool.pk)
    rules = live.rules_of(pool)
    openings = live.opening_states(games.players(), pool, rules)
    replay.replay(
        games._replace(**{f: getattr(games, f)[:10] for f in games._fields}), openings, {}, rules
    )
    _, ours = timed(lambda: replay.replay(games, openings, {}, rules))
    try:
        from riix.models.elo import Elo
    except ImportError:
        print(f"{'replay in memory, with history':44}{ours:10.3f}   (riix is not installed)")
        return
    matchups = np.stack([games.white, games.black], axis=1)
    outcomes = games.white_halves / 2
    system = Elo(competitors=list(range(nation.players + 1)))
    _, theirs = timed(
        lambda: system.iterative_update(matchups, outcomes, use_cache=False, time_step=0)
    )
    row("replay in memory, with history, against riix", ours, theirs)


def copying() -> float:
    """Seconds to COPY the same rows into an empty table and add its primary and foreign key."""
    from django.db import connection

    from ratings import replay

    with connection.cursor() as cursor:
        rows = elo_rows.read_rows(cursor)
        cursor.execute("CREATE TABLE copied (LIKE ratings_elogame)")

        def work():
            elo_rows.write_rows(cursor, rows, "copied")
            cursor.execute("ALTER TABLE copied ADD PRIMARY KEY (game_id)")
            cursor.execute(
                "ALTER TABLE copied ADD FOREIGN KEY (game_id) REFERENCES ratings_ratedgame (id)"
            )

        _, seconds = timed(work)
        cursor.execute("DROP TABLE copied")
    return seconds


def reading() -> float:
    """Seconds to read both tables once, by the same binary COPY."""
    from django.db import connection

    with connection.cursor() as cursor:

        def work():
            for table in ("ratings_ratedgame", "ratings_elogame"):
                with cursor.copy(f"COPY {table} TO STDOUT (FORMAT binary)") as copy:
                    for _ in copy:
                        pass

        return timed(work)[1]


def corrections(pool, label: str, days: int, count: int = 20) -> None:
    """One result turned round, so many days before the last game: the median of twenty."""
    from datetime import timedelta

    from django.db import transaction
    from django.db.models import Max

    from ratings import ledger, live
    from ratings.models import RatedGame

    last = RatedGame.objects.aggregate(last=Max("played_on"))["last"]
    near = last - timedelta(days=days)
    chosen = RatedGame.objects.filter(
        event__pool=pool, played_on__gte=near, played_on__lt=near + timedelta(days=30)
    )
    keys = list(chosen.order_by("pk").values_list("pk", flat=True))
    ours, limits, written = [], [], []
    for pk in random.Random(3).sample(keys, count):
        game = RatedGame.objects.select_related("event").get(pk=pk)
        played = ledger.Played(*(getattr(game, name) for name in ledger.Played._fields))._replace(
            white_halves=2 if game.white_halves != 2 else 0
        )

        def work(game=game, played=played):
            with transaction.atomic():
                locked = ledger.lock_pool(pool.pk)
                touched = ledger.post(event=game.event, keys=[], games=[played])
                return live.update(pool=locked, touched=touched)

        rows, seconds = timed(work)
        ours.append(seconds)
        written.append(rows)
        limits.append(updating(pk, rows))
    row(
        f"one result corrected, {label} old ({statistics.median(written):.0f} rows)",
        statistics.median(ours),
        statistics.median(limits),
    )


def updating(pk: int, count: int) -> float:
    """Seconds of one `UPDATE .. FROM unnest` of as many rows, committed."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT game_id, white_change FROM ratings_elogame WHERE game_id >= %s"
            " ORDER BY game_id LIMIT %s",
            [pk, count],
        )
        ids, changes = zip(*cursor.fetchall(), strict=True)
        return timed(
            lambda: cursor.execute(
                "UPDATE ratings_elogame r SET white_change = n.change"
                " FROM unnest(%s::bigint[], %s::int[]) AS n(id, change) WHERE r.game_id = n.id",
                [list(ids), list(changes)],
            )
        )[1]


if __name__ == "__main__":
    main()
