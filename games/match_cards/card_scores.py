"""The score of a match sent before its boards: by a side of it, or by the league's officer."""

from collections.abc import Sequence
from datetime import date, datetime

import pghistory
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Board, Match, MatchState
from games.season_office.entries import touch

from . import card_agreement
from .card_checks import Problem
from .cards import CardAlreadyConfirmed, CardChanged, CardRefused, lock_match

WRITTEN = (
    *("stated_home", "stated_away", "played_on", "state"),
    *("first_entered_at", "entered_by", "version"),
)


def record_score(
    *, match: int, home: int, away: int, played_on: date, version: int, by, at: datetime
) -> Match:
    """State the score of this match (pk) in half-points; the table counts it until the card is in.

    The same score once more changes nothing. Raises `CardRefused` where boards have results
    already, for more points than the match has and for a day to come, `CardAlreadyConfirmed`,
    and `CardChanged` when somebody saved after `version`.
    """
    with transaction.atomic():
        stored = lock_match(match)
        today = timezone.localdate(at)
        if (stored.stated_home, stored.stated_away, stored.played_on) == (home, away, played_on):
            return stored
        if not card_agreement.may_change(by, stored, today):
            raise CardAlreadyConfirmed
        boards = list(stored.boards.order_by("number"))
        if version != stored.version:
            raise CardChanged(stored, boards)
        problem = _problem_of(stored, boards, home + away, played_on, today)
        if problem:
            raise CardRefused({0: [problem]})
        stored.stated_home, stored.stated_away = home, away
        stored.played_on = played_on
        if stored.state == MatchState.POSTPONED:
            stored.state = MatchState.ARRANGED.value
        if stored.first_entered_at is None:
            stored.first_entered_at = at
        stored.entered_by = by
        stored.version += 1
        with pghistory.context(user=by.pk):
            stored.save(update_fields=WRITTEN)
            touch(stored.division, at)
        return stored


def _problem_of(
    match: Match, boards: Sequence[Board], points: int, played_on: date, today: date
) -> Problem | None:
    if match.is_decided:
        return Problem(_("The league has decided this match."), match.decision)
    if any(board.result is not None or board.award is not None for board in boards):
        return Problem(_("Boards have results already."), _("Complete the card instead."))
    if points > 2 * match.board_count:
        advice = _("It has %(boards)d boards, and so many points at most.")
        return Problem(_("More points than the match has."), advice % {"boards": match.board_count})
    if played_on > today:
        return Problem(_("This day is still to come."), _("Enter the day it was played on."))
    return None
