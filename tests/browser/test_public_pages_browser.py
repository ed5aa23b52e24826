"""What a browser shows: nothing spills, axe finds nothing, the policy blocks nothing."""

import datetime

import pytest
from django.utils import timezone

from tests.browser.looking import faults, faults_at
from tests.factories import (
    AdjustmentFactory,
    BoardFactory,
    DivisionFactory,
    MatchFactory,
    TeamFactory,
)

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Ashdown A", "Wellow Bridge A", "St Wulfric’s A", "Netherby & District A")


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


def test_public_pages_are_whole_and_accessible(browse, division):
    pages = addresses(division)
    assert browse(lambda page: faults_at(page, pages)) == {}


def addresses(division):
    base = f"/divisions/{division.pk}/"
    return [
        *("/", "/leagues/", "/leagues/weald/", "/leagues/weald/2026-27/"),
        *(base + part for part in ("", "results/", "fixtures/", "crosstable/", "players/")),
        *("/accounts/login/", "/accounts/password/reset/"),
    ]


def test_the_page_of_what_broke_is_whole_and_accessible(browse, monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("games.views.home.league_tables.with_states", broken)

    def look(page):
        return page.goto("/").status, faults(page)

    assert browse(look, locale="fr", meant="500 (Internal Server Error)") == (500, {})


def test_paper_stays_light_and_gets_every_column(browse, division):
    def look(page):
        page.goto(f"/divisions/{division.pk}/")
        fives = page.locator("table.league .fives").first
        on_screen = fives.is_visible()
        page.emulate_media(media="print", color_scheme="dark")
        chrome = page.locator(".band-nav, .tabs, .foot, .twins").locator("visible=true").count()
        paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        return on_screen, fives.is_visible(), chrome, paper

    found = browse(look, width=700, height=900, color_scheme="dark")
    assert found == (False, True, 0, "rgb(255, 255, 255)")


def test_keyboard_reaches_the_page_first_and_shows_where_it_is(browse, division):
    def walk(page):
        page.goto(f"/divisions/{division.pk}/")
        page.keyboard.press("Tab")
        first = page.evaluate("document.activeElement.textContent")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        where = "(e => [e.textContent, getComputedStyle(e).outlineWidth])(document.activeElement)"
        return first, page.evaluate(where)

    assert browse(walk) == ("Skip to the page", ["Weald & Downs Chess League", "3px"])
