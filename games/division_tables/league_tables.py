"""The tables of divisions, worked out of what is stored, with their reasons in words."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, partial

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.dates import date_format
from games.cup.cup_brackets import brackets_of
from games.cup.cup_words import cup_state_words
from games.matches.meeting_words import CrossLine, FormSquare, marks_of, square_of
from games.matches.result_lists import day_words
from games.models import Division, Match, MatchState, Season, Team, TieBreak
from games.templatetags.topboard import halves

from . import records, standings, tie_breaks
from .crosstable import CrossRow, crosstable
from .kept import kept_words
from .table_facts import is_withdrawn, points_of, result_of, rules_of, team_of
from .table_notes import awaited_words, open_words, policy_sentences, race_sentences, row_sentences
from .table_words import number_word
from .title_race import Prospect, prospects


@dataclass(frozen=True, slots=True)
class TableRow:
    """A team's line: the figures of `standings.Row` and what the page says beside them.

    `awaited` counts its matches whose day has passed without a result, `open` those whose result
    counts and is not agreed.
    """

    figures: standings.Row
    team: Team
    marks: str
    last_five: tuple[FormSquare, ...]
    awaited: int
    open: int

    def __getattr__(self, name):
        return getattr(self.figures, name)

    @property
    def name(self) -> str:
        return self.team.name

    @property
    def address(self) -> str:
        return self.team.get_absolute_url()


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the table between its lines: promoted, the rest, relegated."""

    name: str
    words: str
    rows: Sequence[TableRow]
    closes_on_dashes: bool = False


