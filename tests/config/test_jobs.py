"""Jobs in PostgreSQL: mail leaves after the commit, once more rather than never."""

import datetime
import re
from importlib import import_module

import pytest
from django.conf import settings as django_settings
from django.core import mail as django_mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob, ProcrastinateWorker

from clubs import mail
from clubs.tasks import send_reset_link
from config import jobs
from tests.factories import UserFactory
from tests.job_queue import work

pytestmark = pytest.mark.django_db(transaction=True)


def states() -> list[tuple[str, str, int]]:
    """Task, state and attempts of each mail, oldest first."""
    rows = ProcrastinateJob.objects.filter(queue_name="mail").order_by("pk")
    return list(rows.values_list("task_name", "status", "attempts"))


def sql(text: str, *values) -> None:
    with connection.cursor() as cursor:
        cursor.execute(text, values)


class FailsOnce(EmailBackend):
    """A mail server that is away at the first try and then has the mail twice."""

    tries = 0

    def send_messages(self, messages):
        FailsOnce.tries += 1
        if FailsOnce.tries == 1:
            super().send_messages(messages)
            raise ConnectionResetError("the server went away before it answered")
        return super().send_messages(messages)


def test_a_queued_mail_is_sent_by_the_worker():
    mail.send_later(to="anna@example.org", subject="Card reopened", text="Line 1\nLine 2 ½\n")
    assert django_mail.outbox == []
    work("mail")
    (sent,) = django_mail.outbox
    assert (sent.to, sent.subject, sent.body, sent.from_email) == (
        ["anna@example.org"],
        "Card reopened",
        "Line 1\nLine 2 ½\n",
        django_settings.DEFAULT_FROM_EMAIL,
    )
    assert states() == [("send_mail", "succeeded", 1)]


def test_a_transaction_rolled_back_sends_nothing():
    with pytest.raises(RuntimeError), transaction.atomic():
        mail.send_later(to="anna@example.org", subject="Never", text="Never\n")
        raise RuntimeError
    with transaction.atomic():
        mail.send_later(to="anna@example.org", subject="Kept", text="Kept\n")
    work("mail")
    assert [sent.subject for sent in django_mail.outbox] == ["Kept"]


def test_a_mail_sent_twice_has_one_message_id(settings):
    settings.EMAIL_BACKEND = f"{__name__}.FailsOnce"
    settings.DEFAULT_FROM_EMAIL = "Topboard <league@example.org>"
    FailsOnce.tries = 0
    mail.send_later(to="anna@example.org", subject="Twice", text="Twice\n")
    work("mail")
    assert states() == [("send_mail", "todo", 1)]
    sql("UPDATE procrastinate_jobs SET scheduled_at = now()")
    work("mail")
    assert states() == [("send_mail", "succeeded", 2)]
    ids = {sent.message()["Message-ID"] for sent in django_mail.outbox}
    assert len(django_mail.outbox) == 2 and len(ids) == 1
    assert re.fullmatch(r"<\S+@example\.org>", ids.pop())


def test_an_unreachable_mail_server_is_tried_for_hours():
    waits, job = [], ProcrastinateJob(queue_name="mail", task_name="send_mail", args={})
    for attempts in range(9):
        job.attempts = attempts
        decision = mail.RETRIES.get_retry_decision(
            exception=ConnectionRefusedError(), job=job.procrastinate_job
        )
        waits.append(decision and round((decision.retry_at - timezone.now()).total_seconds()))
    assert waits == [4, 16, 64, 256, 1024, 4096, 16384, 65536, None]


def test_a_new_password_by_the_worker(client):
    user = UserFactory(email="anna@example.org")
    for address in ("Anna@example.org", "nobody@example.org"):
        client.post(reverse("account_reset_password"), {"email": address})
    assert django_mail.outbox == []
    work("mail")
    assert states() == [("send_reset_link", "succeeded", 1)] * 2
    (sent,) = django_mail.outbox
    link = re.search(r"http://testserver(/\S+)", sent.body)[1]
    assert client.get(link).status_code == 302
    assert sent.to == [user.email]


