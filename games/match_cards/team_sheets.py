"""A team's sheet for a match: saved beforehand, hidden from the other side until both are in."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

import pghistory
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import registry
from clubs.models import Player, User
from games.access import acts_for, is_officer
from games.models import Colour, Match, SheetSeat, Side

from .card_checks import find_problems
from .card_entries import BoardEntry, NewPlayer
from .cards import CardRefused, lock_match

Seats = dict[int, int | str]
"""Who sits where on one sheet, by board: a player's pk, or a name."""


class SheetClosed(Exception):
    """The sheet cannot be changed any more; the message says why."""


class SheetChanged(Exception):
    """Somebody else saved the sheet meanwhile; `saved` is what is stored now."""

    def __init__(self, saved: "Sheet"):
        super().__init__(saved.mark)
        self.saved = saved


@dataclass(frozen=True, slots=True)
class Sheet:
    """A side's sheet as it is stored, without seats if there is none; by whom and when."""

    seats: Seats = field(default_factory=dict)
    by: User | None = None
    at: datetime | None = None

    @property
    def mark(self) -> str:
        """What tells this state of the sheet from any other."""
        return "" if self.at is None else self.at.isoformat()


def save_sheet(
    *, match: int, side: str, seats: Mapping[int, int | NewPlayer], seen: str, by, at: datetime
) -> None:
    """Store the side's sheet of this match (pk) as it stands; without anybody there is none.

    `seen` is the mark of the sheet that the typist saw. The same sheet again changes nothing.
    Raises `SheetClosed` once both sheets are in, the card holds line-ups or the match has a score:
    from then on changes are made on the card. Also where it will not be played; `SheetChanged` when
    somebody saved meanwhile; `CardRefused` with sentences by board.
    """
    wanted = {number: who if isinstance(who, int) else _name(who) for number, who in seats.items()}
    with transaction.atomic():
        stored = lock_match(match)
        before = saved_sheets(stored)
        if before[side].seats == wanted:
            return
        reason = closed_words(stored, {each: before[each].seats for each in before})
        if reason:
            raise SheetClosed(reason)
        if before[side].mark != seen:
            raise SheetChanged(before[side])
        people = registry.hold_people({who for who in seats.values() if isinstance(who, int)})
        problems = find_problems(
            [_entry(number, side, who) for number, who in seats.items()],
            people,
            played_on=stored.played_on,
            today=timezone.localdate(at),
        )
        if problems:
            raise CardRefused(problems)
        with pghistory.context(user=getattr(by, "pk", None)):
            _write(stored, side, before[side].seats, wanted, by, at)


def _write(match: Match, side: str, before: Seats, wanted: Seats, by, at: datetime) -> None:
    """Make the rows say `wanted`; who stays where he sat keeps his, so the history is silent."""
    team = getattr(match, side)
    stays = [number for number, who in wanted.items() if before.get(number) == who]
    rows = SheetSeat.objects.filter(match=match, team=team)
    rows.exclude(number__in=stays).delete()
    rows.update(saved_by=by, saved_at=at)
    SheetSeat.objects.bulk_create(
        SheetSeat(
            match=match,
            team=team,
            number=number,
            player_id=who if isinstance(who, int) else None,
            name="" if isinstance(who, int) else who,
            saved_by=by,
            saved_at=at,
        )
        for number, who in wanted.items()
        if number not in stays
    )


def _entry(number: int, side: str, who: int | NewPlayer) -> BoardEntry:
    return replace(BoardEntry(number, None, None, Colour.UNKNOWN), **{side: who})


def _name(who: NewPlayer) -> str:
    """As it is typed on a card again."""
    return f"{who.surname}, {who.forenames}"


def saved_sheets(match: Match) -> dict[str, Sheet]:
    """The sheets of both sides; who was merged is the other player."""
    rows = list(SheetSeat.objects.filter(match=match).select_related("saved_by").order_by("number"))
    players = {row.player_id for row in rows} - {None}
    kept = Player.objects.filter(pk__in=players).kept_for() if players else {}
    found = {}
    for side in Side.values:
        own = [row for row in rows if row.team_id == getattr(match, f"{side}_id")]
        seats = {row.number: row.name or kept.get(row.player_id, row.player_id) for row in own}
        found[side] = Sheet(seats, own[0].saved_by, own[0].saved_at) if own else Sheet()
    return found


def sheets_of(match: Match) -> dict[str, Seats]:
    """Who sits where on the sheets of both sides, empty where there is none."""
    return {side: sheet.seats for side, sheet in saved_sheets(match).items()}


def sheets_for(user, match: Match, sheets: Mapping[str, Seats]) -> dict[str, Seats]:
    """Those of the sheets that the account may see; the others are empty."""
    seen = sides_seen(user, match, sheets)
    return {side: seats if side in seen else {} for side, seats in sheets.items()}


def sides_seen(user, match: Match, sheets: Mapping[str, Seats]) -> set[str]:
    """The sides whose sheet of this match the account may see, and how it came about.

    Its own; both once both are in or the match has a score; and both if it is an officer who acts
    for neither. `sheets` are those of both.
    """
    own = {side for side in Side.values if acts_for(user, getattr(match, side))}
    is_neutral = not own and is_officer(user, match.division.season.league_id)
    both_in = bool(sheets) and all(sheets.values())
    return set(Side.values) if is_neutral or both_in or has_score(match) else own


def closed_words(match: Match, sheets: Mapping[str, Seats]) -> str:
    """Why no sheet of the match can be changed any more; blank while it can."""
    if has_score(match):
        return _("The match has a result: change its card.")
    if match.is_off:
        return _("The match will not be played: it needs no line-up.")
    if match.boards.exists():
        return _("The card holds the line-ups already: change them there.")
    if all(sheets.values()):
        return _("Both line-ups are in: changes are made on the card, where both sides see them.")
    return ""


def has_score(match: Match) -> bool:
    """Whether a first result, or a score alone, stands."""
    return match.entered_at is not None or match.stated_home is not None
