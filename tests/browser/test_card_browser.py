"""A card entered by keyboard, by thumb and without JavaScript, in a real browser."""

import datetime
import re

import pytest
from django.utils import timezone

from clubs.models import Player, PlayerState
from games.models import Board, Match
from ratings.models import EloRating
from tests import factories
from tests.factories import PASSWORD
from tests.games.card_scene import AT, make_scene, people

pytestmark = pytest.mark.django_db(transaction=True)

PLAYED = "=1=01="
SAVE = ".save-bar button"
MATCH = re.compile(r"/matches/\d+/$")


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """It is the evening of the match."""
    monkeypatch.setattr(timezone, "now", lambda: AT)


@pytest.fixture
def scene():
    return make_scene(board_order_tolerance=0)


def stored(scene) -> list[tuple]:
    """The boards as (home, away, result, award)."""
    columns = ("home_player", "away_player", "result", "award")
    return list(Board.objects.filter(match=scene.match).order_by("number").values_list(*columns))


def line_ups(scene, results=PLAYED, **changed) -> list[tuple]:
    """What is stored of last time's line-ups with these results; `changed` as `home_3=player`."""
    rows = []
    for number, result in enumerate(results, 1):
        home = changed.get(f"home_{number}", scene.home[number - 1])
        away = changed.get(f"away_{number}", scene.away[number - 1])
        rows.append((home.pk, away.pk, {"1": 2, "=": 1, "0": 0, " ": None}[result], None))
    return rows


class Keyboard:
    """Presses keys and counts them; Control and Enter are two."""

    def __init__(self, page):
        self.page = page
        self.count = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.count += key.count("+") + 1

    def save(self) -> None:
        self.press("Control+Enter")
        self.page.wait_for_url(MATCH)


def ticked(page) -> str:
    """The results of the rows, a letter each, a blank where there is none."""
    value = "row => row.querySelector('.result input:checked')?.value ?? ' '"
    found = page.eval_on_selector_all(".board", f"rows => rows.map({value})")
    return "".join({"2": "1", "1": "=", "0": "0", " ": " "}[one] for one in found)


def shown(page, board: int, side: str) -> str:
    """The name in a row's picker."""
    return page.input_value(f"#board-{board} .picker.{side} [role=combobox]")


def focused(page) -> str:
    """Where the focus is: `3 result`, `3 home`, `3 away`, or the name of the element."""
    return page.evaluate(
        """() => {
          const element = document.activeElement, row = element.closest(".board");
          const part = element.closest(".result, .home, .away");
          return row && part ? `${row.dataset.number} ${part.classList[0] === "picker" ?
            part.classList[1] : part.classList[0]}` : element.tagName.toLowerCase();
        }"""
    )


# --- By keyboard -------------------------------------------------------------------------


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


def type_name(page, name: str, board=1) -> None:
    """Open the home picker of a board, and type."""
    page.focus(f"#board-{board} .result input >> nth=0")
    page.keyboard.press("h")
    page.keyboard.type(name)


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


def question(page, board=1) -> str:
    """What a row asks about a name that was left without a choice."""
    return page.inner_text(f"#board-{board} .question")


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

    found = browse(enter, user=scene.captain, strict=False)
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


# --- By thumb ----------------------------------------------------------------------------


def test_by_thumb_on_a_phone(browse, scene):
    def enter(page):
        page.goto(scene.url)
        bar = []
        for board, result in enumerate(PLAYED, 1):
            nth = {"1": 0, "=": 1, "0": 2}[result]
            page.locator(f"#board-{board} .result label >> nth={nth}").tap()
            box = page.locator(SAVE).bounding_box()
            bar.append(box["y"] >= 0 and box["y"] + box["height"] <= 740)
        page.locator("#board-6 .picker.home [role=combobox]").tap()
        options = page.locator("#board-6 .picker.home [role=option]")
        heights = [option.bounding_box()["height"] for option in options.all()]
        page.locator("#board-6 .options >> text=Eszter Szabó").tap()
        small = page.eval_on_selector_all(
            ".card :is(button, summary, label:has(> [type=radio]), [role=combobox])",
            "all => all.filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44)"
            ".map(e => e.outerHTML)",
        )
        wide = page.evaluate("document.documentElement.scrollWidth")
        page.locator(SAVE).tap()
        page.wait_for_url(MATCH)
        return bar, min(heights), small, wide, page.evaluate("document.documentElement.scrollWidth")

    bar, height, small, wide, match_wide = browse(
        enter, user=scene.captain, width=360, height=740, has_touch=True, is_mobile=True
    )
    assert (bar, height >= 44, small) == ([True] * 6, True, [])
    assert (wide, match_wide) == (360, 360)
    assert stored(scene) == line_ups(scene, home_6=scene.home[7])


