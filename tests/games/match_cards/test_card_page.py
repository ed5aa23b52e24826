"""The card as a page: who may, what is typed, what is refused, and that nothing typed is lost."""

import datetime
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player, PlayerState
from games.models import Board, Match, MatchState
from ratings.models import RatedGame
from tests import factories
from tests.games.card_html import chosen, results, stored
from tests.games.card_scene import AT, TODAY, make_scene, people, play_before, queries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("evening")]


# --- Who may -----------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["captain", "secretary", "officer"])
def test_either_side_and_the_officer_enter_it(client, scene, who):
    client.force_login(getattr(scene, who))
    assert client.get(scene.url).status_code == 200
    response = client.post(scene.url, scene.form("=1=01="))
    assert response.status_code == 302 and response["Location"] == f"/matches/{scene.match.pk}/"
    assert len(stored(scene)) == 6
    assert scene.reload().entered_by == getattr(scene, who)


def test_a_captain_and_an_officer_of_others_may_not(client, scene):
    sister = factories.MatchFactory(division=scene.match.division)
    others = [
        scene.outsider,
        factories.UserFactory(),
        factories.TeamRoleFactory(team=sister.home).user,
        factories.LeagueRoleFactory().user,
    ]
    for user in others:
        client.force_login(user)
        for url in (scene.url, f"{scene.url}players/?q=lov"):
            assert client.get(url).status_code == 403
        assert client.post(scene.url, scene.form("=1=01=")).status_code == 403
    assert stored(scene) == []


def test_a_stranger_logs_in_first(client, scene):
    for response in (
        client.get(scene.url),
        client.post(scene.url, scene.form("=1=01=")),
    ):
        assert response.status_code == 302
        assert response["Location"] == f"/accounts/login/?next={scene.url}"
    assert client.get(f"{scene.url}players/?q=lov").status_code == 302
    assert stored(scene) == []


def test_only_get_and_post(captain, scene):
    for method in ("put", "patch", "delete"):
        assert getattr(captain, method)(scene.url).status_code == 405
    assert captain.post(f"{scene.url}players/").status_code == 405
    assert captain.get(reverse("match_card", args=[10**9])).status_code == 404


# --- What it begins with -----------------------------------------------------------------


def test_a_new_card_begins_with_last_times_line_ups(captain, scene):
    html = captain.get(scene.url).content.decode()
    for number in range(1, 7):
        assert chosen(html, number, "home") == str(scene.home[number - 1].pk)
        assert chosen(html, number, "away") == str(scene.away[number - 1].pk)
    assert html.count("as last time") == 12
    assert results(html) == {}


def test_last_time_is_the_last_match_before_this_one(captain, scene):
    play_before(scene.match.home, scene.home[2:8], datetime.date(2026, 11, 17))
    play_before(scene.match.home, scene.home[::-1][:6], datetime.date(2026, 12, 1))
    html = captain.get(scene.url).content.decode()
    assert [chosen(html, number, "home") for number in range(1, 7)] == [
        str(player.pk) for player in scene.home[2:8]
    ]


def test_the_first_match_of_a_season_looks_back_to_the_last_one(captain, scene):
    next_season = factories.SeasonFactory(
        league=scene.match.division.season.league,
        label="2027-28",
        slug="2027-28",
        starts_on=datetime.date(2027, 7, 1),
        ends_on=datetime.date(2028, 7, 1),
    )
    division = factories.DivisionFactory(season=next_season)
    clubs = (scene.match.home.club, scene.match.away.club)
    home, away = (
        factories.TeamFactory(division=division, club=club, name=f"{club} A") for club in clubs
    )
    match = factories.MatchFactory(
        division=division, home=home, away=away, played_on=datetime.date(2027, 10, 5)
    )
    captain.force_login(scene.officer)
    html = captain.get(reverse("match_card", args=[match.pk])).content.decode()
    assert chosen(html, 1, "home") == str(scene.home[0].pk)
    assert chosen(html, 6, "away") == str(scene.away[5].pk)


