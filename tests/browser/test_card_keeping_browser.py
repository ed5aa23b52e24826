"""What is typed on a card survives a lost connection, a locked phone and an ended login."""

import pytest

from clubs.models import Device
from games.models import Board
from tests import factories
from tests.browser.card_steps import MATCH, ticked
from tests.browser.looking import faults
from tests.factories import PASSWORD
from tests.games.card_scene import make_scene, people

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("evening")]

KEPT = "Object.keys(localStorage).filter(name => name.startsWith('topboard:'))"
OFFLINE = "net::ERR_INTERNET_DISCONNECTED"


@pytest.fixture
def scene():
    return make_scene()


def results(scene) -> list:
    return list(Board.objects.filter(match=scene.match).order_by("number").values_list("result"))


def enter(page, text):
    page.focus("#board-1 .result input >> nth=0")
    for key in text:
        page.keyboard.press(key)


def said(page) -> str:
    return page.inner_text(".saving")


def waits_for(page, text) -> None:
    page.wait_for_function(
        "text => document.querySelector('.saving').innerText.includes(text)", arg=text
    )


def test_a_card_is_saved_when_the_connection_comes_back(browse, scene):
    def evening(page):
        page.goto(scene.url)
        before = page.evaluate(KEPT)
        enter(page, "=1=01=")
        typed = said(page), len(page.evaluate(KEPT))
        page.context.set_offline(True)
        page.keyboard.press("Control+Enter")
        waits_for(page, "not sent: no connection, will try again")
        page.context.set_offline(False)
        page.wait_for_url(MATCH)
        return before, typed, page.evaluate(KEPT), page.inner_text(".banner.saved")

    before, typed, after, banner = browse(evening, user=scene.captain, meant=OFFLINE)
    assert (before, typed, after) == ([], ("kept on this device", 1), [])
    assert "3½ – 2½" in banner.replace("\xa0", " ")
    assert results(scene) == [(1,), (2,), (1,), (0,), (2,), (1,)]
    assert scene.reload().version == 1


def test_a_locked_phone_a_closed_tab_and_a_name_half_typed(browse, scene):
    [guest] = people(factories.ClubFactory(name="Crowborough"), [("Drużba", "Élodie", 120)])

    def evening(page):
        page.goto(scene.url)
        enter(page, "=1")
        page.keyboard.press("h")
        page.keyboard.type("dru")
        page.wait_for_selector(".options small")
        page.keyboard.press("Enter")
        page.keyboard.press("0")
        page.keyboard.press("a")
        page.keyboard.type("Newman, Al")
        page.reload()
        notice = page.inner_text(".banner.kept")
        seats = (
            page.input_value("#board-3 .picker.home [role=combobox]"),
            page.input_value("#board-4 .picker.away [role=combobox]"),
        )
        shown = ticked(page)
        other = page.context.new_page()
        page.close()
        other.goto(scene.url)
        again = ticked(other)
        other.click("#board-4 .picker.away [role=combobox]")
        other.click("text=Add “Newman, Al” as a new player")
        other.click("#board-4 .result label >> nth=0")
        other.click(".save-bar button")
        other.wait_for_url(MATCH)
        other.goto(scene.url)
        return notice, seats, shown, again, other.locator(".banner.kept").count()

    notice, seats, shown, again, left = browse(
        evening, user=scene.captain, width=360, has_touch=True, is_mobile=True
    )
    assert notice.startswith("Not saved yet. What you typed (") and "this phone" in notice
    assert seats == ("Élodie Drużba", "Newman, Al")
    assert (shown, again, left) == ("=10   ", "=10   ", 0)
    boards = Board.objects.filter(match=scene.match).order_by("number")
    assert [board.result for board in boards] == [1, 2, 0, 2, None, None]
    assert boards[2].home_player == guest and str(boards[3].away_player) == "Al Newman"


