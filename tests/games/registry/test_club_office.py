"""Clubs made and kept in the office: by officers and by their own secretaries."""

import datetime
import threading

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from clubs import club_details
from clubs.club_details import ClubRefused
from clubs.models import Club, Venue
from tests.factories import (
    ClubFactory,
    ClubRoleFactory,
    DivisionFactory,
    LeagueRoleFactory,
    TeamFactory,
    UserFactory,
)
from tests.html import Page

FACTS = {
    "name": "  King's  Head ",
    "club_night": "3",
    "start_time": "19:15",
    "hall": " Church  Hall",
    "match_limit": "2",
    "venue": "Church Hall\nHigh Street",
    "access": "Ring twice",
    "contact_name": "Ann O'Brien",
    "contact_email": "ann@example.org",
    "contact_phone": "01234 567",
    "code": " 4kh ",
}


def logged_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def officer(db):
    return logged_in(LeagueRoleFactory().user)


def errors(response) -> list[str]:
    lists = response.content.decode().split('<ul class="errorlist"')[1:]
    return [text.split("<li>")[1].split("</li>")[0] for text in lists]


def test_a_club_is_made_and_everybody_reads_what_was_typed(officer, client):
    answer = officer.post(reverse("club_new"), FACTS, follow=True)
    assert "King&#x27;s Head is made." in answer.content.decode()
    club = Club.objects.get()
    assert (club.name, club.slug, club.code) == ("King's Head", "kings-head", "4KH")
    assert (club.club_night, club.start_time) == (3, datetime.time(19, 15))
    assert (club.hall.name, club.hall.match_limit) == ("Church Hall", 2)
    read = Page(client.get(club.get_absolute_url())).text
    assert "Thursday, 19:15" in read
    assert "Ring twice" in read
    assert "ann@example.org" not in read
    assert "ann@example.org" in Page(officer.get(club.get_absolute_url())).text


def test_every_field_is_changed_and_emptied_again(officer):
    officer.post(reverse("club_new"), FACTS)
    club = Club.objects.get()
    where = reverse("club_edit", args=[club.slug])
    shown = officer.get(where).content.decode()
    for value in ("King&#x27;s Head", "Church Hall", "19:15", "Ring twice", 'value="2"', "4KH"):
        assert value in shown
    assert officer.post(where, {"name": "Kings Head"})["Location"] == club.get_absolute_url()
    stored = Club.objects.values().get()
    assert {name: value for name, value in stored.items() if value not in (None, "")} == {
        "id": club.pk,
        "name": "Kings Head",
        "slug": "kings-head",
        "search_name": "kings head",
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "!!!"}, "Letters or figures are needed."),
        ({"name": "ASHDÓWN"}, "There is a club called ASHDÓWN already."),
        ({"code": "ash"}, "Another club has the code ASH."),
        ({"hall": "", "match_limit": "2"}, "Which hall holds so many? Its name is missing."),
        ({"match_limit": "-1"}, "Ensure this value is greater than or equal to 0."),
        ({"club_night": "7"}, "Select a valid choice. 7 is not one of the available choices."),
        ({"start_time": "half seven"}, "Enter a valid time."),
        ({"contact_email": "ann"}, "Enter a valid email address."),
        ({"name": "A\x00b"}, "Null characters are not allowed."),
    ],
)
def test_what_a_club_is_refused_for(officer, typed, words):
    ClubFactory(name="Ashdown", code="ASH")
    answer = officer.post(reverse("club_new"), FACTS | typed)
    assert errors(answer) == [words]
    assert "Ring twice" in answer.content.decode()
    assert (Club.objects.count(), Venue.objects.count()) == (1, 0)


@pytest.mark.django_db
def test_the_matches_a_hall_holds_are_said_by_the_clubs_that_have_it():
    hall = Venue.objects.create(name="Church Hall", match_limit=2)
    club = ClubFactory(name="Ashdown")
    changed = {"name": "Ashdown", "hall": "Church Hall"}
    club_details.change_club(club=club.pk, by=None, **changed)
    hall.refresh_from_db()
    assert hall.match_limit == 2
    club_details.change_club(club=club.pk, by=None, **changed, match_limit=0)
    hall.refresh_from_db()
    assert hall.match_limit == 0
    assert Venue.objects.count() == 1


