"""A card entered by keyboard in a real browser, and how it looks on the way."""

import datetime

import pytest

from games.models import Match
from ratings.models import EloRating
from tests import factories
from tests.browser.card_steps import (
    MATCH,
    PLAYED,
    SAVE,
    Keyboard,
    focused,
    line_ups,
    shown,
    stored,
    ticked,
)
from tests.browser.looking import faults
from tests.factories import PASSWORD
from tests.games.card_scene import make_scene, people

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("evening")]


@pytest.fixture
def scene():
    return make_scene(board_order_tolerance=0)


def test_a_captain_logs_in_enters_six_boards_and_sees_table_and_elo_move(browse, scene):
    before = EloRating.objects.get(player=scene.home[1]).rating

    def enter(page):
        page.goto(scene.url)
        page.fill("input[name=login]", scene.captain.email)
        page.fill("input[name=password]", PASSWORD)
        page.click("main button[value=password]")
        page.wait_for_url(f"**{scene.url}")
        assert focused(page) == "1 result"
        keys = Keyboard(page)
        keys.press("=", "1", "=", "0", "1", "=")
        assert page.inner_text(".running") == "3½ – 2½"
        assert page.inner_text(".progress") == "6 of 6 boards"
        assert page.locator(".last-time").locator("visible=true").count() == 0
        keys.save()
        said = page.inner_text(".banner.saved p >> nth=0").replace("\xa0", " ")
        moved = page.inner_text("table.match tbody tr:nth-child(2)")
        page.click("text=Division 1 table")
        row = page.inner_text("table.league tbody tr >> nth=0")
        page.goto(f"/players/{scene.home[1].pk}/")
        return keys.count, said, moved, row, page.inner_text("main")

    count, said, moved, row, player = browse(enter)
    assert count <= 8
    assert "Ashdown A 3½ – 2½ Hartfield A. Table and Elo are up to date." in said
    assert "+20" in moved
    assert "Ashdown A" in row.replace("\xa0", " ")
    assert stored(scene) == line_ups(scene)
    after = EloRating.objects.get(player=scene.home[1]).rating
    assert after > before and str((after + 5) // 10) in player


def test_three_changed_players_take_few_keys(browse, scene):
    [guest] = people(factories.ClubFactory(), [("Quiller", "Robin", 100)])

    def enter(page):
        page.goto(scene.url)
        keys = Keyboard(page)
        keys.press("=", "1", "=")
        keys.press("h", "r", "a", "v", "Enter")
        assert (focused(page), shown(page, 4, "home")) == ("4 result", "Oluwaseun Ravenscroft")
        keys.press("0")
        keys.press("h", "s", "z", "a", "Enter", "1")
        keys.press("a", "a", "d", "a", "Enter", "=")
        keys.save()
        return keys.count

    assert browse(enter, user=scene.captain) <= 25
    changed = {"home_4": scene.home[6], "home_5": scene.home[7], "away_6": scene.away[6]}
    assert stored(scene) == line_ups(scene, **changed)
    assert not guest.home_boards.exists()


def test_every_key_of_a_result(browse, scene):
    def enter(page):
        page.goto(scene.url)
        keys = Keyboard(page)
        keys.press("1", "0", "=", "5", "d", "D")
        found = [ticked(page), focused(page)]
        page.focus("#board-2 .result input >> nth=0")
        keys.press("ArrowDown", "Backspace", "ArrowUp", "ArrowLeft")
        return [*found, ticked(page), focused(page)]

    found = browse(enter, user=scene.captain)
    assert found == ["10====", "button", "1= ===", "2 result"]
    assert stored(scene) == []


def test_a_default_is_never_one_key(browse, scene):
    def enter(page):
        page.goto(scene.url)
        found = []
        for key in "abcdefghijklmnopqrstuvwxyz0123456789=-+.,;/":
            page.focus("#board-1 .result input >> nth=0")
            page.keyboard.press(key)
            found.append(page.evaluate("new FormData(document.forms[1]).get('boards-0-result')"))
            page.keyboard.press("Escape")
        return set(found)

    assert browse(enter, user=scene.captain) <= {None, "0", "1", "2"}


def test_keys_of_a_result_do_nothing_where_something_is_typed(browse, scene):
    def enter(page):
        page.goto(scene.url)
        found = []
        for field in ("#band-q", "#board-1 .picker.home [role=combobox]", "#main"):
            page.focus(field)
            page.keyboard.type("1=0d5h")
            found.append((field, ticked(page)))
            page.keyboard.press("Escape")
        found.append(page.input_value("#band-q"))
        page.goto(f"/matches/{scene.match.pk}/")
        page.keyboard.type("1=0d5")
        return found, page.url.endswith(f"/matches/{scene.match.pk}/")

    found, stayed = browse(enter, user=scene.captain)
    assert found == [
        ("#band-q", "      "),
        ("#board-1 .picker.home [role=combobox]", "      "),
        ("#main", "      "),
        "1=0d5h",
    ]
    assert stayed


def test_the_order_is_checked_while_one_types(browse, scene):
    def enter(page):
        page.goto(scene.url)
        found = [page.locator(".note.warn").count()]
        page.focus("#board-6 .result input >> nth=0")
        Keyboard(page).press("h", "r", "a", "v", "Enter")
        found.append(page.locator(".note.warn").count())
        page.focus("#board-1 .result input >> nth=0")
        Keyboard(page).press("h", "s", "z", "a", "Enter")
        return [*found, page.locator(".note.warn").all_inner_texts()]

    found = browse(enter, user=scene.captain)
    assert found[:2] == [0, 0]
    assert found[2][0] == (
        "Check the order. Ronald J McVale (162) is 21 above Eszter Szabó (141) on board 1;"
        " the league allows 0. You can still save."
    )
    assert len(found[2]) == 5


def test_a_default_from_the_menu_empties_the_guess_and_says_so(browse, scene):
    def enter(page):
        page.goto(scene.url)
        Keyboard(page).press(*PLAYED[:5])
        page.click("#board-6 .row-menu summary")
        page.click("#board-6 .row-menu >> text=Ashdown A win, Hartfield A’s player did not come")
        found = [
            shown(page, 6, "home"),
            shown(page, 6, "away"),
            page.inner_text("#board-6 .said"),
            page.inner_text(".running"),
            page.locator("#board-6 .row-menu[open]").count(),
        ]
        page.click(SAVE)
        page.wait_for_url(MATCH)
        return found

    found = browse(enter, user=scene.captain)
    assert found == [
        "D E F Ibbot",
        "",
        "Ashdown A win, Hartfield A’s player did not come",
        "4 – 2",
        0,
    ]
    assert stored(scene) == [
        *line_ups(scene)[:5],
        (scene.home[5].pk, None, None, "home_default"),
    ]


def test_the_menu_by_keyboard(browse, scene):
    def enter(page):
        page.goto(scene.url)
        keys = Keyboard(page)
        keys.press(*PLAYED[:5])
        page.focus("#board-6 .row-menu summary")
        keys.press("Enter")
        page.wait_for_selector("#board-6 .row-menu input:focus")
        keys.press("ArrowDown", "ArrowDown")
        opened = page.locator("#board-6 .row-menu[open]").count()
        keys.press("Enter")
        keys.save()
        return opened

    assert browse(enter, user=scene.captain) == 1
    assert [row[3] for row in stored(scene)] == [None] * 5 + ["away_default"]


def test_a_refused_card_keeps_all_and_leads_to_the_row(browse, scene):
    def enter(page):
        page.goto(scene.url)
        Keyboard(page).press(*PLAYED[:5], "a", "g", "r", "a", "Enter", "=")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".banner.bad")
        field = page.locator("#board-6 .picker.away [role=combobox]")
        found = [
            ticked(page),
            shown(page, 6, "away"),
            field.get_attribute("aria-invalid"),
            page.inner_text(f"#{field.get_attribute('aria-describedby')}"),
            focused(page),
            page.inner_text(".banner.bad li"),
        ]
        Keyboard(page).press("a", "z", "a", "b", "Enter")
        Keyboard(page).save()
        return found

    found = browse(enter, user=scene.captain)
    assert found == [
        PLAYED,
        "Siobhan O’Grange",
        "true",
        "Twice on this card. Siobhan O’Grange is on board 2 as well. Choose who played board 6.",
        "6 result",
        "Board 6: Twice on this card. Siobhan O’Grange is on board 2 as well."
        " Choose who played board 6.",
    ]
    assert stored(scene) == line_ups(scene)


