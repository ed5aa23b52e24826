"""Whose name the public does not see: players known to be under 18 who have not said yes.

A birth date, or a birth year that leaves no doubt, makes a player known to be under 18. Accounts
are made by officers for the people who run the clubs, and they see every name.
"""

from datetime import date

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

HIDDEN_NAME = _("Junior player")


def under_18_if_born_after(today: date) -> date:
    """The last birth date of those who are 18 or older on `today`."""
    try:
        return today.replace(year=today.year - 18)
    except ValueError:  # 29 February, and no such day 18 years before.
        return date(today.year - 18, 2, 28)


def is_known_under_18(birth_date: date | None, birth_year: int | None, today: date) -> bool:
    """Whether somebody with this birth date, or only this year, is under 18 on `today` for sure."""
    if birth_date is not None:
        return birth_date > under_18_if_born_after(today)
    return birth_year is not None and today.year - birth_year < 18


def is_known_adult(birth_date: date | None, birth_year: int | None, today: date) -> bool:
    """Whether somebody with this birth date, or only this year, is 18 on `today` for sure."""
    if birth_date is not None:
        return birth_date <= under_18_if_born_after(today)
    return birth_year is not None and today.year - birth_year > 18


def known_under_18(today: date, player: str = "") -> Q:
    """The condition that a player is known to be under 18; `player` is the path to him."""
    by_date = Q(**{f"{player}birth_date__gt": under_18_if_born_after(today)})
    by_year = Q(**{f"{player}birth_date__isnull": True, f"{player}birth_year__gt": today.year - 18})
    return by_date | by_year


def hidden(today: date, player: str = "") -> Q:
    """The condition that a player's name is hidden; `player` is the path to him, as `white__`."""
    no_consent = Q(**{f"{player}name_consent__isnull": True}) | Q(
        **{f"{player}name_consent": False}
    )
    return no_consent & known_under_18(today, player)
