"""What a person does at a card in a browser, what the card shows then, and what is stored."""

import re

from games.models import Board

PLAYED = "=1=01="
SAVE = ".save-bar button"
MATCH = re.compile(r"/matches/\d+/$")


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


def type_name(page, name: str, board=1) -> None:
    """Open the home picker of a board, and type."""
    page.focus(f"#board-{board} .result input >> nth=0")
    page.keyboard.press("h")
    page.keyboard.type(name)


def question(page, board=1) -> str:
    """What a row asks about a name that was left without a choice."""
    return page.inner_text(f"#board-{board} .question")
