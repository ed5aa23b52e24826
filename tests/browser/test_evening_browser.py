"""One evening from the first link to the confirmed result: two captains on their phones."""

import datetime
import re

import pytest
from django.core import mail as outbox
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone

from clubs.models import User
from games.models import Agreement, Match
from tests.games.card_scene import AT, make_scene
from tests.job_queue import work

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
MATCH = re.compile(r"/matches/\d+/$")
KEPT = "Object.keys(localStorage).filter(name => name.startsWith('topboard:'))"
OFFLINE = "net::ERR_INTERNET_DISCONNECTED"
OFFICER, TOM, ZARA = "officer@example.org", "tom@example.org", "zara@example.org"


@pytest.fixture
def clock(monkeypatch):
    """What the clock says: it is set back to the evening, and stands unless it is moved."""
    times = [AT]
    monkeypatch.setattr(timezone, "now", lambda: times[0])

    def later(minutes: int) -> None:
        times[0] += datetime.timedelta(minutes=minutes)

    return later


@pytest.fixture
def scene(clock):
    """Ashdown A at home to Hartfield A; nobody is captain of Ashdown A yet."""
    cache.clear()  # the counts of codes outlive a test that commits
    made = make_scene()
    made.match.home.roles.all().delete()
    for user, name, email in ((made.officer, "Olive", OFFICER), (made.secretary, "Zara", ZARA)):
        User.objects.filter(pk=user.pk).update(name=f"{name} Fenn", email=email)
        user.refresh_from_db()
    return made


def post() -> list[tuple[str, str, str]]:
    """What has been mailed since it was asked last: to whom, the subject's beginning, the text."""
    work("mail")
    found = sorted((mail.to[0], mail.subject.split(":")[0], mail.body) for mail in outbox.outbox)
    outbox.outbox.clear()
    return found


def code_in(mails) -> str:
    (mail,) = mails
    return re.search(r"^\d{6}$", mail[2], re.MULTILINE)[0]


def link_in(text: str) -> str:
    """The path of the first link of a mail."""
    return re.search(r"https?://[^/\s]+(/\S+)", text)[1]


def invite(page) -> str:
    """The officer makes the link for the captain of Ashdown A, and copies it."""
    page.goto("/office/")
    page.click(".office-links >> text=Roles")
    page.click("section.desk:has(#clubs) li:has-text('Ashdown A') a:has-text('Invite')")
    page.get_by_label("Name").fill("Tom Barker")
    page.get_by_role("button", name="Make the link").click()
    return page.locator("code.key").inner_text()


def ask_code(page, address, email):
    """Where the code of a login or an invitation is typed, and the cookies that wait for it."""
    page.goto(address)
    page.get_by_label("E-mail address").fill(email)
    page.keyboard.press("Enter")
    page.get_by_label("Code", exact=True).wait_for()
    return page.url, page.context.storage_state()


def type_code(page, address, code):
    page.goto(address)
    page.locator("input.code:focus").wait_for()
    page.keyboard.type(code)
    page.keyboard.press("Enter")
    page.get_by_label("Code", exact=True).wait_for(state="detached")
    return page.url, page.context.storage_state()


def enter_card(page) -> tuple[int, tuple[int, int], str]:
    """From the office to a stored card by thumb; three have changed, and the connection goes."""
    taps = []

    def tap(selector: str) -> None:
        page.locator(selector).first.tap()
        taps.append(selector)

    page.goto("/office/")
    tap("section.tasks a:has-text('Hartfield A')")
    for board, side, name in (
        (4, "home", "Ravenscroft"),
        (5, "home", "Szabó"),
        (6, "away", "Quill"),
    ):
        tap(f"#board-{board} .picker.{side} [role=combobox]")
        tap(f"#board-{board} .picker.{side} [role=option]:has-text('{name}')")
    for board, result in enumerate("=110=1", 1):
        tap(f"#board-{board} .result label >> nth={'1=0'.index(result)}")
    page.context.set_offline(True)
    tap(".save-bar button")
    page.get_by_text("not sent: no connection, will try again").wait_for()
    kept = len(page.evaluate(KEPT))
    page.context.set_offline(False)
    page.wait_for_url(MATCH)
    return len(taps), (kept, len(page.evaluate(KEPT))), saved(page)


