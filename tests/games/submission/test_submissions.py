"""A season's games to the rating officer: the dry run, the file to the byte, what was sent."""

import datetime
import threading

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Board, Submission, SubmittedGame
from games.submission import submissions
from games.submission.ecf_results_file import (
    EventLines,
    GameLine,
    MatchLines,
    PlayerLine,
    results_file,
)
from tests.factories import BoardFactory, DivisionFactory, MatchFactory
from tests.games.results_grammar import tell
from tests.games.submission_scene import AT, address, send, shown

pytestmark = pytest.mark.django_db


def seen_on(page) -> str:
    return page.get(page.address).context["draft"].digest


def test_what_is_sent_is_kept_and_stays_as_it_was(page, league):
    page.post(page.address, {"seen": seen_on(page)})
    sent = Submission.objects.get()
    assert (sent.index, sent.sent_by, sent.file_name) == (
        1,
        league.officer,
        f"{league.event.code}01.txt",
    )
    assert list(sent.games.values_list("board", "result", "home_colour", "played_on")) == [
        (1, 2, "white", league.played_on),
        (2, 2, "unknown", league.played_on),
    ]
    told = tell(sent.text.encode())
    assert [game.get("COLOUR") for _title, game in told.games] == ["WHITE", None]
    Board.objects.filter(match=league, number=1).update(result=0)
    response = page.get(address("season_submission_file", league, 75, 10, 1))
    assert response.content == sent.text.encode()
    assert response["Content-Disposition"] == f'attachment; filename="{sent.file_name}"'


def test_a_second_click_sends_nothing_and_an_unchanged_file_is_not_sent_again(page, league):
    seen = seen_on(page)
    for _ in range(2):
        page.post(page.address, {"seen": seen})
    assert Submission.objects.count() == 1
    page.post(page.address, {"seen": seen_on(page)})
    assert Submission.objects.count() == 1
    assert "there is nothing new to send" in shown(page.get(page.address))


def test_the_next_file_holds_all_games_under_the_next_index(page, league):
    page.post(page.address, {"seen": seen_on(page)})
    more = MatchFactory(division=league.division, home=league.away, away=league.home)
    BoardFactory(
        match=more,
        number=1,
        home_player=league.boards.first().away_player,
        away_player=league.boards.first().home_player,
        result=1,
    )
    league.boards.filter(number=1).update(result=0)
    league.boards.filter(number=2).delete()
    text = shown(page.get(page.address))
    assert "1 new game, 1 changed, 1 gone." in text
    assert "24 Nov 2026: result was 1–0" in text
    page.post(page.address, {"seen": seen_on(page)})
    first, second = Submission.objects.order_by("index")
    assert (first.games.count(), second.games.count(), second.index) == (2, 2, 2)
    told = tell(second.text.encode())
    assert ("SUBMISSION INDEX", "2") in told.event
    assert [game["SCORE"] for _title, game in told.games] == ["01", "55"]


def test_a_file_that_changed_while_one_looked_is_shown_again(page, league):
    seen = seen_on(page)
    league.boards.filter(number=1).update(result=0)
    response = page.post(page.address, {"seen": seen}, follow=True)
    assert "changed while you looked" in shown(response)
    assert not Submission.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_officers_at_once_send_one_file(league):
    seen = submissions.prepare(league.event).digest
    both, sent = threading.Barrier(2), []

    def click():
        both.wait()
        sent.append(submissions.send(event=league.event.pk, seen=seen, by=None, at=AT).pk)
        connection.close()

    threads = [threading.Thread(target=click) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sent == [Submission.objects.get().pk] * 2
    assert SubmittedGame.objects.count() == 2


def test_after_99_files_there_is_no_index_left(league):
    Submission.objects.create(event=league.event, index=99, text="#FINISH\r\n", sent_at=AT)
    with pytest.raises(submissions.SubmissionRefused, match="are used up"):
        send(league.event)


def test_the_dry_run_asks_no_more_of_the_database_for_more_games(page, league):
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert page.get(page.address).status_code == 200
        return len(captured)

    page.get(page.address)
    few = queries()
    for _ in range(3):
        match = MatchFactory(division=league.division)
        for number in range(1, 5):
            BoardFactory(match=match, number=number, result=1)
    assert queries() == few
    page.post(page.address, {"seen": seen_on(page)})
    after = queries()
    Board.objects.update(result=0)
    assert queries() == after


def test_other_time_controls_are_other_events(page, league):
    rapid = DivisionFactory(season=league.division.season, minutes=25, increment_seconds=5)
    BoardFactory(match=MatchFactory(division=rapid), number=1, result=1)
    assert len(tell(send(league.event).text.encode()).games) == 2
    other = page.get(address("season_submission", league, 25, 5))
    assert other["Location"] == address("season_submission_event", league, 25, 5)
    assert page.get(address("season_submission", league, 25, 6)).status_code == 404
    assert page.get(address("season_submission", league, 10**30, 6)).status_code == 404


def test_a_default_is_not_sent(league):
    league.boards.filter(number=2).update(result=None, award="home_default")
    assert len(tell(send(league.event).text.encode()).games) == 1


# --- The writer --------------------------------------------------------------------------


def test_values_hold_no_sign_of_the_grammar():
    player = PlayerLine(7, surname="Hash#Tag", forenames="A=B\r\n#PIN=8", club="O’Hara’s #2")
    game = GameLine(7, 8, 1, datetime.date(987, 6, 5), 1, None)
    event = EventLines(
        "ZZ", 7, "Łódź – #1", game.played_on, game.played_on, "A", ["a"], "B", ["b"], 0, 0
    )
    text = results_file(event, [player], [MatchLines("A#B - C", [game])])
    told = tell(text.encode("ascii"))
    said = dict(told.event)
    times = (said["MINUTES FOR GAME"], said["SECONDS PER MOVE"])
    assert (said["EVENT NAME"], *times) == ("Lodz - ?1", "0", "0")
    assert told.people == {
        "7": {"PIN": "7", "NAME": "Hash?Tag, A=B ?PIN=8", "CLUB NAME": "O'Hara's ?2"}
    }
    assert told.games == [
        (
            "A?B - C",
            {"PIN1": "7", "SCORE": "55", "PIN2": "8", "GAME DATE": "05/06/0987", "BOARD": "1"},
        )
    ]
