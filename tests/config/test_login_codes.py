"""Logging in by a code: once, on the device that asked, by the owner of the address alone."""

import re
import time

import pytest
from django.core import mail as django_mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils.http import urlencode
from procrastinate.contrib.django.models import ProcrastinateJob

from clubs.models import User
from clubs.tasks import send_login_code
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db
CARD = "/matches/7/card/"
WRONG = {"code": ["Incorrect code."]}


def ask(client, email, next_page=None, **more):
    """What the login answers who asks for a code."""
    address = reverse("account_login")
    query = {"query_params": {"next": next_page}} if next_page else {}
    return client.post(address, {"login": email, "by": "code", **more}, **query)


def send_codes() -> list[str]:
    """Send the queued mails as a worker would; the codes that were sent, the oldest first."""
    django_mail.outbox.clear()
    jobs = ProcrastinateJob.objects.filter(task_name="send_login_code", status="todo")
    for job in jobs.order_by("pk"):
        send_login_code(**job.args)
    jobs.update(status="succeeded")
    return [re.search(r"^\d{6}$", sent.body, re.MULTILINE)[0] for sent in django_mail.outbox]


def code_for(client, email) -> str:
    ask(client, email)
    (code,) = send_codes()
    return code


def enter(client, code, **more):
    return client.post(reverse("account_confirm_login_code"), {"code": code, **more})


def is_logged_in(client) -> bool:
    return "_auth_user_id" in client.session


def writing(sql: str) -> str | None:
    """How a statement begins that writes a row or queues a job; such are what takes time."""
    begun = " ".join(sql.split())[:30]
    return begun if begun.startswith(("INSERT", "UPDATE", "DELETE", "SELECT unnest")) else None


def other(code: str) -> str:
    """Six digits that are not this code."""
    return f"{(int(code) + 1) % 1_000_000:06d}"


def test_a_code_of_the_mail_logs_in(client):
    user = UserFactory(email="anna@example.org", name="Anna O'Brien")
    asked = ask(client, " ANNA@Example.org")
    assert (asked.status_code, asked["Location"]) == (302, "/accounts/login/code/")
    (code,) = send_codes()
    (sent,) = django_mail.outbox
    assert sent.to == ["anna@example.org"]
    assert sent.subject == f"{code} is your code for Topboard"
    assert "Hello Anna O'Brien," in sent.body
    assert f">{code}</p>" in sent.alternatives[0].content
    page = client.get(asked["Location"]).content.decode()
    field = re.search(r"<input[^>]*name=\"code\"[^>]*>", page)[0]
    assert 'inputmode="numeric"' in field and 'autocomplete="one-time-code"' in field
    answer = enter(client, f"{code[:3]} {code[3:]}")
    assert (answer.status_code, answer["Location"]) == (302, "/office/")
    assert client.session["_auth_user_id"] == str(user.pk)


def test_the_link_of_a_reminder_leads_through_the_code_to_the_card(client):
    user = UserFactory()
    asked = ask(client, user.email, CARD)
    assert asked["Location"] == f"/accounts/login/code/?{urlencode({'next': CARD})}"
    page = client.get(asked["Location"]).content.decode()
    assert f'name="next" value="{CARD}"' in page
    (code,) = send_codes()
    assert enter(client, other(code), next=CARD).context["form"].errors == WRONG
    assert enter(client, code, next=CARD)["Location"] == CARD


@pytest.mark.parametrize(
    "away", ["https://elsewhere.example/", "//elsewhere.example", r"/\elsewhere.example", "\x00"]
)
def test_no_code_leads_to_another_host(client, away):
    user = UserFactory()
    ask(client, user.email, away)
    (code,) = send_codes()
    assert enter(client, code, next=away)["Location"] == "/office/"


def test_a_code_works_once(client):
    user = UserFactory()
    code = code_for(client, user.email)
    enter(client, code)
    client.post(reverse("account_logout"))
    assert enter(client, code)["Location"] == reverse("account_login")
    assert not is_logged_in(client)
    page = client.get(reverse("account_login")).content.decode()
    assert "That code is spent. Ask for a new one." in page


def test_a_code_works_on_the_device_that_asked_alone(client):
    user = UserFactory()
    code = code_for(client, user.email)
    stranger = Client()
    assert enter(stranger, code)["Location"] == reverse("account_login")
    ask(stranger, "nobody@example.org")
    assert enter(stranger, code).context["form"].errors == WRONG
    assert not is_logged_in(stranger)
    enter(client, code)
    assert is_logged_in(client)


def test_three_guesses_spend_a_code_and_the_way_to_the_card_is_kept(client):
    user = UserFactory()
    code = code_for(client, user.email)
    for _ in range(2):
        assert enter(client, other(code), next=CARD).context["form"].errors == WRONG
    answer = enter(client, other(code), next=CARD)
    assert answer["Location"] == f"/accounts/login/?{urlencode({'next': CARD})}"
    said = "That was wrong 3 times, so the code is spent. Ask for a new one."
    assert said in client.get(answer["Location"]).content.decode()
    assert enter(client, code)["Location"] == reverse("account_login")
    assert not is_logged_in(client)
    # And in again, by a new one.
    enter(client, code_for(client, user.email))
    assert is_logged_in(client)


