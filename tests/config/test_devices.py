"""The devices on which an account is logged in: listed in words, ended, noted as used."""

import datetime
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.devices import in_words
from clubs.models import Device, User
from tests.factories import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db
CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36"
ANDROID = f"Mozilla/5.0 (Linux; Android 14; Pixel 7) {CHROME}"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0"
LIST = "/accounts/devices/"


def logged_in(user, agent="") -> Client:
    client = Client(headers={"user-agent": agent})
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    return client


def is_logged_in(client) -> bool:
    return client.get(LIST).status_code == 200


def row_of(page: str, device: str) -> str:
    """The row of the list that begins with this device."""
    return next(row for row in page.split("<tr>") if f'<th scope="row">{device}' in row)


def button_of(page: str, device: str) -> str:
    """What the button of this device sends."""
    return re.search(r'name="end" value="(\w+)"', row_of(page, device))[1]


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (ANDROID, "Chrome on an Android device"),
        (FIREFOX, "Firefox on Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15"
            " (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
            "Safari on an iPhone",
        ),
        (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {CHROME} Edg/131.0", "Edge on a Mac"),
        ("curl/8.5 Linux", "Linux"),
        ("", "A device that does not say what it is"),
    ],
)
def test_a_device_in_words(agent, words):
    assert in_words(agent) == words


def test_the_list_says_which_is_this_one_and_ends_another():
    user = UserFactory()
    phone, desk = logged_in(user, ANDROID), logged_in(user, FIREFOX)
    logged_in(UserFactory(), FIREFOX)
    page = desk.get(LIST).content.decode()
    assert "this one" in row_of(page, "Firefox on Windows")
    assert page.count('<th scope="row">') == page.count('"sub">logged in ') == 2
    for device in Device.objects.all():
        assert device.session_key not in page
    answer = desk.post(LIST, {"end": button_of(page, "Chrome on an Android device")})
    assert (answer.status_code, answer["Location"]) == (302, LIST)
    assert "The device is logged out." in desk.get(LIST).content.decode()
    assert (is_logged_in(phone), is_logged_in(desk)) == (False, True)
    # The way back in is the login, and then the page he wanted.
    assert phone.get(LIST)["Location"] == f"/accounts/login/?next={LIST}"


def test_all_others_are_ended_at_once():
    user = UserFactory()
    others = [logged_in(user, ANDROID), logged_in(user, FIREFOX)]
    neighbour = logged_in(UserFactory())
    desk = logged_in(user)
    desk.post(LIST, {"end": "others"})
    assert "2 devices are logged out." in desk.get(LIST).content.decode()
    assert [is_logged_in(each) for each in (*others, desk, neighbour)] == [False, False, True, True]


def test_nobody_ends_the_device_of_another():
    user = UserFactory()
    phone = logged_in(user, ANDROID)
    name = Device.objects.of(user).get().name
    stranger = logged_in(UserFactory())
    for end in (name, phone.session.session_key, "", "\x00"):
        stranger.post(LIST, {"end": end})
    assert is_logged_in(phone)


def test_a_new_password_ends_the_other_devices():
    user = UserFactory()
    phone, desk = logged_in(user, ANDROID), logged_in(user, FIREFOX)
    new = {"password1": "another-horse-battery", "password2": "another-horse-battery"}
    desk.post(reverse("account_change_password"), {"oldpassword": PASSWORD, **new})
    assert (is_logged_in(phone), is_logged_in(desk)) == (False, True)
    assert Device.objects.of(user).count() == 1


def test_a_closed_account_is_logged_out_and_stays_so_when_it_is_opened_again():
    user, chief = UserFactory(), UserFactory(is_staff=True, is_superuser=True)
    phone, admin = logged_in(user, ANDROID), logged_in(chief)
    address = reverse("admin:clubs_user_change", args=[user.pk])
    inline = {"club_roles-TOTAL_FORMS": 0, "club_roles-INITIAL_FORMS": 0}
    data = {"email": user.email, "name": user.name, **inline}
    assert admin.post(address, data).status_code == 302
    assert not User.objects.get(pk=user.pk).is_active
    assert admin.post(address, {**data, "is_active": "on"}).status_code == 302
    assert User.objects.get(pk=user.pk).is_active
    assert not is_logged_in(phone)


def test_use_is_noted_once_an_hour_and_begins_the_season_anew(
    monkeypatch, settings, django_assert_num_queries
):
    user = UserFactory()
    phone = logged_in(user, ANDROID)
    begun = Device.objects.get()
    at = begun.seen_at
    monkeypatch.setattr(timezone, "now", lambda: at + datetime.timedelta(minutes=59))
    with django_assert_num_queries(3) as counted:
        answer = phone.get(LIST)
    assert settings.SESSION_COOKIE_NAME not in answer.cookies
    assert not any("UPDATE" in query["sql"] for query in counted.captured_queries)
    later = at + datetime.timedelta(days=200)
    monkeypatch.setattr(timezone, "now", lambda: later)
    answer = phone.get(LIST)
    assert answer.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == 300 * 24 * 3600
    seen = Device.objects.get()
    assert (seen.seen_at, seen.expire_date) == (later, later + datetime.timedelta(days=300))
    assert (seen.pk, seen.logged_in_at, seen.agent) == (begun.pk, begun.logged_in_at, ANDROID)


def test_a_device_unused_for_a_season_is_logged_out(monkeypatch):
    phone = logged_in(UserFactory())
    later = timezone.now() + datetime.timedelta(days=301)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert not is_logged_in(phone)


def test_a_public_page_makes_no_device(client):
    client.get("/")
    assert not Device.objects.exists()
