"""A match put off, rearranged, void, awarded, reinstated: what changes, who is told, what stays."""

from datetime import UTC, date, datetime
from threading import Barrier, Thread

import pytest
from django.db import connection

from games.division_tables.league_tables import table_of
from games.match_cards.card_entries import entry_of
from games.match_cards.cards import BoardEntry, CardRefused, record_card
from games.matches import match_decisions, rearrangements
from games.matches.match_decisions import DecisionRefused
from games.models import Division, Match, Rearrangement
from ratings.models import RatedGame
from tests.factories import (
    MatchFactory,
    PlayerFactory,
    RearrangementFactory,
    TeamRoleFactory,
    UserFactory,
)
from tests.job_queue import jobs

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
NEW = date(2026, 12, 8)
LATER = datetime(2026, 12, 8, 23, tzinfo=UTC)


@pytest.fixture
def match(db) -> Match:
    found = MatchFactory(board_count=1, played_on=date(2026, 11, 24))
    for side, letter in ((found.home, "h"), (found.away, "a")):
        side.captain_email = f"{letter}@example.org"
        side.save()
    return found


@pytest.fixture
def officer(db):
    return UserFactory(email="officer@example.org")


def mails() -> list[tuple[str, str]]:
    return [(args["to"], args["subject"]) for args, _status in jobs("send_mail")]


def facts(match: Match) -> tuple:
    match.refresh_from_db()
    return match.state, match.played_on, match.stated_home, match.stated_away, match.decision


def card(match: Match, result: int = 2, at: datetime = LATER, **more):
    players = [PlayerFactory().pk, PlayerFactory().pk]
    entry = BoardEntry(1, *players, "white", result=result)
    match.refresh_from_db()
    return record_card(
        match=match.pk, boards=[entry], version=match.version, by=None, at=at, **more
    )


def test_an_officer_sets_another_day(match, officer):
    version = Division.objects.get(pk=match.division_id).version
    match_decisions.postpone(match=match.pk, day=NEW, by=officer, at=AT, why="snow", address="x/1")
    assert facts(match) == ("arranged", NEW, None, None, "")
    assert mails() == [
        ("h@example.org", f"{match} is on Tue 8 December 2026"),
        ("a@example.org", f"{match} is on Tue 8 December 2026"),
    ]
    text = jobs("send_mail")[0][0]["text"]
    assert "Tuesday 8 December 2026" in text and "Reason: snow" in text and "x/1" in text
    match.division.refresh_from_db()
    assert (match.division.version, match.division.changed_at) == (version + 1, AT)
    last = match.events.latest("pgh_id")
    assert (last.played_on, last.pgh_context["user"], last.pgh_context["why"]) == (
        NEW,
        officer.pk,
        "snow",
    )


def test_each_side_reads_of_a_new_day_in_its_language(match, officer):
    UserFactory(email="a@example.org", language="fr")
    match_decisions.postpone(match=match.pk, day=NEW, by=officer, at=AT)
    english, french = (args for args, _status in jobs("send_mail"))
    assert english["subject"] == f"{match} is on Tue 8 December 2026"
    assert "8 décembre 2026" in french["subject"] and "mardi 8 décembre 2026" in french["text"]


def test_a_match_postponed_without_a_day_takes_result_and_day_from_its_card(match, officer):
    match_decisions.postpone(match=match.pk, day=None, by=officer, at=AT)
    assert facts(match) == ("postponed", None, None, None, "")
    assert [subject for _to, subject in mails()] == [f"{match} is postponed"] * 2
    card(match, played_on=NEW)
    assert facts(match) == ("arranged", NEW, None, None, "")
    assert RatedGame.objects.get().played_on == NEW


def test_the_same_again_changes_nothing(match, officer):
    match_decisions.postpone(match=match.pk, day=NEW, by=officer, at=AT)
    before = match.events.count(), len(mails())
    match_decisions.postpone(match=match.pk, day=NEW, by=officer, at=AT)
    assert (match.events.count(), len(mails())) == before


def test_what_cannot_be_put_off(match, officer):
    for day in (date(2026, 6, 30), date(2027, 7, 1)):
        with pytest.raises(DecisionRefused, match="from 1 July 2026 to 30 June 2027"):
            match_decisions.postpone(match=match.pk, day=day, by=officer, at=AT)
    card(match)
    with pytest.raises(DecisionRefused, match="has a result"):
        match_decisions.postpone(match=match.pk, day=NEW, by=officer, at=AT)


def test_a_void_match_counts_for_nobody_and_its_games_stay_rated(match, officer):
    card(match)
    assert [row.played for row in table_of(match.division).rows] == [1, 1]
    match_decisions.void(match=match.pk, reason="wrong clocks", by=officer, at=AT)
    assert facts(match) == ("void", date(2026, 11, 24), None, None, "wrong clocks")
    assert [row.played for row in table_of(match.division).rows] == [0, 0]
    assert RatedGame.objects.count() == 1
    with pytest.raises(CardRefused) as refused:
        card(match, result=0)
    assert str(refused.value.problems[0][0]) == "The match is void. wrong clocks"
    assert not Match.objects.incomplete().exists()
    match_decisions.reinstate(match=match.pk, by=officer, at=AT)
    assert facts(match) == ("arranged", date(2026, 11, 24), None, None, "")
    assert [row.played for row in table_of(match.division).rows] == [1, 1]


