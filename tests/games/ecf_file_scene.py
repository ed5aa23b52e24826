"""What a file says of games of elsewhere, and the same file sent again with corrections."""

import datetime

from ratings.models import RatedGame
from tests.ratings.results_file_scene import FILE


def games() -> list[tuple]:
    """Every game of the ledger in the order of play, by surnames."""
    rows = RatedGame.objects.in_order_of_play()
    return [
        *rows.values_list(
            *("event__name", "event__pool", "played_on", "round", "board"),
            *("white__surname", "black__surname", "white_halves", "colours_known"),
        )
    ]


NAME = "Sampleshire League 2025-26"
GAMES = [
    (NAME, "standard", "2025-10-06", 0, 1, "McStone", "Applewood", 0, True),
    (NAME, "standard", "2025-10-06", 0, 2, "O’Quill", "Newcome", 1, True),
    (NAME, "standard", "2025-12-01", 1, 0, "Applewood", "O’Quill", 2, True),
    (NAME, "standard", "2026-02-09", 0, 1, "Applewood", "McStone", 1, True),
    (NAME, "standard", "2026-02-10", 0, 1, "McStone", "O’Quill", 0, False),
    (NAME, "standard", "2026-03-15", 0, 0, "McStone", "O’Quill", 2, True),
]


def of_days(rows):
    return [(*row[:2], datetime.date.fromisoformat(row[2]), *row[3:]) for row in rows]


def resend(index=4, *changes):
    text = FILE.replace("SUBMISSION INDEX=3", f"SUBMISSION INDEX={index}")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


CORRECTED = (
    ("#PIN1=1#SCORE=10#PIN2=4#BOARD=1\n", "#PIN1=1#SCORE=01#PIN2=4#BOARD=1\n"),  # a result
    ("#PIN1=2#SCORE=01#PIN2=4#GAME DATE=15/03/2026#COLOUR=BLACK\n", ""),  # a game less
    ("#FINISH", "#PIN1=3#SCORE=10#PIN2=1#GAME DATE=20/03/2026\n#FINISH"),  # and one more
)


def choices(tmp_path, *rows, header="PIN,Choice") -> str:
    path = tmp_path / "choices.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return str(path)
