"""Results files read header by header: both forms, every encoding, each fault by line and field."""

import datetime

import pytest

from ratings.ecf_results_file import GameEntry, PlayerEntry, read_results_file

TODAY = datetime.date(2026, 11, 26)

# An invented league: matches, a section and a friendly, with every way to say who had White.
FILE = """\
#EVENT DETAILS
#EVENT CODE=YY26LGE
#EVENT NAME=Sampleshire League 2025-26
#SUBMISSION INDEX=3
#EVENT DATE=22/09/2025
#FINAL RESULT DATE=30/04/2026
#RESULTS OFFICER=A N Example
#RESULTS OFFICER ADDRESS=results@league.example
#TREASURER=B Sample
#TREASURER ADDRESS=1 Sample Street
#TREASURER ADDRESS=Sampletown
#MINUTES FOR GAME=75
#SECONDS PER MOVE=10
#PLAYER LIST
#PIN=1#ECF CODE=900101D#NAME=Applewood, Brenda T#CLUB NAME=Sampletown#CLUB CODE=4SAM
#PIN=2#ECF CODE=900102F#NAME=O'Quill, Sheila#CLUB NAME=Sampletown#CLUB CODE=4SAM
#PIN=3#NAME=Newcome, Kim#DATE OF BIRTH=01/01/2011#GENDER=M#CLUB NAME=Sampletown
#PIN=4#ECF CODE=900103H#NAME=McStone, Duncan J#CLUB NAME=Otherford#FIDE NO=400123
#MATCH RESULTS=Sampletown A - Otherford A
#WHITE ON=Even
#RESULTS DATE=06/10/2025
#PIN1=1#SCORE=10#PIN2=4#BOARD=1
#PIN1=2#SCORE=55#PIN2=3#BOARD=2
#PIN1=3#SCORE=1d#PIN2=0#BOARD=3
#MATCH RESULTS=Otherford A - Sampletown A
#WHITE ON=Unknown
#PIN1=4#SCORE=55#PIN2=1#GAME DATE=09/02/2026#BOARD=1#COLOUR=BLACK
#PIN1=4#SCORE=01#PIN2=2#GAME DATE=10/02/2026#BOARD=1
#SECTION RESULTS=Individual Championship
#PIN1=1#SCORE=10#PIN2=2#ROUND=1#GAME DATE=01/12/2025#COLOUR=WHITE
#OTHER RESULTS=Friendly games
#PIN1=2#SCORE=01#PIN2=4#GAME DATE=15/03/2026#COLOUR=BLACK
#FINISH
"""


def read(text, encoding="utf-8"):
    return read_results_file(text.encode(encoding), TODAY)


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

TABLES = FILE.replace(
    "\n".join(FILE.splitlines()[14:18]),
    """\
#COLUMN=PIN
#column = bcf code
#COLUMN=NAME
#COLUMN=GENDER
#COLUMN=DATE OF BIRTH
#COLUMN=CLUB
#COLUMN=CLUB CODE
#COLUMN=FIDE NO
#TABLE START
#1#900101D#Applewood, Brenda T###Sampletown#4SAM#
#2#900102F#O'Quill, Sheila###Sampletown#4SAM#
#3##Newcome, Kim#M#01/01/2011#Sampletown##
#4#900103H#McStone, Duncan J###Otherford##400123
#TABLE END""",
).replace(
    """\
#PIN1=1#SCORE=10#PIN2=4#BOARD=1
#PIN1=2#SCORE=55#PIN2=3#BOARD=2
#PIN1=3#SCORE=1d#PIN2=0#BOARD=3
""",
    """\
#COLUMN=PIN1
#COLUMN=SCORE
#COLUMN=PIN2
#COLUMN=BOARD
#TABLE START
#1#10#4#1
#2#55#3#2
#3#1d#0#3
#TABLE END
""",
)


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


