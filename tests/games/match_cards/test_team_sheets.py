"""A side's line-up saved beforehand: apart from the other's, and seen by it in time."""

import datetime
import re
import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from games.match_cards.team_sheets import save_sheet, saved_sheets, sheets_for, sheets_of
from games.models import Board, Match, MatchState, Season, SheetSeat, Team, TeamState
from games.registry import people
from tests import factories
from tests.games.card_scene import AT, make_scene

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("evening")]


@pytest.fixture
def scene():
    return make_scene(played_before=False)


def post(scene, user, side, players, names=None, seen=None):
    """The sheet as the browser sends it, from a page of now unless it has `seen` another mark."""
    client = Client()
    client.force_login(user)
    mark = saved_sheets(scene.match)[side].mark if seen is None else seen
    data = {"boards-TOTAL_FORMS": 6, "boards-INITIAL_FORMS": 0, "version": mark}
    for number, player in enumerate(players, 1):
        data[f"boards-{number - 1}-{side}"] = player.pk if player else ""
    for number, name in (names or {}).items():
        data[f"boards-{number - 1}-{side}_name"] = name
        data[f"boards-{number - 1}-{side}"] = "new"
    return client.post(f"/matches/{scene.match.pk}/line-up/{side}/", data)


def drawn(scene, user) -> dict:
    """Who is foreseen on the card for this account, by side."""
    client = Client()
    client.force_login(user)
    rows = client.get(scene.url).context["page"].rows
    return {
        side: [row.seats[side].player or row.seats[side].typed or None for row in rows]
        for side in ("home", "away")
    }


NOBODY = [None] * 6


def test_each_side_sees_its_own_until_both_are_in(scene):
    home = [*scene.home[:5], None]
    assert post(scene, scene.captain, "home", home, {6: "Newman, Al"}).status_code == 302
    seen = [*scene.home[:5], "Newman, Al"]
    assert drawn(scene, scene.captain) == {"home": seen, "away": NOBODY}
    assert drawn(scene, scene.secretary) == {"home": NOBODY, "away": NOBODY}
    assert drawn(scene, scene.officer) == {"home": seen, "away": NOBODY}
    client = Client()
    client.force_login(scene.secretary)
    assert "Ashdown A’s line-up is in; you see it when yours is in too." in client.get(
        scene.url
    ).text.replace("\xa0", " ")
    assert post(scene, scene.secretary, "away", scene.away[:6]).status_code == 302
    both = {"home": seen, "away": scene.away[:6]}
    assert [drawn(scene, who) for who in (scene.captain, scene.secretary)] == [both, both]
    late = post(scene, scene.captain, "home", scene.home[1:7])
    assert late.status_code == 200 and "Both line-ups are in" in late.text
    assert drawn(scene, scene.captain) == both


def test_the_first_result_shows_what_is_in(scene):
    post(scene, scene.captain, "home", scene.home[:6])
    scene.record("=     ", by=scene.secretary)
    sheets = sheets_of(scene.match)
    assert sheets_for(scene.secretary, scene.reload(), sheets) == sheets
    assert "The match has a result" in post(scene, scene.captain, "home", scene.home[1:7]).text


@pytest.mark.parametrize(
    ("players", "names", "said"),
    [
        ([0, 0], {}, "Twice on this card."),
        ([0, 1], {3: "1"}, "“1” is no name."),
    ],
)
def test_a_sheet_that_is_refused_comes_back_as_typed(scene, players, names, said):
    answer = post(scene, scene.captain, "home", [scene.home[index] for index in players], names)
    assert answer.status_code == 200 and said in answer.text
    assert not SheetSeat.objects.exists()


def test_a_sheet_is_changed_and_withdrawn(scene):
    post(scene, scene.captain, "home", scene.home[:6])
    post(scene, scene.captain, "home", scene.home[1:7])
    assert sheets_of(scene.match)["home"] == dict(enumerate([p.pk for p in scene.home[1:7]], 1))
    post(scene, scene.captain, "home", [])
    assert not SheetSeat.objects.exists()


