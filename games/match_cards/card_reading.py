"""What was typed on a match card, read: what it says of each board, and what cannot be read."""

from collections.abc import Iterator
from functools import cached_property

from django.utils.translation import gettext as _

from games.models import DEFAULTS, Award, Board, Colour, Match, Unfinished

from .card_checks import SIDES, Problem, Problems
from .card_conflicts import GIVEN, with_choices
from .card_entries import MAX_BOARDS, BoardEntry, awaited_numbers
from .card_form import NO_GAME, RESULTS, BoardForm, BoardFormSet, CardForm, outside_season
from .card_names import read_names
from .line_ups import home_colour

NOT_GIVEN = (None, None, "")


class CardReading:
    """The card of a match of `MatchQuerySet.for_card()` beside `data`, what was posted of it.

    Where `data` chooses between two versions of a board, it says what was chosen.

    With `may_award` the points that the league gives for a board are read, too. It answers
    `is_valid()`, with what is wrong in `problems`, then `entries()` and `board_count()`.
    """

    def __init__(self, match: Match, data=None, *, may_award: bool = False):
        self.match = match
        self.may_award = may_award
        self.stored = {board.number: board for board in match.boards.order_by("number")}
        self.problems: Problems = {}
        data = with_choices(data)
        self.form = CardForm(data, match=match, initial=self._initial_of_card())
        self.formset = BoardFormSet(data, prefix="boards")

    @property
    def is_bound(self) -> bool:
        return self.form.is_bound

    @property
    def typed(self) -> list[BoardForm]:
        """The forms that were posted, from board 1 on."""
        return self.formset.forms if self.is_bound else []

    def is_valid(self) -> bool:
        """Whether the card can be read; if not, the problems stand at their rows."""
        valid = all([self.form.is_valid(), self.formset.is_valid()])
        self._read_boards()
        if 0 not in self.problems and self.board_count() < 1:
            self.problems[0] = [Problem(_("No game at all."), _("A match has at least a board."))]
        return valid and not self.problems

    def _read_boards(self) -> None:
        """Find who is meant on each board, and what cannot be read of it; the forms are cleaned."""
        read_names(self.typed, {side: getattr(self.match, side).club_id for side in SIDES})
        for number, form in enumerate(self.typed, 1):
            form.problems += self._faults_of_more(number, form)
        self.problems = {
            number: form.problems for number, form in enumerate(self.typed, 1) if form.problems
        }
        if self._is_incomplete():
            self.problems[0] = [Problem(_("It arrived incomplete."), _("Please save it again."))]

    def _is_incomplete(self) -> bool:
        """Whether rows are missing: one that did not arrive must not be taken for an empty board.

        A card of an older version may have had fewer; it will be shown what has changed.
        """
        if self.formset.non_form_errors() or not self.typed:
            return True
        return self.is_of_stored_version() and len(self.typed) != self.row_count

    def is_of_stored_version(self) -> bool:
        """Whether the typist saw what is stored now."""
        return self.form.seen_version() == self.match.version

    def _faults_of_more(self, number: int, form: BoardForm) -> Iterator[Problem]:
        """What cannot be read of a board's own day and of the points given for it."""
        day, stored = form.cleaned_data.get("played_on"), self.stored.get(number)
        is_new = stored is None or stored.played_on != day
        outside = outside_season(day, self.match.division.season) if day and is_new else ""
        for error in [*form.errors.get("played_on", []), *filter(None, [outside])]:
            yield Problem(_("Not its day."), error)
        if not self._awards(form):
            return
        faults = [error for name in GIVEN for error in form.errors.get(name, [])]
        home, away, reason = (form.cleaned_data.get(name) for name in GIVEN)
        if faults:
            yield Problem(_("Not the points of a decision."), faults[0])
        elif (home is None) != (away is None) or (reason and home is None):
            yield Problem(_("Points of a decision are for both sides."), _("Enter both, or none."))
        elif home is not None and not reason:
            yield Problem(_("A decision without a reason."), _("Write why the league gives them."))
        elif home is not None and max(home, away) > 2:
            yield Problem(_("More points than a game has."), _("A side gets 1, ½ or 0."))

    def _awards(self, form: BoardForm) -> bool:
        """Whether the typist may say, and said, what the league gives for this board."""
        return self.may_award and form.says("award_home")

    def entries(self) -> list[BoardEntry]:
        """What the card says of each board; a row without anybody and any result says nothing."""
        entries = (self._entry(number, form) for number, form in enumerate(self.typed, 1))
        return [entry for entry in entries if entry is not None]

    def board_count(self) -> int:
        """How many boards the match has when those marked as no game are left out."""
        left_out = sum(form.value("result") == NO_GAME for form in self.typed)
        return min(self.match.board_count + len(self._no_games) - left_out, MAX_BOARDS)

    def _entry(self, number: int, form: BoardForm) -> BoardEntry | None:
        outcome = form.cleaned_data.get("result", "")
        stored = self.stored.get(number)
        points = self._given(form, stored) if outcome not in DEFAULTS else NOT_GIVEN
        given = points != NOT_GIVEN
        nothing = not outcome and not given and not any(form.who.values())
        own_day = form.cleaned_data.get("played_on") if form.says("played_on") else None
        if stored is not None and not form.says("played_on"):
            own_day = stored.played_on
        if outcome == NO_GAME or nothing:
            return None
        return BoardEntry(
            number=number,
            home=form.who["home"],
            away=form.who["away"],
            home_colour=form.cleaned_data.get("home_colour") or self._rule_colour(number),
            result=RESULTS.get(outcome),
            award=Award.GIVEN if given else outcome if outcome in DEFAULTS else None,
            award_home=points[0],
            award_away=points[1],
            award_reason=points[2],
            played_on=own_day,
            counts_for_match=stored.counts_for_match if stored else True,
            home_exception=form.cleaned_data.get("home_exception", ""),
            away_exception=form.cleaned_data.get("away_exception", ""),
            unfinished=outcome if outcome in Unfinished.values and not given else "",
        )

    def _given(self, form: BoardForm, stored: Board | None) -> tuple[int | None, int | None, str]:
        """What the league gives for the board: as typed by who may, else as stored."""
        if self._awards(form):
            home, away, reason = (form.cleaned_data.get(name) for name in GIVEN)
            return NOT_GIVEN if home is None else (home, away, reason)
        if stored is None or stored.award != Award.GIVEN:
            return NOT_GIVEN
        return stored.award_home, stored.award_away, stored.award_reason

    # Beside it, what is stored ---------------------------------------------------------------

    @property
    def row_count(self) -> int:
        """As many rows as the match or its division has boards, and any board stored beyond."""
        counts = (self.match.board_count, self.match.division.board_count, *self.stored)
        return min(max(counts), MAX_BOARDS)

    @cached_property
    def _no_games(self) -> set[int]:
        """The stored card's rows without a game: rows beyond those the match still waits for."""
        empty = {number for number in range(1, self.row_count + 1) if number not in self.stored}
        return empty - set(awaited_numbers(self.stored.values(), self.match.board_count))

    def _rule_colour(self, number: int) -> str:
        rule = self.match.division.home_colour
        return home_colour(rule, number, self.form.home_white_on_odd())

    def _initial_of_card(self) -> dict:
        known = [board for board in self.stored.values() if board.home_colour != Colour.UNKNOWN]
        toss = ""
        if known:
            white_on_odd = (known[0].home_colour == Colour.WHITE) == bool(known[0].number % 2)
            toss = "odd" if white_on_odd else "even"
        return {"played_on": self.match.played_on, "toss": toss}
