"""The visitor chooses the language; pages stay public, and none is taken for another."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.config.caching import PUBLIC, caching
from tests.factories import PASSWORD, MatchFactory, UserFactory

COOKIE = settings.LANGUAGE_COOKIE_NAME


def language(response) -> tuple[str, bool]:
    """What the page says it is in, and whether its words are French."""
    text = response.content.decode()
    return response["Content-Language"], '<html lang="fr">' in text and "Championnats" in text


def choose(client, code: str, to: str = "/clubs/", **headers):
    return client.post(reverse("set_language"), {"language": code, "next": to}, headers=headers)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", ("en-gb", False)),
        ("fr", ("fr", True)),
        ("fr-CA,fr;q=0.9,en;q=0.5", ("fr", True)),
        ("en-US,en;q=0.9,fr;q=0.8", ("en-gb", False)),
        ("de,fr;q=0.4", ("fr", True)),
        ("de", ("en-gb", False)),
        ("x" * 3000, ("en-gb", False)),
    ],
)
def test_the_browser_says_which(client, db, asked, found):
    assert language(client.get("/", headers={"Accept-Language": asked})) == found


def test_the_visitor_says_otherwise(client, db):
    answer = choose(client, "fr", "/clubs/?q=x")
    assert (answer.status_code, answer["Location"]) == (302, "/clubs/?q=x")
    assert answer["Cache-Control"] == "private, no-store"
    assert set(answer.cookies) == {COOKIE}
    assert answer.cookies[COOKIE]["httponly"] and answer.cookies[COOKIE]["samesite"] == "Lax"
    assert language(client.get("/", headers={"Accept-Language": "en"})) == ("fr", True)
    choose(client, "en-gb")
    assert language(client.get("/", headers={"Accept-Language": "fr"})) == ("en-gb", False)


@pytest.mark.parametrize("to", ["https://other.example/", "//other.example", "javascript:x"])
def test_it_leads_to_this_host_alone(client, db, to):
    assert choose(client, "fr", to)["Location"] == "/"
    away = client.post(
        reverse("set_language"),
        {"language": "fr"},
        headers={"Referer": "https://other.example/"},
    )
    assert away["Location"] == "/"


@pytest.mark.parametrize("code", ["", "de", "fr\0", "x" * 3000])
def test_a_language_there_is_not_changes_nothing(client, db, code):
    assert choose(client, code).status_code == 302
    assert language(client.get("/")) == ("en-gb", False)


def test_asking_by_get_changes_nothing(client, db):
    answer = client.get(reverse("set_language"), {"language": "fr"})
    assert (answer.status_code, answer["Location"], set(answer.cookies)) == (302, "/", set())


def test_the_form_works_where_tokens_are_asked_for(db):
    strict = Client(enforce_csrf_checks=True)
    assert set(choose(strict, "fr").cookies) == {COOKIE}


def test_a_page_in_french_is_as_public(client, public_pages):
    for page in public_pages:
        english = client.get(page)
        french = client.get(page, headers={"Accept-Language": "fr"})
        assert (page, caching(french)) == (page, PUBLIC)
        assert english["ETag"] != french["ETag"]
        # A cache that asks with the English validator gets the French page, not "unchanged".
        again = client.get(
            page, headers={"Accept-Language": "fr", "If-None-Match": english["ETag"]}
        )
        assert (again.status_code, again.content) == (200, french.content)
        client.cookies[COOKIE] = "fr"
        chosen = client.get(page)
        assert (caching(chosen), chosen.content) == (PUBLIC, french.content)
        del client.cookies[COOKIE]


def test_the_way_back_is_on_every_page(client, public_pages):
    for page in public_pages:
        text = client.get(page, {"x": '"><b>'}, headers={"Accept-Language": "fr"}).content.decode()
        assert f'name="next" value="{page}?x=%22%3E%3Cb%3E"' in text
        assert '<button name="language" value="en-gb" lang="en">English</button>' in text


def test_an_account_keeps_the_language_that_it_chooses(client, db):
    user = UserFactory()
    client.force_login(user)
    choose(client, "fr")
    user.refresh_from_db()
    assert user.language == "fr"
    for code in ("de", ""):
        choose(client, code)
    choose(Client(), "en-gb")
    user.refresh_from_db()
    assert user.language == "fr"
    choose(client, "en-gb")
    user.refresh_from_db()
    assert user.language == "en-gb"


@pytest.mark.parametrize(
    ("kept", "cookie", "then"),
    [("", "fr", "fr"), ("", "xx", ""), ("", None, ""), ("en-gb", "fr", "en-gb")],
)
def test_a_login_takes_the_language_of_the_device_where_none_is_kept(
    client, db, kept, cookie, then
):
    user = UserFactory(language=kept)
    if cookie:
        client.cookies[COOKIE] = cookie
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    assert "_auth_user_id" in client.session
    user.refresh_from_db()
    assert user.language == then


def test_files_are_the_same_in_every_language(client, db):
    match = MatchFactory()
    for address in (
        reverse("match_detail", args=[match.pk, "json"]),
        reverse("division_detail", args=[match.division_id, "csv"]),
        reverse("elo_list", args=["csv"]),
        reverse("club_list", args=["json"]),
    ):
        english = client.get(address).content
        assert client.get(address, headers={"Accept-Language": "fr"}).content == english
