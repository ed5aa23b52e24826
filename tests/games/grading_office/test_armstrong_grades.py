"""A real season graded: two lists, three players by hand, everybody by other means, a revision."""

import csv
from datetime import date
from fractions import Fraction
from math import floor

import pytest

from clubs.models import Player
from ratings import lists, revisions
from ratings.models import Grade, GradedGame, GradeList, RatedGame
from tests.factories import UserFactory
from tests.games.armstrong_scene import (
    BY_HAND,
    JANUARY,
    JULY,
    PLAYERS,
    RESULTS,
    at,
    correct_a_november_result,
    publish,
)

pytestmark = pytest.mark.django_db


def name_of(pk) -> str:
    return Player.objects.get(pk=pk).listed_name


# --- By hand -----------------------------------------------------------------------------


def account_of(name: str, grade_list: GradeList) -> dict:
    """What is stored of a player on a list, in the form of `BY_HAND`."""
    player = Player.objects.get(surname=name.split(", ")[0], forenames=name.split(", ")[1])
    row = Grade.objects.get(grade_list=grade_list, player=player)
    games, owns = [], set()
    for graded in GradedGame.objects.filter(grade_list=grade_list).select_related(
        "game__white", "game__black", "game__event"
    ):
        game = graded.game
        if player.pk not in (game.white_id, game.black_id):
            continue
        seen = game.seen_by(player)
        own, other = ("white", "black") if game.white_id == player.pk else ("black", "white")
        points = getattr(graded, f"{own}_points")
        owns.add(getattr(graded, f"{own}_grade"))
        games.append(
            (
                game.played_on,
                seen.opponent.listed_name,
                seen.halves,
                getattr(graded, f"{other}_grade"),
                getattr(graded, f"{other}_source"),
                points + 50 - 50 * seen.halves,
                points,
            )
        )
    (own,) = owns
    return {
        "own": own,
        "games": sorted(games),
        "opening": (row.opening_games, row.opening_grade),
        "sum": (row.numerator, row.divisor),
        "grade": row.grade,
        "published": row.published,
        "category": row.category,
    }


def test_three_players_by_hand(season):
    made = {cutoff: publish(cutoff) for cutoff in (JANUARY, JULY)}
    for name, expected in BY_HAND.items():
        assert {cutoff: account_of(name, made[cutoff]) for cutoff in made} == expected, name


def test_the_sums_by_hand_add_up():
    for expected in BY_HAND.values():
        total = 0
        for cutoff in (JANUARY, JULY):
            account = expected[cutoff]
            for _day, _opponent, halves, grade, _source, counted, points in account["games"]:
                assert counted == max(account["own"] - 40, min(account["own"] + 40, grade))
                assert points == counted - 50 + 50 * halves
                total += points
            count, grade = account["opening"]
            assert account["sum"][0] == total + count * (grade or 0)
            assert account["grade"] == floor(Fraction(*account["sum"]) + Fraction(1, 2))


# --- Everybody, by other means -----------------------------------------------------------