def saved(page) -> str:
    return page.inner_text(".banner.saved p >> nth=0").replace("\xa0", " ")


def dispute(page):
    page.get_by_label("What is wrong?").fill("Board 3 was a draw.")
    page.get_by_role("button", name="Dispute the result").click()
    return page.inner_text(".banner.bad")


def correct(page):
    page.goto("/office/")
    task = page.inner_text("section.tasks li:has-text('Hartfield A')")
    page.click("section.tasks a:has-text('Hartfield A')")
    page.click("text=Change card")
    page.locator("#board-3 .result label >> nth=1").tap()
    page.click(".save-bar button[type=submit]")
    page.wait_for_url(MATCH)
    return task, saved(page)


def history(page, match) -> list[tuple[str, list[str]]]:
    """Who did what, the newest first."""
    page.goto(f"/matches/{match}/")
    page.click("text=History")
    return [
        (
            deed.locator(".by").inner_text().replace("\xa0", " ").partition(" · ")[2],
            deed.locator("ul li").all_inner_texts(),
        )
        for deed in page.locator("ol.history > li").all()
    ]


def test_an_evening_from_the_first_link_to_the_confirmed_result(scene, browse, clock):
    link = browse(invite, user=scene.officer)
    assert post() == []  # the link goes by messenger

    where, waiting = browse(lambda page: ask_code(page, link, TOM), **PHONE)
    code = code_in(post())
    where, tom = browse(lambda page: type_code(page, where, code), storage_state=waiting, **PHONE)
    assert where.endswith("/office/")

    count, kept, banner = browse(enter_card, storage_state=tom, meant=OFFLINE, **PHONE)
    assert count <= 25
    assert kept == (1, 0)
    assert "4 – 2" in banner
    (mail,) = post()
    assert mail[:2] == (ZARA, "Result to confirm")

    clock(20)
    asked = link_in(mail[2])
    where, waiting = browse(lambda page: ask_code(page, asked, ZARA), **PHONE)
    code = code_in(post())

    def opens_and_disputes(page):
        url, state = type_code(page, where, code)
        return url, dispute(page), state

    url, said, zara = browse(opens_and_disputes, storage_state=waiting, **PHONE)
    assert url.endswith(asked)
    assert "Board 3 was a draw." in said
    assert [mail[:2] for mail in post()] == [(OFFICER, "Disputed"), (TOM, "Disputed")]

    clock(5)
    task, banner = browse(correct, storage_state=tom, **PHONE)
    assert "Board 3 was a draw." in task
    assert "3½ – 2½" in banner
    told, mail = post()
    assert (told[:2], mail[:2]) == ((OFFICER, "Corrected"), (ZARA, "Corrected"))

    clock(5)

    def confirms(page):
        page.goto(link_in(mail[2]))
        page.get_by_role("button", name="Confirm the result").click()
        return page.get_by_role("status").inner_text()

    browse(confirms, storage_state=zara, **PHONE)
    assert [mail[:2] for mail in post()] == [(TOM, "Confirmed")]

    read = [
        browse(lambda page: history(page, scene.match.pk), storage_state=state, **PHONE)
        for state in (tom, zara)
    ]
    assert read[0] == read[1]
    confirmed, corrected, disputed, entered, _fixture = read[0]
    home, away = (
        "by the captain of Ashdown A (Tom Barker)",
        "by the Hartfield secretary (Zara Fenn)",
    )
    assert confirmed == (away, ["The result: confirmed by the other side"])
    assert corrected == (f"{home} · after a dispute", ["Board 3 corrected from 1–0 to ½–½"])
    assert disputed[0] == away
    assert disputed[1][1:] == ["Reason of the dispute: Board 3 was a draw."]
    assert entered[0] == home and len(entered[1]) == 6

    match = Match.objects.with_score().get(pk=scene.match.pk)
    assert (match.agreement, match.home_points, match.away_points) == (Agreement.CONFIRMED, 7, 5)
    call_command("verify_ledger")
