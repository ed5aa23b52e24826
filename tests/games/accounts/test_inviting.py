"""Who invites whom to what, by mail and by a link to copy, for two weeks."""

import datetime
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core import mail as django_mail
from django.db import IntegrityError, connections, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from games.accounts import invitations
from games.accounts.invitations import InvitationSpent
from games.models import Invitation, InvitationEvent
from tests.factories import ClubFactory, InvitationFactory, TeamFactory, UserFactory
from tests.games.invitation_scene import address, captains, html_of, send_queued

pytestmark = pytest.mark.django_db


def invite(client, key, **data):
    return client.post(reverse("invitation_new", args=[key]), data)


def test_a_secretary_invites_a_captain_by_mail_and_by_a_link_to_copy(client, cast):
    client.force_login(cast.secretary)
    key = f"captain-{cast.match.home_id}"
    form = client.get(reverse("invitation_new", args=[key]))
    assert f"Invite as captain of {cast.match.home}" in form.content.decode()
    made = invite(client, key, email="Tom@Example.org", name=" Tom  Barker ")
    offer = Invitation.objects.get()
    assert made["Location"] == reverse("invitation_office", args=[offer.pk])
    stored = (offer.email, offer.name, offer.team, offer.invited_by)
    assert stored == ("tom@example.org", "Tom Barker", cast.match.home, cast.secretary)
    link = f"http://testserver{address(offer)}"
    assert f'<code class="key">{link}</code>' in client.get(made["Location"]).content.decode()
    copied = client.get(reverse("invitation_text", args=[offer.pk]))
    words = f"{cast.secretary} asks you to be captain of {cast.match.home} on Topboard. {link}"
    assert (copied.content.decode(), copied["Content-Type"]) == (words, "text/plain; charset=utf-8")
    assert django_mail.outbox == []
    send_queued()
    (sent,) = django_mail.outbox
    assert sent.to == ["tom@example.org"]
    assert sent.subject == f"You are asked to be captain of {cast.match.home}"
    for text in (sent.body, html_of(sent)):
        assert "Hello Tom Barker," in text and link in text


@pytest.mark.parametrize(("kept", "begins"), [("fr", "On vous "), ("", "You are asked")])
def test_an_invitation_is_in_the_language_of_the_account(client, cast, kept, begins):
    UserFactory(email="tom@example.org", language=kept)
    client.force_login(cast.secretary)
    invite(client, f"captain-{cast.match.home_id}", email="tom@example.org")
    send_queued()
    (sent,) = django_mail.outbox
    assert sent.subject.startswith(begins)


def test_the_link_stands_nowhere_in_the_database(client, cast):
    client.force_login(cast.secretary)
    invite(client, f"captain-{cast.match.home_id}", email="tom@example.org")
    token = Invitation.objects.get().token
    rows = [*Invitation.objects.values_list(), *InvitationEvent.objects.values_list()]
    jobs = [str(job.args) for job in ProcrastinateJob.objects.all()]
    assert rows and jobs and token not in f"{rows}{jobs}"


def test_a_withdrawn_invitation_is_not_mailed(client, cast):
    client.force_login(cast.secretary)
    invite(client, f"captain-{cast.match.home_id}", email="tom@example.org")
    offer = Invitation.objects.get()
    answer = client.post(reverse("invitation_office", args=[offer.pk]), {"step": "withdraw"})
    assert answer["Location"] == reverse("office_roles")
    send_queued()
    assert django_mail.outbox == []
    assert client.get(address(offer)).status_code == 410
    renewed = client.post(reverse("invitation_office", args=[offer.pk]), {"step": "renew"})
    assert (
        "It is accepted or withdrawn already." in client.get(renewed["Location"]).content.decode()
    )


MAY_INVITE = {
    "home captain": {"officer", "secretary", "chief"},
    "second captain": {"officer", "secretary", "chief"},
    "away captain": {"officer", "chief"},
    "sister captain": {"sister", "secretary", "chief"},
    "home secretary": {"officer", "sister", "secretary", "chief"},
    "away secretary": {"officer", "chief"},
    "officer": {"officer", "chief"},
    "sister officer": {"sister", "chief"},
    "grading": {"chief"},
}


@pytest.mark.parametrize("what", MAY_INVITE)
def test_who_invites_to_what(cast, what):
    match, division = cast.match, cast.match.division
    sister = cast.sister.league_roles.get().league
    keys = {
        "home captain": f"captain-{match.home_id}",
        "second captain": f"captain-{cast.second.team_roles.get().team_id}",
        "away captain": f"captain-{match.away_id}",
        "sister captain": f"captain-{match.home.club.teams.get(division__name='Division B').pk}",
        "home secretary": f"secretary-{match.home.club_id}",
        "away secretary": f"secretary-{match.away.club_id}",
        "officer": f"officer-{division.season.league_id}",
        "sister officer": f"officer-{sister.pk}",
        "grading": "grading-0",
    }
    roles = ("officer", "secretary", "captain", "outsider", "sister", "second", "staff", "grader")
    may = set()
    for role in (*roles, "chief"):
        client = Client()
        client.force_login(cast.account(role))
        answer = invite(client, keys[what])
        if answer.status_code == 302:
            may.add(role)
        else:
            assert (role, answer.status_code) == (role, 403)
    assert may == MAY_INVITE[what]
    assert Invitation.objects.count() == len(may)


@pytest.mark.parametrize(
    "key", ["captain", "captain-", "captain-0", "x-1", "captain-9999999999999999999999"]
)
def test_an_unknown_post_is_not_found(client, cast, key):
    client.force_login(cast.officer)
    assert client.get(reverse("invitation_new", args=[key])).status_code == 404


@pytest.mark.parametrize("data", [{"email": "x"}, {"name": "x" * 101}, {"name": "=1+1"}])
def test_a_wrong_form_makes_no_invitation(client, cast, data):
    client.force_login(cast.officer)
    page = invite(client, f"captain-{cast.match.home_id}", **data)
    assert page.status_code == 200 and page.context["form"].errors
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        ({"role": "secretary"}, "games_invitation_of_what_the_role_is_of"),
        ({"role": "grading"}, "games_invitation_of_what_the_role_is_of"),
        ({"team": None}, "games_invitation_of_what_the_role_is_of"),
        (
            {"used_at": timezone.now(), "withdrawn_at": timezone.now()},
            "games_invitation_used_or_withdrawn",
        ),
    ],
)
def test_the_database_keeps_an_invitation_whole(columns, name):
    with transaction.atomic(), pytest.raises(IntegrityError, match=name):
        InvitationFactory(**columns)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_the_link_at_once_one_gets_the_role():
    offer, users = InvitationFactory(), [UserFactory(), UserFactory()]
    start = Barrier(2)

    def take(user):
        try:
            start.wait()
            invitations.accept(token=offer.token, user=user, at=timezone.now())
        except InvitationSpent as spent:
            return str(spent.state)
        finally:
            connections.close_all()
        return "accepted"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(take, users)) == ["accepted", "used"]
    offer.refresh_from_db()
    assert captains(offer) == [offer.used_by.email]


def test_an_invitation_holds_for_two_weeks(client, cast):
    client.force_login(cast.officer)
    invite(client, f"secretary-{ClubFactory().pk}")
    offer = Invitation.objects.get()
    assert offer.expires_at - offer.invited_at == datetime.timedelta(days=14)
    assert offer.team is None and TeamFactory().roles.count() == 0
