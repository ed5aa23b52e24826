"""The tables of divisions, worked out of what is stored, with their reasons in words."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from . import records, standings
from .crosstable import CrossRow, crosstable
from .models import Division, Match, Season, Team, TeamState, TieBreak
from .result_lists import day_words
from .table_words import adjustment_words, number_word, why_words
from .templatetags.topboard import halves


@dataclass(frozen=True, slots=True)
class FormSquare:
    """One of the last five: its letter, its class in the stylesheet, its match in words."""

    kind: str
    letter: str
    words: str
    address: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """A team's line: the figures of `standings.Row` and what the page says beside them."""

    figures: standings.Row
    team: Team
    marks: str
    last_five: tuple[FormSquare, ...]

    def __getattr__(self, name):
        return getattr(self.figures, name)

    @property
    def name(self) -> str:
        return self.team.name

    @property
    def address(self) -> str:
        return self.team.get_absolute_url()


@dataclass(frozen=True, slots=True)
class CrossMark:
    """One meeting in the cross table, as the row's team sees it; `kind` is for the stylesheet."""

    own: str
    words: str
    address: str
    kind: str


@dataclass(frozen=True, slots=True)
class CrossLine:
    """A team's row of the cross table; the cell on the diagonal is None."""

    row: TableRow
    cells: tuple[tuple[CrossMark, ...] | None, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the table between its lines: promoted, the rest, relegated."""

    name: str
    words: str
    rows: Sequence[TableRow]
    closes_on_dashes: bool = False


class LeagueTable:
    """A division's table; `matches` are all its matches with scores, in order of play.

    `rows` are `TableRow`s from the first to the last, `notes` pairs of a letter and a sentence.
    """

    def __init__(self, division: Division, teams: Sequence[Team], matches: Sequence[Match]):
        self.division = division
        self.teams = {team.pk: team for team in teams}
        self.matches = matches
        for match in matches:
            match.division = division
            match.home, match.away = self.teams[match.home_id], self.teams[match.away_id]
        self.counted = [match for match in matches if match.home_points is not None]
        self.notes: list[tuple[str, str]] = []
        self.rows = self._rows()

    def _rows(self) -> list[TableRow]:
        by_match = {match.pk: match for match in self.counted}
        return [self._row(row, by_match) for row in self.figures(self.results)]

    def figures(self, results: Iterable[records.MatchResult]) -> list[standings.Row]:
        """The table as it would be if these were its results."""
        rules = standings.TableRules(points_of(self.division), tuple(self.division.table_order))
        return standings.table(map(_table_team, self.teams.values()), results, rules)

    def _row(self, row: standings.Row, by_match: dict[int, Match]) -> TableRow:
        team = self.teams[row.team]
        marks = [self._note(sentence) for sentence in self._sentences(row, team)]
        squares = (_square(meeting, by_match[meeting.match]) for meeting in row.last_five)
        return TableRow(row, team, " ".join(marks), tuple(squares))

    def _sentences(self, row: standings.Row, team: Team) -> Iterable[str]:
        if row.why:
            yield why_words(team.name, row.why, {pk: t.name for pk, t in self.teams.items()})
        for adjustment in team.adjustments.all():
            yield adjustment_words(team.name, adjustment)
        if row.awarded:
            yield ngettext(
                "%(team)s: %(count)s match decided by default, without play.",
                "%(team)s: %(count)s matches decided by default, without play.",
                row.awarded,
            ) % {"team": team.name, "count": row.awarded}

    def _note(self, sentence: str) -> str:
        letter = _letter(len(self.notes))
        self.notes.append((letter, sentence))
        return letter

    @cached_property
    def results(self) -> list[records.MatchResult]:
        """The matches as the pure modules take them."""
        return [_result(match) for match in self.matches]

    @cached_property
    def cross_rows(self) -> list[CrossRow]:
        """The cross table, its teams in the table's order."""
        order = [row.team.pk for row in self.rows]
        return crosstable(order, self.results, points_of(self.division))

    @property
    def cross_lines(self) -> list[CrossLine]:
        """The cross table for the eye: each meeting with its score, or a dot while it has none."""
        by_pk = {match.pk: match for match in self.matches}
        return [
            CrossLine(row, tuple(_marks(cell, by_pk) for cell in cross.cells))
            for row, cross in zip(self.rows, self.cross_rows, strict=True)
        ]

    @property
    def played(self) -> bool:
        return bool(self.counted)

    @property
    def has_awarded(self) -> bool:
        return any(row.awarded for row in self.rows)

    @property
    def complete(self) -> bool:
        return bool(self.matches) and len(self.counted) == len(self.matches)

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
        return _("Order: %(names)s. A match won is %(win)s, drawn %(draw)s, lost %(loss)s.") % {
            "names": _(", then ").join(names),
            "win": halves(self.division.match_points_win),
            "draw": halves(self.division.match_points_draw),
            "loss": halves(self.division.match_points_loss),
        }

    @property
    def progress_words(self) -> str:
        """How far the season is: whole rounds if there are only such, else matches."""
        done, every = len(self.counted), len(self.matches)
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
        return all(m.home_points is not None for m in self.matches if m.round == number)

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


def table_of(division: Division) -> LeagueTable:
    """The table of one division; three queries however many rows it has."""
    return tables_of([division])[division.pk]


def tables_of(divisions: Sequence[Division]) -> dict[int, LeagueTable]:
    """The tables of several divisions by pk, in three queries for all of them."""
    teams, matches = defaultdict(list), defaultdict(list)
    for team in Team.objects.filter(division__in=divisions).prefetch_related("adjustments"):
        teams[team.division_id].append(team)
    for match in Match.objects.filter(division__in=divisions).with_score().in_order():
        matches[match.division_id].append(match)
    return {
        division.pk: LeagueTable(division, teams[division.pk], matches[division.pk])
        for division in divisions
    }


def with_states(seasons: Iterable[Season], today: date) -> list[SeasonStates]:
    """The seasons with the state of each of their divisions, which are prefetched."""
    seasons = list(seasons)
    tables = tables_of([division for season in seasons for division in season.divisions.all()])
    return [
        SeasonStates(season, [(d, tables[d.pk].state_words(today)) for d in season.divisions.all()])
        for season in seasons
    ]


def updated_words(division: Division) -> str:
    """When a card last changed the division: `updated 24 November, 23:14`."""
    if not division.changed_at:
        return ""
    at = timezone.localtime(division.changed_at)
    day = day_words(at.date(), timezone.localdate(), weekday=False)
    return _("updated %(day)s, %(time)s") % {"day": day, "time": date_format(at, "H:i")}


def points_of(division: Division) -> records.MatchPoints:
    """What a match of the division is worth."""
    return records.MatchPoints(
        division.match_points_win, division.match_points_draw, division.match_points_loss
    )


def _table_team(team: Team) -> standings.TableTeam:
    adjustments = (
        records.Adjustment(row.match_points, row.game_points, row.reason)
        for row in team.adjustments.all()
    )
    return standings.TableTeam(
        team.pk, team.search_name, tuple(adjustments), team.state == TeamState.WITHDRAWN
    )


def _result(match: Match) -> records.MatchResult:
    return records.MatchResult(
        id=match.pk,
        home=match.home_id,
        away=match.away_id,
        home_halves=match.home_points,
        away_halves=match.away_points,
        complete=match.home_points is not None,
        round=match.round,
        played_on=match.played_on,
        defaulted_by=_defaulted_by(match),
    )


def _defaulted_by(match: Match) -> str | None:
    """Who did not turn up, if every board of a complete match was won by default."""
    if match.home_points is None or match.boards_defaulted < match.board_count:
        return None
    if not match.boards_home and not match.boards_away:
        return records.BOTH
    if not match.boards_away:
        return records.AWAY
    return None if match.boards_home else records.HOME


def _square(meeting: records.Meeting, match: Match) -> FormSquare:
    opponent = match.away if meeting.at_home else match.home
    won, drawn = meeting.outcome == records.WON, meeting.outcome == records.DRAWN
    if won:
        kind, letter = "w", pgettext("won", "W")
        words = _("won %(own)s–%(other)s v %(team)s")
    elif drawn:
        kind, letter = "d", pgettext("drawn", "D")
        words = _("drew %(own)s–%(other)s v %(team)s")
    else:
        kind, letter = "l", pgettext("lost", "L")
        words = _("lost %(own)s–%(other)s v %(team)s")
    score = {"own": halves(meeting.own), "other": halves(meeting.other), "team": opponent.name}
    return FormSquare(kind, letter, words % score, match.get_absolute_url())


def _marks(
    cell: Iterable[records.Meeting] | None, matches: dict[int, Match]
) -> tuple[CrossMark, ...] | None:
    return cell and tuple(_mark(meeting, matches[meeting.match]) for meeting in cell)


def _mark(meeting: records.Meeting, match: Match) -> CrossMark:
    opponent = match.away if meeting.at_home else match.home
    if meeting.outcome is None:
        own, words = "·", _("to play, v %(team)s") if meeting.at_home else _("to play, at %(team)s")
    else:
        own = halves(meeting.own)
        words = _("%(own)s–%(other)s v %(team)s")
        if not meeting.at_home:
            words = _("%(own)s–%(other)s at %(team)s")
    score = {"own": halves(meeting.own), "other": halves(meeting.other), "team": opponent.name}
    kinds = ["home" if meeting.at_home else "away"]
    if meeting.outcome in (None, records.WON):
        kinds.append("won" if meeting.outcome else "todo")
    return CrossMark(
        own=own,
        words=words % score,
        address=match.get_absolute_url(),
        kind=" ".join(kinds),
    )


def _letter(number: int) -> str:
    """a to z, then aa, ab and so on."""
    first, last = divmod(number, 26)
    return (_letter(first - 1) if first else "") + chr(ord("a") + last)
