"""A real season of the Armstrong Cup: three players' grades by hand, and its lists published."""

from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

from django.utils import timezone

from games.grading_office.grading import count_outstanding
from games.match_cards.card_entries import entry_of
from games.match_cards.cards import record_card
from games.models import Board
from ratings import lists

DATA = Path(__file__).parents[1]
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


def at(day):
    return timezone.make_aware(datetime(day.year, day.month, day.day, 12))


def publish(cutoff, by=None):
    return lists.publish(
        pool="standard", cutoff=cutoff, at=at(cutoff), by=by, outstanding=count_outstanding
    )


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
