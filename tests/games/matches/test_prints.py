"""Paper: cards filled and blank, team sheets, a season on one page; nobody reads more there."""

import re

import pytest

from games.models import Match
from tests import factories
from tests.games.card_scene import make_scene, queries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("evening")]


@pytest.fixture
def scene():
    return make_scene(played_before=False)


def sheet(client, address: str) -> str:
    """The words of a page's main part, single-spaced; a disc is told by its hidden word."""
    response = client.get(address)
    assert response.status_code == 200
    text = response.content.decode().split("<main", 1)[1].split("</main>")[0]
    return " ".join(re.sub(r"<[^>]*>", " ", text).replace("\xa0", " ").split())


def test_a_filled_card_has_every_board(client, scene):
    scene.record("=1=01=")
    said = sheet(client, f"/matches/{scene.match.pk}/print/")
    for board in Match.objects.get(pk=scene.match.pk).boards.all():
        assert str(board.home_player) in said and str(board.away_player) in said
    assert said.count("½ – ½") == 3 and said.count("1 – 0") == 2 and said.count("0 – 1") == 1
    assert f"Captain of {scene.match.home.name}" in said
    assert f"Captain of {scene.match.away.name}" in said


def test_a_blank_card_has_colours_and_nobody(client, scene):
    scene.record("=1=01=")
    said = sheet(client, f"/matches/{scene.match.pk}/print/?blank")
    assert not any(
        str(board.home_player) in said
        for board in Match.objects.get(pk=scene.match.pk).boards.all()
    )
    assert said.count("White") == said.count("Black") == scene.match.board_count


def test_a_match_not_played_prints_a_row_for_each_board(client):
    match = factories.MatchFactory(board_count=4)
    html = client.get(f"/matches/{match.pk}/print/").content.decode()
    assert re.findall(r'<th scope="row" class="number">(\d+)</th>', html) == ["1", "2", "3", "4"]
    sheets = client.get(f"/matches/{match.pk}/print/sheets/").content.decode()
    assert len(re.findall(r'<th scope="row" class="number">', sheets)) == 8


def test_a_season_on_one_page(client):
    match = factories.MatchFactory()
    away = sheet(client, f"/teams/{match.away_id}/print/")
    assert match.home.name in away and " away " in away
    both = sheet(client, f"/divisions/{match.division_id}/print/")
    assert match.home.name in both and match.away.name in both


def test_one_blank_card_a_match_to_come(client):
    match = factories.MatchFactory()
    html = client.get(f"/teams/{match.home_id}/print/cards/").content.decode()
    assert html.count('class="sheet card-sheet"') == 1
    assert "No match is left to play." in sheet(
        client, f"/teams/{factories.TeamFactory(division=match.division).pk}/print/cards/"
    )


@pytest.mark.parametrize("address", ["/teams/{team}/print/", "/teams/{team}/print/cards/"])
def test_more_matches_take_no_more_queries(client, address):
    match = factories.MatchFactory()
    page = address.format(team=match.home_id)
    few = queries(lambda: client.get(page))
    for _ in range(4):
        factories.MatchFactory(division=match.division, home=match.home)
    assert queries(lambda: client.get(page)) == few
