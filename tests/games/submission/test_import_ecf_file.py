"""`import_ecf_file`: games of elsewhere rated here, once, and what an officer did stays."""

import datetime
import io

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from clubs.models import Membership, Player
from games.grading_office.verification import verify
from ratings import rebuilding
from ratings.models import (
    EloGame,
    EloRating,
    GameCorrection,
    OutsideEvent,
    OutsidePlayer,
    RatedEvent,
    RatedGame,
)
from tests.factories import RatedGameFactory, SubmittedEventFactory
from tests.games.ecf_file_scene import CORRECTED, GAMES, NAME, games, of_days, resend
from tests.ratings.results_file_scene import FILE, TABLES

pytestmark = pytest.mark.django_db


def test_a_file_is_rated_and_read_again_changes_nothing(run, people):
    out, errors = run(FILE, "--create-players")
    assert (out, errors) == (
        [
            "1 game was won by default and is not rated.",
            "New player: Newcome, Kim (Sampletown)",
            "6 new, 0 changed",
        ],
        [],
    )
    assert games() == of_days(GAMES)
    newcome = Player.objects.get(surname="Newcome")
    assert (newcome.state, newcome.gender, newcome.birth_date, newcome.birth_year) == (
        "pending",
        "M",
        datetime.date(2011, 1, 1),
        2011,
    )
    assert Membership.objects.get().player == newcome
    assert EloRating.objects.count() == 4
    before = [*RatedGame.objects.order_by("pk").values()], Player.objects.count()
    # The same text with other line ends asks nobody who Newcome is.
    out, errors = run(FILE.replace("\n", "\r\n"))
    assert (out[-1], errors) == ("0 new, 0 changed", [])
    assert ([*RatedGame.objects.order_by("pk").values()], Player.objects.count()) == before
    assert verify() == []


def test_the_form_of_tables_gives_the_same_ledger(run, people):
    run(TABLES, "--create-players")
    assert games() == of_days(GAMES)


def test_a_dry_run_stores_nothing(run, people):
    out, errors = run(FILE, "--create-players", "--dry-run")
    assert (out[0], out[-1], errors) == ("Dry run: nothing is stored.", "6 new, 0 changed", [])
    assert (games(), Player.objects.count(), OutsideEvent.objects.count()) == ([], 3, 0)


def test_a_higher_index_replaces_the_lower_and_a_lower_is_refused(run, people):
    run(FILE, "--create-players")
    out, errors = run(resend(4, *CORRECTED))
    assert (out[-1], errors) == ("1 new, 2 changed", [])
    expected = [*of_days(GAMES)]
    expected[0] = (*expected[0][:7], 2, True)
    expected[-1] = (
        *(NAME, "standard", datetime.date(2026, 3, 20), 0, 0),
        *("Newcome", "Applewood", 2, False),
    )
    assert games() == expected
    assert [len(rebuilding.rebuild(name)) for name in ("standard", "rapid")] == [0, 0]
    assert OutsideEvent.objects.get().index == 4
    out, errors = run(FILE)
    assert out == ["0 new, 0 changed"]
    assert errors == [
        'line 4, SUBMISSION INDEX "3": index 4 was read already; a lower one is out of date',
        "Nothing was stored: 1 row or cell is wrong.",
    ]
    assert games() == expected


def test_the_same_index_with_other_content_is_refused(run, people):
    run(FILE, "--create-players")
    out, errors = run(resend(3, *CORRECTED))
    assert errors[0] == (
        'line 4, SUBMISSION INDEX "3": '
        "index 3 was read with other content; a correction needs a higher one"
    )
    assert games() == of_days(GAMES)


def test_ratings_equal_a_rebuild_with_other_games_between(run, people):
    RatedGameFactory(
        white=people[0], black=people[1], played_on=datetime.date(2025, 11, 1), white_halves=0
    )
    RatedGameFactory(
        white=people[2], black=people[1], played_on=datetime.date(2026, 5, 1), white_halves=2
    )
    rebuilding.rebuild("standard")
    for text in (FILE, resend(4, *CORRECTED), resend(5), resend(6, ("GAME=75", "GAME=25"))):
        run(text, "--create-players")
        assert verify() == []
    assert {row[1] for row in games() if row[0] == NAME} == {"rapid"}
    assert sorted(RatedEvent.objects.filter(name=NAME).values_list("source", flat=True)) == [
        "ecf/YY26LGE/rapid",
        "ecf/YY26LGE/standard",
    ]


def test_one_game_more_rates_that_game_alone(run, people):
    run(FILE, "--create-players")
    keys = dict(RatedGame.objects.values_list("source_key", "pk"))
    more = "#PIN1=1#SCORE=55#PIN2=2#GAME DATE=20/04/2026\n#FINISH"
    out, _errors = run(resend(4, ("#FINISH", more)))
    assert out[-1] == "1 new, 0 changed"
    after = dict(RatedGame.objects.values_list("source_key", "pk"))
    assert {key: pk for key, pk in after.items() if key in keys} == keys


