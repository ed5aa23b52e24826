"""`import_ecf_file`: games of elsewhere rated here, once, by people whom a code names."""

import csv
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
from tests.factories import (
    ClubFactory,
    PlayerFactory,
    RatedGameFactory,
    SubmittedEventFactory,
)
from tests.ratings.test_ecf_results_file import FILE, TABLES

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(tmp_path, capsys):
    """Run the command on a text; returns its lines, and what it refused."""

    def command(text, *options, name="YY26LGE03.txt"):
        file = tmp_path / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        try:
            call_command("import_ecf_file", str(file), *options)
            error = ""
        except CommandError as refused:
            error = str(refused)
        out, err = capsys.readouterr()
        return out.splitlines(), [*err.splitlines(), *([error] if error else [])]

    return command


@pytest.fixture
def people():
    """Three of the four people of the file by their codes, and the club of the fourth."""
    ClubFactory(name="Sampletown", slug="sampletown")
    return [
        PlayerFactory(surname="Applewood", forenames="Brenda T", ecf_code="900101D"),
        PlayerFactory(surname="O’Quill", forenames="Sheila", ecf_code="900102F"),
        PlayerFactory(surname="McStone", forenames="Duncan J", ecf_code="900103H"),
    ]


def games() -> list[tuple]:
    """Every game of the ledger in the order of play, by surnames."""
    rows = RatedGame.objects.in_order_of_play()
    return [
        *rows.values_list(
            *("event__name", "event__pool", "played_on", "round", "board"),
            *("white__surname", "black__surname", "white_halves", "colours_known"),
        )
    ]


NAME = "Sampleshire League 2025-26"
GAMES = [
    (NAME, "standard", "2025-10-06", 0, 1, "McStone", "Applewood", 0, True),
    (NAME, "standard", "2025-10-06", 0, 2, "O’Quill", "Newcome", 1, True),
    (NAME, "standard", "2025-12-01", 1, 0, "Applewood", "O’Quill", 2, True),
    (NAME, "standard", "2026-02-09", 0, 1, "Applewood", "McStone", 1, True),
    (NAME, "standard", "2026-02-10", 0, 1, "McStone", "O’Quill", 0, False),
    (NAME, "standard", "2026-03-15", 0, 0, "McStone", "O’Quill", 2, True),
]


def of_days(rows):
    return [(*row[:2], datetime.date.fromisoformat(row[2]), *row[3:]) for row in rows]


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


def resend(index=4, *changes):
    text = FILE.replace("SUBMISSION INDEX=3", f"SUBMISSION INDEX={index}")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


CORRECTED = (
    ("#PIN1=1#SCORE=10#PIN2=4#BOARD=1\n", "#PIN1=1#SCORE=01#PIN2=4#BOARD=1\n"),  # a result
    ("#PIN1=2#SCORE=01#PIN2=4#GAME DATE=15/03/2026#COLOUR=BLACK\n", ""),  # a game less
    ("#FINISH", "#PIN1=3#SCORE=10#PIN2=1#GAME DATE=20/03/2026\n#FINISH"),  # and one more
)


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


# --- Who is who --------------------------------------------------------------------------


def test_unknown_people_are_listed_and_nothing_is_stored(run, people, tmp_path):
    namesake = PlayerFactory(surname="Newcome", forenames="Kim")
    path = tmp_path / "who.csv"
    out, errors = run(FILE, "--undecided", str(path))
    assert out == [f"Who has to be decided stands in {path}.", "0 new, 0 changed"]
    assert errors == [
        'line 17, PIN 3 "Newcome, Kim": no code, unknown here; choose a player here, or new.'
        f" The same name here: #{namesake.pk} Newcome, Kim",
        "Nothing was stored: 1 row or cell is wrong.",
    ]
    assert list(csv.reader(io.StringIO(path.read_text("utf-8-sig")))) == [
        ["PIN", "Code", "Name", "Club", "Here", "Choice"],
        ["3", "", "Newcome, Kim", "Sampletown", f"#{namesake.pk} Newcome, Kim", ""],
    ]
    assert (games(), OutsideEvent.objects.count()) == ([], 0)


def test_nobody_is_made_whose_name_somebody_here_has(run, people):
    PlayerFactory(surname="NEWCOME", forenames="Kim")
    _out, errors = run(FILE, "--create-players")
    assert "The same name here" in errors[0]
    assert Player.objects.count() == 4