def test_no_link_lies_in_the_queue(client):
    UserFactory(email="anna@example.org")
    client.post(reverse("account_reset_password"), {"email": "anna@example.org"})
    (job,) = ProcrastinateJob.objects.all()
    assert set(job.args) == {"email", "site", "language", "message_id"}
    assert job.args["site"] == "http://testserver/"


def stalled(attempts: int) -> None:
    """A mail whose worker died ten minutes ago."""
    sql("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '10 minutes')")
    worker = ProcrastinateWorker.objects.latest("pk").pk
    message = {"to": "a@example.org", "subject": "s", "text": "t", "message_id": "<1@example.org>"}
    job = mail.send_mail.defer(**message)
    sql(
        "UPDATE procrastinate_jobs SET status = 'doing', attempts = %s, worker_id = %s"
        " WHERE id = %s",
        attempts,
        worker,
        job,
    )


def retry_stalled() -> None:
    app.tasks["house:retry_stalled"].defer(timestamp=0)
    work("house")
    work("mail")


def test_a_job_whose_worker_died_is_run_again():
    stalled(attempts=1)
    retry_stalled()
    assert states() == [("send_mail", "succeeded", 3)]
    assert len(django_mail.outbox) == 1


def test_a_job_that_kills_its_workers_is_given_up():
    stalled(attempts=jobs.MOST_ATTEMPTS)
    retry_stalled()
    assert states() == [("send_mail", "failed", jobs.MOST_ATTEMPTS + 1)]
    assert django_mail.outbox == []


def test_a_job_whose_like_waits_already_is_not_run_again():
    """A lock in the queue lets one of a kind wait; the one whose worker died gives way."""
    stalled(attempts=1)
    sql("UPDATE procrastinate_jobs SET queueing_lock = 'one', queue_name = 'other'")
    message = {"to": "a@example.org", "subject": "s", "text": "t", "message_id": "<2@example.org>"}
    mail.send_mail.configure(queueing_lock="one").defer(**message)
    retry_stalled()
    assert ProcrastinateJob.objects.get(queue_name="other").status == "aborted"
    assert states() == [("send_mail", "succeeded", 1)]


def test_a_job_under_way_is_left_alone():
    stalled(attempts=1)
    sql("UPDATE procrastinate_workers SET last_heartbeat = now()")
    retry_stalled()
    assert states() == [("send_mail", "doing", 1)]


def test_old_jobs_and_ended_sessions_go(client):
    store = import_module(django_settings.SESSION_ENGINE).SessionStore
    kept, ended = store(), store()
    kept["x"] = ended["x"] = 1
    ended.set_expiry(timezone.now() - datetime.timedelta(days=1))
    kept.save()
    ended.save()
    for subject in ("old", "new"):
        mail.send_later(to="anna@example.org", subject=subject, text="x\n")
    work("mail")
    sql(
        "UPDATE procrastinate_events SET at = now() - interval '31 days' WHERE job_id ="
        " (SELECT min(id) FROM procrastinate_jobs)"
    )
    app.tasks["house:clean_up"].defer(timestamp=0)
    work("house")
    assert [job.args["subject"] for job in ProcrastinateJob.objects.filter(queue_name="mail")] == [
        "new"
    ]
    assert (kept.exists(kept.session_key), ended.exists(ended.session_key)) == (True, False)


def test_what_runs_by_the_clock():
    periodic = app.periodic_registry.periodic_tasks.values()
    assert {(each.task.name, each.cron) for each in periodic} == {
        ("house:retry_stalled", "*/5 * * * *"),
        ("house:clean_up", "17 4 * * *"),
        ("publish_due_grades", "0 * * * *"),
        ("rate_stale_pools", "*/10 * * * *"),
        ("results:chase_results", "30 * * * *"),
    }
    assert {"send_mail", "send_reset_link"} <= set(app.tasks)
    assert app.tasks["send_reset_link"] is send_reset_link
