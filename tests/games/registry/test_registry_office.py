"""The registry's people in the office: added by searching first, kept, moved, read from a list."""

import datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.urls import reverse
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from clubs.models import Membership, Player, PlayerState
from games.accounts.leavers import withdraw_roles_of_leaver
from games.models import Registration
from games.registry import person_changes
from games.registry.club_list import import_club_list
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
from tests.job_queue import jobs

pytestmark = pytest.mark.django_db
TODAY = datetime.date(2026, 11, 24)
AT = datetime.datetime(2026, 11, 24, 12, tzinfo=datetime.UTC)
FACTS = {"surname": "Rook", "forenames": "Ada"}


@pytest.fixture(autouse=True)
def today(settings, monkeypatch):
    monkeypatch.setattr("django.utils.timezone.now", lambda: AT)


def login(client, user):
    client.force_login(user)
    return user


# --- Added -------------------------------------------------------------------------------


def test_a_new_player_is_looked_for_first_and_added_all_the_same(client, cast):
    login(client, cast.secretary)
    club = cast.match.home.club
    known = MembershipFactory(player__surname="Müller", player__forenames="Élodie").player
    url = reverse("office_new_person")
    typed = {"surname": "MULLER", "forenames": "ELODIE", "club": club.pk}
    first = client.post(url, typed)
    assert [(each.player, each.reasons) for each in first.context["alike"]] == [
        (known, ["the same name but for accents, apostrophes or hyphens"])
    ]
    assert 'value="MULLER"' in first.content.decode()
    assert Player.objects.filter(surname="MULLER").count() == 0
    assert client.post(url, typed | {"sure": "1"}).url == reverse("club_members", args=[club.slug])
    made = Player.objects.get(surname="MULLER")
    assert list(made.memberships.values_list("club", "starts_on")) == [(club.pk, TODAY)]
    assert made.events.get().pgh_context["user"] == cast.secretary.pk


def test_a_secretary_adds_to_his_own_clubs_alone_and_an_officer_to_none_too(client, cast):
    url, other = reverse("office_new_person"), ClubFactory()
    login(client, cast.secretary)
    for club in ("", other.pk):
        response = client.post(url, FACTS | {"club": club})
        assert list(response.context["form"].errors) == ["club"]
    login(client, cast.officer)
    assert client.post(url, FACTS).url == reverse(
        "office_person", args=[Player.objects.get(surname="Rook").pk]
    )


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("surname", ""),
        ("surname", "=HYPERLINK(1)"),
        ("surname", "x" * 101),
        ("surname", "\x00"),
        ("forenames", "Anna 🎉"),
        ("ecf_code", "12345"),
        ("fide_id", "-1"),
        ("fide_id", "9" * 30),
        ("birth_year", "2027"),
        ("birth_year", "1066"),
        ("gender", "X"),
        ("name_consent", "maybe"),
        ("membership_expires_on", "soon"),
        ("federation", "LONG"),
        ("club", "999999"),
        ("starts_on", "never"),
    ],
)
def test_what_is_wrong_stands_at_its_field_and_nothing_is_stored(client, cast, column, value):
    login(client, cast.officer)
    before = Player.objects.count()
    response = client.post(reverse("office_new_person"), FACTS | {column: value})
    assert list(response.context["form"].errors) == [column]
    assert Player.objects.count() == before


# --- Kept --------------------------------------------------------------------------------


def test_facts_are_changed_and_a_code_of_another_is_refused(client, cast):
    login(client, cast.officer)
    player = cast.match.home.club.memberships.first().player
    PlayerFactory(surname="Owner", ecf_code="123456A")
    url = reverse("office_person", args=[player.pk])
    typed = {"surname": "O'Brien", "forenames": "Zoë", "ecf_code": "123456a", "birth_year": "2015"}
    refused = client.post(url, typed)
    assert refused.context["form"].errors == {"ecf_code": ["Owner, Robin has it."]}
    assert "O&#x27;Brien" in refused.content.decode()
    assert client.post(url, typed | {"ecf_code": "", "name_consent": "false"}).status_code == 302
    player.refresh_from_db()
    assert (str(player), player.ecf_code, player.birth_year, player.name_consent) == (
        "Zoë O'Brien",
        None,
        2015,
        False,
    )


def as_shown(page) -> dict:
    """What the form of a page sends back untouched, with what it says it showed."""
    form = page.context["form"]
    shown = {name: form[name].value() for name in form.fields}
    shown |= {f"initial-{name}": value for name, value in shown.items()}
    return {name: "" if value is None else value for name, value in shown.items()}