def test_an_ended_login_leads_back_to_the_card_with_everything_there(browse, scene):
    def evening(page):
        page.goto(scene.url)
        enter(page, "=1=01=")
        page.context.clear_cookies(name="sessionid")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("input[name=login]")
        page.fill("input[name=login]", scene.captain.email)
        page.fill("input[name=password]", PASSWORD)
        page.click("main button[value=password]")
        page.wait_for_url(f"**{scene.url}")
        back = ticked(page)
        page.click(".save-bar button")
        page.wait_for_url(MATCH)
        return back

    assert browse(evening, user=scene.captain) == "=1=01="
    assert results(scene) == [(1,), (2,), (1,), (0,), (2,), (1,)]


def test_without_javascript_an_ended_login_leads_back_with_everything_there(browse, scene):
    def evening(page):
        page.goto(scene.url)
        for number, result in ((1, 1), (2, 0), (3, 2)):
            page.check(f"#board-{number} .result input >> nth={result}")
        page.fill("#board-4 .picker.away .other", "Newman, Al")
        page.context.clear_cookies(name="sessionid")
        page.click(".save-bar button")
        page.fill("input[name=login]", scene.captain.email)
        page.fill("input[name=password]", PASSWORD)
        page.click("main button[value=password]")
        page.wait_for_url(f"**{scene.url}")
        notice = page.inner_text(".banner.warn")
        back = (
            page.input_value("#board-4 .picker.away .other"),
            [
                page.is_checked(f"#board-{number} .result input >> nth={result}")
                for number, result in ((1, 1), (2, 0), (3, 2))
            ],
        )
        page.select_option("#board-4 .picker.away select", label="Add “Newman, Al” as a new player")
        page.check("#board-4 .result input >> nth=0")
        page.click(".save-bar button")
        page.wait_for_url(MATCH)
        page.goto(scene.url)
        return notice, back, page.locator(".banner.warn").count()

    notice, back, left = browse(evening, user=scene.captain, javascript=False)
    assert notice.startswith("Not saved yet.")
    assert (back, left) == (("Newman, Al", [True, True, True]), 0)
    assert results(scene) == [(1,), (2,), (0,), (2,), (None,), (None,)]


def test_another_account_on_the_device_sees_nothing_of_it(browse, scene):
    def evening(page):
        page.goto(scene.url)
        enter(page, "=1")
        page.context.clear_cookies(name="sessionid")
        page.goto(f"/accounts/login/?next={scene.url}")
        page.fill("input[name=login]", scene.secretary.email)
        page.fill("input[name=password]", PASSWORD)
        page.click("main button[value=password]")
        page.wait_for_url(f"**{scene.url}")
        return ticked(page), page.locator(".banner.kept").count(), len(page.evaluate(KEPT))

    assert browse(evening, user=scene.captain) == ("      ", 0, 1)


def test_what_was_kept_is_discarded(browse, scene):
    def evening(page):
        page.goto(scene.url)
        enter(page, "=1")
        page.reload()
        page.wait_for_selector(".banner.kept")
        wrong = faults(page)
        page.click("text=Discard it")
        page.wait_for_selector(".banner.kept", state="detached")
        return wrong, ticked(page), page.evaluate(KEPT)

    assert browse(evening, user=scene.captain) == ({}, "      ", [])
    assert results(scene) == []


def test_a_card_that_the_other_side_saved_meanwhile_is_compared(browse, scene):
    def typed(page):
        page.goto(scene.url)
        enter(page, "=1=01=")
        return page.context.storage_state()["origins"]

    def later(page):
        page.goto(scene.url)
        notice = page.inner_text(".banner.kept")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".banner.bad")
        compared = page.inner_text(".banner.bad")
        page.reload()
        return notice, compared, ticked(page)

    origins = browse(typed, user=scene.captain)
    scene.record("=1001=", by=scene.secretary)
    state = {"cookies": [], "origins": origins}
    notice, compared, shown = browse(later, user=scene.captain, storage_state=state)
    assert "Somebody saved since then" in notice
    assert "Board 3: saved is" in compared and "Board 4" not in compared
    assert shown == "=1=01="


