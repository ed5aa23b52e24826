"""Mail: put into the queue inside the caller's transaction, sent by the job worker after it.

It is sent at least once: a worker that dies between sending and noting it sends again, so each
mail has its Message-ID from the start and a mail program shows the two as one.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from email.utils import make_msgid, parseaddr

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from procrastinate import RetryStrategy
from procrastinate.contrib.django import app
from procrastinate.exceptions import AlreadyEnqueued

from .models import User

# 4 s, 16 s, 64 s ... 4.5 h: a mail server that is away for an afternoon loses nothing.
RETRIES = RetryStrategy(max_attempts=8, exponential_wait=4)


@app.task(name="send_mail", queue="mail", retry=RETRIES)
def send_mail(*, to: str, subject: str, text: str, message_id: str, html: str = "") -> None:
    """Send one mail, as text and where there is `html` as both; again with the same Message-ID."""
    message = EmailMultiAlternatives(subject, text, to=[to], headers={"Message-ID": message_id})
    if html:
        message.attach_alternative(html, "text/html")
    message.send()


def send_later(*, to: str, subject: str, text: str, html: str = "") -> None:
    """Queue a mail to one address; nothing leaves if the caller's transaction is rolled back."""
    send_mail.defer(to=to, subject=subject, text=text, html=html, message_id=new_message_id())


def send_rendered(template: str, context: dict, *, to: Iterable[str]) -> None:
    """Queue a mail of two templates, as `rendered` takes them, to each of these addresses."""
    for language, addresses in by_language(to).items():
        with translation.override(language):
            subject, text = rendered(template, context)
        for address in addresses:
            send_later(to=address, subject=subject, text=text)


def by_language(addresses: Iterable[str], stranger: str = "") -> dict[str, list[str]]:
    """The addresses by the language their mails are in: that of the account, else the site's.

    `stranger` is the language for an address that no account has.
    """
    addresses = list(addresses)
    users = User.objects.filter(email__in={each.lower() for each in addresses})
    known = dict(users.values_list("email", "language"))
    found = defaultdict(list)
    for address in addresses:
        language = known.get(address.lower(), stranger)
        found[language or settings.LANGUAGE_CODE].append(address)
    return dict(found)


def new_message_id() -> str:
    """An id of the sender's domain for one mail, however often it is sent."""
    return make_msgid(domain=_own_domain())


def _own_domain() -> str:
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return address.rpartition("@")[2] or "localhost"


# Letters: a mail of some paragraphs and one link or code, as text and HTML ------------------------


@dataclass(frozen=True, slots=True)
class Letter:
    """What a mail says; `boards` are pairs of a number and a line, `link` is a whole address."""

    subject: str
    paragraphs: Sequence[str]
    link_words: str = ""
    link: str = ""
    code: str = ""
    boards: Sequence[tuple[int, str]] = ()
    foot: str = ""
    foot_link: str = ""

    @property
    def text(self) -> str:
        return render_to_string("mail/letter.txt", {"letter": self}).strip() + "\n"

    @property
    def html(self) -> str:
        context = {"letter": self, "language": translation.get_language()}
        return render_to_string("mail/letter.html", context)

    @property
    def parts(self) -> dict[str, str]:
        """What `send_mail` and `send_later` take of it."""
        subject = " ".join(self.subject.split())
        return {"subject": subject, "text": self.text, "html": self.html}


def code_letter(code: str, words: Sequence[str]) -> Letter:
    """The mail of a code that works once; `words` say what it opens."""
    warning = _(
        "It works once and for half an hour. If you did not ask for it, do nothing and tell it"
        " nobody."
    )
    subject = _("%(code)s is your code for Topboard") % {"code": code}
    return Letter(subject=subject, paragraphs=[*words, warning], code=code)


def send_letter(compose: Callable[[], Letter], *, to: Iterable[str], event: str) -> None:
    """Queue a letter to each of these addresses, composed once for each of their languages.

    `event` names what it tells, and with it its Message-ID. A job that is run again queues it
    anew: while the first still waits that changes nothing, and later a mail program takes the two
    for one.
    """
    for language, addresses in by_language(to).items():
        with translation.override(language):
            parts = compose().parts
        for address in addresses:
            message_id = id_of_event(event, address)
            job = send_mail.configure(queueing_lock=message_id)
            try:
                with transaction.atomic():
                    job.defer(to=address, message_id=message_id, **parts)
            except AlreadyEnqueued:
                pass


def id_of_event(event: str, to: str) -> str:
    """The Message-ID of the mail about this event to this address, always the same."""
    address = hashlib.sha256(to.lower().encode()).hexdigest()[:16]
    return f"<{event}.{address}@{_own_domain()}>"


def whole_address(path: str) -> str:
    """The address of a page with that of the site, for a mail that no page has asked for."""
    return settings.SITE_ADDRESS + path


def rendered(template: str, context: dict) -> tuple[str, str]:
    """Subject and text of a mail, of `<template>_subject.txt` and `<template>_message.txt`."""
    subject = render_to_string(f"{template}_subject.txt", context)
    text = render_to_string(f"{template}_message.txt", context)
    return " ".join(subject.split()), text.strip() + "\n"
