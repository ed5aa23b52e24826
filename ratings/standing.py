"""What a player is worth now in one pool: the grade and the Elo that stand beside his name."""

from collections.abc import Iterable
from typing import NamedTuple

from . import elo
from .live import current_states, facts_of, rules_of
from .models import PoolName, RatingPool


class Standing(NamedTuple):
    """A player's grade and rating in a pool, in whole points as shown; None is not known.

    `provisional` says that the rating rests on fewer than 30 games and no established opening.
    """

    grade: int | None = None
    elo: int | None = None
    provisional: bool = False


NOTHING_KNOWN = Standing()


def grades_and_elos(players: Iterable[int], pool: RatingPool) -> dict[int, Standing]:
    """The standing of each of these players in the pool, in two queries however many they are.

    The grade is the opening grade. The Elo is the live one, or before the first game the opening
    rating; nobody has measured a player without games and without facts, and his Elo is None.
    """
    players = list(players)
    if not players:
        return {}
    rules = rules_of(pool)
    states = current_states(pool, players)
    standings = {}
    for pk, facts in facts_of(players).items():
        grade = facts.get((pool.pk, elo.GRADE))
        state = states.get(pk)
        if state is None and facts:
            opening = elo.opening_tenths(facts, pool.pk, pools=PoolName.values, rules=rules)
            state = elo.opening_state(opening, rules)
        standings[pk] = Standing(
            grade.value if grade else None,
            elo.displayed(state.rating) if state else None,
            bool(state) and elo.is_provisional(state.games, state.established, rules),
        )
    return standings


def strength(standing: Standing) -> tuple:
    """A sort key, the strongest first: by grade, then by Elo, the unknown last."""
    return _falling(standing.grade), _falling(standing.elo)


def _falling(value: int | None) -> tuple[bool, int]:
    return (True, 0) if value is None else (False, -value)