def test_two_of_one_side_do_not_overwrite_each_other(scene):
    post(scene, scene.captain, "home", scene.home[:6])
    seen = saved_sheets(scene.match)["home"].mark
    secretary = factories.ClubRoleFactory(club=scene.match.home.club, user__name="Ann Example").user
    later = AT + datetime.timedelta(minutes=1)
    theirs = {number: player.pk for number, player in enumerate(scene.home[1:7], 1)}
    sheet = {"match": scene.match.pk, "side": "home", "seats": theirs, "by": secretary}
    save_sheet(seen=seen, at=later, **sheet)
    answer = post(scene, scene.captain, "home", scene.home[2:8], seen=seen)
    assert sheets_of(scene.match)["home"] == theirs
    assert "Ann Example saved this line-up meanwhile." in answer.text
    page = answer.context["page"]
    assert page.newer == [(number, str(who)) for number, who in enumerate(scene.home[1:7], 1)]
    assert [row.seats["home"].player for row in page.rows] == scene.home[2:8]
    assert f'name="version" value="{later.isoformat()}"' in answer.text
    assert post(scene, scene.captain, "home", scene.home[2:8], seen=page.mark).status_code == 302
    assert list(sheets_of(scene.match)["home"].values()) == [who.pk for who in scene.home[2:8]]


def test_who_was_merged_meanwhile_is_chosen_by_his_other_name(scene):
    kept = factories.PlayerFactory(surname="Kept", forenames="Karl")
    gone = factories.PlayerFactory(surname="Gone", state="merged", merged_into=kept)
    answer = post(scene, scene.captain, "home", [gone])
    assert answer.status_code == 200 and "choose that name" in answer.text
    assert not SheetSeat.objects.exists()


def told(scene, user) -> list[str]:
    """What the history says of line-ups to this account, the newest first."""
    client = Client()
    client.force_login(user)
    page = client.get(f"/matches/{scene.match.pk}/history/")
    lines = [line for each, _number in page.context["rows"] for line in each.lines]
    found = [line for line in lines if "line-up of" in line]
    assert bool(found) == ("ine-up of" in page.text)
    return found


def test_the_history_of_a_line_up_is_told_to_whom_it_is_shown(scene):
    first, second, third = map(str, scene.home[:3])
    post(scene, scene.captain, "home", scene.home[:2])
    post(scene, scene.captain, "home", [scene.home[0], scene.home[2]], {3: "Newman, Al"})
    line = "line-up of Ashdown A, board"
    home = [
        *(f"{line} 2: {second} taken out", f"{line} 2: {third}", f"{line} 3: Newman, Al"),
        *(f"{line} 1: {first}", f"{line} 2: {second}"),
    ]
    assert told(scene, scene.captain) == told(scene, scene.officer) == home
    assert told(scene, scene.secretary) == []
    away = str(scene.away[0])
    post(scene, scene.secretary, "away", scene.away[:1])
    both = [f"line-up of Hartfield A, board 1: {away}", *home]
    assert told(scene, scene.captain) == told(scene, scene.secretary) == both


def test_the_match_leads_to_the_line_ups_that_one_may_see(scene):
    own, card = f"/matches/{scene.match.pk}/line-up/home/", scene.url

    def links(user) -> set[str]:
        client = Client()
        if user:
            client.force_login(user)
        page = client.get(f"/matches/{scene.match.pk}/").text
        return set(re.findall(r'<p class="sheets.*?<a href="(.*?)"', page))

    assert links(scene.captain) == {own}
    assert links(scene.officer) == links(None) == set()
    post(scene, scene.captain, "home", scene.home[:6])
    assert (links(scene.captain), links(scene.officer)) == ({own}, {card})
    assert links(None) == set()
    post(scene, scene.secretary, "away", scene.away[:6])
    everybody = (scene.captain, scene.secretary, scene.officer)
    assert [links(user) for user in everybody] == [{card}] * 3
    scene.record(by=scene.captain)
    assert [links(user) for user in everybody] == [set()] * 3


def merge(scene, keep, drop):
    chosen = {"opening-standard-grade": "kept"}
    return people.merge_players(keep=keep.pk, drop=drop.pk, by=None, at=AT, choices=chosen)


def test_nobody_sits_twice_in_a_line_up_after_a_merge(scene):
    first, second = scene.home[:2]
    post(scene, scene.captain, "home", [first, second])
    with pytest.raises(people.MergeRefused, match="Both are in one line-up for Ashdown A v"):
        merge(scene, first, second)
    scene.record("=     ", by=scene.secretary)  # from now on the card says who was there
    Board.objects.filter(match=scene.match, number=2).delete()
    merged = merge(scene, first, second)
    assert sheets_of(scene.match)["home"] == {1: first.pk}
    people.undo_merge(merge=merged.pk, by=None, at=AT)
    assert sheets_of(scene.match)["home"] == {1: first.pk, 2: second.pk}


