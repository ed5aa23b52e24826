"""The explaining pages in a real browser: whole at every width, by keyboard, without a script."""

import datetime
from datetime import date

import pytest
from django.db import transaction
from django.urls import reverse

from ratings import ledger, lists, live
from ratings.ledger import Played
from tests.browser.looking import faults_at
from tests.factories import OpeningRatingFactory, PlayerFactory, RatedEventFactory, pool

pytestmark = pytest.mark.django_db(transaction=True)

JANUARY = date(2026, 1, 1)


def graded(surname, forenames, grade):
    player = PlayerFactory(surname=surname, forenames=forenames)
    OpeningRatingFactory(
        player=player, system="grade", value=grade, dated_on=date(2025, 7, 1), source="the officer"
    )
    return player


@pytest.fixture
def hero():
    """A player of many games, some against people far away, with a published grade."""
    hero = graded("Żabrek", "Łucja", 143)
    rivals = [
        graded("Ogilvy-Carr-Featherstonehaugh", "Beatrice Wilhelmina", 190),
        graded("Nuñal", "José Mª", 96),
        PlayerFactory(surname="de la Marre", forenames="Zoë"),
        graded("Tso", "Kam Wa", 150),
    ]
    event = RatedEventFactory()
    games = [
        Played(
            f"g{number}",
            date(2025, 10, 1) + datetime.timedelta(days=number),
            *(0, 0, number, hero.pk, rivals[number % 4].pk, number % 3, True),
        )
        for number in range(34)
    ]
    with transaction.atomic():
        locked = ledger.lock_pool(pool().pk)
        touched = ledger.post(event=event, keys=[game.source_key for game in games], games=games)
        live.update(pool=locked, touched=touched)
    lists.publish(
        pool="standard",
        cutoff=JANUARY,
        at=datetime.datetime(2026, 1, 15, 12, tzinfo=datetime.UTC),
        by=None,
        outstanding=lambda pool, cutoff: 0,
    )
    return hero


def addresses(hero):
    how = {"next-player": "zabrek", "next-opponent": "tso", "change-k": "x"}
    return [
        reverse("grade_why", args=[hero.pk, JANUARY]),
        reverse("elo_why", args=[hero.pk]),
        reverse("ratings_how", query=how),
        reverse("ratings_how", query={"next-player": "a", "next-opponent": "nobody"}),
    ]


def test_the_pages_are_whole_and_accessible(browse, hero):
    pages = addresses(hero)
    assert browse(lambda page: faults_at(page, pages)) == {}


def test_a_phone_reads_the_same_facts(browse, hero):
    """What the columns say that a phone has no room for stands under the name."""

    def scenario(page):
        page.goto(addresses(hero)[0])
        row = page.locator("table.why tbody tr", has_text="Ogilvy").first
        return row.locator("th").inner_text(), row.locator("td.n").first.inner_text()

    assert browse(scenario, width=360)[0].endswith(
        "2 Nov · opening grade; counts as 183, 40 above 143"
    )
    wide = browse(scenario, width=1280)
    assert "counts as" not in wide[0]
    assert wide[1].replace("counts as", "").split() == ["190", "183"]


@pytest.mark.parametrize("javascript", [True, False])
def test_a_calculator_by_keyboard(browse, hero, javascript):
    def scenario(page):
        page.goto(reverse("ratings_how"))
        page.locator("#change").get_by_label("Your rating").focus()
        page.keyboard.press("Control+A")
        page.keyboard.type("1613")
        page.keyboard.press("Tab")
        page.keyboard.press("Control+A")
        page.keyboard.type("1609")
        page.keyboard.press("Tab")
        page.keyboard.type("L")
        page.keyboard.press("Tab")
        page.keyboard.press("Control+A")
        page.keyboard.type("32")
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.textContent.trim()")
        page.keyboard.press("Enter")
        page.wait_for_url("**change-own=1613**")
        in_sight = page.locator("#change").bounding_box()["y"] < 800
        answer = page.locator("#change + .answer").inner_text()
        return focused, in_sight, page.url.partition("#")[2], answer

    focused, in_sight, anchor, answer = browse(scenario, javascript=javascript)
    assert (focused, in_sight, anchor) == ("Work it out", True, "change")
    assert "so −16.2, and the rating is 1596.8 after it." in answer


def test_one_of_several_people_is_chosen(browse, hero):
    namesakes = [graded("Smith", "John", grade) for grade in (140, 120)]

    def scenario(page):
        page.goto(addresses(hero)[0])
        page.get_by_role("link", name="What would a result next week do?").click()
        form = page.locator("#next")
        form.get_by_label("Opponent (name or ECF code)").first.fill("smith")
        form.get_by_role("button").click()
        said = form.get_by_text("2 players fit: choose one.").is_visible()
        form.get_by_label(f"#{namesakes[1].pk}").check()
        form.get_by_role("button").click()
        return said, page.locator("#next + .answer").inner_text()

    said, answer = browse(scenario, width=360)
    assert said
    assert "against 120 gives 170 points." in answer


def test_the_tree_of_a_reckoning(browse, hero):
    """A screen reader hears each line of the sum as a row, and a clamped grade in words."""

    def scenario(page):
        page.goto(addresses(hero)[0])
        return (
            page.get_by_role("table", name="The sum").aria_snapshot(),
            page.get_by_role("row", name="Ogilvy").first.aria_snapshot(),
        )

    total, row = browse(scenario)
    for line in ('rowheader "Points"', 'rowheader "Divided by 34"', "34 games, 1 January 2025"):
        assert line in total
    assert 'cell "190 counts as 183"' in row