@pytest.mark.django_db
def test_who_keeps_which_club():
    role = LeagueRoleFactory()
    division = DivisionFactory(season__league=role.league)
    entered = TeamFactory(division=division).club
    TeamFactory(division=division, club=entered, name="Second")
    elsewhere, idle = TeamFactory().club, ClubFactory()
    secretary = ClubRoleFactory(club=elsewhere).user
    expected = {
        role.user: {entered, idle},
        secretary: {elsewhere},
        UserFactory(is_superuser=True): {entered, elsewhere, idle},
        UserFactory(): set(),
    }
    for user, clubs in expected.items():
        seen = {text for text, _address in Page(logged_in(user).get("/office/clubs/")).links}
        assert {club for club in Club.objects.all() if club.name in seen} == clubs
        for club in Club.objects.all():
            status = logged_in(user).get(reverse("club_edit", args=[club.slug])).status_code
            assert status == (200 if club in clubs else 403)


@pytest.mark.django_db
def test_a_club_missing_from_the_list_is_made_on_the_way_to_its_team():
    role = LeagueRoleFactory()
    division = DivisionFactory(season__league=role.league, name="Division 1")
    officer = logged_in(role.user)
    enter = reverse("division_enter", args=[division.pk])
    links = dict(Page(officer.get(enter)).links)
    answer = officer.post(links["Make the club"], {"name": "Ashdown"}, follow=True)
    assert answer.redirect_chain[-1][0] == f"{enter}?club=ashdown"
    club = Club.objects.get()
    assert f'<option value="{club.pk}" selected>' in answer.content.decode()
    typed = {"name": "Ashdown A", "club": club.pk, "another": "1"}
    assert officer.post(enter, typed)["Location"] == f"{enter}?club=ashdown"
    for odd in ("?for=x", "?for=999999", "?for=", f"?for={DivisionFactory().pk}"):
        name = f"Club {odd}"
        assert officer.post(reverse("club_new") + odd, {"name": name})["Location"] == (
            reverse("office_clubs")
        )
    assert officer.get(f"{enter}?club=%00").status_code == 200


@pytest.mark.django_db
def test_public_pages_lead_to_the_office_only_who_may_go_there(cast):
    match = cast.match
    league, season = match.division.season.league, match.division.season
    desk = reverse("season_office", args=[league.slug, season.slug])
    links = {
        league.get_absolute_url(): {desk},
        season.get_absolute_url(): {desk},
        match.division.get_absolute_url(): {
            reverse("division_rules", args=[match.division_id]),
            reverse("division_decisions", args=[match.division_id]),
        },
        match.home.get_absolute_url(): {reverse("team_edit", args=[match.home_id])},
        match.home.club.get_absolute_url(): {reverse("club_edit", args=[match.home.club.slug])},
    }
    for page, wanted in links.items():
        for role in ("officer", "outsider", "staff", "anonymous"):
            client = Client() if role == "anonymous" else logged_in(cast.account(role))
            found = {address for _text, address in Page(client.get(page)).links}
            assert found & wanted == (wanted if role == "officer" else set()), (page, role)


@pytest.mark.django_db
def test_the_list_asks_no_more_for_more_clubs(officer, django_assert_num_queries):
    def count():
        with django_assert_num_queries(4):
            officer.get("/office/clubs/")

    ClubFactory.create_batch(2)
    count()
    ClubFactory.create_batch(20)
    count()


@pytest.mark.django_db(transaction=True)
def test_of_two_clubs_of_one_name_made_at_once_one_is_refused():
    barrier, outcomes = threading.Barrier(2), []

    def make():
        barrier.wait()
        try:
            club_details.add_club(name="Ashdown", by=None)
            outcomes.append("made")
        except ClubRefused as refused:
            outcomes.append(refused.column)
        finally:
            connection.close()

    threads = [threading.Thread(target=make) for _n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["made", "name"]
    assert Club.objects.count() == 1
