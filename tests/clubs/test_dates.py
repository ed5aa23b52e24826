import datetime

import pytest
from django.template import Context, Template
from django.utils import translation

from clubs.dates import date_format

FIRST = datetime.date(2026, 7, 1)


@pytest.mark.parametrize(
    ("language", "form", "said"),
    [
        ("fr", "j F Y", "1er juillet 2026"),
        ("fr", "j M Y", "1er juil. 2026"),
        ("fr", "l j F", "mercredi 1er juillet"),
        ("fr", "D j", "mer 1er"),
        ("fr", None, "1er juillet 2026"),
        ("fr", "Y-m-d", "2026-07-01"),
        ("en-gb", "j F Y", "1 July 2026"),
        ("en-gb", "j M Y", "1 Jul 2026"),
    ],
)
def test_a_first_of_the_month(language, form, said):
    with translation.override(language):
        assert date_format(FIRST, form) == said


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ((2026, 6, 11), "11 juin"),
        ((2026, 7, 21), "21 juil."),
        ((2026, 2, 2), "2 fév."),
        ((2026, 8, 31), "31 août"),
    ],
)
def test_other_days_have_their_number_and_june_is_not_july(day, said):
    with translation.override("fr"):
        assert date_format(datetime.date(*day), "j M") == said


def test_every_template_writes_them_so():
    template = Template('{{ day|date:"j F" }}|{{ at|date:"j M, H:i" }}|{{ none|date:"j F" }}')
    at = datetime.datetime(2027, 1, 1, 9, 5, tzinfo=datetime.UTC)
    with translation.override("fr"):
        said = template.render(Context({"day": FIRST, "at": at, "none": None}))
    assert said == "1er juillet|1er jan., 09:05|"


@pytest.mark.parametrize("language", ["en-gb", "fr"])
@pytest.mark.parametrize("value", ["2026-07-01", 7, [], "", None])
def test_what_is_no_day_is_nothing(language, value):
    template = Template('{{ value|date:"j F Y" }}|{{ value|date }}')
    with translation.override(language):
        assert template.render(Context({"value": value})) == "|"
