"""Two entries of one person merged and taken apart, and what each has played."""

import datetime

from games.registry.people import merge_players, undo_merge
from ratings import ledger, live
from ratings.ledger import Played
from tests.factories import RatedEventFactory
from tests.games.card_scene import AT, TODAY, play_before

DAY = datetime.timedelta(days=1)


def play(scene, player, days, results=(2, 1, 0)):
    """One match a day against strangers, with this player on a board of the home team."""
    return [
        play_before(scene.match.home, [player], day, results[number % len(results)])
        for number, day in enumerate(days)
    ]


def merge(keep, drop, by=None, **choices):
    return merge_players(keep=keep.pk, drop=drop.pk, by=by, at=AT, choices=choices)


def undo(merged):
    return undo_merge(merge=merged.pk, by=None, at=AT)


def days(first, count, step=7):
    return [first + DAY * step * number for number in range(count)]


def met_elsewhere(one, other, key="congress"):
    """A game between the two in an event without any card."""
    event = RatedEventFactory(name="Kingsmead Congress")
    game = Played(key, TODAY - DAY * 30, 1, 1, 1, one.pk, other.pk, 2, True)
    touched = ledger.post(event=event, keys=(), games=[game])
    live.update(pool=ledger.lock_pool("standard"), touched=touched)
