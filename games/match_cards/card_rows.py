"""The rows of a match card as its page draws them: who sits there, what is typed, what is wrong."""

from dataclasses import dataclass, field

from clubs.models import Player
from games.models import DEFAULTS, Award, Board, Colour
from ratings.standing import NOTHING_KNOWN, Standing

from .card_checks import Problem
from .card_entries import NewPlayer
from .card_form import RESULTS, BoardForm


@dataclass(slots=True)
class Seat:
    """One side of a row: who is in the picker, and what stands below the name."""

    side: str
    player: Player | None = None
    new: NewPlayer | None = None
    typed: str = ""
    standing: Standing = NOTHING_KNOWN
    colour: str = Colour.UNKNOWN
    as_last_time: bool = False
    bad: bool = False
    candidates: list[Player] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Warning:
    """A rule that the card breaks as it stands; a refused one cannot be saved so."""

    head: str
    words: str
    refused: bool


@dataclass(slots=True)
class Row:
    """One board of the card; `outcome` is one of `OUTCOMES` or blank."""

    number: int
    form: BoardForm
    outcome: str
    stored: Board | None
    colour_choice: str
    rule_colour: str
    unplayed_words: str
    given: str
    exceptions: dict[str, str]
    played_on: str = ""
    awarded: list[str] = field(default_factory=list)
    seats: dict[str, Seat] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Warning] = field(default_factory=list)

    @property
    def is_extra(self) -> bool:
        """Whether the board is rated but does not count for the match."""
        return self.stored is not None and not self.stored.counts_for_match

    @property
    def points(self) -> tuple[int, int] | None:
        """The half-points this row gives the two sides; None while it gives none."""
        if self.stored and self.stored.award == Award.GIVEN and self.outcome not in DEFAULTS:
            return self.stored.award_home, self.stored.award_away
        if self.outcome in RESULTS:
            return RESULTS[self.outcome], 2 - RESULTS[self.outcome]
        return {
            Award.HOME_DEFAULT.value: (2, 0),
            Award.AWAY_DEFAULT.value: (0, 2),
            Award.DOUBLE_DEFAULT.value: (0, 0),
        }.get(self.outcome)


@dataclass(frozen=True, slots=True)
class Difference:
    """A board that somebody else saved otherwise than it is typed here, both in words."""

    number: int
    stored: str
    typed: str
