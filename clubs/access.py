"""Who may do what to clubs and accounts."""

from .models import Club, User


def is_secretary(user, club: Club | int) -> bool:
    """Whether the account acts for this club."""
    if not user.is_authenticated:
        return False
    club_id = club if isinstance(club, int) else club.pk
    return any(role.club_id == club_id for role in user.club_roles.all())


def is_grading_officer(user) -> bool:
    """Whether the account is a grading officer or may do everything."""
    return isinstance(user, User) and (user.is_grading_officer or user.is_superuser)
