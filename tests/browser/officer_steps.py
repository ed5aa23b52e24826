"""What a league's officer does at his browser, and what the pages say then."""

import datetime
import re

from tests.browser.looking import faults

CLUBS = (
    *("Ashdown", "Birling", "Crowlink", "Deanery", "Eastlow", "Furlong"),
    *("Glynde Hill", "Harrow End", "Iping", "Jevington", "Kithurst", "Lullington"),
)
BOARDS = 2


class Clock:
    """The time it is: the story moves it on."""

    def __init__(self):
        self.at = datetime.datetime(2026, 7, 10, 12, tzinfo=datetime.UTC)

    def move(self, month: int, day: int, year: int = 2026) -> None:
        self.at = datetime.datetime(year, month, day, 22, tzinfo=datetime.UTC)


class Story:
    """The officer at his browser; what is wrong with a page is kept by its address."""

    def __init__(self, browse, officer):
        self.browse, self.officer, self.faults, self.seen = browse, officer, {}, set()

    def leg(self, scenario, width=1280):
        """One sitting; a scenario gets the page."""
        return self.browse(scenario, user=self.officer, width=width)

    def look(self, page) -> None:
        """What is wrong with this page in a window of this width; looked at once."""
        width = page.viewport_size["width"]
        name = re.sub(r"\d+", "N", page.url.split("/", 3)[3]), width
        if name in self.seen:
            return
        self.seen.add(name)
        if found := faults(page, widths=[width]):
            self.faults[name] = found


def press(page, name) -> None:
    """Click the link or button of this name."""
    link, button = (page.get_by_role(role, name=name, exact=True) for role in ("link", "button"))
    link.or_(button).first.click()
    page.wait_for_load_state()


def save(page) -> None:
    """Save a card: its script sends it, and goes to the match once it is stored."""
    page.get_by_role("button", name="Save card").click()
    page.wait_for_url(re.compile(r"/matches/\d+/(\?.*)?$"))


def said(page) -> str:
    return " ".join(page.locator("main .banner").all_inner_texts()).replace("\xa0", " ")


def the_table(page, division) -> tuple[dict[str, list[str]], str]:
    """The cells of each team, place first and match points last, and what stands below."""
    page.goto(f"/divisions/{division.pk}/")
    rows = page.locator("table.league tbody tr").evaluate_all(
        """rows => rows.map(row => [...row.children].slice(0, 8).map(cell =>
             [...cell.childNodes].map(node => node.textContent).join("").trim()))"""
    )
    cells = {tidy(row[1]): [tidy(cell) for cell in (row[0], *row[2:])] for row in rows}
    below = page.locator("ol.notes, .table-foot, ul.race").all_inner_texts()
    return cells, tidy(" ".join(below))


def tidy(text: str) -> str:
    return " ".join(text.replace("\xa0", " ").split())
