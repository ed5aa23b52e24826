"""The demo league to the rating officer: the file to the byte, each planted fault, read back."""

import datetime

import pytest

from clubs.models import Membership, Player
from games.grading_office.verification import verify
from games.models import Board, Match, Season
from games.submission import submissions
from games.submission.ecf_file_import import import_ecf_file
from ratings.models import RatedGame
from tests.games.demo_scene import TODAY, make
from tests.games.results_grammar import tell, written
from tests.games.submission_scene import AT, EVENT, STANDARD, findings, send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]


@pytest.fixture(scope="module")
def demo(rows_of_module):
    """The season of the demo, which is made once for all these tests."""
    make("--today", TODAY)
    return Season.objects.get(slug="2026-27", league__slug="weald-downs-chess-league")


# --- The demo league ---------------------------------------------------------------------


def named(season):
    return submissions.name_event(season=season.pk, control=STANDARD, by=None, **EVENT)


def test_the_file_of_the_demo_league_to_the_byte(demo):
    sent = send(named(demo))
    content = sent.text.encode()
    told = tell(content)
    assert written(told) == content
    fixtures = Match.objects.filter(division__season=demo, played_on__isnull=False)
    days = fixtures.values_list("played_on", flat=True)
    assert told.event == [
        ("EVENT CODE", "ZZ26WDL"),
        ("EVENT NAME", "Weald & Downs Chess League 2026-27"),
        ("SUBMISSION INDEX", "1"),
        ("EVENT DATE", min(days).strftime("%d/%m/%Y")),
        ("FINAL RESULT DATE", max(days).strftime("%d/%m/%Y")),
        ("RESULTS OFFICER", "A N Example"),
        ("RESULTS OFFICER ADDRESS", "results@league.example"),
        ("TREASURER", "B Sample"),
        ("TREASURER ADDRESS", "1 Sample Street"),
        ("TREASURER ADDRESS", "Exampletown"),
        ("MINUTES FOR GAME", "75"),
        ("SECONDS PER MOVE", "10"),
    ]
    boards = (
        Board.objects.filter(match__division__season=demo)
        .rateable()
        .select_related("match__home", "match__away", "home_player", "away_player")
        .order_by("match__division__rank", "match__played_on", "match__number", "number")
    )
    score = {2: "10", 1: "55", 0: "01"}
    assert told.games == [
        (
            f"{board.match.home.name} - {board.match.away.name}".replace("’", "'"),
            {
                "PIN1": str(board.home_player_id),
                "SCORE": score[board.result],
                "PIN2": str(board.away_player_id),
                "GAME DATE": board.day.strftime("%d/%m/%Y"),
                "BOARD": str(board.number),
                "COLOUR": board.home_colour.upper(),
            },
        )
        for board in boards
    ]
    seated = {str(pk) for board in boards for pk in (board.home_player_id, board.away_player_id)}
    assert set(told.people) == seated
    by_code = {who["ECF CODE"]: who for who in told.people.values() if "ECF CODE" in who}
    names = {code: by_code[code]["NAME"] for code in by_code}
    codes = dict(Player.objects.filter(pk__in=seated).values_list("ecf_code", "surname"))
    assert {code for code in codes if code} == set(by_code)
    assert {"Mullner, Jurgen", "Zabrek, Lucja", "Nunal, Jose Ma", "O'Grange, Siobhan"} <= set(
        names.values()
    )
    assert all("CLUB NAME" in who for who in told.people.values())
    new = [who for who in told.people.values() if "ECF CODE" not in who]
    assert all("GENDER" not in who for who in by_code.values()) and new


def test_read_back_in_nothing_is_new(demo):
    event = named(demo)
    sent = send(event)
    games = RatedGame.objects.count()
    report = import_ecf_file(content=sent.text.encode(), source=sent.file_name, by=None, at=AT)
    assert (report.new, report.changed) == (0, 0)
    assert report.notices[-2:] == [
        "ZZ26WDL is an event of our own: compared with ZZ26WDL01.txt, nothing is stored.",
        "Equal.",
    ]
    altered = sent.text.replace("#SCORE=10#", "#SCORE=01#", 1).encode()
    report = import_ecf_file(content=altered, source="other.txt", by=None, at=AT)
    (difference,) = report.notices[-1:]
    assert "sent as 1-0" in difference and "the file says 0-1" in difference
    assert (report.new, report.changed, RatedGame.objects.count()) == (0, 0, games)
    assert verify() == []


def test_every_planted_fault_of_the_demo_is_found(demo):
    event = named(demo)
    clean = findings(event)
    assert set(clean) == {"no_code", "not_member"}
    for player in Player.objects.order_by("pk"):
        player.membership_number = f"ME{player.pk:06d}"
        player.save()
    assert set(findings(event)) == {"no_code"}
    rows = Board.objects.filter(match__division__season=demo).rateable()
    boards = list(rows.select_related("match", "home_player").order_by("match__played_on", "pk"))
    people = {board.home_player for board in boards}
    people = sorted(people, key=lambda player: (player.sort_name, player.pk))
    coded = [player.pk for player in people if player.ecf_code]
    doubtful, clubless, lost, expired = coded[0], coded[5], coded[10], coded[15]
    Player.objects.filter(pk=doubtful).update(ecf_code="900999A")
    Membership.objects.filter(player=clubless).delete()
    Player.objects.filter(pk=lost).update(surname="Лебедев")
    days = [
        board.day for board in boards if expired in (board.home_player_id, board.away_player_id)
    ]
    Player.objects.filter(pk=expired).update(membership_expires_on=min(days) - ONE_DAY)
    both = next(player for player in people if player.ecf_code is None)
    Membership.objects.filter(player=both).delete()
    match = boards[100].match
    Match.objects.filter(pk=match.pk).update(played_on=None)
    found = findings(event)
    assert {kind: [who for who, _words, _blocks in rows] for kind, rows in found.items()} == {
        "undated": [str(match)] * found_undated(match),
        "no_code": [who for who, *_ in clean["no_code"]],
        "doubtful_code": [listed(doubtful)],
        "no_club": [
            who.listed_name
            for who in Player.objects.filter(pk__in=[both.pk, clubless]).order_by("sort_name")
        ],
        "lost_letters": [listed(lost)],
        "not_member": [listed(expired)],
    }
    blocking = [who for rows in found.values() for who, _words, blocks in rows if blocks]
    assert blocking == [both.listed_name]
    with pytest.raises(submissions.SubmissionRefused, match="has to be mended first"):
        send(event)


ONE_DAY = datetime.timedelta(days=1)


def listed(pk) -> str:
    return Player.objects.get(pk=pk).listed_name


def found_undated(match) -> int:
    return match.boards.filter(result__isnull=False, award__isnull=True).count()
