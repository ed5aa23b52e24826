"""What is wrong with a page to look at: what spills at which width, and what axe finds."""

from pathlib import Path

import pytest

AXE = pytest.importorskip("axe_playwright_python.base").AXE_SCRIPT
LOOKING = Path(__file__).with_suffix(".js").read_text()

# A small phone, a phone, both sides of where a wide page begins, and three screens.
WIDTHS = (320, 360, 767, 768, 900, 1024, 1280, 1920)
# axe looks at a phone's page by day and at a wide one by night.
SCHEMES = {360: "light", 1280: "dark"}


def faults(page, widths=WIDTHS) -> dict:
    """What is wrong with the page as it stands, by width and scheme; empty if nothing is.

    Keys are `(320, "spilled")`, `(360, "light")`, `(1280, "dark")`. The window is left as it was.
    """
    if not page.evaluate("'looking' in window"):
        page.evaluate(f"{AXE};\n{LOOKING}")
    size = page.viewport_size
    was_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    found = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": size["height"]})
        found[width, "spilled"] = page.evaluate("looking.spilled()")
        if scheme := SCHEMES.get(width):
            page.emulate_media(color_scheme=scheme)
            found[width, scheme] = page.evaluate("looking.violations()")
    page.set_viewport_size(size)
    page.emulate_media(color_scheme="dark" if was_dark else "light")
    return {where: what for where, what in found.items() if what}


def faults_at(page, addresses) -> dict:
    """The faults of each of these pages, by its address."""
    found = {}
    for address in addresses:
        page.goto(address)
        if wrong := faults(page):
            found[address] = wrong
    return found