def choices(tmp_path, *rows, header="PIN,Choice") -> str:
    path = tmp_path / "choices.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return str(path)


def test_a_choice_holds_for_the_next_file_of_the_event(run, people, tmp_path):
    namesake = PlayerFactory(surname="Newcombe", forenames="Kim")
    out, errors = run(FILE, "--choices", choices(tmp_path, f"3,#{namesake.pk}"))
    assert (out[-2:], errors) == (
        ["Line 17: Newcome, Kim is Newcombe, Kim here.", "6 new, 0 changed"],
        [],
    )
    renumbered = resend(4, *CORRECTED).replace("#PIN=3#", "#PIN=33#").replace("PIN1=3#", "PIN1=33#")
    renumbered = renumbered.replace("PIN2=3#", "PIN2=33#")
    out, errors = run(renumbered)
    assert (out[-1], errors) == ("1 new, 2 changed", [])
    assert RatedGame.objects.of_player(namesake.pk).count() == 2


def test_a_choice_gives_the_code_that_was_missing(run, people, tmp_path):
    people[1].ecf_code = None
    people[1].save()
    PlayerFactory(surname="Newcome", forenames="Kim", ecf_code="911111G")
    path = choices(tmp_path, f"2,{people[1].pk}", "3,911111g")
    out, errors = run(FILE, "--choices", path)
    assert "Code added: 900102F O’Quill, Sheila" in out
    assert (out[-1], errors) == ("6 new, 0 changed", [])
    people[1].refresh_from_db()
    assert people[1].ecf_code == "900102F"
    assert people[1].events.latest("pgh_id").pgh_context["why"] == "YY26LGE03.txt"


def test_a_fide_number_finds_who_has_no_code(run, people):
    people[2].ecf_code, people[2].fide_id = None, 400123
    people[2].save()
    out, errors = run(FILE, "--create-players")
    assert (out[-1], errors) == ("6 new, 0 changed", [])
    people[2].refresh_from_db()
    assert people[2].ecf_code == "900103H"


def test_who_was_merged_into_another_is_that_other(run, people):
    kept = PlayerFactory(surname="Applewood", forenames="Brenda")
    people[0].state, people[0].merged_into = "merged", kept
    people[0].save()
    run(FILE, "--create-players")
    assert RatedGame.objects.of_player(kept.pk).count() == 3


@pytest.mark.parametrize(
    ("rows", "header", "said"),
    [
        (["9,new"], "PIN,Choice", 'row 2, PIN "9": expected a PIN of the results file'),
        (["x,new"], "PIN,Choice", 'row 2, PIN "x": expected a PIN of the results file'),
        (
            ["3,new,Somebody"],
            "PIN,Choice,Name",
            'row 2, Name "Somebody": the results file calls this PIN "Newcome, Kim"',
        ),
        (
            ["3,perhaps"],
            "PIN,Choice",
            'line 17, PIN 3 "perhaps": expected a code of a player here, his #number here, or new',
        ),
        (
            ["3,#999999999"],
            "PIN,Choice",
            'line 17, PIN 3 "#999999999":'
            " expected a code of a player here, his #number here, or new",
        ),
        (["3,900101D"], "PIN,Choice", "line 30"),
        (["3"], "PIN", "row 1: expected a column for each of PIN, Choice; missing: Choice"),
    ],
)
def test_choices_that_decide_nothing(run, people, tmp_path, rows, header, said):
    text = FILE.replace("#PIN1=1#SCORE=10#PIN2=2#ROUND", "#PIN1=1#SCORE=10#PIN2=3#ROUND")
    _out, errors = run(text, "--choices", choices(tmp_path, *rows, header=header))
    assert errors[0].startswith(said)
    assert (games(), Player.objects.count()) == ([], 3)


def test_a_formula_in_a_name_is_no_formula_in_the_list(run, people, tmp_path):
    path = tmp_path / "who.csv"
    text = FILE.replace("#CLUB NAME=Sampletown\n#PIN=4", "#CLUB NAME=x=cmd\n#PIN=4")
    run(text.replace("x=cmd", "Sampletown"), "--undecided", str(path))
    assert "\n=" not in path.read_text("utf-8-sig")


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
