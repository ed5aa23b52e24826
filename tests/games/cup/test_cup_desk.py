"""The officer's desk of a cup: made, drawn, decided and won there."""

import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from games.cup import cups
from games.models import CupRound, Division, Match, Tie
from tests.factories import LeagueRoleFactory, TeamFactory
from tests.games.cup_scene import AT, address, desk, make_cup, officer, told
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """It is the evening of 25 November 2026."""
    at = datetime.datetime(2026, 11, 25, 20, 30, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: at)


RULES = {
    "name": "Weald Cup",
    "board_count": 6,
    "minutes": 75,
    "increment_seconds": 10,
    "home_colour": "even",
    "draw_mode": "start",
    "clubs_apart": "on",
    "legs": 1,
    "settling_0": "board_count",
    "settling_1": "elimination",
    "settling_2": "",
    "order_list": "grade",
    "order_issue": "newest",
    "limits_list": "grade",
    "limits_issue": "season",
}


def test_a_cup_is_made_drawn_and_won_in_the_browser():
    season = make_cup(2).division.season
    client = Client()
    client.force_login(LeagueRoleFactory(league=season.league).user)
    place = reverse("season_new_cup", args=[season.league.slug, season.slug])
    answer = client.post(place, RULES | {"name": "Plate"})
    made = Division.objects.get(name="Plate")
    assert answer["Location"] == reverse("cup_office", args=[made.pk])
    assert (made.kind, made.legs, made.settling) == ("cup", 1, ["board_count", "elimination"])
    where = answer["Location"]
    teams = [TeamFactory(division=made, name=f"Team {n}") for n in range(3)]
    seeds = {f"team_{team.pk}": "" for team in teams} | {f"team_{teams[1].pk}": "1"}
    answer = client.post(where, {"step": "seed", **seeds})
    assert told(answer) == "The seeds are saved."
    page = Page(client.get(where))
    assert "Draw the cup" in page.headings
    answer = client.post(where, {"step": "draw", "number": 1, "lot": 7, "day_1": "2026-12-01"})
    assert told(answer) == "Semi-final is drawn; its matches are arranged."
    drawn = CupRound.objects.get()
    assert (drawn.lot, Match.objects.get(division=made).played_on.isoformat()) == (7, "2026-12-01")
    again = client.post(where, {"step": "draw", "number": 1, "lot": 8, "day_1": ""})
    assert "Round 1 is not the one to draw: somebody was before." in again.content.decode()
    tie = Tie.objects.get(away__isnull=False, cup_round__division=made)
    home = tie.home_id
    client.post(where, {"step": "swap", "tie": tie.pk})
    tie.refresh_from_db()
    assert tie.away_id == home
    bad = client.post(where, {"step": "decide", "tie": tie.pk, "winner": home})
    assert bad.status_code == 200
    assert "This field is required." in bad.content.decode()
    facts = {"winner": home, "decided_by": "walk_over", "reason": "<b>snow</b>"}
    answer = client.post(where, {"step": "decide", "tie": tie.pk, **facts})
    assert told(answer) == f"{tie.away.name} go through."
    shown = client.get(reverse("division_detail", args=[made.pk])).content.decode()
    assert "by a walk-over: &lt;b&gt;snow&lt;/b&gt;." in shown
    answer = client.post(where, {"step": "draw", "number": 2, "day_1": ""})
    assert told(answer) == "Final is drawn; its matches are arranged."
    stays = client.post(where, {"step": "withdraw", "tie": tie.pk})
    assert told(stays) == f"{tie.away.name} stand in Final already: take that draw back first."
    client.post(where, {"step": "undo", "round": 2})
    client.post(where, {"step": "withdraw", "tie": tie.pk})
    tie.refresh_from_db()
    assert (tie.winner, tie.decided_by, tie.reason) == (None, None, "")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"settling_1": "board_count"}, "“board count” stands in the order twice."),
        ({"legs": 3}, "Select a valid choice"),
        ({"handicap_points": "0"}, "At least 1 point; leave it blank for no start."),
        ({"minutes": 0, "increment_seconds": 0}, "A game needs some time."),
        ({"name": "weald CUP"}, "The season has a division called weald CUP already."),
    ],
)
def test_what_a_new_cup_is_refused_for(cup, typed, sentence):
    season = cup.division.season
    place = reverse("season_new_cup", args=[season.league.slug, season.slug])
    answer = officer(cup).post(place, RULES | {"name": "Plate"} | typed)
    assert answer.status_code == 200
    assert sentence in answer.content.decode()
    assert Division.objects.count() == 1


def test_the_rules_of_a_cup_are_changed_in_its_own_form(cup):
    where = reverse("division_rules", args=[cup.division.pk])
    client = officer(cup)
    shown = client.get(where).content.decode()
    assert 'name="settling_0"' in shown and 'name="match_points_win"' not in shown
    client.post(where, RULES | {"settling_0": "toss", "settling_1": "", "board_count": 4})
    cup.division.refresh_from_db()
    assert (cup.division.settling, cup.division.kind, cup.division.legs) == (["toss"], "cup", 1)
    assert cup.tie(1, 1).winner is None


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"step": "seed"},
        {"step": "nonsense"},
        {"step": "decide", "tie": "\x00"},
        {"step": "swap", "tie": "999999999999"},
        {"step": "replay", "tie": "x"},
    ],
)
def test_what_the_desk_does_not_know_is_not_found(cup, data):
    assert officer(cup).post(desk(cup), data).status_code == 404


