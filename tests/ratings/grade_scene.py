"""Grade lists for the tests of their pages, stored as publishing leaves them."""

import datetime
from datetime import date

from ratings.models import Grade, GradeList
from tests.factories import MembershipFactory, PlayerFactory, pool

JULY_25, JANUARY, JULY = date(2025, 7, 1), date(2026, 1, 1), date(2026, 7, 1)


def noon(day):
    return datetime.datetime(day.year, day.month, day.day, 12, tzinfo=datetime.UTC)


def grade_list(cutoff, in_pool="standard", *, state="published", revision=0, **fields):
    """A list without anybody on it yet, published on the 15th."""
    if state == "published":
        fields.setdefault("published_at", noon(cutoff.replace(day=15)))
    return GradeList.objects.create(
        pool=pool(in_pool), cutoff=cutoff, state=state, revision=revision, rules="BRIEF", **fields
    )


def graded(player, on, published, category="C", games=19):
    """The player's grade on a list, all of it his opening grade's; None is kept for later."""
    return Grade.objects.create(
        grade_list=on,
        player=player,
        numerator=30 * (published or 0),
        divisor=30,
        grade=published,
        published=published,
        category=None if published is None else category,
        recent=games,
        opening_games=30,
        opening_grade=published or 0,
    )


def person(surname, *, forenames="Robin", club=None, **fields):
    player = PlayerFactory(surname=surname, forenames=forenames, **fields)
    if club is not None:
        MembershipFactory(player=player, club=club)
    return player
