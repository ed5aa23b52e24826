"""FIDE's tables as data: whole, symmetrical, and nothing outside them."""

import csv
from pathlib import Path

import pytest

from ratings.fide_tables import expected_percent_by_difference, rating_difference

DATA = Path(__file__).parent / "data"


def rows(name):
    with open(DATA / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_row_of_table_8_1_1():
    for row in rows("fide_811.csv"):
        percent = int(row["p"].replace(".", ""))
        assert rating_difference(percent) == int(row["dp"])


@pytest.mark.parametrize("percent", [-1, 101, 50.5, None])
def test_a_score_outside_the_table_is_refused(percent):
    with pytest.raises(ValueError, match="0 to 100"):
        rating_difference(percent)


def test_every_row_of_table_8_1_2():
    table = expected_percent_by_difference()
    for row in rows("fide_812.csv"):
        last = int(row["d_max"] or row["d_min"])
        percent = int(row["pd_higher"].replace(".", ""))
        assert set(table[int(row["d_min"]) : last + 1]) == {percent}
    assert len(table) == 737
