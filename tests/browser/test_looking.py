"""What is wrong with a page is seen at its width and in its scheme, and what is right is not."""

import pytest

from tests.browser.looking import WIDTHS, faults

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = """<!DOCTYPE html><html lang="en"><head><title>A page</title>
<meta name="viewport" content="width=device-width"><style>
  body { margin: 0; transition: background 9s } p { color: #555 }
  @media (prefers-color-scheme: dark) { body { background: #000 } p, h1 { color: #ddd } }
  %s
</style></head><body><main><h1>A page</h1>%s</main></body></html>"""
ROWS = "<p>A row like the others</p>" * 20
ODD = "<p class='odd'>A row unlike the others</p>"
AXE = [(360, "light"), (1280, "dark")]
SCROLLS = "the page scrolls sideways"


@pytest.mark.parametrize(
    ("style", "body", "expected"),
    [
        ("", ROWS, {}),
        (
            "b { display: block; width: 400px }",
            "<b>B</b>",
            {(width, "spilled"): [SCROLLS, "<b>B</b>"] for width in (320, 360)},
        ),
        (
            "main { overflow: clip } b { display: block; width: 9em; white-space: nowrap }",
            "<b>much more than its box takes in</b>",
            {(width, "spilled"): ["<b>much more than its box takes in</b>"] for width in WIDTHS},
        ),
        ("", "<details><summary>More</summary><pre>" + "wide " * 999 + "</pre></details>", {}),
        ("", "<input>", dict.fromkeys(AXE, ["label"])),
        (".odd { color: #ccc }", ROWS + ODD, {(360, "light"): ["color-contrast"]}),
        (".odd.odd { color: #444 }", ROWS + ODD, {(1280, "dark"): ["color-contrast"]}),
    ],
)
def test_faults(browse, style, body, expected):
    def look(page):
        page.set_content(PAGE % (style, body))
        found = faults(page)
        dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        return found, page.viewport_size, dark

    found, size, dark = browse(look, width=700, color_scheme="dark")
    for key in AXE:
        if key in found:
            found[key] = [rule for rule, _elements in found[key]]
    assert found == expected
    assert (size, dark) == ({"width": 700, "height": 800}, True)