def test_two_officers_at_once_change_each_what_he_changed(client, cast):
    """Neither the consent to a junior's name comes back, nor a code that was taken away."""
    login(client, cast.grader)
    player = PlayerFactory(birth_year=2015, name_consent=True, ecf_code="123456A")
    url = reverse("office_person", args=[player.pk])
    first = client.get(url)
    for name in ("surname", "name_consent"):
        assert f'name="initial-{name}"' in first.content.decode()
    opened = as_shown(first)
    client.post(url, opened | {"name_consent": "false", "ecf_code": ""})
    client.post(url, opened | {"forenames": "Robyn", "birth_year": ""})
    player.refresh_from_db()
    assert (player.name_consent, player.ecf_code) == (False, None)
    assert (player.forenames, player.birth_year) == ("Robyn", None)


def test_who_is_pending_is_confirmed_and_who_retires_comes_back(client, cast):
    login(client, cast.officer)
    player = MembershipFactory(club=cast.match.home.club, player__state="pending").player
    url = reverse("office_person_step", args=[player.pk])
    states = []
    for step in ("confirm", "retire", "return", "nonsense", ""):
        assert client.post(url, {"step": step}).status_code == 302
        states.append(Player.objects.get(pk=player.pk).state)
    assert states == ["active", "retired", "active", "active", "active"]


def test_an_officer_keeps_the_people_of_his_own_league_alone(client, cast):
    elsewhere = MembershipFactory(club=TeamFactory().club).player
    login(client, cast.officer)
    for name in ("office_person", "office_person_transfer", "office_person_erase"):
        assert client.get(reverse(name, args=[elsewhere.pk])).status_code == 403
    assert client.get(reverse("office_person", args=[PlayerFactory().pk])).status_code == 200


def test_a_merged_or_erased_entry_is_changed_by_nobody():
    kept = PlayerFactory()
    merged = PlayerFactory(state="merged", merged_into=kept)
    erased = PlayerFactory(state="erased")
    for player in (merged, erased):
        with pytest.raises(PersonRefused):
            person_changes.change_person(player=player.pk, by=None, **FACTS)
        with pytest.raises(PersonRefused):
            person_changes.set_state(player=player.pk, state=PlayerState.ACTIVE, by=None)


# --- Moved -------------------------------------------------------------------------------


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


# --- A club's members and its list -------------------------------------------------------


def test_a_club_s_members_for_its_secretary(client, cast, django_assert_num_queries):
    login(client, cast.secretary)
    club = cast.match.home.club
    url = reverse("club_members", args=[club.slug])
    first = club.memberships.first().player
    assert first.listed_name in client.get(url).content.decode()
    assert client.post(url, {"player": first.pk}).status_code == 302
    assert Membership.objects.get(player=first).ends_on == TODAY
    for wrong in ("", "x", "9" * 30, PlayerFactory().pk):
        assert client.post(url, {"player": wrong}).status_code == 404
    with django_assert_num_queries(5) as before:
        client.get(url)
    MembershipFactory.create_batch(5, club=club)
    with django_assert_num_queries(len(before)):
        client.get(url)


def test_who_left_a_club_and_came_back_leaves_it_again(client, cast):
    login(client, cast.secretary)
    club, player = cast.match.home.club, PlayerFactory()
    days = [datetime.date(year, 1, 1) for year in (2015, 2016, 2020)]
    MembershipFactory(club=club, player=player, starts_on=days[0], ends_on=days[1])
    MembershipFactory(club=club, player=player, starts_on=days[2])
    url = reverse("club_members", args=[club.slug])
    assert client.post(url, {"player": player.pk}).status_code == 302
    assert not player.memberships.filter(ends_on=None).exists()


def upload(text: bytes):
    return {"file": SimpleUploadedFile("members.csv", text)}


def test_a_club_s_list_is_looked_at_then_stored_once(client, cast):
    login(client, cast.secretary)
    club = cast.match.home.club
    url = reverse("club_import", args=[club.slug])
    here = PlayerFactory(surname="O'Brien", forenames="Ada")
    MembershipFactory(club=club, player=here)
    gone = PlayerFactory(surname="King", forenames="Bo")
    MembershipFactory(club=club, player=gone, ends_on=TODAY)
    coded = PlayerFactory(surname="Pawn", forenames="Cy", ecf_code="123456A")
    MembershipFactory(club__name="Hartfield", player=coded)
    PlayerFactory(surname="Bishop", forenames="D")
    text = b'Name,Code,Shoe\nAda O\'BRIEN,,\n"King, Bo",,9\n"Pawn, Cy",123456A,\n"Bishop, Dora",,\n'
    looked = client.post(url, upload(text))
    result = looked.context["result"]
    assert [(line.number, line.name, line.what) for line in result.lines] == [
        (2, "O'Brien, Ada", "a member already"),
        (3, "King, Bo", "joins the club"),
        (4, "Pawn, Cy", "joins the club, and stays at Hartfield as well"),
        (5, "Bishop, Dora", "a new player"),
    ]
    assert [len(line.alike) for line in result.lines] == [0, 0, 0, 0]
    assert result.notices == ['Columns ignored: "Shoe".']
    assert (result.new, result.changed) == (1, 2)
    assert not Player.objects.filter(forenames="Dora").exists()
    step = {"text": looked.context["form"].seen, "step": "store"}
    assert client.post(url, step).url == reverse("club_members", args=[club.slug])
    members = set(Membership.objects.on(TODAY).filter(club=club).values_list("player", flat=True))
    dora = Player.objects.get(forenames="Dora")
    assert {here.pk, gone.pk, coded.pk, dora.pk} <= members
    again = client.post(url, upload(text)).context["result"]
    assert (again.new, again.changed) == (0, 0)


