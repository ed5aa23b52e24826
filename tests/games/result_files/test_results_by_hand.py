"""A file of results read once more after people changed what it brought."""

import datetime
from dataclasses import replace

import pytest

from games.grading_office.verification import verify
from games.match_cards import cards
from games.match_cards.card_entries import BoardEntry, entry_of
from games.models import Board, Match
from tests.factories import PlayerFactory, UserFactory
from tests.games.result_file_scene import counts, line_up, small

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(run):
    """A match of three boards, imported: 3-0."""
    run(small({}, {}, {}))
    return Match.objects.get()


def by_hand(match, **facts):
    """Save the match's card as a person; `facts` change it: `board_2={"result": 0}`."""
    match.refresh_from_db()
    entries = [entry_of(board) for board in match.boards.order_by("number")]
    entries = [
        replace(entry, **facts.pop(f"board_{entry.number}", {}))
        for entry in entries
        if facts.get(f"board_{entry.number}", {}) is not None
    ]
    facts = {name: value for name, value in facts.items() if not name.startswith("board_")}
    cards.record_card(
        match=match.pk,
        boards=entries,
        version=match.version,
        by=UserFactory(),
        at=datetime.datetime(2010, 10, 9, 22, tzinfo=datetime.UTC),
        **facts,
    )


KEPT = "Row 3: board 2 of Ashdown A v Hartfield A, 2010-10-05 was changed by hand and is kept."


def test_a_board_corrected_by_hand_is_reported_and_kept(run, match):
    by_hand(match, board_2={"result": 0})
    before = counts()
    assert run(small({}, {}, {})) == [KEPT, "0 new, 0 changed"]
    assert counts() == before
    assert [row[2] for row in line_up()] == [2, 0, 2]


def test_the_other_boards_of_that_match_are_still_the_files(run, match):
    by_hand(match, board_2={"result": 0})
    assert run(small({}, {}, {"Result": "draw"})) == [
        KEPT,
        "Rated: 3 rows of games and ratings.",
        "0 new, 1 changed",
    ]
    assert [row[2] for row in line_up()] == [2, 0, 1]
    assert verify() == []


def test_what_nobody_touched_follows_the_file(run, match):
    assert run(small({}, {"Result": "0-1"}, {}))[-1] == "0 new, 1 changed"
    assert [row[2] for row in line_up()] == [2, 0, 2]
    assert [board.pk for board in match.boards.all()] == [
        *Board.objects.order_by("number").values_list("pk", flat=True)
    ]
    assert verify() == []


def test_a_board_changed_by_hand_and_back_is_the_files_again(run, match):
    by_hand(match, board_2={"result": 0})
    by_hand(match, board_2={"result": 2})
    assert run(small({}, {"Result": "draw"}, {}))[-1] == "0 new, 1 changed"


def test_a_hand_without_a_card_counts_too(run, match):
    Board.objects.filter(number=2).update(result=1)
    assert run(small({}, {}, {})) == [KEPT, "0 new, 0 changed"]


def test_a_board_taken_off_by_hand_does_not_come_back(run, match):
    by_hand(match, board_2=None)
    assert run(small({}, {}, {})) == [KEPT, "0 new, 0 changed"]
    assert [row[0] for row in line_up()] == [1, 3]


def test_a_date_changed_by_hand_is_kept(run, match):
    by_hand(match, played_on=datetime.date(2010, 10, 7))
    assert run(small({}, {}, {})) == [
        "Ashdown A v Hartfield A, 2010-10-05, date: 2010-10-07 by hand is kept,"
        " the file says 2010-10-05.",
        "0 new, 0 changed",
    ]


def test_a_card_saved_by_hand_is_not_stated_otherwise(run, match):
    by_hand(match, board_2={"result": 0})
    lines = run(small({}, {}, {}, HTScore="2½", ATScore="½"))
    assert lines == [
        "Ashdown A v Hartfield A, 2010-10-05: the file states 2½ - ½,"
        " its boards come to 3 - 0; kept as stated.",
        "Ashdown A v Hartfield A, 2010-10-05, stated score, home, in halves: none by hand is"
        " kept, the file says 2½.",
        "Ashdown A v Hartfield A, 2010-10-05, stated score, away, in halves: none by hand is"
        " kept, the file says ½.",
        KEPT,
        "0 new, 0 changed",
    ]


def test_a_player_whom_a_hand_put_on_another_board_is_refused(run, match):
    first, second = (board.home_player_id for board in match.boards.order_by("number")[:2])
    by_hand(match, board_1={"home": second}, board_2={"home": first})
    assert run(small({}, {}, {"HomePlayer": "Home, Nr1"}), refused=True)[0] == (
        'row 4, HomePlayer "Home, Nr1": expected each player once in a match; board 2 has the same'
    )


def test_a_card_entered_before_any_import_is_kept(run):
    run(small({"HomePlayer": "", "AwayPlayer": "", "Result": ""}))
    match = Match.objects.get()
    cards.record_card(
        match=match.pk,
        boards=[
            BoardEntry(1, PlayerFactory().pk, PlayerFactory().pk, home_colour="white", result=0)
        ],
        version=match.version,
        by=UserFactory(),
        at=datetime.datetime(2010, 10, 5, 22, tzinfo=datetime.UTC),
    )
    assert run(small({}))[-2:] == [KEPT.replace("3: board 2", "2: board 1"), "0 new, 0 changed"]
    assert [row[2] for row in line_up()] == [0]


def test_a_row_the_file_lost_stays(run, match):
    assert run(small({}, {})) == [
        "Ashdown A v Hartfield A, 2010-10-05: the file has no row for board 3; kept as stored.",
        "0 new, 0 changed",
    ]
    assert Board.objects.count() == 3