def test_a_row_with_a_result_is_not_as_last_time(captain, scene):
    captain.post(scene.url, scene.form("=1=0  "))
    html = captain.get(scene.url).content.decode()
    assert html.count("as last time") == 4
    assert results(html) == {1: "1", 2: "2", 3: "1", 4: "0"}


@pytest.mark.parametrize(
    ("rule", "colours"),
    [
        ("even", ["black", "white"] * 3),
        ("odd", ["white", "black"] * 3),
        ("unknown", ["unknown"] * 6),
        ("toss", ["unknown"] * 6),
    ],
)
def test_colours_follow_the_rule_of_the_division(captain, scene, rule, colours):
    scene.match.division.home_colour = rule
    scene.match.division.save()
    captain.post(scene.url, scene.form("=1=01="))
    assert [row[3] for row in stored(scene)] == colours


def test_the_toss_and_a_rows_own_colour_go_before_the_rule(captain, scene):
    scene.match.division.home_colour = "toss"
    scene.match.division.save()
    captain.post(scene.url, scene.form("=1=01=", toss="odd", home_colour_4="white"))
    colours = ["white", "black", "white", "white", "white", "black"]
    assert [row[3] for row in stored(scene)] == colours
    html = captain.get(scene.url).content.decode()
    assert '<option value="odd" selected' in html
    assert html.count('<option value="white" selected') == 1
    captain.post(scene.url, scene.form("=1=01=", toss="odd", home_colour_4="white"))
    assert scene.reload().version == 1


def test_players_are_offered_the_last_ten_first_then_the_club_in_board_order(captain, scene):
    html = captain.get(scene.url).content.decode()
    picker = html[html.index('<select name="boards-0-home"') : html.index("</select>")]
    groups = re.findall(r'<optgroup label="([^"]*)">(.*?)</optgroup>', picker, re.DOTALL)
    names = {
        label: re.findall(r">([^<·]+?) · (\d+) · \d+\??<", options) for label, options in groups
    }
    assert names == {
        "Last ten for Ashdown A": [
            ("Maureen T Lovell", "168"),
            ("Ronald J McVale", "162"),
            ("Zoë de la Marre", "159"),
            ("Guy Harte-Wynne", "151"),
            ("Kam Wa Tso", "149"),
            ("D E F Ibbot", "139"),
        ],
        "All of Ashdown": [("Oluwaseun Ravenscroft", "147"), ("Eszter Szabó", "141")],
    }


def test_a_retired_player_is_not_offered(captain, scene):
    Player.objects.filter(pk=scene.home[0].pk).update(state=PlayerState.RETIRED)
    html = captain.get(scene.url).content.decode()
    assert chosen(html, 1, "home") == ""
    assert "Lovell" not in html


def test_the_order_is_checked_and_the_card_can_still_be_saved(client):
    scene = make_scene(name="-strict", board_order_tolerance=0)
    client.force_login(scene.captain)
    swapped = {"home_1": scene.home[1], "home_2": scene.home[0]}
    warned = "Maureen T Lovell (168) is 6 above Ronald J McVale (162) on board 1"
    assert 'class="note warn"' not in client.get(scene.url).content.decode()
    refused = client.post(scene.url, scene.form("=1=01=", played_on="", **swapped))
    assert warned in refused.content.decode()
    client.post(scene.url, scene.form("=1=01=", **swapped))
    assert len(stored(scene)) == 6
    assert warned in client.get(scene.url).content.decode()


# --- What is stored ----------------------------------------------------------------------


def test_what_is_typed_is_what_is_stored(captain, scene):
    captain.post(scene.url, scene.form("=1=01="))
    assert stored(scene) == [
        (number, home.pk, away.pk, "black" if number % 2 else "white", result, None)
        for number, home, away, result in zip(
            range(1, 7), scene.home, scene.away, [1, 2, 1, 0, 2, 1], strict=False
        )
    ]
    assert RatedGame.objects.filter(event=scene.match.division.rated_event).count() == 18


