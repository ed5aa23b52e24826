"""Ratings at a nation's size, each figure beside its limit measured in the same run.

    DATABASE_URL=... ./topboard manage migrate
    DATABASE_URL=... python -m tests.benchmarks.ratings [--games 1000000] [--players 20000]
    DATABASE_URL=... python -m tests.benchmarks.ratings --growth

Wants an empty migrated database, and leaves it empty. Prints `what, seconds, limit, ratio, reach`,
medians of several runs; with `--growth` what grows how from 10,000 to 1,000,000 games. The first
row is measured against the library `riix` (`pip install riix`), and left out without it. Other work
on the same machine spoils the seconds more than the ratios.
"""

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import django

from .stopwatch import Spent, count, heading, row, spent, timed

CORRECTED = (("6 months", 182), ("1 year", 365), ("3 years", 1095))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=3, help="of what takes seconds")
    parser.add_argument("--growth", action="store_true", help="what grows how, at three sizes")
    parser.add_argument("--no-grades", action="store_true", help="without the ECF list")
    parser.add_argument("--only-rebuild", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["*"]
    settings.DEBUG = False
    if options.only_rebuild:
        rebuild_and_say_memory()
    elif options.growth:
        from . import growth

        growth.measure()
    else:
        measure(options.games, options.players, options.runs, grades=not options.no_grades)


def measure(
    games: int, players: int, runs: int = 3, times: int = 20, *, grades=True, memory=True
) -> None:
    """Fill the table and print it; `memory` is that of a process of its own."""
    from .nation import empty, generate, is_empty, load

    assert is_empty(), "this benchmark wants an empty database"
    nation = generate(games=games, players=players)
    _, loading = timed(lambda: load(nation))
    print(f"{games:,} games, {players:,} players, loaded in {loading:.0f} s\n")
    try:
        heading()
        in_memory(runs)
        whole_ledger(runs)
        for label, days in CORRECTED:
            correction(label, days, times)
        card(times)
        if memory:
            peak_memory()
    finally:
        empty()
    if grades:
        from .grades import one_cutoff

        for what, seconds, limit in one_cutoff():
            row(what, seconds, limit, 3)


def in_memory(runs: int) -> None:
    """The replay with its history against `riix` without."""
    import numpy as np

    from ratings import rebuilding
    from ratings.models import RatingPool

    ledger = rebuilding.read(RatingPool.objects.get(pk="standard"))
    what = "replay in memory with history; limit: riix without"
    try:
        from riix.models.elo import Elo
    except ImportError:
        _, ours = timed(lambda: rebuilding.compute(ledger))
        print(f"{what}: {ours:.3f} s, and riix is not installed")
        return
    games = ledger.games
    matchups = np.stack([games.white, games.black], axis=1)
    outcomes = games.white_halves / 2

    def theirs() -> None:
        system = Elo(competitors=list(range(int(matchups.max()) + 1)))
        system.iterative_update(matchups, outcomes, use_cache=False, time_step=0)

    row(what, *both(lambda: rebuilding.compute(ledger), theirs, runs), 0.5)


def whole_ledger(runs: int) -> None:
    """The full rebuild, from nothing and with every row wrong, and the check of what is right."""
    from django.core.management import call_command
    from django.db.models import F

    from ratings import rebuilding
    from ratings.models import EloGame, RatingPool

    def rebuild() -> None:
        found = rebuilding.rebuild("standard")
        assert len(found.differing.game_id) == found.games

    def spoil() -> None:
        EloGame.objects.update(white_change=F("white_change") + 1)
        analyze()

    rebuild()
    rows = rebuilding.read(RatingPool.objects.get(pk="standard")).rows
    for what, before in (("nothing stored", forget_ratings), ("every row wrong", spoil)):
        row(
            f"full rebuild, {what}; limit: COPY and both keys",
            *both(rebuild, lambda: copying(rows), runs, before),
            2,
        )
    analyze()

    def check() -> None:
        with open(os.devnull, "w") as nowhere:
            call_command("rebuild_ratings", "--pool", "standard", "--check", stdout=nowhere)

    row("nothing differs: --check; limit: both tables read once", *both(check, reading, runs), 2)


def both(work, limit, runs: int, before=lambda: None) -> tuple[Spent, Spent]:
    """The medians of a work and of its limit, in turns, so that both suffer the same."""
    pairs = []
    for _ in range(runs):
        before()
        pairs.append((spent(work), spent(limit)))
    ours, limits = (
        Spent(*(statistics.median(each) for each in zip(*side, strict=True)))
        for side in zip(*pairs, strict=True)
    )
    return ours, limits


def forget_ratings() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE ratings_elogame, ratings_elorating")


def analyze() -> None:
    """What the server does by itself after a while."""
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.in_atomic_block:
            cursor.execute("ANALYZE ratings_elogame")
        else:
            cursor.execute("VACUUM ANALYZE ratings_elogame")


def copying(rows) -> None:
    """COPY the same rows into an empty table and add its primary and foreign key."""
    from django.db import connection, transaction

    from ratings import elo_rows

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TABLE copied (LIKE ratings_elogame)")
        elo_rows.write_rows(cursor, rows, "copied")
        cursor.execute("ALTER TABLE copied ADD PRIMARY KEY (game_id)")
        cursor.execute(
            "ALTER TABLE copied ADD FOREIGN KEY (game_id) REFERENCES ratings_ratedgame (id)"
        )
        cursor.execute("DROP TABLE copied")


def reading() -> None:
    """Read both tables once, by binary COPY."""
    from django.db import connection

    with connection.cursor() as cursor:
        for table in ("ratings_ratedgame", "ratings_elogame"):
            with cursor.copy(f"COPY {table} TO STDOUT (FORMAT binary)") as copy:
                for _ in copy:
                    pass


def correction(label: str, days: int, times: int) -> None:
    """One result turned round, so many days before the last game: the median of so many."""
    keys = games_from(days)
    ours, limits, written = [], [], []
    for pk in random.Random(3).sample(keys, min(times, len(keys))):
        rows, seconds = timed(lambda pk=pk: turn_round(pk))
        ours.append(seconds)
        written.append(rows)
        limits.append(updating(pk, rows))
    row(
        f"a result corrected, {label} old; limit: UPDATE of {statistics.median(written):.0f} rows",
        statistics.median(ours),
        statistics.median(limits),
        12,
    )


def games_from(days: int) -> list[int]:
    """The pks of the first games played from so many days before the last one on."""
    from django.db.models import Max

    from ratings.models import RatedGame

    last = RatedGame.objects.aggregate(last=Max("played_on"))["last"]
    later = RatedGame.objects.filter(played_on__gte=last - timedelta(days=days))
    return list(later.order_by("played_on", "pk").values_list("pk", flat=True)[:5000])


def turn_round(pk: int) -> int:
    """Correct one result, a win to a loss or anything else to a win; the rows that were written."""
    from django.db import transaction

    from ratings import ledger, live
    from ratings.models import RatedGame

    game = RatedGame.objects.select_related("event").get(pk=pk)
    played = ledger.Played(*(getattr(game, name) for name in ledger.Played._fields))
    with transaction.atomic():
        locked = ledger.lock_pool(game.event.pool_id)
        touched = ledger.post(
            event=game.event,
            keys=[],
            games=[played._replace(white_halves=2 if played.white_halves != 2 else 0)],
        )
        return live.rate_at_once(pool=locked, touched=touched)


def updating(pk: int, rows: int) -> float:
    """Seconds of one `UPDATE .. FROM unnest` of as many rows, committed."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT game_id, white_change FROM ratings_elogame WHERE game_id >= %s"
            " ORDER BY game_id LIMIT %s",
            [pk, max(1, rows)],
        )
        ids, changes = zip(*cursor.fetchall(), strict=True)
        return timed(
            lambda: cursor.execute(
                "UPDATE ratings_elogame r SET white_change = n.change"
                " FROM unnest(%s::bigint[], %s::int[]) AS n(id, change) WHERE r.game_id = n.id",
                [list(ids), list(changes)],
            )
        )[1]


def card(times: int) -> None:
    """A six-board card of today: its statements and seconds, beside a one-row commit."""
    from django.test import Client

    from tests.games.card_scene import make_scene, queries

    one_row = statistics.median(timed(commit_one_row)[1] for _ in range(times))
    posted = [timed(lambda games=games: post(games)) for games in cards(times)]
    row("a six-board card posted and rated; limit: one-row commit", middle(posted), one_row)
    count("  statements of ledger.post and live.update", most(posted), 5, "statements")
    client = Client()
    scene = make_scene(name="-of-the-benchmark")
    client.force_login(scene.captain)
    saved = []
    for results in ("1=01=1", "01=10=") * (times // 2):
        form = scene.form(results)
        saved.append(timed(lambda form=form: queries(lambda: client.post(scene.url, form))))
    row("the whole request of such a card; the same limit", middle(saved), one_row)
    count("  statements of the request", most(saved), 15, "statements")


def middle(measured: list[tuple[int, float]]) -> float:
    """The median of the seconds in pairs of number and seconds."""
    return statistics.median(seconds for _number, seconds in measured)


def most(measured: list[tuple[int, float]]) -> int:
    """The greatest number in such pairs."""
    return max(number for number, _seconds in measured)


def cards(times: int) -> list[list]:
    """So many cards of six boards, played today, by people of the nation."""
    from django.utils import timezone

    from ratings.ledger import Played

    choose, everybody = random.Random(4), players()
    people = [pk for _ in range(times) for pk in choose.sample(everybody, 12)]
    return [
        [
            Played(
                *(f"benchmark:{number}:{board}", timezone.localdate(), 0, board, number),
                *(people[12 * number + 2 * board], people[12 * number + 2 * board + 1]),
                *(board % 3, True),
            )
            for board in range(6)
        ]
        for number in range(times)
    ]


def post(games: list) -> int:
    """Post and rate a card, as `games.match_cards.cards` does; how many statements that took."""
    from django.db import transaction

    from ratings import ledger, live
    from ratings.models import RatedEvent
    from tests.games.card_scene import queries

    event = RatedEvent.objects.filter(pool="standard").order_by("pk").first()
    with transaction.atomic():
        pool = ledger.lock_pool("standard")
        return queries(
            lambda: live.update(pool=pool, touched=ledger.post(event=event, keys=[], games=games))
        )


def players() -> list[int]:
    """The pks of all players."""
    from clubs.models import Player

    return list(Player.objects.order_by("pk").values_list("pk", flat=True))


def commit_one_row() -> None:
    from django.db.models import F

    from ratings.models import RatingPool

    RatingPool.objects.filter(pk="standard").update(ledger_version=F("ledger_version") + 1)


def peak_memory() -> None:
    """What a process that only rebuilds takes at most."""
    forget_ratings()
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.ratings", "--only-rebuild"],
        capture_output=True,
        text=True,
        check=True,
    )
    count("peak memory of the full rebuild", float(done.stdout.split()[-1]), 600, "MB")


def rebuild_and_say_memory() -> None:
    from django.core.management import call_command

    call_command("rebuild_ratings", "--pool", "standard")
    # Not getrusage: there a child begins with what its parent had.
    status = Path("/proc/self/status").read_text()
    print(int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024)


if __name__ == "__main__":
    main()
