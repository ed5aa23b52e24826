"""What is stored of a file's matches, locked, and which stored match each of them is."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Self

import pghistory
from django.db import connection

from clubs.changes import IMPORTED
from games.fixture_lists import fixtures
from games.match_cards.card_entries import BoardEntry, entry_of
from games.models import Board, BoardEvent, Match, MatchEvent, Team

from .meetings import Meeting

MARK = IMPORTED


@contextmanager
def history_of_import(*, by, source: str):
    """Let the history say that an import of this file did it, until the block ends."""
    with pghistory.context(user=getattr(by, "pk", None), why=source, **{MARK: True}):
        yield
    with connection.cursor() as cursor:
        # The database keeps the mark until the transaction ends, and others may write in it.
        cursor.execute("SELECT set_config('pghistory.context_metadata', '', true)")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a file says of a match beside its boards; scores are in half-points."""

    played_on: date | None
    round: int
    round_label: str
    board_count: int
    stated_home: int | None
    stated_away: int | None

    @classmethod
    def of(cls, match: Match | MatchEvent) -> Self:
        return cls(*(getattr(match, column.name) for column in fields(cls)))

    @classmethod
    def said_by(cls, meeting: Meeting, points: tuple[int, int]) -> Self:
        """What the file says; `points` are what the file's boards and the stored ones come to.

        A score that these boards come to is not stated beside them.
        """
        first = meeting.first
        day_and_round = (meeting.played_on, first.round, first.round_label)
        if meeting.stated in (None, points):
            return cls(*day_and_round, meeting.rows[-1].board, None, None)
        return cls(*day_and_round, meeting.board_count, *meeting.stated)


@dataclass(slots=True, eq=False)
class Matched:
    """A meeting with its match (stored, or new and without pk), and what has to be written."""

    meeting: Meeting
    match: Match
    is_new: bool
    facts_changed: bool = False
    new_boards: list[Board] = field(default_factory=list)
    changed_boards: list[Board] = field(default_factory=list)

    @property
    def is_touched(self) -> bool:
        """Whether anything has to be written."""
        return self.is_new or self.facts_changed or bool(self.new_boards or self.changed_boards)


class Stored:
    """The matches and boards of divisions as they stand, locked, and as imports wrote them."""

    def __init__(self, divisions: Collection[int]):
        matches = Match.objects.filter(division__in=divisions).order_by("pk")
        self._by_pairing: dict[tuple[int, int], list[Match]] = defaultdict(list)
        for match in matches.select_for_update(no_key=True):
            self._by_pairing[match.home_id, match.away_id].append(match)
        pks = [match.pk for pairing in self._by_pairing.values() for match in pairing]
        boards = Board.objects.filter(match__in=pks).order_by("pk")
        self._boards: dict[int, dict[int, Board]] = {pk: {} for pk in pks}
        for board in boards.select_for_update(no_key=True):
            self._boards[board.match_id][board.number] = board
        self._imported_facts = _imported_facts(pks)
        self._imported_boards = _imported_boards(pks)

    def boards(self, match: Match) -> dict[int, Board]:
        """The stored boards of a match by number, none if it is new."""
        return self._boards.get(match.pk, {})

    def scores(self, match: Match) -> dict[int, tuple[int, int] | None]:
        """The half-points of the boards that count for a match, None before there are any."""
        return {
            number: None if board.home_halves is None else (board.home_halves, board.away_halves)
            for number, board in self.boards(match).items()
            if board.counts_for_match
        }

    def imported_facts(self, match: Match) -> Facts | None:
        """What the last import wrote of a match, None if none did."""
        return self._imported_facts.get(match.pk)

    def imported_board(self, match: Match, number: int) -> BoardEntry | None:
        """What the last import wrote of a board, None if none did."""
        return self._imported_boards.get((match.pk, number))

    def pair(self, meetings: list[Meeting], home: Team, away: Team) -> Iterator[Matched]:
        """Each meeting of a pairing, in order, with its match.

        That is the one of its day, else the one of its round, else the next that has no card or
        no round; for whatever is left a new match is made.
        """
        waiting = sorted(self._by_pairing[home.pk, away.pk], key=lambda match: match.leg)
        leg = waiting[-1].leg if waiting else 0
        found: dict[Meeting, Match] = {}
        for is_it in (_same_day, _same_round, _next):
            for meeting in [meeting for meeting in meetings if meeting not in found]:
                match = next((match for match in waiting if is_it(meeting, match)), None)
                if match is not None:
                    found[meeting] = match
                    waiting.remove(match)
        for meeting in meetings:
            match = found.get(meeting)
            if match is None:
                leg += 1
                match = fixtures.new_match(home=home, away=away, leg=leg)
            match.division = home.division
            yield Matched(meeting, match, is_new=meeting not in found)


def _imported_facts(matches: Collection[int]) -> dict[int, Facts]:
    events = MatchEvent.objects.filter(pgh_obj__in=matches, pgh_context__contains={MARK: True})
    last = events.order_by("pgh_obj_id", "-pgh_id").distinct("pgh_obj_id")
    return {event.pgh_obj_id: Facts.of(event) for event in last}


def _imported_boards(matches: Collection[int]) -> dict[tuple[int, int], BoardEntry]:
    events = BoardEvent.objects.filter(match__in=matches, pgh_context__contains={MARK: True})
    last = events.order_by("match_id", "number", "-pgh_id").distinct("match_id", "number")
    return {(event.match_id, event.number): entry_of(event) for event in last}


def _same_day(meeting: Meeting, match: Match) -> bool:
    return meeting.played_on is not None and meeting.played_on == match.played_on


def _same_round(meeting: Meeting, match: Match) -> bool:
    said = (meeting.first.round, meeting.first.round_label)
    return said != (0, "") and said == (match.round, match.round_label)


def _next(meeting: Meeting, match: Match) -> bool:
    said = (meeting.first.round, meeting.first.round_label)
    no_round = (0, "") in (said, (match.round, match.round_label))
    return no_round or match.entered_at is None
