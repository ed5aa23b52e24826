"""Who is who in a file of elsewhere: by code, by choice, and never by name."""

import csv
import io

import pytest

from clubs.models import Player
from ratings.models import OutsideEvent, RatedGame
from tests.factories import PlayerFactory
from tests.games.ecf_file_scene import CORRECTED, choices, games, resend
from tests.ratings.results_file_scene import FILE

pytestmark = pytest.mark.django_db


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
