"""Every public page in French: axe finds nothing, nothing is wider than a phone, one goes back."""

import pytest

from tests.browser.looking import faults
from tests.factories import MembershipFactory
from tests.games.card_scene import make_scene

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


def test_axe_finds_nothing_in_any_language(browse, client, pages):
    def read(page):
        found = {}
        for address in pages:
            page.goto(address)
            said = page.evaluate("document.documentElement.lang")
            found[address] = said, faults(page)
        return found

    assert browse(read, locale="fr-FR") == dict.fromkeys(pages, ("fr", {}))
    # The English of these pages is looked at where they are tested.
    english = {
        address: client.get(address, headers={"accept-language": "en-GB"}) for address in pages
    }
    assert [at for at, page in english.items() if '<html lang="en-gb">' not in page.text] == []


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
