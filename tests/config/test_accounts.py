"""Logging in, out and back in with a new password, and what a stranger can find out or break."""

import datetime
import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as django_mail
from django.core.cache import caches
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import NoReverseMatch, reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from clubs import mail
from clubs.models import User
from clubs.tasks import send_reset_link
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db
NEW = "another-horse-battery"
WRONG = "The email address and/or password you specified are not correct."
BLOCKED = "Too many wrong passwords. Wait five minutes, or log in at once by a code."


def log_in(client, email, password=PASSWORD, **extra):
    return client.post(reverse("account_login"), {"login": email, "password": password}, **extra)


def is_logged_in(client) -> bool:
    return "_auth_user_id" in client.session


def queued() -> list[tuple[str, dict]]:
    """The jobs in the queue, oldest first, without the ids of their mails."""
    return [
        (job.task_name, {key: job.args[key] for key in job.args if key != "message_id"})
        for job in ProcrastinateJob.objects.order_by("pk")
    ]


def run_queued() -> None:
    """Run the queued mails here, as a worker would."""
    for name, task in {"send_mail": mail.send_mail, "send_reset_link": send_reset_link}.items():
        for job in ProcrastinateJob.objects.filter(task_name=name, status="todo"):
            task(**job.args)


def reset_link(client, email) -> str:
    """The link that a request for a new password brings by mail."""
    client.post(reverse("account_reset_password"), {"email": email})
    run_queued()
    return re.search(r"http://testserver(/\S+)", django_mail.outbox[-1].body)[1]


# Login ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("typed", ["anna@example.org", "ANNA@Example.org", " anna@example.org "])
def test_login_by_address_ignores_case_and_blanks(client, typed):
    UserFactory(email="anna@example.org", name="Anna Smith")
    response = log_in(client, typed)
    assert (response.status_code, response["Location"]) == (302, "/office/")
    assert "Logged in as Anna Smith." in client.get("/").content.decode()


def test_an_address_is_stored_in_lower_case_however_it_is_given():
    user = User.objects.create_user(" Anna@Example.ORG ", PASSWORD)
    assert user.email == "anna@example.org"
    with transaction.atomic(), pytest.raises(IntegrityError, match="address_in_lower_case"):
        User.objects.filter(pk=user.pk).update(email="Anna@example.org")


@pytest.mark.parametrize(
    ("email", "password"),
    [
        ("anna@example.org", "wrong"),
        ("nobody@example.org", PASSWORD),
        ("nobody@example.org", "x" * 5000),
    ],
)
def test_a_wrong_login_says_the_same_for_every_address(client, email, password):
    UserFactory(email="anna@example.org")
    page = log_in(client, email, password)
    assert page.status_code == 200
    assert page.context["form"].errors == {"__all__": [WRONG]}
    assert not is_logged_in(client)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"login": "", "password": ""},
        {"login": "no address", "password": PASSWORD},
        {"login": "a\x00@example.org", "password": "\x00"},
        {"login": "x" * 5000 + "@example.org", "password": "x"},
        {"login": "İ@example.org", "password": "x"},
    ],
)
def test_a_senseless_login_is_told_so(client, data):
    page = client.post(reverse("account_login"), data)
    assert page.status_code == 200
    assert page.context["form"].errors


def test_a_closed_account_is_told_so_only_with_its_password(client):
    UserFactory(email="anna@example.org", is_active=False)
    assert log_in(client, "anna@example.org", "wrong").context["form"].errors == {
        "__all__": [WRONG]
    }
    response = log_in(client, "anna@example.org")
    assert (response.status_code, response["Location"]) == (302, reverse("account_inactive"))
    assert "This account is closed" in client.get(response["Location"]).content.decode()
    assert not is_logged_in(client)


def test_closing_an_account_ends_its_sessions(client):
    user = UserFactory()
    log_in(client, user.email)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert client.get(reverse("account_change_password")).status_code == 302


@pytest.mark.parametrize(
    "away",
    [
        "https://elsewhere.example/",
        "//elsewhere.example/",
        "http:///elsewhere.example",
        r"\\elsewhere.example",
        r"/\elsewhere.example",
        "javascript:alert(1)",
        "https://testserver@elsewhere.example/",
        "\x00",
    ],
)
def test_after_login_nobody_is_sent_to_another_host(client, away):
    user = UserFactory()
    page = client.get(reverse("account_login"), {"next": away})
    assert page.status_code == 200
    response = log_in(client, user.email, query_params={"next": away})
    assert (response.status_code, response["Location"]) == (302, "/office/")
    response = client.post(reverse("account_logout"), {"next": away})
    assert (response.status_code, response["Location"]) == (302, "/")
    response = client.post(
        reverse("account_login"), {"login": user.email, "password": PASSWORD, "next": away}
    )
    assert (response.status_code, response["Location"]) == (302, "/office/")


