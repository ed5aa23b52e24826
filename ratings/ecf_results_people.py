"""The player list of a results file: its people by PIN."""

from collections.abc import Iterable
from datetime import date

from django.utils.translation import gettext as _

from clubs.names import PersonName, ecf_code_ok, is_ecf_code, split_name
from clubs.sheets import plain_text

from .ecf_results_blocks import MOST_PROBLEMS, Record
from .ecf_results_entries import PlayerEntry, ResultsFile
from .ecf_results_values import MOST_LETTERS, MOST_LETTERS_OF_TITLE, ValueReader


class PeopleReader(ValueReader):
    """Adds the people to the file; `pins` are all that stand there, of those refused too."""

    def __init__(self, found: ResultsFile, today: date):
        super().__init__(found, today)
        self.pins: set[int] = set()
        self.all_pins_read = True
        self.code_of: dict[str, int] = {}

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
        self.all_pins_read &= pin != 0 and pin not in self.pins
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
