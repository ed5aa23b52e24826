import csv
import datetime
import io
import json

import pytest

from clubs import twins

NAMES = [
    "O'Brien",
    "King’s Head & Crown",
    "<b>bold</b>",
    'Anna "Ann" Smith, Jr',
    "Łucja Żabrek",
    "two\nlines",
]


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, ""),
        (0, 0),
        (-3, -3),
        (60.5, 60.5),
        (True, "yes"),
        (False, "no"),
        (datetime.date(2026, 11, 24), "2026-11-24"),
        ("=1+1", "'=1+1"),
        ("+44 20", "'+44 20"),
        ("-cmd", "'-cmd"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("-12", "-12"),
        ("+0.8", "+0.8"),
        ("−0.8", "−0.8"),
        ("1=", "1="),
        ("", ""),
    ],
)
def test_cell_holds_the_value_and_no_formula(value, cell):
    assert twins.cell(value) == cell


@pytest.mark.parametrize(
    ("halves", "points"), [(None, None), (0, 0), (1, 0.5), (24, 12), (121, 60.5), (-1, -0.5)]
)
def test_points_are_numbers(halves, points):
    result = twins.points(halves)
    assert result == points
    assert type(result) is type(points)


@pytest.mark.parametrize("name", NAMES)
def test_names_come_back_from_both_files(name):
    rows = [{"name": name, "points": 60.5}]
    as_json = twins.respond("json", rows, name="x")
    assert json.loads(as_json.content) == {"rows": rows}
    as_csv = twins.respond("csv", rows, name="x")
    text = as_csv.content.decode()
    assert list(csv.DictReader(io.StringIO(text, newline=""))) == [{"name": name, "points": "60.5"}]


def test_json_begins_with_its_head():
    response = twins.respond("json", [{"a": 1}], name="x", head={"of": "é"}, key="list")
    assert response.content.decode() == '{"of": "é", "list": [{"a": 1}]}'
    assert response["Content-Type"] == "application/json"


def test_csv_leaves_out_what_is_nested():
    response = twins.respond("csv", [{"a": 1, "b": [2], "c": {"d": 3}, "e": None}], name="x")
    assert response.content == b"a,e\r\n1,\r\n"
    assert response["Content-Type"] == "text/csv; charset=utf-8"


def test_csv_of_no_rows_has_its_columns():
    assert twins.respond("csv", [], name="x", columns=["a", "b"]).content == b"a,b\r\n"
    assert twins.respond("csv", [], name="x").content == b"\r\n"


def test_file_is_named_in_plain_letters():
    response = twins.respond("csv", [], name='Hastings "B"/..\r\nX: y')
    assert response["Content-Disposition"] == 'inline; filename="hastings-b-x-y.csv"'
    assert "table.csv" in twins.respond("csv", [], name="Žž")["Content-Disposition"]