def test_a_board_of_a_line_up_that_was_given_away_is_not_taken_back(scene):
    first, second, third = scene.home[:3]
    post(scene, scene.captain, "home", [first, second])
    call_off(scene, "void")
    merged = merge(scene, first, second)
    SheetSeat.objects.update(saved_by=None)
    factories.SheetSeatFactory(match=scene.match, team=scene.match.home, number=2, player=third)
    people.undo_merge(merge=merged.pk, by=None, at=AT)
    assert sheets_of(scene.match)["home"] == {1: first.pk, 2: third.pk}


def test_a_seat_comes_back_without_the_account_that_saved_it_and_not_without_its_match(scene):
    first, second = scene.home[:2]
    saver = factories.UserFactory()
    for number, player in enumerate((first, second), 1):
        factories.SheetSeatFactory(
            match=scene.match, team=scene.match.home, number=number, player=player, saved_by=saver
        )
    call_off(scene, "void")
    merged = merge(scene, first, second)
    saver.delete()
    people.undo_merge(merge=merged.pk, by=None, at=AT)
    assert SheetSeat.objects.get(player=second).saved_by is None
    merged = merge(scene, first, second)
    scene.match.delete()
    people.undo_merge(merge=merged.pk, by=None, at=AT)
    assert not SheetSeat.objects.exists()


def call_off(scene, how: str) -> None:
    """The match is void, its guests have withdrawn, or its season was closed without it."""
    if how == "void":
        Match.objects.filter(pk=scene.match.pk).update(state=MatchState.VOID, decision="Snow")
    elif how == "withdrawn":
        Team.objects.filter(pk=scene.match.away_id).update(state=TeamState.WITHDRAWN)
    else:
        Season.objects.update(closed_at=AT)


@pytest.mark.parametrize("how", ["void", "withdrawn", "closed"])
def test_a_match_that_will_not_be_played_needs_no_line_up_and_keeps_nobody_apart(scene, how):
    first, second = scene.home[:2]
    post(scene, scene.captain, "home", [first, second])
    call_off(scene, how)
    client = Client()
    client.force_login(scene.captain)
    for url in (f"/matches/{scene.match.pk}/", scene.url):
        assert "/line-up/" not in client.get(url).text
    said = "The match will not be played: it needs no line-up."
    assert said in client.get(f"/matches/{scene.match.pk}/line-up/home/").text
    post(scene, scene.captain, "home", [second])
    assert sheets_of(scene.match)["home"] == {1: first.pk, 2: second.pk}
    merge(scene, first, second)
    assert sheets_of(scene.match)["home"] == {1: first.pk}


def test_a_merge_and_its_undo_take_the_seat_of_a_line_up_along(scene):
    twin = factories.PlayerFactory()
    post(scene, scene.captain, "home", [twin])
    merged = merge(scene, scene.home[0], twin)
    assert SheetSeat.objects.get().player == scene.home[0]
    words = f"line-up of Ashdown A, board 1: {twin} is {scene.home[0]}"
    assert told(scene, scene.captain)[0] == words
    people.undo_merge(merge=merged.pk, by=None, at=AT)
    assert SheetSeat.objects.get().player == twin


def test_both_sides_save_at_once(scene):
    barrier = threading.Barrier(2)

    def save(side, players, user):
        barrier.wait(5)
        try:
            seats = {number: player.pk for number, player in enumerate(players[:6], 1)}
            save_sheet(match=scene.match.pk, side=side, seats=seats, seen="", by=user, at=AT)
        finally:
            connection.close()

    sides = (("home", scene.home, scene.captain), ("away", scene.away, scene.secretary))
    threads = [threading.Thread(target=save, args=each) for each in sides]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {side: len(seats) for side, seats in sheets_of(scene.match).items()} == {
        "home": 6,
        "away": 6,
    }


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"number": 1}, "games_sheetseat_one_per_board"),
        ({"number": 17}, "games_sheetseat_number_known"),
        ({"name": "Newman, Al"}, "games_sheetseat_player_or_name"),
        ({"again": True}, "games_sheetseat_player_once"),
    ],
)
def test_the_database_refuses(scene, values, name):
    post(scene, scene.captain, "home", scene.home[:2])
    seat = SheetSeat.objects.get(number=2)
    if values.pop("again", False):
        values = {"player": scene.home[0]}
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        SheetSeat.objects.filter(pk=seat.pk).update(**values)
