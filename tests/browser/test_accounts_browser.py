"""Logging in and out, a forgotten password and the admin in a real browser, under the policy."""

import re

import pytest
from django.core import mail as django_mail
from procrastinate.contrib.django.models import ProcrastinateJob

from clubs.models import Club
from clubs.tasks import send_reset_link
from tests.browser.looking import faults, faults_at
from tests.factories import PASSWORD, ClubFactory, PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "another-horse-battery"


def test_log_in_and_out_again(browse):
    UserFactory(email="anna@example.org", name="Anna Smith")

    def scenario(page):
        page.goto("/clubs/")
        page.get_by_role("link", name="Log in").click()
        page.get_by_label("E-mail").fill("Anna@Example.org")
        page.get_by_label("Password").fill("wrong")
        page.get_by_role("button", name="Log in").click()
        wrong = page.get_by_role("alert").inner_text()
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        welcome = page.get_by_role("status").inner_text()
        page.get_by_text("Anna Smith", exact=True).click()
        page.get_by_role("link", name="Log out").click()
        page.get_by_role("button", name="Log out").click()
        return wrong, welcome, page.get_by_role("status").inner_text(), page.url

    wrong, welcome, goodbye, url = browse(scenario, width=360, javascript=True)
    assert wrong == "The email address and/or password you specified are not correct."
    assert (welcome, goodbye) == ("Logged in as Anna Smith.", "Logged out.")
    assert re.fullmatch(r"http://[^/]+/", url)


@pytest.mark.parametrize("javascript", [True, False])
def test_a_forgotten_password(browse, javascript):
    user = UserFactory(email="anna@example.org")

    def ask(page):
        page.goto("/accounts/login/")
        page.get_by_role("link", name=re.compile("Forgot")).first.click()
        page.get_by_label("E-mail").fill("anna@example.org")
        page.get_by_role("button", name="Send the link").click()
        return page.get_by_role("heading", level=1).inner_text()

    assert browse(ask, javascript=javascript) == "Look in your mail"
    job = ProcrastinateJob.objects.filter(task_name="send_reset_link").latest("pk")
    send_reset_link(**job.args)
    link = re.search(r"http://\S+", django_mail.outbox[-1].body)[0]

    def choose(page):
        page.goto(link)
        page.get_by_label("New Password", exact=True).fill(NEW)
        page.get_by_label("New Password (again)").fill(NEW)
        page.get_by_role("button", name="Save the password").click()
        page.get_by_role("link", name="Log in").last.click()
        page.get_by_label("E-mail").fill("anna@example.org")
        page.get_by_label("Password").fill(NEW)
        page.get_by_role("button", name="Log in").click()
        return page.get_by_role("status").inner_text()

    assert browse(choose, javascript=javascript) == f"Logged in as {user}."


def test_account_pages_are_whole_and_accessible(browse):
    pages = ["logout/", "password/change/", "inactive/", "password/reset/done/"]
    pages += ["password/reset/key/1-x/", "password/reset/key/done/"]
    pages += ["devices/", "second-factor/", "second-factor/set-up/"]

    def scenario(page):
        found = faults_at(page, [f"/accounts/{path}" for path in pages])
        page.goto("/accounts/password/change/")
        for label in ("Current Password", "New Password", "New Password (again)"):
            page.get_by_label(label, exact=True).fill("short")
        page.get_by_role("button", name="Save the password").click()
        return page.locator(".errorlist").count(), found | faults(page)

    errors, found = browse(scenario, user=UserFactory())
    assert errors and found == {}


def test_the_admin_works_under_the_policy(browse):
    chief, player = UserFactory(is_staff=True, is_superuser=True), PlayerFactory()
    ClubFactory(name="Hastings")

    def scenario(page):
        page.goto("/admin/clubs/club/add/")
        page.locator("#id_name").press_sequentially("The King's Head")
        slug = page.locator("#id_slug").input_value()
        page.get_by_role("button", name="Save", exact=True).click()
        page.goto("/admin/games/season/add/")
        page.locator("#id_starts_on").focus()
        page.locator("a#calendarlink0").click()
        page.locator("#calendarbox0").get_by_role("link", name="Today").click()
        day = page.locator("#id_starts_on").input_value()
        page.goto(f"/admin/clubs/user/{chief.pk}/change/")
        with page.expect_popup() as opened:
            page.locator("#lookup_id_player").click()
        opened.value.get_by_role("link", name=player.listed_name).click()
        chosen = page.locator("#id_player")
        chosen.evaluate("field => new Promise(done => setTimeout(done, 300))")
        picked = chosen.input_value()
        for path in ("clubs/user/add/", f"clubs/user/{chief.pk}/change/", "games/match/", ""):
            page.goto(f"/admin/{path}")
        return slug, day, picked

    slug, day, picked = browse(scenario, user=chief)
    assert (slug, picked) == ("the-kings-head", str(player.pk))
    assert re.fullmatch(r"\d{4}-\d\d-\d\d|\d\d/\d\d/\d{4}", day)
    assert set(Club.objects.values_list("name", flat=True)) == {"Hastings", "The King's Head"}
