"""Reading the federation's results file: an event, its people, its games, or what is wrong."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.names import PersonName, ecf_code_ok, fold, is_ecf_code, split_name
from clubs.sheets import decode, plain_text

from . import ecf_results_fields as grammar
from .ecf_results_blocks import MOST_PROBLEMS, Block, LineProblem, Record, blocks_of

MOST_MINUTES = 1440
MOST_LETTERS = 100
MOST_LETTERS_OF_TITLE = 210
HIGHEST_BOARD = 999
HIGHEST_ROUND = 99
HIGHEST_INDEX = 99

_EVENT_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,19}")
_COLOURS = {"white": "white", "w": "white", "black": "black", "b": "black", "unknown": "unknown"}


@dataclass(frozen=True, slots=True)
class EventEntry:
    """What the file says of its event; `minutes` are those of all sessions together.

    `line` is that of the submission index.
    """

    line: int
    code: str
    index: int
    name: str
    starts_on: date
    ends_on: date
    minutes: int
    increment_seconds: int


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    """A person of the file; what it does not say is None or blank."""

    line: int
    pin: int
    code: str | None
    name: PersonName
    gender: str | None
    born_on: date | None
    fide_id: int | None
    club: str
    club_code: str

    @property
    def listed_name(self) -> str:
        return f"{self.name.surname}, {self.name.forenames}".rstrip(", ")


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game that was played; `halves` are the first side's half-points.

    `number` is its place in the file. `white` says who had White: 1, 2, or 0 for not known.
    `round` and `board` are 0 where the file says none.
    """

    line: int
    number: int
    title: str
    first: int
    second: int
    halves: int
    played_on: date
    round: int
    board: int
    white: int


@dataclass(slots=True)
class ResultsFile:
    """A file as it was read; with `problems` the rest may be incomplete.

    `digest` is the SHA-256 of its text, whatever its line ends and encoding.
    """

    digest: str = ""
    event: EventEntry | None = None
    players: dict[int, PlayerEntry] = field(default_factory=dict)
    games: list[GameEntry] = field(default_factory=list)
    defaults: int = 0
    problems: list[LineProblem] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


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
    reader = _Reader(found, today)
    for block in blocks:
        if block.header.name == grammar.EVENT_DETAILS:
            found.event = reader.event(block)
    for block in blocks:
        if block.header.name == grammar.PLAYER_LIST:
            reader.players(block.records)
    for block in blocks:
        if block.header.name in grammar.RESULTS:
            reader.results(block)
    if found.defaults:
        sentence = ngettext(
            "%d game was won by default and is not rated.",
            "%d games were won by default and are not rated.",
            found.defaults,
        )
        found.notices.append(sentence % found.defaults)
    return found


