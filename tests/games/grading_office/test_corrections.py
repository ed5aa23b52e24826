"""The grading officer's corrections: games found, shown before they are stored, stored as shown."""

import datetime

import pytest
from django.urls import reverse

from games.grading_office.verification import verify
from games.models import Board
from ratings.models import GameCorrection, RatedGame
from tests.factories import PlayerFactory, RatedEventFactory, RatedGameFactory
from tests.games.card_scene import AT, make_scene
from tests.games.correction_scene import (
    address,
    correct,
    everything,
    game_of,
    seal,
    typed,
)
from tests.html import Page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("evening")]


# --- Finding -----------------------------------------------------------------------------


def test_a_player_is_found_with_his_facts_and_games(officer, scene, elsewhere):
    who = scene.home[0]
    found = officer.get(reverse("office_corrections"), {"q": "lovell"})
    own = reverse("office_correct_player", args=[who.pk])
    assert f'href="{own}"' in found.text
    page = Page(officer.get(own))
    facts, games = page.tables
    assert facts[1][:2] == ["Birth date", "–"]
    assert facts[2][0].startswith("Standard, grade")
    assert len(games) == 1 + RatedGame.objects.of_player(who.pk).count()
    addresses = [link for text, link in page.links if text.startswith("Correct")]
    for game in RatedGame.objects.of_player(who.pk):
        assert f"{address(game)}?of={who.pk}" in addresses


def test_the_games_of_a_match_lead_to_their_corrections(officer, scene):
    response = officer.get(reverse("office_corrections"), {"match": scene.match.pk})
    assert all(f'href="{address(game_of(number))}"' in response.text for number in range(1, 7))
    match_page = officer.get(scene.match.get_absolute_url()).text
    assert reverse("office_corrections", query={"match": scene.match.pk}) in match_page
    assert officer.get(reverse("office_corrections"), {"match": "x"}).status_code == 404
    assert officer.get(reverse("office_corrections"), {"match": "99999"}).status_code == 404


@pytest.mark.parametrize("words", ["", "\x00", "x" * 300, "lovell \x00", "%_"])
def test_no_search_is_an_error(officer, scene, words):
    assert officer.get(reverse("office_corrections"), {"q": words}).status_code == 200


def test_links_are_for_those_who_may(officer, client, scene):
    page = scene.home[0].get_absolute_url()
    link = reverse("office_correct_player", args=[scene.home[0].pk])
    assert link in officer.get(page).text
    assert reverse("office_corrections") in officer.get(reverse("office_grades")).text
    client.force_login(scene.officer)
    assert link not in client.get(page).text
    assert "/office/corrections/" not in client.get(scene.match.get_absolute_url()).text


def test_fifty_games_a_page_and_queries_that_do_not_grow(
    officer, scene, django_assert_max_num_queries
):
    who, event = PlayerFactory(), RatedEventFactory()
    RatedGameFactory.create_batch(60, event=event, white=who)
    page = reverse("office_correct_player", args=[who.pk])
    with django_assert_max_num_queries(10):
        assert len(Page(officer.get(page)).tables[1]) == 51
    assert len(Page(officer.get(page, {"page": 2})).tables[1]) == 11


# --- A game of a card --------------------------------------------------------------------


def test_a_result_is_shown_first_and_stored_when_confirmed(officer, scene):
    game = game_of(4)
    before = everything()
    shown = officer.post(address(game), typed(game, white_halves=1))
    assert everything() == before
    page = Page(shown)
    assert "1 game is rated again, and the ratings of 2 players move. It is done at once." in (
        page.text
    )
    moves = {row[0]: row[3] for row in page.tables[0][1:]}
    assert len(moves) == 2
    done = officer.post(
        address(game), typed(game, white_halves=1) | {"seen": seal(shown)}, follow=True
    )
    assert "Corrected. 1 game was rated again." in Page(done).text
    assert Board.objects.filter(match__round=6).get(number=4).result == 1
    assert scene.reload().version == 2
    assert verify() == []
    told = Board.objects.filter(match__round=6).get(number=4).events.latest("pgh_id")
    assert told.pgh_context["why"] == "the score sheet says so"


