from datetime import UTC, date, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import (
    ClubFactory,
    DivisionFactory,
    LeagueRoleFactory,
    MembershipFactory,
    PlayerFactory,
    SeasonFactory,
    TeamFactory,
    UserFactory,
)
from tests.html import Page

pytestmark = pytest.mark.django_db

SCHOOLCHILD = date(timezone.localdate().year - 10, 1, 1)


@pytest.fixture
def hartfield():
    return ClubFactory(name="Hartfield", slug="hartfield")


@pytest.fixture
def smiths(hartfield):
    john = PlayerFactory(surname="Smith", forenames="John", ecf_code="177810K")
    MembershipFactory(player=john, club=hartfield)
    return [john, PlayerFactory(surname="Smith", forenames="Ann")]


def hits(client, **query):
    """The addresses of what is listed, in order."""
    response = client.get("/search/", query)
    assert response.status_code == 200
    kinds = ("/players/", "/clubs/", "/teams/")
    return [
        address
        for _text, address in Page(response).links
        if address.startswith(kinds) and address != "/clubs/"
    ]


def test_a_player_a_club_and_a_team(client, smiths, hartfield):
    team = TeamFactory(club=hartfield, name="Hartfield Smiths")
    page = Page(client.get("/search/?q=smith"))

    assert hits(client, q="smith") == [
        f"/players/{smiths[1].pk}/",
        f"/players/{smiths[0].pk}/",
        f"/teams/{team.pk}/",
    ]
    assert page.headings == ["Find a player, club or team", "Players", "Teams"]
    assert "Smith, John Hartfield" in page.text
    assert hits(client, q="hartfield") == ["/clubs/hartfield/", f"/teams/{team.pk}/"]


@pytest.mark.parametrize(
    "q",
    [
        "smith john",
        "john smith",
        "SMITH, John",
        "177810K",
        "177810k",
        " 177810K ",
        "Śmith\x00 jóhn",
    ],
)
def test_a_single_hit_is_gone_to(client, smiths, q):
    response = client.get("/search/", {"q": q})

    assert (response.status_code, response.url) == (302, f"/players/{smiths[0].pk}/")


def test_a_club_or_a_team_is_gone_to_as_well(client, hartfield):
    ashdown = ClubFactory(name="Ashdown", slug="ashdown")
    team = TeamFactory(club=ashdown, name="Ashdown A")

    assert client.get("/search/?q=hartfield").url == "/clubs/hartfield/"
    assert client.get("/search/?q=ashdown a").url == f"/teams/{team.pk}/"


@pytest.mark.parametrize("q", ["O'Brien", "o’brien", "OBRIEN", "O Brien", "obrien élodie"])
def test_apostrophes_and_accents(client, q):
    person = PlayerFactory(surname="O'Brien", forenames="Elodie")

    assert client.get("/search/", {"q": q}).url == f"/players/{person.pk}/"


@pytest.mark.parametrize("q", ["", " ", "\x00", None])
def test_no_words_are_a_question(client, smiths, q):
    query = {} if q is None else {"q": q}

    assert hits(client, **query) == []
    assert "Part of a name is enough" in client.get("/search/", query).text


@pytest.mark.parametrize("q", ["nobody", "x" * 300, "?!", "%", "_", "\\", "'", "<script>", "🙂"])
def test_what_is_not_there(client, smiths, q):
    response = client.get("/search/", {"q": q})

    assert (response.status_code, hits(client, q=q)) == (200, [])
    assert "Nothing found" in response.text


def test_what_was_typed_stands_there_again_and_is_text(client):
    response = client.get("/search/", {"q": '"><b>x'})

    assert 'value="&quot;&gt;&lt;b&gt;x"' in response.text


def test_a_team_of_many_seasons_is_one_hit(client, hartfield):
    for year in (2024, 2026, 2025):
        season = SeasonFactory(starts_on=date(year, 7, 1), ends_on=date(year + 1, 7, 1))
        TeamFactory(division=DivisionFactory(season=season), club=hartfield, name="Hartfield A")
    newest = hartfield.teams.get(division__season__starts_on=date(2026, 7, 1))

    assert client.get("/search/?q=hartfield a").url == f"/teams/{newest.pk}/"


def test_a_team_is_found_when_its_season_is_public(client, hartfield):
    team = TeamFactory(club=hartfield, name="Hartfield A", division__season__published_at=None)
    season = team.division.season

    assert hits(client, q="hartfield a") == []
    client.force_login(LeagueRoleFactory(league=season.league).user)
    assert client.get("/search/?q=hartfield a").url == f"/teams/{team.pk}/"
    client.logout()
    season.published_at = datetime(2026, 8, 1, tzinfo=UTC)
    season.save()
    assert client.get("/search/?q=hartfield a").url == f"/teams/{team.pk}/"


def test_the_public_does_not_find_a_hidden_junior(client):
    junior = PlayerFactory(surname="Quill", birth_date=SCHOOLCHILD, ecf_code="178853L")

    for q in ("quill", "robin quill", "178853L", "junior player"):
        assert hits(client, q=q) == []
    client.force_login(UserFactory())
    assert client.get("/search/?q=quill").url == f"/players/{junior.pk}/"
    junior.name_consent = True
    junior.save()
    client.logout()
    assert client.get("/search/?q=quill").url == f"/players/{junior.pk}/"


def test_pending_and_retired_players_are_found(client):
    for state in ("pending", "retired"):
        person = PlayerFactory(surname=f"Is{state}", state=state)
        assert client.get(f"/search/?q=is{state}").url == f"/players/{person.pk}/"


def test_of_many_the_first_twenty_by_name(client):
    people = [PlayerFactory(surname=f"Lune{number:02}") for number in range(25)]
    page = Page(client.get("/search/?q=lune"))

    assert hits(client, q="lune") == [f"/players/{person.pk}/" for person in people[:20]]
    assert "And 5 more." in page.text
    assert ("Live Elo", "/ratings/?q=lune") in page.links


def test_the_number_of_queries_does_not_grow(client):
    def queries(size):
        for number in range(size):
            club = ClubFactory(name=f"Hill {size}-{number}")
            MembershipFactory(player=PlayerFactory(surname="Hill"), club=club)
            TeamFactory(club=club)
        with CaptureQueriesContext(connection) as captured:
            client.get("/search/?q=hill")
        return len(captured)

    # Three searches, the players' clubs, and a count of each kind that is more than a page.
    assert queries(3) == 4
    assert queries(30) == 7
    assert queries(31) == 7


def test_a_post_is_refused(client):
    assert client.post("/search/", {"q": "smith"}).status_code == 405
