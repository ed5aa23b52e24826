"""The card as a page: who may, what is typed, what is refused, and that nothing typed is lost."""

import datetime
import re
from dataclasses import replace
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player, PlayerState
from games.models import Board, Match, MatchState
from ratings.models import RatedGame
from tests import factories
from tests.games.card_scene import AT, TODAY, make_scene, people, play_before, queries

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """It is the evening of the match."""
    monkeypatch.setattr(timezone, "now", lambda: AT)


@pytest.fixture
def scene():
    return make_scene()


@pytest.fixture
def captain(client, scene):
    client.force_login(scene.captain)
    return client


def stored(scene) -> list[tuple]:
    """The boards of the match as (number, home, away, colour of home, result, award)."""
    columns = ("number", "home_player", "away_player", "home_colour", "result", "award")
    return list(Board.objects.filter(match=scene.match).order_by("number").values_list(*columns))


def chosen(html: str, number: int, side: str) -> str:
    """The value of the option that a row's picker shows."""
    start = html.index(f'<select name="boards-{number - 1}-{side}"')
    picker = html[start : html.index("</select>", start)]
    found = re.search(r'<option value="(\w*)"[^>]* selected', picker)
    return found[1] if found else ""


def results(html: str) -> dict[int, str]:
    """The results that are ticked, by board."""
    ticked = re.findall(r'name="boards-(\d+)-result" value="(\w*)" checked', html)
    return {int(index) + 1: value for index, value in ticked}


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
    scene = make_scene(board_order_tolerance=0)
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


# --- Names typed -------------------------------------------------------------------------


def test_a_new_player_becomes_a_pending_one_and_is_rated(captain, scene):
    form = scene.form("=1=01=", away_6="new", away_name_6="Zebedee de la Rue")
    response = captain.post(scene.url, form)
    assert response.status_code == 302
    player = Player.objects.get(surname="de la Rue")
    assert (player.forenames, player.state) == ("Zebedee", PlayerState.PENDING)
    assert [m.club for m in player.memberships.all()] == [scene.match.away.club]
    assert [m.starts_on for m in player.memberships.all()] == [TODAY]
    assert stored(scene)[5][2] == player.pk
    assert player.elo_ratings.get().games == 1


def test_a_name_that_nobody_has_makes_no_player_until_one_says_so(captain, scene):
    form = scene.form("=1=01=", away_name_6="Zebedee de la Rue")
    html = captain.post(scene.url, form).content.decode()
    said = "Nobody known is called so: choose a new player, or correct the name."
    assert f"<b>Who is Zebedee de la Rue?</b> {said}" in html
    assert 'value="Zebedee de la Rue"' in html and chosen(html, 6, "away") == ""
    assert results(html) == {1: "1", 2: "2", 3: "1", 4: "0", 5: "2", 6: "1"}
    assert stored(scene) == [] and not Player.objects.filter(surname="de la Rue").exists()
    asked = {"boards-5-away_asked": "Zebedee de la Rue"}
    captain.post(scene.url, form | asked | {"boards-5-away": ""})
    assert stored(scene) == []
    captain.post(scene.url, form | asked | {"boards-5-away": "new"})
    assert stored(scene)[5][2] == Player.objects.get(surname="de la Rue").pk


def test_a_surname_alone_is_asked_about_and_is_never_a_new_player(captain, scene):
    [away] = people(factories.ClubFactory(name="Crowborough"), [("Tolbert", "Robin", 120)])
    form = scene.form("=1=01=", home_name_6="Tolbert")
    for change in ({"boards-5-home": ""}, {}, {"boards-5-home": "new"}):
        html = captain.post(scene.url, form | change).content.decode()
        assert (
            "<b>Which Tolbert?</b> 2 players may be meant."
            " A new player needs a forename and a surname." in html
        )
        assert "as a new player</option>" not in html
        assert stored(scene) == [] and Player.objects.filter(state="pending").count() == 0
    picker = html[html.index('<select name="boards-5-home"') :]
    likely = re.search(r"<optgroup data-likely[^>]*>(.*?)</optgroup>", picker, re.DOTALL)[1]
    assert re.findall(r'value="(\d+)"[^>]*>([^<]*)<', likely) == [
        (str(scene.away[3].pk), "John Tolbert Sr, Hartfield"),
        (str(away.pk), "Robin Tolbert, Crowborough"),
    ]
    asked = {"boards-5-home_asked": "Tolbert", "boards-5-home": away.pk}
    assert captain.post(scene.url, form | asked).status_code == 302
    assert stored(scene)[5][1] == away.pk


