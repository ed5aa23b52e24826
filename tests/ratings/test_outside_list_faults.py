"""A federation's list that is refused: each fault by its line, and nothing stored."""

import io
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.ratings.outside_scene import FIDE, SINCE_2020, TO_2020, command_on, three_of_four

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db):
    return three_of_four()


@pytest.fixture
def run(tmp_path):
    return command_on(tmp_path)


def line_of(**cells):
    """A file of one row, of Lovell's unless told."""
    row = {"ECF_code": "900101D", "full_name": "Lovell", "revised_standard": "1790", **cells}
    return ",".join(row) + "\n" + ",".join(row.values()) + "\n"


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        (
            {"revised_standard": "strong"},
            'row 2, revised_standard "strong":'
            " expected a whole number from 1 to 4000, or blank for none",
        ),
        (
            {"revised_standard": "0"},
            'row 2, revised_standard "0":'
            " expected a whole number from 1 to 4000, or blank for none",
        ),
        (
            {"revised_standard": "١٧٩٠"},
            'row 2, revised_standard "١٧٩٠":'
            " expected a whole number from 1 to 4000, or blank for none",
        ),
        (
            {"revised_standard": "17900"},
            'row 2, revised_standard "17900":'
            " expected a whole number from 1 to 4000, or blank for none",
        ),
        (
            {"ECF_code": "900101I"},
            'row 2, ECF_code "900101I": expected six digits and a letter (A–L, no I), like 900101D',
        ),
        ({"FIDE_no": "4E5"}, 'row 2, FIDE_no "4E5": expected digits, or blank for none'),
        (
            {"standard_revised_category": "AB"},
            'row 2, standard_revised_category "AB": expected one letter, or blank for none',
        ),
    ],
)
def test_a_bad_row_is_named_and_nothing_stored(run, people, cells, problem):
    assert run(line_of(**cells), refused=True) == [
        problem,
        "Nothing was stored: 1 row or cell is wrong.",
    ]


def test_every_bad_row_is_named(run, people):
    text = TO_2020.replace("142,140", "14x,140").replace("900103H", "McVale")
    assert run(text, refused=True) == [
        'row 2, Grade "14x": expected a whole number from -100 to 440, or blank for none',
        'row 4, Ref "McVale": expected six digits and a letter (A–L, no I), like 900101D',
        "Nothing was stored: 2 rows or cells are wrong.",
    ]


def test_one_person_twice(run, people):
    text = SINCE_2020 + SINCE_2020.splitlines()[1] + "\n"
    assert run(text, refused=True)[0] == (
        "row 6: 900101D is the player of row 2; expected each once"
    )


@pytest.mark.parametrize(
    ("content", "publisher", "problem"),
    [
        ("", "ECF", "the file is empty"),
        ("a,b\n1,2\n", "ECF", "expected a column for each of ECF_code, full_name"),
        (
            "ECF_code,full_name\n900101D,Lovell\n",
            "ECF",
            "expected a column of grades or ratings, one of original_standard",
        ),
        ("Ref,Name\n900101D,Lovell\n", "ECF", "one of Grade, RGrade"),
        ("ECF_code,full_name,revised_standard\n", "ECF", "the file has no rows below its header"),
        (SINCE_2020.encode("utf-16"), "ECF", "UTF-16"),
        ("", "FIDE", "expected FIDE's header line"),
        (SINCE_2020, "FIDE", "expected FIDE's header line"),
        (FIDE, "ECF", "expected a column for each of ECF_code, full_name"),
        ("ID Number      Name   Fed\n", "FIDE", "expected FIDE's header line"),
        (bytes(set(range(256)) - {10}) * 20, "FIDE", "expected FIDE's header line"),
    ],
)
def test_a_file_of_another_kind_is_refused(run, people, content, publisher, problem):
    assert problem in run(content, publisher=publisher, refused=True)[0]


def test_fides_bad_rows_are_named(run, people):
    text = FIDE.replace("400099 ", "4000X9 ").replace("1842", "184O")
    assert run(text, publisher="FIDE", refused=True) == [
        'row 2, SRtng "184O": expected a whole number up to 4000, or 0 for none',
        'row 3, ID Number "4000X9": expected digits',
        "Nothing was stored: 2 rows or cells are wrong.",
    ]


def test_a_wrong_file_of_a_million_lines_is_not_read_to_its_end(run, people):
    text = FIDE.splitlines()[0] + "\n" + "x\n" * 100_000
    lines = run(text, publisher="FIDE", refused=True)
    assert len(lines) == 51
    assert lines[-2] == "row 51: and so on; the rest was not read"


def test_a_rate_of_play_that_the_file_has_not(run, people):
    assert run(TO_2020, "--pool", "blitz", refused=True)[0] == "the file holds no blitz list"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--publisher", "ECF"], "--published-on"),
        (["--publisher", "ECF", "--published-on", "soon"], "'soon' is no day"),
        (["--publisher", "USCF", "--published-on", "2025-10-01"], "invalid choice: 'USCF'"),
        (["--published-on", "2025-10-01"], "--publisher"),
    ],
)
def test_bad_arguments_are_named(options, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("import_grade_list", "x.csv", *options)


def test_a_list_of_a_day_to_come_or_of_no_time_is_refused(run, people):
    tomorrow = (timezone.localdate() + timedelta(days=1)).isoformat()
    for day in (tomorrow, "9999-12-31"):
        assert run(SINCE_2020, day=day, refused=True)[0] == (
            f"{day} is still to come: that is no day of a list"
        )
    for day in ("0001-01-01", "1849-12-31"):
        assert run(SINCE_2020, day=day, refused=True)[0] == (
            f"{day} is before the first lists there were"
        )
    assert run(SINCE_2020, day=timezone.localdate().isoformat())[-1] == "3 new, 0 changed"


def test_a_file_that_is_not_there(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(CommandError, match="No such file|Is a directory"):
            call_command(
                "import_grade_list",
                str(path),
                "--publisher=ECF",
                "--published-on=2025-10-01",
                stdout=io.StringIO(),
            )