def faults(text) -> list[str]:
    return [str(problem) for problem in sorted(set(read(text).problems))]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        # The event
        ("#EVENT CODE=YY26LGE\n", "", "line 1, EVENT CODE: it is missing"),
        ("YY26LGE", "YY 26", 'line 2, EVENT CODE "YY 26": expected up to 20 letters and digits'),
        ("INDEX=3", "INDEX=x", 'line 4, SUBMISSION INDEX "x": expected a number from 0 to 99'),
        ("INDEX=3", "INDEX=100", 'line 4, SUBMISSION INDEX "100": expected a number from 0 to 99'),
        (
            "INDEX=3",
            "INDEX",
            "line 1, SUBMISSION INDEX: it is missing; "
            "line 4, SUBMISSION INDEX: expected = and a value",
        ),
        (
            "22/09/2025",
            "2025-09-22",
            'line 5, EVENT DATE "2025-09-22": expected a day as dd/mm/yyyy',
        ),
        (
            "22/09/2025",
            "31/02/2025",
            'line 5, EVENT DATE "31/02/2025": expected a day as dd/mm/yyyy',
        ),
        (
            "30/04/2026",
            "01/01/2025",
            'line 6, FINAL RESULT DATE "01/01/2025": expected no day before EVENT DATE',
        ),
        ("#TREASURER=B Sample", "#TREASURER=", "line 9, TREASURER: it is missing"),
        (
            "#EVENT NAME=S",
            "#EVENT NAME==S",
            'line 3, EVENT NAME "=Sampleshire League 2025-26": '
            "expected text, not a spreadsheet's formula",
        ),
        (
            "#MINUTES FOR GAME=75\n",
            "",
            "line 1, MINUTES FOR GAME: expected a number from 0 to 1440",
        ),
        (
            "GAME=75\n#SECONDS PER MOVE=10",
            "GAME=0",
            'line 12, MINUTES FOR GAME "0": expected some time for the game',
        ),
        (
            "#SECONDS",
            "#MOVES FIRST SESSION=30\n#SECONDS",
            'line 13, MOVES FIRST SESSION "30": expected no session beside MINUTES FOR GAME',
        ),
        (
            "#MINUTES FOR GAME=75",
            "#MINUTES REST OF GAME=15#MOVES FIRST SESSION=30",
            "line 1, MINUTES FIRST SESSION: expected a number from 1 to 1440",
        ),
        (
            "#SECONDS",
            "#ENVIRONMENT=Online\n#SECONDS",
            'line 13, ENVIRONMENT "Online": games played online have no rating here',
        ),
        ("#EVENT NAME", "#PIN=7\n#EVENT NAME", 'line 3, PIN "7": no field of EVENT DETAILS'),
        ("#EVENT NAME", "#EVENT CODE=ZZ\n#EVENT NAME", 'line 3, EVENT CODE "ZZ": expected once'),
        # People
        ("#PIN=2#", "#PIN=0#", 'line 16, PIN "0": expected a number from 1 to 999999999'),
        ("#PIN=2#", "#PIN=1#", 'line 16, PIN "1": expected each PIN once'),
        ("#PIN=2#", "#NAME=Early#PIN=2#", 'line 16, NAME "Early": expected once'),
        (
            "900102F",
            "90010F",
            'line 16, ECF CODE "90010F":'
            " expected a code of six digits and a letter (A–L, no I), like 900101D",
        ),
        ("#NAME=O'Quill, Sheila", "", "line 16, NAME: it is missing"),
        (
            "O'Quill, Sheila",
            "12½",
            'line 16, NAME "12½": expected a name; a surname needs a letter',
        ),
        (
            "O'Quill, Sheila",
            "@SUM(A1)",
            'line 16, NAME "@SUM(A1)": expected text, not a spreadsheet\'s formula',
        ),
        ("GENDER=M", "GENDER=X", 'line 17, GENDER "X": expected M, F or blank'),
        (
            "01/01/2011",
            "01/01/2031",
            'line 17, DATE OF BIRTH "01/01/2031": expected a day that has come',
        ),
        (
            "#GENDER=M#CLUB NAME=Sampletown",
            "",
            "line 17, CLUB NAME: expected a club, for there is no code",
        ),
        (
            "FIDE NO=400123",
            "FIDE NO=x",
            'line 18, FIDE NO "x": expected a number from 0 to 999999999',
        ),
        ("#PIN=1#ECF", "#ECF", "line 15, PIN: expected before ECF CODE"),
        # Games
        (
            "#MATCH RESULTS=Sampletown A - Otherford A",
            "#MATCH RESULTS",
            "line 19, MATCH RESULTS: it is missing",
        ),
        (
            "WHITE ON=Even",
            "WHITE ON=Evens",
            'line 20, WHITE ON "Evens": expected All, Odd, Even, None or Unknown',
        ),
        (
            "#SCORE=10#PIN2=4#",
            "#SCORE=1-0#PIN2=4#",
            'line 22, SCORE "1-0": expected 10, 01 or 55, or a default 1d, d1 or dd',
        ),
        (
            "#SCORE=10#PIN2=4#",
            "#PIN2=4#",
            "line 22, SCORE: expected 10, 01 or 55, or a default 1d, d1 or dd",
        ),
        (
            "#SCORE=10#PIN2=4#",
            "#SCORE=10#PIN2=5#",
            'line 22, PIN2 "5": expected a PIN of the player list',
        ),
        (
            "#SCORE=10#PIN2=4#",
            "#SCORE=10#PIN2=0#",
            'line 22, PIN2 "0": expected a PIN of the player list',
        ),
        ("#SCORE=10#PIN2=4#", "#SCORE=10#PIN2=1#", 'line 22, PIN2 "1": expected two people'),
        ("#SCORE=10#PIN2=4#", "#SCORE=10#", "line 22, PIN2: expected a number from 0 to 999999999"),
        (
            "#SCORE=10#PIN2=4#",
            "#SCORE=10#PIN2=4#RESULT=1#",
            'line 22, RESULT "1": no field of MATCH RESULTS',
        ),
        ("BOARD=1\n", "BOARD=0\n", 'line 22, BOARD "0": expected a number from 1 to 999'),
        ("ROUND=1#", "ROUND=100#", 'line 30, ROUND "100": expected a number from 1 to 99'),
        ("COLOUR=WHITE", "COLOUR=red", 'line 30, COLOUR "red": expected White, Black or Unknown'),
        (
            "#RESULTS DATE=06/10/2025\n#PIN1=1",
            "\n#PIN1=1",
            "line 22, GAME DATE: expected a day here or in RESULTS DATE; "
            "line 23, GAME DATE: expected a day here or in RESULTS DATE",
        ),
        (
            "06/10/2025",
            "06/10/2024",
            'line 21, RESULTS DATE "06/10/2024": expected a day of the event, from 2025-09-22 to'
            " 2026-04-30",
        ),
        ("#GAME DATE=15/03/2026", "", "line 32, GAME DATE: expected a day as dd/mm/yyyy"),
        (
            "#PIN1=2#SCORE=55#PIN2=3#BOARD=2",
            "#RESULTS DATE=07/10/2025",
            'line 23, RESULTS DATE "07/10/2025": expected before the games',
        ),
        (
            "#PIN1=2#SCORE=55#PIN2=3#BOARD=2",
            "#PIN1=4#SCORE=01#PIN2=1#BOARD=1",
            'line 23, PIN1 "4": line 22 has this game',
        ),
        # The file
        ("#FINISH\n", "", "line 32, FINISH: the file ends without FINISH; is it whole?"),
        ("#FINISH\n", "#FINISH\n#PIN=9\n", "line 34: expected nothing after FINISH"),
        (
            "#EVENT DETAILS",
            "Dear all,\n#EVENT DETAILS",
            "line 1: expected # before the first field",
        ),
        ("#PLAYER LIST", "#PLAYER LIST\n#PLAYER LIST", "line 15, PLAYER LIST: expected once"),
        (
            "Brenda T",
            "Brenda\x00T",
            'line 15, NAME: it is missing; line 15, NAME "Applewood, Brenda\\u0000T": '
            "expected no control character",
        ),
    ],
)
def test_each_fault_by_line_and_field(old, new, said):
    assert old in FILE
    assert "; ".join(faults(FILE.replace(old, new, 1))) == said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("#COLUMN=PIN\n", "", 'line 15, COLUMN "bcf code": expected PIN first'),
        ("#COLUMN=GENDER", "#COLUMN=PIN", 'line 18, COLUMN "PIN": expected each column once'),
        (
            "#COLUMN=GENDER",
            "#COLUMN=SHOE SIZE",
            'line 18, COLUMN "SHOE SIZE": expected the name of a field',
        ),
        ("#2#900102F#", "#2#", "line 25: 7 given; expected 8 values, as many as columns"),
        (
            "#TABLE START\n#1#900101D",
            "#1#900101D",
            'line 22, COLUMN "FIDE NO": expected TABLE START after it',
        ),
        ("#TABLE END", "", "line 23, TABLE START: expected TABLE END after it"),
        (
            "#1#10#4#1",
            "#1#1-0#4#1",
            'line 37, SCORE "1-0": expected 10, 01 or 55, or a default 1d, d1 or dd',
        ),
    ],
)
def test_faults_of_tables(old, new, said):
    assert old in TABLES
    assert said in faults(TABLES.replace(old, new, 1))


