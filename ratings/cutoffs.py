"""A list's day in an address: `/grades/2026-07-01/`."""

from datetime import date

from django.urls import register_converter

YEARS = range(1900, 2201)
"""There are no lists of other years: half-years are counted back from a cutoff by the dozen."""


class CutoffConverter:
    """`<cutoff:cutoff>` in an address: a day as ISO writes it; no such day is no such page."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        day = date.fromisoformat(value)
        if day.year not in YEARS:
            raise ValueError(value)
        return day

    def to_url(self, value: date) -> str:
        return value.isoformat()


register_converter(CutoffConverter, "cutoff")
