"""Invitations: their links, the code a mail brings, and who is a captain or logged in then."""

import re

from django.core import mail as django_mail
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from clubs import mail
from games.accounts.invitations import send_invitation
from games.models import TeamRole

SPENT = {
    "used": "This link is used already",
    "expired": "This link has expired",
    "withdrawn": "This invitation is withdrawn",
}


def address(invitation) -> str:
    return reverse("invitation", args=[invitation.token])


def send_queued() -> None:
    """Send the queued mails as a worker would."""
    django_mail.outbox.clear()
    tasks = {"send_mail": mail.send_mail, "send_invitation": send_invitation}
    jobs = ProcrastinateJob.objects.filter(task_name__in=tasks, status="todo").order_by("pk")
    for job in jobs:
        tasks[job.task_name](**job.args)
    jobs.update(status="succeeded")


def html_of(sent) -> str:
    (alternative,) = sent.alternatives
    assert alternative.mimetype == "text/html"
    return alternative.content


def ask_code(client, invitation, email="tom@example.org", name="Tom Barker") -> str:
    """The code that comes to this address."""
    data = {"step": "address", "email": email, "name": name}
    answer = client.post(address(invitation), data)
    assert (answer.status_code, answer["Location"]) == (302, address(invitation))
    send_queued()
    (sent,) = django_mail.outbox
    assert sent.to == [email.lower()]
    code = re.search(r"^\d{6}$", sent.body, re.MULTILINE)[0]
    assert f">{code}</p>" in html_of(sent)
    return code


def enter(client, invitation, code):
    return client.post(address(invitation), {"step": "code", "code": code})


def captains(invitation) -> list[str]:
    roles = TeamRole.objects.filter(team=invitation.team).order_by("user__email")
    return list(roles.values_list("user__email", flat=True))


def is_logged_in(client) -> bool:
    return "_auth_user_id" in client.session
