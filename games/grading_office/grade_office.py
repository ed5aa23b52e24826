"""What the grading officer's pages show: the list that comes next, and the people it leaves out."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, F, Q

from clubs.models import Player
from ratings import ecf, lists
from ratings.models import Grade, GradeList, PoolName, RatingPool

from .grading import outstanding_cards

LATEST = 8
"""How many published lists of a pool the office shows."""


@dataclass(frozen=True, slots=True)
class NextList:
    """The list of a pool that has not come out; `grade_list` is None until it is worked out.

    `waits_for` names the earlier list, of either pool, that has to be published first.
    """

    cutoff: date
    grade_list: GradeList | None
    comes_out_on: date
    is_due: bool
    waits_for: str
    outstanding: int


@dataclass(frozen=True, slots=True)
class PoolOffice:
    """One pool and its settings: the next list, those that came out, and who is on none.

    `published` counts the grades of the newest list, provisional or not, `below` those kept for
    later, `unanchored` the players without any tie; all are 0 without a list.
    """

    pool: PoolName
    settings: RatingPool
    next: NextList | None
    newest: GradeList | None
    published: int
    below: int
    unanchored: int
    lists: list[GradeList]


def offices(today: date) -> list[PoolOffice]:
    """Each pool that has grades, as it stands on `today`."""
    return [_office(PoolName(name), today) for name in lists.GRADED_POOLS]


def _office(pool: PoolName, today: date) -> PoolOffice:
    settings = RatingPool.objects.get(pk=pool)
    coming = _next_list(settings, today)
    came_out = list(
        GradeList.objects.in_force()
        .filter(pool=pool)
        .select_related("published_by")
        .annotate(players=Count("grades", filter=Q(grades__published__isnull=False)))[:LATEST]
    )
    newest = (coming and coming.grade_list) or (came_out[0] if came_out else None)
    counts = {"published": 0, "below": 0}
    if newest is not None:
        counts = newest.grades.aggregate(published=Count("published"), below=Count("pk"))
        counts["below"] -= counts["published"]
    return PoolOffice(
        pool=pool,
        settings=settings,
        next=coming,
        newest=newest,
        unanchored=len(newest.unanchored) if newest else 0,
        lists=came_out,
        **counts,
    )


def _next_list(settings: RatingPool, today: date) -> NextList | None:
    pool = settings.pk
    cutoff = lists.next_cutoff(pool)
    if cutoff is None:
        return None
    earlier = lists.earlier_due(cutoff)
    return NextList(
        cutoff=cutoff,
        grade_list=GradeList.objects.provisional().filter(pool=pool, cutoff=cutoff).first(),
        comes_out_on=cutoff + timedelta(days=settings.publish_after_days),
        is_due=cutoff <= today,
        waits_for=lists.name_of_list(*earlier) if earlier else "",
        outstanding=outstanding_cards(pool, cutoff, today).count(),
    )


def newest_revision(pool: str, cutoff: date) -> GradeList | None:
    """Our list of this cutoff as it stands, published or provisional."""
    own = GradeList.objects.own().filter(pool=pool, cutoff=cutoff)
    return own.select_related("pool").order_by("-revision").first()


def below_minimum(grade_list: GradeList):
    """The grades that the list keeps and does not show, by the player's name.

    Adds `real`: the games of 36 months.
    """
    return (
        Grade.objects.filter(grade_list=grade_list, published__isnull=True)
        .select_related("player")
        .annotate(real=F("game_ids__len"))
        .order_by("player__sort_name", "player")
    )


def unanchored_players(grade_list: GradeList, today: date) -> list[Player]:
    """Those whom no game ties to a known grade, with their clubs, by name."""
    players = Player.objects.filter(pk__in=grade_list.unanchored)
    return list(players.with_clubs(today).order_by("sort_name", "pk"))


def minimum_of(grade_list: GradeList) -> int:
    """How many games in 36 months a grade of this list needs."""
    return ecf.PRESETS[grade_list.rules].minimum_games


def ledger_state() -> str:
    """A word that is another as soon as a game of any graded pool has come, gone or changed.

    A page sends it back with its button, so that nobody publishes what he has not seen.
    """
    pools = RatingPool.objects.filter(pk__in=lists.GRADED_POOLS).order_by("pk")
    return "-".join(str(version) for version in pools.values_list("ledger_version", flat=True))
