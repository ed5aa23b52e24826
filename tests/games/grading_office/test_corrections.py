"""The grading officer's corrections: found, shown before they are stored, stored as shown."""

import datetime
import re

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from games.grading_office.verification import verify
from games.models import Board
from ratings import ledger, live, people
from ratings.models import GameCorrection, OpeningRating, RatedGame, RatingPool
from tests.factories import PlayerFactory, RatedEventFactory, RatedGameFactory, UserFactory
from tests.games.card_scene import AT, make_scene
from tests.html import Page

pytestmark = pytest.mark.django_db
DAY = datetime.date(2026, 10, 6)


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """It is the evening of the match."""
    monkeypatch.setattr(timezone, "now", lambda: AT)


@pytest.fixture
def scene(db):
    """A match of six boards that was played, with its card."""
    scene = make_scene()
    scene.record("=1=01=")
    return scene


@pytest.fixture
def officer(client):
    """A client logged in as the grading officer."""
    client.force_login(UserFactory(is_grading_officer=True, name="Gwen Office"))
    return client


@pytest.fixture
def elsewhere(scene):
    """A congress that came as a file: two rated games, the first before the match."""
    event = RatedEventFactory(name="Easter Congress")
    people = [scene.home[0], PlayerFactory(surname="Stranger"), scene.away[0]]
    for number, (white, black) in enumerate(((0, 1), (1, 2)), 1):
        day = DAY + datetime.timedelta(number)
        sides = people[white].pk, people[black].pk
        rate(event, ledger.Played(f"c{number}", day, 1, 1, number, *sides, 2, True))
    return event


def rate(event, *games) -> None:
    with transaction.atomic():
        pool = ledger.lock_pool(event.pool_id)
        live.update(pool=pool, touched=ledger.post(event=event, keys=[], games=games))


def game_of(board: int) -> RatedGame:
    """The rated game of a board of the match."""
    pk = Board.objects.filter(match__round=6).get(number=board).pk
    return RatedGame.objects.get(source_key=f"board:{pk}")


def address(game: RatedGame) -> str:
    return reverse("office_correct_game", args=[game.pk])


def typed(game: RatedGame, **changes) -> dict:
    """The form of a game as it is sent: what is stored, and what is changed."""
    return {
        "white_halves": game.white_halves,
        "played_on": game.played_on.isoformat(),
        "white": "",
        "black": "",
        "reason": "the score sheet says so",
    } | changes


def seal(response) -> str:
    """What the button of a preview sends."""
    return re.search(r'name="seen" value="([0-9a-f]{64})"', response.text)[1]


def correct(client, url: str, data: dict):
    """The form sent, and confirmed as it was shown; the last response."""
    shown = client.post(url, data)
    return client.post(url, data | {"seen": seal(shown)}, follow=True)


def everything() -> list:
    return [
        *RatedGame.objects.order_by("pk").values_list(),
        *Board.objects.order_by("pk").values_list("pk", "result", "home_player", "played_on"),
        *GameCorrection.objects.values_list(),
        *RatingPool.objects.order_by("pk").values_list(),
        *Player.objects.order_by("pk").values_list("pk", "birth_date"),
        *OpeningRating.objects.order_by("pk").values_list(),
    ]


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


# --- A person ----------------------------------------------------------------------------


def test_a_birth_date(officer, scene):
    """Established and a junior: K is 40 then, not 20."""
    who = scene.home[0]
    people.correct_opening(
        player=who.pk,
        pool="standard",
        system="elo",
        value=19000,
        dated_on=DAY,
        source="FIDE",
        by=None,
    )
    url = reverse("office_correct_birth_date", args=[who.pk])
    shown = officer.post(url, {"birth_date": "2012-03-01"})
    assert Player.objects.get(pk=who.pk).birth_date is None
    assert "games are rated again" in Page(shown).text
    correct(officer, url, {"birth_date": "2012-03-01"})
    assert Player.objects.get(pk=who.pk).birth_date == datetime.date(2012, 3, 1)
    correct(officer, url, {"birth_date": ""})
    assert Player.objects.get(pk=who.pk).birth_date is None
    assert "nothing would change" in officer.post(url, {"birth_date": ""}).text
    assert "still to come" in officer.post(url, {"birth_date": "2027-01-01"}).text
    assert verify() == []


