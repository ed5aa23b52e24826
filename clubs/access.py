"""Who may do what to clubs and accounts."""

from collections.abc import Collection
from datetime import date

from .models import Club, Player, User


def is_secretary(user, club: Club | int) -> bool:
    """Whether the account acts for this club."""
    if not user.is_authenticated:
        return False
    club_id = club if isinstance(club, int) else club.pk
    return club_id in clubs_of(user)


def clubs_of(user) -> Collection[int]:
    """The pks of the clubs that the account is secretary of; read with the account of a request."""
    known = getattr(user, "own_clubs", None)
    return user.club_roles.values_list("club", flat=True) if known is None else known


def is_grading_officer(user) -> bool:
    """Whether the account is a grading officer or may do everything."""
    return isinstance(user, User) and (user.is_grading_officer or user.is_superuser)


def may_see_names(user) -> bool:
    """Whether the account sees the names of juniors that are hidden from the public."""
    return user.is_authenticated


def may_see_contacts(user) -> bool:
    """Whether the account sees how to reach the contacts of clubs and the captains of teams."""
    return user.is_authenticated


def name_for(user, player: Player, today: date) -> str:
    """The player's name as this account, or the public, may see it on `today`."""
    return str(player) if may_see_names(user) else player.public_name(today)


def listed_name_for(user, player: Player, today: date) -> str:
    """The same with the surname first, as in a list."""
    return player.listed_name if may_see_names(user) else player.public_listed_name(today)


def code_for(user, player: Player, today: date) -> str | None:
    """His ECF code, which leads to his name, or None where that is hidden."""
    hidden = not may_see_names(user) and player.is_hidden(today)
    return None if hidden else player.ecf_code
