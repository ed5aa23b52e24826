"""A match card as stored, as foreseen and as typed, and the three brought together."""

import json
from collections.abc import Mapping
from datetime import date
from functools import cached_property
from types import MappingProxyType

from clubs.dates import date_format
from games.matches.match_words import entry_words
from games.models import DEFAULTS, HomeColour, Match

from .card_checks import SIDES
from .card_conflicts import (
    BOTH,
    MINE,
    THEIRS,
    Conflict,
    Opened,
    Words,
    as_field,
    mine_in,
    mine_of,
    read_opened,
    who_changed,
    words_of_form,
    words_of_initial,
)
from .card_entries import entry_of
from .card_form import NEW, NO_GAME, BoardForm, CardForm
from .card_reading import CardReading
from .card_rows import Difference
from .cards import CardChanged
from .line_ups import LineUps, line_ups_of

NONE = MappingProxyType({})


class CardVersions(CardReading):
    """The card of a match of `MatchQuerySet.for_card()`; `data` is what was posted, if anything.

    With `may_award` the points that the league gives for a board can be typed, too. `earlier`
    names by side a match (pk) whose line-up an unposted card is to be drawn with, `sheets` holds
    by side what was saved beforehand and the reader may see.

    Where `record_card` says that somebody saved meanwhile, `show_changes()` takes that in.
    """

    def __init__(
        self,
        match: Match,
        today: date,
        data=None,
        *,
        may_award: bool = False,
        earlier: Mapping[str, str] = NONE,
        sheets: Mapping[str, dict[int, int | str]] = NONE,
    ):
        super().__init__(match, data, may_award=may_award)
        self.earlier = earlier
        self.sheets = sheets
        self.today = today
        self.changed: CardChanged | None = None
        self.differences: list[Difference] = []
        self._taken: set[int] = set()
        self._conflicts: dict[int, Conflict] = {}

    @property
    def version(self) -> int:
        """The version that the drawn card carries: what the typist has seen."""
        if self.changed:
            return self.changed.match.version
        return self.form.seen_version() if self.is_bound else self.match.version

    @property
    def asks_toss(self) -> bool:
        return self.match.division.home_colour == HomeColour.TOSS

    @cached_property
    def line_ups(self) -> LineUps:
        wanted = {board.home_player_id for board in self.stored.values()}
        wanted |= {board.away_player_id for board in self.stored.values()}
        for seats in self.sheets.values():
            wanted |= {*seats.values()}
        for form in self.typed:
            for side in SIDES:
                wanted |= {form.who[side], form.value(side), *form.candidates[side]}
        return line_ups_of(self.match, self.today, (pk for pk in wanted if isinstance(pk, int)))

    def show_changes(self, changed: CardChanged) -> None:
        """Draw the card as it is now: what was saved meanwhile, and what only this typist touched.

        Where both changed a board, it is drawn as saved and can be taken back as it was typed.
        """
        typed = {entry.number: entry for entry in self.entries()}
        self.changed = changed
        self.stored = {board.number: board for board in changed.boards}
        self.match.board_count = changed.match.board_count
        self.__dict__.pop("_no_games", None)
        self._join_card(changed.match.played_on)
        names = {pk: str(player) for pk, player in self.line_ups.players.items()}

        def words(number: int, entries: Mapping) -> str:
            return entry_words(entries.get(number), self.match, names)

        stored = {number: entry_of(board) for number, board in self.stored.items()}
        for number, form in enumerate(self.typed, 1):
            opened, now = self._opened(form), self._words_stored(number)
            own = words_of_form(form, opened, may_award=self.may_award)
            whose = who_changed(own, opened, now)
            if whose == MINE:
                continue
            self._taken.add(number)
            saved = words(number, stored)
            if whose == BOTH:
                mine = words(number, typed)
                people = self._people_of(form)
                self._conflicts[number] = Conflict(saved, mine, mine_of(form, mine), people)
                self.differences.append(Difference(saved, mine, number))
            elif own != now and (opened is None or opened.stored != now):
                self.differences.append(Difference(saved, number=number))
        for number in sorted(set(stored) - {*range(1, len(self.typed) + 1)}):
            self.differences.append(Difference(words(number, stored), number=number))

    def _join_card(self, day: date | None) -> None:
        """The same of the day and of the toss: drawn as saved wherever somebody else changed it."""
        opened = read_opened(self.form.data.get("opened", ""))
        data = self.form.data.copy()
        for name, saved in self._words_of_card(day).items():
            before = opened.drawn.get(name, "") if opened else None
            own = self._card_text(name)
            is_mine = before is not None and own != before and saved == before
            if own == saved or is_mine or not saved:
                continue
            data[name] = saved
            typed = "" if own == before else self._card_words(name, own)
            label = str(self.form.fields[name].label)
            self.differences.append(Difference(self._card_words(name, saved), typed, label=label))
        self.form = CardForm(data, match=self.match, initial=self._initial_of_card())
        self.form.is_valid()

    def _card_text(self, name: str) -> str:
        value = self.form.cleaned_data.get(name)
        return value.isoformat() if isinstance(value, date) else value or ""

    def _card_words(self, name: str, text: str) -> str:
        if name == "played_on":
            return date_format(date.fromisoformat(text), "j F Y")
        return str(dict(self.form.fields[name].choices).get(text, ""))

    def _words_of_card(self, day: date | None) -> Words:
        """What the stored card says as a whole."""
        words = {"played_on": day.isoformat() if day else ""}
        return words | ({"toss": self._initial_of_card()["toss"]} if self.asks_toss else {})

    def _people_of(self, form: BoardForm) -> dict[str, dict[str, str]]:
        """The players typed on a board as the page's script wants to know them."""
        found = {}
        for side in SIDES:
            who = form.who[side]
            if not isinstance(who, int) or who not in self.line_ups.players:
                continue
            grade, elo, provisional = self.line_ups.standing(who)
            facts = {"name": str(self.line_ups.players[who])}
            if grade is not None:
                facts["grade"] = str(grade)
            if elo is not None:
                facts["elo"] = f"{elo}{'?' if provisional else ''}"
            if self.line_ups.is_guest(getattr(self.match, side), who):
                facts["guest"] = "1"
            found[str(who)] = facts
        return found

    @property
    def opened(self) -> str:
        """The same of the card as a whole."""
        if self.is_bound and not self.changed:
            return self.form.data.get("opened", "")
        day = self.changed.match.played_on if self.changed else self.match.played_on
        words = self._words_of_card(day)
        return as_field(words, words)

    def _opened_field(self, number: int, form: BoardForm) -> str:
        """What the drawn row carries: what it said when the card was opened."""
        if form.is_bound and not self.changed:
            return self.form.data.get(form.add_prefix("opened"), "")
        stored = self._words_stored(number)
        if self.changed:
            return as_field(stored, stored)
        drawn = words_of_initial(self._initial_of_row(number), may_award=self.may_award)
        return as_field(drawn, stored)

    def _opened(self, form: BoardForm) -> Opened | None:
        return read_opened(self.form.data.get(form.add_prefix("opened"), ""))

    def _words_stored(self, number: int) -> Words:
        """What is stored of a board, as a row would say it; nothing where there is only a guess."""
        if number not in self.stored and number not in self._no_games:
            return {}
        return words_of_initial(self._initial_of_row(number), may_award=self.may_award)

    def _conflict(self, number: int, form: BoardForm) -> Conflict | None:
        """The two versions between which is still to be chosen at a board."""
        if number in self._conflicts or not form.is_bound or self.changed:
            return self._conflicts.get(number)
        mine = mine_in(self.form.data, number)
        if mine is None or self.form.data.get(form.add_prefix("keep")) != THEIRS:
            return None
        board = self.stored.get(number)
        names = {pk: str(player) for pk, player in self.line_ups.players.items()}
        saved = entry_words(entry_of(board) if board else None, self.match, names)
        return Conflict(saved, str(mine.get("words", "")), json.dumps(mine))

    def _initial_of(self, number: int) -> dict:
        """What the unposted row holds: as stored or foreseen, or of the line-up asked for."""
        initial = self._initial_of_row(number)
        for side in SIDES:
            for one in getattr(self.line_ups, side).earlier if self.earlier.get(side) else ():
                if str(one.match) == self.earlier[side]:
                    initial[side] = one.seats.get(number)
                    initial[f"{side}_name"] = ""
        return initial

    def _initial_of_row(self, number: int) -> dict:
        """The stored board, or last time's players on a new card."""
        board = self.stored.get(number)
        if board:
            outcome = "" if board.result is None else str(board.result)
            by_rule = board.home_colour == self._rule_colour(number)
            return {
                "home": board.home_player_id,
                "away": board.away_player_id,
                "result": board.award if board.award in DEFAULTS else board.unfinished or outcome,
                "played_on": board.played_on,
                "award_home": board.award_home,
                "award_away": board.award_away,
                "award_reason": board.award_reason,
                "home_colour": "" if by_rule else board.home_colour,
                "home_exception": board.home_exception,
                "away_exception": board.away_exception,
            }
        if number in self._no_games:
            return {"result": NO_GAME}
        if self.stored:
            return {}
        home = self.line_ups.home.last_time.get(number)
        away = self.line_ups.away.last_time.get(number)
        both_sides = away in self.line_ups.home.last_time.values()
        initial = {"home": home, "away": None if both_sides else away}
        for side, seats in self.sheets.items():
            if seats:
                who = seats.get(number)
                initial[side] = NEW if isinstance(who, str) else who
                initial[f"{side}_name"] = who if isinstance(who, str) else ""
        return initial
