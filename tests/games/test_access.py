"""A right over one league, club or team is none over its neighbour."""

import datetime

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.utils import timezone

from clubs.access import is_grading_officer, is_secretary
from clubs.models import User
from games.access import acts_for, is_officer, may_enter_card, may_see_match, may_see_season
from games.models import Board, Match, Season
from tests.factories import (
    ClubRoleFactory,
    LeagueRoleFactory,
    MatchFactory,
    TeamFactory,
    TeamRoleFactory,
)

EVERYBODY = (
    *("officer", "secretary", "captain", "outsider", "sister", "second", "staff", "grader"),
    *("chief", "anonymous"),
)


def who(cast, allowed) -> set[str]:
    """The roles for which `allowed(account)` is true; each account is read fresh."""
    found = set()
    for role in EVERYBODY:
        account = cast.account(role)
        account = User.objects.get(pk=account.pk) if account else AnonymousUser()
        if allowed(account):
            found.add(role)
    return found


def test_who_enters_a_card(cast):
    match = cast.match
    assert who(cast, lambda user: may_enter_card(user, match)) == {
        *("officer", "secretary", "captain", "chief"),
    }


def test_the_away_side_enters_it_too(cast):
    captain = TeamRoleFactory(team=cast.match.away).user
    secretary = ClubRoleFactory(club=cast.match.away.club).user
    assert may_enter_card(captain, cast.match) and may_enter_card(secretary, cast.match)


def test_an_officer_of_one_league_is_none_of_another(cast):
    other = MatchFactory()
    elsewhere = other.division.season.league
    assert who(cast, lambda user: is_officer(user, elsewhere)) == {"chief"}
    assert who(cast, lambda user: may_enter_card(user, other)) == {"chief"}
    here = cast.match.division.season.league
    assert who(cast, lambda user: is_officer(user, here)) == {"officer", "chief"}
    assert who(cast, lambda user: is_officer(user, here.pk)) == {"officer", "chief"}


def test_a_secretary_acts_for_all_teams_of_his_club_and_no_other(cast):
    club = cast.match.home.club
    division = cast.match.division
    teams = [TeamFactory(club=club), TeamFactory(club=club, division=division, name="The Third")]
    for team in teams:
        assert who(cast, lambda user, team=team: acts_for(user, team)) == {"secretary"}
    assert who(cast, lambda user: is_secretary(user, club)) == {"secretary"}
    assert who(cast, lambda user: is_secretary(user, cast.match.away.club)) == set()


def test_a_captain_of_last_season_is_none_of_this(cast):
    last = TeamRoleFactory(team=TeamFactory(club=cast.match.home.club)).user
    assert not may_enter_card(last, cast.match)


def test_who_sees_what_is_not_published(cast):
    season = cast.match.division.season
    assert who(cast, lambda user: may_see_season(user, season)) == set(EVERYBODY)
    Season.objects.filter(pk=season.pk).update(published_at=None)
    match = Match.objects.select_related("division__season").get(pk=cast.match.pk)
    assert who(cast, lambda user: may_see_season(user, match.division.season)) == {
        *("officer", "chief"),
    }
    assert who(cast, lambda user: may_see_match(user, match)) == {
        *("officer", "secretary", "captain", "chief"),
    }


def test_who_grades(cast):
    assert who(cast, is_grading_officer) == {"grader", "chief"}


def test_a_closed_account_has_no_right(cast):
    User.objects.filter(pk=cast.officer.pk).update(is_active=False)
    assert not may_enter_card(User.objects.get(pk=cast.officer.pk), cast.match)


def test_a_right_taken_away_is_gone_at_the_next_page(cast, client):
    client.force_login(cast.officer)
    address = f"/matches/{cast.match.pk}/card/"
    assert client.get(address).status_code == 200
    cast.officer.league_roles.all().delete()
    assert client.get(address).status_code == 403


def snapshot(match) -> tuple:
    """All that a card could change."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM ratings_ratedgame")
        games = cursor.fetchone()
        cursor.execute("SELECT max(pgh_id) FROM games_matchevent")
        changes = cursor.fetchone()
    stored = Match.objects.filter(pk=match.pk).values_list("version", "entered_at", "played_on")
    boards = Board.objects.filter(match=match).order_by("number")
    return games, changes, list(stored), list(boards.values())


def typed_card(match) -> dict:
    """A card with a draw on the first board, as the browser sends it."""
    home, away = (team.club.memberships.first().player_id for team in (match.home, match.away))
    return {
        "version": match.version,
        "played_on": "2026-11-24",
        "boards-TOTAL_FORMS": match.board_count,
        "boards-INITIAL_FORMS": 0,
        "boards-0-home": home,
        "boards-0-away": away,
        "boards-0-result": "1",
    }


@pytest.mark.parametrize("role", ["outsider", "sister", "second", "staff", "grader", "anonymous"])
def test_a_whole_card_of_a_stranger_changes_nothing(cast, client, role):
    before, address = snapshot(cast.match), f"/matches/{cast.match.pk}/card/"
    if account := cast.account(role):
        client.force_login(account)
    response = client.post(address, typed_card(cast.match))
    assert response.status_code == (403 if account else 302)
    assert snapshot(cast.match) == before


@pytest.mark.parametrize("role", ["captain", "secretary", "officer", "chief"])
def test_the_same_card_of_who_may_is_stored(cast, client, role, monkeypatch):
    evening = datetime.datetime(2026, 11, 24, 23, 14, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: evening)
    client.force_login(cast.account(role))
    response = client.post(f"/matches/{cast.match.pk}/card/", typed_card(cast.match))
    assert (response.status_code, response["Location"]) == (302, f"/matches/{cast.match.pk}/")
    stored = Match.objects.get(pk=cast.match.pk)
    assert (stored.version, stored.entered_by) == (1, cast.account(role))
    assert Board.objects.get(match=stored, number=1).result == 1


def test_giving_a_role_in_one_league_gives_none_in_the_next(cast):
    user = LeagueRoleFactory(league=cast.match.division.season.league).user
    assert may_enter_card(user, cast.match)
    assert not may_enter_card(user, MatchFactory())
