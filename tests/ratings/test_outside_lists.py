"""A federation's list: read by header, matched by code alone, stored once, and what it opens."""

import io
from datetime import date, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from clubs.models import Player
from ratings import lists, rebuilding
from ratings.models import EloGame, Grade, GradeList, OpeningRating
from tests.factories import OpeningRatingFactory, PlayerFactory, pool
from tests.ratings.test_lists import Ledger, noon, nothing_outstanding

pytestmark = pytest.mark.django_db

SINCE_2020 = """\
ECF_code,full_name,member_no,FIDE_no,gender,nation,original_standard,standard_original_category,\
revised_standard,standard_revised_category,original_rapid,rapid_original_category,revised_rapid,\
rapid_revised_category,original_blitz,blitz_original_category,revised_blitz,\
blitz_revised_category,original_standard_online,standard_online_original_category,\
revised_standard_online,standard_online_revised_category,original_rapid_online,\
rapid_online_original_category,revised_rapid_online,rapid_online_revised_category,\
original_blitz_online,blitz_online_original_category,revised_blitz_online,\
blitz_online_revised_category,title,club_code,club_name
900101D,"Lovell, Maureen T",900001,400001,F,ENG,1784,A,1790,A,1702,C,1702,C,,,,,,,,,,,,,,,,,,4EXA,Ex
900102F,"O'Grange, Siobhan",,,F,ENG,1501,K,1501,K,,,,,,,,,,,,,,,,,,,,,,4EXA,Exampletown
900103H,"McVale, Ronald J",900003,,M,SCO,2011,A,2011,A,,,,,,,,,1850,A,1850,A,,,,,,,,,FM,4SAM,Sample
900104K,"Harte-Wynne, Guy",900004,,M,ENG,,,,,1450,P,1450,P,,,,,,,,,,,,,,,,,,XXXX,Unknown
"""
TO_2020 = """\
Ref,Name,Sex,JrAge,Cat,Grade,Grade1,Games,RCat,RGrade,RGrade1,RGames,ClubNam1,ClubNam2,ClubNam3,\
ClubNam4,ClubNam5,ClubNam6,FIDECode,Nation,
900101D,"Lovell, Maureen T",F,,A,142,140,34,C,133,131,12,Exampletown,,,,,,400001,ENG
900102F,"O'Grange, Siobhan",F,,E,0,4,9,,,,,Exampletown,,,,,,,ENG,
900103H,"McVale, Ronald J",,,,,,,,,,,Sampleford,,,,,,,SCO
"""
FIDE = """\
ID Number      Name                                                         Fed Sex Tit  WTit OTit\
           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag
400001         Lovell, Maureen T                                            ENG F   WFM  WFM      \
               1842  3   20 1799  0   20 0     0   40 1961  w
400099         Żabrek, Łucja                                                POL F                 \
               0     0   40 0     0   40 0     0   40 1990  w
"""
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
    """Three of the four on the list; the fourth is nobody we know."""
    return [
        PlayerFactory(surname="Lovell", ecf_code="900101D", fide_id=400001),
        PlayerFactory(surname="O'Grange", ecf_code="900102F"),
        PlayerFactory(surname="McVale", ecf_code="900103H"),
    ]


@pytest.fixture
def run(tmp_path):
    """Import a text and return the lines of the report, or with `refused` those of the error."""

    def run(content, *options, day="2025-10-01", publisher="ECF", refused=False):
        path = tmp_path / "list.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        arguments = ["import_grade_list", str(path), "--publisher", publisher]
        arguments += ["--published-on", day, *options]
        out, err = io.StringIO(), io.StringIO()
        if refused:
            before = counts()
            with pytest.raises(CommandError) as error:
                call_command(*arguments, stdout=out, stderr=err)
            assert out.getvalue() == "0 new, 0 changed\n"
            assert counts() == before
            return [*err.getvalue().splitlines(), str(error.value)]
        call_command(*arguments, stdout=out, stderr=err)
        assert err.getvalue() == ""
        return out.getvalue().splitlines()

    return run


