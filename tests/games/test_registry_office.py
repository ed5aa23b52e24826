"""The registry's people in the office: added by searching first, kept, moved, read from a list."""

import datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubs.models import Membership, Player, PlayerState
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


def moved(player, leaves, joins, on=TODAY, officer=False):
    return person_changes.transfer(
        player=player.pk,
        leaves=leaves and leaves.pk,
        joins=joins.pk,
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
    person_changes.leave_club(player=player.pk, club=team.club_id, on=TODAY, by=None)
    assert (list(user.team_roles.all()), list(user.club_roles.all())) == ([], [other])
    with pytest.raises(PersonRefused):
        person_changes.leave_club(player=player.pk, club=team.club_id, on=TODAY, by=None)


def test_a_membership_that_had_not_begun_goes_and_one_to_come_is_not_doubled():
    club, player = ClubFactory(), PlayerFactory()
    later = TODAY + datetime.timedelta(days=30)
    MembershipFactory(club=club, player=player, starts_on=later)
    moved(player, None, club)
    held = list(player.memberships.values_list("starts_on", "ends_on"))
    assert sorted(held) == [(TODAY, later), (later, None)]
    person_changes.leave_club(player=player.pk, club=club.pk, on=TODAY, by=None)
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
    with django_assert_num_queries(6) as before:
        client.get(url)
    MembershipFactory.create_batch(5, club=club)
    with django_assert_num_queries(len(before)):
        client.get(url)


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
    PlayerFactory(surname="Bishop", forenames="D")
    text = b'Name,Code,Shoe\nAda O\'BRIEN,,\n"King, Bo",,9\n"Pawn, Cy",123456A,\n"Bishop, Dora",,\n'
    looked = client.post(url, upload(text))
    result = looked.context["result"]
    assert [(line.number, line.name, line.what) for line in result.lines] == [
        (2, "O'Brien, Ada", "a member already"),
        (3, "King, Bo", "joins the club"),
        (4, "Pawn, Cy", "joins the club"),
        (5, "Bishop, Dora", "a new player"),
    ]
    assert [len(line.alike) for line in result.lines] == [0, 0, 0, 0]
    assert result.notices == ['Columns ignored: "Shoe".']
    assert (result.new, result.changed) == (1, 2)
    assert not Player.objects.filter(forenames="Dora").exists()
    step = {"text": looked.context["text"], "step": "store"}
    assert client.post(url, step).url == reverse("club_members", args=[club.slug])
    members = set(Membership.objects.on(TODAY).filter(club=club).values_list("player", flat=True))
    dora = Player.objects.get(forenames="Dora")
    assert {here.pk, gone.pk, coded.pk, dora.pk} <= members
    again = client.post(url, upload(text)).context["result"]
    assert (again.new, again.changed) == (0, 0)


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
        (b"name,code\nA Rook,12\n", "expected six digits and a letter, or nothing"),
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
