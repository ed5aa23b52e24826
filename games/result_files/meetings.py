"""The rows of a results file put together as matches.

A match is division, home team, away team and the nth time they meet so; the round is only what
it is called. Nothing here looks at the database.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from clubs.names import fold
from clubs.sheets import Problem
from games.models import HomeColour
from games.templatetags.topboard import halves

from .result_file import ResultRow


@dataclass(slots=True, eq=False)
class Meeting:
    """One match as the file has it, its rows by board.

    `stated` is the score in half-points that the file gives the match, None if it gives none;
    `board_count` is how many boards it must have had.
    """

    rows: list[ResultRow]
    played_on: date | None
    stated: tuple[int, int] | None = None
    board_count: int = 0

    @property
    def first(self) -> ResultRow:
        return self.rows[0]

    @property
    def is_blank(self) -> bool:
        """Whether it is only a fixture: no board says anything."""
        return all(row.is_blank for row in self.rows)

    @property
    def points(self) -> tuple[int, int]:
        """The half-points of home and away on the boards of the file."""
        return self.points_over({})

    def points_over(self, stored: Mapping[int, tuple[int, int] | None]) -> tuple[int, int]:
        """The half-points once the file's boards lie over these, None where nothing is decided."""
        boards = dict(stored)
        if not self.is_blank:
            boards |= {row.board: row.halves for row in self.rows}
        scores = [score for score in boards.values() if score is not None]
        return sum(home for home, _away in scores), sum(away for _home, away in scores)

    @property
    def agrees(self) -> bool:
        """Whether the stated score, if any, is what the boards of the file come to."""
        return self.stated is None or self.stated == self.points

    def own_date(self, row: ResultRow) -> date | None:
        """The date of a board that was not played with the others."""
        return None if row.played_on == self.played_on else row.played_on

    def __str__(self):
        day = f", {self.played_on}" if self.played_on else ""
        return f"{self.first.home} v {self.first.away}{day}"


def meetings_of(
    rows: Iterable[ResultRow], board_counts: Mapping[str, int]
) -> tuple[list[Meeting], list[Problem]]:
    """All matches of the file, those of one pairing in order, and the rows that contradict others.

    `board_counts` holds the boards a match has in the divisions that are known, by folded name.
    """
    pairings: dict[tuple[str, str, str], list[ResultRow]] = defaultdict(list)
    for row in rows:
        pairings[fold(row.division), fold(row.home), fold(row.away)].append(row)
    meetings: list[Meeting] = []
    problems: list[Problem] = []
    for pairing in pairings.values():
        for meeting in _in_order(_join(_split(pairing))):
            problems += _one_round(meeting)
            problems += _one_score(meeting)
            problems += _each_board_once(meeting)
            meetings.append(meeting)
    problems += _count_boards(meetings, board_counts)
    return meetings, problems


def home_colour_of(rows: Iterable[ResultRow]) -> str:
    """Which rule of colours the boards of a division follow, if they follow one."""
    odd_is_white = {
        (row.board % 2 == 1) == (row.home_colour == "white")
        for row in rows
        if row.home_colour != "unknown"
    }
    if odd_is_white == {True}:
        return HomeColour.ODD
    return HomeColour.EVEN if odd_is_white == {False} else HomeColour.UNKNOWN


def _split(pairing: list[ResultRow]) -> list[list[ResultRow]]:
    """The rows of each round and day; the largest first."""
    parts: dict[tuple, list[ResultRow]] = defaultdict(list)
    for row in pairing:
        parts[row.round, row.round_label, row.played_on].append(row)
    return sorted(parts.values(), key=lambda rows: (-len(rows), rows[0].played_on or date.max))


def _join(parts: list[list[ResultRow]]) -> list[Meeting]:
    """The parts of one match together: boards with a date of their own, or a slip in the round."""
    meetings: list[Meeting] = []
    for part in parts:
        for meeting in meetings:
            if _is_part_of(part, meeting):
                meeting.rows += part
                break
        else:
            meetings.append(Meeting(rows=list(part), played_on=part[0].played_on))
    for meeting in meetings:
        meeting.rows.sort(key=lambda row: (row.board, row.row.number))
    return meetings


def _is_part_of(part: list[ResultRow], meeting: Meeting) -> bool:
    """Whether these rows of the same round or day fill gaps of the match and state its score."""
    one, other = part[0], meeting.rows[0]
    if _round(one) != _round(other) and one.played_on != meeting.played_on:
        return False
    same_score = (one.stated_home, one.stated_away) == (other.stated_home, other.stated_away)
    taken = {row.board for row in meeting.rows}
    return same_score and taken.isdisjoint(row.board for row in part)


def _round(row: ResultRow) -> tuple[int, str]:
    return row.round, row.round_label


def _in_order(meetings: list[Meeting]) -> list[Meeting]:
    """Those of one pairing as they were played: the first is leg 1."""
    return sorted(
        meetings,
        key=lambda meeting: (
            meeting.played_on or date.max,
            meeting.first.round,
            meeting.first.row.number,
        ),
    )


def _one_round(meeting: Meeting) -> Iterator[Problem]:
    """The rows that call the round otherwise than most rows of the match."""
    usual = Counter(map(_round, meeting.rows)).most_common(1)[0][0]
    for row in meeting.rows:
        if _round(row) != usual:
            words = usual[1] or (str(usual[0]) if usual[0] else _("a blank"))
            yield row.row.problem("Round", _("expected %s as in the rest of this match") % words)


def _one_score(meeting: Meeting) -> Iterator[Problem]:
    """Give the meeting the score that its rows state; the rows that state another."""
    scores = Counter((row.stated_home, row.stated_away) for row in meeting.rows)
    stated = scores.most_common(1)[0][0]
    for row in meeting.rows:
        for column, own, usual in (
            ("HTScore", row.stated_home, stated[0]),
            ("ATScore", row.stated_away, stated[1]),
        ):
            if own != usual:
                words = _("a blank") if usual is None else halves(usual)
                yield row.row.problem(column, _("expected %s as in the rest of this match") % words)
    if None not in stated:
        meeting.stated = stated
    elif stated != (None, None):
        column = "HTScore" if stated[0] is None else "ATScore"
        yield meeting.first.row.problem(column, _("expected the score of both teams, or of none"))


def _each_board_once(meeting: Meeting) -> Iterator[Problem]:
    rows: dict[int, int] = {}
    for row in meeting.rows:
        if row.board in rows:
            sentence = _("expected each board once in a match; row %d has it as well")
            yield row.row.problem("Board", sentence % rows[row.board])
        rows.setdefault(row.board, row.row.number)


def _count_boards(meetings: list[Meeting], board_counts: Mapping[str, int]) -> Iterator[Problem]:
    """Give each meeting its number of boards: as many as the division has, if its own fall short.

    A stated score beyond that is impossible and is refused.
    """
    of_division = Counter(board_counts)
    for meeting in meetings:
        division = fold(meeting.first.division)
        of_division[division] = max(of_division[division], meeting.rows[-1].board)
    for meeting in meetings:
        meeting.board_count = meeting.rows[-1].board
        if meeting.agrees:
            continue
        meeting.board_count = of_division[fold(meeting.first.division)]
        if sum(meeting.stated) > 2 * meeting.board_count:
            sentence = _("expected at most %(most)d points together with ATScore %(away)s")
            words = {"most": meeting.board_count, "away": halves(meeting.stated[1])}
            yield meeting.first.row.problem("HTScore", sentence % words)