class LeagueTable:
    """A division's table; `matches` are its matches from `for_table`, in order of play.

    `rows` are `TableRow`s from the first to the last, `notes` pairs of a letter and a sentence.
    With `on` it is the table as it stood on that day: matches of later days, and those without
    a day, have no score (`undated` counts these); decisions and withdrawals of later days are
    none. A match is awaited when its day has passed without a result; void ones are left out.
    """

    def __init__(
        self,
        division: Division,
        teams: Sequence[Team],
        matches: Sequence[Match],
        *,
        on: date | None = None,
    ):
        self.division = division
        self.on = on
        self.today = min(day for day in (on, timezone.localdate()) if day)
        self.teams = {team.pk: team for team in teams}
        self.matches = [match for match in matches if match.state != MatchState.VOID]
        self.void = [match for match in matches if match.state == MatchState.VOID]
        for match in matches:
            match.division = division
            match.home, match.away = self.teams[match.home_id], self.teams[match.away_id]
        self.undated = self._forget_later() if on else 0
        self.counted = [match for match in self.matches if match.home_points is not None]
        self.notes: list[tuple[str, str]] = []
        self.rows = self._rows()

    def _forget_later(self) -> int:
        """Take the score from what was not yet played on the day; returns how many had no day."""
        undated = 0
        for match in self.matches:
            if match.played_on is not None and match.played_on <= self.on:
                continue
            undated += match.played_on is None and match.home_points is not None
            match.home_points = match.away_points = None
            match.boards_decided = 0
        return undated

    def _rows(self) -> list[TableRow]:
        by_match = {match.pk: match for match in self.matches}
        awaited = Counter(pk for match in self.awaited for pk in (match.home_id, match.away_id))
        still_open = Counter(
            pk for m in self.counted if m.open_words for pk in (m.home_id, m.away_id)
        )
        return [
            self._row(row, by_match, awaited[row.team], still_open[row.team])
            for row in self.figures(self.results)
        ]

    def figures(self, results: Iterable[records.MatchResult]) -> list[standings.Row]:
        """The table as it would be if these were its results."""
        return standings.table(self._table_teams, results, self.rules)

    @cached_property
    def rules(self) -> standings.TableRules:
        return rules_of(self.division)

    @cached_property
    def _table_teams(self) -> list[standings.TableTeam]:
        return [team_of(team, self.on) for team in self.teams.values()]

    def _row(
        self, row: standings.Row, by_match: dict[int, Match], awaited: int, still_open: int
    ) -> TableRow:
        team = self.teams[row.team]
        sentences = row_sentences(row, self.teams, self.division, self.on)
        marks = [self._note(sentence) for sentence in sentences]
        # Matches of neither day nor round are in no order, so they make no form.
        matches = ((meeting, by_match[meeting.match]) for meeting in row.last_five)
        squares = (square_of(each, m) for each, m in matches if m.played_on or m.round)
        return TableRow(row, team, "\u2009".join(marks), tuple(squares), awaited, still_open)

    def _note(self, sentence: str) -> str:
        letter = _letter(len(self.notes))
        self.notes.append((letter, sentence))
        return letter

    @cached_property
    def results(self) -> list[records.MatchResult]:
        """The matches as the pure modules take them."""
        return [result_of(match) for match in self.matches]

    @cached_property
    def counted_results(self) -> list[records.MatchResult]:
        """The matches as the table counts them, those of expunged teams left out."""
        return standings.counted_matches(self._table_teams, self.results, self.rules)

    @cached_property
    def pending(self) -> list[Match]:
        """The matches without a score that are still to be played: not those of teams gone."""
        return [
            match
            for match in self.matches
            if match.home_points is None
            and not is_withdrawn(match.home, self.on)
            and not is_withdrawn(match.away, self.on)
        ]

    @cached_property
    def awaited(self) -> list[Match]:
        """Those of them whose day has passed."""
        return [m for m in self.pending if m.played_on is not None and m.played_on < self.today]

    @property
    def awaited_words(self) -> str:
        return awaited_words(self.awaited)

    @property
    def open_words(self) -> str:
        return open_words(self.counted)

    @property
    def policies(self) -> list[str]:
        """The rules that moved a number, and what of them may surprise, in sentences."""
        by_pk = {match.pk: match for match in self.matches}
        unfinished = [by_pk[r.id] for r in self.counted_results if r.complete and r.unfinished]
        sentences = policy_sentences([row.figures for row in self.rows], unfinished, self.rules)
        if self.undated:
            sentences.append(
                ngettext(
                    "%(count)s match without a date is left out.",
                    "%(count)s matches without a date are left out.",
                    self.undated,
                )
                % {"count": self.undated}
            )
        return sentences

    @cached_property
    def prospects(self) -> dict[int, Prospect] | None:
        """What each team can still reach, None where nothing can be said."""
        void = [(match.home_id, match.away_id) for match in self.void]
        return prospects(self._table_teams, self.results, self.rules, void)

    @property
    def race(self) -> list[str]:
        """What is certain before the last match, and who can still finish first."""
        names = {pk: team.name for pk, team in self.teams.items()}
        figures = [row.figures for row in self.rows]
        return race_sentences(self.prospects, figures, self.division, names)

    @cached_property
    def cross_rows(self) -> list[CrossRow]:
        """The cross table, its teams in the table's order."""
        order = [row.team.pk for row in self.rows]
        counted = {result.id: result for result in self.counted_results}
        results = [counted.get(result.id, result) for result in self.results]
        return crosstable(order, results, points_of(self.division))

    @property
    def cross_lines(self) -> list[CrossLine]:
        """The cross table for the eye: each meeting with its score, or a dot while it has none."""
        by_pk = {match.pk: match for match in self.matches}
        return [
            CrossLine(row, tuple(marks_of(cell, by_pk) for cell in cross.cells))
            for row, cross in zip(self.rows, self.cross_rows, strict=True)
        ]

    @property
    def played(self) -> bool:
        return bool(self.counted)

    @property
    def complete(self) -> bool:
        return bool(self.matches) and not self.pending

    @property
    def parts(self) -> list[Part]:
        """The rows between the lines of promotion and relegation."""
        up = min(self.division.promoted, len(self.rows))
        down = min(self.division.relegated, len(self.rows) - up)
        last = len(self.rows) - down
        parts = [
            Part("promoted", _("promoted"), self.rows[:up], closes_on_dashes=last == up),
            Part("", "", self.rows[up:last], closes_on_dashes=bool(down)),
            Part("relegated", _("relegated"), self.rows[last:]),
        ]
        return [part for part in parts if part.rows]

    @property
    def promoted_words(self) -> str:
        count = self.division.promoted
        if not count:
            return ""
        return ngettext("Promoted: the first", "Promoted: first %(count)s", count) % {
            "count": number_word(count)
        }

    @property
    def relegated_words(self) -> str:
        count = self.division.relegated
        if not count:
            return ""
        return ngettext("Relegated: the last", "Relegated: last %(count)s", count) % {
            "count": number_word(count)
        }

    @property
    def order_words(self) -> str:
        """How the table is ordered, and what a match is worth."""
        names = [str(TieBreak(name).label) for name in self.division.table_order]
        return (
            _("Order: %(names)s. A match won is %(win)s, drawn %(draw)s, lost %(loss)s.")
            % {
                "names": _(", then ").join(names),
                "win": halves(self.division.match_points_win),
                "draw": halves(self.division.match_points_draw),
                "loss": halves(self.division.match_points_loss),
            }
            + self._defaulted_words
        )

    @property
    def _defaulted_words(self) -> str:
        if self.division.match_points_defaulted is None:
            return ""
        points = halves(self.division.match_points_defaulted)
        return " " + _("A match defaulted is %(points)s.") % {"points": points}

    @property
    def progress_words(self) -> str:
        """How far the season is: whole rounds if there are only such, else matches."""
        done, every = len(self.counted), len(self.counted) + len(self.pending)
        if not done:
            return _("Nothing played yet")
        if done == every:
            return _("Final table")
        rounds = sorted({match.round for match in self.matches})
        whole = {number for number in rounds if number and self._is_whole(number)}
        begun = {match.round for match in self.counted}
        if begun == whole:
            return _("After %(done)s of %(every)s rounds") % {
                "done": len(whole),
                "every": len(rounds),
            }
        return _("%(done)s of %(every)s matches played") % {"done": done, "every": every}

    def _is_whole(self, number: int) -> bool:
        return all(match.round != number for match in self.pending)

    def state_words(self, today: date) -> str:
        """The division in three words: who leads, who has won, when it starts."""
        if not self.counted:
            days = [match.played_on for match in self.matches if match.played_on]
            if not days:
                return _("Not begun")
            words = _("Starts %(day)s") if min(days) >= today else _("Since %(day)s")
            return words % {"day": day_words(min(days), today, weekday=False)}
        leaders = [row.name for row in self.rows if row.position == 1]
        if len(leaders) > 2:
            return _("%(count)s teams level") % {"count": len(leaders)}
        if self.complete:
            words = _("Won by %(team)s") if len(leaders) == 1 else _("Shared by %(team)s")
        else:
            words = _("%(team)s lead") if len(leaders) == 1 else _("%(team)s level")
        return words % {"team": _(" and ").join(leaders)}


