"""A side asks for another day of its match, and the other side agrees or declines."""

from datetime import date, datetime

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from games.match_cards.cards import lock_match
from games.models import Match, Rearrangement, RearrangementState, Team

from . import match_mail
from .match_decisions import DecisionRefused, put_off, refuse_a_new_day


def propose(
    *, match: int, team: Team, day: date | None, reason: str, by, at: datetime, address: str = ""
) -> Rearrangement:
    """Ask the other side for this day, or with None to postpone without one yet.

    An older proposal of the same side is replaced. Raises `DecisionRefused` while one of the
    other side waits, and for a day that cannot be.
    """
    with transaction.atomic(), pghistory.context(user=by.pk):
        stored = lock_match(match)
        refuse_a_new_day(stored, day)
        if day == stored.played_on:
            raise DecisionRefused(_("This is the day the match has already."))
        waiting = stored.open_proposal
        if waiting is not None:
            if waiting.team_id != team.pk:
                raise DecisionRefused(_("The other side has proposed a day: answer that first."))
            _answer(waiting, RearrangementState.WITHDRAWN, by, at)
        made = Rearrangement.objects.create(
            match=stored, team=team, proposed_on=day, reason=reason, asked_at=at, asked_by=by
        )
        other = other_side(stored, team.pk)
        match_mail.tell(
            other, stored, "proposed", address=address, by=by, day=day, why=reason, asking=team
        )
        return made


def agree(*, proposal: int, by, at: datetime, address: str = "") -> Match:
    """The other side agrees: the match has its new day, or none yet."""
    with transaction.atomic(), pghistory.context(user=by.pk):
        waiting, stored = _lock_open(proposal)
        refuse_a_new_day(stored, waiting.proposed_on)
        _answer(waiting, RearrangementState.AGREED, by, at)
        put_off(stored, waiting.proposed_on, at)
        match_mail.tell_both(
            stored, "postponed", address=address, by=by, day=waiting.proposed_on,
            why=waiting.reason,
        )  # fmt: skip
        return stored


def decline(*, proposal: int, by, at: datetime, address: str = "") -> Rearrangement:
    """The other side does not agree: the match stays as it was."""
    with transaction.atomic(), pghistory.context(user=by.pk):
        waiting, stored = _lock_open(proposal)
        _answer(waiting, RearrangementState.DECLINED, by, at)
        match_mail.tell(
            waiting.team, stored, "declined", address=address, by=by, day=waiting.proposed_on
        )
        return waiting


def withdraw(*, proposal: int, by, at: datetime) -> Rearrangement:
    """Who asked takes it back."""
    with transaction.atomic(), pghistory.context(user=by.pk):
        waiting, _stored = _lock_open(proposal)
        _answer(waiting, RearrangementState.WITHDRAWN, by, at)
        return waiting


def other_side(match: Match, team: int) -> Team:
    return match.away if match.home_id == team else match.home


def _lock_open(pk: int) -> tuple[Rearrangement, Match]:
    """A proposal that waits, with its match, the match's row locked; raises `DecisionRefused`."""
    match = lock_match(Rearrangement.objects.values_list("match", flat=True).get(pk=pk))
    waiting = Rearrangement.objects.select_related("team__club").get(pk=pk)
    if waiting.state != RearrangementState.PROPOSED:
        raise DecisionRefused(_("This proposal was answered already, or taken back."))
    return waiting, match


def _answer(waiting: Rearrangement, state: str, by, at: datetime) -> None:
    waiting.state, waiting.answered_by, waiting.answered_at = state, by, at
    waiting.save(update_fields=["state", "answered_by", "answered_at"])
