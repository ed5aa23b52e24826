import pytest
from django.template.loader import get_template
from django.test import Client
from django.urls import reverse
from django.utils import translation

from clubs.models import User
from tests.factories import UserFactory
from tests.html import Page


@pytest.mark.parametrize("name", ["500.html", "403_csrf.html"])
def test_page_of_last_resort_needs_no_context_and_no_database(name):
    text = get_template(name).render()
    assert text.startswith("<!DOCTYPE html>")
    assert "css/site.css" in text
    assert "To the first page" in text and '<html lang="en' in text
    with translation.override("fr"):
        text = get_template(name).render()
    assert "Vers la première page" in text and '<html lang="fr">' in text


@pytest.mark.django_db
def test_unknown_address_offers_a_search(client):
    response = client.get("/nothing/here")
    assert response.status_code == 404
    page = Page(response)
    assert page.headings == ["There is no page here"]
    assert ("All leagues", "/leagues/") in page.links


@pytest.mark.django_db
def test_broken_page_answers_500_in_our_look(monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("games.views.home.league_tables.with_states", broken)
    response = Client(raise_request_exception=False).get("/")
    assert response.status_code == 500
    assert Page(response).headings == ["Something broke on our side"]
    assert b"on purpose" not in response.content


@pytest.mark.django_db
def test_form_without_its_token_is_told_why():
    response = Client(enforce_csrf_checks=True).post(reverse("account_login"))
    assert response.status_code == 403
    assert Page(response).headings == ["Not sent: this page had grown old"]


@pytest.mark.django_db
def test_header_knows_who_is_logged_in(client):
    assert ("Log in", reverse("account_login")) in Page(client.get("/leagues/")).links
    user = UserFactory(name="<b>Ann</b> O'Brien", is_staff=True)
    client.force_login(user)
    page = Page(client.get("/leagues/"))
    assert "<b>Ann</b> O'Brien" in page.text
    links = [text for text, _href in page.links]
    menu = ["Office", "Roles", "Devices", "Reminders by mail", "Password", "Second factor"]
    menu += ["My data", "Admin", "Log out"]
    assert links[links.index("Clubs") + 1 :][: len(menu)] == menu
    User.objects.filter(pk=user.pk).update(is_staff=False)
    assert "Admin" not in [text for text, _href in Page(client.get("/leagues/")).links]
