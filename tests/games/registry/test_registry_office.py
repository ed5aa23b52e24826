"""The registry's people in the office: added by searching first, kept, and called by name."""

import pytest
from django.urls import reverse

from clubs.models import Player, PlayerState
from games.registry import person_changes
from games.registry.person_changes import PersonRefused
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, TeamFactory
from tests.games.registry_scene import AT, TODAY, login

pytestmark = pytest.mark.django_db


FACTS = {"surname": "Rook", "forenames": "Ada"}


@pytest.fixture(autouse=True)
def today(settings, monkeypatch):
    monkeypatch.setattr("django.utils.timezone.now", lambda: AT)


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


# --- A club's members and its list -------------------------------------------------------


def test_a_person_is_called_in_his_history_as_he_is_everywhere(client, cast):
    player = PlayerFactory(surname="Tolbert", forenames="Arthur Jr")
    Player.objects.filter(pk=player.pk).update(title="FM")
    login(client, cast.officer)
    page = client.get(reverse("office_person_history", args=[player.pk])).content.decode()
    assert "Arthur Tolbert Jr" in page and "Arthur Jr Tolbert" not in page
