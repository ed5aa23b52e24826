"""What a file of results is refused for, and where its totals and boards disagree."""

import pytest
from django.urls import reverse

from games.grading_office.verification import verify
from games.models import Match
from tests.games.result_file_scene import ARMSTRONG, HEADER, rows_of, small, text_of

pytestmark = pytest.mark.django_db


def altered(row_number, text=ARMSTRONG, **cells):
    """The file with other cells in one row, numbered as a spreadsheet does."""
    rows = rows_of(text)
    rows[row_number - 2].update(cells)
    return text_of(rows)


# --- Ten damaged variants ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        pytest.param(
            altered(5, Result="2-0"),
            ['row 5, Result "2-0": is not a result: expected 1-0, 0-1, draw or 1-0 def'],
            id="a token that is no result",
        ),
        pytest.param(
            altered(216, Result="0 - 0"),
            ['row 216, Result "0 - 0": may be unplayed, void or a double default: say which'],
            id="an ambiguous token",
        ),
        pytest.param(
            altered(10, Date="2011-09-13"),
            [
                'row 10, Date "2011-09-13": 2011-09-13 is outside the season;'
                " expected a day from 2010-07-01 to 2011-06-30"
            ],
            id="a date outside the season",
        ),
        pytest.param(
            altered(10, Date="31/02/2011"),
            [
                'row 10, Date "31/02/2011": is not a date: no day 31 in month 2;'
                " expected a day from 2010-07-01 to 2011-06-30"
            ],
            id="a day that is none",
        ),
        pytest.param(
            altered(3, Board="1"),
            ['row 3, Board "1": expected each board once in a match; row 2 has it as well'],
            id="a board twice",
        ),
        pytest.param(
            altered(3, HomePlayer="Mooney, Gavin"),
            [
                'row 3, HomePlayer "Mooney, Gavin": expected each player once in a match;'
                " board 1 has the same"
            ],
            id="a player twice",
        ),
        pytest.param(
            altered(4, HTScore="3"),
            ['row 4, HTScore "3": expected 2 as in the rest of this match'],
            id="a score unlike the other rows'",
        ),
        pytest.param(
            altered(4, HomePlayer='=HYPERLINK("http://x")', AwayTeam="Bray / Greystones"),
            [
                'row 4, AwayTeam "Bray / Greystones": expected another team than the home team',
                'row 4, HomePlayer "=HYPERLINK("http://x")": expected text,'
                " not a spreadsheet's formula",
            ],
            id="a formula, and a team against itself",
        ),
        pytest.param(
            ARMSTRONG.replace("HomePlayer", "Heimspieler"),
            [
                "row 1: expected a column for each of Section, Date, HomeTeam, HomePlayer, Result,"
                " AwayPlayer, AwayTeam, Board; missing: HomePlayer"
            ],
            id="a column missing",
        ),
        pytest.param(
            ARMSTRONG.replace('"Coakley, Una"', '"Coakley, Una', 1),
            ["row 3: not CSV: ',' expected after '\"'"],
            id="a quote not closed",
        ),
        pytest.param(
            ARMSTRONG.encode().replace("Róisín".encode(), b"R\xf3is\xedn", 1),
            ["row 5 holds a byte that is not UTF-8, and other letters are; save it again"],
            id="two encodings",
        ),
        pytest.param(
            altered(2, Board="17", HPColour="Green", Round="=1+1", HTScore="x"),
            [
                'row 2, Board "17": expected a number from 1 to 16',
                'row 2, HPColour "Green": expected White, Black or blank',
                'row 2, HTScore "x": is not a score: expected one like 3½, 3.5 or 3',
                'row 2, Round "=1+1": expected text, not a spreadsheet\'s formula',
            ],
            id="four cells of one row",
        ),
    ],
)
def test_a_damaged_file_is_reported_and_nothing_is_stored(run, content, lines):
    assert run(content, refused=True)[:-1] == lines


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "the file is empty"),
        (HEADER, "the file has no rows below its header"),
        ("Section\nDivision 1\n", "missing: Date, HomeTeam, HomePlayer, Result, AwayPlayer"),
        (",".join(f"c{n}" for n in range(300)) + "\n", "missing: Section, Date, HomeTeam"),
        (ARMSTRONG.encode("utf-16"), "the file is UTF-16 or UTF-32; save it as UTF-8"),
        (ARMSTRONG.encode("utf-16-le"), "the file is UTF-16 or UTF-32; save it as UTF-8"),
        (b"\x89PNG\r\n\x1a\n\x00\x81", "row 3 holds the byte 0x81, neither UTF-8"),
        (b"PK\x03\x04" + bytes(range(32, 127)) * 20, "row 1: expected a column for each of"),
    ],
)
def test_a_file_that_is_something_else(run, content, line):
    assert line in run(content, refused=True)[0]


def test_a_file_of_fifty_megabytes_is_refused_unread(run):
    assert run(b"x" * 50 * 1024 * 1024, refused=True)[-1].endswith(
        "results.csv is larger than 8 MB; split it, for example by season or division"
    )


