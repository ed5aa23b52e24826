"""Who goes from club to club: membership, registration and roles by their days."""

import datetime

import pytest
from django.db import OperationalError, connection
from django.urls import reverse
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from clubs.models import Player
from games.accounts.leavers import withdraw_roles_of_leaver
from games.models import Registration
from games.registry import person_changes
from games.registry.person_changes import PersonRefused
from tests.factories import (
    ClubFactory,
    ClubRoleFactory,
    MembershipFactory,
    PlayerFactory,
    RegistrationFactory,
    TeamFactory,
    TeamRoleFactory,
    UserFactory,
)
from tests.games.registry_scene import AT, TODAY, login
from tests.job_queue import jobs

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def today(settings, monkeypatch):
    monkeypatch.setattr("django.utils.timezone.now", lambda: AT)


def moved(player, leaves, joins=None, on=TODAY, officer=False):
    return person_changes.transfer(
        player=player.pk,
        leaves=leaves and leaves.pk,
        joins=joins and joins.pk,
        on=on,
        as_officer=lambda season: officer,
        by=None,
        at=AT,
    )


@pytest.mark.parametrize(
    ("deadline", "officer", "approved"),
    [
        (None, False, True),
        (TODAY, False, True),
        (TODAY - datetime.timedelta(days=1), False, False),
        (TODAY - datetime.timedelta(days=1), True, True),
    ],
)
def test_a_transfer_moves_membership_and_registration_by_the_season_s_rules(
    deadline, officer, approved
):
    team = TeamFactory(division__season__registration_deadline=deadline)
    old, season = team.club, team.division.season
    new = TeamFactory(division=team.division).club
    player = MembershipFactory(club=old).player
    RegistrationFactory(season=season, club=old, player=player)
    moved(player, old, new, officer=officer)
    assert list(player.memberships.order_by("pk").values_list("club", "starts_on", "ends_on")) == [
        (old.pk, None, TODAY),
        (new.pk, TODAY, None),
    ]
    assert [
        (row.club, row.starts_on, row.ends_on, row.approved_at is not None)
        for row in Registration.objects.filter(player=player).order_by("pk")
    ] == [
        (old, datetime.date(2026, 7, 1), TODAY, True),
        (new, TODAY, None, approved),
    ]


def test_a_transfer_registers_nobody_where_the_new_club_has_no_team_or_the_season_is_closed():
    team = TeamFactory()
    closed = TeamFactory(club=team.club, division__season__closed_at=AT)
    player = MembershipFactory(club=team.club).player
    for each in (team, closed):
        RegistrationFactory(season=each.division.season, club=team.club, player=player)
    moved(player, team.club, ClubFactory())
    rows = Registration.objects.filter(player=player).order_by("pk")
    assert [row.ends_on for row in rows] == [TODAY, None]


def test_who_leaves_a_club_loses_its_roles_and_keeps_others():
    team, user = TeamFactory(), UserFactory()
    player = MembershipFactory(club=team.club).player
    user.player = player
    user.save()
    TeamRoleFactory(team=team, user=user)
    ClubRoleFactory(club=team.club, user=user)
    other = ClubRoleFactory(user=user)
    moved(player, team.club)
    assert (list(user.team_roles.all()), list(user.club_roles.all())) == ([], [other])
    with pytest.raises(PersonRefused):
        moved(player, team.club)


@pytest.mark.parametrize("comes_back", [False, True])
def test_who_leaves_on_a_day_to_come_has_his_roles_until_then(monkeypatch, comes_back):
    role, later = ClubRoleFactory(user__player=PlayerFactory()), TODAY + datetime.timedelta(days=60)
    player, club = role.user.player, role.club
    MembershipFactory(club=club, player=player)
    moved(player, club, on=later)
    assert list(club.roles.all()) == [role]
    ((job, state),) = jobs("withdraw_roles_of_leaver")
    assert state == "todo"
    when = ProcrastinateJob.objects.get(task_name="withdraw_roles_of_leaver").scheduled_at
    assert when == timezone.make_aware(datetime.datetime(2027, 1, 23))
    if comes_back:
        moved(player, None, club, on=later)
    monkeypatch.setattr("django.utils.timezone.now", lambda: when)
    withdraw_roles_of_leaver(**job)
    assert list(club.roles.all()) == ([role] if comes_back else [])


def test_who_leaves_keeps_all_roles_or_none():
    team, user = TeamFactory(), UserFactory(player=PlayerFactory())
    TeamRoleFactory(team=team, user=user)
    role = ClubRoleFactory(club=team.club, user=user)

    def fails(execute, sql, *args):
        if sql.startswith('DELETE FROM "games_teamrole"'):
            raise OperationalError
        return execute(sql, *args)

    with connection.execute_wrapper(fails), pytest.raises(OperationalError):
        withdraw_roles_of_leaver(player=user.player_id, club=team.club_id, by=None)
    assert list(user.club_roles.all()) == [role]


