"""A card entered by thumb on a phone, and without JavaScript."""

import pytest

from clubs.models import Player
from tests.browser.card_steps import MATCH, PLAYED, SAVE, line_ups, stored
from tests.games.card_scene import make_scene

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("evening")]


@pytest.fixture
def scene():
    return make_scene(board_order_tolerance=0)


def test_by_thumb_on_a_phone(browse, scene):
    def enter(page):
        page.goto(scene.url)
        bar = []
        for board, result in enumerate(PLAYED, 1):
            nth = {"1": 0, "=": 1, "0": 2}[result]
            page.locator(f"#board-{board} .result label >> nth={nth}").tap()
            box = page.locator(SAVE).bounding_box()
            bar.append(box["y"] >= 0 and box["y"] + box["height"] <= 740)
        page.locator("#board-6 .picker.home [role=combobox]").tap()
        options = page.locator("#board-6 .picker.home [role=option]")
        heights = [option.bounding_box()["height"] for option in options.all()]
        page.locator("#board-6 .options >> text=Eszter Szabó").tap()
        small = page.eval_on_selector_all(
            ".card :is(button, summary, label:has(> [type=radio]), [role=combobox])",
            "all => all.filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44)"
            ".map(e => e.outerHTML)",
        )
        wide = page.evaluate("document.documentElement.scrollWidth")
        page.locator(SAVE).tap()
        page.wait_for_url(MATCH)
        return bar, min(heights), small, wide, page.evaluate("document.documentElement.scrollWidth")

    bar, height, small, wide, match_wide = browse(
        enter, user=scene.captain, width=360, height=740, has_touch=True, is_mobile=True
    )
    assert (bar, height >= 44, small) == ([True] * 6, True, [])
    assert (wide, match_wide) == (360, 360)
    assert stored(scene) == line_ups(scene, home_6=scene.home[7])


def test_the_first_touch_of_a_picker_brings_no_keyboard(browse, scene):
    def enter(page):
        page.goto(scene.url)
        field = page.locator("#board-1 .picker.home [role=combobox]")
        found = []
        for _touch in range(2):
            field.tap()
            found.append(field.evaluate("field => field.inputMode"))
        return found

    found = browse(enter, user=scene.captain, width=360, height=740, has_touch=True, is_mobile=True)
    assert found == ["none", "text"]


def test_without_javascript(browse, scene):
    def enter(page):
        page.goto(scene.url)
        for board, result in enumerate(PLAYED[:4], 1):
            value = {"1": "2", "=": "1", "0": "0"}[result]
            page.check(f"#board-{board} .result input[value='{value}']", force=True)
        page.select_option("#board-3 .picker.home select", label="Eszter Szabó · 141 · 1758?")
        page.fill("#board-4 .picker.away .other", "Adaeze Quill")
        page.fill("#board-5 .picker.home .other", "Zebedee Newman")
        page.check("#board-5 .result input[value='2']", force=True)
        page.click("#board-6 .row-menu summary")
        page.check("#board-6 .row-menu input[value='away_default']")
        page.select_option("#board-6 .picker.home select", label="Nobody")
        page.click(SAVE)
        asked = page.inner_text("#problems-5")
        page.select_option(
            "#board-5 .picker.home select", label="Add “Zebedee Newman” as a new player"
        )
        page.click(SAVE)
        return asked, page.inner_text("main")

    asked, html = browse(enter, user=scene.captain, javascript=False)
    assert asked.startswith("Who is Zebedee Newman?") and "Saved at" in html
    new = Player.objects.get(surname="Newman")
    changed = {"home_3": scene.home[7], "away_4": scene.away[6], "home_5": new}
    assert stored(scene) == [
        *line_ups(scene, "=1=01 ", **changed)[:5],
        (None, scene.away[5].pk, None, "away_default"),
    ]


def test_without_javascript_the_keyboard_reaches_everything(browse, scene):
    def enter(page):
        page.goto(scene.url)
        page.focus("#board-1 .picker.home select")
        seen = []
        for _step in range(5):
            page.keyboard.press("Tab")
            seen.append(page.evaluate("document.activeElement.name ?? 'menu'"))
        page.focus("#board-1 .result input >> nth=0")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
        return seen

    with_results = browse(enter, user=scene.captain, javascript=False)
    assert with_results == [
        "boards-0-home_name",
        "boards-0-result",
        "boards-0-away",
        "boards-0-away_name",
        "menu",
    ]
