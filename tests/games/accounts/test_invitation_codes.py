"""The code of an invitation: mailed, never guessed, and telling nothing of an address."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.fallback import FallbackStorage
from django.core.cache import cache
from django.db import connection
from django.test import Client, RequestFactory
from procrastinate.contrib.django.models import ProcrastinateJob

from clubs.devices import SessionStore
from clubs.models import User
from games.views.invitations import invitation as invitation_page
from tests.factories import InvitationFactory, UserFactory
from tests.games.invitation_scene import address, ask_code, captains, enter, is_logged_in

pytestmark = pytest.mark.django_db


def test_the_code_of_an_invitation_is_not_guessed(client):
    offer = InvitationFactory()
    code = ask_code(client, offer)
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    for _ in range(2):
        page = enter(client, offer, wrong)
        assert page.context["code_form"].errors == {"code": ["Incorrect code."]}
    assert enter(client, offer, wrong)["Location"] == address(offer)
    assert "so the code is spent" in client.get(address(offer)).content.decode()
    assert enter(client, offer, code).status_code == 302
    assert (is_logged_in(client), captains(offer)) == (False, [])


def test_guesses_that_come_together_are_counted_each(client):
    offer = InvitationFactory()
    code = ask_code(client, offer)
    key = client.session.session_key
    together = []
    for number in range(5):
        request = RequestFactory().post(address(offer), {"step": "code", "code": f"{number}"})
        request.session, request.user = SessionStore(key), AnonymousUser()
        assert request.session["invitation_code"]["code"] == code  # all of them have read it
        request._messages = FallbackStorage(request)
        together.append(request)
    told = []
    for request in together:
        told.append(invitation_page(request, offer.token).status_code)
        request.session.save()
    assert told == [200, 200, 302, 302, 302]
    enter(client, offer, code)
    assert (is_logged_in(client), captains(offer)) == (False, [])


def test_a_code_works_for_its_link_on_its_device_alone(client):
    offer, other = InvitationFactory(), InvitationFactory(nonce="another")
    code = ask_code(client, offer)
    enter(client, other, code)
    enter(Client(), offer, code)
    assert not is_logged_in(client) and not User.objects.filter(email="tom@example.org").exists()
    enter(client, offer, code)
    assert captains(offer) == ["tom@example.org"]


@pytest.mark.parametrize("kept", [{"guesses": 1}, {"name": None}])
def test_a_code_that_an_earlier_release_sent_is_taken_if_it_says_enough(client, kept):
    offer = InvitationFactory()
    code = ask_code(client, offer)
    session = client.session
    told = session["invitation_code"] | kept
    session["invitation_code"] = {key: value for key, value in told.items() if value is not None}
    session.save()
    assert client.get(address(offer)).status_code == 200
    enter(client, offer, code)
    assert is_logged_in(client) == ("guesses" in kept)


def test_the_page_tells_nothing_about_an_address():
    UserFactory(email="known@example.org")
    UserFactory(email="closed@example.org", is_active=False)
    offer, told = InvitationFactory(), []
    for email in ("known@example.org", "closed@example.org", "nobody@example.org"):
        cache.clear()
        client = Client()
        with connection.execute_wrapper(statements := Statements()):
            answer = client.post(address(offer), {"step": "address", "email": email, "name": "Tom"})
            page = client.get(address(offer)).content.decode()
            wrong = enter(client, offer, "0").content.decode()
        pages = [re.sub(r'value="\w{64}"', "", each).replace(email, "…") for each in (page, wrong)]
        told.append((answer.status_code, answer["Location"], pages, statements.of_accounts))
    assert told[0] == told[1] == told[2]
    assert told[0][3] == 0


class Statements:
    """Counts the statements that ask for an account by its address."""

    of_accounts = 0

    def __call__(self, execute, sql, params, many, context):
        self.of_accounts += '"clubs_user"."email" =' in sql
        return execute(sql, params, many, context)


def test_codes_are_not_asked_for_without_end(client):
    offer = InvitationFactory()
    for _ in range(3):
        ask_code(Client(), offer)
    page = client.post(
        address(offer), {"step": "address", "email": "tom@example.org", "name": "Tom"}
    )
    assert page.context["form"].errors == {
        "email": ["Too many codes were asked for. Try again in some minutes."]
    }


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"email": "", "name": ""},
        {"email": "no address", "name": "Tom"},
        {"email": "tom@example.org", "name": "   "},
        {"email": "tom@example.org", "name": "x" * 101},
        {"email": "a\x00@example.org", "name": "\x00"},
    ],
)
def test_what_is_missing_is_said_and_the_rest_kept(client, data):
    page = client.post(address(InvitationFactory()), {"step": "address", **data})
    assert page.status_code == 200 and page.context["form"].errors
    assert not ProcrastinateJob.objects.filter(task_name="send_mail").exists()
