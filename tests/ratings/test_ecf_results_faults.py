"""What is wrong with a results file, each fault by line and field."""

import pytest

from ratings.ecf_results_file import read_results_file
from tests.ratings.results_file_scene import FILE, TABLES, TODAY, read


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