@pytest.mark.parametrize(
    ("minutes", "seconds", "pool"),
    [(2, 0, "bullet"), (5, 3, "blitz"), (10, 0, "rapid"), (25, 5, "rapid"), (60, 0, "standard")],
)
def test_the_time_limit_decides_the_pool(run, people, minutes, seconds, pool):
    limits = ("GAME=75\n#SECONDS PER MOVE=10", f"GAME={minutes}\n#SECONDS PER MOVE={seconds}")
    run(resend(3, limits), "--create-players")
    assert {row[1] for row in games()} == {pool}


def test_what_an_officer_corrected_by_hand_stays(run, people):
    run(FILE, "--create-players")
    game = RatedGame.objects.in_order_of_play().first()
    RatedGame.objects.filter(pk=game.pk).update(white_halves=1)
    GameCorrection.objects.create(
        event=game.event,
        source_key=game.source_key,
        before={"white_halves": 0},
        after={"white_halves": 1},
        reason="the players agree",
        corrected_at=datetime.datetime(2026, 11, 1, 12, tzinfo=datetime.UTC),
    )
    rebuilding.rebuild("standard")
    out, errors = run(resend(4, *CORRECTED))
    words = "Duncan J McStone v Brenda T Applewood, 2025-10-06: corrected by hand, and kept so."
    assert words in out
    assert RatedGame.objects.get(pk=game.pk).white_halves == 1
    assert (out[-1], errors, verify()) == ("1 new, 1 changed", [], [])


def test_what_an_officer_took_out_by_hand_does_not_come_back(run, people):
    run(FILE, "--create-players")
    game = RatedGame.objects.in_order_of_play().last()
    GameCorrection.objects.create(
        event=game.event,
        source_key=game.source_key,
        before={"white_halves": 2},
        reason="never played",
        corrected_at=datetime.datetime(2026, 11, 1, 12, tzinfo=datetime.UTC),
    )
    EloGame.objects.filter(pk=game.pk)._raw_delete("default")
    RatedGame.objects.filter(pk=game.pk)._raw_delete("default")
    rebuilding.rebuild("standard")
    out, errors = run(resend(4))
    assert f"Taken out by hand, and not stored again: {game.source_key}." in out
    assert (out[-1], errors, games()) == ("0 new, 0 changed", [], of_days(GAMES)[:-1])
    assert verify() == []


# --- Our own events ----------------------------------------------------------------------


def test_an_event_of_our_own_of_which_nothing_was_sent_is_not_stored(run, people):
    SubmittedEventFactory(code="YY26LGE")
    out, errors = run(FILE, "--create-players")
    assert out[-2:] == [
        "YY26LGE is an event of our own, of which nothing was sent yet; nothing is stored.",
        "0 new, 0 changed",
    ]
    assert (errors, games(), Player.objects.count()) == ([], [], 3)


# --- The command -------------------------------------------------------------------------


def test_what_is_wrong_is_told_line_by_line_and_nothing_is_stored(run, people):
    text = FILE.replace("SCORE=10#PIN2=4", "SCORE=1-0#PIN2=4").replace("#FINISH", "")
    out, errors = run(text, "--create-players")
    assert out == ["0 new, 0 changed"]
    assert errors == [
        'line 22, SCORE "1-0": expected 10, 01 or 55, or a default 1d, d1 or dd',
        "line 32, FINISH: the file ends without FINISH; is it whole?",
        "Nothing was stored: 2 rows or cells are wrong.",
    ]
    assert (games(), Player.objects.count()) == ([], 3)


def test_a_file_that_cannot_be_read(run, tmp_path):
    _out, errors = run(b"\x81\x8d")
    assert errors[0] == "row 1 holds the byte 0x81, neither UTF-8 nor Windows-1252"
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_ecf_file", str(tmp_path / "none.txt"), stdout=io.StringIO())
    _out, errors = run(FILE, "--choices", str(tmp_path / "none.csv"))
    assert errors == [f"{tmp_path}/none.csv: No such file or directory"]


def test_the_queries_of_an_import_do_not_grow_with_its_games(run, people):
    def queries(text) -> int:
        with CaptureQueriesContext(connection) as captured:
            out, errors = run(text)
        assert (out[-1][:2], errors) != ("0 ", [])
        return len(captured)

    run(FILE, "--create-players")
    few = queries(resend(4, ("#FINISH", "#PIN1=1#SCORE=55#PIN2=2#GAME DATE=20/04/2026\n#FINISH")))
    many = "".join(
        f"#PIN1={1 + n % 3}#SCORE=55#PIN2=4#GAME DATE={1 + n}/04/2026\n" for n in range(25)
    )
    assert queries(resend(5, ("#FINISH", f"{many}#FINISH"))) <= few + 2


def test_a_decision_is_kept_once(run, people):
    run(FILE, "--create-players")
    row = OutsidePlayer.objects.get()
    with pytest.raises(IntegrityError, match="decided_once"), transaction.atomic():
        OutsidePlayer.objects.create(
            event=row.event, search_name=row.search_name, club=row.club, player=people[0]
        )
