"""A new captain's first evening: the link of a messenger, a code, the role; a phone's width."""

import re

import pytest
from django.core import mail as django_mail
from django.core.cache import cache
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from clubs import mail
from clubs.models import User
from clubs.tasks import send_login_code
from games.models import Invitation
from tests.browser.looking import faults, faults_at
from tests.factories import InvitationFactory, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_codes_asked_for_yet():
    """The counts of codes outlive a test that commits."""
    cache.clear()


def code_of_the_mail() -> str:
    """The code of the newest queued mail, sent as a worker would."""
    job = ProcrastinateJob.objects.filter(queue_name="mail").latest("pk")
    {"send_mail": mail.send_mail, "send_login_code": send_login_code}[job.task_name](**job.args)
    return re.search(r"^\d{6}$", django_mail.outbox[-1].body, re.MULTILINE)[0]


@pytest.mark.parametrize("javascript", [True, False])
def test_a_link_a_code_and_one_is_captain(browse, javascript):
    offer = InvitationFactory(name="Tom Barker")
    link = reverse("invitation", args=[offer.token])

    def ask(page):
        page.goto(link)
        page.get_by_label("E-mail address").fill("tom@example.org")
        name = page.get_by_label("Your name").input_value()
        page.get_by_role("button", name="Send me a code").click()
        page.get_by_label("Code", exact=True).wait_for()
        return name, page.context.cookies()

    name, cookies = browse(ask, width=360, javascript=javascript)
    assert name == "Tom Barker"
    code = code_of_the_mail()

    def accept(page):
        page.context.add_cookies(cookies)
        page.goto(link)
        page.locator("input.code:focus").wait_for()
        page.keyboard.type(code)
        page.keyboard.press("Enter")
        page.wait_for_url("**/office/")
        return page.get_by_role("status").all_inner_texts(), page.url

    said, url = browse(accept, width=360, javascript=javascript)
    assert f"Accepted: you are captain of {offer.team} now." in said
    assert url.endswith("/office/")
    assert Invitation.objects.get().used_by == User.objects.get(email="tom@example.org")


def test_the_code_of_a_login_by_keyboard(browse):
    user = UserFactory()

    def look(page):
        page.goto("/accounts/login/")
        page.get_by_label("Adresse électronique").fill(user.email)
        page.keyboard.press("Enter")
        page.locator("input.code:focus").wait_for()
        return faults(page)

    assert browse(look, locale="fr") == {}

    def ask(page):
        page.goto("/accounts/login/?next=/clubs/")
        page.get_by_label("E-mail address").fill(user.email)
        page.keyboard.press("Enter")
        page.get_by_label("Code", exact=True).wait_for()
        return page.context.cookies(), page.url

    cookies, url = browse(ask, width=360)
    code = code_of_the_mail()

    def enter(page):
        page.context.add_cookies(cookies)
        page.goto(url)
        page.locator("input.code:focus").wait_for()
        page.keyboard.type(f"{code[:3]} {code[3:]}")
        page.keyboard.press("Enter")
        page.wait_for_url("**/clubs/")
        return page.locator(".account summary").inner_text()

    assert browse(enter, width=360) == user.name


def test_the_pages_are_whole_and_accessible(browse, cast):
    offer = InvitationFactory(team=cast.match.home, name="Tom Barker")
    spent = InvitationFactory(team=cast.match.home, nonce="spent")
    Invitation.objects.filter(pk=spent.pk).update(expires_at=spent.invited_at)
    pages = [
        "/office/roles/",
        reverse("invitation_new", args=[f"captain-{cast.match.home_id}"]),
        reverse("invitation_office", args=[offer.pk]),
        reverse("invitation", args=[offer.token]),
        reverse("invitation", args=[spent.token]),
    ]

    def scenario(page):
        found = {"officer": faults_at(page, pages)}
        page.context.clear_cookies()
        found["anonymous"] = faults_at(page, ["/accounts/login/", pages[3]])
        page.get_by_label("E-mail address").fill("tom@example.org")
        page.get_by_role("button", name="Send me a code").click()
        page.get_by_label("Code", exact=True).wait_for()
        found["code"] = faults(page)
        return found

    found = browse(scenario, user=cast.officer, meant="410 (Gone)")
    assert found == {"officer": {}, "anonymous": {}, "code": {}}


def test_the_link_is_copied_into_a_message(browse, cast):
    offer = InvitationFactory(team=cast.match.home)

    def scenario(page):
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto(reverse("invitation_office", args=[offer.pk]))
        page.get_by_text("Copy the message").click()
        page.get_by_text("Copied").wait_for()
        return page.evaluate("navigator.clipboard.readText()")

    copied = browse(scenario, user=cast.secretary)
    assert copied.endswith(reverse("invitation", args=[offer.token]))
    assert copied.startswith(f"{offer.invited_by} asks you to be captain of {offer.team}")
