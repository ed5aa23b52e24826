"""What a match moved, and its files."""

import datetime
from dataclasses import replace

import pytest

from tests import factories
from tests.games.card_scene import make_scene, people, queries
from tests.games.match_page_scene import PLAYED, page, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("evening")]


# --- What moved --------------------------------------------------------------------------


def moved(client, scene) -> list[str]:
    html = page(client, scene)
    if "What moved" not in html:
        return []
    part = html[html.index("What moved") :]
    return [text_of(line) for line in part[: part.index("</ul>")].split("<li>")[1:]]


def test_the_first_match_puts_its_teams_into_the_table(client, scene):
    scene.record(PLAYED)
    assert moved(client, scene) == [
        "Ashdown A first: 2 match points, 3½ game points.",
        "Hartfield A second: 0 match points, 2½ game points.",
    ]


def test_a_match_moves_its_teams_up_and_down(client, scene):
    factories.MatchFactory(
        division=scene.match.division,
        home=scene.match.away,
        played_on=datetime.date(2026, 10, 6),
        stated_home=8,
        stated_away=4,
    )
    scene.record("111111")
    assert moved(client, scene) == [
        "↑ Ashdown A up from third to first: 2 match points, 6 game points.",
        "↓ Hartfield A down from first to second: 2 match points, 4 game points.",
    ]


def test_a_later_match_does_not_change_what_this_one_moved(client, scene):
    scene.record(PLAYED)
    before = moved(client, scene)
    factories.MatchFactory(
        division=scene.match.division,
        home=scene.match.away,
        played_on=datetime.date(2026, 12, 8),
        stated_home=12,
        stated_away=0,
    )
    assert moved(client, scene) == before


# --- Files -------------------------------------------------------------------------------


def test_the_files_hold_every_board(client, scene):
    entries = scene.entries(PLAYED)
    entries[5] = replace(entries[5], away=None, result=None, award="home_default")
    scene.record(boards=entries)
    found = client.get(f"/matches/{scene.match.pk}.json").json()
    boards = found.pop("boards")
    assert found == {
        "league": "Weald & Downs Chess League",
        "season": "2026-27",
        "division": "Division 1",
        "division_url": f"/divisions/{scene.match.division_id}/",
        "round": 6,
        "round_label": None,
        "date": "2026-11-24",
        "home": "Ashdown A",
        "away": "Hartfield A",
        "home_points": 4,
        "away_points": 2,
        "stated_home_points": None,
        "stated_away_points": None,
        "complete": True,
        "agreement": None,
        "board_count": 6,
        "state": "arranged",
        "url": f"/matches/{scene.match.pk}/",
        "stale_from": None,
    }
    assert (
        boards[0]
        == {
            "board": 1,
            "home": "Maureen T Lovell",
            "home_code": None,
            "home_url": f"/players/{scene.home[0].pk}/",
            "home_points": 0.5,
            "home_elo_before": 1960,
            "home_change": 1.3,
            "home_elo_after": 1961,
            "home_colour": "black",
            "away": "Pieter van der Lune",
            "away_code": None,
            "away_url": f"/players/{scene.away[0].pk}/",
            "away_points": 0.5,
            "away_elo_before": 1983,
            "away_change": -1.3,
            "away_elo_after": 1981,
            "result": "1/2-1/2",
            "award": None,
            "unfinished": None,
        }
        or boards[0]
    )
    assert (boards[5]["away"], boards[5]["home_points"], boards[5]["award"]) == (
        None,
        1,
        "home_default",
    )
    lines = page(client, scene, ".csv").splitlines()
    assert len(lines) == 7
    assert lines[0].startswith("board,home,home_code,home_colour,home_points,away,away_code")


def test_names_come_through_every_format_as_they_are(client, scene):
    [tricky] = people(scene.match.home.club, [("O'Brien <b>", '=King’s "Head"', 100)])
    entries = scene.entries(PLAYED)
    entries[0] = replace(entries[0], home=tricky.pk)
    scene.record(boards=entries)
    name = '=King’s "Head" O\'Brien <b>'
    assert client.get(f"/matches/{scene.match.pk}.json").json()["boards"][0]["home"] == name
    assert name in page(client, scene, ".txt")
    assert '\'=King’s ""Head"" O\'Brien <b>' in page(client, scene, ".csv")
    html = page(client, scene)
    assert "<b>" not in html.replace("<b><span class", "")
    assert "=King’s &quot;Head&quot; O&#x27;Brien &lt;b&gt;" in text_of(html)


def test_the_text_can_be_pasted_into_a_message(client, scene):
    scene.record("=1=0  ")
    assert page(client, scene, ".txt").strip().splitlines() == [
        "Ashdown A 2 – 2 Hartfield A",
        "Weald & Downs Chess League, Division 1, Tuesday 24 November 2026",
        "",
        "1. Maureen T Lovell ½ – ½ Pieter van der Lune",
        "2. Ronald J McVale 1 – 0 Siobhan O’Grange",
        "3. Zoë de la Marre ½ – ½ Jürgen Müllner",
        "4. Guy Harte-Wynne 0 – 1 John Tolbert Sr",
        "5. Kam Wa Tso – Tolemi Belavonti Marsudan",
        "6. D E F Ibbot – Łucja Żabrek",
        "Boards 5 and 6 have no result yet.",
    ]


def test_queries_do_not_grow_with_the_boards(client):
    counts = []
    for size in (2, 16):
        scene = make_scene(boards=size, name=f"-{size}", played_before=False)
        for team in (scene.home, scene.away):
            team += [factories.PlayerFactory() for _ in range(size - len(team))]
        scene.record("1" * size)
        for user in (None, scene.captain):
            client.logout()
            if user:
                client.force_login(user)
            counts.append(
                [
                    queries(lambda s=scene, e=ending: page(client, s, e))
                    for ending in ("/", ".json", ".txt")
                ]
            )
    assert counts[:2] == counts[2:]