def test_an_awarded_match_counts_as_awarded_whatever_is_played(match, officer):
    award = {"match": match.pk, "home": 0, "away": 2, "by": officer, "at": AT}
    match_decisions.award(**award, reason="an ineligible player")
    recorded = card(match, result=2)
    assert facts(match)[:4] == ("awarded", date(2026, 11, 24), 0, 2)
    rows = {row.team.pk: row for row in table_of(match.division).rows}
    assert (rows[match.away_id].match_points, rows[match.home_id].match_points) == (4, 0)
    assert RatedGame.objects.get().white_halves == 2
    entries = [entry_of(board) for board in match.boards.all()]
    again = record_card(
        match=match.pk, boards=entries, version=recorded.match.version, by=None, at=LATER
    )
    assert again.changed is False
    match_decisions.reinstate(match=match.pk, by=officer, at=AT)
    rows = {row.team.pk: row for row in table_of(match.division).rows}
    assert (rows[match.home_id].match_points, rows[match.away_id].match_points) == (4, 0)


def test_a_match_awarded_for_a_default_is_awarded_and_not_played(match, officer):
    match_decisions.award(
        match=match.pk, home=2, away=0, defaulted_by="away", reason="no team", by=officer, at=AT
    )
    rows = {row.team.pk: row for row in table_of(match.division).rows}
    assert [(rows[pk].played, rows[pk].awarded) for pk in (match.home_id, match.away_id)] == [
        (0, 1),
        (0, 1),
    ]


def test_a_decision_needs_a_reason_and_no_more_points_than_boards(match, officer):
    with pytest.raises(DecisionRefused, match="needs its reason"):
        match_decisions.void(match=match.pk, reason=" ", by=officer, at=AT)
    with pytest.raises(DecisionRefused, match="On 1 boards"):
        match_decisions.award(match=match.pk, home=2, away=1, reason="x", by=officer, at=AT)
    match_decisions.void(match=match.pk, reason="x", by=officer, at=AT)
    with pytest.raises(DecisionRefused, match="is decided"):
        match_decisions.postpone(match=match.pk, day=NEW, by=officer, at=AT)


# Between the sides --------------------------------------------------------------------------


@pytest.fixture
def captains(match):
    roles = [TeamRoleFactory(team=side) for side in (match.home, match.away)]
    for role, letter in zip(roles, "ha", strict=True):
        role.user.email = f"{letter}@example.org"
        role.user.save()
    return [role.user for role in roles]


def proposed(match, by, day=NEW) -> Rearrangement:
    return rearrangements.propose(
        match=match.pk, team=match.home, day=day, reason="a flood", by=by, at=AT, address="x/1"
    )


def test_one_side_asks_and_the_other_agrees(match, captains):
    home, away = captains
    proposal = proposed(match, home)
    assert facts(match)[1] == date(2026, 11, 24)
    assert mails() == [("a@example.org", f"Another date for {match}?")]
    rearrangements.agree(proposal=proposal.pk, by=away, at=AT)
    assert facts(match) == ("arranged", NEW, None, None, "")
    assert mails()[1:] == [("h@example.org", f"{match} is on Tue 8 December 2026")]
    proposal.refresh_from_db()
    assert (proposal.state, proposal.answered_by) == ("agreed", away)
    with pytest.raises(DecisionRefused, match="answered already"):
        rearrangements.decline(proposal=proposal.pk, by=away, at=AT)


def test_the_other_side_declines(match, captains):
    home, away = captains
    rearrangements.decline(proposal=proposed(match, home).pk, by=away, at=AT)
    assert facts(match)[1] == date(2026, 11, 24)
    assert mails()[1:] == [("h@example.org", f"{match}: not agreed")]


def test_an_older_proposal_of_the_same_side_is_replaced(match, captains):
    home, away = captains
    first = proposed(match, home)
    second = proposed(match, home, day=None)
    first.refresh_from_db()
    assert (first.state, match.open_proposal) == ("withdrawn", second)
    with pytest.raises(DecisionRefused, match="answer that first"):
        rearrangements.propose(match=match.pk, team=match.away, day=NEW, reason="", by=away, at=AT)
    with pytest.raises(DecisionRefused, match="the day the match has"):
        proposed(match, home, day=date(2026, 11, 24))
    rearrangements.withdraw(proposal=second.pk, by=home, at=AT)
    assert match.open_proposal is None


def test_the_officer_overtakes_a_proposal(match, captains, officer):
    proposal = proposed(match, captains[0])
    match_decisions.postpone(match=match.pk, day=date(2026, 12, 15), by=officer, at=AT)
    proposal.refresh_from_db()
    assert (proposal.state, match.open_proposal) == ("overtaken", None)


@pytest.mark.django_db(transaction=True)
def test_two_who_answer_at_once(transactional_db):
    proposal = RearrangementFactory(proposed_on=NEW)
    users = [UserFactory(), UserFactory()]
    barrier, told = Barrier(2), []

    def run(answer, by):
        try:
            barrier.wait()
            answer(proposal=proposal.pk, by=by, at=AT)
            told.append("done")
        except DecisionRefused:
            told.append("refused")
        finally:
            connection.close()

    answers = (rearrangements.agree, rearrangements.decline)
    threads = [Thread(target=run, args=pair) for pair in zip(answers, users, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == ["done", "refused"]
