"""A match card as a page: its rows as stored, foreseen or typed, and what is wrong with them."""

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from types import MappingProxyType

from django.utils.text import capfirst

from games.matches.match_words import default_words, entry_words, given_words
from games.models import (
    DEFAULTS,
    Colour,
    HomeColour,
    ListIssue,
    Match,
    OrderException,
    StrengthList,
    Unfinished,
)
from games.templatetags.topboard import halves
from ratings.standing import NOTHING_KNOWN

from .card_checks import SIDES, Problems
from .card_entries import NewPlayer, entry_of
from .card_form import NO_GAME, OUTCOMES, BoardForm
from .card_reading import GIVEN, CardReading
from .card_rows import Difference, Row, Seat, Warning
from .cards import CardChanged
from .line_ups import LineUps, line_ups_of
from .rule_words import head_of
from .team_checks import Sitting, findings_of, refuses, words_of

NONE = MappingProxyType({})
OPPOSITE = {Colour.WHITE: Colour.BLACK, Colour.BLACK: Colour.WHITE, Colour.UNKNOWN: Colour.UNKNOWN}


class CardPage(CardReading):
    """The card of a match of `MatchQuerySet.for_card()`; `data` is what was posted, if anything.

    With `may_award` the points that the league gives for a board can be typed, too. `earlier`
    names by side a match (pk) whose line-up an unposted card is to be drawn with, `sheets` holds
    by side what was saved beforehand and the reader may see.

    What `record_card` says against a bound page is taken in by `refuse()` or `show_changes()`, and
    the rows are drawn with everything typed still in them.
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
        self._team_warnings: list[Warning] = []

    # What came back --------------------------------------------------------------------------

    def refuse(self, problems: Problems) -> None:
        """Draw the card with what is wrong at its rows, and at the field of its day."""
        self.problems = {number: found for number, found in problems.items() if number}
        for problem in problems.get(0, []):
            self.form.add_error("played_on", str(problem))

    def show_changes(self, changed: CardChanged) -> None:
        """Draw the card as typed and what was saved meanwhile; saving again then overwrites it."""
        typed = {entry.number: entry for entry in self.entries()}
        self.changed = changed
        self.stored = {board.number: board for board in changed.boards}
        names = {pk: str(player) for pk, player in self.line_ups.players.items()}
        for number in sorted({*typed, *self.stored}):
            stored = entry_of(self.stored[number]) if number in self.stored else None
            if stored != typed.get(number):
                words = [
                    entry_words(entry, self.match, names) for entry in (stored, typed.get(number))
                ]
                self.differences.append(Difference(number, *words))

    # What is drawn ---------------------------------------------------------------------------

    @property
    def other_day(self) -> bool:
        """Whether somebody else saved another day than the one that is typed."""
        typed = self.form.cleaned_data.get("played_on")
        return self.changed is not None and self.changed.match.played_on != typed

    @property
    def version(self) -> int:
        """The version that the drawn card carries: what the typist has seen."""
        if self.changed:
            return self.changed.match.version
        return self.form.seen_version() if self.is_bound else self.match.version

    @property
    def is_refused(self) -> bool:
        return self.is_bound and bool(self.problems or self.form.errors)

    @property
    def boards_refused(self) -> int:
        return sum(number > 0 for number in self.problems)

    @property
    def asks_toss(self) -> bool:
        return self.match.division.home_colour == HomeColour.TOSS

    @property
    def asks_exceptions(self) -> bool:
        """Whether a board may be marked as out of order for a reason."""
        return self.match.division.board_order_tolerance is not None

    @property
    def checks_order_at_once(self) -> bool:
        """Whether the page's script can tell: by the grades that stand beside the names."""
        division = self.match.division
        by_grade = division.order_list == StrengthList.GRADE
        return self.asks_exceptions and by_grade and division.order_issue == ListIssue.NEWEST

    @property
    def exception_choices(self) -> list[tuple[str, str]]:
        return list(OrderException.choices)

    @cached_property
    def default_words(self) -> dict[str, str]:
        """What each default of a row's menu means."""
        return default_words(self.match.home.name, self.match.away.name)

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

    @cached_property
    def rows(self) -> list[Row]:
        """The rows as they are drawn; a row that was not posted stands as stored or foreseen."""
        count = max(self.row_count, len(self.typed))
        forms = [*self.typed]
        for number in range(len(forms) + 1, count + 1):
            forms.append(BoardForm(prefix=f"boards-{number - 1}", initial=self._initial_of(number)))
        rows = [self._row(number, form) for number, form in enumerate(forms, 1)]
        self._warn(rows)
        return rows

    @property
    def team_warnings(self) -> list[Warning]:
        """What a whole side's line-up breaks, its limits."""
        return self._team_warnings if self.rows else []

    @property
    def points(self) -> tuple[int, int]:
        """The running score in half-points."""
        given = [row.points for row in self._counted if row.points is not None]
        return sum(home for home, _away in given), sum(away for _home, away in given)

    @property
    def decided(self) -> int:
        return sum(row.points is not None for row in self._counted)

    @property
    def to_decide(self) -> int:
        return len(self._counted)

    @property
    def _counted(self) -> list[Row]:
        return [row for row in self.rows if row.outcome != NO_GAME and not row.is_extra]

    @property
    def asks_score(self) -> bool:
        """Whether the score alone may be sent: no board has points yet."""
        return not any(board.home_halves is not None for board in self.stored.values())

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
                initial[side] = who if isinstance(who, int) else None
                initial[f"{side}_name"] = who if isinstance(who, str) else ""
        return initial

    def _row(self, number: int, form: BoardForm) -> Row:
        typed = form.value("result")
        outcome = typed if typed in OUTCOMES else ""
        stored = self.stored.get(number)
        colour = form.value("home_colour")
        row = Row(
            number=number,
            form=form,
            outcome=outcome,
            stored=stored,
            colour_choice=colour if colour in Colour.values else "",
            rule_colour=self._rule_colour(number),
            unplayed_words=self.default_words.get(outcome, "") or self._unfinished_words(outcome),
            given=given_words(stored) if stored else "",
            played_on=self._day_typed(form),
            awarded=[self._points_typed(form, name) for name in GIVEN],
            exceptions={side: form.value(f"{side}_exception") or "" for side in SIDES},
            problems=self.problems.get(number, []),
        )
        home_has = row.colour_choice or row.rule_colour
        row.seats = {
            "home": self._seat(row, "home", home_has),
            "away": self._seat(row, "away", OPPOSITE[home_has]),
        }
        return row

    @property
    def unfinished_choices(self) -> list[tuple[str, str]]:
        """Why a game that was begun has no result, for a row's menu."""
        return [(value, capfirst(label)) for value, label in Unfinished.choices]

    def _unfinished_words(self, outcome: str) -> str:
        return dict(self.unfinished_choices).get(outcome, "")

    @staticmethod
    def _day_typed(form: BoardForm) -> str:
        """The board's own day as its field wants it, or as typed if it is none."""
        day = form.value("played_on")
        return day.isoformat() if isinstance(day, date) else day or ""

    @staticmethod
    def _points_typed(form: BoardForm, name: str) -> str:
        value = form.value(name)
        return halves(value) if isinstance(value, int) else value or ""

    def _seat(self, row: Row, side: str, colour: str) -> Seat:
        who = row.form.who[side] if row.form.is_bound else row.form.value(side)
        typed = row.form.value(f"{side}_name") or ""
        candidates = row.form.candidates[side]
        if who is None and not typed and not candidates:
            chosen = row.form.value(side)
            who = chosen if isinstance(chosen, int) else None
        player = self.line_ups.players.get(who) if isinstance(who, int) else None
        last_time = getattr(self.line_ups, side).last_time.get(row.number)
        return Seat(
            side=side,
            player=player,
            new=who if isinstance(who, NewPlayer) else None,
            typed="" if player else typed,
            standing=self.line_ups.standing(who) if player else NOTHING_KNOWN,
            colour=colour,
            as_last_time=player is not None and player.pk == last_time and not row.outcome,
            bad=any(problem.side == side for problem in row.problems),
            candidates=[self.line_ups.players[pk] for pk in candidates],
        )

    def _warn(self, rows: list[Row]) -> None:
        """Put a warning at each row, or at the card, where the division's rules are broken."""
        sittings: dict[str, list[Sitting]] = {side: [] for side in SIDES}
        names: dict[str, dict[int, str]] = {side: {} for side in SIDES}
        for row in rows:
            for side, seat in row.seats.items():
                if seat.player is None and seat.new is None:
                    continue
                player = seat.player.pk if seat.player else None
                sittings[side].append(Sitting(row.number, player, bool(row.exceptions[side])))
                names[side][row.number] = str(seat.player or seat.new)
        found = findings_of(
            self.match,
            sittings,
            day=self.match.played_on or self.today,
            today=self.today,
            standings=self.line_ups.standings,
        )
        for side in SIDES:
            for finding in found[side]:
                words = words_of(finding, getattr(self.match, side), names[side])
                refused = refuses(self.match.division, finding)
                warning = Warning(head_of(finding.rule), words, refused)
                where = rows[finding.board - 1].warnings if finding.board else self._team_warnings
                where.append(warning)
