"""What the page of a card says, and what is stored of it."""

import re
from html import unescape

from games.models import Board


def stored(scene) -> list[tuple]:
    """The boards of the match as (number, home, away, colour of home, result, award)."""
    columns = ("number", "home_player", "away_player", "home_colour", "result", "award")
    return list(Board.objects.filter(match=scene.match).order_by("number").values_list(*columns))


def chosen(html: str, number: int, side: str) -> str:
    """The value of the option that a row's picker shows."""
    start = html.index(f'<select name="boards-{number - 1}-{side}"')
    picker = html[start : html.index("</select>", start)]
    found = re.search(r'<option value="(\w*)"[^>]* selected', picker)
    return found[1] if found else ""


def results(html: str) -> dict[int, str]:
    """The results that are ticked, by board."""
    ticked = re.findall(r'name="boards-(\d+)-result" value="(\w*)" checked', html)
    return {int(index) + 1: value for index, value in ticked}


def opened(html: str) -> dict[str, str]:
    """What the drawn card carries of what it said when it was opened."""
    found = re.findall(r'name="((?:boards-\d+-)?opened)" value="([^"]*)"', html)
    return {name: unescape(value) for name, value in found}


def kept(html: str, number: int) -> dict[str, str]:
    """What the card that came back holds of the typist's own version of a board."""
    found = re.search(rf'name="(boards-{number - 1}-mine)" value="([^"]*)"', html)
    return {found[1]: unescape(found[2])} if found else {}
