"""A cup's public pages: the bracket and its files, and what other pages say of it."""

import csv
import datetime
import io
import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.factories import MatchFactory
from tests.games.cup_scene import address, make_cup, officer
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """It is the evening of 25 November 2026."""
    at = datetime.datetime(2026, 11, 25, 20, 30, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: at)


def test_the_bracket_names_rounds_ties_winners_and_what_decided(client, cup):
    page = Page(client.get(address(cup)))
    first, second = (cup.tie(1, n) for n in (1, 2))
    assert page.headings[:3] == ["Weald Cup", "Semi-final", "Final"]
    assert "Semi-final, 1 of 2 ties decided" in page.text
    assert f"{first.home.name} go through: 2–2; board count 1 to 4, the lower the better." in (
        page.text.replace("\u00a0", " ")
    )
    assert f"{second.home.name} or {second.away.name}" in page.text.replace("\u00a0", " ")
    labels = dict(page.links)
    assert labels[f"{first.tie}, 24 November"] == first.matches[0].get_absolute_url()
    assert "Semi-final was drawn on 24 November 2026 with the number 2026." in page.text
    assert "Cross table" not in page.text


def test_a_bracket_that_is_not_drawn_says_so(client):
    cup = make_cup(4)
    page = Page(client.get(address(cup)))
    assert "Not drawn yet" in page.headings
    assert json.loads(client.get(address(cup, "json")).content)["rows"] == []


def test_a_bye_stands_in_its_place(client):
    cup = make_cup(3)
    cup.draw()
    page = Page(client.get(address(cup)))
    bye = next(tie for tie in cup.bracket.ties if tie.away is None)
    assert f"{bye.home.name} have a bye." in page.text


def test_the_files_say_the_same(client, cup):
    first, second = (cup.tie(1, n) for n in (1, 2))
    found = json.loads(client.get(address(cup, "json")).content)
    assert (found["kind"], found["winner"], found["draw_mode"]) == ("cup", None, "start")
    match = first.matches[0]
    assert found["rows"][0] == {
        "round": 1,
        "round_name": "Semi-final",
        "tie": 1,
        "home": first.home.name,
        "away": first.away.name,
        "bye": False,
        "home_points": 2,
        "away_points": 2,
        "winner": first.home.name,
        "decided_by": "board_count",
        "words": f"{first.home.name} go through: 2–2; board count 1 to 4, the lower the better.",
        "date": "2026-11-24",
        "url": match.get_absolute_url(),
        "matches": [
            {
                "home": first.home.name,
                "away": first.away.name,
                "home_points": 2,
                "away_points": 2,
                "round_label": "Semi-final",
                "date": "2026-11-24",
                "state": "arranged",
                "url": match.get_absolute_url(),
            }
        ],
    }
    rows = list(csv.DictReader(io.StringIO(client.get(address(cup, "csv")).content.decode())))
    assert [(row["home"], row["winner"]) for row in rows] == [
        (first.home.name, first.home.name),
        (second.home.name, ""),
    ]


def test_a_cup_has_no_cross_table(client, cup):
    for form in ("", "csv", "json"):
        args = [cup.division.pk, *([form] if form else [])]
        assert client.get(reverse("division_crosstable", args=args)).status_code == 404


def test_a_hidden_season_hides_its_cup(client, cup):
    cup.division.season.published_at = None
    cup.division.season.save()
    assert client.get(address(cup)).status_code == 404
    assert officer(cup).get(address(cup)).status_code == 200


def test_other_pages_name_the_round_and_the_tie(client, cup):
    tie = cup.tie(1, 1)
    match = Page(client.get(tie.matches[0].get_absolute_url()))
    assert "Semi-final" in match.text
    assert f"{tie.home.name} go through: 2–2; board count 1 to 4" in match.text
    assert "What moved" not in match.headings
    team = Page(client.get(tie.away.get_absolute_url()))
    assert "In the Weald Cup" in team.headings
    assert f"Semi-final. {tie.home.name} v {tie.away.name}. {tie.home.name} go through" in (
        team.text
    )
    found = json.loads(client.get(reverse("team_detail", args=[tie.home.pk, "json"])).content)
    assert (found["position"], found["match_points"]) == (None, None)
    assert [each["round_name"] for each in found["ties"]] == ["Semi-final"]
    season = cup.division.season
    for page in ("/", season.league.get_absolute_url(), reverse("league_list")):
        assert "Semi-final" in Page(client.get(page)).text
    short = Page(client.get(season.get_absolute_url()))
    assert "Semi-final, 1 of 2 ties decided" in short.text
    calendar = client.get(reverse("division_calendar", args=[cup.division.pk])).content.decode()
    assert calendar.count("BEGIN:VEVENT") == 2
    assert "Semi-final" in calendar


def test_a_season_of_leagues_and_cups_shows_both(client, cup):
    league = MatchFactory(division__season=cup.division.season, division__name="Division 1")
    page = Page(client.get(cup.division.season.get_absolute_url()))
    assert page.headings == ["Season 2026-27", "Division 1", "Weald Cup", "Semi-final"]
    assert len(page.tables) == 1
    assert league.home.name in page.text.replace("\u00a0", " ")


@pytest.mark.parametrize(
    "name",
    ["division_detail", "season_detail", "cup_office", "team_detail", "match_detail", "home"],
)
def test_the_queries_do_not_grow_with_the_cup(name):
    counts = []
    for count in (4, 11):
        cup = make_cup(count)
        season = cup.division.season
        cup.draw()
        at = {
            "division_detail": [cup.division.pk],
            "cup_office": [cup.division.pk],
            "season_detail": [season.league.slug, season.slug],
            "team_detail": [cup.played_ties(1)[0].home.pk],
            "match_detail": [cup.played_ties(1)[0].matches[0].pk],
            "home": [],
        }[name]
        for tie in cup.played_ties(1):
            cup.play(tie, "score")
        client = officer(cup) if name == "cup_office" else Client()
        client.get(reverse(name, args=at))
        with CaptureQueriesContext(connection) as asked:
            assert client.get(reverse(name, args=at)).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1] <= (20 if name == "cup_office" else 12)
