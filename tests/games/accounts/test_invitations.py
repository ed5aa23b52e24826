"""Invitations: a link that works once, by account or by a new one."""

import pytest
from django.core import mail as django_mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import ClubRole, User
from games.models import Invitation, LeagueRole, TeamRole
from tests.factories import PASSWORD, InvitationFactory, UserFactory
from tests.games.invitation_scene import SPENT, address, ask_code, captains, enter, send_queued

pytestmark = pytest.mark.django_db


# Accepted --------------------------------------------------------------------------------------


def test_a_new_captain_accepts_by_a_code_and_is_logged_in(client):
    offer = InvitationFactory(email="tom@example.org", name="Tom Barker")
    page = client.get(address(offer)).content.decode()
    assert f"You are asked to be captain of {offer.team}" in page
    assert 'value="tom@example.org"' in page and 'value="Tom Barker"' in page
    code = ask_code(client, offer)
    waiting = client.get(address(offer)).content.decode()
    assert 'inputmode="numeric"' in waiting and 'autocomplete="one-time-code"' in waiting
    answer = enter(client, offer, f" {code[:3]} {code[3:]} ")
    assert (answer.status_code, answer["Location"]) == (302, "/office/")
    user = User.objects.get(email="tom@example.org")
    assert (user.name, user.has_usable_password()) == ("Tom Barker", False)
    assert client.session["_auth_user_id"] == str(user.pk)
    assert captains(offer) == ["tom@example.org"]
    page = client.get(answer["Location"]).content.decode()
    assert f"Accepted: you are captain of {offer.team} now." in page
    offer.refresh_from_db()
    assert (offer.used_by, offer.used_at is not None) == (user, True)
    given = TeamRole.objects.get().events.get()
    assert (given.pgh_label, given.pgh_context["user"]) == ("insert", user.pk)
    assert given.pgh_context["why"] == f"invited by {offer.invited_by}"


def test_an_account_accepts_by_its_address_and_keeps_its_name_and_password(client):
    offer, user = InvitationFactory(), UserFactory(email="tom@example.org", name="Tom Barker")
    enter(client, offer, ask_code(client, offer, email="TOM@example.org", name="Somebody"))
    user.refresh_from_db()
    assert (user.name, user.check_password(PASSWORD)) == ("Tom Barker", True)
    assert captains(offer) == ["tom@example.org"]


def test_who_has_a_password_logs_in_and_accepts(client):
    offer, user = InvitationFactory(), UserFactory()
    page = client.get(address(offer)).content.decode()
    login = f"{reverse('account_login')}?next={address(offer)}"
    assert f'href="{login}"' in page
    answer = client.post(login, {"login": user.email, "password": PASSWORD})
    assert answer["Location"] == address(offer)
    page = client.get(address(offer)).content.decode()
    assert f"Accept as {user.name}" in page and "I am somebody else" in page
    answer = client.post(address(offer), {"step": "accept"})
    assert answer["Location"] == "/office/"
    assert captains(offer) == [user.email]


def test_the_teams_page_names_who_has_accepted_to_those_with_an_account(client):
    offer = InvitationFactory(team__captain_name="", team__captain_email="")
    place = offer.team.get_absolute_url()
    assert "Not named yet." in client.get(place).content.decode()
    enter(client, offer, ask_code(client, offer))
    page = client.get(place).content.decode()
    assert "Tom Barker</p>" in page and "Not named yet." not in page
    client.logout()
    page = client.get(place).content.decode()
    assert "Tom Barker" not in page and "to see who it is." in page and "Not named yet" not in page


@pytest.mark.parametrize("logged_in", [True, False])
def test_to_look_at_a_link_uses_nothing(client, logged_in):
    offer = InvitationFactory()
    if logged_in:
        client.force_login(UserFactory())
    for _ in range(3):
        assert client.get(address(offer)).status_code == 200
        assert client.head(address(offer)).status_code == 200
    assert client.post(address(offer)).status_code == 200
    assert (captains(offer), Invitation.objects.get().used_at) == ([], None)


