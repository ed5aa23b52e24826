"""The office: what each role has to do, one tap away, in a fixed number of queries."""

import datetime
import html
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import timezone

from games.match_cards import agreement, deadlines
from games.match_cards.card_scores import record_score
from games.models import Match, Rearrangement
from tests import factories
from tests.games.card_scene import AT, make_scene, queries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("evening")]

DAY = datetime.timedelta(days=1)


@pytest.fixture
def scene():
    return make_scene(played_before=False)


def text_of(fragment: str) -> str:
    """What stands in a piece of HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", fragment)).split())


def page(who) -> str:
    client = Client()
    client.force_login(who)
    return client.get("/office/").content.decode()


def found(who) -> dict[str, list]:
    """Each heading of the page with the lines below: where each leads, and its words."""
    sections = re.findall(r'<section class="tasks".*?</section>', page(who), re.S)
    return {
        text_of(re.search(r"<h2.*?</h2>", section, re.S)[0]): [
            (address, text_of(words))
            for address, words in re.findall(r'<li><a href="(.*?)">(.*?)</a></li>', section, re.S)
        ]
        for section in sections
    }


def filled(who) -> dict[str, list]:
    return {heading: lines for heading, lines in found(who).items() if lines}


def match_of(scene, home, away, days, **more) -> Match:
    return factories.MatchFactory(
        division=scene.match.division, home=home, away=away,
        played_on=scene.match.played_on + days * DAY, **more,
    )  # fmt: skip


def test_the_cards_of_ones_own_team_come_first_and_late_ones_say_so(scene):
    division, home, away = scene.match.division, scene.match.home, scene.match.away
    second = factories.TeamFactory(division=division, club=home.club, name="Ashdown B")
    factories.ClubRoleFactory(user=scene.captain, club=home.club)
    older = match_of(scene, second, away, -5)
    match_of(scene, home, second, 1)
    assert filled(scene.captain) == {
        "Cards to enter 2": [
            (
                f"/matches/{scene.match.pk}/card/",
                "Ashdown A – Hartfield A Division 1 · Tuesday 24 November",
            ),
            (
                f"/matches/{older.pk}/card/",
                "Ashdown B – Hartfield A Division 1 · Thursday 19 November"
                " · was due on 22 November",
            ),
        ]
    }


def test_a_result_is_confirmed_disputed_and_settled_from_here(scene):
    address = f"/matches/{scene.match.pk}/agreement/"
    line = "Ashdown A – Hartfield A Division 1 · Tuesday 24 November · "
    scene.record(by=scene.captain)
    assert filled(scene.secretary) == {"Results to confirm 1": [(address, line + "3½–2½")]}
    assert filled(scene.captain) == filled(scene.officer) == {}
    agreement.dispute(match=scene.match.pk, version=1, reason="Board 3.", by=scene.secretary, at=AT)
    disputed = {"Disputed results 1": [(address, line + "“Board 3.”")]}
    assert [filled(who) for who in (scene.secretary, scene.captain, scene.officer)] == [
        disputed
    ] * 3
    agreement.settle(match=scene.match.pk, by=scene.officer, at=AT)
    assert [filled(who) for who in (scene.secretary, scene.captain, scene.officer)] == [{}] * 3


@pytest.mark.parametrize("reason", ["", " \u200b\u200b", "\x07\ufeff", "\ufffd\ufffd"])
def test_a_dispute_that_says_nothing_is_refused_at_its_field(client, scene, reason):
    address = f"/matches/{scene.match.pk}/agreement/"
    scene.record(by=scene.captain)
    client.force_login(scene.secretary)
    page = client.post(address, {"step": "dispute", "version": 1, "reason": reason})
    text = page.content.decode()
    assert 'aria-invalid="true" autofocus' in text and 'role="alert"' not in text
    assert "<li>Say what is wrong: which board, and what it should be.</li>" in text
    assert scene.reload().agreement == "entered"


def test_what_an_officer_may_not_write_is_said_at_its_field(client, scene):
    scene.record(by=scene.captain)
    client.force_login(scene.officer)
    address = f"/matches/{scene.match.pk}/agreement/"
    text = client.post(address, {"step": "settle", "reason": "x" * 301}).content.decode()
    assert 'aria-describedby="id_why_error"' in text and 'id="id_why_error"' in text
    text = client.post(address, {"step": "settle", "version": "x"}).content.decode()
    assert "Enter a whole number." in text
    assert scene.reload().agreement == "entered"


def test_an_unfinished_card_is_told_apart(scene):
    scene.record("=1=01 ", by=scene.captain)
    line = "Ashdown A – Hartfield A Division 1 · Tuesday 24 November · 5 of 6 boards"
    expected = {"Unfinished games 1": [(f"/matches/{scene.match.pk}/card/", line)]}
    assert [filled(who) for who in (scene.captain, scene.secretary, scene.officer)] == [
        expected
    ] * 3


def test_a_card_begun_beside_a_score_is_completed_before_it_is_confirmed(scene):
    score = {"home": 6, "away": 6, "played_on": scene.match.played_on, "version": 0}
    record_score(match=scene.match.pk, by=scene.captain, at=AT, **score)
    assert filled(scene.captain) == filled(scene.secretary) == {}
    scene.record("=1=   ", by=scene.captain)
    line = "Ashdown A – Hartfield A Division 1 · Tuesday 24 November · 3 of 6 boards"
    expected = {"Unfinished games 1": [(f"/matches/{scene.match.pk}/card/", line)]}
    assert [filled(who) for who in (scene.captain, scene.secretary)] == [expected] * 2
    client = Client()
    client.force_login(scene.secretary)
    asked = client.get(f"/matches/{scene.match.pk}/agreement/").context["agreement"]
    assert (asked.may_confirm, asked.may_dispute) == (False, True)


def test_a_board_beyond_the_match_does_not_stand_for_one_of_it(scene):
    *five, sixth = scene.entries("=1=01=")
    extra = replace(sixth, number=7, counts_for_match=False)
    scene.record(boards=[*five, extra], by=scene.captain)
    line = "Ashdown A – Hartfield A Division 1 · Tuesday 24 November · 5 of 6 boards"
    expected = {"Unfinished games 1": [(f"/matches/{scene.match.pk}/card/", line)]}
    assert filled(scene.captain) == expected


def test_another_day_is_asked_of_the_other_side(scene):
    Rearrangement.objects.create(
        match=scene.match, team=scene.match.home, proposed_on=scene.match.played_on + 7 * DAY,
        asked_at=AT, asked_by=scene.captain,
    )  # fmt: skip
    scene.match.played_on += DAY
    scene.match.save()
    assert filled(scene.captain) == {}
    ((heading, ((address, words),)),) = filled(scene.secretary).items()
    assert (heading, address) == ("Other days to answer 1", f"/matches/{scene.match.pk}/day/")
    assert words.endswith("Ashdown A would like to play on 1 December")


def test_what_an_officer_decides(scene):
    scene.record(by=scene.captain)
    agreement.confirm(match=scene.match.pk, version=1, by=scene.secretary, at=AT)
    season = scene.match.division.season
    for _n in range(2):
        factories.RegistrationFactory(season=season, approved_at=None)
    factories.ViolationFactory(match=scene.match, team=scene.match.home)
    place = f"/office/leagues/{season.league.slug}/{season.slug}"
    assert filled(scene.officer) == {
        "Registrations to decide 1": [(f"{place}/registrations/", f"{season} 2 wait")],
        "Cards against the rules 1": [(f"{place}/violations/", f"{season} 1 to decide")],
    }
    assert filled(scene.captain) == filled(scene.secretary) == {}


def test_new_players_are_confirmed_from_here_by_who_keeps_the_registry(scene):
    stranger = factories.LeagueRoleFactory().user
    grader = factories.UserFactory(is_grading_officer=True)
    club = scene.match.home.club
    players = [
        factories.MembershipFactory(
            club=club, player__state="pending", player__surname=name, player__forenames="Kim"
        ).player
        for name in ("Novak", "Abel")
    ]
    lines = [
        (f"/office/people/{player.pk}/", f"{player.surname}, Kim Ashdown")
        for player in reversed(players)
    ]
    heading = "Players to confirm 2"
    assert filled(scene.officer)[heading] == filled(grader)[heading] == lines
    assert "Players to confirm" not in found(scene.secretary)
    assert found(stranger)["Players to confirm"] == []
    client = Client()
    client.force_login(scene.officer)
    assert "confirm" in client.get(lines[0][0]).content.decode()
    client.post(f"{lines[0][0]}step/", {"step": "confirm"})
    assert found(scene.officer)["Players to confirm 1"] == lines[1:]


def test_points_taken_off_by_themselves_are_shown_to_the_officer(scene, monkeypatch):
    division = scene.match.division
    division.late_match_points = 2
    division.save()
    late = AT + 5 * DAY
    monkeypatch.setattr(timezone, "now", lambda: late)
    deadlines.penalise_late(at=late)
    assert found(scene.officer)["Late results 1"] == [
        (
            f"/office/divisions/{division.pk}/decisions/",
            "Ashdown A – Hartfield A Ashdown A lost points on 29 November; you may take that back",
        )
    ]


HEADINGS = {
    "captain": [
        *("Cards to enter", "Unfinished games", "Results to confirm", "Disputed results"),
        "Other days to answer",
    ],
    "officer": [
        *("Cards to enter", "Unfinished games", "Disputed results", "Registrations to decide"),
        *("Cards against the rules", "Late results", "Players to confirm"),
    ],
    "grader": ["Players to confirm", "Grade lists"],
    "outsider": [
        *("Cards to enter", "Unfinished games", "Results to confirm", "Disputed results"),
        "Other days to answer",
    ],
    "staff": [],
}


@pytest.mark.parametrize("role", HEADINGS)
def test_each_role_has_its_desk_and_is_told_when_nothing_waits(cast, role):
    Match.objects.update(played_on=timezone.localdate() + DAY)
    who = cast.account(role)
    text = text_of(page(who))
    assert (list(found(who)), filled(who)) == (HEADINGS[role], {})
    assert ("Nothing waits for you." in text) == bool(HEADINGS[role])
    assert ("You have no role yet" in text) == (not HEADINGS[role])


def test_a_sister_league_is_none_of_mine(cast):
    Match.objects.update(played_on=timezone.localdate(), board_count=6)
    assert filled(cast.officer)
    assert filled(cast.sister) == {}


def test_of_many_new_players_the_first_are_shown_and_all_are_counted(scene):
    club = scene.match.home.club
    factories.MembershipFactory.create_batch(52, club=club, player__state="pending")
    assert len(filled(scene.officer)["Players to confirm 52"]) == 50
    assert "and 2 more" in text_of(page(scene.officer))


def test_the_number_of_queries_does_not_grow(scene):
    def asked() -> list[int]:
        counts = []
        for who in (scene.captain, scene.secretary, scene.officer):
            client = Client()
            client.force_login(who)
            counts.append(queries(lambda client=client: client.get("/office/")))
        return counts

    def more(number):
        for n in range(number):
            days = -n - 1
            match_of(scene, scene.match.home, factories.TeamFactory(division=division), days)
            match = match_of(scene, factories.TeamFactory(division=division), away, days)
            Match.objects.filter(pk=match.pk).update(
                agreement="entered", entered_at=AT, entered_side="home",
                stated_home=6, stated_away=6,
            )  # fmt: skip
            factories.RegistrationFactory(season=division.season, approved_at=None)
            factories.MembershipFactory(club=scene.match.home.club, player__state="pending")

    division, away = scene.match.division, scene.match.away
    more(2)
    few = asked()
    more(10)
    assert asked() == few
    assert max(few) < 20