def test_every_bad_row_is_named(run):
    rows = rows_of(ARMSTRONG)
    for row in rows[100:200]:
        row["Result"] = "?"
    lines = run(text_of(rows), "--verbosity", "2", refused=True)
    assert [line.split(",")[0] for line in lines[:-1]] == [f"row {n}" for n in range(102, 202)]
    assert lines[-1] == "Nothing was stored: 100 rows or cells are wrong."
    assert run(text_of(rows), refused=True) == [
        *lines[:50],
        "and 50 more; --verbosity 2 prints all of them",
        lines[-1],
    ]


def test_one_bad_row_later_leaves_an_earlier_import_as_it_was(run):
    run(ARMSTRONG)
    assert run(altered(300, Result="?"), refused=True)[0].startswith("row 300, Result")
    assert run(ARMSTRONG) == ["0 new, 0 changed"]


# --- Totals ------------------------------------------------------------------------------


def test_a_total_that_disagrees_is_reported_and_kept_as_stated(run, client):
    rows = rows_of(ARMSTRONG)
    for row in rows[:8]:
        row["HTScore"] = "1.5"
    lines = run(text_of(rows))
    assert lines[-3:] == [
        "Bray / Greystones v Phibsboro, 2010-09-13: the file states 1½ - 6,"
        " its boards come to 2 - 6; kept as stated.",
        "Rated: 682 rows of games and ratings.",
        "528 new, 0 changed",
    ]
    match = Match.objects.get(home__name="Bray / Greystones", away__name="Phibsboro")
    assert (match.stated_home, match.stated_away, match.board_count) == (3, 12, 8)
    assert Match.objects.exclude(stated_home=None).count() == 1
    table = client.get(reverse("division_detail", args=[match.division_id, "json"])).json()
    points = {row["team"]: row["game_points"] for row in table["rows"]}
    assert points["Bray / Greystones"] == 48.5
    assert run(text_of(rows))[-1] == "0 new, 0 changed"
    # Put right in the file, it is put right here.
    assert run(ARMSTRONG) == ["0 new, 8 changed"]
    match.refresh_from_db()
    assert (match.stated_home, match.stated_away) == (None, None)


def test_more_points_than_boards_are_refused(run):
    content = small({}, {}, HTScore="2.5", ATScore="0")
    assert run(content, refused=True)[0] == (
        'row 2, HTScore "2.5": expected at most 2 points together with ATScore 0'
    )


def test_a_row_that_is_missing_leaves_the_score_as_stated(run):
    lines = ARMSTRONG.splitlines(keepends=True)
    report = run("".join(lines[:8] + lines[9:]))
    assert (
        "Bray / Greystones v Phibsboro, 2010-09-13: the file states 2 - 6,"
        " its boards come to 2 - 5; kept as stated."
    ) in report
    match = Match.objects.get(home__name="Bray / Greystones", away__name="Phibsboro")
    assert (match.stated_home, match.stated_away, match.board_count) == (4, 12, 8)
    # The row comes in later.
    assert run(ARMSTRONG)[-1] == "1 new, 7 changed"
    match.refresh_from_db()
    assert (match.stated_home, match.boards.count()) == (None, 8)
    assert verify() == []


def test_fewer_boards_that_agree_with_their_score_are_the_match(run):
    run(small({}, {}, {}, {}))
    short = small({}, {}, AwayTeam="Kingsmead B", HTScore="2", ATScore="0")
    run(short)
    assert [match.board_count for match in Match.objects.order_by("pk")] == [4, 2]


def test_part_of_a_stored_match_changes_nothing(run):
    scored = {"HTScore": "1", "ATScore": "1"}
    whole, part = small({}, {"Result": "0-1"}, **scored), small({}, **scored)
    blank = small({"HomePlayer": "", "AwayPlayer": "", "Result": ""}, **scored)
    # Another match of more boards, for the division's number of them.
    run(small({}, {}, {}, HomeTeam="Kingsmead B"))
    run(whole)
    before = [*Match.objects.order_by("pk").values()]
    missing = "Ashdown A v Hartfield A, 2010-10-05: the file has no row for board"
    assert run(part) == [f"{missing} 2; kept as stored.", "0 new, 0 changed"]
    assert run(blank)[-1] == "0 new, 0 changed"
    assert run(whole) == ["0 new, 0 changed"]
    assert [*Match.objects.order_by("pk").values()] == before


def test_a_score_is_judged_by_all_boards_there_are(run):
    run(small({}, {"Result": "0-1"}, HTScore="1", ATScore="1"))
    assert (
        "Ashdown A v Hartfield A, 2010-10-05: the file states 1 - 0,"
        " its boards come to 1 - 1; kept as stated."
    ) in run(small({}, HTScore="1", ATScore="0"))
    match = Match.objects.get()
    assert (match.stated_home, match.stated_away, match.board_count) == (2, 0, 2)


def test_a_score_without_any_board_is_kept(run):
    blank = {"HomePlayer": "", "AwayPlayer": "", "Result": ""}
    run(small(blank, blank, HTScore="1½", ATScore="½"))
    match = Match.objects.get()
    assert (match.stated_home, match.stated_away, match.boards.count()) == (3, 1, 0)
