"""Mail: put into the queue inside the caller's transaction, sent by the job worker after it.

It is sent at least once: a worker that dies between sending and noting it sends again, so each
mail has its Message-ID from the start and a mail program shows the two as one.
"""

from email.utils import make_msgid, parseaddr

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from procrastinate import RetryStrategy
from procrastinate.contrib.django import app

# 4 s, 16 s, 64 s ... 4.5 h: a mail server that is away for an afternoon loses nothing.
RETRIES = RetryStrategy(max_attempts=8, exponential_wait=4)


@app.task(name="send_mail", queue="mail", retry=RETRIES)
def send_mail(*, to: str, subject: str, text: str, message_id: str) -> None:
    """Send one mail; a second sending has the same Message-ID."""
    EmailMessage(subject, text, to=[to], headers={"Message-ID": message_id}).send()


def send_later(*, to: str, subject: str, text: str) -> None:
    """Queue a mail to one address; nothing leaves if the caller's transaction is rolled back."""
    send_mail.defer(to=to, subject=subject, text=text, message_id=new_message_id())


def new_message_id() -> str:
    """An id of the sender's domain for one mail, however often it is sent."""
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return make_msgid(domain=address.rpartition("@")[2] or "localhost")


def rendered(template: str, context: dict) -> tuple[str, str]:
    """Subject and text of a mail, of `<template>_subject.txt` and `<template>_message.txt`."""
    subject = render_to_string(f"{template}_subject.txt", context)
    text = render_to_string(f"{template}_message.txt", context)
    return " ".join(subject.split()), text.strip() + "\n"
