"""A mail from the league's officer to the captains, each by himself, with the officer's address."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import mail


@transaction.atomic
def send(*, addresses: Sequence[str], subject: str, text: str, by) -> None:
    """Queue one mail for each address; who answers writes to the account `by`."""
    for language, some in mail.by_language(addresses).items():
        with translation.override(language):
            foot = _("From %(name)s, %(email)s") % {"name": by, "email": by.email}
        for address in some:
            mail.send_later(
                to=address, subject=" ".join(subject.split()), text=f"{text}\n\n{foot}\n"
            )


def sent_words(addresses: Sequence[str]) -> str:
    """What was sent, in a sentence."""
    return ngettext(
        "The mail is on its way to %d captain.",
        "The mail is on its way to %d captains.",
        len(addresses),
    ) % len(addresses)