class _Reader:
    """Reads the fields of records into entries; adds what is wrong to the file's problems."""

    def __init__(self, found: ResultsFile, today: date):
        self.found = found
        self.today = today
        self.number = 0
        self.pins: set[int] = set()
        self.all_pins_read = True
        self.code_of: dict[str, int] = {}

    def refuse(self, record: Record, name: str, expected: str) -> None:
        """Note a problem at a field, or at the record's line where it has none of this name."""
        given = record.fields.get(name)
        line = record.line if given is None else given.line
        value = "" if given is None else given.value or ""
        self.found.problems.append(LineProblem(line, name, value, expected))

    # --- Fields --------------------------------------------------------------------------

    def text(
        self, record: Record, name: str, *, needed: bool = False, length: int = MOST_LETTERS
    ) -> str:
        value = record.value(name)
        try:
            if needed and not value:
                raise ValueError(_("it is missing"))
            return plain_text(value, length=length)
        except ValueError as error:
            self.refuse(record, name, str(error))
            return ""

    def number_of(
        self, record: Record, name: str, allowed: range, *, needed: bool = False
    ) -> int | None:
        value = record.value(name)
        if not value and not needed:
            return None
        if value.isascii() and value.isdecimal() and len(value) <= 9 and int(value) in allowed:
            return int(value)
        words = {"first": allowed[0], "last": allowed[-1]}
        self.refuse(record, name, _("expected a number from %(first)d to %(last)d") % words)
        return None

    def day(self, record: Record, name: str, *, needed: bool = False) -> date | None:
        value = record.value(name)
        if not value and not needed:
            return None
        try:
            return grammar.date_of(value)
        except ValueError:
            self.refuse(record, name, _("expected a day as dd/mm/yyyy"))
            return None

    # --- The event -----------------------------------------------------------------------

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

    # --- People --------------------------------------------------------------------------

    def players(self, records: Iterable[Record]) -> None:
        if any(problem.column == "PIN" for problem in self.found.problems):
            self.all_pins_read = False
        for record in records:
            before = len(self.found.problems)
            if before > MOST_PROBLEMS:
                return
            player = self.player(record)
            if len(self.found.problems) == before:
                self.found.players[player.pin] = player

    def player(self, record: Record) -> PlayerEntry:
        pin = self.number_of(record, "PIN", range(1, 10**9), needed=True) or 0
        if pin in self.pins:
            self.refuse(record, "PIN", _("expected each PIN once"))
        # Else each game of somebody whose PIN is wrong would be named too.
        self.all_pins_read &= pin not in (0, *self.pins)
        self.pins.add(pin)
        entry = PlayerEntry(
            line=record.line,
            pin=pin,
            code=self.player_code(record, pin),
            name=self.name(record),
            gender=self.gender(record),
            born_on=self.day(record, "DATE OF BIRTH"),
            fide_id=self.number_of(record, "FIDE NO", range(10**9)) or None,
            club=self.text(record, "CLUB NAME"),
            club_code=self.text(record, "CLUB CODE"),
        )
        if entry.born_on is not None and entry.born_on > self.today:
            self.refuse(record, "DATE OF BIRTH", _("expected a day that has come"))
        if entry.code is None and not (entry.club or entry.club_code):
            self.refuse(record, "CLUB NAME", _("expected a club, for there is no code"))
        return entry

    def player_code(self, record: Record, pin: int) -> str | None:
        code = record.value("ECF CODE").upper()
        if not code:
            return None
        if not is_ecf_code(code):
            expected = _("expected a code of six digits and a letter (A–L, no I), like 900101D")
            self.refuse(record, "ECF CODE", expected)
            return None
        if code in self.code_of:
            words = {"code": code, "first": self.code_of[code], "second": pin}
            sentence = _("%(code)s has two PINs, %(first)d and %(second)d: taken for one person.")
            self.found.notices.append(sentence % words)
        elif not ecf_code_ok(code):
            sentence = _("Line %(line)d: the letter of %(code)s does not fit its digits.")
            self.found.notices.append(sentence % {"line": record.line, "code": code})
        self.code_of.setdefault(code, pin)
        return code

    def name(self, record: Record) -> PersonName:
        """`NAME`, or `SURNAME` with `FORENAME` or `INITIALS`."""
        by = "SURNAME" if record.value("SURNAME") and not record.value("NAME") else "NAME"
        forename = record.value("FORENAME") or record.value("INITIALS")
        whole = record.value("NAME") or f"{record.value('SURNAME')}, {forename}".rstrip(", ")
        try:
            if not whole:
                raise ValueError(_("it is missing"))
            name = split_name(plain_text(whole, length=MOST_LETTERS_OF_TITLE))
            if max(map(len, name)) > MOST_LETTERS:
                raise ValueError(_("expected at most %d characters") % MOST_LETTERS)
            return name
        except ValueError as error:
            self.refuse(record, by, str(error))
            return PersonName("", "")

    def gender(self, record: Record) -> str | None:
        value = record.value("GENDER").upper()
        if value in ("", "M", "F"):
            return value or None
        self.refuse(record, "GENDER", _("expected M, F or blank"))
        return None

    # --- Games ---------------------------------------------------------------------------

    def results(self, block: Block) -> None:
        title = self.text(
            block.details, block.header.name, needed=True, length=MOST_LETTERS_OF_TITLE
        )
        white_on = fold(block.details.value("WHITE ON")) or "unknown"
        if white_on not in grammar.WHITE_ON:
            expected = _("expected All, Odd, Even, None or Unknown")
            self.refuse(block.details, "WHITE ON", expected)
            white_on = "unknown"
        usual_day = self.day_of_event(block.details, "RESULTS DATE")
        days_wrong = usual_day is None and bool(block.details.value("RESULTS DATE"))
        seen: dict[tuple, int] = {}
        for record in block.records:
            self.number += 1
            before = len(self.found.problems)
            if before > MOST_PROBLEMS:
                return
            game = self.game(record, block.header.name, title, white_on, usual_day, days_wrong)
            if game is not None and len(self.found.problems) == before:
                self.once(record, game, seen)
                self.found.games.append(game)

    def once(self, record: Record, game: GameEntry, seen: dict[tuple, int]) -> None:
        """Refuse a game that stands in its group already; two people may meet twice in a day."""
        pair = (min(game.first, game.second), max(game.first, game.second))
        place = (*pair, game.played_on, game.round, game.board)
        if place in seen and (game.round or game.board):
            self.refuse(record, "PIN1", _("line %d has this game") % seen[place])
        seen.setdefault(place, record.line)

    def game(
        self,
        record: Record,
        kind: str,
        title: str,
        white_on: str,
        usual_day: date | None,
        days_wrong: bool,
    ) -> GameEntry | None:
        """The game of a record; None for one that nobody played."""
        score = record.value("SCORE").lower()
        default = score in grammar.DEFAULTS
        if not default and score not in grammar.SCORES:
            self.refuse(record, "SCORE", _("expected 10, 01 or 55, or a default 1d, d1 or dd"))
        first, second = (self.pin(record, name, default) for name in ("PIN1", "PIN2"))
        board = self.number_of(record, "BOARD", range(1, HIGHEST_BOARD + 1)) or 0
        round_number = self.number_of(record, "ROUND", range(1, HIGHEST_ROUND + 1)) or 0
        colour = fold(record.value("COLOUR"))
        if colour and colour not in _COLOURS:
            self.refuse(record, "COLOUR", _("expected White, Black or Unknown"))
        if default:
            self.found.defaults += 1
            return None
        day = self.day_of_game(record, kind, usual_day, days_wrong)
        if first is None or second is None or day is None or score not in grammar.SCORES:
            return None
        if first == second or self.is_one_person(first, second):
            self.refuse(record, "PIN2", _("expected two people"))
        had_white = grammar.first_has_white(white_on, board)
        by_rule = {True: 1, False: 2, None: 0}[had_white]
        return GameEntry(
            line=record.line,
            number=self.number,
            title=title,
            first=first,
            second=second,
            halves=grammar.SCORES[score],
            played_on=day,
            round=round_number,
            board=board,
            white={"white": 1, "black": 2, "unknown": 0}[_COLOURS[colour]]
            if colour in _COLOURS
            else by_rule,
        )

    def pin(self, record: Record, name: str, default: bool) -> int | None:
        """The PIN of a side; None where it is wrong, and for nobody in a default."""
        value = self.number_of(record, name, range(10**9), needed=True)
        if value == 0 and default:
            return None
        if value is not None and value not in self.pins:
            if self.all_pins_read:
                self.refuse(record, name, _("expected a PIN of the player list"))
            return None
        return value

    def is_one_person(self, first: int, second: int) -> bool:
        codes = [
            player.code
            for player in map(self.found.players.get, (first, second))
            if player is not None and player.code is not None
        ]
        return len(codes) == 2 and codes[0] == codes[1]

    def day_of_game(
        self, record: Record, kind: str, usual_day: date | None, days_wrong: bool
    ) -> date | None:
        """`GAME DATE`, else `RESULTS DATE`, else the day of an event of one day.

        `days_wrong` says that the group has a date which is refused already.
        """
        event = self.found.event
        if record.value("GAME DATE") or kind == grammar.OTHER_RESULTS:
            return self.day_of_event(record, "GAME DATE", needed=True)
        if usual_day is None and event is not None and event.starts_on == event.ends_on:
            return event.starts_on
        if usual_day is None and not days_wrong:
            self.refuse(record, "GAME DATE", _("expected a day here or in RESULTS DATE"))
        return usual_day

    def day_of_event(self, record: Record, name: str, *, needed: bool = False) -> date | None:
        """A day on which the event was played; None where there is none, or a wrong one."""
        day, event = self.day(record, name, needed=needed), self.found.event
        if day is None:
            return None
        if event is not None and not event.starts_on <= day <= event.ends_on:
            words = {"first": event.starts_on, "last": event.ends_on}
            sentence = _("expected a day of the event, from %(first)s to %(last)s") % words
        elif day > self.today:
            sentence = _("%s is still to come; expected no result yet") % day
        else:
            return day
        self.refuse(record, name, sentence)
        return None
