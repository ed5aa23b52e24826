"""What a player is worth now in one pool: the grade and the Elo that stand beside his name."""

from collections.abc import Collection, Iterable
from datetime import date
from typing import NamedTuple

from . import ecf, elo
from .grading import grades_in_force, opening_grades
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


def grades_and_elos(players: Iterable[int], pool: RatingPool, on: date) -> dict[int, Standing]:
    """The standing of each of these players in the pool, in four queries however many they are.

    The grade is the published one in force for a game of the day `on`, else the opening grade,
    even one dated later: better than nothing beside a name. The Elo is the live one, or before
    the first game the opening rating; nobody has measured a player without games and without
    facts, and his Elo is None.
    """
    players = list(players)
    if not players:
        return {}
    rules = rules_of(pool)
    grades = _grades(players, pool, on)
    states = current_states(pool, players)
    standings = {}
    for pk, facts in facts_of(players).items():
        state = states.get(pk)
        if state is None and facts:
            opening = elo.opening_tenths(facts, pool.pk, pools=PoolName.values, rules=rules)
            state = elo.opening_state(opening, rules)
        standings[pk] = Standing(
            grades.get(pk),
            elo.displayed(state.rating) if state else None,
            bool(state) and elo.is_provisional(state.games, state.established, rules),
        )
    return standings


def _grades(players: Collection[int], pool: RatingPool, on: date) -> dict[int, int]:
    openings = opening_grades(pool, players)
    found = grades_in_force(pool, ecf.half_year_of(on), openings, players)
    shown = {pk: opening.grade for pk, opening in openings.items() if pk not in found.lapsed}
    shown |= {pk: used.grade for pk, used in found.grades.items()}
    return {pk: ecf.published(grade) for pk, grade in shown.items()}


def strength(standing: Standing) -> tuple:
    """A sort key, the strongest first: by grade, then by Elo, the unknown last."""
    return _falling(standing.grade), _falling(standing.elo)


def _falling(value: int | None) -> tuple[bool, int]:
    return (True, 0) if value is None else (False, -value)
