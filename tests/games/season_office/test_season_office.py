"""The officer's desk as he uses it: from a new league to registrations and mail."""

import re
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from clubs.models import Player
from games.models import Division, League, LeagueRole, Registration, Season, Team
from tests.factories import (
    ClubFactory,
    ClubRoleFactory,
    DivisionFactory,
    LeagueRoleFactory,
    MatchFactory,
    MembershipFactory,
    PlayerFactory,
    RegistrationFactory,
    SeasonFactory,
    TeamFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db

RULES = {
    "name": "Division 1",
    "board_count": 6,
    "minutes": 75,
    "increment_seconds": 10,
    "home_colour": "even",
    "promoted": 1,
    "relegated": 2,
    "match_points_win": "2",
    "match_points_draw": "1",
    "match_points_loss": "0",
    "match_points_defaulted": "",
    "table_order_0": "match_points",
    "table_order_1": "",
    "table_order_2": "game_points",
    "unfinished_games": "ignore_match",
    "defaulted_matches": "full",
    "withdrawn_teams": "expunge",
    "default_penalty_match_points": "0",
    "default_penalty_game_points": "½",
    "order_list": "grade",
    "order_issue": "newest",
    "limits_list": "grade",
    "limits_issue": "season",
    "late_side": "home",
    "late_match_points": "0",
    "late_game_points": "0",
}


def logged_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def said(response) -> list[str]:
    """What is wrong, as the page says it."""
    return re.findall(r"<li>([^<]+)</li>", "".join(errors_of(response)))


def errors_of(response) -> list[str]:
    return re.findall(r'<ul class="errorlist".*?</ul>', response.content.decode(), re.S)


@pytest.fixture
def season():
    return SeasonFactory(published_at=None)


@pytest.fixture
def officer(season):
    return logged_in(LeagueRoleFactory(league=season.league).user)


def desk(season) -> str:
    return reverse("season_office", args=[season.league.slug, season.slug])


def test_a_league_and_a_season_are_made_in_the_browser():
    chief = logged_in(UserFactory(is_superuser=True))
    answer = chief.post(reverse("league_new"), {"name": "  Weald   League "})
    league = League.objects.get()
    assert (league.name, league.slug) == ("Weald League", "weald-league")
    assert LeagueRole.objects.count() == 1
    answer = chief.post(answer["Location"], {"label": "2026-27"}, follow=True)
    season = Season.objects.get()
    assert (season.starts_on, season.ends_on, season.published_at) == (
        date(2026, 7, 1),
        date(2027, 7, 1),
        None,
    )
    assert "A season begins with its divisions" in answer.content.decode()
    again = chief.post(reverse("league_new"), {"name": "WEALD LEAGUE"})
    assert said(again) == ["There is a league called WEALD LEAGUE already."]
    assert 'value="WEALD LEAGUE"' in again.content.decode()


@pytest.mark.parametrize(
    ("typed", "sentences"),
    [
        ({"label": ""}, ["This field is required."]),
        (
            {"label": "Autumn"},
            ["The label names no two years: a day is needed."] * 2,
        ),
        ({"label": "2026/27"}, ["There is a season called 2026/27 already."]),
        (
            {"label": "Spring", "starts_on": "2027-03-01", "last_day": "2027-02-01"},
            ["A season ends after it starts."],
        ),
        ({"label": "!!!"}, ["Letters or figures are needed."]),
        ({"label": "x" * 41}, ["Ensure this value has at most 40 characters (it has 41)."]),
    ],
)
def test_what_a_new_season_is_refused_for(season, officer, typed, sentences):
    answer = officer.post(reverse("league_new_season", args=[season.league.slug]), typed)
    assert [*said(answer)][: len(sentences)] == sentences
    assert Season.objects.count() == 1


def test_a_division_is_made_with_its_rules(season, officer):
    place = [season.league.slug, season.slug]
    answer = officer.post(reverse("season_new_division", args=place), RULES)
    assert answer["Location"] == desk(season)
    division = Division.objects.get()
    assert (division.match_points_win, division.default_penalty_game_points) == (4, 1)
    assert division.table_order == ["match_points", "game_points"]
    assert division.match_points_defaulted is None
    page = officer.get(reverse("division_rules", args=[division.pk])).content.decode()
    assert re.search(r'name="default_penalty_game_points" value="½"', page)
    preset = RULES | {"preset": "four_two_one", "minutes": 20, "increment_seconds": 0}
    answer = officer.post(reverse("division_rules", args=[division.pk]), preset)
    assert said(answer) == []
    division.refresh_from_db()
    assert (
        division.match_points_win,
        division.match_points_draw,
        division.match_points_loss,
        division.match_points_defaulted,
        division.rated_event.pool_id,
    ) == (8, 4, 2, 0, "rapid")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"name": ""}, "This field is required."),
        ({"board_count": "seventeen"}, "Enter a whole number."),
        ({"minutes": 0, "increment_seconds": 0}, "A game needs some time."),
        ({"match_points_win": "1.3"}, "Points are whole or half: 2, 1½ or 0.5."),
        ({"promoted": -1}, "Not below 0."),
        ({"table_order_1": "match_points"}, "“match points” stands in the order twice."),
    ],
)
def test_what_a_division_is_refused_for(season, officer, typed, sentence):
    place = [season.league.slug, season.slug]
    answer = officer.post(reverse("season_new_division", args=place), RULES | typed)
    assert said(answer) == [sentence]
    assert Division.objects.count() == 0


