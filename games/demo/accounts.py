"""The accounts of the demo: one for each kind of user, all with the same password."""

from collections.abc import Iterable
from typing import NamedTuple

from django.contrib.auth.hashers import make_password
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, ClubRole, Player, User
from clubs.names import split_name
from games.models import Division, League, LeagueRole, Team, TeamRole

PASSWORD = "the-corner-on-the-right-is-light"


class Account(NamedTuple):
    """An account of the demo: its address, whose it is, and what it may do."""

    email: str
    name: str
    may: str


ACCOUNTS = (
    Account("officer@demo.example", "Hilary Wentworth", _("runs the league")),
    Account("secretary@demo.example", "Iris Penhallow", _("acts for the club Ashdown")),
    Account("captain@demo.example", "Maureen T Lovell", _("captain of Ashdown A")),
    Account("grading@demo.example", "Edwin Garside", _("grading officer")),
    Account("outsider@demo.example", "Colin Ullathorne", _("acts for the club Wellow Bridge")),
)


def add_accounts(*, leagues: Iterable[League], division: Division) -> None:
    """Make the accounts, with their roles in the leagues and in the teams of this division.

    An account that is there already keeps its password and gets the roles.
    """
    password = make_password(PASSWORD)
    officer, secretary, captain, grading, outsider = (
        User.objects.get_or_create(
            email=account.email, defaults={"name": account.name, "password": password}
        )[0]
        for account in ACCOUNTS
    )
    ashdown = Club.objects.get(name="Ashdown")
    for league in leagues:
        LeagueRole.objects.create(user=officer, league=league)
    ClubRole.objects.create(user=secretary, club=ashdown)
    ClubRole.objects.create(user=outsider, club=Club.objects.get(name="Wellow Bridge"))
    grading.is_grading_officer = True
    grading.save(update_fields=["is_grading_officer"])
    for user in (secretary, captain, outsider):
        user.player = Player.objects.named(*split_name(user.name)).get()
        user.save(update_fields=["player"])
    for team in Team.objects.filter(name="Ashdown A", club=ashdown):
        TeamRole.objects.create(user=captain, team=team)
    team = division.teams.get(club=ashdown)
    team.captain_name, team.captain_email = captain.name, captain.email
    # One of the numbers that are kept free for stories.
    team.captain_phone = "01632 960417"
    team.save()


def captain_and_officer() -> tuple[User, User]:
    """Who enters the cards of the demo."""
    by_email = {user.email: user for user in User.objects.all()}
    return by_email["captain@demo.example"], by_email["officer@demo.example"]


def logins() -> list[str]:
    """A line for each account of the demo that can still log in with its password."""
    lines = []
    for account in ACCOUNTS:
        user = User.objects.filter(email=account.email, is_active=True).first()
        if user is not None and user.check_password(PASSWORD):
            lines.append(f"{account.email:24} {PASSWORD}   {account.name}, {account.may}")
    return lines