def test_a_name_of_the_club_spelt_otherwise_is_offered(captain, scene):
    html = captain.post(
        scene.url, scene.form("=1=01=", home_name_6="Ester Szabbo")
    ).content.decode()
    assert "Who is Ester Szabbo?" in html and "1 player may be meant." in html
    picker = html[html.index('<select name="boards-5-home"') :]
    likely = re.search(r"<optgroup data-likely[^>]*>(.*?)</optgroup>", picker, re.DOTALL)[1]
    assert "Eszter Szabó" in likely
    assert "Add “Ester Szabbo” as a new player</option>" in picker


def test_what_was_chosen_for_one_name_is_no_answer_for_another(captain, scene):
    form = scene.form("=1=01=", home_name_6="Zebedee Newman")
    asked = {"boards-5-home_asked": "Zebedee Oldman"}
    html = captain.post(scene.url, form | asked).content.decode()
    assert "Who is Zebedee Newman?" in html and stored(scene) == []


def test_a_new_player_stays_one_while_another_row_is_refused(captain, scene):
    form = scene.form("=1=01=", home_6="new", home_name_6="Zebedee Newman", away_5="")
    html = captain.post(scene.url, form).content.decode()
    assert "A result without a player." in html
    assert chosen(html, 6, "home") == "new" and 'value="Zebedee Newman"' in html


def test_who_is_no_member_is_warned_of_and_saved(captain, scene):
    [guest] = people(factories.ClubFactory(name="Crowborough"), [("Rook", "Robin", 120)])
    [known] = people(factories.ClubFactory(name="Kingsmead"), [("Pawn", "Ann", 110)])
    factories.RegistrationFactory(
        season=scene.match.division.season, club=scene.match.home.club, player=known
    )
    said = "<b>Check the player.</b> Robin Rook is not a member of Ashdown."
    assert 'class="note warn' not in captain.get(scene.url).content.decode()
    changed = {"home_6": guest, "home_5": known}
    refused = captain.post(scene.url, scene.form("=1=01=", away_4="", **changed)).content.decode()
    assert refused.count('class="note warn') == 1 and said in refused
    assert captain.post(scene.url, scene.form("=1=01=", **changed)).status_code == 302
    assert stored(scene)[5][1] == guest.pk
    assert said in captain.get(scene.url).content.decode()
    page = f"/matches/{scene.match.pk}/"
    told = "Board 6: Robin Rook is not a member of Ashdown."
    assert told in captain.get(page).content.decode()
    captain.force_login(scene.officer)
    assert told in captain.get(page).content.decode()
    captain.force_login(factories.UserFactory())
    assert "is not a member" not in captain.get(page).content.decode()


@pytest.mark.parametrize("typed", ["eszter szabo", "Szabó, Eszter", "  SZABO,ESZTER  "])
def test_a_name_of_the_club_is_that_player(captain, scene, typed):
    captain.post(scene.url, scene.form("=1=01=", home_name_6=typed))
    assert stored(scene)[5][1] == scene.home[7].pk


def test_a_code_is_that_player_wherever_he_is(captain, scene):
    guest = factories.PlayerFactory(surname="Guest", ecf_code="123456A")
    for typed in ("123456a", "123456A Somebody Else"):
        captain.post(scene.url, scene.form("=1=01=", home_name_6=typed))
        assert stored(scene)[5][1] == guest.pk
    html = captain.post(scene.url, scene.form("=1=01=", home_name_5="654321B")).content.decode()
    assert "Nobody has the code 654321B" in html


