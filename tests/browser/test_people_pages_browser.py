"""What a browser shows of people's pages: nothing spills, axe finds nothing."""

import datetime

import pytest

from ratings import rebuilding
from tests.factories import (
    ClubFactory,
    MatchFactory,
    MembershipFactory,
    OpeningRatingFactory,
    PlayerFactory,
    RatedEventFactory,
    RatedGameFactory,
    TeamFactory,
    pool,
)
from tests.games.test_look import ARGUMENTS, REDRAWN, SPILLED, WIDTHS

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "Wolfeschlegelsteinhausenbergerdorff"


@pytest.fixture
def addresses():
    """A club with long names, a player with sixty games at two rates of play, a team to play."""
    club = ClubFactory(
        name="Netherby & District Working Men’s Institute",
        slug="netherby",
        venue="The Village Hall\n12 High Street",
        club_night=1,
        contact_phone="01234 567890",
    )
    player = PlayerFactory(surname=LONG, forenames="Beatrice Anne", ecf_code="178853L")
    MembershipFactory(club=club, player=player)
    OpeningRatingFactory(player=player, system="grade", value=143)
    congress = RatedEventFactory(name="Bexhill and Hastings Midsummer Congress, Open")
    rapid = RatedEventFactory(name="Rapidplay", pool=pool("rapid"))
    for number in range(60):
        RatedGameFactory(
            event=congress if number < 55 else rapid,
            white=player,
            black=PlayerFactory(surname=f"Ogilvy-Carr{number}"),
            white_halves=number % 3,
            played_on=datetime.date(2026, 1, 1) + datetime.timedelta(days=number),
        )
    rebuilding.rebuild("standard")
    rebuilding.rebuild("rapid")
    team = TeamFactory(club=club, captain_email="captain@example.org")
    MatchFactory(division=team.division, home=team)
    return [
        *("/clubs/", "/clubs/?q=zzz", "/clubs/netherby/", f"/teams/{team.pk}/"),
        *(f"/players/{player.pk}/", f"/players/{player.pk}/?page=2"),
        *("/ratings/", "/ratings/?sort=club&page=2", "/ratings/?q=zzz", "/ratings/?q=%00"),
        *("/search/", "/search/?q=zzz", "/search/?q=ogilvy", "/search/?q=e"),
    ]


@pytest.fixture
def browser(chromium, addresses, live_server):
    """A browser; the rows are made before it: beside its loop Django opens another connection."""
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_people_are_whole_and_accessible(browser, live_server, addresses, scheme):
    page = browser.new_context(color_scheme=scheme).new_page()
    complaints = []
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    found = {}
    for address in addresses:
        page.goto(live_server.url + address)
        found[address, "console"] = list(complaints)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            page.wait_for_function(REDRAWN)
            found[address, width] = page.evaluate(SPILLED)
            if width == (1280 if scheme == "light" else 360):
                violations = axe.Axe().run(page).response["violations"]
                found[address, width] += [
                    (each["id"], [node["html"] for node in each["nodes"]]) for each in violations
                ]
        complaints.clear()
    assert {key: faults for key, faults in found.items() if faults} == {}
