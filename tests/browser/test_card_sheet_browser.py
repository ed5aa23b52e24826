"""A line-up saved beforehand, and one of earlier taken in one tap, in a real browser."""

import pytest
from django.utils import timezone

from games.match_cards.team_sheets import sheets_of
from tests.games.card_scene import AT, make_scene, play_before

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """It is the evening of the match."""
    monkeypatch.setattr(timezone, "now", lambda: AT)


@pytest.fixture
def scene():
    scene = make_scene()
    play_before(scene.match.home, scene.home[2:8], scene.match.played_on.replace(day=3))
    return scene


def test_an_earlier_line_up_is_taken_in_one_tap_and_saved_apart(browse, scene):
    def evening(page):
        page.goto(scene.url)
        page.click("text=Save only the line-up of Ashdown A for now")
        page.click("text=Earlier line-ups")
        page.click("text=3 November v")
        page.click(".save-bar button")
        page.wait_for_selector("text=The line-up is saved.")
        kept = page.evaluate("Object.keys(localStorage).length")
        return kept, page.input_value("#board-1 .picker.home [role=combobox]")

    assert browse(evening, user=scene.captain, width=360) == (0, "Zoë de la Marre")
    assert sheets_of(scene.match) == {
        "home": {number: who.pk for number, who in enumerate(scene.home[2:8], 1)},
        "away": {},
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_card_and_line_up_with_all_opened_are_accessible(browse, scene, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def look(page):
        found = {}
        for address in (scene.url, f"/matches/{scene.match.pk}/line-up/home/"):
            page.goto(address)
            page.eval_on_selector_all(
                "details.more, details.day", "all => all.forEach(one => { one.open = true; })"
            )
            if address == scene.url:
                page.focus("#board-1 .result input >> nth=0")
                page.keyboard.press("=")
                page.reload()
                page.eval_on_selector_all(
                    "details.more, details.day", "all => all.forEach(one => { one.open = true; })"
                )
                page.click("#board-2 .row-menu summary")
            for width in (360, 1280):
                page.set_viewport_size({"width": width, "height": 800})
                violations = axe.run(page).response["violations"]
                spills = page.evaluate("document.documentElement.scrollWidth > innerWidth")
                found[address, width] = [spills, [each["id"] for each in violations]]
        return found

    user = scene.captain if scheme == "light" else make_both(scene)
    found = browse(look, user=user, color_scheme=scheme, strict=False)
    assert {tuple(map(str, each)) for each in found.values()} == {("False", "[]")}


def make_both(scene):
    """The officer, who is captain of the home side as well: he has every field."""
    scene.match.home.roles.create(user=scene.officer)
    return scene.officer
