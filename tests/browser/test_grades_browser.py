"""Grade lists in a real browser: whole at every width, accessible, filtered without a script."""

from datetime import date

import pytest

from tests.browser.looking import faults_at
from tests.factories import ClubFactory
from tests.ratings.grade_scene import JANUARY, JULY, grade_list, graded, person

pytestmark = pytest.mark.django_db(transaction=True)

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


def test_the_pages_of_lists_are_whole_and_accessible(browse, lists):
    assert browse(lambda page: faults_at(page, ADDRESSES)) == {}


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
