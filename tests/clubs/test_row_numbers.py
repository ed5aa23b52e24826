"""The number of a row in a form or an address: a number that a row may have, or nothing."""

import pytest

from clubs.row_numbers import LARGEST, row_number


@pytest.mark.parametrize("text", ["", None, "x", "-1", "1.0", " 1", "٣", "²", "1\0", "9" * 5000])
def test_what_is_no_number_of_a_row(text):
    assert row_number(text) is None


@pytest.mark.parametrize("number", [0, 7, LARGEST])
def test_a_number(number):
    assert row_number(str(number)) == number
    assert row_number(f"00{number}"[-19:]) == number


def test_a_number_that_no_row_has():
    assert row_number(str(LARGEST + 1)) is None
