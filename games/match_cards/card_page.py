"""A match card as a page: its rows as stored, foreseen or typed, and what is wrong with them."""

from datetime import date
from functools import cached_property

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.matches.match_words import default_words, given_words
from games.models import (
    Colour,
    ListIssue,
    OrderException,
    StrengthList,
    Unfinished,
)
from games.templatetags.topboard import halves
from ratings.standing import NOTHING_KNOWN

from .card_checks import SIDES, Problems
from .card_conflicts import (
    GIVEN,
)
from .card_entries import NewPlayer
from .card_form import NEW, NO_GAME, OUTCOMES, BoardForm
from .card_rows import Row, Seat, Warning
from .card_versions import CardVersions
from .guests import guest_words
from .rule_words import head_of
from .team_checks import Sitting, findings_of, refuses, words_of
from .team_rules import BOARD_ORDER

OPPOSITE = {Colour.WHITE: Colour.BLACK, Colour.BLACK: Colour.WHITE, Colour.UNKNOWN: Colour.UNKNOWN}


class CardPage(CardVersions):
    """The card as it is drawn, with everything typed still in its rows.

    What `record_card` says against a bound page is taken in by `refuse()` or `show_changes()`.
    """

    # What came back --------------------------------------------------------------------------

    def refuse(self, problems: Problems) -> None:
        """Draw the card with what is wrong at its rows, and at the field of its day."""
        self.problems = {number: found for number, found in problems.items() if number}
        for problem in problems.get(0, []):
            self.form.add_error("played_on", str(problem))

    # What is drawn ---------------------------------------------------------------------------

    @property
    def is_refused(self) -> bool:
        return self.is_bound and bool(self.problems or self.form.errors)

    @property
    def boards_refused(self) -> int:
        return sum(number > 0 for number in self.problems)

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
    def rows(self) -> list[Row]:
        """The rows as they are drawn; a row that was not posted stands as stored or foreseen."""
        posted = dict(enumerate(self.typed, 1))
        rows: list[Row] = []
        for number in range(1, max(self.row_count, len(posted)) + 1):
            form = posted.get(number)
            if form is None or number in self._taken:
                initial = self._initial_of(number)
                form = BoardForm(prefix=f"boards-{number - 1}", initial=initial)
            rows.append(self._row(number, form))
        self._team_warnings: list[Warning] = []
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
            opened=self._opened_field(number, form),
            conflict=self._conflict(number, form),
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
        team = getattr(self.match, side)
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
            is_new=isinstance(who, NewPlayer) or who == NEW,
            may_be_new=side in row.form.may_be_new,
            is_guest=player is not None and self.line_ups.is_guest(team, player.pk),
            candidates=[(self.line_ups.players[pk], clubs) for pk, clubs in candidates.items()],
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
                if seat.is_guest:
                    words = guest_words(str(seat.player), getattr(self.match, side).club.name)
                    row.warnings.append(Warning(_("Check the player."), words, is_live=True))
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
                is_live = finding.rule == BOARD_ORDER and self.checks_order_at_once
                warning = Warning(head_of(finding.rule), words, refused, is_live)
                where = rows[finding.board - 1].warnings if finding.board else self._team_warnings
                where.append(warning)
