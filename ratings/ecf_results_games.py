"""The result groups of a results file: the games that were played, and when."""

from datetime import date

from django.utils.translation import gettext as _

from clubs.names import fold

from . import ecf_results_fields as grammar
from .ecf_results_blocks import MOST_PROBLEMS, Block, Record
from .ecf_results_entries import GameEntry, ResultsFile
from .ecf_results_people import PeopleReader
from .ecf_results_values import MOST_LETTERS_OF_TITLE, ValueReader

HIGHEST_BOARD = 999
HIGHEST_ROUND = 99

_COLOURS = {"white": "white", "w": "white", "black": "black", "b": "black", "unknown": "unknown"}


class GamesReader(ValueReader):
    """Adds the games to the file, once its event and its `people` are read."""

    def __init__(self, found: ResultsFile, today: date, people: PeopleReader):
        super().__init__(found, today)
        self.people = people
        self.number = 0

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
        if value is not None and value not in self.people.pins:
            if self.people.all_pins_read:
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
