"""The officer's corrections in a real browser: whole at every width, worked by keyboard alone."""

import datetime

import pytest
from django.urls import reverse

from games.grading_office.verification import verify
from games.models import Board
from ratings.models import RatedGame, RatingPool
from tests.browser.looking import faults
from tests.factories import PlayerFactory, UserFactory
from tests.games.card_scene import AT, make_scene

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game():
    """A rated game of a card, of somebody with a long name."""
    scene = make_scene()
    scene.home[1].surname = "Wolfeschlegelsteinhausenbergerdorff"
    scene.home[1].save()
    scene.record("=1=01=", at=AT)
    PlayerFactory.create_batch(2, surname="Twin", forenames="Tom")
    board = Board.objects.get(match=scene.match, number=2)
    return RatedGame.objects.get(source_key=f"board:{board.pk}")


def preview(page, game, **typed) -> None:
    page.goto(reverse("office_correct_game", args=[game.pk]))
    page.get_by_label("Result", exact=True).select_option("0")
    for label, text in typed.items():
        page.get_by_label(label, exact=False).fill(text)
    page.get_by_label("Reason").fill("The score sheet says so")
    page.get_by_role("button", name="Show what it changes").click()
    page.wait_for_load_state()


def test_the_corrections_are_whole_and_accessible(browse, game):
    RatingPool.objects.filter(pk="blitz").update(
        stale_from=datetime.date(2024, 9, 3), stale_phase="computing", stale_share=40
    )
    player = game.white_id
    places = {
        "search": lambda page: page.goto(f"{reverse('office_corrections')}?q=wolfe"),
        "player": lambda page: page.goto(reverse("office_correct_player", args=[player])),
        "birth date": lambda page: page.goto(reverse("office_correct_birth_date", args=[player])),
        "opening": lambda page: page.goto(reverse("office_correct_opening", args=[player])),
        "preview": lambda page: preview(page, game),
        "several": lambda page: preview(page, game, **{"Another player with White": "tom twin"}),
    }

    def scenario(page):
        found = {}
        for name, go in places.items():
            go(page)
            found[name] = faults(page)
        return found

    found = browse(scenario, user=UserFactory(is_grading_officer=True))
    assert found == dict.fromkeys(places, {})


def test_a_result_is_corrected_by_keyboard(browse, game):
    words = f"Correct {game}"

    def press(page, name, role="link"):
        page.get_by_role(role, name=name).first.focus()
        page.keyboard.press("Enter")
        page.wait_for_load_state()

    def scenario(page):
        page.goto(reverse("office_grades"))
        press(page, "corrections")
        page.get_by_label("Player, by name or ECF code").fill("wolfeschlegel")
        page.keyboard.press("Enter")
        press(page, "Wolfeschlegelsteinhausenbergerdorff, Ronald J")
        press(page, words)
        page.get_by_label("Result", exact=True).focus()
        page.keyboard.type("0")
        page.get_by_label("Reason").fill("Typed the wrong way round")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="What it changes").wait_for()
        press(page, "Correct it", role="button")
        return page.get_by_role("status").first.inner_text()

    told = browse(scenario, user=UserFactory(is_grading_officer=True))
    assert told.startswith("Corrected.")
    assert RatedGame.objects.get(pk=game.pk).white_halves == 0
    assert verify() == []
