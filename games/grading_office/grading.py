"""What the league office hands to the grade lists: which cards are to come, and what it sets."""

from datetime import date, datetime

from django.db import transaction

from games.match_querysets import MatchQuerySet
from games.models import Match
from ratings import ecf, ledger, lists, people
from ratings.models import System


def outstanding_cards(pool: str, cutoff: date, today: date) -> MatchQuerySet:
    """The matches before today whose card may still change the list: of its 36 months."""
    window = Match.objects.filter(played_on__gte=ecf.cutoffs_back(cutoff, 6))
    return window.outstanding(min(cutoff, today), pool)


def count_outstanding(pool: str, cutoff: date) -> int:
    """How many cards of a list whose day has come are still to come, as `ratings.lists` asks."""
    return outstanding_cards(pool, cutoff, cutoff).count()


@transaction.atomic
def set_opening_grade(
    *, player: int, pool: str, grade: int, dated_on: date, source: str, by, at: datetime
) -> int:
    """Set a player's opening grade; Elo follows at once, and provisional lists do.

    All of them, for a grade at one rate of play may be what he starts from at the other. Returns
    the number of stored rating rows that were written.
    """
    written = people.correct_opening(
        player=player,
        pool=pool,
        system=System.GRADE,
        value=grade,
        dated_on=dated_on,
        source=source,
        by=by,
    )
    for name in sorted(lists.GRADED_POOLS):
        lists.recompute_provisional(pool=name, at=at, outstanding=count_outstanding)
    return written


@transaction.atomic
def set_list_rules(
    *,
    pool: str,
    grade_rules: str,
    publish_after_days: int,
    juniors_start_anew: bool,
    at: datetime,
) -> None:
    """Change how the pool's lists are made from the next one on; a provisional one follows.

    Published lists keep the rules they came out under, revisions of them too.
    """
    locked = ledger.lock_pool(pool)
    locked.grade_rules = grade_rules
    locked.publish_after_days = publish_after_days
    locked.juniors_start_anew = juniors_start_anew
    locked.save(update_fields=["grade_rules", "publish_after_days", "juniors_start_anew"])
    lists.recompute_provisional(pool=pool, at=at, outstanding=count_outstanding)
