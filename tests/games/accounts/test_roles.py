"""Roles on one page: who sees, takes and lays down which; what a league and a club keep."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import ClubRole, User
from games.accounts import roles
from games.accounts.roles import Post, RoleRefused
from games.models import LeagueRole, Role, Season, TeamRole
from tests.factories import (
    ClubFactory,
    ClubRoleFactory,
    InvitationFactory,
    LeagueFactory,
    LeagueRoleFactory,
    PlayerFactory,
    TeamFactory,
    TeamRoleFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db
PAGE = "/office/roles/"


@pytest.fixture(autouse=True)
def in_season(monkeypatch, cast):
    """A day of the season that the cast plays in."""
    now = timezone.now().replace(year=2026, month=11, day=24)
    monkeypatch.setattr(timezone, "now", lambda: now)


def seen_by(account) -> str:
    client = Client()
    client.force_login(account)
    answer = client.get(PAGE)
    assert answer.status_code == 200
    return answer.content.decode()


def withdraw(account, user, key):
    client = Client()
    client.force_login(account)
    return client.post(reverse("office_role_withdraw"), {"user": user.pk, "post": key})


def named(page: str, cast) -> set[str]:
    """Whose addresses stand on the page."""
    main = page[page.index('<main id="main"') :]
    roles = ("officer", "secretary", "captain", "outsider", "sister", "second", "grader")
    return {role for role in roles if cast.account(role).email in main}


# What one may see of whom; one's own address does not stand there unless one holds a role shown.
SEEN = {
    "officer": {"officer", "secretary", "captain", "second", "outsider"},
    "secretary": {"secretary", "captain", "second"},
    "captain": set(),
    "outsider": {"outsider"},
    "sister": {"sister", "secretary"},
    "second": set(),
    "staff": set(),
    "grader": set(),
    "chief": {"officer", "secretary", "captain", "second", "outsider", "sister", "grader"},
}


@pytest.mark.parametrize("role", SEEN)
def test_who_sees_whose_roles(cast, role):
    assert named(seen_by(cast.account(role)), cast) == SEEN[role]


def test_everybody_sees_his_own(cast):
    page = seen_by(cast.captain)
    assert f"captain of {cast.match.home}" in page and "Lay it down" in page
    assert "You have none." in seen_by(UserFactory())


def keys(cast) -> dict[str, tuple[User, str]]:
    """By role: the account that holds it, and its name in a form."""
    return {
        "officer": (cast.officer, f"officer-{cast.match.division.season.league_id}"),
        "secretary": (cast.secretary, f"secretary-{cast.match.home.club_id}"),
        "captain": (cast.captain, f"captain-{cast.match.home_id}"),
        "grader": (cast.grader, "grading-0"),
    }


MAY_WITHDRAW = {
    "secretary": {"officer", "sister", "secretary", "chief"},
    "captain": {"officer", "secretary", "captain", "chief"},
    "grader": {"grader", "chief"},
}


@pytest.mark.parametrize("held", MAY_WITHDRAW)
@pytest.mark.parametrize("role", SEEN)
def test_who_withdraws_what(cast, held, role):
    user, key = keys(cast)[held]
    answer = withdraw(cast.account(role), user, key)
    may = role in MAY_WITHDRAW[held]
    assert answer.status_code == (302 if may else 403)
    still = {
        "secretary": ClubRole.objects.filter(user=user).exists(),
        "captain": TeamRole.objects.filter(user=user).exists(),
        "grader": User.objects.get(pk=user.pk).is_grading_officer,
    }
    assert still[held] is not may


def test_the_last_officer_stays_until_there_is_another(cast):
    user, key = keys(cast)["officer"]
    league = cast.match.division.season.league
    withdraw(user, user, key)
    assert LeagueRole.objects.filter(user=user, league=league).exists()
    another = LeagueRoleFactory(league=league).user
    withdraw(another, user, key)
    assert list(LeagueRole.objects.filter(league=league)) == list(another.league_roles.all())
    # A closed account runs nothing.
    LeagueRoleFactory(league=league, user__is_active=False)
    with pytest.raises(RoleRefused, match="would have no officer left"):
        roles.withdraw(user=another.pk, post=Post(Role.OFFICER, league), by=another)
    withdraw(cast.chief, another, key)
    assert not another.league_roles.exists()


@pytest.mark.parametrize("key", ["", "captain", "x-1", "captain-999999", "captain-²", "captain-"])
def test_an_unknown_role_is_not_found(cast, key):
    assert withdraw(cast.chief, cast.captain, key).status_code == 404
    assert withdraw(cast.chief, cast.captain, "captain-" + "9" * 30).status_code == 404


@pytest.mark.parametrize("user", ["", "x", "²", "9" * 30, "0"])
def test_an_unknown_account_is_not_found(cast, client, user):
    client.force_login(cast.chief)
    answer = client.post(reverse("office_role_withdraw"), {"user": user, "post": "grading-0"})
    assert answer.status_code == 404


def test_a_right_withdrawn_is_gone_at_the_next_page(cast):
    client = Client()
    client.force_login(cast.captain)
    card = reverse("match_card", args=[cast.match.pk])
    assert client.get(card).status_code == 200
    withdraw(cast.secretary, cast.captain, keys(cast)["captain"][1])
    assert client.get(card).status_code == 403


def test_offers_that_nobody_took_stand_there(cast):
    team = cast.match.home
    open_, taken, gone = (
        InvitationFactory(team=team, name=name, nonce=name) for name in ("Tom", "Ann", "Sue")
    )
    taken.used_at = gone.withdrawn_at = timezone.now()
    taken.save()
    gone.save()
    page = seen_by(cast.secretary)
    assert reverse("invitation_office", args=[open_.pk]) in page and ">Tom</a>" in page
    assert "Ann" not in page and "Sue" not in page


def test_a_secretary_sees_no_team_of_an_unpublished_season(cast):
    Season.objects.filter(pk=cast.match.division.season_id).update(published_at=None)
    assert cast.second.email not in seen_by(cast.secretary)
    assert cast.second.email in seen_by(cast.officer)


def test_clubs_are_found_by_name(cast, client):
    ClubFactory(name="Zugzwang")
    client.force_login(cast.chief)
    assert "Zugzwang" not in client.get(PAGE).content.decode()
    page = client.get(PAGE, {"q": "zugz"}).content.decode()
    assert "Zugzwang</a></h3>" in page and cast.secretary.email not in page
    assert "No club of this name" in client.get(PAGE, {"q": "nobody"}).content.decode()


def test_an_offer_of_who_may_not_give_the_role_any_more_is_not_open(cast):
    team, club = cast.match.home, cast.match.home.club
    second = ClubRoleFactory(club=club).user
    InvitationFactory(team=team, invited_by=second, name="Tom")
    offer = InvitationFactory(
        role="secretary", team=None, club=club, invited_by=second, name="Ann", nonce="2"
    )
    assert seen_by(cast.secretary).count("invited, open until") == 2
    second.club_roles.all().delete()
    page = seen_by(cast.secretary)
    assert "invited, open until" not in page
    assert page.count("by somebody who may not do so any more: the link opens nothing") == 2
    # Whoever may give it takes it over, and the link works again.
    client, office = Client(), reverse("invitation_office", args=[offer.pk])
    client.force_login(cast.secretary)
    assert "Renewed, it is yours." in client.get(office).content.decode()
    client.post(office, {"step": "renew"})
    assert seen_by(cast.secretary).count("invited, open until") == 1


def test_the_page_asks_no_more_for_more_roles(cast, client, django_assert_num_queries):
    client.force_login(cast.officer)
    InvitationFactory(team=cast.match.home, invited_by=cast.secretary, nonce="captain")
    club = {"role": "secretary", "team": None, "invited_by": cast.officer}
    InvitationFactory(club=cast.match.home.club, nonce="secretary", **club)
    client.get(PAGE)
    with django_assert_num_queries(100, exact=False) as few:
        client.get(PAGE)
    for number in range(5):
        team = TeamFactory(division=cast.match.division)
        TeamRoleFactory(team=team)
        ClubRoleFactory(club=team.club)
        LeagueRoleFactory(league=cast.match.division.season.league)
        LeagueRoleFactory(league=LeagueFactory(), user=cast.officer)
        InvitationFactory(team=team, nonce=str(number))
        InvitationFactory(club=team.club, nonce=f"club {number}", **club)
    with django_assert_num_queries(len(few)):
        client.get(PAGE)


def test_who_leaves_a_club_leaves_its_roles(cast):
    club, player = cast.match.home.club, PlayerFactory()
    cast.captain.player = player
    cast.captain.save()
    ClubRoleFactory(user=cast.captain, club=club)
    elsewhere = TeamRoleFactory(user=cast.captain)
    assert roles.withdraw_of_club(player=player.pk, club=club.pk) == 2
    assert list(cast.captain.team_roles.all()) == [elsewhere]
    assert not cast.captain.club_roles.exists()
    assert roles.withdraw_of_club(player=PlayerFactory().pk, club=club.pk) == 0


@pytest.mark.django_db(transaction=True)
def test_of_two_officers_who_take_the_role_from_each_other_one_stays():
    league = LeagueFactory()
    first, second = (LeagueRoleFactory(league=league).user for _ in range(2))
    start = Barrier(2)

    def take(pair):
        by, user = pair
        try:
            start.wait()
            return roles.withdraw(user=user.pk, post=Post(Role.OFFICER, league), by=by)
        except RoleRefused:
            return "refused"
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(take, [(first, second), (second, first)]))
    assert sorted(map(str, answers)) == ["True", "refused"]
    assert LeagueRole.objects.filter(league=league).count() == 1