def test_defaults_come_from_the_menu(captain, scene):
    form = scene.form(
        "      ",
        result_1="home_default",
        away_1="",
        result_2="away_default",
        home_2="",
        result_3="double_default",
        home_3="",
        away_3="",
    )
    captain.post(scene.url, form)
    assert [(row[0], row[1], row[2], row[4], row[5]) for row in stored(scene)][:3] == [
        (1, scene.home[0].pk, None, None, "home_default"),
        (2, None, scene.away[1].pk, None, "away_default"),
        (3, None, None, None, "double_default"),
    ]
    html = captain.get(scene.url).content.decode()
    assert results(html) == {1: "home_default", 2: "away_default", 3: "double_default"}
    for number, words in enumerate(
        (
            "Ashdown A win, Hartfield A’s player did not come",
            "Hartfield A win, Ashdown A’s player did not come",
            "Neither came",
        ),
        1,
    ):
        row = html[html.index(f'id="board-{number}"') :]
        assert f'<p class="note said"><b>{words}</b></p>' in row[: row.index("</li>")]
    assert "Home default" not in html


def test_a_board_without_a_result_leaves_the_card_incomplete(captain, scene):
    captain.post(scene.url, scene.form("=1=0  "))
    assert [row[4] for row in stored(scene)] == [1, 2, 1, 0, None, None]
    match = Match.objects.with_score().get(pk=scene.match.pk)
    assert (match.home_points, match.boards_decided) == (None, 4)
    assert "4 of 6 boards" in captain.get(scene.url).content.decode()


def test_a_row_of_nobody_is_no_board(captain, scene):
    captain.post(scene.url, scene.form("=1=01 ", home_6="", away_6=""))
    assert len(stored(scene)) == 5
    assert scene.reload().board_count == 6
    assert Match.objects.with_score().get(pk=scene.match.pk).home_points is None


def test_a_board_that_both_left_out_is_no_game(captain, scene):
    captain.post(scene.url, scene.form("=1=01 ", result_6="no_game"))
    assert len(stored(scene)) == 5 and scene.reload().board_count == 5
    match = Match.objects.with_score().get(pk=scene.match.pk)
    assert (match.home_points, match.away_points) == (6, 4)
    html = captain.get(scene.url).content.decode()
    assert results(html)[6] == "no_game"
    assert "5 of 5 boards" in html
    captain.post(scene.url, scene.form("=1=01=", home_6=scene.home[5], away_6=scene.away[5]))
    assert len(stored(scene)) == 6 and scene.reload().board_count == 6


def test_no_game_at_all_is_no_match(captain, scene):
    form = scene.form("      ", **{f"result_{number}": "no_game" for number in range(1, 7)})
    assert "A match has at least a board" in captain.post(scene.url, form).content.decode()
    assert stored(scene) == [] and scene.reload().board_count == 6


def test_a_postponed_match_asks_for_its_day_and_takes_it(captain, scene, monkeypatch):
    Match.objects.filter(pk=scene.match.pk).update(played_on=None, state=MatchState.POSTPONED)
    assert 'type="date"' in captain.get(scene.url).content.decode()
    refused = captain.post(scene.url, scene.form("=1=01=", played_on=""))
    assert "On which day was the match played?" in refused.content.decode()
    assert results(refused.content.decode()) == dict(
        zip(range(1, 7), ["1", "2", "1", "0", "2", "1"], strict=True)
    )
    monkeypatch.setattr(timezone, "now", lambda: AT.replace(2026, 12, 9))
    captain.post(scene.url, scene.form("=1=01=", played_on="2026-12-08"))
    match = scene.reload()
    assert (match.played_on, match.state) == (datetime.date(2026, 12, 8), MatchState.ARRANGED)
    games = RatedGame.objects.filter(white=scene.away[0], black=scene.home[0])
    assert [game.played_on for game in games] == [match.played_on]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "On which day"),
        ("tomorrow", "That is not a day"),
        ("2026-02-30", "That is not a day"),
        ("0001-01-01", "is not in the season"),
        ("9999-12-31", "is not in the season"),
        ("\x00", "That is not a day"),
    ],
)
def test_a_day_that_cannot_be_is_refused(captain, scene, typed, told):
    html = captain.post(scene.url, scene.form("=1=01=", played_on=typed)).content.decode()
    assert told in html and stored(scene) == [] and scene.reload().played_on == TODAY


