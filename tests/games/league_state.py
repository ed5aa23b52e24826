"""All that the league and the rating office have stored, to compare before with after."""

from clubs.models import Membership, Player, User
from games.models import Board, Registration
from ratings.models import (
    EloGame,
    EloRating,
    Grade,
    GradedGame,
    OpeningRating,
    RatedGame,
)

KEPT_FOR_GOOD = (
    *(Player, Membership, Registration, Board, RatedGame, EloGame),
    *(OpeningRating, Grade, GradedGame),
)


def everything() -> dict[str, list[tuple]]:
    """Every row of whom a merge may touch, by table; an account only by whom it is linked to.

    A rating of now is known by player and pool: its row is made anew with his first game.
    """
    found = {
        model.__name__: sorted(model.objects.values_list(), key=repr) for model in KEPT_FOR_GOOD
    }
    found["User"] = sorted(User.objects.values_list("pk", "player"))
    found["EloRating"] = ratings()
    return found


def ratings() -> list[tuple]:
    """The stored rating of everybody in every pool."""
    columns = ("player", "pool", "rating", "games", "marks", "established")
    return sorted(EloRating.objects.values_list(*columns))
