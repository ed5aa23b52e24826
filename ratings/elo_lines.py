"""What one game did to a rating, as a line that can be checked by hand.

Pure, and no second formula: every number is asked of `ratings.elo`. Stored ratings and changes
are in tenths, shown ratings whole points, scores half-points.
"""

from dataclasses import replace
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from . import elo
from .elo import PlayerState, Rules


class KReason(StrEnum):
    """Why a K is what it is (rules/elo.md section 1, in its order)."""

    HIGH = "high"
    JUNIOR = "junior"
    NEW = "new"
    OPENING = "opening"
    GAMES = "games"


class EloLine(NamedTuple):
    """A game's effect on one side: K x (score - expected) is `exact`, rounded `change`.

    `own` and `opponent` are the ratings as shown before it. `change` is what the stored rating
    moved by, in tenths; where a floor held the rating it is not `by_formula`. `earlier` counts
    the player's games before this one.
    """

    own: int
    opponent: int
    halves: int
    expected: Decimal
    k: int
    reason: KReason
    exact: Decimal
    by_formula: int
    change: int
    before: int
    earlier: int

    @property
    def score(self) -> Decimal:
        """The score in points."""
        return Decimal(self.halves) / 2

    @property
    def after(self) -> int:
        """The rating after the game, in tenths."""
        return self.before + self.change

    @property
    def shown_after(self) -> int:
        """The rating after the game as people see it."""
        return elo.displayed(self.after)

    @property
    def at_floor(self) -> bool:
        """Whether a floor kept the rating from falling by all of it."""
        return self.change != self.by_formula


def line_of(
    state: PlayerState,
    opponent_tenths: int,
    halves: int,
    *,
    change: int,
    under_18: bool,
    rules: Rules,
) -> EloLine:
    """The line of a game from the state before it, against a rating in tenths.

    `change` is what the stored rating moved by, in tenths, as `elo.rate_game` gave it.
    """
    own, opponent = elo.displayed(state.rating), elo.displayed(opponent_tenths)
    k = _k_of(state, under_18, rules)
    return EloLine(
        own=own,
        opponent=opponent,
        halves=halves,
        expected=elo.expected_score(own, opponent, rules),
        k=k,
        reason=k_reason(state, under_18=under_18, rules=rules),
        exact=exact_change(own, opponent, halves, k, rules),
        by_formula=int(elo.change(own, opponent, halves, k, rules) * 10),
        change=change,
        before=state.rating,
        earlier=state.games,
    )


def exact_change(own: int, opponent: int, halves: int, k: int, rules: Rules) -> Decimal:
    """K x (score - expected) before it is rounded to the tenth, in points."""
    return elo.change(own, opponent, halves, k, replace(rules, after_every_game=False))


def k_reason(state: PlayerState, *, under_18: bool, rules: Rules) -> KReason:
    """Which of the rules of K fits a player's next game.

    `ratings.elo` is asked with a K for each rule that tells which rule it was.
    """
    found = _k_of(state, under_18, replace(rules, k_high=1, k_junior=2, k_new=3, k=4))
    if found == 4:
        few = elo.is_provisional(state.games, False, rules)
        return KReason.OPENING if few else KReason.GAMES
    return {1: KReason.HIGH, 2: KReason.JUNIOR, 3: KReason.NEW}[found]


def _k_of(state: PlayerState, under_18: bool, rules: Rules) -> int:
    return elo.k_factor(
        marks=state.marks,
        games=state.games,
        established=state.established,
        under_18=under_18,
        rules=rules,
    )
