"""A pool whose larger changes are left to the job: a season of twelve players."""

import datetime

import pytest
from django.db import transaction

from ratings import ledger, live, rebuilding
from ratings.ledger import Played
from ratings.models import EloGame, EloRating, RatedGame, RatingPool
from tests.factories import OpeningRatingFactory, PlayerFactory, RatedEventFactory

FIRST = datetime.date(2024, 10, 7)
WEEK = datetime.timedelta(days=7)
LIMIT = 10
"""Games that are rated at once, in these tests."""

RESULTS = (2, 0, 1, 2, 2, 0, 1)


def make_season(weeks: int = 12):
    """An event of three games a week, rated as they came; returns it with its players."""
    players = PlayerFactory.create_batch(12)
    for number, player in enumerate(players[:8]):
        OpeningRatingFactory(player=player, value=14000 + 900 * number)
    event = RatedEventFactory()
    for week in range(weeks):
        record(event, *(game_of(players, week, board) for board in range(3)))
    return event, players


def game_of(players, week: int, board: int) -> Played:
    """The game of a board of a week, as it was first recorded."""
    white = (week + 4 * board) % 12
    black = (white + 1 + (week % 3)) % 12
    return Played(
        source_key=f"w{week}b{board}",
        played_on=FIRST + week * WEEK,
        round=week,
        board=board,
        number=1,
        white_id=players[white].pk,
        black_id=players[black].pk,
        white_halves=RESULTS[(3 * week + board) % 7],
        colours_known=True,
    )


def record(event, *games: Played, keys=()) -> int:
    """Post games and rate them, as a card does; returns the number of rating rows written."""
    with transaction.atomic():
        pool = ledger.lock_pool(event.pool_id)
        touched = ledger.post(event=event, keys=keys, games=games)
        return live.update(pool=pool, touched=touched)


def stored() -> tuple:
    """Every stored rating."""
    return (
        sorted(EloGame.objects.values_list(*live.ELO_COLUMNS)),
        sorted(EloRating.objects.values_list("player", "pool", "rating", "games", "marks")),
    )


def standard() -> RatingPool:
    """The pool as it is now."""
    return RatingPool.objects.get(pk="standard")


def assert_up_to_date() -> None:
    """The pool is not stale, nothing is noted, and the stored ratings are those of a rebuild."""
    pool = standard()
    assert (pool.stale_from, pool.stale_phase, pool.stale_share) == (None, "", 0)
    assert pool.stale_touches.count() == 0
    found = rebuilding.check(pool)
    assert (found.games, found.rows, found.ratings) == (RatedGame.objects.count(), [], [])


@pytest.fixture
def season(settings, transactional_db):
    """A season, and from then on a limit that its first weeks are beyond."""
    made = make_season()
    settings.MOST_GAMES_RATED_AT_ONCE = LIMIT
    return made
