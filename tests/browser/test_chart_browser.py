"""A player's chart in a real browser: drawn in the scheme's colours, and not missed without."""

import json
from datetime import date

import pytest

from ratings import rebuilding
from tests.browser.looking import faults
from tests.factories import PlayerFactory, RatedEventFactory
from tests.games.player_scene import game, make_scene

pytestmark = pytest.mark.django_db(transaction=True)

# How many spots of the canvas have each of these colours, given as #rrggbb.
COUNTED = """(colours) => {
  const canvas = document.querySelector(".chart canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const found = Object.fromEntries(colours.map((colour) => [colour, 0]));
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] < 255) continue;
    const hex = [0, 1, 2].map((part) => data[at + part].toString(16).padStart(2, "0")).join("");
    if (`#${hex}` in found) found[`#${hex}`]++;
  }
  return found;
}"""
LIGHT = {"accent": "#1b6044", "ink": "#18201c"}
DARK = {"accent": "#7dcfa5", "ink": "#e8ebe5"}


@pytest.fixture
def scene():
    return make_scene()


def drawn(page) -> dict[str, set[str]]:
    """Which of our colours the chart is drawn in."""
    found = page.evaluate(COUNTED, [*LIGHT.values(), *DARK.values()])
    return {
        scheme: {name for name, colour in tokens.items() if found[colour] > 20}
        for scheme, tokens in (("light", LIGHT), ("dark", DARK))
    }


def test_the_chart_is_drawn_in_the_colours_of_the_scheme(browse, scene):
    def look(page):
        page.goto(scene.url)
        page.wait_for_selector(".chart canvas")
        found = [drawn(page)]
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(100)
            found.append(drawn(page))
        return found

    light = {"light": {"accent", "ink"}, "dark": set()}
    dark = {"light": set(), "dark": {"accent", "ink"}}
    assert browse(look, color_scheme="light") == [light, dark, light]


def test_it_is_drawn_at_its_real_width_and_again_when_that_changes(browse, scene):
    def look(page):
        page.goto(scene.url)
        page.wait_for_selector(".chart canvas")
        found = []
        for width in (1280, 360, 800):
            page.set_viewport_size({"width": width, "height": 800})
            page.wait_for_timeout(200)
            real = page.eval_on_selector(".chart canvas", "c => c.width / devicePixelRatio")
            room = page.locator(".chart").bounding_box()["width"]
            found.append((page.locator(".chart canvas").count(), round(real) - round(room)))
        return found

    assert browse(look) == [(1, 0)] * 3


def test_it_says_in_words_what_it_shows(browse, scene):
    def look(page):
        page.goto(scene.url)
        page.wait_for_selector(".chart canvas")
        chart = page.locator(".chart")
        return chart.get_attribute("role"), chart.get_attribute("aria-label")

    rating = scene.player.elo_ratings.get(pool="standard").shown
    role, words = browse(look)
    assert role == "img"
    assert words.startswith("From 2024-09-24 to 2026-11-17: Elo from 17")
    assert f", {rating} at the end." in words


def addresses(scene) -> list[str]:
    return [
        scene.url,
        scene.url + "?pool=rapid",
        *(scene.url_of(tab) for tab in ("opponents", "seasons", "head-to-head")),
        scene.url_of("head-to-head", f"/?with={scene.opponents['Ibbot'].pk}"),
        scene.url_of("head-to-head", "/?q=o"),
    ]


def opened(page, address) -> None:
    """The page with all that it can show."""
    page.goto(address)
    if page.locator("[data-chart]").count():
        page.wait_for_selector(".chart canvas")
        page.click("summary:has-text('list by list')")


def test_no_page_of_a_player_spills_and_axe_finds_nothing(browse, scene):
    def look(page):
        found = {}
        for address in addresses(scene):
            opened(page, address)
            found[address] = faults(page)
        return found

    assert browse(look) == dict.fromkeys(addresses(scene), {})


def test_without_javascript_the_tables_say_it_all(browse, scene):
    def look(page):
        page.goto(scene.url)
        return (
            page.locator("text=Elo and grade").locator("visible=true").count(),
            page.locator("table.games tbody tr").count(),
            page.locator("details.steps tbody tr").count(),
        )

    assert browse(look, javascript=False) == (0, 50, 4)


def test_without_an_answer_the_chart_goes_away(browse, scene):
    def look(page):
        empty = json.dumps({"pool": "standard", "today": "2026-11-30", "elo": [], "grades": []})
        page.route("**/chart.json*", lambda route: route.fulfill(body=empty))
        page.goto(scene.url)
        page.wait_for_selector(".elo-chart", state="hidden")
        return page.locator("table.games").locator("visible=true").count()

    assert browse(look) == 1


def test_one_game_alone_is_a_point(browse):
    player, other = PlayerFactory(), PlayerFactory()
    game(RatedEventFactory(), player, other, date(2026, 11, 3), 2, 0)
    rebuilding.rebuild("standard")

    def look(page):
        page.goto(player.get_absolute_url())
        page.wait_for_selector(".chart canvas")
        return drawn(page)

    assert browse(look, color_scheme="light")["light"] == {"accent"}