def test_the_forms_begin_with_what_is_stored(officer, scene):
    game, who = game_of(2), scene.home[0]
    form = officer.get(address(game)).text
    assert f'value="{game.played_on.isoformat()}"' in form
    assert f"left empty it stays {game.white}" in form
    for name in ("office_correct_birth_date", "office_correct_opening"):
        assert officer.get(reverse(name, args=[who.pk])).status_code == 200
        assert officer.get(reverse(name, args=[99999999])).status_code == 404


def test_what_changed_meanwhile_is_shown_once_more(officer, scene):
    """Another officer corrects an earlier game of the same player: these moves are others now."""
    game = game_of(4)
    shown = officer.post(address(game), typed(game, white_halves=1))
    other = RatedGame.objects.filter(white=game.white_id).exclude(pk=game.pk).first()
    other = other or RatedGame.objects.filter(black=game.white_id).exclude(pk=game.pk).first()
    assert correct(officer, address(other), typed(other, white_halves=2)).status_code == 200
    before = everything()
    again = officer.post(address(game), typed(game, white_halves=1) | {"seen": seal(shown)})
    assert "This is not what you saw before" in again.text
    assert everything() == before
    done = officer.post(
        address(game), typed(game, white_halves=1) | {"seen": seal(again)}, follow=True
    )
    assert "Corrected." in done.text and verify() == []


def test_other_cards_meanwhile_do_not_matter(officer, scene):
    game = game_of(4)
    shown = officer.post(address(game), typed(game, white_halves=1))
    make_scene(name="-2", played_before=False).record("111111")
    done = officer.post(
        address(game), typed(game, white_halves=1) | {"seen": seal(shown)}, follow=True
    )
    assert "Corrected." in done.text and verify() == []


def test_what_was_typed_after_the_preview_is_shown_once_more(officer, scene):
    game = game_of(4)
    shown = officer.post(address(game), typed(game, white_halves=1))
    before = everything()
    again = officer.post(
        address(game), typed(game, white_halves=2 - game.white_halves) | {"seen": seal(shown)}
    )
    assert "This is not what you saw before" in again.text and everything() == before


def test_a_double_click_on_the_button_corrects_once(officer, scene):
    game = game_of(4)
    shown = officer.post(address(game), typed(game, white_halves=1))
    data = typed(game, white_halves=1) | {"seen": seal(shown)}
    assert "Corrected." in officer.post(address(game), data, follow=True).text
    assert "This is stored already." in officer.post(address(game), data, follow=True).text
    assert scene.reload().version == 2


def test_a_board_gets_its_own_day(officer, scene):
    game = game_of(2)
    correct(officer, address(game), typed(game, played_on="2026-11-20"))
    board = Board.objects.filter(match__round=6).get(number=2)
    assert board.played_on == datetime.date(2026, 11, 20)
    assert RatedGame.objects.get(pk=game.pk).played_on == datetime.date(2026, 11, 20)
    again = game_of(2)
    correct(officer, address(again), typed(again, played_on="2026-11-24"))
    assert Board.objects.get(pk=board.pk).played_on is None
    assert verify() == []


def test_another_player_sat_at_the_board(officer, scene):
    game = game_of(2)  # the home side has White on even boards
    substitute = scene.home[6]
    correct(officer, address(game), typed(game, white="ravenscroft"))
    assert RatedGame.objects.get(pk=game.pk).white_id == substitute.pk
    assert Board.objects.filter(match__round=6).get(number=2).home_player_id == substitute.pk
    assert verify() == []


