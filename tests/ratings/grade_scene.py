"""Grade lists for the tests of their pages, stored as publishing leaves them."""

import datetime
from datetime import date

from django.utils import timezone

from ratings.models import Grade, GradeList
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, pool

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


SCHOOLCHILD = date(timezone.localdate().year - 10, 1, 1)
LIST = "/grades/2026-07-01/"
FILE = "/grades/2026-07-01.json"


def two_and_one() -> dict:
    """Two standard lists and a rapid one."""
    return {
        "before": grade_list(JANUARY),
        "now": grade_list(JULY),
        "rapid": grade_list(JULY, "rapid"),
    }


def five_and_one(lists) -> dict:
    """Five people of two clubs, and one who is not on the list: too few games."""
    hartfield = ClubFactory(name="Hartfield", slug="hartfield")
    ashdown = ClubFactory(name="Ashdown", slug="ashdown")
    quill = person("Quill", club=hartfield, ecf_code="178853L")
    ulla = person("Ullathorne", club=ashdown)
    obrien = person("O'Brien", forenames="Zoë", club=hartfield, ecf_code="102807J")
    adder = person("Adder")
    yusuf = person(
        "Applegarth", forenames="Yusuf", birth_date=SCHOOLCHILD, name_consent=True, club=ashdown
    )
    few = person("Few")
    before, now, rapid = lists["before"], lists["now"], lists["rapid"]
    graded(quill, before, 205)
    graded(obrien, before, 150)
    graded(adder, before, 120)
    graded(yusuf, before, None)
    graded(quill, now, 201, "B", 26)
    graded(ulla, now, 201, "C", 11)
    graded(obrien, now, 157, "A", 45)
    graded(adder, now, 120, None, 3)
    graded(yusuf, now, 99, "D", 7)
    graded(few, now, None)
    graded(quill, rapid, 202)
    graded(adder, rapid, 130)
    return {each.surname: each for each in (quill, ulla, obrien, adder, yusuf, few)}


def rows(client, address=FILE, **filters):
    return client.get(address, filters).json()["rows"]


def surnames(client, address=FILE, **filters):
    return " ".join(row["name"].partition(",")[0] for row in rows(client, address, **filters))
