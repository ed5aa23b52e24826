"""A result disputed, corrected, confirmed and settled between two captains, each on his phone."""

import datetime

import pytest
from django.core import mail as outbox
from django.utils import timezone

from clubs.models import User
from games.models import Board
from tests.browser.looking import faults
from tests.games.card_scene import AT, make_scene
from tests.job_queue import work

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"width": 360, "height": 740}


@pytest.fixture
def scene(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: AT + datetime.timedelta(hours=1))
    made = make_scene()
    for name in ("captain", "secretary", "officer"):
        User.objects.filter(pk=getattr(made, name).pk).update(email=f"{name}@example.org")
        getattr(made, name).refresh_from_db()
    made.record(by=made.captain)
    return made


def sent() -> list[tuple]:
    work("mail")
    found = sorted((mail.to[0], mail.subject.split(":")[0]) for mail in outbox.outbox)
    outbox.outbox.clear()
    return found


@pytest.mark.parametrize("javascript", [True, False])
def test_two_captains_and_an_officer_agree(scene, browse, javascript):
    options = {"javascript": javascript, **PHONE}
    office = f"a[href='/matches/{scene.match.pk}/agreement/']"
    assert sent() == [("secretary@example.org", "Result to confirm")]

    def disputes(page):
        page.goto("/office/")
        found = [faults(page)] if javascript else []
        page.click(office)
        page.click("text=Dispute the result")  # without a reason
        refused = page.inner_text("textarea:focus[aria-invalid=true] + .errorlist")
        page.fill("textarea", "Board 4 was a draw.")
        found += [faults(page)] if javascript else []
        page.click("text=Dispute the result")
        return found, refused, page.inner_text(".banner.bad")

    found, refused, said = browse(disputes, user=scene.secretary, **options)
    assert not any(found)
    assert refused == "Say what is wrong: which board, and what it should be."
    assert "Disputed." in said
    assert "“Board 4 was a draw.”" in said
    assert sent() == [("captain@example.org", "Disputed"), ("officer@example.org", "Disputed")]

    def corrects(page):
        page.goto("/office/")
        page.click(office)
        page.click("text=Change card")
        page.check("input[name=boards-3-result][value='1']", force=True)
        page.click(".save-bar button[type=submit]")
        page.wait_for_url(f"**/matches/{scene.match.pk}/")
        return page.inner_text(".banner.warn")

    assert "Not confirmed yet." in browse(corrects, user=scene.captain, **options)
    assert sent() == [("officer@example.org", "Corrected"), ("secretary@example.org", "Corrected")]

    def confirms(page):
        page.goto(f"/matches/{scene.match.pk}/")
        page.click("text=Confirm the result")
        offered = page.locator("text=Change card").count()
        page.goto(f"/matches/{scene.match.pk}/card/")
        return offered, page.url, page.inner_text("main")

    offered, url, text = browse(confirms, user=scene.secretary, **options)
    assert offered == 0
    assert url.endswith(f"/matches/{scene.match.pk}/")
    assert "Both sides have agreed on this card; ask the league’s officer." in text
    assert sent() == [("captain@example.org", "Confirmed")]

    def settles(page):
        page.goto(f"/matches/{scene.match.pk}/")
        page.click("text=Settle it, or open it again")
        found = faults(page) if javascript else {}
        page.fill("#id_why", "The score sheets were looked at.")
        page.click("text=Open it again")
        page.click("text=Settle it, or open it again")
        page.click("text=Settle it as it stands")
        return found, page.inner_text(".banner:has(b)")

    found, said = browse(settles, user=scene.officer, **options)
    assert found == {}
    assert "Settled by the league’s officer." in said
    assert sent() == [("captain@example.org", "Settled"), ("secretary@example.org", "Settled")]
    results = Board.objects.filter(match=scene.match).order_by("number")
    assert list(results.values_list("result", flat=True)) == [1, 2, 1, 1, 2, 1]
