"""Public pages carry a validator and no cookie; a page behind a login is never stored."""

import pytest
from django.http import HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.test import RequestFactory
from django.urls import reverse

from config.middleware import PublicPages
from tests.config.caching import PUBLIC, caching
from tests.factories import PASSWORD, PlayerFactory, UserFactory

POLICY = {
    "default-src 'none'",
    *(f"{kind} 'self'" for kind in ("script-src", "style-src", "font-src", "connect-src")),
    "img-src 'self' data:",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}

PRIVATE = {**PUBLIC, "cache": "private, no-store", "etag": False}


def test_public_pages_have_a_validator_and_no_cookie(client, public_pages):
    for page in public_pages:
        assert (page, caching(client.get(page))) == (page, PUBLIC)


def test_an_unchanged_public_page_is_a_304_without_a_body(client, public_pages):
    for page in public_pages:
        tag = client.get(page)["ETag"]
        for sent in (tag, f"W/{tag}", f'"other", {tag}'):
            again = client.get(page, headers={"If-None-Match": sent})
            assert (page, caching(again)) == (page, {**PUBLIC, "status": 304})
            assert again.content == b""
            assert again["ETag"] == tag


def test_a_changed_page_is_sent_again(client, db):
    player = PlayerFactory()
    tag = client.get(player.get_absolute_url())["ETag"]
    player.surname = "Elsewhere"
    player.save()
    again = client.get(player.get_absolute_url(), headers={"If-None-Match": tag})
    assert again.status_code == 200
    assert "Elsewhere" in again.content.decode()
    assert again["ETag"] != tag


def test_head_has_the_validator_of_get(client, public_pages):
    for page in public_pages:
        head = client.head(page)
        assert (page, caching(head)) == (page, PUBLIC)
        assert head["ETag"] == client.get(page)["ETag"]


def test_with_a_session_nothing_is_stored_or_shortened(client, public_pages):
    tags = {page: client.get(page)["ETag"] for page in public_pages}
    user = UserFactory()
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    client.get("/")  # shows and forgets the message of the login
    for page in public_pages:
        found = client.get(page, headers={"If-None-Match": tags[page]})
        assert (page, caching(found)) == (page, PRIVATE)
        assert found.content


def test_the_cookie_of_an_ended_session_is_private_and_taken_back(client, db):
    client.cookies["sessionid"] = "long-gone"
    first = client.get("/")
    assert caching(first) == {**PRIVATE, "cookies": {"sessionid"}}
    assert first.cookies["sessionid"].value == ""


def test_a_message_after_logging_out_is_not_public(client, db):
    client.force_login(UserFactory())
    client.post(reverse("account_logout"))
    shown = client.get("/")
    assert "Logged out." in shown.content.decode()
    assert shown["Cache-Control"] == "private, no-store"
    for name in [name for name, cookie in client.cookies.items() if not cookie.value]:
        del client.cookies[name]  # a browser drops what was deleted
    assert caching(client.get("/")) == PUBLIC


def test_pages_with_a_token_are_not_stored(client, db):
    for name in ("account_login", "account_reset_password"):
        page = client.get(reverse(name))
        assert "csrftoken" in page.cookies
        assert "no-store" in page["Cache-Control"] and "private" in page["Cache-Control"]
        assert "ETag" not in page


def test_errors_and_redirects_are_not_stored(client, db):
    missing = client.get("/no-such-page/")
    assert (missing.status_code, missing["Cache-Control"]) == (404, "no-store")
    moved = client.get("/leagues")
    assert (moved.status_code, moved["Cache-Control"]) == (301, "no-store")


@pytest.mark.parametrize(
    ("response", "cache"),
    [
        (HttpResponse("x", headers={"Cache-Control": "public, max-age=60"}), "private, no-store"),
        (HttpResponse("x"), "private, no-store"),
        (HttpResponseRedirect("/"), "private, no-store"),
    ],
)
def test_no_view_can_publish_what_a_session_saw(response, cache):
    request = RequestFactory().get("/")
    request.COOKIES["sessionid"] = "x"
    assert PublicPages(lambda _: response)(request)["Cache-Control"] == cache


def test_a_stream_is_public_without_a_validator():
    answer = PublicPages(lambda _: StreamingHttpResponse(["x"]))(RequestFactory().get("/"))
    assert caching(answer) == {**PUBLIC, "etag": False}


def policy(response) -> set[str]:
    return set(response.get("Content-Security-Policy", "").split("; "))


def test_every_response_carries_the_strict_policy(client, public_pages):
    pages = [*public_pages, "/accounts/login/", "/admin/", "/no-such-page/", "/leagues"]
    pages += ["/static/css/site.css", "/static/no-such.css"]
    for page in pages:
        assert (page, policy(client.head(page))) == (page, POLICY)
    assert policy(client.post("/accounts/login/", {"login": "x"})) == POLICY
    tag = client.get("/")["ETag"]
    assert policy(client.get("/", headers={"If-None-Match": tag})) == POLICY