def test_the_first_touch_of_a_picker_brings_no_keyboard(browse, scene):
    def enter(page):
        page.goto(scene.url)
        field = page.locator("#board-1 .picker.home [role=combobox]")
        found = []
        for _touch in range(2):
            field.tap()
            found.append(field.evaluate("field => field.inputMode"))
        return found

    found = browse(enter, user=scene.captain, width=360, height=740, has_touch=True, is_mobile=True)
    assert found == ["none", "text"]


# --- Without JavaScript ------------------------------------------------------------------


def test_without_javascript(browse, scene):
    def enter(page):
        page.goto(scene.url)
        for board, result in enumerate(PLAYED[:4], 1):
            value = {"1": "2", "=": "1", "0": "0"}[result]
            page.check(f"#board-{board} .result input[value='{value}']", force=True)
        page.select_option("#board-3 .picker.home select", label="Eszter Szabó · 141 · 1758?")
        page.fill("#board-4 .picker.away .other", "Adaeze Quill")
        page.fill("#board-5 .picker.home .other", "Zebedee Newman")
        page.check("#board-5 .result input[value='2']", force=True)
        page.click("#board-6 .row-menu summary")
        page.check("#board-6 .row-menu input[value='away_default']")
        page.select_option("#board-6 .picker.home select", label="Nobody")
        page.click(SAVE)
        asked = page.inner_text("#problems-5")
        page.select_option(
            "#board-5 .picker.home select", label="Add “Zebedee Newman” as a new player"
        )
        page.click(SAVE)
        return asked, page.inner_text("main")

    asked, html = browse(enter, user=scene.captain, javascript=False)
    assert asked.startswith("Who is Zebedee Newman?") and "Saved at" in html
    new = Player.objects.get(surname="Newman")
    changed = {"home_3": scene.home[7], "away_4": scene.away[6], "home_5": new}
    assert stored(scene) == [
        *line_ups(scene, "=1=01 ", **changed)[:5],
        (None, scene.away[5].pk, None, "away_default"),
    ]


def test_without_javascript_the_keyboard_reaches_everything(browse, scene):
    def enter(page):
        page.goto(scene.url)
        page.focus("#board-1 .picker.home select")
        seen = []
        for _step in range(5):
            page.keyboard.press("Tab")
            seen.append(page.evaluate("document.activeElement.name ?? 'menu'"))
        page.focus("#board-1 .result input >> nth=0")
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
        return seen

    with_results = browse(enter, user=scene.captain, javascript=False)
    assert with_results == [
        "boards-0-home_name",
        "boards-0-result",
        "boards-0-away",
        "boards-0-away_name",
        "menu",
    ]


# --- How it looks ------------------------------------------------------------------------

WIDTHS = (320, 360, 767, 768, 1023, 1024, 1280, 1920)
SPILLED = """() => {
  const width = document.documentElement.clientWidth, found = [];
  if (document.documentElement.scrollWidth > width) found.push("the page scrolls sideways");
  for (const element of document.querySelectorAll("main *")) {
    if (!element.checkVisibility() || element.closest(".visually-hidden")) continue;
    const box = element.getBoundingClientRect();
    if (box.right > width + 1) found.push(element.outerHTML.slice(0, 80));
  }
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_card_and_match_are_whole_and_accessible(browse, scene, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    people(factories.ClubFactory(name="Crowborough"), [("Drużba", "Élodie", 120)])

    def faults(page, state):
        found = {}
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            found[state, width] = page.evaluate(SPILLED)
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            violations = axe.run(page).response["violations"]
            found[state, width] += [
                (each["id"], [node["html"] for node in each["nodes"]]) for each in violations
            ]
        return found

    def look(page):
        page.goto(scene.url)
        found = faults(page, "card")
        page.focus("#board-1 .result input >> nth=0")
        page.keyboard.press("h")
        found |= faults(page, "open picker")
        page.keyboard.type("dru")
        page.wait_for_selector(".options small")
        found |= faults(page, "found in the registry")
        page.keyboard.press("Escape")
        page.click("#board-2 .row-menu summary")
        found |= faults(page, "open menu")
        page.keyboard.press("Escape")
        page.focus("#board-1 .result input >> nth=0")
        Keyboard(page).press(*PLAYED[:5], "a", "g", "r", "a", "Enter", "=")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(".banner.bad")
        found |= faults(page, "refused")
        page.focus("#board-6 .result input >> nth=0")
        Keyboard(page).press("a", "z", "a", "b", "Enter")
        Keyboard(page).save()
        return found | faults(page, "match")

    found = browse(look, user=scene.captain, color_scheme=scheme, strict=False)
    assert {key: value for key, value in found.items() if value} == {}