def read_list(club, text: bytes, store=True):
    return import_club_list(
        club=club, content=text, source="a list", on=TODAY, store=store, by=None
    )


def test_who_comes_by_a_list_is_a_member_from_the_day_it_is_stored():
    """The new, those known by their code, and one who left and whose row brings his code."""
    club, left = ClubFactory(), datetime.date(2020, 1, 1)
    known = PlayerFactory(surname="Pawn", forenames="Cy", ecf_code="123456A")
    former = PlayerFactory(surname="King", forenames="Bo")
    MembershipFactory(club=club, player=former, ends_on=left)
    text = b'name,code\n"Bishop, Dora",\n"Pawn, Cy",123456A\n"King, Bo",117540D\n'
    result = read_list(club, text)
    said = [line.what for line in result.lines]
    assert said == ["a new player", "joins the club", "joins the club"]
    former.refresh_from_db()
    assert former.ecf_code == "117540D"
    times = Membership.objects.filter(club=club).values_list("player", "starts_on", "ends_on")
    assert set(times) == {
        (Player.objects.get(forenames="Dora").pk, TODAY, None),
        (known.pk, TODAY, None),
        (former.pk, None, left),
        (former.pk, TODAY, None),
    }


def test_a_longer_list_asks_no_more(django_assert_num_queries):
    club, number = ClubFactory(), 12
    rows = [f"New{each}x, Nora" for each in range(number)]
    for each in range(number):
        player = PlayerFactory(surname=f"Gone{each}x")
        MembershipFactory(club=club, player=player, ends_on=TODAY)
        rows.append(player.listed_name)
    rows = [f'"{name}"' for name in rows]
    with django_assert_num_queries(100, exact=False) as few:
        read_list(club, "\n".join(["name", rows[0], rows[-1]]).encode(), store=False)
    with django_assert_num_queries(len(few)):
        read_list(club, "\n".join(["name", *rows]).encode(), store=False)


def test_a_new_name_of_a_list_that_is_like_another_s_is_told(client, cast):
    login(client, cast.secretary)
    known = MembershipFactory(player__surname="Müller", player__forenames="Élodie").player
    url = reverse("club_import", args=[cast.match.home.club.slug])
    response = client.post(url, upload(b"name\nELODIE MULLER\n"))
    (line,) = response.context["result"].lines
    assert [each.player for each in line.alike] == [known]
    assert "perhaps" in response.content.decode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "The submitted file is empty"),
        (b"name\n", "The file has no rows below its header"),
        (b"club\nx\n", "missing: name"),
        (b"name,code\nA Rook,12\n", "expected six digits and a letter (A–L, no I), or nothing"),
        (b"name,code\nA Rook,999999Z\n", "a letter (A–L, no I)"),
        (b"name\n=cmd()\n", "not a spreadsheet"),
        (b"name\nA Rook\nA Rook\n", "the same person as in row 2"),
        (b"\xff\xfen\x00a\x00m\x00e\x00", "UTF-16"),
        (b"name" + b",x" * 300 + b"\nA Rook\n", "1 cells; expected 301"),
        (b"name\n" + b"A Rook\n" * 1001, "at most 1000 rows"),
        (b"x" * 300_000, "larger than 256 KB"),
    ],
)
def test_a_list_that_cannot_be_read_is_reported_row_by_row(client, cast, text, said):
    login(client, cast.secretary)
    before = Player.objects.count()
    url = reverse("club_import", args=[cast.match.home.club.slug])
    response = client.post(url, upload(text))
    assert response.status_code == 200
    assert said in response.content.decode() or said in str(response.context["form"].errors)
    assert Player.objects.count() == before


def test_a_preview_that_was_tampered_with_is_refused(client, cast):
    login(client, cast.secretary)
    url = reverse("club_import", args=[cast.match.home.club.slug])
    for text in ("*", "QQ", ""):
        response = client.post(url, {"text": text, "step": "store"})
        assert response.status_code == 200


def test_a_person_is_called_in_his_history_as_he_is_everywhere(client, cast):
    player = PlayerFactory(surname="Tolbert", forenames="Arthur Jr")
    Player.objects.filter(pk=player.pk).update(title="FM")
    login(client, cast.officer)
    page = client.get(reverse("office_person_history", args=[player.pk])).content.decode()
    assert "Arthur Tolbert Jr" in page and "Arthur Jr Tolbert" not in page
