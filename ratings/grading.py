"""One grade list worked out: from the ledger and the lists before it to points, means, grades.

Reads tuples and gives back rows; `ratings.lists` decides when, and stores them. The arithmetic
is `ratings.ecf` and `ratings.starting_grades`; sections are those of rules/ecf-grading.md.
"""

import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property, partial

from django.db import connection

from clubs.models import Player

from . import ecf
from .ecf import GradeRules, OpeningGrade
from .grade_rows import GradeRow, Points, Used, WindowGame, grade_rows
from .models import Grade, GradeList, GradeSource, OpeningRating, PoolName, RatingPool, System
from .starting_grades import Unknown, starting_grades

OTHER_RATE = {PoolName.STANDARD: PoolName.RAPID, PoolName.RAPID: PoolName.STANDARD}
LISTS_IN_FORCE = 6
STARTED = (GradeSource.OTHER, GradeSource.ESTIMATE)
WHITE, BLACK, WHITE_GRADE = map(WindowGame._fields.index, ("white_id", "black_id", "white_grade"))


@dataclass(frozen=True)
class WorkedOut:
    """A list worked out: points of the games it closes, grades, players without an anchor.

    `repointed` are those of the games that had points of this list or of a later one. The grades
    are made when they are first asked for, without the database.
    """

    points: list[Points]
    repointed: list[int]
    unanchored: list[int]
    make_grades: Callable[[], list[GradeRow]]

    @cached_property
    def grades(self) -> list[GradeRow]:
        """A row for everybody with a pointed game in the 36 months, ordered by player."""
        with _not_looking_for_cycles():
            return self.make_grades()


@dataclass(slots=True)
class InForce:
    """The grades in force on the first day of a half-year (section 0, a and b).

    `lapsed` are players whose last published grade is too old to count any more.
    """

    first_day: date
    grades: dict[int, Used] = field(default_factory=dict)
    lapsed: set[int] = field(default_factory=set)


def work_out(
    pool: RatingPool, cutoff: date, rules: GradeRules, juniors_start_anew: bool
) -> WorkedOut:
    """Work a list out from the ledger and the published lists before it; nothing is written.

    The pool is locked. Games of the window without points, or with points of this cutoff or a
    later one, are pointed anew; those of earlier lists stand (section 1).
    """
    with _not_looking_for_cycles():
        return _work_out(pool, cutoff, rules, juniors_start_anew)


