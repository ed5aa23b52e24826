"""What a grade list keeps of each player: the mean of his games, and what they were."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from . import ecf
from .ecf import GamePoints, GradeRules, OpeningGrade


class Used(NamedTuple):
    """A grade used for a game: whole points, where from, and of which list if of one."""

    grade: int
    source: str
    cutoff: date | None = None


class Points(NamedTuple):
    """A row of `GradedGame` without its list."""

    game_id: int
    white: Used
    white_points: int
    black: Used
    black_points: int


class WindowGame(NamedTuple):
    """A rated game of the 36 months before a cutoff; `points` None if this list must make them."""

    game_id: int
    played_on: date
    white_id: int
    black_id: int
    white_halves: int
    points: Points | None


class GradeRow(NamedTuple):
    """A row of `Grade` without its list."""

    player_id: int
    numerator: int | None
    divisor: int | None
    grade: int | None
    published: int | None
    category: str | None
    recent: int
    counted: int
    brought_in: int
    averaged: int
    averaged_from: date | None
    opening_games: int
    opening_grade: int | None
    starting_grade: int | None
    game_ids: list[int]
    game_points: list[int]
    game_days: list[date]
    game_opponents: list[int]
    game_halves: list[int]
    game_own_grades: list[int]
    game_grades: list[int]

    @property
    def numbers(self) -> tuple:
        """What the list says, without what its games were then, which older lists do not keep."""
        return self[: GradeRow._fields.index("game_days")]


class OwnGame(NamedTuple):
    """A game as one of its players has it: what it gave him, and what it was."""

    game_id: int
    gained: GamePoints
    opponent: int
    halves: int
    own: int
    other: int


def grade_rows(
    window: list[WindowGame],
    pointed: Mapping[int, Points],
    openings: Mapping[int, OpeningGrade],
    starts: Mapping[int, Used],
    cutoff: date,
    rules: GradeRules,
) -> list[GradeRow]:
    games: dict[int, list[OwnGame]] = {}
    for game in window:
        points = game.points or pointed.get(game.game_id)
        if points is None:
            continue
        pk, day, white, black, halves, _ = game
        own, other = points.white.grade, points.black.grade
        gained = GamePoints(day, points.white_points), GamePoints(day, points.black_points)
        games.setdefault(white, []).append(OwnGame(pk, gained[0], black, halves, own, other))
        games.setdefault(black, []).append(OwnGame(pk, gained[1], white, 2 - halves, other, own))
    return [
        _row(player, games[player], openings.get(player), starts.get(player), cutoff, rules)
        for player in sorted(games)
    ]


def _row(
    player: int,
    games: list[OwnGame],
    opening: OpeningGrade | None,
    start: Used | None,
    cutoff: date,
    rules: GradeRules,
) -> GradeRow:
    points = [game.gained for game in games]
    mean = ecf.mean_of(points, opening, cutoff, rules)
    assert mean is not None
    out = ecf.is_published(mean, rules)
    category = ecf.category_of(points, cutoff, rules) if out else None
    return GradeRow(
        player_id=player,
        numerator=mean.numerator,
        divisor=mean.divisor,
        grade=mean.grade,
        published=ecf.published(mean.grade) if out else None,
        category=category.letter if category else None,
        recent=mean.recent,
        counted=mean.counted,
        brought_in=mean.brought_in,
        averaged=mean.averaged,
        averaged_from=mean.averaged_from,
        opening_games=mean.opening_games,
        opening_grade=opening.grade if opening and mean.opening_games else None,
        starting_grade=start.grade if start else None,
        game_ids=[game.game_id for game in games],
        game_points=[entry.points for entry in points],
        game_days=[entry.played_on for entry in points],
        game_opponents=[game.opponent for game in games],
        game_halves=[game.halves for game in games],
        game_own_grades=[game.own for game in games],
        game_grades=[game.other for game in games],
    )
