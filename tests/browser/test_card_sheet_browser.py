"""A line-up saved beforehand, and one of earlier taken in one tap, in a real browser."""

import pytest

from games.match_cards.team_sheets import sheets_of
from tests.browser.looking import faults
from tests.games.card_scene import make_scene, play_before

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("evening")]


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


def test_card_and_line_up_with_all_opened_are_accessible(browse, scene):
    # The officer who is captain of the home side as well has every field.
    scene.match.home.roles.create(user=scene.officer)

    def look(page):
        page.goto(scene.url)
        page.focus("#board-1 .result input >> nth=0")
        page.keyboard.press("=")
        page.reload()
        open_all(page)
        page.click("#board-2 .row-menu summary")
        found = {"card": faults(page)}
        page.goto(f"/matches/{scene.match.pk}/line-up/home/")
        open_all(page)
        return found | {"line-up": faults(page)}

    assert browse(look, user=scene.officer) == {"card": {}, "line-up": {}}


def open_all(page) -> None:
    page.eval_on_selector_all(
        "details.more, details.day", "all => all.forEach(one => { one.open = true; })"
    )
