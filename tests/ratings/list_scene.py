"""Games of one event entered in a ledger, and the grade lists made of them."""

from datetime import date

from django.db import transaction

from ratings import ledger, lists, live, people, revisions
from ratings.ledger import Played
from ratings.models import Grade
from tests.factories import OpeningRatingFactory, PlayerFactory, RatedEventFactory, pool
from tests.ratings.grade_scene import JULY, noon

NEXT = date(2027, 1, 1)


def nothing_outstanding(pool, cutoff):
    return 0


def publish(cutoff, name="standard"):
    return lists.publish(
        pool=name, cutoff=cutoff, at=noon(cutoff), by=None, outstanding=nothing_outstanding
    )


def publish_due(day):
    return lists.publish_due(at=noon(day), outstanding=nothing_outstanding)


class Ledger:
    """Games of one event, written by who played whom, when, and White's half-points."""

    def __init__(self, name="standard"):
        self.event = RatedEventFactory(pool=pool(name))
        self.count = 0

    def play(self, white, black, halves, day, *, times=1, key=None):
        for _ in range(times):
            self.count += 1
            self.post(key or f"{self.event.pk}:{self.count}", white, black, halves, day)

    def post(self, key, white, black, halves, day):
        game = Played(key, day, 0, 0, self.count, white.pk, black.pk, halves, True)
        self._post([key], [game])

    def remove(self, key):
        self._post([key], [])

    def _post(self, keys, games):
        with transaction.atomic():
            locked = ledger.lock_pool(self.event.pool_id)
            touched = ledger.post(event=self.event, keys=keys, games=games)
            live.update(pool=locked, touched=touched)

    def publish(self, *cutoffs):
        for cutoff in cutoffs:
            made = publish(cutoff, self.event.pool_id)
        return made

    def revise(self, cutoff, reason="board 3 was entered wrong"):
        return revisions.revise(
            pool=self.event.pool_id, cutoff=cutoff, at=noon(JULY), by=None, reason=reason
        )


def graded(grade, day=date(2025, 7, 1), name="standard"):
    """A player with this opening grade."""
    player = PlayerFactory()
    OpeningRatingFactory(player=player, pool=pool(name), system="grade", value=grade, dated_on=day)
    return player


def grade_of(player, grade_list):
    return Grade.objects.get(player=player, grade_list=grade_list)


def correct_opening(player, value, name="standard"):
    people.correct_opening(
        player=player.pk,
        pool=name,
        system="grade",
        value=value,
        dated_on=date(2025, 7, 1),
        source="another list",
        by=None,
    )
