"""A rebuild: read, computed, compared, written; the keys of the table the same as before."""

import io
import random
import threading

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from ratings import checking, elo_rows, rebuilding
from ratings.models import EloGame, EloRating, RatingPool, StalePhase
from tests.factories import PlayerFactory, RatedEventFactory, RatedGameFactory

GAMES = 40


@pytest.fixture
def pools(db):
    """Forty games among eight players in the standard pool, and as many in the rapid one."""
    choose = random.Random(8)
    players = [PlayerFactory() for _ in range(8)]
    for name in ("standard", "rapid"):
        event = RatedEventFactory(pool_id=name)
        for number in range(GAMES):
            white, black = choose.sample(players, 2)
            RatedGameFactory(
                event=event, white=white, black=black, number=number, white_halves=number % 3
            )
    return RatingPool.objects.in_bulk()


def keys():
    """Every constraint, index and trigger of our own on the two tables."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated"
            " FROM pg_constraint WHERE conrelid::regclass::text ~ '^ratings_'"
            " UNION ALL SELECT tablename::text, indexname, indexdef, true FROM pg_indexes"
            " WHERE tablename ~ '^ratings_'"
            " UNION ALL SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), true"
            " FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2, 3"
        )
        return cursor.fetchall()


def rows_of(name):
    return list(EloGame.objects.filter(game__event__pool=name).order_by("pk").values_list())


@pytest.mark.parametrize("rewrite_from", [0, 10**6], ids=["without keys", "beside keys"])
@pytest.mark.parametrize("right", [0, 5], ids=["all rows", "most rows"])
def test_a_rebuild_of_most_rows_keeps_keys_and_the_rows_of_other_pools(
    monkeypatch, pools, right, rewrite_from
):
    monkeypatch.setattr(rebuilding, "REWRITE_FROM", rewrite_from)
    before = keys()
    rebuilding.rebuild("rapid")
    rapid = rows_of("rapid")
    assert len(rebuilding.rebuild("standard")) == GAMES + 8
    standard = rows_of("standard")
    wrong = EloGame.objects.filter(game__event__pool="standard", game__number__gte=right)
    wrong.update(white_change=777)
    EloRating.objects.filter(pool="standard").update(rating=7)
    assert len(rebuilding.rebuild("standard")) == GAMES - right + 8
    assert (rows_of("standard"), rows_of("rapid")) == (standard, rapid)
    assert EloGame.objects.count() == 2 * GAMES
    assert not rebuilding.check(pools["standard"])
    assert keys() == before
    call_command("makemigrations", "--check", "--dry-run", stdout=io.StringIO())


def test_the_four_steps_by_themselves(pools):
    pool = pools["standard"]
    ledger = rebuilding.read(pool)
    assert (len(ledger.games.game_id), len(ledger.rows.game_id), ledger.ratings) == (GAMES, 0, {})
    rows, states = rebuilding.compute(ledger)
    found = rebuilding.compare(ledger, rows, states)
    assert (found.games, len(found)) == (GAMES, GAMES + 8)
    assert [row for batch in found.batches(7) for row in batch] == found.rows
    rebuilding.write(pool, found)
    assert not rebuilding.check(pool)
    assert list(EloGame.objects.order_by("pk").values_list()) == [tuple(row) for row in found.rows]


def test_a_great_table_is_read_in_parts(monkeypatch, pools):
    rebuilding.rebuild("rapid")
    rebuilding.rebuild("standard")
    EloGame.objects.filter(game__number__in=[3, 17]).update(white_change=5)  # moves them to the end
    whole = rebuilding.read(pools["standard"])
    monkeypatch.setattr(elo_rows, "PAGES_AT_ONCE", 1)
    monkeypatch.setattr(elo_rows, "FEW", 0)
    parts = rebuilding.read(pools["standard"])
    assert [column.tolist() for column in parts.games] == [
        column.tolist() for column in whole.games
    ]
    assert len(parts.rows.game_id) == 2 * GAMES  # the rows of all pools
    assert [row.game_id for row in rebuilding.check(pools["standard"]).rows] == [
        pk for (pk, *_rest) in rows_of("standard") if pk in changed()
    ]


def changed():
    return set(EloGame.objects.filter(white_change=5).values_list("pk", flat=True))


def test_progress_passes_all_phases(pools):
    told = []
    rebuilding.rebuild("standard", lambda phase, share: told.append((phase, share)))
    assert list(dict.fromkeys(phase for phase, _share in told)) == [
        StalePhase.READING,
        StalePhase.COMPUTING,
        StalePhase.WRITING,
    ]
    for phase in StalePhase:
        shares = [share for said, share in told if said == phase]
        assert shares == sorted(shares)
        assert all(0 <= share <= 1 for share in shares)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_command_shows_progress_on_a_terminal_and_what_differed(pools):
    out = Terminal()
    call_command("rebuild_ratings", "--pool", "standard", stdout=out)
    said = out.getvalue()
    assert "\rreading the games: 0 %\x1b[K" in said
    assert "\rrating the games: 100 %\x1b[K" in said
    assert "\rstoring what differs: 0 %\x1b[K" in said
    lines = said.rstrip("\n").split("\n")
    assert sum(line.endswith(": not rated") for line in lines) == 20
    assert lines[-2] == f"and {GAMES + 8 - 20} more"
    assert lines[-1].endswith(f"standard: {GAMES} games, {GAMES + 8} rows written")


def test_the_command_is_quiet_elsewhere_and_a_difference_ends_a_check_with_an_error(pools):
    rebuilding.rebuild("rapid")
    row = EloGame.objects.order_by("-pk")[0]
    EloGame.objects.filter(pk=row.pk).update(white_k=11)
    before = rows_of("rapid")
    out = io.StringIO()
    with pytest.raises(CommandError, match="Ratings differ from a rebuild: rapid.") as caught:
        call_command("rebuild_ratings", "--pool", "rapid", "--check", stdout=out)
    assert caught.value.returncode == 1
    lines = out.getvalue().splitlines()
    assert lines[0] == "rapid ..."
    assert lines[1].endswith(f": white_k stored 11, rebuilt {row.white_k}")
    assert lines[2:] == [f"rapid: {GAMES} games, 1 rows differ"]
    assert "\r" not in out.getvalue()
    assert rows_of("rapid") == before


# --- Beside others -------------------------------------------------------------------------


def in_thread(work):
    """Run `work` beside this thread, on a connection of its own; what it returned comes by join."""
    found = []

    def run():
        try:
            found.append(work())
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread, found


@pytest.mark.django_db(transaction=True)
def test_a_reader_sees_the_old_rows_or_the_new_and_never_half(monkeypatch, pools):
    monkeypatch.setattr(rebuilding, "REWRITE_FROM", 0)
    rebuilding.rebuild("standard")
    new = rows_of("standard")
    EloGame.objects.update(white_change=777)
    old = rows_of("standard")
    written, seen_from = threading.Barrier(2, timeout=20), []

    def rebuild():
        with transaction.atomic():
            rebuilding.rebuild("standard")
            written.wait()

    thread, _found = in_thread(rebuild)
    reader, seen = in_thread(
        lambda: (seen_from.append(rows_of("standard")), rows_of("standard"))[1]
    )
    written.wait()
    thread.join()
    reader.join()
    assert seen_from[0] in (old, new)
    assert seen[0] in (old, new)
    assert rows_of("standard") == new


@pytest.mark.django_db(transaction=True)
def test_who_began_before_a_rebuild_sees_the_old_rows_to_his_end(monkeypatch, pools):
    monkeypatch.setattr(rebuilding, "REWRITE_FROM", 0)
    rebuilding.rebuild("standard")
    EloGame.objects.update(white_change=777)
    old = rows_of("standard")
    begun, rebuilt = threading.Barrier(2, timeout=20), threading.Event()

    def read():
        with checking.snapshot():
            RatingPool.objects.count()
            begun.wait()
            rebuilt.wait(20)
            return rows_of("standard")

    thread, seen = in_thread(read)
    begun.wait()
    rebuilding.rebuild("standard")
    rebuilt.set()
    thread.join()
    assert seen == [old]
    assert rows_of("standard") != old


@pytest.mark.django_db(transaction=True)
def test_a_page_that_reads_the_tables_the_other_way_round_is_no_deadlock(monkeypatch, pools):
    monkeypatch.setattr(rebuilding, "REWRITE_FROM", 0)
    read_first, go_on = threading.Barrier(2, timeout=20), threading.Event()

    def page():
        with transaction.atomic():
            first = EloGame.objects.count()
            read_first.wait()
            go_on.wait(1.5)
            return first, EloGame.objects.filter(game__round=0).count()

    thread, seen = in_thread(page)
    read_first.wait()
    rebuilding.rebuild("standard")
    go_on.set()
    thread.join()
    assert seen == [(0, 0)]
    assert EloGame.objects.count() == GAMES


@pytest.mark.django_db(transaction=True)
def test_who_holds_the_tables_too_long_makes_the_rebuild_write_beside_the_keys(monkeypatch, pools):
    monkeypatch.setattr(rebuilding, "REWRITE_FROM", 0)
    monkeypatch.setattr(rebuilding, "TRIES", 2)
    reading, done = threading.Barrier(2, timeout=20), threading.Event()

    def long_read():
        with transaction.atomic():
            found = EloGame.objects.count()
            reading.wait()
            done.wait(20)
            return found, EloGame.objects.count()

    thread, seen = in_thread(long_read)
    reading.wait()
    assert len(rebuilding.rebuild("standard")) == GAMES + 8
    done.set()
    thread.join()
    assert seen == [(0, GAMES)]
    assert not rebuilding.check(pools["standard"])