@pytest.mark.parametrize(
    ("days", "officer", "begins"), [(30, False, 30), (-30, True, -30), (-30, False, 0)]
)
def test_a_transfer_registers_from_its_own_day_and_only_the_officer_from_one_past(
    days, officer, begins
):
    team = TeamFactory()
    new = TeamFactory(division=team.division).club
    player = MembershipFactory(club=team.club).player
    RegistrationFactory(season=team.division.season, club=team.club, player=player)
    on = TODAY + datetime.timedelta(days=days)
    moved(player, team.club, new, on=on, officer=officer)
    rows = Registration.objects.filter(player=player).order_by("pk")
    first = TODAY + datetime.timedelta(days=begins)
    assert [(row.starts_on, row.ends_on) for row in rows][1:] == [(first, None)]
    assert rows[0].ends_on == on


def test_who_goes_back_is_registered_when_his_first_time_there_has_ended():
    team = TeamFactory()
    other = TeamFactory(division=team.division).club
    player = MembershipFactory(club=team.club).player
    RegistrationFactory(season=team.division.season, club=team.club, player=player)
    moved(player, team.club, other, on=TODAY + datetime.timedelta(days=30), officer=True)
    moved(player, other, team.club, on=TODAY + datetime.timedelta(days=30), officer=True)
    rows = Registration.objects.filter(player=player).order_by("pk")
    assert [(row.club, row.starts_on, row.ends_on) for row in rows] == [
        (team.club, datetime.date(2026, 7, 1), TODAY + datetime.timedelta(days=30)),
        (team.club, TODAY + datetime.timedelta(days=30), None),
    ]


def test_nobody_is_registered_in_a_season_that_is_over_by_then():
    team = TeamFactory()
    new = TeamFactory(division=team.division).club
    player = MembershipFactory(club=team.club).player
    season = team.division.season
    RegistrationFactory(season=season, club=team.club, player=player)
    moved(player, team.club, new, on=season.ends_on)
    assert not Registration.objects.filter(player=player, club=new).exists()


def test_an_officer_moves_nobody_out_of_or_into_another_league_s_club(client, cast):
    home, away = cast.match.home.club, TeamFactory().club
    secretary = ClubRoleFactory(club=away, user__player=PlayerFactory())
    player = secretary.user.player
    MembershipFactory(club=home, player=player)
    MembershipFactory(club=away, player=player)
    login(client, cast.officer)
    url = reverse("office_person_transfer", args=[player.pk])
    page = client.get(url).context["form"]
    assert list(page.fields["leaves"].queryset) == [home]
    for name in ("leaves", "joins"):
        refused = client.post(url, {name: away.pk, "on": "2026-11-24"})
        assert list(refused.context["form"].errors) == [name]
    assert list(away.roles.all()) == [secretary]
    login(client, cast.grader)
    assert away in client.get(url).context["form"].fields["joins"].queryset


def test_the_club_he_joins_takes_in_who_came_from_another_league(client, cast):
    """Its secretary types his name, and chooses him of those who are like him."""
    club, url = cast.match.home.club, reverse("office_new_person")
    player = MembershipFactory(player__surname="Rook", player__forenames="Ada").player
    login(client, cast.secretary)
    typed = {"surname": "Rook", "forenames": "Ada", "club": club.pk, "starts_on": "2026-12-01"}
    shown = client.post(url, typed).content.decode()
    assert f'name="known" value="{player.pk}"' in shown
    stranger = PlayerFactory(surname="Bishop")
    assert client.post(url, typed | {"known": stranger.pk}).status_code == 200
    members = reverse("club_members", args=[club.slug])
    assert client.post(url, typed | {"known": player.pk}).url == members
    joined = player.memberships.filter(club=club).values_list("starts_on", "ends_on")
    assert list(joined) == [(datetime.date(2026, 12, 1), None)]
    assert Player.objects.filter(surname="Rook").count() == 1
    assert not stranger.memberships.exists()


def test_a_membership_that_had_not_begun_goes_and_one_to_come_is_not_doubled():
    club, player = ClubFactory(), PlayerFactory()
    later = TODAY + datetime.timedelta(days=30)
    MembershipFactory(club=club, player=player, starts_on=later)
    moved(player, None, club)
    held = list(player.memberships.values_list("starts_on", "ends_on"))
    assert sorted(held) == [(TODAY, later), (later, None)]
    moved(player, club)
    assert not player.memberships.exists()


def test_the_page_of_a_transfer(client, cast):
    login(client, cast.officer)
    club = cast.match.home.club
    player, other = club.memberships.first().player, cast.match.away.club
    url = reverse("office_person_transfer", args=[player.pk])
    for typed, wrong in (
        ({"on": "2026-12-01"}, "__all__"),
        ({"leaves": club.pk, "joins": club.pk, "on": "2026-12-01"}, "joins"),
        ({"leaves": other.pk, "on": "2026-12-01"}, "leaves"),
        ({"joins": other.pk, "on": "x"}, "on"),
    ):
        assert list(client.post(url, typed).context["form"].errors) == [wrong]
    typed = {"leaves": club.pk, "joins": other.pk, "on": "2026-12-01"}
    assert client.post(url, typed).status_code == 302
    day = datetime.date(2026, 12, 1)
    held = set(player.memberships.values_list("club", "starts_on", "ends_on"))
    assert held == {(club.pk, None, day), (other.pk, day, None)}
    leaves = client.post(url, {"leaves": other.pk, "on": "2026-12-02"})
    assert leaves.status_code == 302
    assert not player.memberships.filter(ends_on=None).exists()