def test_the_match_is_copied_as_text(browse, scene):
    scene.record(PLAYED)

    def copy(page):
        page.goto(f"/matches/{scene.match.pk}/")
        page.click("text=Copy as text")
        page.wait_for_selector("text=Copied")
        return page.evaluate("navigator.clipboard.readText()")

    permissions = ["clipboard-read", "clipboard-write"]
    text = browse(copy, permissions=permissions)
    assert text.startswith("Ashdown A 3½ – 2½ Hartfield A\nWeald & Downs Chess League, Division 1")


def test_a_result_of_a_match_to_come_is_asked_for_its_day(browse, scene):
    Match.objects.filter(pk=scene.match.pk).update(played_on="2026-12-04")

    def enter(page):
        page.goto(scene.url)
        Keyboard(page).press(*PLAYED)
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".banner.bad")
        day = page.locator("#id_played_on")
        found = [page.inner_text(".errorlist"), day.is_visible(), ticked(page)]
        day.fill("2026-11-23")
        Keyboard(page).save()
        return found

    said = "This match is on 4 December. If it was played already, enter its day."
    assert browse(enter, user=scene.captain) == [said, True, PLAYED]
    assert stored(scene) == line_ups(scene)
    assert scene.reload().played_on == datetime.date(2026, 11, 23)


def test_card_and_match_are_whole_and_accessible(browse, scene):
    people(factories.ClubFactory(name="Crowborough"), [("Drużba", "Élodie", 120)])

    def look(page):
        page.goto(scene.url)
        found = {"card": faults(page)}
        page.focus("#board-1 .result input >> nth=0")
        page.keyboard.press("h")
        found["open picker"] = faults(page)
        page.keyboard.type("dru")
        page.wait_for_selector(".options small")
        found["found in the registry"] = faults(page)
        page.keyboard.press("Escape")
        page.click("#board-2 .row-menu summary")
        found["open menu"] = faults(page)
        page.keyboard.press("Escape")
        page.focus("#board-1 .result input >> nth=0")
        Keyboard(page).press(*PLAYED[:5], "a", "g", "r", "a", "Enter", "=")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".banner.bad")
        found["refused"] = faults(page)
        page.focus("#board-6 .result input >> nth=0")
        Keyboard(page).press("a", "z", "a", "b", "Enter")
        Keyboard(page).save()
        found["match"] = faults(page)
        return {state: wrong for state, wrong in found.items() if wrong}

    assert browse(look, user=scene.captain) == {}
