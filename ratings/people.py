"""What is known of a player from outside, and its effect: a changed fact rates him again."""

from collections.abc import Collection
from datetime import date

import pghistory
from django.db import transaction
from django.db.models import Q

from clubs.models import Player

from . import live
from .ledger import Touched, place_of
from .models import OpeningRating, RatedGame, RatingPool


@transaction.atomic
def correct_birth_date(*, player: int, birth_date: date | None, by) -> int:
    """Store the birth date (and its year) of the player with this pk and rate him again.

    Juniors have a K of their own, so his ratings from his first game on may move. `by` is the
    account. Returns the number of stored rating rows that were written.
    """
    pools = lock_pools()
    person = Player.objects.select_for_update(no_key=True).get(pk=player)
    person.birth_date = birth_date
    if birth_date is not None:
        person.birth_year = birth_date.year
    with pghistory.context(user=getattr(by, "pk", None)):
        person.save(update_fields=["birth_date", "birth_year"])
    return rate_again(pools=pools, players=[player])


@transaction.atomic
def correct_opening(
    *,
    player: int,
    pool: str,
    system: str,
    value: int | None,
    dated_on: date,
    source: str,
    provisional: bool = False,
    by,
) -> int:
    """Replace a player's opening rating or grade, or with `value` None remove it; rate him again.

    `value` is in tenths for a rating, whole for a grade. Returns the number of stored rating
    rows that were written.
    """
    pools = lock_pools()
    with pghistory.context(user=getattr(by, "pk", None)):
        if value is None:
            OpeningRating.objects.filter(player=player, pool=pool, system=system).delete()
        else:
            OpeningRating.objects.update_or_create(
                player_id=player,
                pool_id=pool,
                system=system,
                defaults={
                    "value": value,
                    "provisional": provisional,
                    "dated_on": dated_on,
                    "source": source,
                },
            )
    return rate_again(pools=pools, players=[player])


def lock_pools() -> list[RatingPool]:
    """All pools, locked in the order of their names, before a fact from outside is written.

    All four, for a fact of one pool may open the rating in another (rules/elo.md section 1), and
    a card that is being saved may hold the first game there.
    """
    return list(RatingPool.objects.select_for_update(no_key=True).order_by("pk"))


def rate_again(*, pools: Collection[RatingPool], players: Collection[int]) -> int:
    """Rate these players again from their first game on, in each of the pools, which are locked.

    Returns the number of stored rating rows that were written.
    """
    written = 0
    for pool in pools:
        touched = _from_first_game(pool, players)
        if touched.since is not None:
            written += live.update(pool=pool, touched=touched, reopened=players)
    return written


def _from_first_game(pool: RatingPool, players: Collection[int]) -> Touched:
    touched = Touched()
    first = (
        RatedGame.objects.filter(event__pool=pool)
        .filter(Q(white__in=players) | Q(black__in=players))
        .select_related("event")
        .in_order_of_play()
        .first()
    )
    if first is not None:
        touched.add(place_of(first.event, first), *players)
    return touched
