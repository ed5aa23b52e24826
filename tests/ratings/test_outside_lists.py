"""A federation's list: read by header, matched by code alone, stored once."""

from datetime import date

import pytest

from clubs.models import Player
from ratings import lists
from ratings.models import Grade, GradeList, OpeningRating
from tests.factories import PlayerFactory
from tests.ratings.outside_scene import (
    FIDE,
    SINCE_2020,
    TO_2020,
    command_on,
    counts,
    stored,
    three_of_four,
)

pytestmark = pytest.mark.django_db

FIDE_MONTH = """\
ID Number      Name                                                         Fed Sex Tit  WTit OTit\
           FOA OCT26 Gms K  B-day Flag
400001         Lovell, Maureen T                                            ENG F   WFM  WFM      \
               1842  3   20 1961  w
"""
FIDE_2011 = """\
ID number Name                              TitlFed  Mar11 GamesBorn  Flag
   400001 Lovell, Maureen T                 wf  ENG  1901   5  1961   w
"""


@pytest.fixture
def people(db):
    return three_of_four()


@pytest.fixture
def run(tmp_path):
    return command_on(tmp_path)


# --- Since 2020 --------------------------------------------------------------------------


def test_ratings_original_and_revised_are_lists_of_their_own(run, people):
    assert run(SINCE_2020) == [
        "ECF standard original: 3 ratings of players here",
        "ECF standard revised: 3 ratings of players here",
        "ECF rapid original: 1 rating of players here",
        "ECF rapid revised: 1 rating of players here",
        "1 row is of nobody whose code is known here:",
        '  row 5: 900104K "Harte-Wynne, Guy"',
        "3 new, 0 changed",
    ]
    assert stored() == {
        ("standard", "original", "elo"): {
            "Lovell": (1784, "A"),
            "O'Grange": (1501, "K"),
            "McVale": (2011, "A"),
        },
        ("standard", "revised", "elo"): {
            "Lovell": (1790, "A"),
            "O'Grange": (1501, "K"),
            "McVale": (2011, "A"),
        },
        ("rapid", "original", "elo"): {"Lovell": (1702, "C")},
        ("rapid", "revised", "elo"): {"Lovell": (1702, "C")},
    }
    facts = GradeList.objects.values_list("publisher", "state", "published_on", "cutoff")
    day = date(2025, 10, 1)
    assert set(facts) == {("ECF", "imported", day, day)}
    assert not OpeningRating.objects.exists()


def test_a_second_run_changes_nothing(run, people):
    run(SINCE_2020)
    rows = list(Grade.objects.order_by("pk").values())
    assert run(SINCE_2020)[-1] == "0 new, 0 changed"
    assert list(Grade.objects.order_by("pk").values()) == rows
    assert run(SINCE_2020, day="2025-11-01")[-1] == "3 new, 0 changed"
    assert GradeList.objects.count() == 8


def test_the_list_as_it_was_revised_since(run, people):
    run(SINCE_2020)
    text = SINCE_2020.replace("1790,A", "1795,K").replace("1501,K,1501,K", "1501,K,,")
    assert run(text)[-1] == "0 new, 2 changed"
    revised = stored()["standard", "revised", "elo"]
    assert revised == {"Lovell": (1795, "K"), "McVale": (2011, "A")}


def test_who_gets_a_code_later_is_new_then(run, people):
    run(SINCE_2020)
    PlayerFactory(surname="Harte-Wynne", ecf_code="900104K")
    assert run(SINCE_2020)[-1] == "1 new, 0 changed"
    assert stored()["rapid", "revised", "elo"] == {
        "Lovell": (1702, "C"),
        "Harte-Wynne": (1450, "P"),
    }


def test_who_stands_in_a_file_no_more_is_kept_and_said(run, people):
    run(SINCE_2020)
    lines = run("\n".join(line for line in SINCE_2020.splitlines() if "McVale" not in line))
    assert "  1 stored before stand in this file no more; kept." in lines
    assert lines[-1] == "0 new, 0 changed"


def test_one_rate_of_play(run, people):
    assert run(SINCE_2020, "--pool", "rapid")[-1] == "1 new, 0 changed"
    assert set(stored()) == {("rapid", "original", "elo"), ("rapid", "revised", "elo")}


def test_columns_are_found_by_name_in_any_order_and_unknown_ones_named(run, people):
    text = 'Revised_Standard,full_name,shoe size,ECF_CODE\n1790,"Lovell, M",41,900101d\n'
    assert run(text.encode("utf-8-sig")) == [
        'Columns ignored: "shoe size".',
        "ECF standard revised: 1 rating of players here",
        "1 new, 0 changed",
    ]


def test_a_dry_run_stores_nothing(run, people):
    before = counts()
    lines = run(SINCE_2020, "--dry-run", "--as-openings")
    assert lines[0] == "Dry run: nothing is stored."
    assert lines[-1] == "3 new, 0 changed"
    assert counts() == before


# --- To 2020 -----------------------------------------------------------------------------


