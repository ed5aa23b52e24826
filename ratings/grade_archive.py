"""Grade lists as documents: all of them, original and revised, and what a revision changed."""

from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.db.models import Count

from clubs.models import Player

from .comparing import side_by_side
from .grade_lists import comes_out_on
from .models import Grade, GradeList, ListState


@dataclass(frozen=True, slots=True)
class Document:
    """A list of one cutoff and pool: as it first came out, as it stands, how many are on it."""

    first: GradeList
    newest: GradeList
    players: int

    @property
    def is_provisional(self) -> bool:
        return self.newest.state == ListState.PROVISIONAL

    @property
    def comes_out_on(self) -> date:
        return comes_out_on(self.newest)


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision and the players whom it changed, as `ratings.comparing` has them."""

    grade_list: GradeList
    players: list[Player]


def documents() -> list[Document]:
    """All our lists, the newest cutoff first, standard before rapid, in two queries."""
    lists = GradeList.objects.own().select_related("pool")
    found = [
        list(group)
        for _key, group in groupby(
            lists.order_by("-cutoff", "-pool", "-revision"),
            key=lambda made: (made.cutoff, made.pool_id),
        )
    ]
    players = players_on(group[0] for group in found)
    return [Document(group[-1], group[0], players.get(group[0].pk, 0)) for group in found]


def imported_lists() -> list[tuple[str, list[tuple[GradeList, int]]]]:
    """The lists from outside under their publishers, newest first, each with its players' number.

    In two queries.
    """
    lists = list(
        GradeList.objects.filter(state=ListState.IMPORTED)
        .select_related("pool")
        .order_by("publisher", "-published_on", "pool", "variant")
    )
    players = players_on(lists)
    return [
        (publisher, [(made, players.get(made.pk, 0)) for made in group])
        for publisher, group in groupby(lists, key=lambda made: made.publisher)
    ]


def players_on(lists) -> dict[int, int]:
    """How many players have a grade on each of these lists."""
    grades = Grade.objects.published().filter(grade_list__in=[made.pk for made in lists])
    return dict(grades.order_by().values_list("grade_list").annotate(Count("pk")))


def revisions(pool: str, cutoff: date, today: date, names_seen: bool) -> list[Revision] | None:
    """The revisions of a list, the newest first, strongest first in each; None: no such list.

    Unless all names are seen, those hidden on `today` stand last among equals.
    """
    lists = list(GradeList.objects.documents(pool, cutoff))
    if not lists:
        return None
    return [
        Revision(after, list(changed.by("after", today, names_seen, True)))
        for after, before in zip(lists, lists[1:], strict=False)
        for changed in [side_by_side(before, after).different()]
    ]
