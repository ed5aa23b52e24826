"""A match card as a page: its rows as stored, foreseen or typed, and what is wrong with them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import cached_property
from types import MappingProxyType

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.models import Player
from games.matches.match_words import default_words, entry_words, given_words
from games.models import (
    DEFAULTS,
    Award,
    Board,
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

from .card_checks import SIDES, Problem, Problems, problems_of
from .card_entries import MAX_BOARDS, BoardEntry, NewPlayer, awaited_numbers, entry_of
from .card_form import NO_GAME, OUTCOMES, RESULTS, BoardForm, BoardFormSet, CardForm, outside_season
from .card_names import read_names
from .card_rows import Difference, Row, Seat, Warning
from .cards import CardChanged
from .line_ups import LineUps, home_colour, line_ups_of
from .rule_words import head_of
from .team_checks import Sitting, findings_of, refuses, words_of

GIVEN = ("award_home", "award_away", "award_reason")
NOT_GIVEN = (None, None, "")
NONE = MappingProxyType({})
OPPOSITE = {Colour.WHITE: Colour.BLACK, Colour.BLACK: Colour.WHITE, Colour.UNKNOWN: Colour.UNKNOWN}


class CardPage:
    """The card of a match of `MatchQuerySet.for_card()`; `data` is what was posted, if anything.

    With `may_award` the points that the league gives for a board can be typed, too. `earlier`
    names by side a match (pk) whose line-up an unposted card is to be drawn with, `sheets` holds
    by side what was saved beforehand and the reader may see.

    A bound page answers `is_valid()`, then `entries()` and `board_count()`. What `record_card`
    says against it is taken in by `refuse()` or `show_changes()`, and the rows are drawn with
    everything typed still in them.
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
        self.match = match
        self.may_award = may_award
        self.earlier = earlier
        self.sheets = sheets
        self.today = today
        self.stored = {board.number: board for board in match.boards.order_by("number")}
        self.changed: CardChanged | None = None
        self.differences: list[Difference] = []
        self.problems: Problems = {}
        self._team_warnings: list[Warning] = []
        self.form = CardForm(data, match=match, initial=self._initial_of_card())
        self.formset = BoardFormSet(data, prefix="boards")

    # What was typed --------------------------------------------------------------------------

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
        read_names(self.typed, {side: getattr(self.match, side).club_id for side in SIDES})
        for number, form in enumerate(self.typed, 1):
            form.problems += self._faults_of_more(number, form)
        self.problems = {
            number: form.problems for number, form in enumerate(self.typed, 1) if form.problems
        }
        if self._is_incomplete():
            self.problems[0] = [Problem(_("It arrived incomplete."), _("Please save it again."))]
        elif self.board_count() < 1:
            self.problems[0] = [Problem(_("No game at all."), _("A match has at least a board."))]
        return valid and not self.problems

    def _is_incomplete(self) -> bool:
        """Whether rows are missing: one that did not arrive must not be taken for an empty board.

        A card of an older version may have had fewer; it will be shown what has changed.
        """
        if self.formset.non_form_errors() or not self.typed:
            return True
        same_version = self.form.seen_version() == self.match.version
        return same_version and len(self.typed) != self.row_count

    def is_valid_sheet(self, side: str) -> bool:
        """Whether what was posted can be one side's sheet; if not, the problems stand at rows."""
        self.form.is_valid()  # a sheet has no day: only so that the form can be asked
        self.formset.is_valid()
        read_names(self.typed, {one: getattr(self.match, one).club_id for one in SIDES})
        self.problems = {
            number: form.problems for number, form in enumerate(self.typed, 1) if form.problems
        }
        if not self.typed or len(self.typed) != self.row_count:
            self.problems[0] = [Problem(_("It arrived incomplete."), _("Please save it again."))]
        if not self.problems:
            seated = {number: form.who[side] for number, form in enumerate(self.typed, 1)}
            entries = [BoardEntry(number, None, None, Colour.UNKNOWN) for number in seated]
            entries = [replace(entry, **{side: seated[entry.number]}) for entry in entries]
            known = Player.objects.in_bulk(pk for pk in seated.values() if isinstance(pk, int))
            self.problems = problems_of(entries, {pk: str(who) for pk, who in known.items()})
        return not self.problems

    def sheet_seats(self, side: str) -> dict[int, int | str]:
        """Who sits where on the sheet: a player's pk, or the name of somebody new."""
        seated = {number: form.who[side] for number, form in enumerate(self.typed, 1)}
        return {
            number: f"{who.surname}, {who.forenames}" if isinstance(who, NewPlayer) else who
            for number, who in seated.items()
            if who is not None
        }

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

    @property
    def row_count(self) -> int:
        """As many rows as the match or its division has boards, and any board stored beyond."""
        counts = (self.match.board_count, self.match.division.board_count, *self.stored)
        return min(max(counts), MAX_BOARDS)

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
