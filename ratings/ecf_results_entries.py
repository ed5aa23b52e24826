"""What a results file says: its event, its people and its games, as plain values."""

from dataclasses import dataclass, field
from datetime import date

from clubs.names import PersonName

from .ecf_results_blocks import LineProblem


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