def test_nobody_in_words_is_nobody(captain, scene):
    captain.post(scene.url, scene.form("=1=01 ", home_name_6="Default", away_name_6="A.N. Other"))
    assert len(stored(scene)) == 5


@pytest.mark.parametrize("typed", ["1-0", "0", "12345", "½-½"])
def test_what_has_no_letter_is_no_player(captain, scene, typed):
    response = captain.post(scene.url, scene.form("=1=01=", home_name_6=typed))
    assert f"“{typed}” is no name." in response.content.decode()
    assert stored(scene) == [] and not Player.objects.filter(state=PlayerState.PENDING).exists()


def test_a_namesake_elsewhere_is_offered_and_never_taken(captain, scene):
    [namesake] = people(factories.ClubFactory(name="Crowborough"), [("Rook", "Robin", 120)])
    form = scene.form("=1=01=", home_name_6="Robin Rook")
    html = captain.post(scene.url, form).content.decode()
    assert "Which Robin Rook?" in html and "Crowborough" in html
    assert 'value="Robin Rook"' in html and chosen(html, 6, "home") == ""
    assert stored(scene) == []
    captain.post(scene.url, form | {"boards-5-home": namesake.pk})
    assert stored(scene)[5][1] == namesake.pk


def test_a_namesake_elsewhere_may_be_somebody_new(captain, scene):
    people(factories.ClubFactory(name="Crowborough"), [("Rook", "Robin", 120)])
    form = scene.form("=1=01=", home_name_6="Robin Rook") | {"boards-5-home": "new"}
    captain.post(scene.url, form)
    new = Player.objects.get(surname="Rook", state=PlayerState.PENDING)
    assert stored(scene)[5][1] == new.pk


def test_two_of_one_name_in_the_club_must_be_told_apart(captain, scene):
    twins = people(scene.match.home.club, [("Rook", "Robin", 120), ("Rook", "Robin", 90)])
    form = scene.form("=1=01=", home_name_6="Robin Rook")
    assert "Which Robin Rook?" in captain.post(scene.url, form).content.decode()
    captain.post(scene.url, form | {"boards-5-home": twins[1].pk})
    assert stored(scene)[5][1] == twins[1].pk


@pytest.mark.parametrize(
    "typed",
    [
        "\x00",
        "Rob\x00in",
        "æ" * 100 + " " + "æ" * 90,
        "x" * 201,
        "x" * 101,
        "...",
        "\u202e Robin Rook",
        "!",
    ],
)
def test_what_is_no_name_is_refused_at_its_row(captain, scene, typed):
    html = captain.post(scene.url, scene.form("=1=01=", home_name_6=typed)).content.decode()
    assert 'id="problems-6"' in html and stored(scene) == []
    assert not Player.objects.filter(state=PlayerState.PENDING).exists()


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ("home_name_6", "\x00", "Not a player. That is no name: write letters."),
        ("away_name_6", "Rob\x00in", "Not a player. That is no name: write letters."),
        ("away_name_6", "x" * 201, "Not a player. A name has at most 200 letters."),
        ("toss", "\x00", "Choose how the toss fell."),
    ],
)
def test_what_cannot_be_read_is_refused_in_our_own_words(captain, scene, field, typed, told):
    scene.match.division.home_colour = "toss"
    scene.match.division.save()
    html = captain.post(scene.url, scene.form("=1=01=", **{field: typed})).content.decode()
    banner = html[html.index('class="banner bad"') : html.index("<form class")]
    assert told in banner and stored(scene) == []
    for djangos in ("Null characters", "Ensure this value", "Select a valid choice"):
        assert djangos not in html


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


# --- Somebody else meanwhile -------------------------------------------------------------


