"""One card typed by two at once: what each board said when it was opened, and who changed it.

A drawn card carries what each of its rows said, so that a later save can tell what its typist
touched. A row's words are a dict of its fields that are not blank, all of them text.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from clubs.names import search_key, split_name

from .card_checks import SIDES
from .card_entries import MAX_BOARDS, NewPlayer
from .card_form import NEW, BoardForm

MINE, THEIRS, BOTH = "mine", "theirs", "both"
PLAIN = ("result", "home_colour", "home_exception", "away_exception", "played_on")
GIVEN = ("award_home", "award_away", "award_reason")

Words = dict[str, str]


@dataclass(frozen=True, slots=True)
class Opened:
    """What a row said when its card was opened: as drawn, and as stored if that was a guess."""

    drawn: Words
    stored: Words


@dataclass(frozen=True, slots=True)
class Conflict:
    """A board that both changed, both ways in words; `mine` is what was typed, for its field."""

    stored: str
    typed: str
    mine: str
    people: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def people_field(self) -> str:
        """Who sits there as typed, for the page's script."""
        return _dump(self.people)


def words_of_initial(initial: Mapping, *, may_award: bool) -> Words:
    """The words of a row drawn with these values."""
    names = PLAIN + (GIVEN if may_award else ())
    words = {name: _text(initial.get(name)) for name in names}
    for side in SIDES:
        who = initial.get(side)
        words[side] = _new(initial.get(f"{side}_name") or "") if who == NEW else _text(who)
    return _said(words)


def words_of_form(form: BoardForm, opened: Opened | None, *, may_award: bool) -> Words:
    """The words of a row as typed; a field that did not arrive says what it said before."""
    before = opened.drawn if opened else {}
    words = {
        name: _text(form.cleaned_data.get(name)) if form.says(name) else before.get(name, "")
        for name in PLAIN + (GIVEN if may_award else ())
    }
    for side in SIDES:
        who = form.who[side]
        is_new = isinstance(who, NewPlayer)
        words[side] = f"new:{search_key(who.surname, who.forenames)}" if is_new else _text(who)
    return _said(words)


def who_changed(typed: Words, opened: Opened | None, stored: Words) -> str:
    """Whose a board is after two saves: `MINE` if only I touched it, `BOTH`, else `THEIRS`."""
    if typed == stored:
        return THEIRS
    if opened is None:
        return BOTH
    if typed == opened.drawn:
        return THEIRS
    return MINE if stored in (opened.stored, opened.drawn) else BOTH


def as_field(drawn: Words, stored: Words) -> str:
    """What the card carries of a row, for `read_opened`."""
    return _dump([drawn] if drawn == stored else [drawn, stored])


def read_opened(text: str) -> Opened | None:
    """What a row said when its card was opened; None if that did not arrive."""
    found = _load(text)
    if not isinstance(found, list) or len(found) not in (1, 2):
        return None
    if not all(isinstance(words, dict) for words in found):
        return None
    return Opened(found[0], found[-1])


def mine_of(form: BoardForm, words: str) -> str:
    """What was typed of a row, for the field from which it is taken back."""
    typed = {name: form.data.get(form.add_prefix(name)) for name in form.fields}
    return _dump({name: text for name, text in typed.items() if text} | {"words": words})


def mine_in(data: Mapping, number: int) -> dict | None:
    """What a card that came back still holds of the typist's own board; None if nothing."""
    found = _load(data.get(f"boards-{number - 1}-mine", ""))
    return found if isinstance(found, dict) and "words" in found else None


def with_choices(data):
    """The posted card where each board of which `mine` was chosen says what was typed of it."""
    if data is None:
        return None
    data = data.copy()
    for number in range(1, MAX_BOARDS + 1):
        prefix = f"boards-{number - 1}"
        mine = mine_in(data, number)
        if mine is None or data.get(f"{prefix}-keep") != MINE:
            continue
        for name in BoardForm.base_fields:
            text = mine.get(name, "")
            if f"{prefix}-{name}" in data or text:
                data[f"{prefix}-{name}"] = text if isinstance(text, str) else ""
    return data


def _said(words: Words) -> Words:
    return {name: text for name, text in words.items() if text}


def _text(value) -> str:
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, date) else str(value)


def _new(text: str) -> str:
    try:
        return f"new:{search_key(*split_name(text))}"
    except ValueError:
        return NEW


def _dump(value) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _load(text: str):
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
