"""A score sent first, its boards later; and an earlier line-up taken in one tap."""

import pytest

from games.match_cards.team_sheets import save_sheet
from games.models import Match
from tests import factories
from tests.games.card_scene import AT, make_scene, play_before, queries

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("evening")]


@pytest.fixture
def scene(client):
    scene = make_scene()
    client.force_login(scene.captain)
    return scene


def send(client, scene, home="3½", away="2.5", day="2026-11-24", version=None):
    version = scene.reload().version if version is None else version
    data = {"version": version, "home": home, "away": away, "played_on": day}
    typed = {f"score-{name}": value for name, value in data.items()}
    return client.post(f"{scene.url}score/", typed)


def score(scene) -> tuple:
    match = Match.objects.get(pk=scene.match.pk)
    return match.stated_home, match.stated_away, match.version


def test_a_score_is_sent_first_and_the_boards_later(client, scene):
    answer = send(client, scene)
    assert (answer.status_code, answer.url) == (302, f"/matches/{scene.match.pk}/")
    assert score(scene) == (7, 5, 1)
    assert scene.reload().first_entered_at == AT and scene.reload().entered_at is None
    assert "3½ – 2½; it counts until all boards are in" in client.get(scene.url).text
    assert send(client, scene, version=0).status_code == 302  # sent twice
    assert score(scene) == (7, 5, 1)
    client.post(scene.url, scene.form("=1    "))
    assert score(scene) == (7, 5, 2)
    client.post(scene.url, scene.form("=1    ", version=1))  # a double click
    assert score(scene) == (7, 5, 2)
    client.post(scene.url, scene.form("=1=01="))
    assert score(scene) == (None, None, 3)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"home": "4", "away": "3"}, "It has 6 boards, and so many points at most."),
        ({"home": "many"}, "Points are whole or half"),
        ({"day": "2026-11-25"}, "This day is still to come."),
        ({"day": "2019-11-25"}, "is not in the season"),
        ({"day": "soon"}, "That is not a day."),
        ({"version": 7}, "Somebody saved this match meanwhile"),
    ],
)
def test_a_score_that_is_refused_comes_back_as_typed(client, scene, typed, said):
    answer = send(client, scene, **typed)
    assert answer.status_code == 200 and said in answer.text
    assert f'value="{typed.get("home", "3½")}"' in answer.text
    assert score(scene) == (None, None, 0)


def test_a_refused_score_leaves_the_card_below_as_it_was(client, scene):
    seats = {1: scene.home[6].pk}
    sheet = {"match": scene.match.pk, "side": "home", "seats": seats, "seen": ""}
    save_sheet(by=scene.captain, at=AT, **sheet)

    def players(answer) -> list:
        return [row.seats["home"].player for row in answer.context["page"].rows]

    before = client.get(scene.url)
    after = send(client, scene, home="9")
    assert players(after) == players(before) == [scene.home[6], *[None] * 5]
    assert "Change the line-up of Ashdown A" in after.text
    client.force_login(scene.officer)
    assert "award_reason" in send(client, scene, home="9").text


def test_boards_with_results_go_before_a_score(client, scene):
    client.post(scene.url, scene.form("=1    "))
    assert "Boards have results already. Complete the card instead." in send(client, scene).text
    assert "Only the score for now" not in client.get(scene.url).text


def test_an_earlier_line_up_is_taken_by_a_link(client, scene):
    day = scene.match.played_on.replace(day=3)
    earlier = play_before(scene.match.home, scene.home[2:8], played_on=day)
    page = client.get(scene.url).text
    assert f'href="?home={earlier.pk}"' in page and "3 November v" in page
    drawn = client.get(f"{scene.url}?home={earlier.pk}&away=x").context["page"].rows
    assert [row.seats["home"].player for row in drawn] == scene.home[2:8]
    assert [row.seats["away"].player for row in drawn] == scene.away[:6]


def test_the_card_asks_no_more_for_more_earlier_matches(client, scene):
    few = queries(lambda: client.get(scene.url))
    for day in (1, 2, 3, 4, 5):
        day = scene.match.played_on.replace(day=day)
        play_before(scene.match.home, scene.home[2:8], played_on=day)
    factories.MembershipFactory(club=scene.match.home.club)
    assert queries(lambda: client.get(scene.url)) == few
