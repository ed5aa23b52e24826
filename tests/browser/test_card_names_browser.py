"""Who played, as one types it on a card: the registry asked, names left half typed, new players."""

import pytest

from clubs.models import Player, PlayerState
from tests import factories
from tests.browser.card_steps import (
    MATCH,
    PLAYED,
    SAVE,
    Keyboard,
    focused,
    line_ups,
    question,
    shown,
    stored,
    ticked,
    type_name,
)
from tests.games.card_scene import make_scene, people

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("evening")]


@pytest.fixture
def scene():
    return make_scene(board_order_tolerance=0)


def test_the_registry_is_asked_after_three_letters(browse, scene):
    [guest] = people(factories.ClubFactory(name="Crowborough"), [("Drużba", "Élodie", 120)])

    def enter(page):
        page.goto(scene.url)
        page.keyboard.press("a")
        page.keyboard.type("dr")
        few = page.inner_text("#board-1 .picker.away .options")
        page.keyboard.type("u")
        page.wait_for_selector("#board-1 .options >> text=Élodie Drużba")
        many = page.inner_text("#board-1 .picker.away .options")
        page.keyboard.press("Enter")
        facts = page.inner_text("#board-1 .picker.away .facts")
        Keyboard(page).press(*PLAYED)
        Keyboard(page).save()
        return few, many, " ".join(facts.split())

    few, many, facts = browse(enter, user=scene.captain)
    assert "Three letters find anyone in the registry" in few and "Drużba" not in few
    assert "In the registry" in many and "Crowborough" in many
    assert facts == "White 120 Elo 1600?"
    assert stored(scene) == line_ups(scene, away_1=guest)


def test_enter_waits_for_the_registry(browse, scene):
    [guest] = people(factories.ClubFactory(name="Crowborough"), [("Drużba", "Élodie", 120)])

    def enter(page):
        page.goto(scene.url)
        Keyboard(page).press("a", "d", "r", "u", "Enter")
        page.wait_for_selector("#board-1 .away .options", state="hidden")
        Keyboard(page).press(*PLAYED)
        Keyboard(page).save()

    browse(enter, user=scene.captain)
    assert stored(scene) == line_ups(scene, away_1=guest)


def test_somebody_unknown_is_added_by_choice(browse, scene):
    def enter(page):
        page.goto(scene.url)
        page.keyboard.press("h")
        page.keyboard.type("Zebedee Newman")
        page.wait_for_selector(".options .active >> text=Add “Zebedee Newman” as a new player")
        page.keyboard.press("Enter")
        facts = page.inner_text("#board-1 .picker.home .facts")
        Keyboard(page).press(*PLAYED)
        Keyboard(page).save()
        return facts, page.inner_text("main")

    facts, match = browse(enter, user=scene.captain)
    assert "new player" in facts
    assert "Zebedee Newman is not confirmed in the registry yet." in match
    player = Player.objects.get(surname="Newman", state=PlayerState.PENDING)
    assert stored(scene) == line_ups(scene, home_1=player)


def test_a_new_player_with_the_name_of_two_is_asked_about(browse, scene):
    twins = people(scene.match.home.club, [("Rook", "Robin", 120), ("Rook", "Robin", 90)])

    def enter(page):
        page.goto(scene.url)
        page.keyboard.press("h")
        page.keyboard.type("Robin Rook")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        Keyboard(page).press(*PLAYED)
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".banner.bad")
        asked = [shown(page, 1, "home"), page.inner_text("#problems-1"), ticked(page)]
        page.keyboard.press("h")
        asked.append(page.inner_text("#board-1 .picker.home .options .group >> nth=0"))
        page.click("#board-1 .picker.home .options >> text=Robin Rook >> nth=2")
        Keyboard(page).save()
        return asked

    asked = browse(enter, user=scene.captain)
    assert asked == [
        "Robin Rook",
        "Which Robin Rook? The club has several of that name. Choose one.",
        PLAYED,
        "Called Robin Rook",
    ]
    [home, *_rest] = [row[0] for row in stored(scene)]
    assert home in [twin.pk for twin in twins]


def slow_registry(page) -> None:
    """The registry does not answer as long as the page is open."""
    page.route("**/card/players/**", lambda route: None)