def test_guesses_that_come_together_are_counted_each(client):
    user = UserFactory()
    code = code_for(client, user.email)
    before = client.session["account_login"]
    for _ in range(3):
        enter(client, other(code))
        # The next request has read the session before this one wrote it.
        session = client.session
        session["account_login"] = before
        session.save()
    assert enter(client, code)["Location"] == reverse("account_login")
    assert not is_logged_in(client)


def test_nobody_asks_for_codes_without_end_and_the_password_still_opens(client):
    user = UserFactory()
    for _ in range(3):
        assert ask(Client(), user.email).status_code == 302
    for email in (user.email, user.email.upper()):
        page = ask(Client(), email)
        assert page.context["form"].errors == {
            "login": ["Too many tries. Wait five minutes and try again."]
        }
    assert len(send_codes()) == 3
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    assert is_logged_in(client)


def test_a_code_is_spent_after_half_an_hour(client, monkeypatch):
    user = UserFactory()
    code = code_for(client, user.email)
    later = time.time() + 31 * 60
    monkeypatch.setattr(time, "time", lambda: later)
    assert enter(client, code)["Location"] == reverse("account_login")
    assert not is_logged_in(client)


def test_a_second_code_replaces_the_first(client):
    user = UserFactory()
    first = code_for(client, user.email)
    address = reverse("account_confirm_login_code")
    again = client.post(address, {"action": "resend", "next": CARD})
    assert again["Location"] == f"{address}?{urlencode({'next': CARD})}"
    (second,) = send_codes()
    if first != second:
        assert enter(client, first).context["form"].errors == WRONG
    enter(client, second)
    assert is_logged_in(client)


def test_who_mistyped_his_address_begins_again(client):
    user = UserFactory()
    ask(client, "mistyped@example.org")
    assert client.get(reverse("account_login"))["Location"] == "/accounts/login/code/"
    page = client.get(reverse("account_login"), {"other": 1, "next": CARD})
    assert page.status_code == 200
    enter(client, code_for(client, user.email))
    assert is_logged_in(client)


def test_codes_tell_nothing_about_an_address(django_assert_num_queries):
    UserFactory(email="anna@example.org")
    UserFactory(email="closed@example.org", is_active=False)
    addresses = ["anna@example.org", "closed@example.org", "nobody@example.org"]
    confirm, seen = reverse("account_confirm_login_code"), []
    for address in addresses:
        cache.clear()
        client = Client()
        steps = [
            lambda client=client, address=address: ask(client, address),
            lambda client=client: client.get(confirm),
            lambda client=client: client.post(confirm, {"action": "resend"}),
            lambda client=client: enter(client, "no code"),
            lambda client=client: enter(client, "000"),
        ]
        told = []
        for step in steps:
            with django_assert_num_queries(100, exact=False) as counted:
                response = step()
            page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())
            headers = {**response.headers, "Expires": None, "Content-Length": None}
            told.append((response.status_code, headers, page.replace(address, "…")))
            told.append([statement for query in counted if (statement := writing(query["sql"]))])
        seen.append(told)
    assert seen[0] == seen[1] == seen[2]
    jobs = ProcrastinateJob.objects.filter(task_name="send_login_code")
    assert [job.args["email"] for job in jobs.order_by("pk")] == [
        address for address in addresses for _ in range(2)
    ]
    send_codes()
    assert [sent.to for sent in django_mail.outbox] == [["anna@example.org"]] * 2


def test_a_password_that_the_browser_filled_in_does_not_hinder_a_code(client):
    user = UserFactory()
    assert ask(client, user.email, password="wrong").status_code == 302
    assert len(send_codes()) == 1


def test_the_enter_key_takes_the_password_if_there_is_one(client):
    user, address = UserFactory(), reverse("account_login")
    asked = client.post(address, {"login": user.email, "password": ""})
    assert asked["Location"] == reverse("account_confirm_login_code")
    client = Client()
    client.post(address, {"login": user.email, "password": PASSWORD})
    assert is_logged_in(client)


def test_an_account_closed_meanwhile_stays_closed(client):
    user = UserFactory()
    code = code_for(client, user.email)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert enter(client, code)["Location"] == reverse("account_inactive")
    assert not is_logged_in(client)


@pytest.mark.parametrize("by", ["code", "password"])
def test_a_login_after_a_card_was_kept_holds_for_a_season(client, settings, by):
    user = UserFactory()
    client.post(CARD, {"version": "1"})
    assert client.session.get_expiry_age() == 2 * 60 * 60
    if by == "code":
        enter(client, code_for(client, user.email))
    else:
        data = {"login": user.email, "password": PASSWORD, "by": "password"}
        client.post(reverse("account_login"), data)
    assert is_logged_in(client)
    assert client.session.get_expiry_age() == settings.SESSION_COOKIE_AGE
