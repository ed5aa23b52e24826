"""Mails about a match to its sides, queued in the transaction of what they tell."""

from clubs import mail
from clubs.models import ClubRole
from games.models import Match, Team, TeamRole


def tell_both(match: Match, what: str, *, address: str, by, **more) -> None:
    """Tell both sides; who did it himself gets no mail."""
    for team in (match.home, match.away):
        tell(team, match, what, address=address, by=by, **more)


def tell(team: Team, match: Match, what: str, *, address: str, by, **more) -> None:
    """Tell one side: its captain, the accounts that act for it, else the club's contact."""
    own = getattr(by, "email", "")
    context = {"match": match, "team": team, "address": address, "by": by, **more}
    others = [address for address in addresses_of(team) if address != own]
    mail.send_rendered(f"games/mail/match_{what}", context, to=others)


def addresses_of(team: Team) -> list[str]:
    """Where a side is reached, each address once: captains, else secretaries, else the contact."""
    roles = TeamRole.objects.filter(team=team, user__is_active=True)
    found = [
        team.captain_email,
        *roles.order_by("user__email").values_list("user__email", flat=True),
    ]
    known = [each for each in found if each]
    if not known:
        secretaries = ClubRole.objects.filter(club=team.club_id, user__is_active=True)
        known = [*secretaries.order_by("user__email").values_list("user__email", flat=True)]
    known = known or [team.club.contact_email]
    return list(dict.fromkeys(each.lower() for each in known if each))