@pytest.mark.parametrize("role", ["officer", "secretary", "grading"])
def test_each_role_leads_to_the_office(client, role, cast):
    league, club = cast.match.division.season.league, cast.match.home.club
    subject = {"officer": {"league": league}, "secretary": {"club": club}, "grading": {}}[role]
    offer = InvitationFactory(role=role, team=None, **subject)
    user = UserFactory()
    client.force_login(user)
    answer = client.post(address(offer), {"step": "accept"})
    assert answer["Location"] == "/office/"
    user.refresh_from_db()
    model = {"officer": LeagueRole, "secretary": ClubRole}.get(role)
    held = user.is_grading_officer if model is None else model.objects.filter(user=user).exists()
    assert held
    page = client.get(answer["Location"]).content.decode()
    assert "Accepted: you are" in page


# Spent -----------------------------------------------------------------------------------------


def spend(offer, how: str) -> None:
    now = timezone.now()
    changes = {
        "used": {"used_at": now, "used_by": UserFactory()},
        "expired": {"expires_at": now},
        "withdrawn": {"withdrawn_at": now},
    }
    Invitation.objects.filter(pk=offer.pk).update(**changes[how])


@pytest.mark.parametrize("how", SPENT)
@pytest.mark.parametrize("step", ["accept", "address", "code", None])
def test_a_spent_link_opens_nothing_and_says_what_to_do(client, how, step):
    offer = InvitationFactory(invited_by__name="Iris Penhallow")
    spend(offer, how)
    if step == "accept":
        client.force_login(UserFactory())
    data = {"step": step, "email": "tom@example.org", "name": "Tom", "code": "123456"}
    answer = client.get(address(offer)) if step is None else client.post(address(offer), data)
    assert answer.status_code == 410
    page = answer.content.decode()
    assert SPENT[how] in page and ("Iris Penhallow" in page or how == "withdrawn")
    assert captains(offer) == [] and not User.objects.filter(email="tom@example.org").exists()


def test_a_link_works_once(client):
    offer = InvitationFactory()
    enter(client, offer, ask_code(client, offer))
    assert "You have accepted it" in client.get(address(offer)).content.decode()
    second = Client()
    second.force_login(UserFactory())
    assert second.post(address(offer), {"step": "accept"}).status_code == 410
    assert captains(offer) == ["tom@example.org"]


@pytest.mark.parametrize("token", ["x", "x" * 300, "%00", "é"])
def test_an_unknown_link_says_so(client, token):
    answer = client.get(f"/invitations/{token}/")
    assert answer.status_code == 404
    assert "This link is not known" in answer.content.decode()


def test_a_renewed_link_replaces_the_one_before(client):
    offer = InvitationFactory(email="tom@example.org")
    spend(offer, "expired")
    old = address(offer)
    client.force_login(offer.invited_by)
    client.post(reverse("invitation_office", args=[offer.pk]), {"step": "renew"})
    offer.refresh_from_db()
    assert address(offer) != old
    send_queued()
    (sent,) = django_mail.outbox
    assert f"http://testserver{address(offer)}" in sent.body
    assert client.get(old).status_code == 404
    assert client.get(address(offer)).status_code == 200


def test_an_offer_of_who_may_not_give_the_role_any_more_is_withdrawn(client, cast):
    offer = InvitationFactory(team=cast.match.home, invited_by=cast.secretary)
    assert client.get(address(offer)).status_code == 200
    cast.secretary.club_roles.all().delete()
    answer = client.get(address(offer))
    assert answer.status_code == 410 and SPENT["withdrawn"] in answer.content.decode()


def test_a_closed_account_accepts_nothing(client):
    offer = InvitationFactory()
    UserFactory(email="tom@example.org", is_active=False)
    answer = enter(client, offer, ask_code(client, offer))
    assert answer["Location"] == reverse("account_inactive")
    assert (captains(offer), Invitation.objects.get().used_at) == ([], None)