def test_a_row_may_not_break_where_values_would_shift():
    shifted = TABLES.replace("#1#10#4#1\n#2#55#3#2", "#1#10#4\n#1#2#55#3#2")
    assert faults(shifted)[:2] == [
        "line 37: 3 given; expected 4 values, as many as columns",
        "line 38: 5 given; expected 4 values, as many as columns",
    ]


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


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"#",
        b"\x00" * 5000,
        b"#" * 100_000,
        b"=" * 100_000,
        b"#PLAYER LIST" + b"#PIN=x" * 50_000,
        b"#MATCH RESULTS=x" + b"#PIN1=x" * 50_000,
        b"#PIN=" + b"9" * 1_000_000,
        b"#EVENT DETAILS#EVENT CODE=" + b"A" * 1_000_000,
        b"\xff\xfe#\x00F\x00I\x00N\x00I\x00S\x00H\x00",
        FILE.encode("utf-16"),
        FILE.encode() + b"\x81\x8d",
        b"#TABLE START#TABLE END#COLUMN=" * 2000,
        b"#EVENT DETAILS#COLUMN#TABLE START#FINISH",
        b"#MATCH RESULTS=x#COLUMN=PIN1" + b"#COLUMN=" * 3000 + b"#TABLE START#1#TABLE END",
        FILE.encode().replace(b"PIN1=1", b"PIN1=" + b"9" * 5000),
        FILE.replace("PIN1=1", "PIN1=١").encode(),
        FILE.replace("Sampletown A", "S" * 5000).encode(),
        FILE.replace("#", "##").encode(),
    ],
)
def test_hostile_files_are_answered(content):
    found = read_results_file(content, TODAY)
    assert 0 < len(found.problems) < 2000 and all(str(problem) for problem in found.problems)
    assert max(len(str(problem)) for problem in found.problems) < 300
