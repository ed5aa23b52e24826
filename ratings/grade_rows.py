"""What a grade list keeps of each player: the mean of his games, and what they were."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from . import ecf
from .ecf import GradeRules, OpeningGrade


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
    """A rated game of the 36 months before a cutoff, as it is read; a plain tuple in bulk.

    `day` counts from the first of the window. From `white_grade` on it is what an earlier list
    made of the game; that is None if this one must.
    """

    game_id: int
    day: int
    white_id: int
    black_id: int
    white_halves: int
    white_grade: int | None = None
    white_source: str | None = None
    white_points: int | None = None
    black_grade: int | None = None
    black_source: str | None = None
    black_points: int | None = None


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


OwnGame = tuple[int, int, date, int, int, int, int]
"""A game as one of its players has it: the `game_` columns of `GradeRow`, in their order."""


def grade_rows(
    window: Iterable[WindowGame],
    days: Sequence[date],
    pointed: Mapping[int, Points],
    openings: Mapping[int, OpeningGrade],
    starts: Mapping[int, Used],
    cutoff: date,
    rules: GradeRules,
) -> list[GradeRow]:
    """The rows of everybody with a pointed game in the window, which is newest first.

    `days` are those of the window, `pointed` the games that this list points, by their ids.
    """
    games = _by_player(window, days, pointed)
    return [
        _row(player, games[player], openings.get(player), starts.get(player), cutoff, rules)
        for player in sorted(games)
    ]


def _by_player(
    window: Iterable[WindowGame], days: Sequence[date], pointed: Mapping[int, Points]
) -> dict[int, list[OwnGame]]:
    """Each player's pointed games, in the order of the window."""
    games: dict[int, list[OwnGame]] = defaultdict(list)
    one: dict[int, int] = {}
    for pk, day, white, black, halves, own, _own, gained, other, _other, lost in window:
        if own is None:
            points = pointed.get(pk)
            if points is None:
                continue
            own, gained = points.white.grade, points.white_points
            other, lost = points.black.grade, points.black_points
        played_on = days[day]
        # One object for each player, however often he plays: what comes after runs on cached ones.
        white, black = one.setdefault(white, white), one.setdefault(black, black)
        games[white].append((pk, gained, played_on, black, halves, own, other))
        games[black].append((pk, lost, played_on, white, 2 - halves, other, own))
    return games


def _row(
    player: int,
    games: list[OwnGame],
    opening: OpeningGrade | None,
    start: Used | None,
    cutoff: date,
    rules: GradeRules,
) -> GradeRow:
    ids, points, days, opponents, halves, own, other = map(list, zip(*games, strict=True))
    mean = ecf.mean_of_points(points, days, opening, cutoff, rules)
    assert mean is not None
    out = ecf.is_published(mean, rules)
    category = ecf.category_by_days(days, cutoff, rules) if out else None
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
        game_ids=ids,
        game_points=points,
        game_days=days,
        game_opponents=opponents,
        game_halves=halves,
        game_own_grades=own,
        game_grades=other,
    )
