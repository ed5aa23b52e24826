"""Who sits at a board for a club to which he does not belong: noted beside it, never refused."""

from collections.abc import Collection, Iterable
from datetime import date

from django.db.models import Q
from django.utils.translation import gettext as _

from clubs.models import Membership
from games.models import Board, Match, Registration

from .card_checks import SIDES

Belonging = set[tuple[int, int]]
"""Pairs of the pks of a club and of a player who belongs to it."""


def belonging(match: Match, players: Collection[int], day: date) -> Belonging:
    """Who of these players belongs to which of the two clubs of a match on that day.

    Members do, also those who joined later, for a card may be entered before the list of members;
    and so does who is registered for the club in the season.
    """
    clubs = [match.home.club_id, match.away.club_id]
    lasts = Q(ends_on__isnull=True) | Q(ends_on__gt=day)
    members = Membership.objects.filter(lasts, club__in=clubs, player__in=players)
    registered = Registration.objects.filter(
        season=match.division.season_id, club__in=clubs, player__in=players
    ).in_force(day)
    return {
        *members.order_by().values_list("club", "player"),
        *registered.order_by().values_list("club", "player"),
    }


def guests_on(match: Match, boards: Iterable[Board], today: date) -> list[tuple[int, str]]:
    """The guests on a stored card of either side, as a board's number and a sentence."""
    seats = [
        (board.number, getattr(match, side), getattr(board, f"{side}_player"))
        for board in boards
        for side in SIDES
    ]
    seats = [seat for seat in seats if seat[2] is not None]
    if not seats:
        return []
    day = today if match.played_on is None else match.played_on
    known = belonging(match, {player.pk for _number, _team, player in seats}, day)
    return [
        (number, guest_words(str(player), team.club.name))
        for number, team, player in seats
        if (team.club_id, player.pk) not in known
    ]


def guest_words(name: str, club: str) -> str:
    """That somebody does not belong to the club, in a sentence."""
    return _("%(name)s is not a member of %(club)s.") % {"name": name, "club": club}
