"""CSV files as people hand them in: read row by row, or each row's fault named."""

import csv
import io

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from clubs.names import split_name
from clubs.sheets import (
    LARGEST_FILE,
    UnreadableFile,
    decode,
    ignored_columns,
    plain_text,
    read_file,
    read_sheet,
    refusal,
    shown,
)


def read(text, required=("name", "club"), optional=("rating",)):
    content = text if isinstance(text, bytes) else text.encode()
    sheet = read_sheet(content, required=required, optional=optional)
    return [(row.number, row.cells) for row in sheet.rows], [str(p) for p in sheet.problems]


# --- Bytes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        (b"Resume\n", "Resume\n"),
        ("Róisín,3½".encode(), "Róisín,3½"),
        (b"\xef\xbb\xbfSection,Day", "Section,Day"),
        (b"R\xe9sum\xe9", "Résumé"),
        (b"\x803\n\xa37\n\xa51\n", "€3\n£7\n¥1\n"),
        (b"O\x92Grange, 3\xbd", "O’Grange, 3½"),
        ("ヒラガナ".encode(), "ヒラガナ"),
    ],
)
def test_decode(content, text):
    assert decode(content) == text


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
)
def test_other_unicode_is_refused(encoding):
    with pytest.raises(ValueError, match="save it as UTF-8"):
        decode("Section,Day".encode(encoding))


def test_a_byte_of_neither_encoding_is_named_with_its_row():
    with pytest.raises(ValueError, match="row 2 holds the byte 0x81, neither UTF-8 nor"):
        decode(b"name\nabc\x81")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_one_broken_letter_does_not_turn_the_others_into_nonsense(mark):
    with pytest.raises(ValueError, match="row 3 holds a byte that is not UTF-8"):
        decode(mark + "name\nGráinne\n".encode() + b"R\xf3is\xedn\n")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_utf_8_is_read_back(text):
    if not text.startswith("\ufeff"):
        assert decode(text.encode()) == text
    assert decode(b"\xef\xbb\xbf" + text.encode()) == text


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_header_tells_what_stands_between_the_cells(separator):
    lines = [["Name", "Rating", "Club"], ["a,b;c\td", "", "x"], ["", "", ""], ["y", "7", "z"]]
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(lines)
    assert read(out.getvalue()) == (
        [
            (2, {"name": "a,b;c\td", "rating": "", "club": "x"}),
            (4, {"name": "y", "rating": "7", "club": "z"}),
        ],
        [],
    )


def test_a_header_that_fits_no_separator_is_told_with_commas():
    assert read("name;rating\nx;7\n") == (
        [],
        ["row 1: expected a column for each of name, club; missing: name, club"],
    )


def test_a_large_file_is_not_read_to_its_end(tmp_path):
    path = tmp_path / "large.csv"
    path.write_bytes(b"x" * (LARGEST_FILE + 1))
    with pytest.raises(UnreadableFile, match="larger than 8 MB; split it, for example by season"):
        read_file(path)


def test_a_file_that_is_not_there_says_so(tmp_path):
    with pytest.raises(UnreadableFile, match="none.csv: No such file or directory"):
        read_file(tmp_path / "none.csv")


# --- Rows --------------------------------------------------------------------------------


def test_columns_are_found_by_name_whatever_their_case_and_order():
    rows, problems = read(
        "Rating,CLUB,shoe size, Name \n1500,Ashdown,42,Zoë\n\n,,,\n,Hartfield,,X\n"
    )
    assert problems == []
    assert rows == [
        (2, {"rating": "1500", "club": "Ashdown", "name": "Zoë"}),
        (5, {"rating": "", "club": "Hartfield", "name": "X"}),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_any_kind(end):
    rows, problems = read(end.join(["name,club", '"Lovell, Maureen",Ashdown', ""]))
    assert (rows, problems) == ([(2, {"name": "Lovell, Maureen", "club": "Ashdown"})], [])


def test_blank_cells_at_the_end_of_a_row_are_no_fault():
    assert read("name,club\nLovell,Ashdown,,\n")[1] == []


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", ["the file is empty"]),
        ("\n , \n", ["the file is empty"]),
        ("name,club\n", ["the file has no rows below its header"]),
        ("name\nLovell\n", ["row 1: expected a column for each of name, club; missing: club"]),
        ("name,club,name\na,b,c\n", ["row 1: two columns are called name"]),
        (
            "name|club\nLovell|Ashdown\n",
            ["row 1: expected a column for each of name, club; missing: name, club"],
        ),
        (
            "name,club\na,b,c\nd\ne,f\n",
            [
                "row 2: 3 cells; expected 2, as many as the header has",
                "row 3: 1 cells; expected 2, as many as the header has",
            ],
        ),
        (
            'name,club\n"Lovell,Ashdown\nMcVale,Hartfield\n"a"b,c\n',
            [
                "row 2: not CSV: unexpected end of data",
                "row 4: not CSV: ',' expected after '\"'",
            ],
        ),
        (b"\xff\xfen\x00a\x00", ["the file is UTF-16 or UTF-32; save it as UTF-8"]),
    ],
)
def test_what_is_wrong_is_said_row_by_row(text, problems):
    assert read(text)[1] == problems


def test_three_hundred_columns_are_read_and_the_unknown_ones_named():
    names = [f"c{n}" for n in range(298)]
    sheet = read_sheet(
        ("name,club," + ",".join(names) + "\na,b" + "," * 298).encode(), required=("name", "club")
    )
    assert [row.cells for row in sheet.rows] == [{"name": "a", "club": "b"}]
    assert ignored_columns(sheet.ignored) == (
        'Columns ignored: "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9" and 288 more.'
    )


def test_a_cell_without_end_is_one_row_that_is_wrong():
    rows, problems = read("name,club\n" + "x" * 200_000 + ",Ashdown\nMcVale,Hartfield\n")
    assert problems == ["row 2: not CSV: field larger than field limit (131072)"]
    assert [number for number, _cells in rows] == [3]


@given(st.binary(max_size=300))
def test_no_bytes_at_all_make_it_fail(content):
    sheet = read_sheet(b"name,club\n" + content, required=("name", "club"))
    assert sheet.rows or sheet.problems
    assert all(str(problem) for problem in sheet.problems)


# --- Cells -------------------------------------------------------------------------------


def test_a_cell_is_shown_short_and_without_what_cannot_be_seen():
    assert shown("a\x00b\u202e") == '"a\\u0000b\\u202e"'
    assert shown("x" * 100) == '"' + "x" * 59 + '…"'


def test_text_has_single_spaces():
    assert plain_text("Bray  /\u00a0Greystones", length=20) == "Bray / Greystones"


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("=HYPERLINK(1)", "expected text, not a spreadsheet's formula"),
        ("+44", "expected text, not a spreadsheet's formula"),
        ("@a", "expected text, not a spreadsheet's formula"),
        ("-1", "expected text, not a spreadsheet's formula"),
        ("a\x00b", r"a name may not hold the character U\+0000"),
        ("abcd", "expected at most 3 characters"),
    ],
)
def test_text_that_nobody_means_to_store(value, sentence):
    with pytest.raises(ValueError, match=sentence):
        plain_text(value, length=3)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("12½", "un nom est attendu\u00a0; il lui faut une lettre"),
        ("Rook ♜", "un nom ne peut pas contenir le caractère ♜"),
    ],
)
def test_a_name_is_refused_in_the_readers_language(name, sentence):
    with pytest.raises(ValueError, match="name") as refused:
        split_name(name)
    with translation.override("fr"):
        assert refusal(refused.value) == sentence
