"""Grade lists in a real browser: whole at every width, accessible, filtered without a script."""

from datetime import date

import pytest

from tests.factories import ClubFactory
from tests.ratings.grade_scene import JANUARY, JULY, grade_list, graded, person

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

pytestmark = pytest.mark.django_db(transaction=True)

WIDTHS = (320, 360, 767, 768, 1024, 1280, 1920)
SPILLED = """() => {
  const width = document.documentElement.clientWidth, found = [];
  if (document.documentElement.scrollWidth > width) found.push("the page scrolls sideways");
  for (const element of document.querySelectorAll("main *")) {
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    if (element.closest(".scroll, svg") || box.width < 2 || style.display === "inline") continue;
    if (element.matches("input, select, .visually-hidden")) continue;
    if (box.right > width + 1 || element.scrollWidth > element.clientWidth + 1)
      found.push(`${element.tagName}.${element.className} ${element.textContent.slice(0, 30)}`);
  }
  return found;
}"""
ADDRESSES = (
    *("/grades/2026-07-01/", "/grades/2026-07-01/?revision=0&sort=club", "/grades/lists/"),
    *("/grades/2026-07-01/?q=nobody", "/grades/2026-07-01/?club=nowhere", "/grades/compare/"),
    *("/grades/2026-07-01/risers/", "/grades/2026-07-01/revisions/", "/grades/2027-01-01/"),
    *("/grades/2026-07-01/distribution/", "/grades/2026-07-01/?page=2"),
)


@pytest.fixture
def lists():
    """Three lists and a revision, sixty people with long names, one provisional list."""
    club = ClubFactory(name="Netherby & District Working Men’s Institute", slug="netherby")
    before, now = grade_list(JANUARY), grade_list(JULY)
    revised = grade_list(JULY, revision=1, reason="The result of 4 November 2025 was put right.")
    coming = grade_list(date(2027, 1, 1), state="provisional", outstanding=4)
    rapid = grade_list(JULY, "rapid")
    for number in range(60):
        player = person(
            "Wolfeschlegelsteinhausenbergerdorff" if number == 3 else f"Ogilvy-Carr{number}",
            forenames="Beatrice Anne",
            club=club,
            ecf_code=f"{100000 + number}A",
            birth_date=date(date.today().year - 9, 1, 1) if number % 9 == 0 else None,
            name_consent=True,
        )
        changes = ((before, 0), (now, number % 9), (revised, 5), (coming, 6), (rapid, 2))
        for place, (made, more) in enumerate(changes):
            if (number + place) % 11:
                graded(player, made, 210 - 3 * number + more)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_lists_are_whole_and_accessible(browse, lists, scheme):
    def scenario(page):
        found = {}
        for address in ADDRESSES:
            page.goto(address)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                found[address, width] = page.evaluate(SPILLED)
                if width == (1280 if scheme == "light" else 360):
                    violations = axe.Axe().run(page).response["violations"]
                    found[address, width] += [
                        (each["id"], [node["html"] for node in each["nodes"]])
                        for each in violations
                    ]
        return found

    found = browse(scenario, color_scheme=scheme, strict=False)
    assert {where: faults for where, faults in found.items() if faults} == {}


def test_a_list_is_narrowed_and_sorted_without_a_script(browse, lists):
    def scenario(page):
        page.goto("/grades/2026-07-01/")
        page.get_by_label("Changed").check()
        page.get_by_label("Category").select_option("C")
        page.get_by_label("Name or ECF code").fill("wolfe")
        with page.expect_navigation():
            page.get_by_role("button", name="Search").click()
        names = page.locator("table.people tbody th a").all_inner_texts()
        page.goto("/grades/2026-07-01/?club=netherby")
        with page.expect_navigation():
            page.get_by_role("link", name="Games").click()
        kept = page.locator("#id_club").input_value()
        heading = page.locator("th[aria-sort=descending]").inner_text()
        with page.expect_navigation():
            page.get_by_role("button", name="Next").click()
        return names, kept, heading, page.url.partition("?")[2]

    assert browse(scenario, javascript=False) == (
        ["Wolfeschlegelsteinhausenbergerdorff, Beatrice Anne"],
        "netherby",
        "Games",
        "club=netherby&sort=-games&page=2",
    )