def opened(html: str) -> dict[str, str]:
    """What the drawn card carries of what it said when it was opened."""
    found = re.findall(r'name="((?:boards-\d+-)?opened)" value="([^"]*)"', html)
    return {name: unescape(value) for name, value in found}


def kept(html: str, number: int) -> dict[str, str]:
    """What the card that came back holds of the typist's own version of a board."""
    found = re.search(rf'name="(boards-{number - 1}-mine)" value="([^"]*)"', html)
    return {found[1]: unescape(found[2])} if found else {}


def test_boards_that_two_changed_apart_are_joined(client, scene):
    client.force_login(scene.captain)
    scene.record("======")
    was = opened(client.get(scene.url).content.decode())
    mine = scene.form("=1====", away_6=scene.away[6]) | was
    client.force_login(scene.secretary)
    client.post(scene.url, scene.form("1=====", home_5=scene.home[6]) | was)
    client.force_login(scene.captain)
    html = client.post(scene.url, mine).content.decode()
    assert f"{scene.secretary.name} saved this card at" in html
    assert "Both of you" not in html and html.count("now as saved, ") == 2
    assert results(html) == {1: "2", 2: "2", 3: "1", 4: "1", 5: "1", 6: "1"}
    assert chosen(html, 5, "home") == str(scene.home[6].pk)
    assert chosen(html, 6, "away") == str(scene.away[6].pk)
    again = scene.form("11====", home_5=scene.home[6], away_6=scene.away[6], version=2)
    assert client.post(scene.url, again | opened(html)).status_code == 302
    assert [row[4] for row in stored(scene)] == [2, 2, 1, 1, 1, 1]


def test_a_new_cards_guesses_are_nobodys_change(client, scene):
    client.force_login(scene.captain)
    was = opened(client.get(scene.url).content.decode())
    mine = scene.form("  1=  ") | was
    scene.record(boards=scene.entries("10"), by=scene.secretary)
    html = client.post(scene.url, mine).content.decode()
    assert "Both of you" not in html
    assert results(html) == {1: "2", 2: "0", 3: "2", 4: "1"}
    assert chosen(html, 5, "home") == ""


@pytest.mark.parametrize("keep", ["theirs", "mine"])
def test_of_a_board_that_both_changed_one_is_chosen(client, scene, keep):
    client.force_login(scene.captain)
    scene.record("======")
    was = opened(client.get(scene.url).content.decode())
    mine = scene.form("1=====", home_1=scene.home[6]) | was
    scene.record("0=====", by=scene.secretary)
    html = client.post(scene.url, mine).content.decode()
    assert html.count("saved is ") == 1 and html.count("Both of you changed this board.") == 1
    assert 'name="boards-0-keep" value="theirs" checked' in html
    assert results(html)[1] == "0" and chosen(html, 1, "home") == str(scene.home[0].pk)
    form = scene.form("0=====", version=2) | opened(html) | kept(html, 1)
    # A third thing is wrong first: the question is still there, and so is its answer.
    wrong = form | {"boards-0-keep": keep, "boards-5-away": ""}
    html = client.post(scene.url, wrong).content.decode()
    assert ("Both of you" in html) == (keep == "theirs")
    assert results(html)[1] == {"theirs": "0", "mine": "2"}[keep]
    client.post(scene.url, form | {"boards-0-keep": keep})
    who = {"theirs": scene.home[0], "mine": scene.home[6]}[keep]
    assert (stored(scene)[0][1], stored(scene)[0][4]) == (who.pk, {"theirs": 0, "mine": 2}[keep])


@pytest.mark.parametrize("garbled", ["", "x", "[]", "[1]", "{}", "[" * 5000, '[{"home":1}]'])
def test_what_a_card_said_cannot_be_read_so_nothing_is_overwritten(captain, scene, garbled):
    scene.record("======")
    mine = scene.form("1=====") | {"boards-0-opened": garbled, "opened": garbled}
    scene.record("0=====")
    html = captain.post(scene.url, mine).content.decode()
    assert results(html)[1] == "0" and "Both of you" in html
    mine = {"boards-0-mine": garbled, "boards-0-keep": "mine"}
    assert captain.post(scene.url, scene.form("0=====") | mine).status_code in (200, 302)
    assert stored(scene)[0][4] == 0