def test_after_login_one_is_where_one_wanted_to_be(client):
    response = log_in(client, UserFactory().email, query_params={"next": "/leagues/?q=ö&x=1"})
    assert response["Location"] == "/leagues/?q=%C3%B6&x=1"


def test_a_login_lasts_a_season_on_the_device(client, settings):
    log_in(client, UserFactory().email)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    assert datetime.timedelta(seconds=cookie["max-age"]) == datetime.timedelta(days=300)
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


def test_logging_out_is_a_post(client):
    log_in(client, UserFactory().email)
    asked = client.get(reverse("account_logout"))
    assert asked.status_code == 200 and is_logged_in(client)
    response = client.post(reverse("account_logout"))
    assert (response.status_code, response["Location"]) == (302, "/")
    assert not is_logged_in(client)


def test_logging_out_twice_is_harmless(client):
    assert client.get(reverse("account_logout"))["Location"] == "/"
    assert client.post(reverse("account_logout"))["Location"] == "/"


def test_nobody_signs_up(client):
    with pytest.raises(NoReverseMatch):
        reverse("account_signup")
    for path in ("/accounts/signup/", "/accounts/", "/accounts/email/", "/accounts/2fa/trust/"):
        assert (path, client.get(path).status_code) == (path, 404)


# Failed logins ----------------------------------------------------------------------------------
def test_failures_from_one_address_lock_out_only_that_address(client, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    user = UserFactory()
    attacker = {"REMOTE_ADDR": "", "HTTP_X_FORWARDED_FOR": "10.1.1.1, 198.51.100.7"}
    for nth in range(10):
        page = log_in(client, f"guess{nth}@example.org", "wrong", **attacker)
        assert page.context["form"].errors == {"__all__": [WRONG]}
    assert log_in(client, user.email, **attacker).context["form"].errors == {"__all__": [BLOCKED]}
    # What the attacker writes into the header himself stands left of what the proxy adds.
    attacker["HTTP_X_FORWARDED_FOR"] = "203.0.113.5, 198.51.100.7"
    assert log_in(client, user.email, **attacker).context["form"].errors == {"__all__": [BLOCKED]}
    other = {"REMOTE_ADDR": "", "HTTP_X_FORWARDED_FOR": "198.51.100.8"}
    assert log_in(client, user.email, **other).status_code == 302


def test_failures_are_counted_by_account_from_all_addresses(client, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    user = UserFactory()
    for nth in range(5):
        log_in(client, user.email, "wrong", HTTP_X_FORWARDED_FOR=f"198.51.100.{nth}")
    page = log_in(client, user.email.upper(), HTTP_X_FORWARDED_FOR="198.51.100.99")
    assert page.context["form"].errors == {"__all__": [BLOCKED]}
    asked = {"login": user.email, "by": "code"}
    response = client.post(reverse("account_login"), asked)
    assert response["Location"] == reverse("account_confirm_login_code")


def test_failures_are_counted_where_all_processes_see_them(client):
    log_in(client, UserFactory().email, "wrong")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM topboard_cache WHERE cache_key LIKE %s", ["%login_f%"])
        assert cursor.fetchone() == (2,)
    assert caches["default"].__class__.__name__ == "DatabaseCache"


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("forwarded", [None, "", "198.51.100.7", "unknown", "'; --", "[::1]:80"])
def test_login_works_behind_a_unix_socket_and_a_wrong_proxy(client, settings, count, forwarded):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = count
    extra = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    response = log_in(client, UserFactory().email, REMOTE_ADDR="", **extra)
    assert (response.status_code, response["Location"]) == (302, "/office/")


def test_a_new_password_forgives_failed_logins(client):
    user = UserFactory()
    for _ in range(5):
        log_in(client, user.email, "wrong")
    assert log_in(client, user.email).context["form"].errors == {"__all__": [BLOCKED]}
    form = client.get(reset_link(client, user.email))["Location"]
    client.post(form, {"password1": NEW, "password2": NEW})
    assert log_in(client, user.email, NEW).status_code == 302


def test_too_many_requests_for_a_password_are_told_so(client):
    url = reverse("account_reset_password")
    for _ in range(5):
        assert client.post(url, {"email": "anna@example.org"}).status_code == 302
    page = client.post(url, {"email": "anna@example.org"})
    assert page.status_code == 429
    assert "Too many tries" in page.content.decode()


# A new password ---------------------------------------------------------------------------------
def test_a_reset_link_works_once(client, settings):
    user = UserFactory(email="anna@example.org", name="Anna O'Brien")
    link = reset_link(client, "Anna@Example.org")
    (sent,) = django_mail.outbox
    assert (sent.to, sent.subject) == (["anna@example.org"], "A new password for Topboard")
    assert "Hello Anna O'Brien," in sent.body
    form = client.get(link)["Location"]
    assert "set-password" in form  # the key leaves the address before the page is shown
    saved = client.post(form, {"password1": NEW, "password2": NEW})
    assert (saved.status_code, saved["Location"]) == (
        302,
        reverse("account_reset_password_from_key_done"),
    )
    assert "Log in with it." in client.get(saved["Location"]).content.decode()
    for address in (link, form):
        again = client.get(address)
        assert "This link is spent" in again.content.decode()
    assert log_in(client, user.email, PASSWORD).status_code == 200
    assert log_in(client, user.email, NEW).status_code == 302
    assert not EmailAddress.objects.exists()


def test_an_older_link_is_spent_with_the_newer(client):
    user = UserFactory()
    links = [reset_link(client, user.email), reset_link(client, user.email)]
    form = client.get(links[1])["Location"]
    client.post(form, {"password1": NEW, "password2": NEW})
    assert "This link is spent" in Client().get(links[0]).content.decode()


@pytest.mark.parametrize("key", ["1-x", "zzzzzzzzzzzzz-x", "1-x%00", "z" * 300 + "-x", "0-0-0"])
def test_an_invented_link_is_spent(client, key):
    page = client.get(f"/accounts/password/reset/key/{key}/")
    assert page.status_code == 200
    assert "This link is spent" in page.content.decode()


def test_a_weak_password_is_refused(client):
    user = UserFactory(email="annabella@example.org")
    form = client.get(reset_link(client, user.email))["Location"]
    for weak in ("short", "1234567890", "password123", "annabella@example.org", "\x00" * 12):
        page = client.post(form, {"password1": weak, "password2": weak})
        assert page.status_code == 200 and page.context["form"].errors
    page = client.post(form, {"password1": NEW, "password2": "different"})
    assert page.context["form"].errors == {
        "password2": ["You must type the same password each time."]
    }


def test_the_page_tells_nothing_about_an_address(client, django_assert_num_queries):
    UserFactory(email="anna@example.org")
    UserFactory(email="closed@example.org", is_active=False)
    addresses = ["anna@example.org", "closed@example.org", "nobody@example.org"]
    url, answers, queries = reverse("account_reset_password"), [], []
    for address in addresses:
        with django_assert_num_queries(100, exact=False) as counted:
            response = Client().post(url, {"email": address})
        answers.append((response.status_code, dict(response.headers), set(response.cookies)))
        queries.append(len(counted))
    assert answers[0] == answers[1] == answers[2]
    # Equally fast because it does the same: it never looks whether there is an account.
    assert queries[0] == queries[1] == queries[2]
    site = {"site": "http://testserver/", "language": "en-gb"}
    assert queued() == [("send_reset_link", {"email": each, **site}) for each in addresses]
    assert not any("clubs_user" in query["sql"] for query in counted.captured_queries)
    run_queued()
    assert [sent.to for sent in django_mail.outbox] == [["anna@example.org"]]


def test_an_account_made_without_a_password_gets_its_first_by_the_link(client):
    user = UserFactory()
    user.set_unusable_password()
    user.save()
    form = client.get(reset_link(client, user.email))["Location"]
    client.post(form, {"password1": NEW, "password2": NEW})
    assert log_in(client, user.email, NEW).status_code == 302


def test_an_address_corrected_by_an_officer_opens_nothing_any_more(client):
    user = UserFactory(email="mistyped@example.org")
    link = reset_link(client, user.email)
    user.email = "right@example.org"
    user.save()
    assert "This link is spent" in client.get(link).content.decode()
    django_mail.outbox.clear()
    client.post(reverse("account_reset_password"), {"email": "mistyped@example.org"})
    run_queued()
    assert [sent.to for sent in django_mail.outbox] == []
    assert log_in(client, "mistyped@example.org").status_code == 200


def test_changing_the_password_keeps_this_device_and_ends_the_others(client):
    user = UserFactory()
    phone = Client()
    log_in(client, user.email)
    log_in(phone, user.email)
    url = reverse("account_change_password")
    wrong = client.post(url, {"oldpassword": "x", "password1": NEW, "password2": NEW})
    assert wrong.context["form"].errors == {"oldpassword": ["Please type your current password."]}
    client.post(url, {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert client.get(url).status_code == 200
    assert phone.get(url).status_code == 302
    assert [name for name, _ in queued()] == ["send_mail"]
    run_queued()
    (told,) = django_mail.outbox
    assert (told.to, told.subject) == ([user.email], "Your Topboard password was changed")
    assert "from the network address 127.0.0.1" in told.body


def test_mail_is_queued_and_not_sent_by_the_request(client):
    log_in(client, UserFactory().email)
    url = reverse("account_change_password")
    client.post(url, {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert django_mail.outbox == []
    assert [name for name, _ in queued()] == ["send_mail"]
