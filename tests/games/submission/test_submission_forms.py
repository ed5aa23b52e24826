"""What the rating officer's file needs and a person mends: the event's name, players' codes."""

import datetime

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from clubs.models import Membership, Player
from games.models import Season, Submission, SubmittedEvent
from tests.factories import (
    DivisionFactory,
    LeagueRoleFactory,
    OutsideEventFactory,
    PlayerFactory,
    SubmittedEventFactory,
)
from tests.games.submission_scene import AT, EVENT, address, findings, send, shown

pytestmark = pytest.mark.django_db


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