@pytest.mark.parametrize(
    "typed",
    [{"board_count": 17}, {"match_points_win": "½", "match_points_draw": "2"}, {"minutes": -3}],
)
def test_what_the_database_would_refuse_of_a_division_is_said_at_the_form(season, officer, typed):
    place = [season.league.slug, season.slug]
    answer = officer.post(reverse("season_new_division", args=place), RULES | typed)
    assert answer.status_code == 200
    assert "Not saved." in answer.content.decode()
    assert Division.objects.count() == 0


def test_teams_are_entered_one_after_the_other(season, officer):
    division = DivisionFactory(season=season)
    club = ClubFactory(name="Ashdown")
    address = reverse("division_enter", args=[division.pk])
    typed = {"name": "Ashdown A", "club": club.pk, "captain_email": "ann@example.org"}
    again = officer.post(address, typed | {"another": "1"})
    assert again["Location"] == f"{address}?club={club.slug}"
    assert officer.post(address, typed | {"name": "Ashdown B"})["Location"] == desk(season)
    assert list(Team.objects.order_by("pk").values_list("name", "captain_email")) == [
        ("Ashdown A", "ann@example.org"),
        ("Ashdown B", "ann@example.org"),
    ]
    refused = officer.post(address, typed | {"name": "ASHDOWN A"})
    assert said(refused) == [f"{division} has a team called ASHDOWN A already."]
    team = Team.objects.get(name="Ashdown B")
    officer.post(reverse("team_edit", args=[team.pk]), typed | {"name": "Ashdown Knights"})
    assert Team.objects.get(pk=team.pk).name == "Ashdown Knights"


def test_a_team_moves_or_goes_until_it_has_matches(season, officer):
    first, second = DivisionFactory(season=season), DivisionFactory(season=season)
    team = TeamFactory(division=first)
    step = reverse("team_step", args=[team.pk])
    officer.post(step, {"step": "move", "division": second.pk})
    team.refresh_from_db()
    assert team.division == second
    MatchFactory(division=second, home=team)
    answer = officer.post(step, {"step": "remove"}, follow=True)
    assert "has matches: withdraw it instead" in answer.content.decode()
    assert Team.objects.filter(pk=team.pk).exists()
    other = TeamFactory(division=first)
    officer.post(reverse("team_step", args=[other.pk]), {"step": "remove"})
    assert not Team.objects.filter(pk=other.pk).exists()


def test_a_secretary_enters_his_own_clubs_teams_while_entries_are_open(season):
    division = DivisionFactory(season=season)
    role = ClubRoleFactory()
    secretary, stranger = logged_in(role.user), ClubFactory()
    address = reverse("division_enter", args=[division.pk])
    assert secretary.get(address).status_code == 403
    Season.objects.update(entries_close_on=timezone.localdate())
    assert division.name in secretary.get(reverse("office_leagues")).content.decode()
    typed = {"name": "Our A", "club": role.club.pk}
    assert secretary.post(address, typed)["Location"] == reverse("office_leagues")
    refused = secretary.post(address, {"name": "Their A", "club": stranger.pk})
    assert len(said(refused)) == 1
    assert list(Team.objects.values_list("name", "club")) == [("Our A", role.club.pk)]
    Season.objects.update(entries_close_on=timezone.localdate() - timedelta(days=1))
    assert secretary.get(address).status_code == 403
    assert logged_in(UserFactory()).get(address).status_code == 403


def test_publish_hide_and_close_by_the_button(season, officer):
    step = reverse("season_step", args=[season.league.slug, season.slug])
    answer = officer.post(step, {"step": "publish"}, follow=True)
    assert "A season without teams has nothing to show yet." in answer.content.decode()
    TeamFactory(division=DivisionFactory(season=season))
    officer.post(step, {"step": "publish"})
    season.refresh_from_db()
    assert season.published_at is not None
    assert Client().get(season.get_absolute_url()).status_code == 200
    officer.post(step, {"step": "hide"})
    assert Client().get(season.get_absolute_url()).status_code == 404
    officer.post(step, {"step": "publish"})
    officer.post(step, {"step": "close"})
    honours = reverse("league_honours", args=[season.league.slug])
    champions = Team.objects.get().name
    assert champions.replace(" ", "\xa0") in Client().get(honours).content.decode().replace(
        " ", "\xa0"
    )
    assert Client().get(honours.rstrip("/") + ".json").json()["rows"][0]["champions"] == champions
    officer.post(step, {"step": "nothing"})
    assert officer.post(step).status_code == 302


