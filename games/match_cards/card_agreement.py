"""How far both sides have agreed on a card: who answers for whom, on which day, what may change."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from django.utils import timezone

from clubs.access import is_grading_officer
from games.access import acts_for, is_officer
from games.models import Agreement, Board, Match, Side

ENTERED, CORRECTED, SETTLED = "entered", "corrected", "settled"
"""What a saved card tells the sides; the names of their mails."""


def sides_of(user, match: Match) -> list[str]:
    """The sides for which the account acts: neither, one, or both of a derby."""
    return [side for side in Side.values if acts_for(user, getattr(match, side))]


def sides_asked(match: Match) -> list[str]:
    """The sides that have not said yet whether the card is right."""
    return [side for side in Side.values if side != match.entered_side]


def may_answer(user, match: Match) -> bool:
    """Whether the account confirms or disputes the card as it stands: it acts for the other side.

    A card of an officer who is of neither side, or of a secretary who is of both, is answered by
    either.
    """
    return any(side in sides_asked(match) for side in sides_of(user, match))


def may_change(user, match: Match, today: date) -> bool:
    """Whether the account, which may enter the card, may still change it.

    Once both sides have agreed, the officer has settled it or its time is over, only he may, and
    the grading officer.
    """
    if not is_beyond_captains(match, today) or is_grading_officer(user):
        return True
    return is_officer(user, match.division.season.league_id)


def is_beyond_captains(match: Match, today: date) -> bool:
    """Whether the card is closed to both sides: by their word, by the officer's, or by time."""
    return match.is_closed or is_final(match, today)


# Days -------------------------------------------------------------------------------------------


def agrees_on(match: Match) -> date | None:
    """The day on which the card is agreed by itself, None for never; it is entered."""
    division = match.division
    days = [division.agrees_after_days, division.final_after_days]
    known = [number for number in days if number is not None]
    return _entered_on(match) + timedelta(days=min(known)) if known else None


def final_on(match: Match) -> date | None:
    """The day from which neither side can dispute or change the card, None for never."""
    after = match.division.final_after_days
    return None if after is None else _entered_on(match) + timedelta(days=after)


def is_final(match: Match, today: date) -> bool:
    """Whether a card that was agreed by itself is past that day.

    One that is disputed or not complete waits for an answer, however long.
    """
    last = final_on(match) if match.agreement == Agreement.AGREED else None
    return last is not None and today >= last


def _entered_on(match: Match) -> date:
    """The day on which the card was entered, by the calendar of the league."""
    return timezone.localdate(match.entered_at)


# What a saved card does -------------------------------------------------------------------------


def note_saved(match: Match, boards: Iterable[Board], *, decided: bool, by, at: datetime) -> str:
    """Set the columns of the agreement on a match whose card is being saved; stores nothing.

    A card goes back to entered, whatever was said of it. An officer of neither side who changes
    one that was answered settles it; an import asks nobody. Returns what the sides are to be
    told, blank for nothing. `entered_at` is still that of the card before.
    """
    before, was_entered = match.agreement, match.entered_at is not None
    clear(match)
    if by is None or not decided:
        match.entered_side, match.agreement = "", ""
        return CORRECTED if by is not None and was_entered else ""
    sides = sides_of(by, match)
    match.entered_side = sides[0] if len(sides) == 1 else ""
    match.agreement = Agreement.ENTERED.value
    if match.first_entered_at is None:
        match.first_entered_at = at
    if is_complete(match, boards):
        if not sides and before not in ("", Agreement.ENTERED):
            agree(match, Agreement.SETTLED, by, at)
            return SETTLED
        if match.division.agrees_after_days == 0 or match.division.final_after_days == 0:
            agree(match, Agreement.AGREED, None, at)
    return CORRECTED if was_entered else ENTERED


def is_complete(match: Match, boards: Iterable[Board]) -> bool:
    """As `Match.is_complete`, of boards that may not be stored yet: a result or an award each."""
    decided = sum(
        board.counts_for_match and (board.result is not None or board.award is not None)
        for board in boards
    )
    return decided >= match.board_count


def agree(match: Match, agreement: str, by, at: datetime) -> None:
    """Set on a match that its card is agreed, and by whom; stores nothing."""
    clear(match)
    match.agreement, match.agreed_by, match.agreed_at = str(agreement), by, at


def clear(match: Match) -> None:
    """Take from a match what was said of its card; stores nothing."""
    match.agreement = ""
    match.agreed_at = match.agreed_by = None
    match.dispute, match.disputed_at, match.disputed_by = "", None, None


AGREEMENT_COLUMNS = (
    *("agreement", "entered_side", "first_entered_at", "agreed_at", "agreed_by"),
    *("dispute", "disputed_at", "disputed_by"),
)
