"""What an import has to write: a file's matches beside the stored ones, and whose word holds.

What an import wrote, another import may change. What somebody changed since, on the card or
otherwise, stays and is reported; the history says what the last import wrote.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import date

from django.utils.translation import gettext as _

from clubs.directory import Found
from clubs.sheets import Problem
from games.match_cards.card_entries import BoardEntry, entry_of
from games.models import Board, Match, MatchState
from games.templatetags.topboard import halves

from .meetings import Meeting
from .result_file import ResultRow, still_to_come
from .result_matching import Facts, Matched, Stored

SIDES = ("HomePlayer", "AwayPlayer")


class Comparison:
    """Compares meetings with their matches; counts, and notes what to report and to refuse.

    `players` says who sits on a row's side, without those where nobody does.
    """

    def __init__(self, stored: Stored, players: Mapping[tuple[ResultRow, str], Found], today: date):
        self.stored = stored
        self.players = players
        self.today = today
        self.notices: list[str] = []
        self.problems: list[Problem] = []
        self.new_rows = 0
        self.changed_rows = 0

    def compare(self, matched: Matched) -> None:
        """Fill in what has to be written of this meeting."""
        meeting = matched.meeting
        points = meeting.points_over(self.stored.scores(matched.match))
        if meeting.stated not in (None, points):
            self.notices.append(_disagreement(meeting, points))
        self._compare_facts(matched, points)
        self._nothing_to_come(matched)
        line_up = dict(self.stored.boards(matched.match))
        touched = set()
        for row in [] if meeting.is_blank else meeting.rows:
            board = self._compare_board(matched, row)
            if board is not None:
                line_up[row.board] = board
                touched.add(row)
        self._each_player_once(meeting, line_up)
        self._report_missing(meeting, line_up)
        self._count(matched, touched)

    def _compare_facts(self, matched: Matched, points: tuple[int, int]) -> None:
        match, meeting = matched.match, matched.meeting
        said, now = Facts.said_by(meeting, points), Facts.of(match)
        if not matched.is_new:
            highest = max(self.stored.boards(match), default=0)
            said = _with_gaps_filled(said, now, meeting, highest)
        for name in [column.name for column in fields(Facts)]:
            if getattr(now, name) == getattr(said, name):
                continue
            if self._may_change(matched, name):
                setattr(match, name, getattr(said, name))
                matched.facts_changed = True
            else:
                self.notices.append(_kept(meeting, name, now, said))
        postponed = match.state == MatchState.POSTPONED
        if postponed and match.played_on is not None and not meeting.is_blank:
            match.state = MatchState.ARRANGED
            matched.facts_changed = True

    def _nothing_to_come(self, matched: Matched) -> None:
        """Refuse results without a date of a match that is stored for a day to come."""
        day = matched.match.played_on
        if day is None or day <= self.today:
            return
        for row in matched.meeting.rows:
            if row.played_on is None and row.says_a_result:
                self.problems.append(row.row.problem("Date", still_to_come(day)))

    def _may_change(self, matched: Matched, name: str) -> bool:
        """Whether a fact of a match is the file's to change: nobody but an import has said it."""
        match = matched.match
        if match.entered_at is None:
            return True
        if name.startswith("stated_") and match.entered_by_id is not None:
            return False
        imported = self.stored.imported_facts(match)
        return imported is not None and getattr(imported, name) == getattr(match, name)

    def _compare_board(self, matched: Matched, row: ResultRow) -> Board | None:
        """The board as it has to be written, None where what is stored stays."""
        match = matched.match
        said = self._entry(matched.meeting, row)
        board = self.stored.boards(match).get(row.board)
        imported = self.stored.imported_board(match, row.board)
        if board is None and imported is None and match.entered_by_id is None:
            board = _filled(Board(match=match), said)
            matched.new_boards.append(board)
            return board
        now = None if board is None else entry_of(board)
        if now == said:
            return None
        if board is not None and now == imported:
            matched.changed_boards.append(_filled(board, said))
            return board
        self.notices.append(
            _("Row %(row)d: board %(board)d of %(match)s was changed by hand and is kept.")
            % {"row": row.row.number, "board": row.board, "match": matched.meeting}
        )
        return None

    def _entry(self, meeting: Meeting, row: ResultRow) -> BoardEntry:
        home, away = (self.players.get((row, side)) for side in SIDES)
        return BoardEntry(
            number=row.board,
            home=None if home is None else home.player.pk,
            away=None if away is None else away.player.pk,
            home_colour=row.home_colour,
            result=row.result,
            award=row.award,
            played_on=meeting.own_date(row),
        )

    def _each_player_once(self, meeting: Meeting, line_up: dict[int, Board]) -> None:
        """Refuse a player who is twice in the file's match, or also on a board kept by hand."""
        seats: dict[int, int] = {}
        rows = {row.board: row for row in meeting.rows}
        for number, board in sorted(line_up.items()):
            for side, pk in zip(SIDES, (board.home_player_id, board.away_player_id), strict=True):
                row = rows.get(number)
                if pk is not None and pk in seats and row is not None:
                    sentence = _("expected each player once in a match; board %d has the same")
                    self.problems.append(row.row.problem(side, sentence % seats[pk]))
                seats.setdefault(pk, number)

    def _report_missing(self, meeting: Meeting, line_up: dict[int, Board]) -> None:
        """Say which stored boards the file has no row for; they stay."""
        missing = sorted(set(line_up) - {row.board for row in meeting.rows})
        if missing:
            self.notices.append(
                _("%(match)s: the file has no row for board %(boards)s; kept as stored.")
                % {"match": meeting, "boards": ", ".join(map(str, missing))}
            )

    def _count(self, matched: Matched, touched: set[ResultRow]) -> None:
        new_boards = {board.number for board in matched.new_boards}
        for row in matched.meeting.rows:
            people = [self.players.get((row, side)) for side in SIDES]
            if matched.is_new or row.board in new_boards:
                self.new_rows += 1
            elif (
                matched.facts_changed
                or row in touched
                or any(who and who.changed for who in people)
            ):
                self.changed_rows += 1


