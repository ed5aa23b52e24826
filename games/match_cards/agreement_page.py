"""How far a card is agreed, in words, and what an account may say of it."""

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.dates import date_format
from games.access import is_officer
from games.models import Agreement, Match

from . import card_agreement


@dataclass(frozen=True)
class AgreementPage:
    """The agreement on a match of `MatchQuerySet.for_card().with_score()`, for one reader."""

    match: Match
    user: object
    today: date

    @property
    def is_asked_about(self) -> bool:
        """Whether there is a card of which something is said, or can be."""
        return bool(self.match.agreement) and not self.match.is_decided

    @property
    def is_complete(self) -> bool:
        return self.match.is_complete

    @cached_property
    def _may_answer(self) -> bool:
        is_beyond = card_agreement.is_beyond_captains(self.match, self.today)
        return (
            self.is_asked_about
            and not is_beyond
            and card_agreement.may_answer(self.user, self.match)
        )

    @property
    def may_confirm(self) -> bool:
        return self._may_answer and self.is_complete

    @property
    def may_dispute(self) -> bool:
        return self._may_answer and self.match.agreement != Agreement.DISPUTED

    @cached_property
    def is_officer(self) -> bool:
        return is_officer(self.user, self.match.division.season.league_id)

    @property
    def may_settle(self) -> bool:
        settled = self.match.agreement == Agreement.SETTLED
        return self.is_officer and self.is_asked_about and self.is_complete and not settled

    @property
    def may_reopen(self) -> bool:
        open_still = self.match.agreement == Agreement.ENTERED
        return self.is_officer and self.is_asked_about and not open_still

    @property
    def may_change(self) -> bool:
        """Whether the card, which the account may enter, is not closed to it."""
        return card_agreement.may_change(self.user, self.match, self.today)

    @property
    def state_words(self) -> str:
        """How far it is agreed, in a sentence; blank where nobody was asked."""
        if not self.is_asked_about:
            return ""
        return SENTENCES[self.match.agreement](self) % {
            "who": self._who,
            "day": self._day,
            "reason": self.match.dispute,
        }

    @property
    def _who(self) -> str:
        who = self.match.disputed_by if self.match.dispute else self.match.agreed_by
        return str(who) if who else _("Somebody")

    @property
    def _day(self) -> str:
        at = self.match.disputed_at or self.match.agreed_at or self.match.entered_at
        return date_format(timezone.localdate(at), "j F")

    def _entered_words(self) -> str:
        if not self.is_complete:
            return _("It can be confirmed when all its boards have a result.")
        last = card_agreement.agrees_on(self.match)
        if last is None:
            return _("It waits for an answer.")
        words = _("It is agreed on %s if nobody objects.")
        return words % date_format(last, "j F")


SENTENCES = {
    Agreement.ENTERED: AgreementPage._entered_words,
    Agreement.CONFIRMED: lambda page: _("%(who)s confirmed it on %(day)s."),
    Agreement.AGREED: lambda page: _("It is agreed since %(day)s, as nobody objected."),
    Agreement.DISPUTED: lambda page: _("%(who)s disputes it since %(day)s: “%(reason)s”"),
    Agreement.SETTLED: lambda page: _("The league’s officer settled it on %(day)s."),
}
