"""A season's games to the rating officer: the dry run, the file to the byte, what was sent."""

import datetime
import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Membership, Player
from games.models import Board, Season, Submission, SubmittedEvent, SubmittedGame
from games.submission import submissions
from games.submission.ecf_results_file import (
    EventLines,
    GameLine,
    MatchLines,
    PlayerLine,
    results_file,
)
from tests.factories import (
    BoardFactory,
    DivisionFactory,
    LeagueRoleFactory,
    MatchFactory,
    MembershipFactory,
    OutsideEventFactory,
    PlayerFactory,
    SubmittedEventFactory,
)
from tests.games.results_grammar import tell
from tests.games.submission_scene import AT, EVENT, findings, send, shown

pytestmark = pytest.mark.django_db


@pytest.fixture
def league():
    """Two boards of one match, an officer, and the event by its name."""
    match = MatchFactory(board_count=2)
    for side in (match.home, match.away):
        MembershipFactory.create_batch(2, club=side.club)
    people = [
        [row.player for row in side.club.memberships.order_by("pk")]
        for side in (match.home, match.away)
    ]
    for number in (1, 2):
        BoardFactory(
            match=match,
            number=number,
            home_player=people[0][number - 1],
            away_player=people[1][number - 1],
            result=2,
            home_colour=("white", "unknown")[number - 1],
        )
    match.officer = LeagueRoleFactory(league=match.division.season.league).user
    match.event = SubmittedEventFactory(season=match.division.season)
    return match


@pytest.fixture
def page(client, league):
    """The client of the officer, and the address of the dry run."""
    client.force_login(league.officer)
    client.address = address("season_submission", league, 75, 10)
    return client


def address(name, match, *more):
    season = match.division.season
    return reverse(name, args=[season.league.slug, season.slug, *more])


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


# --- The event's name --------------------------------------------------------------------


def event_form(**changes):
    return EVENT | changes


def test_the_event_is_named_once_and_next_season_starts_from_it(page, league):
    season = league.division.season
    form = address("season_submission_event", league, 75, 10)
    page.post(form, event_form(code="zz26new"))
    event = SubmittedEvent.objects.get()
    assert (event.code, event.treasurer_address) == ("ZZ26NEW", "1 Sample Street\nExampletown")
    assert event.events.latest("pgh_id").pgh_context["user"] == league.officer.pk
    later = Season.objects.create(
        league=season.league,
        label="2027-28",
        slug="2027-28",
        starts_on=datetime.date(2027, 7, 1),
        ends_on=datetime.date(2028, 7, 1),
    )
    DivisionFactory(season=later)
    response = page.get(
        reverse("season_submission_event", args=[season.league.slug, "2027-28", 75, 10])
    )
    initial = response.context["form"].initial
    assert (initial["code"], initial["treasurer"], initial["name"]) == (
        "",
        "B Sample",
        f"{season.league} 2027-28",
    )


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("", "This field is required."),
        ("ZZ 26", "letters and digits"),
        ("ÉVÉNEMENT", "letters and digits"),
        ("A" * 21, "at most 20"),
        ("TAKEN", "Another event submitted from here has this code."),
        ("READ", "An event of elsewhere that was read here has this code."),
    ],
)
def test_a_code_that_cannot_be_is_refused_and_nothing_typed_is_lost(page, league, code, said):
    SubmittedEventFactory(code="TAKEN")
    OutsideEventFactory(code="READ")
    form = address("season_submission_event", league, 75, 10)
    response = page.post(form, event_form(code=code, treasurer="C Typed"))
    assert said in shown(response)
    assert 'value="C Typed"' in response.content.decode()
    assert SubmittedEvent.objects.get(pk=league.event.pk).code == league.event.code


def test_a_code_stays_once_a_file_was_sent(page, league):
    send(league.event)
    form = address("season_submission_event", league, 75, 10)
    assert "the event keeps its code" in shown(page.post(form, event_form()))
    page.post(form, event_form(code=league.event.code, treasurer="C Typed"))
    assert SubmittedEvent.objects.get(pk=league.event.pk).treasurer == "C Typed"