def test_escape_goes_back_to_who_it_was(browse, scene):
    def enter(page):
        page.goto(scene.url)
        type_name(page, "xyz")
        page.keyboard.press("Escape")
        return shown(page, 1, "home")

    assert browse(enter, user=scene.captain) == "Maureen T Lovell"


@pytest.mark.parametrize("leave", ["a tap", "Tab", "Control+Enter"])
def test_who_leaves_the_field_takes_the_person_highlighted(browse, scene, leave):
    def enter(page):
        page.goto(scene.url)
        Keyboard(page).press(*PLAYED)
        type_name(page, "sza")
        if leave != "a tap":
            page.keyboard.press(leave)
        else:
            page.click("h1")
        if leave != "Control+Enter":
            assert shown(page, 1, "home") == "Eszter Szabó"
            page.click(SAVE)
        page.wait_for_url(MATCH)

    browse(enter, user=scene.captain)
    assert stored(scene) == line_ups(scene, home_1=scene.home[7])


@pytest.mark.parametrize("leave", ["a tap", "Tab", "Control+Enter"])
def test_a_name_that_is_typed_and_left_at_once_is_kept_and_makes_nobody(browse, scene, leave):
    def enter(page):
        slow_registry(page)
        page.goto(scene.url)
        Keyboard(page).press(*PLAYED)
        type_name(page, "Zebedee Newman")
        if leave != "a tap":
            page.keyboard.press(leave)
        else:
            page.click("h1")
        if leave != "Control+Enter":
            assert question(page) == (
                "“Zebedee Newman” is not chosen yet: open the field and choose who it is."
            )
            assert shown(page, 1, "home") == "Zebedee Newman"
            page.click(SAVE)
        page.wait_for_selector(".banner.bad")
        found = [shown(page, 1, "home"), page.inner_text("#problems-1"), ticked(page)]
        page.click("#board-1 .picker.home [role=combobox]")
        page.click(".options >> text=Add “Zebedee Newman” as a new player")
        found.append(page.locator(".question").count())
        Keyboard(page).save()
        return found

    assert browse(enter, user=scene.captain) == [
        "Zebedee Newman",
        "Who is Zebedee Newman? Nobody known is called so: choose a new player,"
        " or correct the name.",
        PLAYED,
        0,
    ]
    player = Player.objects.get(surname="Newman", state=PlayerState.PENDING)
    assert stored(scene) == line_ups(scene, home_1=player)


@pytest.mark.parametrize(
    ("typed", "said", "listed"),
    [
        (
            "qqq",
            "Nobody known is called “qqq”. A new player needs a forename and a surname.",
            "A new player needs a forename and a surname",
        ),
        ("rook", "2 players match “rook”: open the field and choose one.", "Bob Rook"),
        (
            "Zebedee Newman",
            "Nobody known is called “Zebedee Newman”: correct it, or open the field and add a new"
            " player.",
            "as a new player",
        ),
    ],
)
def test_a_row_asks_at_once_who_it_is_and_nobody_new_is_made(browse, scene, typed, said, listed):
    club = factories.ClubFactory(name="Crowborough")
    rooks = people(club, [("Rook", "Ann", 120), ("Rook", "Bob", 90)])

    def enter(page):
        page.goto(scene.url)
        Keyboard(page).press(*PLAYED)
        type_name(page, typed)
        page.click("h1")
        page.wait_for_function(
            "said => document.querySelector('#board-1 .question')?.innerText === said", arg=said
        )
        page.reload()
        found = [shown(page, 1, "home"), page.locator("#board-1 .question").count(), ticked(page)]
        page.click(SAVE)
        page.wait_for_selector(".banner.bad")
        found.append(shown(page, 1, "home"))
        page.click("#board-1 .picker.home [role=combobox]")
        page.wait_for_selector(f"#board-1 .home .options >> text={listed}")
        offered = page.locator("#board-1 .home .options li:not(.taken)").all_inner_texts()
        return found, [" ".join(text.split()) for text in offered]

    found, offered = browse(enter, user=scene.captain)
    assert found == [typed, 1, PLAYED, typed]
    assert stored(scene) == [] and not Player.objects.filter(state=PlayerState.PENDING).exists()
    names = " ".join(offered)
    assert [name in names for name in ("Ann Rook", "Bob Rook")] == [typed == "rook"] * 2
    assert ("as a new player" in names) == (typed == "Zebedee Newman")
    assert len(rooks) == 2