def own_dates(meeting: Meeting) -> list[str]:
    """A sentence for each board that was not played on the day of its match."""
    return [
        _("Row %(row)d: board %(board)d of %(match)s has a date of its own, %(day)s.")
        % {
            "row": row.row.number,
            "board": row.board,
            "match": meeting,
            "day": meeting.own_date(row),
        }
        for row in meeting.rows
        if meeting.own_date(row) is not None
    ]


def _with_gaps_filled(said: Facts, now: Facts, meeting: Meeting, highest_board: int) -> Facts:
    """What the file says, and where it says nothing what is stored: no board goes."""
    if said.played_on is None:
        said = replace(said, played_on=now.played_on)
    if (said.round, said.round_label) == (0, ""):
        said = replace(said, round=now.round, round_label=now.round_label)
    if meeting.is_blank:
        return replace(said, board_count=now.board_count)
    return replace(said, board_count=max(said.board_count, highest_board))


def _disagreement(meeting: Meeting, points: tuple[int, int]) -> str:
    return _(
        "%(match)s: the file states %(stated)s, its boards come to %(boards)s; kept as stated."
    ) % {
        "match": meeting,
        "stated": " - ".join(map(halves, meeting.stated)),
        "boards": " - ".join(map(halves, points)),
    }


def _kept(meeting: Meeting, name: str, now: Facts, said: Facts) -> str:
    return _("%(match)s, %(fact)s: %(kept)s by hand is kept, the file says %(said)s.") % {
        "match": meeting,
        "fact": Match._meta.get_field(name).verbose_name,
        "kept": _words(name, getattr(now, name)),
        "said": _words(name, getattr(said, name)),
    }


def _words(name: str, value: date | int | str | None) -> str:
    if value is None or value == "":
        return _("none")
    return halves(value) if name.startswith("stated_") else str(value)


def _filled(board: Board, entry: BoardEntry) -> Board:
    """The board with everything that the entry says."""
    board.number = entry.number
    board.home_player_id = entry.home
    board.away_player_id = entry.away
    board.home_colour = entry.home_colour
    board.result = entry.result
    board.award = entry.award
    board.award_home = entry.award_home
    board.award_away = entry.award_away
    board.award_reason = entry.award_reason
    board.played_on = entry.played_on
    board.counts_for_match = entry.counts_for_match
    board.unfinished = entry.unfinished
    return board