def test_the_database_holds_one_index_and_one_event_a_time_control(league):
    send(league.event)
    for make_row, constraint in (
        (
            lambda: Submission.objects.create(event=league.event, index=1, text="", sent_at=AT),
            "games_submission_one_per_index",
        ),
        (
            lambda: Submission.objects.create(event=league.event, index=100, text="", sent_at=AT),
            "games_submission_index_has_two_digits",
        ),
        (
            lambda: SubmittedEvent.objects.create(
                season=league.event.season, minutes=75, increment_seconds=10, code="ZZTWICE"
            ),
            "games_submittedevent_one_per_time_control",
        ),
        (
            lambda: SubmittedEvent.objects.create(
                season=league.event.season, minutes=5, increment_seconds=3, code="../x"
            ),
            "games_submittedevent_code_names_a_file",
        ),
    ):
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            make_row()


# --- Mending a player --------------------------------------------------------------------


def codes_form(player, **changes):
    return {
        "surname": player.surname,
        "forenames": player.forenames,
        "ecf_code": "",
        "membership_number": "",
        "membership_expires_on": "",
    } | changes


def test_a_finding_leads_to_where_it_is_mended_and_back(page, league):
    player = league.boards.first().home_player
    Membership.objects.filter(player=player).delete()
    groups = page.get(page.address).context["draft"].groups
    (mend,) = {one.address for g in groups if g.kind == "no_club" for one in g.findings}
    club = league.home.club
    response = page.post(
        mend,
        codes_form(
            player,
            ecf_code="900101d",
            membership_number="me 000123",
            club=club.pk,
            membership_expires_on="2027-08-31",
        ),
    )
    assert response["Location"] == page.address
    player.refresh_from_db()
    assert (player.ecf_code, player.membership_number, player.membership_expires_on) == (
        "900101D",
        "ME000123",
        datetime.date(2027, 8, 31),
    )
    assert player.events.latest("pgh_id").pgh_context["user"] == league.officer.pk
    assert list(player.memberships.values_list("club", "starts_on", "ends_on")) == [
        (club.pk, league.division.season.starts_on, None)
    ]
    assert set(findings(league.event)) == {"no_code"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ecf_code": "900101E"}, "The letter does not fit the digits."),
        ({"ecf_code": "12345"}, "An ECF code is six digits and a letter (A–L, no I)"),
        ({"ecf_code": "900102F"}, "Taken, Robin has it."),
        ({"membership_number": "ME1"}, "Taken, Robin has it."),
        ({"membership_number": "x-1"}, "A membership number is digits"),
        ({"membership_expires_on": "soon"}, "Enter a valid date."),
        ({"surname": "..."}, "Letters or figures are needed."),
        ({"surname": "123"}, "A surname needs a letter."),
        ({"surname": "A\x00B"}, "Null characters are not allowed."),
    ],
)
def test_codes_that_cannot_be_are_refused(page, league, changes, said):
    PlayerFactory(surname="Taken", ecf_code="900102F", membership_number="ME1")
    player = league.boards.first().home_player
    form = address("season_submission_player", league, player.pk)
    assert said in shown(page.post(form, codes_form(player, **changes)))
    assert Player.objects.filter(pk=player.pk, ecf_code=None, membership_number=None).exists()


def test_a_doubtful_letter_may_be_right(page, league):
    player = league.boards.first().home_player
    form = address("season_submission_player", league, player.pk)
    page.post(form, codes_form(player, ecf_code="900101E", keep_code="on"))
    assert findings(league.event)["doubtful_code"] == [(player.listed_name, "900101E", False)]


def test_who_did_not_play_in_the_season_is_not_the_officers_to_mend(page, league):
    stranger = PlayerFactory()
    assert page.get(address("season_submission_player", league, stranger.pk)).status_code == 404


def test_a_player_named_in_a_file_stays_in_the_registry(league):
    send(league.event)
    player = league.boards.first().home_player
    league.boards.all().delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.filter(player=player).delete()
        Player.objects.filter(pk=player.pk)._raw_delete("default")
        connection.check_constraints()


def test_an_officer_of_another_league_is_refused_everywhere(client, league):
    client.force_login(LeagueRoleFactory().user)
    for name, more in (
        ("season_submissions", []),
        ("season_submission", [75, 10]),
        ("season_submission_event", [75, 10]),
        ("season_submission_file", [75, 10, 1]),
        ("season_submission_player", [league.boards.first().home_player_id]),
    ):
        for method in ("get", "post"):
            status = getattr(client, method)(address(name, league, *more)).status_code
            assert (name, method, status) in {(name, method, 403), (name, "post", 405)}
    assert "login" in Client().get(address("season_submissions", league))["Location"]


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