@dataclass(frozen=True, slots=True)
class SeasonStates:
    """A season and its divisions, each with its state in words."""

    season: Season
    divisions: list[tuple[Division, str]]


def table_of(division: Division, on: date | None = None) -> LeagueTable:
    """The table of one division, of a day if one is given; three queries for any number of rows."""
    return tables_of([division], on)[division.pk]


def tables_of(divisions: Sequence[Division], on: date | None = None) -> dict[int, LeagueTable]:
    """The tables of several divisions by pk, in three queries for all of them."""
    teams, matches = defaultdict(list), defaultdict(list)
    for team in Team.objects.filter(division__in=divisions).prefetch_related("adjustments"):
        teams[team.division_id].append(team)
    with_boards = any(tie_breaks.BY_BOARDS & {*each.table_order} for each in divisions)
    stored = Match.objects.filter(division__in=divisions)
    for match in stored.for_table(with_boards=with_boards).in_order():
        matches[match.division_id].append(match)
    return {
        division.pk: LeagueTable(division, teams[division.pk], matches[division.pk], on=on)
        for division in divisions
    }


def with_states(seasons: Iterable[Season], today: date) -> list[SeasonStates]:
    """The seasons with the state of each of their divisions, which are prefetched."""
    seasons = list(seasons)
    divisions = [division for season in seasons for division in season.divisions.all()]
    states = kept_words("state", divisions, today, partial(_states_of, today=today))
    return [
        SeasonStates(season, [(d, states[d.pk]) for d in season.divisions.all()])
        for season in seasons
    ]


def _states_of(divisions: Sequence[Division], today: date) -> dict[int, str]:
    tables = tables_of([division for division in divisions if not division.is_cup])
    cups = brackets_of([division for division in divisions if division.is_cup])
    states = {pk: table.state_words(today) for pk, table in tables.items()}
    return states | {pk: cup_state_words(bracket) for pk, bracket in cups.items()}


def updated_words(division: Division) -> str:
    """When a card last changed the division: `updated 24 November, 23:14`."""
    if not division.changed_at:
        return ""
    at = timezone.localtime(division.changed_at)
    day = day_words(at.date(), timezone.localdate(), weekday=False)
    return _("updated %(day)s, %(time)s") % {"day": day, "time": date_format(at, "H:i")}


def _letter(number: int) -> str:
    """a to z, then aa, ab and so on."""
    first, last = divmod(number, 26)
    return (_letter(first - 1) if first else "") + chr(ord("a") + last)
