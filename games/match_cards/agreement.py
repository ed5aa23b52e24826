"""What is said of an entered card: confirmed, disputed, settled, opened again, agreed by itself.

Where the division rates what is agreed, each of them takes the ledger and the ratings along.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import pghistory
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Agreement, Match
from games.season_office.entries import touch

from . import card_agreement, card_mail, cards, posting
from .card_agreement import AGREEMENT_COLUMNS, SETTLED, agree, agrees_on, clear, is_complete
from .card_mail import CONFIRMED, DISPUTED, REOPENED
from .cards import CardChanged


class AgreementRefused(Exception):
    """What was to be said of a card cannot be; the message says why."""


class NothingEntered(AgreementRefused):
    """There is no card to say anything of."""


class NotAsked(AgreementRefused):
    """The account's own side entered the card, or it acts for neither."""


class AlreadyConfirmed(AgreementRefused):
    """The other side has confirmed it, or the officer has settled it."""


class AlreadyDisputed(AgreementRefused):
    """It is disputed, and waits for a correction or the officer."""


class AlreadyFinal(AgreementRefused):
    """Its time is over."""


class ReasonMissing(AgreementRefused):
    """A dispute says what is wrong."""


class CardIncomplete(AgreementRefused):
    """A board has no result yet."""


class NothingToReopen(AgreementRefused):
    """The card is open."""


def confirm(*, match: int, version: int, by, at: datetime) -> Match:
    """The other side says that the card is right; a side that disputed it takes that back.

    `version` is the one it saw. Confirming twice changes nothing. Raises `CardChanged` when
    somebody saved meanwhile, and an `AgreementRefused`.
    """
    with _said_of(match, by) as stored:
        if stored.agreement == Agreement.CONFIRMED:
            return stored
        _refuse_unless_asked(stored, version, by, at)
        if not is_complete(stored, stored.boards.all()):
            raise CardIncomplete(_("Some boards have no result yet: complete the card first."))
        answers = stored.agreement == Agreement.DISPUTED
        agree(stored, Agreement.CONFIRMED, by, at)
        _store(stored, at)
        card_mail.tell_later(stored, CONFIRMED, by=by, answers=answers)
        return stored


def dispute(*, match: int, version: int, reason: str, by, at: datetime) -> Match:
    """The other side says that the card is wrong and what is; its author and the officers hear it.

    A card that was agreed by itself can be disputed until it is final. Raises `CardChanged` when
    somebody saved meanwhile, and an `AgreementRefused`.
    """
    with _said_of(match, by) as stored:
        _refuse_unless_asked(stored, version, by, at)
        if stored.agreement == Agreement.DISPUTED:
            raise AlreadyDisputed(_("It is disputed already, and waits for an answer."))
        if not reason.strip():
            raise ReasonMissing(_("Say what is wrong: which board, and what it should be."))
        clear(stored)
        stored.agreement = Agreement.DISPUTED.value
        stored.dispute, stored.disputed_by, stored.disputed_at = reason.strip(), by, at
        _store(stored, at)
        card_mail.tell_later(stored, DISPUTED, by=by)
        return stored


def settle(*, match: int, by, at: datetime, why: str = "") -> Match:
    """The officer lets the card stand as it is, whatever was said of it; both sides hear it.

    Another score he enters on the card, which settles a disputed one too. Settling it twice
    changes nothing. Raises an `AgreementRefused`.
    """
    with _said_of(match, by, why) as stored:
        if stored.agreement == Agreement.SETTLED:
            return stored
        _refuse_unless_entered(stored)
        if not is_complete(stored, stored.boards.all()):
            raise CardIncomplete(_("Some boards have no result yet: complete the card first."))
        answers = stored.agreement == Agreement.DISPUTED
        agree(stored, Agreement.SETTLED, by, at)
        _store(stored, at)
        card_mail.tell_later(stored, SETTLED, by=by, answers=answers)
        return stored


def reopen(*, match: int, by, at: datetime, why: str = "") -> Match:
    """The officer gives the card back to both sides, as if it had just been entered.

    Its days count from now. Raises an `AgreementRefused`.
    """
    with _said_of(match, by, why) as stored:
        _refuse_unless_entered(stored)
        if stored.agreement == Agreement.ENTERED:
            raise NothingToReopen(_("The card is open: either side can still change it."))
        answers = stored.agreement == Agreement.DISPUTED
        clear(stored)
        stored.agreement, stored.entered_at = Agreement.ENTERED.value, at
        _store(stored, at)
        card_mail.tell_later(stored, REOPENED, by=by, answers=answers)
        return stored


def agree_due(*, at: datetime) -> int:
    """Agree by themselves on the cards whose day has come; returns how many that were.

    Each in a transaction of its own, so that none waits for another.
    """
    waiting = (
        Match.objects.filter(agreement=Agreement.ENTERED)
        .undecided()
        .exclude(division__agrees_after_days=None, division__final_after_days=None)
        .select_related("division")
        .with_score()
        .order_by("pk")
    )
    today = timezone.localdate(at)
    due = [each.pk for each in waiting if each.is_complete and _is_due(each, today)]
    return sum(_agree_by_itself(pk, at) for pk in due)


def _is_due(match: Match, today) -> bool:
    day = agrees_on(match)
    return day is not None and today >= day


def _agree_by_itself(pk: int, at: datetime) -> bool:
    with _said_of(pk, None) as stored:
        if stored.agreement != Agreement.ENTERED or not _is_due(stored, timezone.localdate(at)):
            return False
        if not is_complete(stored, stored.boards.all()):
            return False
        agree(stored, Agreement.AGREED, None, at)
        _store(stored, at)
        return True


# What each of them begins and ends with -----------------------------------------------------------


@contextmanager
def _said_of(pk: int, by, why: str = "") -> Iterator[Match]:
    """The match, locked with its division, in a transaction that the history knows the author of.

    The words of a dispute stand in the match itself.
    """
    with transaction.atomic(), pghistory.context(user=getattr(by, "pk", None), why=why):
        yield cards.lock_match(pk)


def _refuse_unless_entered(match: Match) -> None:
    if match.is_decided:
        raise NothingEntered(_("The match is decided by the league; its card no longer counts."))
    if not match.agreement:
        raise NothingEntered(_("Neither side has entered this card."))


def _refuse_unless_asked(match: Match, version: int, by, at: datetime) -> None:
    """Raise what is wrong with a word of `by` on this card, as the page showed it to him."""
    _refuse_unless_entered(match)
    if not card_agreement.sides_of(by, match):
        raise NotAsked(_("Only the two sides say whether the card is right."))
    if match.is_closed:
        raise AlreadyConfirmed(_("The card is confirmed already: ask the league’s officer."))
    if card_agreement.is_final(match, timezone.localdate(at)):
        raise AlreadyFinal(_("The result is final: ask the league’s officer."))
    if version != match.version:
        raise CardChanged(match, list(match.boards.order_by("number")))
    if not card_agreement.may_answer(by, match):
        raise NotAsked(_("Your side has entered this card: the other side answers."))


def _store(match: Match, at: datetime) -> None:
    """Write what was said, and rate or unrate the games where the division waits for it.

    The card's version stays: who has it open has typed nothing less.
    """
    match.save(update_fields=[*AGREEMENT_COLUMNS, "entered_at"])
    touch(match.division, at)
    if match.division.rated_when_agreed:
        boards = match.boards.values_list("pk", flat=True)
        posting.rate(match, boards, timezone.localdate(at))
