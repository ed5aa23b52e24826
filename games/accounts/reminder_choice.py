"""Whether an account is reminded of missing cards, and of those that wait for its word."""

from clubs.models import User


def choose(*, user: int, wanted: bool) -> None:
    """Store whether the account with this pk gets reminders."""
    User.objects.filter(pk=user).update(wants_reminders=wanted)
