"""Pages of clubs, teams and players: who reads what, and what they ask of the database."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import Player
from games.match_cards.card_entries import BoardEntry
from games.models import Season
from ratings import rebuilding
from tests.factories import (
    ClubFactory,
    LeagueRoleFactory,
    MatchFactory,
    MembershipFactory,
    RatedEventFactory,
    RatedGameFactory,
    SeasonFactory,
    TeamFactory,
    UserFactory,
    pool,
)
from tests.games.people_scene import enter, member, rows_of
from tests.html import Page

pytestmark = pytest.mark.django_db


SCHOOLCHILD = date(timezone.localdate().year - 10, 1, 1)


# --- What is not for everybody -----------------------------------------------------------


@pytest.fixture
def junior(match, people):
    """Wragge, who has played, is ten and has not said that his name may be shown."""
    wragge = people["wragge"]
    wragge.birth_date = SCHOOLCHILD
    wragge.ecf_code = "169156K"
    wragge.save()
    return wragge


def addresses(match, people):
    own = [f"/players/{person.pk}" for person in people.values()]
    teams = [f"/teams/{team.pk}" for team in (match.home, match.away)]
    return [
        start + end
        for start in (*own, *teams, "/clubs/ashdown", "/clubs", "/ratings")
        for end in ("/", ".json", ".csv")
    ]


def test_the_public_reads_no_junior_s_name_and_nobody_s_birth(client, match, people, junior):
    people["quill"].birth_year = 1950
    people["quill"].save()

    for address in addresses(match, people):
        text = client.get(address).content.decode()
        found = [word for word in ("Wragge", "169156K", "1950", "birth") if word in text]
        assert (address, found) == (address, [])
    assert Page(client.get(f"/players/{junior.pk}/")).headings[0] == "Junior player"
    assert client.get(f"/players/{junior.pk}.json").json()["name"] == "Junior player"
    assert rows_of(client, f"/players/{people['quill'].pk}.json")[0]["opponent"] == "Junior player"
    assert [row["name"] for row in rows_of(client, "/clubs/ashdown.json")] == [
        "Junior player",
        "Yeadon, Robin",
    ]


def test_accounts_read_it(client, match, people, junior):
    client.force_login(UserFactory())

    assert Page(client.get(f"/players/{junior.pk}/")).headings[0] == "Robin Wragge"
    assert rows_of(client, f"/players/{people['quill'].pk}.json")[0]["opponent"] == "Wragge, Robin"
    assert client.get("/clubs/ashdown.json").json()["rows"][0]["name"] == "Wragge, Robin"


def test_a_season_that_is_not_public_shows_nowhere(client, match, people):
    Season.objects.update(published_at=None)
    player, team = f"/players/{people['quill'].pk}", f"/teams/{match.home.pk}"

    for end in ("/", ".json", ".csv"):
        assert client.get(team + end).status_code == 404
    shown = client.get(f"{player}.json").json()
    assert (shown["season"], shown["rows"]) == (None, [])
    assert client.get("/clubs/hartfield.json").json()["teams"] == []
    assert "Hartfield A" not in Page(client.get(f"{player}/")).text.replace("\xa0", " ")

    # The officer of another league is a stranger here.
    client.force_login(LeagueRoleFactory(league=SeasonFactory().league).user)
    assert client.get(f"{team}/").status_code == 404
    assert rows_of(client, f"{player}.json") == []

    client.force_login(LeagueRoleFactory(league=match.division.season.league).user)
    assert client.get(f"{team}/").status_code == 200
    assert "Not public yet" in client.get(f"{team}/").text
    shown = client.get(f"{player}.json").json()
    assert (shown["season"]["label"], len(shown["rows"])) == ("2026-27", 1)
    assert len(client.get("/clubs/hartfield.json").json()["teams"]) == 1


def test_nothing_is_posted_here(client, match, people):
    statuses = {
        client.post(address).status_code
        for address in addresses(match, people)
        if not address.startswith("/ratings")
    }
    assert statuses == {405}


# --- How much is asked of the database ---------------------------------------------------


def grow(match, hartfield, size):
    """More of everything: members, boards, matches, seasons, games at two rates, clubs."""
    quill = Player.objects.get(surname="Quill")
    rapid = RatedEventFactory(pool=pool("rapid"))
    for number in range(size):
        other = member(ClubFactory(), f"Other{size}-{number}", 16000)
        MembershipFactory(club=hartfield, player=other)
        TeamFactory(
            division__season=SeasonFactory(starts_on=date(1990 + number % 30, 7, 1)),
            club=hartfield,
        )
        more = MatchFactory(division=match.division, home=match.home, board_count=2)
        enter(
            more,
            BoardEntry(1, quill.pk, other.pk, "white", number % 3),
            BoardEntry(2, None, None, "black", None, "double_default"),
        )
        RatedGameFactory(event=rapid, white=other, black=quill, played_on=date(2026, 1, 1))
    rebuilding.rebuild("rapid")


@pytest.mark.parametrize(
    "address",
    [
        f"/{what}{end}"
        for what in ("clubs", "clubs/hartfield", "teams/{team}", "players/{player}")
        for end in ("/", ".json", ".csv")
    ],
)
def test_the_number_of_queries_does_not_grow(client, match, hartfield, people, address):
    address = address.format(team=match.home.pk, player=people["quill"].pk)

    def queries():
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    grow(match, hartfield, 2)
    few = queries()
    grow(match, hartfield, 7)
    # Two of a player's are the opening grades of his opponents, one a pool that he played in; one
    # asks whether ratings are being worked out again.
    assert queries() == few <= 16
