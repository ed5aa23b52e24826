"""The form of a correction: typed, looked at, sealed and sent."""

import datetime
import re

from django.db import transaction
from django.urls import reverse

from clubs.models import Player
from games.models import Board
from ratings import ledger, live
from ratings.models import GameCorrection, OpeningRating, RatedGame, RatingPool

DAY = datetime.date(2026, 10, 6)


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
