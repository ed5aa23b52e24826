"""While a pool is stale, every page and file of its ratings says so, and nothing else does."""

import csv
import datetime
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.match_cards.posting import post_divisions
from ratings.models import RatingPool
from tests.factories import (
    BoardFactory,
    DivisionFactory,
    MatchFactory,
    MembershipFactory,
    UserFactory,
)
from tests.games.card_scene import make_scene
from tests.html import Page

pytestmark = pytest.mark.django_db
DAY = datetime.date(2024, 10, 7)
NOTICE = "The standard Elo is being worked out again."


def text_of(response) -> str:
    """The page's text, its lines joined."""
    return Page(response).text


@pytest.fixture
def match(db):
    """A match with one rated board, both of whose players are members of their clubs."""
    entered = datetime.datetime(2024, 10, 7, 23, tzinfo=datetime.UTC)
    match = MatchFactory(division=DivisionFactory(), played_on=DAY, entered_at=entered)
    board = BoardFactory(match=match, number=1, result=2)
    MembershipFactory(player=board.home_player, club=match.home.club)
    MembershipFactory(player=board.away_player, club=match.away.club)
    post_divisions([match.division])
    return match


def pages(match) -> dict[str, str]:
    """Every page that shows the ratings of the match's players."""
    player = match.boards.get().home_player_id
    of_player = ("player_detail", "player_opponents", "player_seasons", "player_head_to_head")
    return {
        "elo_list": reverse("elo_list"),
        "elo_why": reverse("elo_why", args=[player]),
        "match_detail": reverse("match_detail", args=[match.pk]),
        "team_detail": reverse("team_detail", args=[match.home_id]),
        "club_detail": reverse("club_detail", args=[match.home.club.slug]),
        **{name: reverse(name, args=[player]) for name in of_player},
    }


def make_stale(name="standard", **phase) -> None:
    state = {"stale_phase": "computing", "stale_share": 40} | phase
    RatingPool.objects.filter(pk=name).update(stale_from=DAY, **state)


NAMES = (
    *("elo_list", "elo_why", "match_detail", "team_detail", "club_detail", "player_detail"),
    *("player_opponents", "player_seasons", "player_head_to_head"),
)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_says_so_with_the_day_and_how_far_it_is(client, match, name):
    address = pages(match)[name]
    assert NOTICE not in text_of(client.get(address))
    make_stale()
    said = text_of(client.get(address))
    assert NOTICE in said
    assert "ratings from 7 October 2024 on are still the old ones" in said
    assert "50 % rating the games" in said


@pytest.mark.parametrize("name", NAMES)
def test_another_pool_is_not_spoken_of(client, match, name):
    make_stale("bullet")
    assert "worked out again" not in text_of(client.get(pages(match)[name]))


@pytest.mark.parametrize("name", NAMES)
def test_its_files_say_the_day(client, match, name):
    address = pages(match)[name].rstrip("/")
    assert client.get(f"{address}.json").json()["stale_from"] is None
    make_stale()
    assert client.get(f"{address}.json").json()["stale_from"] == "2024-10-07"
    rows = list(csv.DictReader(io.StringIO(client.get(f"{address}.csv").content.decode())))
    assert {row["stale_from"] for row in rows} == ({"2024-10-07"} if rows else set())


@pytest.mark.parametrize("name", NAMES)
def test_that_costs_one_query_at_most(client, match, name):
    address = pages(match)[name]
    client.get(address)
    with CaptureQueriesContext(connection) as asked:
        client.get(address)
    only_for_it = [query for query in asked if '"stale_from" IS NOT NULL' in query["sql"]]
    reads_pools_anyway = name == "elo_why" or name.startswith("player_")
    assert len(only_for_it) == (not reads_pools_anyway)


def test_the_grading_office_names_each_stale_pool(client, match):
    client.force_login(UserFactory(is_grading_officer=True))
    make_stale()
    make_stale("blitz", stale_phase="waiting", stale_share=0)
    said = text_of(client.get(reverse("office_grades")))
    assert NOTICE in said and "The blitz Elo is being worked out again." in said
    assert "0 % waiting for a job worker" in said


def test_who_saves_a_card_meanwhile_is_not_told_that_elo_is_up_to_date(client):
    scene = make_scene()
    make_stale()
    client.force_login(scene.captain)
    told = text_of(client.post(scene.url, scene.form("=1=01="), follow=True))
    assert "The table is up to date." in told and NOTICE in told
    assert "Elo are up to date" not in told