def test_a_name_left_before_the_registry_answered_is_the_one_it_means(browse, scene):
    [guest] = people(factories.ClubFactory(name="Crowborough"), [("Drużba", "Élodie", 120)])

    def enter(page):
        page.goto(scene.url)
        Keyboard(page).press(*PLAYED)
        type_name(page, "druzba")
        page.click("h1")
        page.wait_for_selector("#board-1 .note.warn.live")
        found = shown(page, 1, "home")
        warned = page.locator("#board-1 .note.warn").all_inner_texts()
        type_name(page, "szab")
        page.keyboard.press("Enter")
        gone = page.locator("#board-1 .note.warn").count()
        type_name(page, "druzba")
        page.wait_for_selector(".options small")
        page.keyboard.press("Enter")
        Keyboard(page).save()
        return found, warned, gone, page.inner_text("main")

    found, warned, gone, match = browse(enter, user=scene.captain)
    said = "Élodie Drużba is not a member of Ashdown."
    assert (found, gone) == ("Élodie Drużba", 0)
    assert warned == [f"Check the player. {said} You can still save."]
    assert f"Check the player. Board 1: {said}" in match
    assert stored(scene) == line_ups(scene, home_1=guest)


def test_a_name_that_is_left_is_asked_about_by_the_server(browse, scene):
    people(factories.ClubFactory(name="Crowborough"), [("Rook", "Robin", 120)])

    def enter(page):
        slow_registry(page)
        page.goto(scene.url)
        Keyboard(page).press(*PLAYED)
        type_name(page, "Robin Rook")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".banner.bad")
        found = [shown(page, 1, "home"), page.inner_text("#problems-1")]
        # Opened and left again, by Enter too, the name stands as it was typed.
        page.keyboard.press("h")
        page.keyboard.press("Enter")
        return [*found, shown(page, 1, "home"), focused(page)]

    found = browse(enter, user=scene.captain)
    assert found == [
        "Robin Rook",
        "Which Robin Rook? One is at Crowborough. Choose that player, or a new one.",
        "Robin Rook",
        "1 result",
    ]
    assert stored(scene) == []


@pytest.mark.parametrize("leave", ["a tap", "Tab", "Control+Enter"])
def test_a_field_that_is_emptied_and_left_is_nobody(browse, scene, leave):
    def enter(page):
        page.goto(scene.url)
        Keyboard(page).press(*PLAYED[:5])
        type_name(page, "", board=6)
        page.keyboard.press("Backspace")
        if leave != "a tap":
            page.keyboard.press(leave)
        else:
            page.click("h1")
        if leave != "Control+Enter":
            page.click(SAVE)
        page.wait_for_url(MATCH)

    browse(enter, user=scene.captain)
    assert stored(scene)[5] == (None, scene.away[5].pk, None, None)


def test_enter_keeps_the_name_while_the_registry_does_not_answer(browse, scene):
    def enter(page):
        page.route("**/card/players/**", lambda route: route.abort())
        page.goto(scene.url)
        type_name(page, "Zebedee Newman")
        page.keyboard.press("Enter")
        page.wait_for_selector("#board-1 .home .options", state="hidden")
        return shown(page, 1, "home"), focused(page)

    found = browse(enter, user=scene.captain, meant="net::ERR_FAILED")
    assert found == ("Zebedee Newman", "1 result")


def test_who_sits_elsewhere_comes_last_and_says_where(browse, scene):
    def enter(page):
        page.goto(scene.url)
        page.keyboard.press("h")
        texts = page.locator("#board-1 .picker.home .options li").all_inner_texts()
        taken = page.locator("#board-1 .picker.home .options .taken").all_inner_texts()
        return [" ".join(text.split()) for text in texts], len(taken)

    texts, taken = browse(enter, user=scene.captain)
    assert taken == 5
    assert texts == [
        "Last ten for Ashdown A",
        "Maureen T Lovell 168 1943?",
        "All of Ashdown",
        "Oluwaseun Ravenscroft 147 1803?",
        "Eszter Szabó 141 1758?",
        "Nobody",
        "Three letters find anyone in the registry",
        "Already on this card",
        "Ronald J McVale, on board 2 162 1898?",
        "Zoë de la Marre, on board 3 159 1876?",
        "Guy Harte-Wynne, on board 4 151 1818?",
        "Kam Wa Tso, on board 5 149 1803?",
        "D E F Ibbot, on board 6 139 1730?",
    ]
