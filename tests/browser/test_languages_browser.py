"""Every public page in French: axe finds nothing, nothing is wider than a phone, one goes back."""

import pytest

from tests.factories import MembershipFactory
from tests.games.card_scene import make_scene

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pages():
    scene = make_scene(played_before=False)
    scene.record("=1=01=")
    match = scene.match
    player = MembershipFactory(club=match.home.club).player
    division = f"/divisions/{match.division_id}/"
    return [
        *("/", "/leagues/", "/clubs/", "/ratings/", "/ratings/how/", "/grades/lists/", "/help/"),
        *(division + tab for tab in ("", "results/", "fixtures/", "crosstable/", "players/")),
        division + "print/",
        match.division.season.get_absolute_url(),
        match.home.club.get_absolute_url(),
        match.home.get_absolute_url(),
        f"/teams/{match.home_id}/print/",
        f"/teams/{match.home_id}/print/cards/",
        match.get_absolute_url(),
        f"/matches/{match.pk}/print/",
        f"/matches/{match.pk}/print/sheets/",
        player.get_absolute_url(),
        player.get_absolute_url() + "seasons/",
        *("/search/?q=a", "/accounts/login/", "/accounts/password/reset/"),
    ]


@pytest.mark.parametrize(
    ("width", "scheme", "locale"),
    [(360, "dark", "fr-FR"), (1280, "light", "fr"), (360, "light", "en-GB")],
)
def test_axe_finds_nothing_in_any_language(browse, pages, width, scheme, locale):
    def read(page):
        found = {}
        for address in pages:
            page.goto(address)
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            said = page.evaluate("document.documentElement.lang")
            odd = [each["id"] for each in axe.Axe().run(page).response["violations"]]
            if wide > 0 or odd or not locale.startswith(said[:2]):
                found[address] = (said, wide, odd)
        return found

    # The policy blocks styles of axe's own.
    found = browse(read, width=width, color_scheme=scheme, locale=locale, strict=False)
    assert found == {}


def test_a_visitor_goes_to_french_and_back(browse, pages):
    def switch(page):
        page.goto("/clubs/?q=x")
        page.get_by_role("button", name="Français").click()
        there = page.url.rsplit("/", 2)[1:], page.evaluate("document.documentElement.lang")
        page.goto("/leagues/")
        stays = page.evaluate("document.documentElement.lang")
        page.get_by_role("button", name="English").click()
        return there, stays, page.evaluate("document.documentElement.lang")

    assert browse(switch, javascript=True, locale="en-GB") == (
        (["clubs", "?q=x"], "fr"),
        "fr",
        "en-gb",
    )


def test_a_printed_card_is_one_page(browse, pages):
    card = next(page for page in pages if page.startswith("/matches/") and page.endswith("/print/"))

    def printed(page):
        page.goto(card)
        return page.pdf(prefer_css_page_size=True, format="A4")

    assert browse(printed).count(b"/Type /Page\n") == 1
