"""What a browser shows: nothing spills, axe finds nothing, the policy blocks nothing."""

import datetime

import pytest
from django.utils import timezone

from tests.factories import (
    AdjustmentFactory,
    BoardFactory,
    DivisionFactory,
    MatchFactory,
    TeamFactory,
)

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

pytestmark = pytest.mark.django_db(transaction=True)

WIDTHS = (320, 360, 767, 768, 1024, 1280, 1920)
NAMES = ("Ashdown A", "Wellow Bridge A", "St Wulfric’s A", "Netherby & District A")
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
# What stands outside the window, or is cut off inside its own box.
# A chart follows its page's width a moment later.
REDRAWN = """() => [...document.querySelectorAll(".chart")].every(
  (chart) => chart.scrollWidth <= chart.clientWidth + 1)"""
SPILLED = """() => {
  const width = document.documentElement.clientWidth, found = [];
  if (document.documentElement.scrollWidth > width) found.push("the page scrolls sideways");
  for (const element of document.querySelectorAll("header *, main *, footer *")) {
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    if (element.closest(".scroll") || box.width < 2 || style.display === "inline") continue;
    if (element.matches("input, select, .visually-hidden")) continue;
    if (box.right > width + 1 || element.scrollWidth > element.clientWidth + 1)
      found.push(`${element.tagName}.${element.className} ${element.textContent.slice(0, 30)}`);
  }
  return found;
}"""


@pytest.fixture
def division():
    """Four teams, a season half-way: results, a card begun, a deduction, fixtures to come."""
    division = DivisionFactory(
        season__league__name="Weald & Downs Chess League",
        season__league__slug="weald",
        name="Division 1",
        promoted=1,
        relegated=1,
        changed_at=timezone.now(),
    )
    teams = [TeamFactory(division=division, name=name) for name in NAMES]
    AdjustmentFactory(team=teams[1])
    today = timezone.localdate()
    for number, home in enumerate(teams):
        for away in teams[:number]:
            day = today - datetime.timedelta(days=20 - 10 * number)
            match = MatchFactory(
                division=division, home=home, away=away, round=number, played_on=day, board_count=2
            )
            for board in (1, 2) if number < 3 else (1,):
                BoardFactory(match=match, number=board, result=board)
    return division


@pytest.fixture
def browser(chromium, division, live_server):
    """A browser; the rows are made before it, for beside its loop Django opens another connection.

    The loop runs in this thread, so a test that has a browser reads and writes no rows itself.
    """
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_public_pages_are_whole_and_accessible(browser, live_server, division, scheme):
    page = browser.new_context(color_scheme=scheme).new_page()
    complaints = []
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    found = {}
    for address in addresses(division):
        page.goto(live_server.url + address)
        found[address, "console"] = list(complaints)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            found[address, width] = page.evaluate(SPILLED)
            if width == (1280 if scheme == "light" else 360):
                violations = axe.Axe().run(page).response["violations"]
                found[address, width] += [
                    (each["id"], [node["html"] for node in each["nodes"]]) for each in violations
                ]
        complaints.clear()
    assert {key: faults for key, faults in found.items() if faults} == {}


def addresses(division):
    base = f"/divisions/{division.pk}/"
    return [
        *("/", "/leagues/", "/leagues/weald/", "/leagues/weald/2026-27/"),
        *(base + part for part in ("", "results/", "fixtures/", "crosstable/", "players/")),
        *("/accounts/login/", "/accounts/password/reset/"),
    ]


def test_paper_stays_light_and_gets_every_column(browser, live_server, division):
    page = browser.new_context(color_scheme="dark").new_page()
    page.goto(f"{live_server.url}/divisions/{division.pk}/")
    page.set_viewport_size({"width": 700, "height": 900})
    assert not page.locator("table.league .fives").first.is_visible()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("table.league .fives").first.is_visible()
    assert not page.locator(".band-nav, .tabs, .foot, .twins").locator("visible=true").count()
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(paper) == "rgb(255, 255, 255)"


def test_keyboard_reaches_the_page_first_and_shows_where_it_is(browser, live_server, division):
    page = browser.new_context().new_page()
    page.goto(f"{live_server.url}/divisions/{division.pk}/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the page"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    where = "(e => [e.textContent, getComputedStyle(e).outlineWidth])(document.activeElement)"
    assert page.evaluate(where) == ["Weald & Downs Chess League", "3px"]