def test_a_card_changed_meanwhile_shows_what_changed_and_keeps_what_is_typed(client, scene):
    client.force_login(scene.captain)
    mine = scene.form("=1=01=")
    client.force_login(scene.secretary)
    client.post(scene.url, scene.form("=1=00="))
    client.force_login(scene.captain)
    html = client.post(scene.url, mine).content.decode()
    assert f"{scene.secretary.name} saved this card at" in html
    assert html.count("saved is ") == 1
    assert (
        "saved is Kam Wa Tso 0–1 Tolemi Belavonti Marsudan;"
        " you have Kam Wa Tso 1–0 Tolemi Belavonti Marsudan." in html
    )
    assert results(html) == {1: "1", 2: "2", 3: "1", 4: "0", 5: "0", 6: "1"}
    assert stored(scene)[4][4] == 0
    assert 'name="version" value="1"' in html
    again = scene.form("=1=00=") | kept(html, 5) | {"boards-4-keep": "mine"}
    assert client.post(scene.url, again).status_code == 302
    assert stored(scene)[4][4] == 2


def test_another_day_saved_meanwhile_is_shown_too(captain, scene):
    mine = scene.form("=1=01=")
    captain.post(scene.url, scene.form("=1=01=", played_on="2026-11-20"))
    html = captain.post(scene.url, mine).content.decode()
    assert "Played on: saved is 20 November 2026; you have 24 November 2026." in html
    assert html.count("saved is ") == 1
    assert 'name="played_on" value="2026-11-20"' in html


def test_a_day_that_one_did_not_touch_is_as_saved(captain, scene):
    was = opened(captain.get(scene.url).content.decode())
    mine = scene.form("=1=01=") | was
    captain.post(scene.url, scene.form("      ", played_on="2026-11-20"))
    html = captain.post(scene.url, mine).content.decode()
    assert "Played on: now as saved, 20 November 2026." in html
    assert 'name="played_on" value="2026-11-20"' in html
    assert results(html) == {1: "1", 2: "2", 3: "1", 4: "0", 5: "2", 6: "1"}


def test_a_card_with_fewer_rows_of_an_older_version_is_shown_the_new_one(captain, scene):
    mine = scene.form("=1=01=")
    extra = replace(scene.entries("1")[0], number=7, home=scene.home[6].pk, away=scene.away[6].pk)
    scene.record(boards=[*scene.entries("======"), extra])
    html = captain.post(scene.url, mine).content.decode()
    assert "after you opened it" in html
    assert results(html) == dict.fromkeys(range(1, 7), "1") | {7: "2"}
    assert html.count("Both of you changed this board.") == 3
    assert chosen(html, 7, "home") == str(scene.home[6].pk)


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 30, "\x00", None])
def test_a_card_that_says_no_version_has_seen_none(captain, scene, version):
    captain.post(scene.url, scene.form("=1=01="))
    response = captain.post(scene.url, scene.form("=1=00=", version=version or "") | {})
    assert "after you opened it" in response.content.decode()
    assert stored(scene)[4][4] == 2


def test_saving_twice_changes_nothing_more(captain, scene):
    form = scene.form("=1=01=", away_6="new", away_name_6="Zebedee Newman")
    for _click in range(3):
        response = captain.post(scene.url, form)
        assert (response.status_code, response["Location"]) == (
            302,
            f"/matches/{scene.match.pk}/",
        )
    assert scene.reload().version == 1
    assert len(stored(scene)) == 6
    assert Player.objects.filter(surname="Newman").count() == 1
    assert RatedGame.objects.filter(event=scene.match.division.rated_event).count() == 18


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
