"""Reading the federation's results file: an event, its people, its games, or what is wrong."""

import hashlib
import re
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.names import fold
from clubs.sheets import decode

from . import ecf_results_fields as grammar
from .ecf_results_blocks import Block, LineProblem, Record, blocks_of
from .ecf_results_entries import EventEntry, ResultsFile
from .ecf_results_games import GamesReader
from .ecf_results_people import PeopleReader
from .ecf_results_values import MOST_LETTERS, ValueReader

MOST_MINUTES = 1440
HIGHEST_INDEX = 99

_EVENT_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,19}")


def read_results_file(content: bytes, today: date) -> ResultsFile:
    """The event, people and games of a file; a game of a day after `today` is a problem.

    Text is UTF-8 with or without its mark, or Windows-1252. Never raises: what is wrong stands
    in `problems`, each with its line and field.
    """
    found = ResultsFile()
    try:
        text = decode(content)
    except ValueError as error:
        found.problems.append(LineProblem(0, "", "", str(error)))
        return found
    found.digest = hashlib.sha256("\n".join(text.splitlines()).encode()).hexdigest()
    blocks, found.problems, found.notices = blocks_of(text)
    for block in blocks:
        if block.header.name == grammar.EVENT_DETAILS:
            found.event = EventReader(found, today).event(block)
    people = PeopleReader(found, today)
    for block in blocks:
        if block.header.name == grammar.PLAYER_LIST:
            people.players(block.records)
    games = GamesReader(found, today, people)
    for block in blocks:
        if block.header.name in grammar.RESULTS:
            games.results(block)
    if found.defaults:
        sentence = ngettext(
            "%d game was won by default and is not rated.",
            "%d games were won by default and are not rated.",
            found.defaults,
        )
        found.notices.append(sentence % found.defaults)
    return found


class EventReader(ValueReader):
    """Reads what stands under the file's first header."""

    def event(self, block: Block) -> EventEntry | None:
        record, before = block.details, len(self.found.problems)
        for name in grammar.EVENT_MANDATORY:
            if not record.value(name):
                self.refuse(record, name, _("it is missing"))
        name = self.text(record, "EVENT NAME", length=2 * MOST_LETTERS)
        index = self.number_of(record, "SUBMISSION INDEX", range(HIGHEST_INDEX + 1))
        starts_on, ends_on = self.day(record, "EVENT DATE"), self.day(record, "FINAL RESULT DATE")
        code = record.value("EVENT CODE")
        if code and not _EVENT_CODE.fullmatch(code):
            self.refuse(record, "EVENT CODE", _("expected up to 20 letters and digits"))
        if starts_on is not None and ends_on is not None and starts_on > ends_on:
            self.refuse(record, "FINAL RESULT DATE", _("expected no day before EVENT DATE"))
        minutes, seconds = self.time_limit(record)
        if "online" in fold(record.value("ENVIRONMENT")):
            self.refuse(record, "ENVIRONMENT", _("games played online have no rating here"))
        if len(self.found.problems) > before:
            return None
        return EventEntry(
            line=record.fields["SUBMISSION INDEX"].line,
            code=code.upper(),
            index=index,
            name=name,
            starts_on=starts_on,
            ends_on=ends_on,
            minutes=minutes,
            increment_seconds=seconds,
        )

    def time_limit(self, record: Record) -> tuple[int, int]:
        """Minutes of all sessions and seconds a move, of the one set of fields there is."""
        seconds = self.number_of(record, "SECONDS PER MOVE", range(3601)) or 0
        first, second = grammar.FIRST_SESSION, grammar.SECOND_SESSION
        sessions = [*first, *second, grammar.REST_OF_GAME]
        given = [name for name in sessions if record.value(name)]
        if not given:
            minutes = self.number_of(
                record, grammar.GAME_MINUTES, range(MOST_MINUTES + 1), needed=True
            )
            if (minutes, seconds) == (0, 0):
                self.refuse(record, grammar.GAME_MINUTES, _("expected some time for the game"))
            return minutes or 0, seconds
        if record.value(grammar.GAME_MINUTES):
            self.refuse(record, given[0], _("expected no session beside MINUTES FOR GAME"))
            return 0, seconds
        wanted = [*first, *(second if set(second) & set(given) else ()), grammar.REST_OF_GAME]
        numbers = {
            name: self.number_of(record, name, range(1, MOST_MINUTES + 1), needed=True)
            for name in wanted
        }
        return sum(numbers[name] or 0 for name in wanted if "MINUTES" in name), seconds