def counts():
    """The number of rows of every table there is."""
    with connection.cursor() as cursor:
        found = {}
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT count(*) FROM "{name}"')
            found[name] = cursor.fetchone()[0]
    return found


def stored():
    """Each list with its rows: pool, variant, scale -> surname -> value and category."""
    found = {}
    for grade in Grade.objects.select_related("grade_list", "player"):
        key = (grade.grade_list.pool_id, grade.grade_list.variant, grade.grade_list.system)
        assert grade.grade == grade.published
        found.setdefault(key, {})[grade.player.surname] = (grade.published, grade.category)
    return found


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


# --- What is wrong -----------------------------------------------------------------------


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


# --- Openings ----------------------------------------------------------------------------


def openings():
    return {
        (row.player.surname, row.pool_id, row.system): (row.value, row.provisional, row.source)
        for row in OpeningRating.objects.select_related("player")
    }


def test_a_rating_opens_elo_and_grade_of_who_has_none(run, people):
    lovell, grange, _mcvale = people
    OpeningRatingFactory(player=grange, pool=pool(), system="grade", value=120, source="by hand")
    PlayerFactory(surname="Harte-Wynne", ecf_code="900104K")
    lines = run(SINCE_2020, "--as-openings")
    assert "Opened: 3 players." in lines
    source = "ECF list of 2025-10-01 revised"
    assert openings() == {
        ("Lovell", "standard", "elo"): (17900, False, source),
        ("Lovell", "standard", "grade"): (145, False, source),
        ("Lovell", "rapid", "elo"): (17020, False, source),
        ("Lovell", "rapid", "grade"): (134, False, source),
        ("O'Grange", "standard", "grade"): (120, False, "by hand"),
        ("McVale", "standard", "elo"): (20110, False, source),
        ("McVale", "standard", "grade"): (175, False, source),
        ("Harte-Wynne", "rapid", "elo"): (14500, True, source),
        ("Harte-Wynne", "rapid", "grade"): (100, True, source),
    }
    assert {row.dated_on for row in OpeningRating.objects.filter(source=source)} == {
        date(2025, 10, 1)
    }
    assert run(SINCE_2020, "--as-openings")[-1] == "0 new, 0 changed"


def test_a_grade_opens_the_grade(run, people):
    run(TO_2020, "--as-openings", day="2019-07-01")
    assert openings() == {
        ("Lovell", "standard", "grade"): (142, False, "ECF list of 2019-07-01"),
        ("Lovell", "rapid", "grade"): (133, False, "ECF list of 2019-07-01"),
        ("O'Grange", "standard", "grade"): (0, False, "ECF list of 2019-07-01"),
    }


def test_openings_of_a_list_stored_before_count_as_changed(run, people):
    run(SINCE_2020)
    assert run(SINCE_2020, "--as-openings", "--pool", "rapid")[-1] == "0 new, 1 changed"
    assert {key[1] for key in openings()} == {"rapid"}


def test_an_original_rating_opens_where_nothing_was_revised(run, people):
    run(SINCE_2020.replace("1784,A,1790,A", "1784,A,,"), "--as-openings", "--pool", "standard")
    assert openings()["Lovell", "standard", "elo"][0] == 17840


def test_elo_and_grades_follow(run, people):
    lovell, _grange, mcvale = people
    books = Ledger()
    books.play(lovell, mcvale, 2, date(2026, 11, 3), times=9)
    assert EloGame.objects.order_by("pk").first().white_before == 15000
    run(SINCE_2020, "--as-openings")
    first = EloGame.objects.order_by("pk").first()
    assert (first.white_before, first.black_before) == (17900, 20110)
    assert not rebuilding.check(pool())
    made = lists.publish(
        pool="standard",
        cutoff=date(2027, 1, 1),
        at=noon(date(2027, 1, 1)),
        by=None,
        outstanding=nothing_outstanding,
    )
    # 145 beats 175 nine times: 225 each, and 21 games at 145.
    assert made.grades.get(player=lovell).published == (9 * 225 + 21 * 145) // 30