@contextmanager
def _not_looking_for_cycles() -> Iterator[None]:
    """Spare the search for cycles among the many tuples of a list, which have none.

    It took half the time of a list of 190,000 games.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _work_out(
    pool: RatingPool, cutoff: date, rules: GradeRules, juniors_start_anew: bool
) -> WorkedOut:
    first_day = ecf.cutoffs_back(cutoff, 6)
    days = [first_day + timedelta(days=n) for n in range((cutoff - first_day).days)]
    half_years = [ecf.half_year_of(day) for day in days]
    window = _window(pool, first_day, cutoff)
    openings = opening_grades(pool)
    waiting = [WindowGame(*game) for game in window if game[WHITE_GRADE] is None]
    in_force = {
        day: grades_in_force(pool, day, openings)
        for day in {half_years[game.day] for game in waiting}
    }
    players = {player for game in waiting for player in (game.white_id, game.black_id)}
    minors = juniors(cutoff, players) if juniors_start_anew else set()
    starts = _Starts(pool, cutoff, window, waiting, half_years, in_force, minors)
    pointed = {points.game_id: points for points in starts.points_of(waiting)}
    repointed = [game.game_id for game in waiting if game.white_source and game.game_id in pointed]
    return WorkedOut(
        list(pointed.values()),
        repointed,
        starts.unanchored,
        partial(grade_rows, window, days, pointed, openings, starts.used, cutoff, rules),
    )


def opening_grades(
    pool: RatingPool, players: Collection[int] | None = None
) -> dict[int, OpeningGrade]:
    """The opening grade of each of these players (all if None) who has one in the pool.

    His grade from outside, or his rating converted; never from our own Elo (section 0).
    """
    known: dict[int, OpeningGrade] = {}
    rows = OpeningRating.objects.filter(pool=pool)
    if players is not None:
        rows = rows.filter(player__in=players)
    for player, system, value, dated_on in rows.values_list(
        "player", "system", "value", "dated_on"
    ):
        if system == System.GRADE:
            known[player] = OpeningGrade(value, dated_on)
        else:
            known.setdefault(player, OpeningGrade(ecf.grade_from_rating(value), dated_on))
    return known


def grades_in_force(
    pool: RatingPool,
    first_day: date,
    openings: Mapping[int, OpeningGrade],
    players: Collection[int] | None = None,
) -> InForce:
    """The grades in force of these players (all if None) for the half-year from `first_day` on.

    The newest published one of the last six lists; else, until his first published grade, the
    opening grade (`openings`) from the half-year that holds its date on. Section 0.
    """
    found = InForce(first_day)
    for player, opening in openings.items():
        if ecf.half_year_of(opening.dated_on) <= first_day:
            found.grades[player] = Used(opening.grade, GradeSource.OPENING)
    oldest = ecf.cutoffs_back(first_day, LISTS_IN_FORCE - 1)
    lists = GradeList.objects.in_force().filter(pool=pool, cutoff__lte=first_day)
    rows = Grade.objects.published().filter(grade_list__in=lists).order_by("grade_list__cutoff")
    if players is not None:
        rows = rows.filter(player__in=players)
    for player, grade, cutoff in rows.values_list("player", "grade", "grade_list__cutoff"):
        if cutoff >= oldest:
            found.grades[player] = Used(grade, GradeSource.LIST, cutoff)
            found.lapsed.discard(player)
        else:
            found.grades.pop(player, None)
            found.lapsed.add(player)
    return found


class _Starts:
    """The starting grades of everyone who has none in force for a game to be pointed."""

    def __init__(
        self,
        pool: RatingPool,
        cutoff: date,
        window: list[tuple],
        waiting: list[WindowGame],
        half_years: list[date],
        in_force: dict[date, InForce],
        juniors: set[int],
    ):
        self.closing = ecf.cutoffs_back(cutoff, 1)
        self.half_years = half_years
        self.in_force = in_force
        self.juniors = juniors
        self.graded = self._graded()
        self.used: dict[int, Used] = {}
        self.unanchored: list[int] = []
        needed = {
            player
            for game in waiting
            for player in (game.white_id, game.black_id)
            if player not in self.graded[half_years[game.day]]
        }
        if not needed:
            return
        other = self._other_rate(pool)
        self.used = {
            player: Used(other[player].grade, GradeSource.OTHER)
            for player in needed & other.keys() - juniors
        }
        self._estimate(window, needed - self.used.keys())

    def _graded(self) -> dict[date, dict[int, Used]]:
        """The grade in force of every player who has one, by the first day of the half-year."""
        graded = {first_day: found.grades for first_day, found in self.in_force.items()}
        if self.juniors and self.closing in graded:
            grades = graded[self.closing]
            graded[self.closing] = {p: grades[p] for p in grades.keys() - self.juniors}
        return graded

    def points_of(self, waiting: Iterable[WindowGame]) -> Iterator[Points]:
        """The points of each game for both sides, but where a side has no grade at all."""
        known = {first_day: self.used | graded for first_day, graded in self.graded.items()}
        for game in waiting:
            grades = known[self.half_years[game.day]]
            white, black = grades.get(game.white_id), grades.get(game.black_id)
            if white is not None and black is not None:
                yield Points(
                    game.game_id,
                    white,
                    ecf.game_points(white.grade, black.grade, game.white_halves),
                    black,
                    ecf.game_points(black.grade, white.grade, 2 - game.white_halves),
                )

    def _other_rate(self, pool: RatingPool) -> dict[int, Used]:
        name = OTHER_RATE.get(pool.pk)
        if name is None:
            return {}
        other = RatingPool.objects.get(pk=name)
        return grades_in_force(other, self.closing, opening_grades(other)).grades

    def _estimate(self, window: list[tuple], players: set[int]) -> None:
        """Solve for all at once; a junior of a group without anchor falls back to his old grade."""
        solved = starting_grades(self._unknowns(window, players))
        lost = {player for group in solved.unanchored for player in group}
        old = self.in_force[self.closing].grades if self.closing in self.in_force else {}
        fallen_back = lost & self.juniors & old.keys()
        if fallen_back:
            self.juniors = self.juniors - fallen_back
            self.graded = self._graded()
            self._estimate(window, players - fallen_back)
            return
        for player, grade in solved.grades.items():
            self.used[player] = Used(grade, GradeSource.ESTIMATE)
        self.unanchored = sorted(lost)

    def _unknowns(self, window: list[tuple], players: set[int]) -> dict[int, Unknown[int]]:
        unknowns: dict[int, Unknown[int]] = {player: Unknown() for player in sorted(players)}
        for row in window:
            if row[WHITE] not in players and row[BLACK] not in players:
                continue
            game = WindowGame(*row)
            sides = (
                (game.white_id, game.black_id, game.white_halves),
                (game.black_id, game.white_id, 2 - game.white_halves),
            )
            for player, opponent, halves in sides:
                if player not in players:
                    continue
                known = self._known(game, opponent, players)
                if known is not None:
                    unknowns[player].add(halves, known)
                elif opponent in players:
                    unknowns[player].add(halves, None, opponent)
        return {player: unknown for player, unknown in unknowns.items() if unknown.games}

    def _known(self, game: WindowGame, opponent: int, players: set[int]) -> int | None:
        """The whole grade an opponent had in a game, None if he is unknown or had none."""
        if game.white_grade is None:
            used = self.graded[self.half_years[game.day]].get(opponent)
            if used is None and opponent not in players:
                used = self.used.get(opponent)
            return None if used is None else used.grade
        grade, source = (
            (game.white_grade, game.white_source)
            if opponent == game.white_id
            else (game.black_grade, game.black_source)
        )
        return None if source in STARTED and opponent in players else grade


def _window(pool: RatingPool, first_day: date, cutoff: date) -> list[tuple]:
    """The rated games from `first_day` to before the cutoff, newest first in the order of play.

    Tuples of the fields of `WindowGame`, as they come from the database: a nation has a million.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT g.id, g.played_on - %s, g.white_id, g.black_id, g.white_halves,"
            " CASE WHEN l.cutoff < %s THEN p.white_grade END, p.white_source, p.white_points,"
            " p.black_grade, p.black_source, p.black_points"
            " FROM ratings_ratedgame g JOIN ratings_ratedevent e ON e.id = g.event_id"
            " LEFT JOIN ratings_gradedgame p ON p.game_id = g.id"
            " LEFT JOIN ratings_gradelist l ON l.id = p.grade_list_id"
            " WHERE e.pool_id = %s AND g.played_on >= %s AND g.played_on < %s"
            " ORDER BY g.played_on DESC, e.key DESC, g.round DESC, g.board DESC, g.number DESC",
            [first_day, cutoff, pool.pk, first_day, cutoff],
        )
        return cursor.fetchall()


def juniors(cutoff: date, players: Collection[int]) -> set[int]:
    """Those of these players under 18 at the cutoff whose birth date is known.

    Our decision: such a player starts from the estimate alone, not from his grade at the other
    rate of play, for treated as ungraded means that his lists there are as old as those here.
    """
    eighteen = date(cutoff.year - 18, cutoff.month, cutoff.day)
    return set(
        Player.objects.filter(pk__in=players, birth_date__gt=eighteen).values_list("pk", flat=True)
    )
