"""A small results file of the federation, its player list as a table, and how it is read."""

import datetime

from ratings.ecf_results_file import read_results_file

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
