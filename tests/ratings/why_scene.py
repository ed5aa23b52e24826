"""Players whose grades and Elos are asked after, and the pages that explain them."""

from datetime import date

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import OpeningRatingFactory, PlayerFactory, pool
from tests.html import Page


def graded(grade, surname="Graded", name="standard"):
    """A player with this opening grade of 1 July 2025."""
    player = PlayerFactory(surname=surname)
    OpeningRatingFactory(
        player=player,
        pool=pool(name),
        system="grade",
        value=grade,
        dated_on=date(2025, 7, 1),
        source="set by the officer",
    )
    return player


def rated(tenths, surname="Rated", **fields):
    """A player with this rating from outside."""
    player = PlayerFactory(surname=surname)
    OpeningRatingFactory(player=player, value=tenths, source="a list", **fields)
    return player


def why(player, cutoff, **query):
    return reverse("grade_why", args=[player.pk, cutoff], query=query)


def look(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return Page(response)


def queries(client, address):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def far_and(hero):
    """White and black of the drawn game."""
    far = hero.games_with_black.select_related("white").get().white
    return far, hero
