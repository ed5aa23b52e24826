"""A card brought back to what it said before: a card like any other, with its reason."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from django.utils.translation import gettext as _

from clubs.models import Player
from games.models import BoardEvent, Match, MatchEvent, MatchState

from .card_agreement import may_change
from .card_entries import BoardEntry, entry_of, seated_in
from .cards import CardAlreadyConfirmed, Recorded, record_card


class CannotReturn(Exception):
    """The card cannot be brought back so; the sentence says why."""


def reason_not_to(user, match: Match, today: date) -> str:
    """Why the account, which may enter the card, brings none of earlier back; blank if it may."""
    if not may_change(user, match, today):
        return str(CardAlreadyConfirmed().problems[0][0])
    if match.state == MatchState.VOID:
        return f"{_('The match is void.')} {match.decision}".strip()
    return ""


def card_at(match: int, moment: int) -> list[BoardEntry]:
    """What the card of this match said right after the event `moment` (pk) of one of its boards.

    Who was merged since is the player he is now. Raises `BoardEvent.DoesNotExist` for an event
    of another match.
    """
    history = BoardEvent.objects.filter(match=match)
    history.get(pgh_id=moment)
    rows: dict[int, BoardEvent] = {}
    for event in history.filter(pgh_id__lte=moment).order_by("pgh_id"):
        if event.pgh_label == "delete":
            rows.pop(event.pgh_obj_id, None)
        else:
            rows[event.pgh_obj_id] = event
    entries = sorted(map(entry_of, rows.values()), key=lambda entry: entry.number)
    kept = Player.objects.filter(pk__in=seated_in(entries)).kept_for()
    return [
        replace(entry, home=kept.get(entry.home, entry.home), away=kept.get(entry.away, entry.away))
        for entry in entries
    ]


def people_on(entries: Sequence[BoardEntry]) -> dict[int, Player]:
    """The players on these boards by pk; who is no longer in the registry is missing."""
    return Player.objects.in_bulk(seated_in(entries))


def match_at(match: int, moment: int) -> MatchEvent:
    """The match as it was when the event `moment` of one of its boards happened.

    A card writes its boards and its match in one transaction, which has one time.
    """
    at = BoardEvent.objects.values_list("pgh_created_at", flat=True).get(pgh_id=moment)
    history = MatchEvent.objects.filter(pgh_obj=match, pgh_created_at__lte=at)
    return history.latest("pgh_created_at", "pgh_id")


def bring_back(*, match: int, moment: int, version: int, reason: str, by, at: datetime) -> Recorded:
    """Save the card as it was after the event `moment`, over the one of `version` that was seen.

    Raises `CannotReturn` without a reason and where a player of it left the registry, and what
    `record_card` raises.
    """
    if not reason.strip():
        raise CannotReturn(_("Say why: the reason stands in the history."))
    entries = card_at(match, moment)
    if len(people_on(entries)) < len(seated_in(entries)):
        raise CannotReturn(_("A player of that card is no longer in the registry."))
    then = match_at(match, moment)
    return record_card(
        match=match,
        boards=entries,
        version=version,
        played_on=then.played_on,
        board_count=then.board_count,
        by=by,
        at=at,
        why=reason.strip(),
    )