@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize("choice", ["theirs", "mine"])
def test_two_tabs_change_one_board_each_and_one_together(browse, scene, javascript, choice):
    scene.record("======", by=scene.secretary)

    def set_result(page, board, nth):
        page.check(f"#board-{board} .result input >> nth={nth}", force=True)

    def evening(page):
        other = page.context.new_page()
        for one in (page, other):
            one.goto(scene.url)
        for board, nth in ((1, 0), (3, 0)):
            set_result(page, board, nth)
        page.click(".save-bar button")
        page.wait_for_url(MATCH)
        for board, nth in ((2, 2), (3, 2)):
            set_result(other, board, nth)
        other.click(".save-bar button")
        other.wait_for_selector(".banner.bad")
        said = other.locator(".banner.bad li").all_inner_texts(), checked(other)
        other.check(f"input[name=boards-2-keep][value={choice}]")
        other.click(".save-bar button")
        other.wait_for_url(MATCH)
        if javascript:
            other.go_back()
            other.wait_for_selector("form.card")
            assert other.locator(".banner").count() == 0
        return said

    said, drawn = browse(evening, user=scene.captain, javascript=javascript)
    assert [line.partition(":")[0] for line in said] == ["Board 1", "Board 3"]
    assert "now as saved" in said[0] and "Choose there which of the two is right." in said[1]
    assert drawn == ["2", "0", "2", "1", "1", "1"]
    third = {"theirs": 2, "mine": 0}[choice]
    assert results(scene) == [(2,), (0,), (third,), (1,), (1,), (1,)]


def checked(page) -> list[str]:
    rows = "rows => rows.map(row => row.querySelector('.result input:checked')?.value)"
    return page.eval_on_selector_all(".board", rows)


def test_a_question_between_two_versions_is_asked_again_after_a_reload(browse, scene):
    scene.record("======", by=scene.secretary)

    def typed(page):
        page.goto(scene.url)
        page.check("#board-1 .result input >> nth=0", force=True)
        page.check("#board-2 .result input >> nth=2", force=True)
        return page.context.storage_state()["origins"]

    def later(page):
        page.goto(scene.url)
        found = []
        for _time in range(2):
            page.keyboard.press("Control+Enter")
            page.wait_for_selector(".both")
            found.append((checked(page), page.inner_text(".both")))
            page.check("#board-4 .result input >> nth=2", force=True)
            page.reload()
            page.wait_for_selector(".banner.kept")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".both")
        wrong = faults(page)
        page.keyboard.press("Control+Enter")
        page.wait_for_url(MATCH)
        return *found, wrong

    origins = browse(typed, user=scene.captain)
    scene.record("0====1", by=scene.secretary)
    state = {"cookies": [], "origins": origins}
    first, second, wrong = browse(later, user=scene.captain, storage_state=state)
    assert wrong == {}
    assert first[0] == ["0", "0", "1", "1", "1", "2"]
    assert second[0] == ["0", "0", "1", "0", "1", "2"] and first[1] == second[1]
    assert results(scene) == [(0,), (0,), (1,), (0,), (1,), (2,)]


def test_the_bar_holds_what_it_says_without_a_connection(browse, scene):
    def evening(page):
        page.goto(scene.url)
        enter(page, "=1=01=")
        page.context.set_offline(True)
        page.keyboard.press("Control+Enter")
        waits_for(page, "not sent: no connection, will try again")
        bar = page.locator(".save-bar").bounding_box()
        return bar["height"], faults(page)

    phone = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
    height, wrong = browse(evening, user=scene.captain, meant=OFFLINE, **phone)
    assert height <= 112 and wrong == {}


def test_two_browsers_on_one_card_then_save_reload_back_save(browse, scene):
    def evening(page):
        other = page.context.new_page()
        for one in (page, other):
            one.goto(scene.url)
            enter(one, "=1=01=")
        page.keyboard.press("Control+Enter")
        page.wait_for_url(MATCH)
        other.keyboard.press("Control+Enter")
        other.wait_for_url(MATCH)
        page.reload()
        page.go_back()
        page.wait_for_selector("form.card")
        shown = ticked(page), said(page), page.locator(".banner.kept").count()
        page.click(".save-bar button")
        page.wait_for_url(MATCH)
        return shown

    shown = browse(evening, user=scene.captain)
    assert shown == ("=1=01=", "saved 24 November, 23:14", 0)
    assert results(scene) == [(1,), (2,), (1,), (0,), (2,), (1,)]
    assert scene.reload().version == 1
    assert Device.objects.filter(user=scene.captain).count() == 1
