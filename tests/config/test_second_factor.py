"""The second factor: set up, asked for, lost, and required of officers by a setting."""

import re
import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from clubs.models import Device
from tests.factories import PASSWORD, LeagueRoleFactory, UserFactory

pytestmark = pytest.mark.django_db
SET_UP, CODE = "/accounts/second-factor/set-up/", "/accounts/second-factor/code/"
CODES, REMOVE = "/accounts/second-factor/codes/", "/accounts/second-factor/remove/"


def app_code(secret: str, step: int = 0) -> str:
    """What the authenticator app shows, `step` times thirty seconds from now."""
    cache.clear()  # each code counts once: the tests do not wait for the next
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + step))


def log_in(client, user):
    return client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})


def set_up(client) -> tuple[str, list[str]]:
    """A second factor for whoever is logged in: the key of the app and the recovery codes."""
    page = client.get(SET_UP).content.decode()
    secret = re.search(r'<code class="key">(\w+)</code>', page)[1]
    answer = client.post(SET_UP, {"code": app_code(secret)})
    assert (answer.status_code, answer["Location"]) == (302, CODES)
    shown = client.get(CODES).content.decode()
    return secret, re.findall(r"<code>(\d{8})</code>", shown)


@pytest.fixture
def guarded(client):
    """An account with a second factor: itself, the key and the recovery codes."""
    user = UserFactory()
    log_in(client, user)
    secret, codes = set_up(client)
    client.post(reverse("account_logout"))
    return user, secret, codes


def is_logged_in(client) -> bool:
    return "_auth_user_id" in client.session


def test_after_the_password_the_app_is_asked_for(client, guarded):
    user, secret, _ = guarded
    answer = client.post(
        reverse("account_login"),
        {"login": user.email, "password": PASSWORD, "next": "/matches/7/card/"},
    )
    assert answer["Location"] == CODE and not is_logged_in(client)
    wrong = client.post(CODE, {"code": "000000" if app_code(secret) != "000000" else "1"})
    assert wrong.context["form"].errors == {"code": ["Incorrect code."]}
    page = wrong.content.decode()
    assert 'inputmode="numeric"' in page and 'autocomplete="one-time-code"' in page
    answer = client.post(CODE, {"code": app_code(secret)})
    assert (answer["Location"], is_logged_in(client)) == ("/matches/7/card/", True)


def test_without_the_phone_a_recovery_code_opens_once(client, guarded):
    user, _, codes = guarded
    assert len(codes) == 10
    log_in(client, user)
    assert client.post(CODE, {"code": codes[3]})["Location"] == "/office/"
    assert "9 recovery codes are left" in client.get(reverse("mfa_index")).content.decode()
    other = Client()
    log_in(other, user)
    again = other.post(CODE, {"code": codes[3]})
    assert again.context["form"].errors == {"code": ["Incorrect code."]}


def test_recovery_codes_are_shown_once(client):
    log_in(client, UserFactory())
    _, codes = set_up(client)
    page = client.get(CODES).content.decode()
    assert not any(code in page for code in codes) and "10 are left" in page


def test_the_factor_is_not_guessed(client, guarded):
    user, secret, _ = guarded
    log_in(client, user)
    for _ in range(5):
        client.post(CODE, {"code": "x"})
    good = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    page = client.post(CODE, {"code": good})
    assert page.context["form"].errors == {
        "code": ["Too many tries. Wait five minutes and try again."]
    }


def test_a_device_left_open_does_not_remove_it(client):
    user = UserFactory()
    log_in(client, user)
    secret, codes = set_up(client)
    for address in (REMOVE, reverse("mfa_generate_recovery_codes")):
        assert client.post(address, {}).status_code == 200
        assert client.post(address, {"code": "123"}).status_code == 200
    assert Authenticator.objects.filter(user=user).count() == 2
    assert client.post(reverse("mfa_generate_recovery_codes"), {"code": codes[0]})["Location"]
    assert client.post(REMOVE, {"code": app_code(secret)})["Location"] == reverse("mfa_index")
    assert not Authenticator.objects.filter(user=user).exists()


@pytest.mark.parametrize("rights", [{"is_grading_officer": True}, {"is_superuser": True}, {}])
def test_officers_are_led_to_set_it_up(client, settings, rights):
    settings.REQUIRE_SECOND_FACTOR = True
    user = UserFactory(**rights)
    if not rights:
        LeagueRoleFactory(user=user)
    log_in(client, user)
    for address in ("/", "/office/leagues/", "/clubs.json"):
        assert client.get(address)["Location"] == SET_UP
    assert client.post("/office/new-league/")["Location"] == SET_UP
    assert client.get(reverse("device_list")).status_code == 200
    client.get("/office/leagues/?wanted=1")
    set_up(client)
    refused = client.get(REMOVE).content.decode()
    assert "so it stays" in refused and 'name="code"' not in refused
    client.post(REMOVE, {"code": "123"})
    assert Authenticator.objects.filter(user=user).count() == 2
    assert client.get("/office/leagues/").status_code == 200


def test_who_runs_nothing_is_not_asked(client, settings):
    settings.REQUIRE_SECOND_FACTOR = True
    assert client.get("/").status_code == 200
    log_in(client, UserFactory())
    assert client.get("/").status_code == 200


def test_the_way_goes_on_where_it_was_broken_off(client, settings):
    settings.REQUIRE_SECOND_FACTOR = True
    log_in(client, LeagueRoleFactory().user)
    client.get("/office/leagues/?wanted=1")
    page = client.get(SET_UP).content.decode()
    secret = re.search(r'<code class="key">(\w+)</code>', page)[1]
    client.post(SET_UP, {"code": app_code(secret)})
    assert 'href="/office/leagues/?wanted=1"' in client.get(CODES).content.decode()


def test_who_lost_both_is_let_in_by_the_keeper_of_accounts(client, guarded):
    user, _, _ = guarded
    admin = Client()
    admin.force_login(UserFactory(is_staff=True, is_superuser=True))
    data = {"action": "remove_second_factor", "_selected_action": [user.pk]}
    admin.post(reverse("admin:clubs_user_changelist"), data)
    assert log_in(client, user)["Location"] == "/office/"
    assert Device.objects.of(user).count() == 1
