"""A team's sheet for a match: saved beforehand, hidden from the other side until both are in."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Player
from games.access import acts_for, is_officer
from games.models import Match, SheetSeat, Side

from .cards import lock_match

Seats = dict[int, int | str]
"""Who sits where on one sheet, by board: a player's pk, or a name."""


class SheetClosed(Exception):
    """The sheet cannot be changed any more; the message says why."""


def save_sheet(*, match: int, side: str, seats: Mapping[int, int | str], by, at: datetime) -> None:
    """Store the side's sheet of this match (pk) as it stands; without anybody there is none.

    The same sheet again changes nothing else. Raises `SheetClosed` once both sheets are in, the
    card holds line-ups or the match has a score: from then on changes are made on the card.
    """
    with transaction.atomic():
        stored = lock_match(match)
        team = getattr(stored, side)
        before = sheets_of(stored)
        if before[side] == dict(seats):
            return
        reason = closed_words(stored, before)
        if reason:
            raise SheetClosed(reason)
        SheetSeat.objects.filter(match=stored, team=team).delete()
        SheetSeat.objects.bulk_create(
            SheetSeat(
                match=stored,
                team=team,
                number=number,
                player_id=who if isinstance(who, int) else None,
                name="" if isinstance(who, int) else who,
                saved_by=by,
                saved_at=at,
            )
            for number, who in seats.items()
        )


def sheets_of(match: Match) -> dict[str, Seats]:
    """The sheets of both sides, empty where there is none; who was merged is the other player."""
    rows = list(SheetSeat.objects.filter(match=match).order_by("number"))
    players = {row.player_id for row in rows} - {None}
    kept = Player.objects.filter(pk__in=players).kept_for() if players else {}
    return {
        side: {
            row.number: row.name or kept.get(row.player_id, row.player_id)
            for row in rows
            if row.team_id == getattr(match, f"{side}_id")
        }
        for side in Side.values
    }


def sheets_for(user, match: Match, sheets: Mapping[str, Seats]) -> dict[str, Seats]:
    """Those of the sheets that the account may see.

    Its own side's; both once both are in or the match has a score; and both if it is an officer
    who acts for neither.
    """
    if not sheets:
        return {}
    own = {side for side in Side.values if acts_for(user, getattr(match, side))}
    is_neutral = not own and is_officer(user, match.division.season.league_id)
    if is_neutral or all(sheets.values()) or has_score(match):
        return dict(sheets)
    return {side: seats if side in own else {} for side, seats in sheets.items()}


def closed_words(match: Match, sheets: Mapping[str, Seats]) -> str:
    """Why no sheet of the match can be changed any more; blank while it can."""
    if has_score(match):
        return _("The match has a result: change its card.")
    if match.boards.exists():
        return _("The card holds the line-ups already: change them there.")
    if all(sheets.values()):
        return _("Both line-ups are in: changes are made on the card, where both sides see them.")
    return ""


def has_score(match: Match) -> bool:
    """Whether a first result, or a score alone, stands."""
    return match.entered_at is not None or match.stated_home is not None