def test_grades_with_a_comma_too_many_or_not(run, people):
    assert run(TO_2020, day="2019-07-01") == [
        "ECF standard: 2 grades of players here",
        "ECF rapid: 1 grade of players here",
        "2 new, 0 changed",
    ]
    assert stored() == {
        ("standard", "", "grade"): {"Lovell": (142, "A"), "O'Grange": (0, "E")},
        ("rapid", "", "grade"): {"Lovell": (133, "C")},
    }


def test_a_negative_grade_is_shown_as_nought_as_on_our_lists(run, people):
    text = TO_2020.replace("F,,E,0,4,9", "F,,E,-12,4,9")
    for report in ("2 new, 0 changed", "0 new, 0 changed"):
        assert run(text, "--as-openings", day="2019-07-01")[-1] == report
        row = Grade.objects.get(player__surname="O'Grange")
        assert (row.grade, row.published, row.category) == (-12, 0, "E")
    assert OpeningRating.objects.get(player__surname="O'Grange").value == -12


def test_lists_from_outside_take_no_part_in_our_own(run, people):
    run(TO_2020, day="2026-01-01")
    assert lists.next_cutoff("standard") is None
    assert not GradeList.objects.own().exists()
    assert not GradeList.objects.in_force().exists()


# --- FIDE --------------------------------------------------------------------------------


def test_fides_list_of_all_ratings(run, people):
    assert run(FIDE, publisher="FIDE") == [
        "FIDE standard: 1 rating of players here",
        "FIDE rapid: 1 rating of players here",
        "1 row is of nobody whose code is known here:",
        '  row 3: 400099 "Żabrek, Łucja"',
        "1 new, 0 changed",
    ]
    assert stored() == {
        ("standard", "", "elo"): {"Lovell": (1842, None)},
        ("rapid", "", "elo"): {"Lovell": (1799, None)},
    }
    assert run(FIDE, publisher="FIDE")[-1] == "0 new, 0 changed"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_columns_are_cut_by_letter_after_decoding(run, people, encoding):
    text = FIDE.replace("Żabrek, Łucja", "Müller, André").replace(
        "Lovell, Maureen T", "Lövell, Maureen T"
    )
    text = text.replace("0     0   40 0     0   40 0", "2001  9   40 0     0   40 0")
    Player.objects.filter(surname="McVale").update(fide_id=400099)
    run(text.encode(encoding), publisher="FIDE")
    assert stored()["standard", "", "elo"] == {"Lovell": (1842, None), "McVale": (2001, None)}


@pytest.mark.parametrize(
    ("options", "where"),
    [([], "standard"), (["--pool", "blitz"], "blitz")],
)
def test_fides_list_of_one_rating(run, people, options, where):
    lines = run(FIDE_MONTH, *options, publisher="FIDE")
    assert lines[0] == f"One rating, headed OCT26: taken for {where}, or say --pool."
    assert stored() == {(where, "", "elo"): {"Lovell": (1842, None)}}


def test_fides_list_of_other_years_has_its_columns_elsewhere(run, people):
    run(FIDE_2011, publisher="FIDE", day="2011-03-01")
    assert stored() == {("standard", "", "elo"): {"Lovell": (1901, None)}}


def test_a_rating_of_nought_is_none_and_takes_a_stored_one_away(run, people):
    run(FIDE, publisher="FIDE")
    assert run(FIDE.replace("1799", "0   "), publisher="FIDE")[-1] == "0 new, 1 changed"
    assert set(stored()) == {("standard", "", "elo")}


def test_fides_list_in_windows_lines(run, people):
    run(FIDE.replace("\n", "\r\n"), publisher="FIDE")
    assert stored()["rapid", "", "elo"] == {"Lovell": (1799, None)}


# --- Who is who --------------------------------------------------------------------------


def test_nobody_is_matched_by_name(run, db):
    PlayerFactory(surname="Lovell", forenames="Maureen T")
    assert run(SINCE_2020)[-1] == "0 new, 0 changed"
    assert not GradeList.objects.exists()


def test_the_ecfs_list_finds_by_fide_number_who_has_no_code_here(run, db):
    PlayerFactory(surname="Lovell", fide_id=400001)
    assert run(SINCE_2020)[-1] == "1 new, 0 changed"


def test_a_code_counts_before_a_fide_number(run, people):
    Player.objects.filter(surname="Lovell").update(fide_id=None)
    Player.objects.filter(surname="McVale").update(fide_id=400001)
    lines = run(SINCE_2020)
    assert lines[0] == ("Row 2: its code and its FIDE number are two players' here; by the code.")
    assert stored()["standard", "revised", "elo"]["Lovell"] == (1790, "A")


def test_the_unmatched_are_counted_and_the_first_fifty_named(run, db):
    rows = [f'9{n:05d}A,"Nobody, Nr{n}",1500' for n in range(53)]
    text = "\n".join(["ECF_code,full_name,revised_standard", *rows])
    lines = run(text)
    assert lines[0] == "53 rows are of nobody whose code is known here:"
    assert (len(lines), lines[1], lines[-2]) == (
        53,
        '  row 2: 900000A "Nobody, Nr0"',
        "  and 3 more; --verbose names all",
    )
    assert run(text, "--verbose")[1:-1] == [
        f'  row {n + 2}: 9{n:05d}A "Nobody, Nr{n}"' for n in range(53)
    ]
