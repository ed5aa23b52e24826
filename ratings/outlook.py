"""What one more game would do to a player: his Elo, and his grade on the next list."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from clubs.models import Player

from . import ecf, elo
from .ecf import GamePoints, Mean
from .elo import PlayerState
from .elo_lines import EloLine, line_of
from .grading import OTHER_RATE, Used, grades_in_force, opening_grades
from .live import current_states, opening_states, rules_of
from .models import GradeSource, RatedGame, RatingPool
from .reckoning import in_decimals


class Prospect(NamedTuple):
    """A player's mean on the next list, and whether it would be published."""

    mean: Mean
    is_published: bool

    @property
    def grade(self) -> int:
        """The grade as it would be published."""
        return ecf.published(self.mean.grade)

    @property
    def shown(self) -> Decimal:
        """The mean in decimals."""
        return in_decimals(Fraction(self.mean.numerator, self.mean.divisor))


@dataclass(frozen=True, slots=True)
class GradeOutlook:
    """What the game gives on the list of `cutoff`.

    `own` and `other` are the grades that would be used, None where there is none yet; then
    `points` are None too. `now` and `then` are the list without the game and with it, and
    `without_points` counts games of its 36 months that still have none.
    """

    cutoff: date
    own: Used | None
    other: Used | None
    counts_as: int | None
    points: int | None
    now: Prospect | None
    then: Prospect | None
    without_points: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a game of `played_on` would do to the player; `grade` None where none is made."""

    player: Player
    opponent: Player
    pool: RatingPool
    played_on: date
    elo: EloLine
    opponent_elo: EloLine
    grade: GradeOutlook | None


def outlook(
    *, player: Player, opponent: Player, pool: RatingPool, halves: int, played_on: date
) -> Outlook:
    """The effect of a game that has not been played; nothing is stored.

    `halves` is the player's score in half-points.
    """
    lines = _elo_lines(player, opponent, pool, halves, played_on)
    grade = None
    if pool.pk in OTHER_RATE:
        grade = _grade_outlook(player, opponent, pool, halves, played_on)
    return Outlook(player, opponent, pool, played_on, *lines, grade)


def _elo_lines(
    player: Player, opponent: Player, pool: RatingPool, halves: int, played_on: date
) -> tuple[EloLine, EloLine]:
    rules = rules_of(pool)
    own, other = _states((player.pk, opponent.pk), pool)
    own_young, other_young = (
        elo.plays_as_junior(person.birth_date, played_on) for person in (player, opponent)
    )
    rated = elo.rate_game(own, other, halves, own_young, other_young, rules)
    return (
        line_of(
            own, other.rating, halves, change=rated.white_change, under_18=own_young, rules=rules
        ),
        line_of(
            other,
            own.rating,
            2 - halves,
            change=rated.black_change,
            under_18=other_young,
            rules=rules,
        ),
    )


def _states(players: Collection[int], pool: RatingPool) -> list[PlayerState]:
    """Each player's state now: after his games, or before the first."""
    states = current_states(pool, players)
    fresh = [pk for pk in players if pk not in states]
    if fresh:
        states |= opening_states(fresh, pool, rules_of(pool))
    return [states[pk] for pk in players]


def _grade_outlook(
    player: Player, opponent: Player, pool: RatingPool, halves: int, played_on: date
) -> GradeOutlook:
    cutoff = ecf.cutoff_closing(played_on)
    used = _used(pool, ecf.half_year_of(played_on), (player.pk, opponent.pk))
    own, other = used.get(player.pk), used.get(opponent.pk)
    known = own is not None and other is not None
    points = ecf.game_points(own.grade, other.grade, halves) if known else None
    games, without_points = _pointed_games(player, pool, cutoff)
    more = [] if points is None else [GamePoints(played_on, points)]
    return GradeOutlook(
        cutoff=cutoff,
        own=own,
        other=other,
        counts_as=ecf.clamped(own.grade, other.grade) if known else None,
        points=points,
        now=_prospect(player, pool, games, cutoff),
        then=_prospect(player, pool, more + games, cutoff) if more else None,
        without_points=without_points,
    )


def _used(pool: RatingPool, first_day: date, players: Collection[int]) -> dict[int, Used]:
    """The grade each player would have in a game of this half-year, as far as one is known.

    Without one in force it is that of the other rate of play; an estimate waits for the list.
    """
    other = RatingPool.objects.get(pk=OTHER_RATE[pool.pk])
    at_other = _in_force(other, first_day, players)
    return {pk: Used(used.grade, GradeSource.OTHER) for pk, used in at_other.items()} | _in_force(
        pool, first_day, players
    )


def _in_force(pool: RatingPool, first_day: date, players: Collection[int]) -> dict[int, Used]:
    openings = opening_grades(pool, players)
    return grades_in_force(pool, first_day, openings, players).grades


def _pointed_games(player: Player, pool: RatingPool, cutoff: date) -> tuple[list[GamePoints], int]:
    """His games on the list of `cutoff` as it stands, newest first, and how many have no points."""
    games = (
        RatedGame.objects.of_player(player.pk)
        .filter(event__pool=pool, played_on__gte=ecf.cutoffs_back(cutoff, 6), played_on__lt=cutoff)
        .select_related("graded", "white", "black", "elo")
        .newest_first()
    )
    sides = [(game, game.seen_by(player)) for game in games]
    waiting: dict[date, set[int]] = {}
    for game, side in sides:
        if not hasattr(game, "graded"):
            people = waiting.setdefault(ecf.half_year_of(game.played_on), {player.pk})
            people.add(side.opponent.pk)
    used = {day: _used(pool, day, people) for day, people in waiting.items()}
    pointed = []
    for game, side in sides:
        points = _points(game, player, side, used)
        if points is not None:
            pointed.append(GamePoints(game.played_on, points))
    return pointed, len(sides) - len(pointed)


def _points(game: RatedGame, player: Player, side, used: dict[date, dict[int, Used]]) -> int | None:
    """The stored points of a game, or what it gives with the grades in force."""
    if hasattr(game, "graded"):
        return game.graded.white_points if game.white_id == player.pk else game.graded.black_points
    grades = used[ecf.half_year_of(game.played_on)]
    own, other = grades.get(player.pk), grades.get(side.opponent.pk)
    if own is None or other is None:
        return None
    return ecf.game_points(own.grade, other.grade, side.halves)


def _prospect(
    player: Player, pool: RatingPool, games: list[GamePoints], cutoff: date
) -> Prospect | None:
    rules = ecf.PRESETS[pool.grade_rules]
    opening = opening_grades(pool, (player.pk,)).get(player.pk)
    mean = ecf.mean_of(games, opening, cutoff, rules)
    return None if mean is None else Prospect(mean, ecf.is_published(mean, rules))
