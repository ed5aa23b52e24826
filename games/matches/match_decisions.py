"""What the officer decides of a match: another day, postponed, void, awarded, or none of it.

The games as played stay rated, whatever is decided. Each decision is kept in the match's history,
and both captains get a mail.
"""

from datetime import date, datetime

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.dates import date_format
from games.match_cards.cards import lock_match
from games.models import Match, MatchState, RearrangementState
from games.season_office.entries import touch

from . import match_mail


class DecisionRefused(Exception):
    """What was asked of a match cannot be done; the message says why."""


def postpone(
    *, match: int, day: date | None, by, at: datetime, address: str = "", why: str = ""
) -> Match:
    """Put a match off to another day, or to none yet; an open proposal is overtaken.

    `address` is that of the match's page, for the mail. Raises `DecisionRefused` for a match that
    has a card or is decided, and for a day outside the season.
    """
    with transaction.atomic(), _said_by(by, why):
        stored = lock_match(match)
        refuse_a_new_day(stored, day)
        if (day, _state_of(day)) == (stored.played_on, stored.state):
            return stored
        put_off(stored, day, at)
        overtake_proposals(stored, at)
        match_mail.tell_both(stored, "postponed", address=address, why=why, day=day, by=by)
        return stored


def void(*, match: int, reason: str, by, at: datetime, address: str = "") -> Match:
    """Let a match count for nobody; it is not played any more."""
    return _decide(
        match, MatchState.VOID, reason, by, at, address, stated=(None, None), defaulted_by=None
    )


def award(
    *,
    match: int,
    home: int,
    away: int,
    reason: str,
    by,
    at: datetime,
    defaulted_by: str | None = None,
    address: str = "",
) -> Match:
    """Give a match this score in half-points, whatever was played.

    `defaulted_by` says who did not turn up, if that is why: the division's rules for defaulted
    matches hold then. Raises `DecisionRefused` for more points than the match has boards.
    """
    return _decide(match, MatchState.AWARDED, reason, by, at, address, (home, away), defaulted_by)


def reinstate(*, match: int, by, at: datetime, address: str = "") -> Match:
    """Take a decision back: the match is as its card says, or to be played."""
    with transaction.atomic(), _said_by(by, ""):
        stored = lock_match(match)
        if not stored.is_decided:
            return stored
        stored.state = _state_of(stored.played_on)
        stored.decision, stored.defaulted_by = "", None
        stored.stated_home = stored.stated_away = None
        _store(stored, at)
        match_mail.tell_both(stored, "reinstated", address=address, by=by)
        return stored


def _decide(
    match: int, state: str, reason: str, by, at, address: str, stated, defaulted_by
) -> Match:
    with transaction.atomic(), _said_by(by, reason):
        stored = lock_match(match)
        if not reason.strip():
            raise DecisionRefused(_("A decision needs its reason in words."))
        if None not in stated and (min(stated) < 0 or sum(stated) > 2 * stored.board_count):
            raise DecisionRefused(
                _("On %d boards there are no more points than boards.") % stored.board_count
            )
        stored.state, stored.decision, stored.defaulted_by = state, reason, defaulted_by
        stored.stated_home, stored.stated_away = stated
        _store(stored, at)
        overtake_proposals(stored, at)
        match_mail.tell_both(stored, state, address=address, why=reason, by=by)
        return stored


# What a new day means, for the officer and for sides that agree ----------------------------------


def refuse_a_new_day(match: Match, day: date | None) -> None:
    """Raise `DecisionRefused` where a locked match cannot be put off to this day."""
    season = match.division.season
    if match.is_decided:
        raise DecisionRefused(_("The match is decided: take that back first."))
    if match.entered_at is not None or match.stated_home is not None:
        raise DecisionRefused(_("The match has a result: its day is changed on its card."))
    if day is not None and not season.starts_on <= day < season.ends_on:
        last = date.fromordinal(season.ends_on.toordinal() - 1)
        raise DecisionRefused(
            _("The season runs from %(first)s to %(last)s.")
            % {
                "first": date_format(season.starts_on, "j F Y"),
                "last": date_format(last, "j F Y"),
            }
        )


def put_off(match: Match, day: date | None, at: datetime) -> None:
    """Give a locked match its new day, or none."""
    match.played_on, match.state = day, _state_of(day)
    _store(match, at)


def overtake_proposals(match: Match, at: datetime) -> None:
    """Close what a side proposed and nobody has answered."""
    match.rearrangements.filter(state=RearrangementState.PROPOSED).update(
        state=RearrangementState.OVERTAKEN, answered_at=at
    )


def _state_of(day: date | None) -> str:
    return MatchState.POSTPONED if day is None else MatchState.ARRANGED


def _store(match: Match, at: datetime) -> None:
    match.version += 1
    match.save(
        update_fields=[
            *("state", "played_on", "decision", "defaulted_by", "stated_home", "stated_away"),
            "version",
        ]
    )
    touch(match.division, at)


def _said_by(by, why: str):
    return pghistory.context(user=getattr(by, "pk", None), why=why)
