"""A club's members for its secretary, and the list he brings of them."""

import datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from clubs.models import Membership, Player
from games.registry.club_list import import_club_list
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory
from tests.games.registry_scene import AT, TODAY, login

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def today(settings, monkeypatch):
    monkeypatch.setattr("django.utils.timezone.now", lambda: AT)


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