@pytest.mark.parametrize("stored_day", ["2026-12-04", "2026-11-24"])
def test_a_result_of_a_day_to_come_is_refused_at_the_day(captain, scene, stored_day):
    Match.objects.filter(pk=scene.match.pk).update(played_on=stored_day)
    form = scene.form("=1=01=", played_on="2026-12-04")
    html = captain.post(scene.url, form).content.decode()
    said = "This match is on 4 December. If it was played already, enter its day."
    assert html.count(said) == 2 and stored(scene) == []
    assert '<details class="day" open>' in html
    assert 'value="2026-12-04"' in html
    assert results(html) == {1: "1", 2: "2", 3: "1", 4: "0", 5: "2", 6: "1"}
    assert captain.post(scene.url, form | {"played_on": "2026-11-24"}).status_code == 302
    assert len(stored(scene)) == 6 and scene.reload().played_on == TODAY


def test_a_stated_score_is_cleared(captain, scene):
    Match.objects.filter(pk=scene.match.pk).update(stated_home=6, stated_away=6)
    captain.post(scene.url, scene.form("=1=01="))
    match = Match.objects.with_score().get(pk=scene.match.pk)
    assert (match.stated_home, match.stated_away) == (None, None)
    assert (match.home_points, match.away_points) == (7, 5)


def test_what_the_card_does_not_ask_is_kept(captain, scene):
    captain.post(scene.url, scene.form("=1=01="))
    Board.objects.filter(match=scene.match, number=2).update(
        award="given",
        award_home=1,
        award_away=1,
        award_reason="wrong clock",
        played_on=datetime.date(2026, 11, 20),
        counts_for_match=False,
    )
    html = captain.get(scene.url).content.decode()
    assert "½–½ by decision of the league: wrong clock" in html
    captain.post(scene.url, scene.form("=1=01=", result_1="2"))
    board = Board.objects.get(match=scene.match, number=2)
    assert (board.award, board.award_home, board.result) == ("given", 1, 2)
    assert (board.played_on, board.counts_for_match) == (datetime.date(2026, 11, 20), False)


# --- What is refused ---------------------------------------------------------------------


def test_a_player_twice_is_refused_at_the_row_and_nothing_is_lost(captain, scene):
    response = captain.post(scene.url, scene.form("=1=01=", away_6=scene.away[1]))
    html = response.content.decode()
    assert response.status_code == 200 and stored(scene) == []
    row = html[html.index('id="problems-6"') :]
    assert "Siobhan O’Grange is on board 2 as well. Choose who played board 6." in row
    assert '<a href="#board-6">Board 6</a>' in html
    assert html.count('aria-invalid="true"') == 1
    assert results(html) == {1: "1", 2: "2", 3: "1", 4: "0", 5: "2", 6: "1"}
    assert chosen(html, 6, "away") == str(scene.away[1].pk)


def test_a_player_on_both_sides_is_refused(captain, scene):
    html = captain.post(scene.url, scene.form("=1=01=", away_6=scene.home[0])).content.decode()
    assert "Maureen T Lovell is on board 1 as well" in html
    html = captain.post(scene.url, scene.form("=1=01=", away_1=scene.home[0])).content.decode()
    assert "On both sides." in html
    assert stored(scene) == []


def test_swapping_two_players_is_no_clash(captain, scene):
    captain.post(scene.url, scene.form("=1=01="))
    ids = list(Board.objects.filter(match=scene.match).order_by("number").values_list("pk"))
    form = scene.form("=1=01=", home_1=scene.home[1], home_2=scene.home[0])
    assert captain.post(scene.url, form).status_code == 302
    assert [row[1] for row in stored(scene)][:2] == [scene.home[1].pk, scene.home[0].pk]
    assert ids == list(Board.objects.filter(match=scene.match).order_by("number").values_list("pk"))