def test_mail_to_all_captains_goes_to_each_once(season, officer):
    division = DivisionFactory(season=season)
    for address in ("ann@example.org", "bob@example.org", "ann@example.org", ""):
        TeamFactory(division=division, captain_email=address)
    TeamFactory(division=division, captain_email="gone@example.org", state="withdrawn")
    address = reverse("season_mail", args=[season.league.slug, season.slug])
    assert said(officer.post(address, {"subject": "", "text": "x"})) == ["This field is required."]
    answer = officer.post(address, {"subject": "Dates", "text": "Please note."}, follow=True)
    assert "on its way to 2 captains" in answer.content.decode()
    sent = [job.args for job in ProcrastinateJob.objects.filter(task_name="send_mail")]
    assert sorted(each["to"] for each in sent) == ["ann@example.org", "bob@example.org"]
    assert {each["subject"] for each in sent} == {"Dates"}
    sender = LeagueRole.objects.get(league=season.league).user
    assert all(each["text"].startswith("Please note.") for each in sent)
    assert all(sender.email in each["text"] for each in sent)


# --- Registrations -----------------------------------------------------------------------


@pytest.fixture
def club():
    return ClubFactory(name="Ashdown", slug="ashdown")


def place(season, club) -> str:
    return reverse("season_club_players", args=[season.league.slug, season.slug, club.slug])


def test_a_secretary_registers_members_and_others_he_finds(season, club):
    secretary = logged_in(ClubRoleFactory(club=club).user)
    member = MembershipFactory(club=club).player
    stranger = PlayerFactory(surname="O'Hara", forenames="Ronan")
    address = place(season, club)
    page = secretary.get(address).content.decode()
    assert (member.surname in page, stranger.surname in page) == (True, False)
    secretary.post(address, {"players": [member.pk]})
    assert "O&#x27;Hara" in secretary.get(address, {"q": "ohara"}).content.decode()
    secretary.post(f"{address}?q=ohara", {"players": [stranger.pk]})
    assert set(Registration.objects.values_list("player", flat=True)) == {member.pk, stranger.pk}
    other = MembershipFactory(club=club).player
    assert said(secretary.post(address, {"q": ""})) == ["Tick at least one player."]
    invented = secretary.post(address, {"players": [other.pk, PlayerFactory().pk]})
    assert len(said(invented)) == 1
    Season.objects.update(published_at=timezone.now())
    rows = Client().get(
        reverse("season_registered", args=[season.league.slug, season.slug, "json"])
    )
    assert [row["club"] for row in rows.json()["rows"]] == ["Ashdown"] * 2


def test_a_late_registration_is_decided_by_the_officer(season, club, officer):
    Season.objects.update(registration_deadline=timezone.localdate() - timedelta(days=1))
    secretary = logged_in(ClubRoleFactory(club=club).user)
    member = MembershipFactory(club=club).player
    answer = secretary.post(place(season, club), {"players": [member.pk]}, follow=True)
    assert "the officer decides about" in answer.content.decode()
    row = Registration.objects.get()
    address = reverse("registration_edit", args=[row.pk])
    assert secretary.post(address, {"step": "approve"}).status_code == 403
    desk_page = officer.get(desk(season)).content.decode()
    assert "1 waits for you" in desk_page
    officer.post(address, {"step": "approve"})
    row.refresh_from_db()
    assert row.approved_at is not None


def test_nominated_players_stand_first_in_the_list(season, club):
    Season.objects.update(published_at=timezone.now())
    secretary = logged_in(ClubRoleFactory(club=club).user)
    team = TeamFactory(club=club, division__season=season)
    rows = [RegistrationFactory(season=season, club=club) for _n in range(3)]
    address = reverse("registration_edit", args=[rows[2].pk])
    secretary.post(address, {"step": "save", "team": team.pk, "rank": 1})
    public = reverse("season_registered", args=[season.league.slug, season.slug, "json"])
    listed = Client().get(public).json()["rows"]
    names = [Player.objects.get(pk=row.player_id).listed_name for row in (rows[2], *rows[:2])]
    assert [row["name"] for row in listed] == names
    assert (listed[0]["team"], listed[0]["nominated_rank"]) == (team.name, 1)
    refused = secretary.post(address, {"step": "save", "team": "", "rank": 2})
    assert "A nominated board belongs to a team." in refused.content.decode()
    secretary.post(address, {"step": "end"})
    assert len(Client().get(public).json()["rows"]) == 2


def test_the_queries_of_the_desk_do_not_grow(season, officer, django_assert_max_num_queries):
    def fill():
        division = DivisionFactory(season=season)
        teams = [TeamFactory(division=division) for _n in range(4)]
        MatchFactory(division=division, home=teams[0], away=teams[1])
        RegistrationFactory(season=season, club=teams[0].club)

    pages = [
        desk(season),
        reverse("season_registrations", args=[season.league.slug, season.slug]),
        reverse("season_registered", args=[season.league.slug, season.slug]),
        reverse("season_captains", args=[season.league.slug, season.slug]),
    ]
    fill()
    for page in pages:
        officer.get(page)
        with django_assert_max_num_queries(12) as once:
            officer.get(page)
        for _n in range(3):
            fill()
        with django_assert_max_num_queries(len(once)):
            officer.get(page)