def test_an_opening_rating_comes_changes_and_goes(officer, scene):
    who = scene.home[0]
    url = reverse("office_correct_opening", args=[who.pk])
    fact = {
        "pool": "standard",
        "system": "elo",
        "value": "2100",
        "dated_on": "2026-07-01",
        "source": "FIDE list of July 2026",
    }
    page = Page(officer.post(url, fact))
    assert "moves." in page.text or "move." in page.text
    correct(officer, url, fact)
    known = OpeningRating.objects.get(player=who, system="elo")
    assert (known.value, known.provisional) == (21000, False)
    form = officer.get(f"{url}?of={known.pk}").text
    assert 'value="2100"' in form and "FIDE list of July 2026" in form
    correct(officer, url, fact | {"provisional": "on"})
    assert OpeningRating.objects.get(pk=known.pk).provisional
    correct(officer, url, fact | {"remove": "on"})
    assert not OpeningRating.objects.filter(pk=known.pk).exists()
    assert verify() == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"value": ""}, "A whole number from 1 to 4000."),
        ({"value": "0"}, "A whole number from 1 to 4000."),
        ({"value": "999999999999999999999"}, "A whole number from 1 to 4000."),
        ({"system": "grade", "value": "500"}, "A whole number from -100 to 440."),
        ({"system": "grade", "pool": "blitz", "value": "150"}, "standard and rapid rates alone"),
        ({"dated_on": ""}, "This is needed"),
        ({"source": ""}, "This is needed"),
        ({"dated_on": "2026-12-24"}, "still to come"),
    ],
)
def test_what_no_opening_can_be(officer, scene, changes, words):
    url = reverse("office_correct_opening", args=[scene.home[0].pk])
    fact = {"pool": "standard", "system": "elo", "value": "2100", "source": "a list"}
    fact |= {"dated_on": "2026-07-01"} | changes
    before = everything()
    assert words in Page(officer.post(url, fact)).text
    assert everything() == before


# --- Too large for a request -------------------------------------------------------------


@pytest.fixture
def large(scene, elsewhere, settings):
    """Everything older than some weeks is too much."""
    settings.MOST_GAMES_RATED_AT_ONCE = 3
    game = elsewhere.games.get(source_key="c1")
    RatedGame.objects.filter(pk=game.pk).update(played_on=datetime.date(2026, 1, 5))
    with transaction.atomic():
        live.rate_at_once(
            pool=ledger.lock_pool("standard"),
            touched=ledger.Touched(
                ledger.Place(datetime.date(2026, 1, 1), 0, 0, 0, 0),
                {
                    pk: ledger.Place(datetime.date(2026, 12, 1), 0, 0, 0, 0)
                    for pk in Player.objects.values_list("pk", flat=True)
                },
                set(RatedGame.objects.values_list("pk", flat=True)),
            ),
        )
    assert verify() == []
    return RatedGame.objects.get(pk=game.pk)


def test_a_large_correction_shows_its_moves_and_that_a_job_does_it(officer, large):
    before = everything()
    shown = officer.post(address(large), typed(large, white_halves=0))
    page = Page(shown)
    count = RatedGame.objects.count()
    assert f"By a job. {count} standard games were played from 5 January 2026 on" in page.text
    assert "is rated again" in page.text or "are rated again" in page.text
    assert len(page.tables[0]) > 2
    assert everything() == before
    done = officer.post(
        address(large), typed(large, white_halves=0) | {"seen": seal(shown)}, follow=True
    )
    assert "A job works the standard ratings out again." in Page(done).text
    pool = RatingPool.objects.get(pk="standard")
    assert pool.stale_from == datetime.date(2026, 1, 5)
    assert RatedGame.objects.get(pk=large.pk).white_halves == 0


def said_by(response) -> tuple:
    """What a preview says: its sentence of games and players, and the moves."""
    page = Page(response)
    sentence = re.search(r"What it changes (.* moves?\.)", page.text)[1]
    return sentence, page.tables[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"white_halves": 0},
        {"played_on": "2026-11-22"},
        {"played_on": "2026-10-20"},
        {"black": "tolbert"},
        {"white": "newcomer", "white_halves": 1},
        {"remove": "on"},
    ],
)
def test_what_is_shown_of_a_large_correction_is_what_it_does(officer, large, settings, changes):
    """Worked out beside the ledger, and by the workflow itself."""
    PlayerFactory(surname="Newcomer")
    by_job = said_by(officer.post(address(large), typed(large, **changes)))
    settings.MOST_GAMES_RATED_AT_ONCE = 10_000
    at_once = said_by(officer.post(address(large), typed(large, **changes)))
    assert by_job == at_once


def test_so_it_is_of_a_person(officer, large, scene, settings):
    url = reverse("office_correct_opening", args=[scene.home[0].pk])
    fact = {"pool": "standard", "system": "elo", "value": "2100", "source": "a list"}
    fact |= {"dated_on": "2026-07-01"}
    by_job = said_by(officer.post(url, fact))
    settings.MOST_GAMES_RATED_AT_ONCE = 10_000
    assert by_job == said_by(officer.post(url, fact))
    correct(officer, url, fact)
    url = reverse("office_correct_birth_date", args=[scene.home[0].pk])
    at_once = said_by(officer.post(url, {"birth_date": "2012-03-01"}))
    settings.MOST_GAMES_RATED_AT_ONCE = 3
    assert said_by(officer.post(url, {"birth_date": "2012-03-01"})) == at_once


def test_a_correction_of_a_stale_pool_joins_the_job(officer, large):
    correct(officer, address(large), typed(large, white_halves=0))
    game = game_of(4)
    shown = officer.post(address(game), typed(game, white_halves=1))
    assert "By the job that runs." in Page(shown).text
    done = officer.post(
        address(game), typed(game, white_halves=1) | {"seen": seal(shown)}, follow=True
    )
    assert "Corrected." in done.text
    assert Board.objects.filter(match__round=6).get(number=4).result == 1