@pytest.mark.parametrize(
    "data",
    [
        {"step": "draw"},
        {"step": "draw", "number": "2", "day_1": "no day"},
        {"step": "draw", "number": "99999999999", "day_1": ""},
        {"step": "draw", "number": "2", "day_1": "1999-01-01"},
    ],
)
def test_bad_input_is_shown_again_and_stores_nothing(cup, data):
    answer = officer(cup).post(desk(cup), data)
    assert answer.status_code == 200
    assert CupRound.objects.count() == 1


def test_a_tie_of_another_cup_is_not_touched(cup):
    other = make_cup(2)
    other.draw()
    tie = other.tie()
    data = {"step": "decide", "tie": tie.tie.pk, "winner": tie.home.pk, "decided_by": "award"}
    assert officer(cup).post(desk(cup), data | {"reason": "mine"}).status_code == 404
    assert Tie.objects.filter(winner__isnull=False).count() == 0


def test_the_desk_of_a_league_is_none_of_a_cup():
    cup = make_cup(2, kind="league")
    assert officer(cup).get(desk(cup)).status_code == 404


def test_the_desk_says_when_a_card_takes_a_winner_away(cup):
    cup.play(cup.tie(1, 2), "score")
    cup.draw(2)
    tie = cup.tie(1, 1)
    cup.record(tie.matches[0], [0, 0, 0, 0])
    page = Page(officer(cup).get(desk(cup)))
    assert "Look at this tie." in page.text
    assert f"{tie.home.name} stand in Final" in page.text


def test_a_replay_is_arranged_at_the_desk():
    cup = make_cup(2, settling=["replay"])
    cup.draw()
    cup.play(cup.tie(), "level")
    client, tie = officer(cup), cup.tie()
    page = client.get(f"{desk(cup)}?tie={tie.tie.pk}").content.decode()
    assert "One more match" in page
    answer = client.post(desk(cup), {"step": "replay", "tie": tie.tie.pk, "day": "2026-12-08"})
    again = Match.objects.order_by("pk").last()
    assert told(answer) == f"{again} is arranged."
    assert (again.played_on, again.home_id) == (datetime.date(2026, 12, 8), tie.away.pk)


def test_the_season_s_desk_leads_to_the_cup(cup):
    season = cup.division.season
    page = Page(officer(cup).get(reverse("season_office", args=[season.league.slug, season.slug])))
    addresses = {where for _text, where in page.links}
    assert {desk(cup), reverse("season_new_cup", args=[season.league.slug, season.slug])} <= (
        addresses
    )


def test_the_solver_plans_no_cup(cup):
    season = cup.division.season
    place = reverse("season_fixtures", args=[season.league.slug, season.slug])
    assert "Weald Cup" not in officer(cup).get(place).content.decode()


def test_both_hear_of_a_walk_over(cup):
    tie = cup.tie(1, 2)
    for side in (tie.home, tie.away):
        side.captain_email = f"captain{side.pk}@example.org"
        side.save()
    facts = {"winner": tie.home.pk, "decided_by": "walk_over", "reason": "snow"}
    cups.decide_tie(tie=tie.tie.pk, **facts, by=None, at=AT)
    sent = ProcrastinateJob.objects.filter(args__icontains="captain")
    assert sent.count() == 2


def test_a_cup_of_two_legs_asks_for_two_days():
    cup = make_cup(2, legs=2)
    client = officer(cup)
    page = client.get(desk(cup)).content.decode()
    assert 'name="day_1"' in page and 'name="day_2"' in page
    data = {"step": "draw", "number": 1, "lot": 3, "day_1": "2026-12-01", "day_2": "2026-12-08"}
    assert told(client.post(desk(cup), data)) == "Final is drawn; its matches are arranged."
    days = [match.played_on.isoformat() for match in cup.tie().matches]
    assert days == ["2026-12-01", "2026-12-08"]
    for match in cup.tie().matches:
        cup.record(match, [1, 1, 1, 1], at=AT + datetime.timedelta(days=30))
    bracket = Page(client.get(address(cup))).text
    assert "4–4 over two matches; all drawn, Blacks on odd boards 2 to 2" in bracket


def test_rounds_drawn_one_by_one_each_have_their_number(client):
    cup = make_cup(4, draw_mode="rounds", settling=[])
    cup.draw(lot=11)
    for tie in cup.played_ties(1):
        cup.play(tie, "score")
    cup.draw(2, lot=22)
    cup.play(cup.tie(2), "level")
    page = Page(client.get(address(cup)))
    assert "with the number 11" in page.text and "with the number 22" in page.text
    assert "What becomes of a level tie the league’s officer decides." in page.text
    assert "2–2: the toss is to decide, or the league’s officer." in page.text
    shown = Page(officer(cup).get(desk(cup)))
    assert shown.headings[:2] == ["Weald Cup", "Final"]
