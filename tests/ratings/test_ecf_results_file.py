"""Results files read header by header: both forms, every encoding, and what they say."""

import datetime

import pytest

from ratings.ecf_results_entries import GameEntry, PlayerEntry
from tests.ratings.results_file_scene import FILE, TABLES, read


def day(text) -> datetime.date:
    return datetime.date.fromisoformat(text)


def test_all_that_a_file_says():
    found = read(FILE)
    assert (found.problems, found.notices) == (
        [],
        ["1 game was won by default and is not rated."],
    )
    event = found.event
    assert (event.code, event.index, event.name) == ("YY26LGE", 3, "Sampleshire League 2025-26")
    assert (event.starts_on, event.ends_on) == (day("2025-09-22"), day("2026-04-30"))
    assert (event.minutes, event.increment_seconds) == (75, 10)
    assert list(found.players.values()) == [
        PlayerEntry(15, 1, "900101D", ("Applewood", "Brenda T"), None, None, None, *SAM),
        PlayerEntry(16, 2, "900102F", ("O'Quill", "Sheila"), None, None, None, *SAM),
        PlayerEntry(
            17, 3, None, ("Newcome", "Kim"), "M", day("2011-01-01"), None, "Sampletown", ""
        ),
        PlayerEntry(18, 4, "900103H", ("McStone", "Duncan J"), None, None, 400123, "Otherford", ""),
    ]
    home, away = "Sampletown A - Otherford A", "Otherford A - Sampletown A"
    assert found.games == [
        GameEntry(22, 1, home, 1, 4, 2, day("2025-10-06"), 0, 1, white=2),
        GameEntry(23, 2, home, 2, 3, 1, day("2025-10-06"), 0, 2, white=1),
        GameEntry(27, 4, away, 4, 1, 1, day("2026-02-09"), 0, 1, white=2),
        GameEntry(28, 5, away, 4, 2, 0, day("2026-02-10"), 0, 1, white=0),
        GameEntry(30, 6, "Individual Championship", 1, 2, 2, day("2025-12-01"), 1, 0, white=1),
        GameEntry(32, 7, "Friendly games", 2, 4, 0, day("2026-03-15"), 0, 0, white=2),
    ]


SAM = ("Sampletown", "4SAM")


def without_lines(found):
    """What a file says, whatever stands on which line."""
    return (
        found.event and (found.event.code, found.event.index, found.event.minutes),
        [
            (who.pin, who.code, who.name, who.gender, who.born_on, who.fide_id, who.club)
            for who in found.players.values()
        ],
        [
            (
                game.number,
                game.title,
                game.first,
                game.second,
                game.halves,
                game.played_on,
                game.round,
                game.board,
                game.white,
            )
            for game in found.games
        ],
        found.defaults,
        [str(problem) for problem in found.problems],
    )


@pytest.mark.parametrize(
    "text",
    [
        TABLES,
        FILE.replace("\n", "\r\n"),
        FILE.replace("\n", "\r"),
        FILE.replace("\n", ""),
        FILE.replace("\n", "\n\n"),
        FILE.replace("#", "\n#\n"),
        FILE.replace("EVENT CODE", "eventcode").replace("WHITE ON", "w h i t e on"),
        FILE.replace("=", " = ").replace("#PIN2", "# pin 2"),
        FILE.replace("FINAL RESULT DATE", "FINAL RESULTS DATE").replace("ECF CODE", "BCF Code"),
        FILE.replace("CLUB NAME", "CLUB"),
        FILE.replace("#MINUTES FOR GAME", "#INFORM FIDE=yes#ADJUDICATED=1#MINUTES FOR GAME"),
        FILE.replace("#NAME=O'Quill, Sheila", "#SURNAME=O'Quill#FORENAME=Sheila"),
        FILE.replace("SCORE=1d#PIN2=0", "SCORE=1D#PIN2=1"),
        FILE.replace(
            "#MINUTES FOR GAME=75",
            "#MOVES FIRST SESSION=30#MINUTES FIRST SESSION=60#MINUTES REST OF GAME=15",
        ),
        FILE.replace(
            "#MINUTES FOR GAME=75",
            "#MOVES FIRST SESSION=30#MINUTES FIRST SESSION=40#MOVES SECOND SESSION=15"
            "#MINUTES SECOND SESSION=20#MINUTES REST OF GAME=15",
        ),
    ],
)
def test_ways_to_say_the_same(text):
    assert without_lines(read(text)) == without_lines(read(FILE))


ACCENTED = FILE.replace("O'Quill, Sheila", "Müllner, Zoë")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_encodings(encoding):
    found = read(ACCENTED, encoding)
    assert (found.players[2].listed_name, found.problems) == ("Müllner, Zoë", [])
    assert found.digest == read(ACCENTED).digest


@pytest.mark.parametrize(
    ("white_on", "board", "white"),
    [("all", 2, 1), ("Odd", 1, 1), ("odd", 2, 2), ("EVEN", 2, 1), ("even", 1, 2), ("none", 1, 2)]
    + [("unknown", 1, 0), ("", 1, 0), ("odd", None, 0)],
)
def test_who_had_white(white_on, board, white):
    text = FILE.replace("#WHITE ON=Even", f"#WHITE ON={white_on}")
    text = text.replace("#BOARD=1\n", f"#BOARD={board}\n" if board else "\n", 1)
    found = read(text)
    assert ([str(p) for p in found.problems], found.games[0].white) == ([], white)


def test_an_event_of_one_day_dates_its_games():
    text = FILE.replace("22/09/2025", "06/10/2025").replace("30/04/2026", "06/10/2025")
    text = text[: text.index("#MATCH RESULTS=Otherford")] + "#FINISH\n"
    found = read(text.replace("#RESULTS DATE=06/10/2025\n", ""))
    assert [game.played_on for game in found.games] == [day("2025-10-06")] * 2
    assert found.problems == []


def test_a_field_that_nobody_knows_is_named_and_passed_over():
    found = read(FILE.replace("#TREASURER=", "#SHOE SIZE=44#TREASURER="))
    assert found.problems == []
    assert found.notices[0] == 'Line 9: "SHOE SIZE" is no field of EVENT DETAILS; passed over.'


def test_a_doubtful_code_and_a_code_of_two_pins_are_named():
    found = read(FILE.replace("900102F", "900102G"))
    assert found.notices[0] == "Line 16: the letter of 900102G does not fit its digits."
    found = read(FILE.replace("900102F", "900101D"))
    assert found.notices[0] == "900101D has two PINs, 1 and 2: taken for one person."
    assert [str(problem) for problem in found.problems] == [
        'line 30, PIN2 "2": expected two people'
    ]
