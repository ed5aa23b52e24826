"""Invitations: a link that works once, for who may give the role, by account or by a new one."""

import datetime
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.fallback import FallbackStorage
from django.core import mail as django_mail
from django.core.cache import cache
from django.db import IntegrityError, connection, connections, transaction
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from clubs import mail
from clubs.devices import SessionStore
from clubs.models import ClubRole, User
from games.accounts import invitations
from games.accounts.invitations import InvitationSpent, send_invitation
from games.models import Invitation, InvitationEvent, LeagueRole, TeamRole
from games.views.invitations import invitation as invitation_page
from tests.factories import PASSWORD, ClubFactory, InvitationFactory, TeamFactory, UserFactory

pytestmark = pytest.mark.django_db
SPENT = {
    "used": "This link is used already",
    "expired": "This link has expired",
    "withdrawn": "This invitation is withdrawn",
}


def address(invitation) -> str:
    return reverse("invitation", args=[invitation.token])


def send_queued() -> None:
    """Send the queued mails as a worker would."""
    django_mail.outbox.clear()
    tasks = {"send_mail": mail.send_mail, "send_invitation": send_invitation}
    jobs = ProcrastinateJob.objects.filter(task_name__in=tasks, status="todo").order_by("pk")
    for job in jobs:
        tasks[job.task_name](**job.args)
    jobs.update(status="succeeded")


def html_of(sent) -> str:
    (alternative,) = sent.alternatives
    assert alternative.mimetype == "text/html"
    return alternative.content


def ask_code(client, invitation, email="tom@example.org", name="Tom Barker") -> str:
    """The code that comes to this address."""
    data = {"step": "address", "email": email, "name": name}
    answer = client.post(address(invitation), data)
    assert (answer.status_code, answer["Location"]) == (302, address(invitation))
    send_queued()
    (sent,) = django_mail.outbox
    assert sent.to == [email.lower()]
    code = re.search(r"^\d{6}$", sent.body, re.MULTILINE)[0]
    assert f">{code}</p>" in html_of(sent)
    return code


def enter(client, invitation, code):
    return client.post(address(invitation), {"step": "code", "code": code})


def captains(invitation) -> list[str]:
    roles = TeamRole.objects.filter(team=invitation.team).order_by("user__email")
    return list(roles.values_list("user__email", flat=True))


def is_logged_in(client) -> bool:
    return "_auth_user_id" in client.session


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


# The code --------------------------------------------------------------------------------------
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


# Made ------------------------------------------------------------------------------------------
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