def nearest(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def games_of_the_file(text: str) -> list[tuple[date, str, str, int]]:
    """Day, the two players, and half-points of the first: the games that were played."""
    halves = {"1-0": 2, "draw": 1, "0-1": 0}
    return [
        (
            date.fromisoformat(row["Date"]),
            row["HomePlayer"],
            row["AwayPlayer"],
            halves[row["Result"]],
        )
        for row in csv.DictReader(text.splitlines())
        if row["Result"] in halves
    ]


def reckon(games) -> list[dict[str, int]]:
    """The published grades of both lists, from the rules alone, in rational numbers."""
    openings = {
        row["name"]: nearest((Fraction(row["rating"]) - 700) / Fraction(15, 2))
        for row in csv.DictReader(PLAYERS.read_text(encoding="utf-8").splitlines())
        if row["rating"]
    }
    in_force, points, published = dict(openings), {}, []
    for begin, cutoff in ((date(2010, 7, 1), JANUARY), (JANUARY, JULY)):
        window = [game for game in games if game[0] < cutoff]
        new = [game for game in window if game[0] >= begin]
        free = {}
        for _day, one, other, halves in window:
            for own, rival, score in ((one, other, halves), (other, one, 2 - halves)):
                if own not in in_force:
                    assert rival in in_force  # no newcomer met another this season
                    day_grade = openings[rival] if _day < begin else in_force[rival]
                    free.setdefault(own, []).append(day_grade - 50 + 50 * score)
        used = in_force | {own: nearest(Fraction(sum(p), len(p))) for own, p in free.items()}
        for _day, one, other, halves in new:
            for own, rival, score in ((one, other, halves), (other, one, 2 - halves)):
                counted = max(used[own] - 40, min(used[own] + 40, used[rival]))
                points.setdefault(own, []).append(counted - 50 + 50 * score)
        shown = {}
        for own, mine in points.items():
            borrowed = 30 - len(mine) if own in openings else 0
            if len(mine) + borrowed >= 9:
                total = sum(mine) + borrowed * openings.get(own, 0)
                shown[own] = nearest(Fraction(total, len(mine) + borrowed))
        in_force |= shown
        published.append(shown)
    return published


def grades_on(grade_list: GradeList) -> dict[str, int]:
    rows = grade_list.grades.published().select_related("player")
    return {row.player.listed_name: row.published for row in rows}


def test_everybody_by_other_means(season):
    expected = reckon(games_of_the_file(RESULTS.read_text(encoding="utf-8")))
    made = [publish(JANUARY), publish(JULY)]
    assert [grades_on(grade_list) for grade_list in made] == expected
    assert [len(grades) for grades in expected] == [137, 156]
    assert GradedGame.objects.count() == RatedGame.objects.count() == 522
    assert [(row.unanchored, row.outstanding) for row in made] == [([], 0), ([], 0)]


# --- A correction ------------------------------------------------------------------------


def test_a_november_result_corrected_in_august(season):
    officer = UserFactory(is_grading_officer=True)
    shown = lists.preview(pool="standard", cutoff=JANUARY, at=at(JANUARY))
    made = [publish(JANUARY, by=officer), publish(JULY, by=officer)]
    assert {row.player_id: row.published for row in shown.grades if row.published is not None} == {
        row.player_id: row.published for row in made[0].grades.published()
    }
    before = [grades_on(grade_list) for grade_list in made]

    correct_a_november_result(officer)
    assert [grades_on(grade_list) for grade_list in GradeList.objects.order_by("cutoff")] == before
    previewed = revisions.preview_revision(pool="standard", cutoff=JANUARY, at=at(date(2011, 8, 1)))
    assert GradeList.objects.count() == 2
    revised = revisions.revise(
        pool="standard",
        cutoff=JANUARY,
        at=at(date(2011, 8, 1)),
        by=officer,
        reason="Kiely won; the card said draw",
    )
    assert [row.differences for row in revised] == [row.differences for row in previewed]
    assert [
        {name_of(d.player_id): (d.before, d.after) for d in row.differences} for row in revised
    ] == [
        # (4744 + 50) / 30 = 159.8 and (4871 - 50) / 30 = 160.7
        {"Kiely, Cormac": (158, 160), "Farrell, Orla": (162, 161)},
        # (4622 + 50) / 30 = 155.7. Of hers one opponent in the spring counts as 40 above her, now
        # 161: (5049 - 50 - 1) / 30 = 166.6. Those who met the two of them then get a point or two
        # more or fewer for one game, which rounds away for all.
        {"Kiely, Cormac": (154, 156), "Farrell, Orla": (168, 167)},
    ]
    text = RESULTS.read_text(encoding="utf-8")
    as_entered = '"Farrell, Orla",draw,"Kiely, Cormac"'
    assert text.count(as_entered) == 1
    corrected = reckon(
        games_of_the_file(text.replace(as_entered, as_entered.replace("draw", "0-1")))
    )
    in_force = GradeList.objects.in_force().order_by("cutoff")
    assert [(row.revision, row.reason) for row in in_force] == [
        (1, "Kiely won; the card said draw")
    ] * 2
    assert [grades_on(grade_list) for grade_list in in_force] == corrected
    originals = GradeList.objects.filter(revision=0).order_by("cutoff")
    assert [grades_on(grade_list) for grade_list in originals] == before
