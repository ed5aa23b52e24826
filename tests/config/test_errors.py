"""Pages that say what went wrong, also when hardly anything works."""

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import include, path
from django.views.defaults import server_error

from tests.factories import UserFactory


def broken(request):
    raise RuntimeError("a fault of ours")


def refused(request):
    raise PermissionDenied


urlpatterns = [
    path("broken/", broken),
    path("refused/", refused),
    path("", include("config.urls")),
]


@pytest.fixture
def faulty(settings):
    """A client of a house with a broken page and a refused one."""
    settings.ROOT_URLCONF = __name__
    return Client(raise_request_exception=False)


def test_there_is_no_page_here(client, db):
    for path_ in ("/nothing/", "/players/999999999/", "/divisions/1.xml", "/clubs/nobody/"):
        page = client.get(path_)
        assert (path_, page.status_code) == (path_, 404)
        assert "There is no page here" in page.content.decode()
    client.force_login(UserFactory(name="Anna Smith"))
    page = client.get("/nothing/")
    assert page.status_code == 404 and "Anna Smith" in page.content.decode()


def test_not_yours_to_change(faulty, db):
    page = faulty.get("/refused/")
    assert page.status_code == 403
    assert "You are not logged in." in page.content.decode()
    faulty.force_login(UserFactory(name="Anna O'Brien"))
    page = faulty.get("/refused/")
    assert page.status_code == 403
    assert "You are logged in as Anna O&#x27;Brien." in page.content.decode()


def test_a_fault_of_ours_is_told_without_the_database(faulty):
    """No database is allowed in this test: the page must not need one."""
    page = faulty.get("/broken/")
    assert page.status_code == 500
    assert "Something broke on our side" in page.content.decode()
    assert "a fault of ours" not in page.content.decode()
    assert page["Cache-Control"] == "no-store"
    assert "default-src 'none'" in page["Content-Security-Policy"]
    assert not page.cookies


def test_a_fault_is_told_to_who_is_logged_in(faulty, db):
    faulty.force_login(UserFactory())
    page = faulty.get("/broken/")
    assert page.status_code == 500
    assert page["Cache-Control"] == "private, no-store"


def test_the_page_of_a_fault_is_whole(rf):
    page = server_error(rf.get("/")).content.decode()
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")


@pytest.mark.parametrize("cookie", [None, "x" * 32])
def test_a_form_grown_old_is_told_so(db, cookie):
    client = Client(enforce_csrf_checks=True)
    if cookie:
        client.cookies["csrftoken"] = cookie
    page = client.post("/accounts/login/", {"login": "a@example.org", "password": "x"})
    assert page.status_code == 403
    assert "Not sent: this page had grown old" in page.content.decode()
    assert page["Cache-Control"] == "no-store"
