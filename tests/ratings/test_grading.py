"""A list as it is worked out in bulk against the same one game at a time, all columns of it."""

import datetime
from collections import defaultdict
from datetime import date, timedelta

import pytest

from ratings import ecf, ledger, lists
from ratings.ecf import GamePoints, OpeningGrade
from ratings.models import Grade, GradedGame, GradeList, OpeningRating, RatedGame, RatingPool
from ratings.starting_grades import Unknown, starting_grades
from tests.benchmarks.nation import generate, load

pytestmark = pytest.mark.django_db

GAMES, PLAYERS, YEARS = 1600, 60, 4
STARTED = ("estimate", "other")


def publish(cutoff):
    at = datetime.datetime(cutoff.year, cutoff.month, 15, 12, tzinfo=datetime.UTC)
    return lists.publish(
        pool="standard", cutoff=cutoff, at=at, by=None, outstanding=lambda pool, before: 0
    )


class ByHand:
    """A list worked out with objects of the database, from what is stored before it."""

    def __init__(self, cutoff, rules):
        self.cutoff, self.rules = cutoff, rules
        self.openings = {
            row.player_id: OpeningGrade(row.value, row.dated_on)
            for row in OpeningRating.objects.filter(system="grade")
        }
        self.published = defaultdict(list)
        for row in Grade.objects.exclude(published=None).select_related("grade_list"):
            self.published[row.player_id].append((row.grade_list.cutoff, row.grade))
        self.games = list(
            RatedGame.objects.filter(
                played_on__gte=ecf.cutoffs_back(cutoff, 6), played_on__lt=cutoff
            )
            .select_related("graded")
            .newest_first()
        )
        self.waiting = [game for game in self.games if not hasattr(game, "graded")]
        self.ungraded = {
            player
            for game in self.waiting
            for player in (game.white_id, game.black_id)
            if self.graded(player, game.played_on) is None
        }
        self.solved = starting_grades(self.unknowns())
        self.points = {game.pk: self.points_of(game) for game in self.games}

    def graded(self, player, played_on):
        first_day = ecf.half_year_of(played_on)
        own = [entry for entry in self.published[player] if entry[0] <= first_day]
        if own:
            cutoff, grade = max(own)
            return grade if cutoff >= ecf.cutoffs_back(first_day, 5) else None
        opening = self.openings.get(player)
        if opening is not None and ecf.half_year_of(opening.dated_on) <= first_day:
            return opening.grade
        return None

    def unknowns(self):
        unknowns = {player: Unknown() for player in sorted(self.ungraded)}
        for game in self.games:
            for player, opponent, halves in (
                (game.white_id, game.black_id, game.white_halves),
                (game.black_id, game.white_id, 2 - game.white_halves),
            ):
                if player in self.ungraded:
                    known = self.known(game, opponent)
                    unknowns[player].add(halves, known, opponent if known is None else None)
        return {player: unknown for player, unknown in unknowns.items() if unknown.games}

    def known(self, game, opponent):
        if not hasattr(game, "graded"):
            return self.graded(opponent, game.played_on)
        colour = "white" if opponent == game.white_id else "black"
        started = getattr(game.graded, f"{colour}_source") in STARTED
        if started and opponent in self.ungraded:
            return None
        return getattr(game.graded, f"{colour}_grade")

    def points_of(self, game):
        """Grade and points of White and of Black, None where a side has no grade."""
        if hasattr(game, "graded"):
            row = game.graded
            return row.white_grade, row.white_points, row.black_grade, row.black_points
        used = []
        for player in (game.white_id, game.black_id):
            grade = self.graded(player, game.played_on)
            used.append(self.solved.grades.get(player) if grade is None else grade)
        white, black = used
        if None in used:
            return None
        return (
            *(white, ecf.game_points(white, black, game.white_halves)),
            *(black, ecf.game_points(black, white, 2 - game.white_halves)),
        )

    def rows(self):
        sides = defaultdict(list)
        for game in self.games:
            if self.points[game.pk] is None:
                continue
            white, gained, black, lost = self.points[game.pk]
            both = (
                (game.white_id, gained, game.black_id, game.white_halves, white, black),
                (game.black_id, lost, game.white_id, 2 - game.white_halves, black, white),
            )
            for player, points, *others in both:
                sides[player].append((game.pk, points, game.played_on, *others))
        return [self.row(player, sides[player]) for player in sorted(sides)]

    def row(self, player, sides):
        games = [GamePoints(day, points) for _, points, day, *_ in sides]
        opening = self.openings.get(player)
        mean = ecf.mean_of(games, opening, self.cutoff, self.rules)
        out = self.since(games, 12) >= 1 and (
            len(games) + mean.opening_games >= self.rules.minimum_games
        )
        return (
            *(player, mean.numerator, mean.divisor, mean.grade),
            max(mean.grade, 0) if out else None,
            self.category(games) if out else None,
            self.since(games, 12),
            *(mean.counted, mean.brought_in, mean.averaged, mean.averaged_from),
            mean.opening_games,
            opening.grade if mean.opening_games else None,
            self.solved.grades.get(player),
            *([side[column] for side in sides] for column in range(7)),
        )

    def since(self, games, months):
        first_day = ecf.cutoffs_back(self.cutoff, months // 6)
        return sum(game.played_on >= first_day for game in games)

    def category(self, games):
        for category in self.rules.categories:
            if (
                self.since(games, category.months) >= category.games
                and self.since(games, 12) >= category.recent
                and self.since(games, 6) >= category.half_year
            ):
                return category.letter
        return None


def correct_an_old_game(cutoff):
    """Turn round a game of 18 months ago: it has to be pointed anew, by the grades of then."""
    game = (
        RatedGame.objects.filter(played_on__lt=cutoff - timedelta(days=540))
        .select_related("event")
        .newest_first()
        .first()
    )
    played = ledger.Played(*(getattr(game, name) for name in ledger.Played._fields))
    ledger.lock_pool("standard")
    turned = played._replace(white_halves=0 if game.white_halves else 2)
    ledger.post(event=game.event, keys=[game.source_key], games=[turned])


@pytest.mark.parametrize("name", ecf.PRESETS)
def test_a_list_in_bulk_is_the_same_as_one_game_at_a_time(name):
    load(generate(games=GAMES, players=PLAYERS, years=YEARS))
    RatingPool.objects.update(grade_rules=name)
    seen = set()
    while (cutoff := lists.next_cutoff("standard")) < date(2020, 7, 2):
        if cutoff == date(2020, 1, 1):
            correct_an_old_game(cutoff)
        expected = ByHand(cutoff, ecf.PRESETS[name])
        made = publish(cutoff)
        pointed = {game.pk: expected.points[game.pk] for game in expected.waiting}
        stored = GradedGame.objects.filter(grade_list=made).values_list(
            "game", "white_grade", "white_points", "black_grade", "black_points"
        )
        assert {pk: tuple(row) for pk, *row in stored} == {
            pk: points for pk, points in pointed.items() if points is not None
        }
        grades = made.grades.order_by("player").values_list(*lists.GRADE_COLUMNS)
        assert list(grades) == expected.rows()
        assert made.unanchored == sorted(p for g in expected.solved.unanchored for p in g)
        seen |= {(row[5], row[13] is None, row[11] > 0) for row in grades}
    assert GradeList.objects.count() == 8, GradeList.objects.count()
    # Not a nation of one kind: categories, starting grades and opening grades all take part.
    assert {letter for letter, *_ in seen} >= {"A", "B", "C", "D", "E", None}
    assert {(start, opening) for _, start, opening in seen} >= {(True, True), (False, False)}
