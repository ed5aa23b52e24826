"""A real season graded: two lists, three players by hand, everybody by other means, a revision."""

import csv
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from math import floor
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from clubs.models import Player
from games.grading_office.grading import count_outstanding
from games.match_cards.card_entries import entry_of
from games.match_cards.cards import record_card
from games.models import Board
from ratings import lists, revisions
from ratings.models import Grade, GradedGame, GradeList, RatedGame
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

DATA = Path(__file__).parents[2]
PLAYERS = DATA / "ratings" / "data" / "armstrong_2010_11_players.csv"
RESULTS = DATA / "games" / "data" / "armstrong_2010_11_results.csv"
JANUARY, JULY = date(2011, 1, 1), date(2011, 7, 1)
WIN, DRAW, LOSS = 2, 1, 0

# Each game: day, opponent, half-points, the grade used for him and where from, what it counts
# as within 40 of the player's own, and the points.
BY_HAND = {
    # Nobody knew him: he starts from his own games, without the limit of 40.
    "Slattery, Shane": {
        JANUARY: {
            "own": 140,  # (121 + 50 + 158 - 50) / 2 = 139.5
            "games": [
                (date(2010, 11, 6), "Healy, Philip", WIN, 121, "opening", 121, 171),
                (date(2010, 11, 17), "Quigley, Kevin", LOSS, 158, "opening", 158, 108),
            ],
            "opening": (0, None),
            "sum": (279, 2),
            "grade": 140,
            "published": None,  # two games are fewer than nine
            "category": None,
        },
        JULY: {
            "own": 120,  # (171 + 108 + 132 - 50) / 3 = 120.33
            "games": [
                (date(2011, 2, 5), "Gleeson, Róisín", LOSS, 132, "list", 132, 82),
            ],
            "opening": (0, None),
            "sum": (361, 3),
            "grade": 120,
            "published": None,
            "category": None,
        },
    },
    # Two of his opponents were more than 40 above him.
    "Farrell, Joseph": {
        JANUARY: {
            "own": 180,  # a rating of 2050: 1350 / 7.5
            "games": [
                (date(2010, 9, 13), "Varley, Marcus", LOSS, 183, "opening", 183, 133),
                (date(2010, 9, 25), "Lennon, Daire", DRAW, 188, "opening", 188, 188),
                (date(2010, 10, 16), "Coakley, Una", LOSS, 211, "opening", 211, 161),
                (date(2010, 11, 6), "Ahearne, Ciarán", LOSS, 184, "opening", 184, 134),
                (date(2010, 11, 17), "Hynes, Declan", LOSS, 225, "opening", 220, 170),
                (date(2010, 12, 11), "Molloy, Daire", LOSS, 205, "opening", 205, 155),
            ],
            "opening": (24, 180),
            "sum": (941 + 24 * 180, 30),
            "grade": 175,  # 175.37
            "published": 175,
            "category": None,  # six real games are fewer than nine
        },
        JULY: {
            "own": 175,
            "games": [
                (date(2011, 1, 8), "Molloy, Gavin", DRAW, 180, "list", 180, 180),
                (date(2011, 1, 22), "Neary, Ronan", LOSS, 205, "list", 205, 155),
                (date(2011, 2, 5), "Lennon, Shane", WIN, 163, "list", 163, 213),
                (date(2011, 2, 19), "Foley, Stephen", LOSS, 218, "list", 215, 165),
                (date(2011, 3, 13), "McGrath, Niall", LOSS, 186, "list", 186, 136),
            ],
            "opening": (19, 180),
            "sum": (941 + 849 + 19 * 180, 30),
            "grade": 174,  # 173.67
            "published": 174,
            "category": "E",
        },
    },
    "Kiely, Cormac": {
        JANUARY: {
            "own": 163,  # a rating of 1923: 1223 / 7.5 = 163.07
            "games": [
                (date(2010, 9, 13), "Mannion, Declan", LOSS, 165, "opening", 165, 115),
                (date(2010, 9, 25), "Whelan, Shane", LOSS, 190, "opening", 190, 140),
                (date(2010, 10, 16), "Geraghty, Cathal", DRAW, 174, "opening", 174, 174),
                (date(2010, 11, 6), "Keegan, Lorcan", LOSS, 175, "opening", 175, 125),
                (date(2010, 11, 17), "Farrell, Orla", DRAW, 163, "opening", 163, 163),
                (date(2010, 12, 11), "O'Brien, Hugh", LOSS, 165, "opening", 165, 115),
            ],
            "opening": (24, 163),
            "sum": (832 + 24 * 163, 30),
            "grade": 158,  # 158.13
            "published": 158,
            "category": None,
        },
        JULY: {
            "own": 158,
            "games": [
                (date(2011, 1, 8), "McCabe, Donal", LOSS, 150, "list", 150, 100),
                (date(2011, 1, 22), "Brennan, Karl", DRAW, 137, "list", 137, 137),
                (date(2011, 2, 5), "Shanahan, Brendan", LOSS, 186, "list", 186, 136),
                (date(2011, 2, 19), "Smyth, Maeve", WIN, 156, "list", 156, 206),
                (date(2011, 3, 13), "Dolan, Una", LOSS, 164, "list", 164, 114),
            ],
            "opening": (19, 163),
            "sum": (832 + 693 + 19 * 163, 30),
            "grade": 154,  # 154.07
            "published": 154,
            "category": "E",
        },
    },
}


@pytest.fixture
def season(db):
    """The season with opening grades of 1 July 2010, and no list yet."""
    call_command("import_players", str(PLAYERS), "--as-of", "2010-07-01", verbosity=0)
    call_command("import_results", str(RESULTS), "--league", "Leinster", "--season", "2010-11")


def at(day):
    return timezone.make_aware(datetime(day.year, day.month, day.day, 12))


def publish(cutoff, by=None):
    return lists.publish(
        pool="standard", cutoff=cutoff, at=at(cutoff), by=by, outstanding=count_outstanding
    )


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


def correct_a_november_result(officer):
    """Kiely has beaten Orla Farrell on 17 November, it turns out; it had been entered a draw."""
    board = Board.objects.get(
        match__played_on=date(2010, 11, 17),
        home_player__surname="Farrell",
        away_player__surname="Kiely",
    )
    entries = [entry_of(each) for each in board.match.boards.all()]
    record_card(
        match=board.match_id,
        boards=[
            replace(entry, result=0) if entry.number == board.number else entry for entry in entries
        ],
        version=board.match.version,
        by=officer,
        at=at(date(2011, 8, 1)),
    )


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
