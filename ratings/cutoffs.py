"""A list's day in an address: `/grades/2026-07-01/`."""

from datetime import date

from django.urls import register_converter


class CutoffConverter:
    """`<cutoff:cutoff>` in an address: a day as ISO writes it; no such day is no such page."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        return value.isoformat()


register_converter(CutoffConverter, "cutoff")
