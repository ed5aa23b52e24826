"""Files of results: a real season's, and small ones with whatever is odd about a row."""

import csv
import io
from pathlib import Path

from django.db import connection

from games.models import Match

DATA = Path(__file__).parent / "data"
ARMSTRONG = (DATA / "armstrong_2010_11_results.csv").read_text(encoding="utf-8")

PLAYERS = DATA.parents[1] / "ratings" / "data" / "armstrong_2010_11_players.csv"
HEADER = ARMSTRONG.splitlines()[0]


def counts():
    """The number of rows of every table there is."""
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        found = {}
        for name in names:
            cursor.execute(f'SELECT count(*) FROM "{name}"')
            found[name] = cursor.fetchone()[0]
    return found


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def text_of(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, HEADER.split(","))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def small(*rows, **usual):
    """A file of a few boards, each given as a dict of what is unusual about it."""
    cells = {
        "Section": "Division 1",
        "Date": "2010-10-05",
        "Round": "1",
        "HomeTeam": "Ashdown A",
        "AwayTeam": "Hartfield A",
        "Result": "1-0",
        "HPColour": "White",
        **usual,
    }
    return text_of(
        [
            {
                **dict.fromkeys(HEADER.split(","), ""),
                **cells,
                "HomePlayer": f"Home, Nr{number}",
                "AwayPlayer": f"Away, Nr{number}",
                "Board": number,
                **row,
            }
            for number, row in enumerate(rows, 1)
        ]
    )


def line_up(match=None):
    match = match or Match.objects.get()
    return [
        (
            board.number,
            board.home_player and board.home_player.listed_name,
            board.result if board.award is None else board.award,
            board.away_player and board.away_player.listed_name,
        )
        for board in match.boards.order_by("number").select_related("home_player", "away_player")
    ]
