"""What commands take as arguments, and what they say to anything else."""

from argparse import ArgumentTypeError
from datetime import date

from django.utils.translation import gettext as _


def day(text: str) -> date:
    """The day of an argument; what is none gets a sentence, and the command exits with 2."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(
            _("%(text)r is no day; expected year, month and day, as 2026-07-01") % {"text": text}
        ) from None
