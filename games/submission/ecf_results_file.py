"""Writing the federation's results file, from plain values to its text.

The grammar stands in `ratings.ecf_results_fields` (rules/formats.md, ECF results file). We write
`WHITE ON=Unknown` and a `COLOUR` with each game whose colours are known, a `GAME DATE` with every
game, and no game that was not played.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from clubs.transliteration import UNKNOWN, ascii_form
from ratings import ecf_results_fields as grammar

_TOKENS = {halves: token for token, halves in grammar.SCORES.items()}
LINE_END = "\r\n"


@dataclass(frozen=True, slots=True)
class EventLines:
    """The event of a file; an address has a line a line."""

    code: str
    index: int
    name: str
    starts_on: date
    ends_on: date
    results_officer: str
    results_officer_address: Sequence[str]
    treasurer: str
    treasurer_address: Sequence[str]
    minutes: int
    increment_seconds: int


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A person of a file; what is None or blank is not written.

    Gender and birth date are written only without a code: with one the federation knows them.
    """

    pin: int
    surname: str
    forenames: str = ""
    code: str | None = None
    gender: str | None = None
    born_on: date | None = None
    club: str = ""
    club_code: str | None = None
    membership_number: str | None = None
    fide_id: int | None = None

    @property
    def name(self) -> str:
        return written_name(self.surname, self.forenames)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of a match: `halves` are the first side's, `first_is_white` is None if not known."""

    first: int
    second: int
    halves: int
    played_on: date
    board: int
    first_is_white: bool | None


@dataclass(frozen=True, slots=True)
class MatchLines:
    """A match by its title, with its games."""

    title: str
    games: Sequence[GameLine]


def written(text: str) -> str:
    """A text as a value of the file: ASCII, on one line, and without the `#` that ends values."""
    return ascii_form(text).replace("#", UNKNOWN)


def is_lost(text: str) -> bool:
    """Whether a letter of the text has no form in the file and stands there as `?`."""
    return written(text).count(UNKNOWN) > text.count(UNKNOWN)


def written_name(surname: str, forenames: str) -> str:
    """A name as the file has it: `Surname, Forename`; a comma ends the surname."""
    surname, forenames = written(surname).replace(",", " "), written(forenames)
    return f"{' '.join(surname.split())}, {forenames}" if forenames else surname


def file_name(code: str, index: int) -> str:
    """The name under which the rating officer expects a file."""
    return f"{code}{index:02d}.txt"


def results_file(
    event: EventLines, players: Iterable[PlayerLine], matches: Iterable[MatchLines]
) -> str:
    """The text of a file; people and matches in the order given."""
    lines = [*_event(event), _header(grammar.PLAYER_LIST), *map(_player, players)]
    for match in matches:
        lines.append(_fields((grammar.MATCH_RESULTS, match.title)))
        lines.append(_fields(("WHITE ON", "Unknown")))
        lines += map(_game, match.games)
    lines.append(_header(grammar.FINISH))
    return "".join(line + LINE_END for line in lines)


def _event(event: EventLines) -> Iterable[str]:
    pairs = [
        ("EVENT CODE", event.code),
        ("EVENT NAME", event.name),
        ("SUBMISSION INDEX", event.index),
        ("EVENT DATE", grammar.written_date(event.starts_on)),
        ("FINAL RESULT DATE", grammar.written_date(event.ends_on)),
        ("RESULTS OFFICER", event.results_officer),
        *(("RESULTS OFFICER ADDRESS", line) for line in event.results_officer_address),
        ("TREASURER", event.treasurer),
        *(("TREASURER ADDRESS", line) for line in event.treasurer_address),
        (grammar.GAME_MINUTES, event.minutes),
        ("SECONDS PER MOVE", event.increment_seconds),
    ]
    return [_header(grammar.EVENT_DETAILS), *map(_fields, pairs)]


def _player(player: PlayerLine) -> str:
    unknown = player.code is None
    return _fields(
        ("PIN", player.pin),
        ("ECF CODE", player.code),
        ("NAME", player.name),
        ("GENDER", player.gender if unknown else None),
        (
            "DATE OF BIRTH",
            grammar.written_date(player.born_on) if unknown and player.born_on else None,
        ),
        ("CLUB NAME", player.club),
        ("CLUB CODE", player.club_code),
        ("ECF NO", player.membership_number),
        ("FIDE NO", player.fide_id),
    )


def _game(game: GameLine) -> str:
    colours = {True: "WHITE", False: "BLACK", None: None}
    return _fields(
        ("PIN1", game.first),
        ("SCORE", _TOKENS[game.halves]),
        ("PIN2", game.second),
        ("GAME DATE", grammar.written_date(game.played_on)),
        ("BOARD", game.board),
        ("COLOUR", colours[game.first_is_white]),
    )


def _header(name: str) -> str:
    return f"#{name}"


def _fields(*pairs: tuple[str, str | int | None]) -> str:
    """Fields on one line, those without a value left out."""
    return "".join(
        f"#{name}={written(str(value))}" for name, value in pairs if value not in (None, "")
    )