def test_a_result_needs_both_players(captain, scene):
    html = captain.post(scene.url, scene.form("=1=01=", away_6="")).content.decode()
    assert "A result without a player." in html and stored(scene) == []
    form = scene.form("=1=01 ", result_6="home_default", home_6="")
    assert "Who won by default?" in captain.post(scene.url, form).content.decode()


@pytest.mark.parametrize(
    "value", ["x", "-1", "0", "9" * 40, "²", "1e3", "\x00", "1\x00", str(2**63)]
)
def test_a_player_who_cannot_be_is_refused(captain, scene, value):
    html = captain.post(scene.url, scene.form("=1=01=", home_3=value)).content.decode()
    assert 'id="problems-3"' in html and stored(scene) == []


@pytest.mark.parametrize("value", ["3", "-1", "1-0", "given", "\x00", "x" * 300])
def test_a_result_that_cannot_be_is_refused(captain, scene, value):
    html = captain.post(scene.url, scene.form("=1=01=", result_3=value)).content.decode()
    assert "Not a result." in html and stored(scene) == []
    html = captain.post(scene.url, scene.form("=1=01=", home_colour_3=value)).content.decode()
    said = "Not a colour.</b> Choose White, Black or not known for the home side."
    assert said in html and "Not a result." not in html and stored(scene) == []


@pytest.mark.parametrize(
    "total", ["5", "7", "16", "17", "1000", "0", "-1", "x", "", None, "9" * 30, "\x00"]
)
def test_a_card_of_another_number_of_boards_is_refused(captain, scene, total):
    form = scene.form("=1=01=", **{"boards-TOTAL_FORMS": total})
    response = captain.post(scene.url, form)
    assert response.status_code == 200 and "Not saved" in response.content.decode()
    assert stored(scene) == []


def test_an_empty_post_is_refused(captain, scene):
    response = captain.post(scene.url, {})
    assert response.status_code == 200 and stored(scene) == []


def test_french_has_a_blank_before_a_colon(captain, scene):
    late = scene.form("=1=01=", played_on="2031-01-01")
    html = captain.post(scene.url, late, headers={"Accept-Language": "fr"}).content.decode()
    assert "Joué le</a>\xa0: " in html


# --- The registry ------------------------------------------------------------------------


def test_three_letters_find_anyone(captain, scene):
    [guest] = people(factories.ClubFactory(name="Crowborough"), [("Drużba", "Élodie", 0)])
    url = f"{scene.url}players/"
    expected = {
        "players": [
            {
                "pk": guest.pk,
                "name": "Élodie Drużba",
                "clubs": "Crowborough",
                "sides": [],
                "grade": 0,
                "elo": 700,
                "provisional": True,
            }
        ]
    }
    for text in ("dru", "DRU", "elo dru", "druzba, elodie"):
        assert captain.get(url, {"q": text}).json() == expected


@pytest.mark.parametrize("text", ["", "d", "dr", "d r", "\x00\x00\x00", "...", "%%%", "x" * 300])
def test_fewer_letters_or_none_find_nobody(captain, scene, text):
    assert captain.get(f"{scene.url}players/", {"q": text}).json() == {"players": []}


# --- How much it asks the database -------------------------------------------------------


def test_queries_do_not_grow_with_boards_or_players(client):
    counts = []
    for boards, more in ((2, 0), (6, 40)):
        scene = make_scene(boards=boards, name=f"-{boards}")
        people(scene.match.home.club, [("Ashley", "Robin", 100)])
        people(scene.match.home.club, [(f"Ashby{n:02}", "Robin", n) for n in range(more)])
        client.force_login(scene.captain)
        results_typed = "1" * boards
        form = scene.form(results_typed)
        counts.append(
            (
                queries(lambda url=scene.url: client.get(url)),
                queries(lambda url=scene.url, form=form: client.post(url, form)),
                queries(lambda url=scene.url: client.get(f"{url}players/?q=ash")),
            )
        )
    assert counts[0] == counts[1]
