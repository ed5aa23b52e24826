"""The rows of a match card as its page draws them: who sits there, what is typed, what is wrong."""

from dataclasses import dataclass, field

from clubs.models import Player
from games.models import DEFAULTS, Award, Board, Colour
from ratings.standing import NOTHING_KNOWN, Standing

from .card_checks import Problem
from .card_conflicts import Conflict
from .card_entries import NewPlayer
from .card_form import RESULTS, BoardForm


@dataclass(slots=True)
class Seat:
    """One side of a row: who is in the picker, and what stands below the name.

    `candidates` are those whom a typed name may mean, each with his clubs in words; a guest does
    not belong to the team's club.
    """

    side: str
    player: Player | None = None
    new: NewPlayer | None = None
    typed: str = ""
    standing: Standing = NOTHING_KNOWN
    colour: str = Colour.UNKNOWN
    as_last_time: bool = False
    bad: bool = False
    is_new: bool = False
    may_be_new: bool = False
    is_guest: bool = False
    candidates: list[tuple[Player, str]] = field(default_factory=list)

    @property
    def asks(self) -> bool:
        """Whether it is asked who is meant by what was typed."""
        return self.bad and bool(self.typed)


@dataclass(frozen=True, slots=True)
class Warning:
    """A rule that the card breaks as it stands; a refused one cannot be saved so.

    The page's script draws those that are live anew with each change.
    """

    head: str
    words: str
    refused: bool = False
    is_live: bool = False


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
    opened: str = ""
    conflict: Conflict | None = None

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
    """What somebody else saved meanwhile, in words; `typed` is blank where it was not touched.

    A board by its number, else of the whole card, by `label`.
    """

    stored: str
    typed: str = ""
    number: int = 0
    label: str = ""