def test_the_result_taken_off_a_board_leaves_its_players(officer, scene):
    game = game_of(2)
    correct(officer, address(game), typed(game, remove="on"))
    board = Board.objects.filter(match__round=6).get(number=2)
    assert (board.result, board.home_player_id) == (None, scene.home[1].pk)
    assert not RatedGame.objects.filter(pk=game.pk).exists()
    assert verify() == []


def test_what_the_card_refuses_is_said_and_nothing_is_lost(officer, scene):
    game = game_of(2)
    before = everything()
    response = officer.post(address(game), typed(game, white="lovell", reason="he sat there"))
    assert "Twice on this card." in Page(response).text
    assert 'value="lovell"' in response.text and "he sat there" in response.text
    assert everything() == before


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"played_on": "2026-11-25"}, "This day is still to come."),
        ({"played_on": "yesterday"}, "Enter a valid date."),
        ({"played_on": "1066-10-14"}, "Not before the year 1850."),
        ({"white_halves": "3"}, "Select a valid choice"),
        ({"white": "nobody at all"}, "Nobody of this name or code."),
        ({"white": "müllner", "black": "müllner"}, "Nobody plays himself."),
        ({"reason": ""}, "This field is required."),
        ({"reason": "x" * 301}, "at most 300 characters"),
        ({}, "This is what is stored: nothing would change."),
    ],
)
def test_what_cannot_be_is_said(officer, scene, changes, words):
    game = game_of(2)
    before = everything()
    assert words in Page(officer.post(address(game), typed(game, **changes))).text
    assert everything() == before


def test_one_of_a_name_is_chosen(officer, scene):
    twins = [PlayerFactory(surname="Twin", forenames="Tom") for _ in range(2)]
    game = game_of(2)
    asked = officer.post(address(game), typed(game, white="tom twin"))
    assert "2 players fit: choose one." in Page(asked).text
    assert f'name="white_id" value="{twins[1].pk}"' in asked.text
    correct(officer, address(game), typed(game, white="tom twin", white_id=twins[1].pk))
    assert RatedGame.objects.get(pk=game.pk).white_id == twins[1].pk


# --- A game of elsewhere -----------------------------------------------------------------


def test_a_game_of_the_ledger_keeps_what_it_was_and_why(officer, scene, elsewhere):
    game = elsewhere.games.get(source_key="c1")
    done = correct(officer, address(game), typed(game, white_halves=0))
    assert "Corrected." in done.text
    log = GameCorrection.objects.get()
    assert (log.source_key, log.event, log.reason) == ("c1", elsewhere, "the score sheet says so")
    assert (log.before["white_halves"], log.after["white_halves"]) == (2, 0)
    assert log.before["played_on"] == game.played_on.isoformat()
    assert (log.corrected_by.name, log.corrected_at) == ("Gwen Office", AT)
    assert verify() == []
    page = Page(officer.get(reverse("office_corrections")))
    assert page.tables[-1][1][1] == "the score sheet says so"


def test_a_game_of_the_ledger_is_deleted_re_dated_and_given_to_another(officer, scene, elsewhere):
    first, second = elsewhere.games.order_by("source_key")
    correct(officer, address(first), typed(first, remove="on"))
    assert not RatedGame.objects.filter(source_key="c1").exists()
    assert GameCorrection.objects.get().after is None
    correct(officer, address(second), typed(second, played_on="2026-10-01", black="tolbert"))
    moved = RatedGame.objects.get(source_key="c2")
    assert (moved.played_on, moved.black) == (datetime.date(2026, 10, 1), scene.away[3])
    assert verify() == []
    assert officer.get(address(first)).status_code == 404


def test_a_place_that_is_taken_is_said(officer, scene, elsewhere):
    first, second = elsewhere.games.order_by("source_key")
    RatedGame.objects.filter(pk=second.pk).update(number=first.number)
    response = officer.post(address(second), typed(second, played_on=first.played_on.isoformat()))
    assert "Another game of the event stands at this place on this day." in Page(response).text
