"""A player's figure on the list that a league compares players by: ours, or a federation's."""

from collections.abc import Collection
from datetime import date

from django.db.models import F, Q

from . import elo
from .live import facts_of, rules_of
from .models import EloGame, Grade, GradeList, PoolName, RatingPool
from .standing import grades_and_elos

# The lists from outside: publisher and variant; a list without variants has the blank one.
OUTSIDE = {
    "ecf": ("ECF", ("original", "")),
    "ecf_revised": ("ECF", ("revised", "original", "")),
    "fide": ("FIDE", ("original", "")),
}


def figures_on(
    *, players: Collection[int], pool: RatingPool, which: str, day: date, today: date
) -> dict[int, int]:
    """Whole points of each of these players on the list that counted on `day`, by pk.

    `which` is "grade", "elo", or a key of `OUTSIDE`: there the newest list published by `day`
    counts, in the first variant there is. Elo is that before the games of `day`, or today's if
    `day` is not over. Who has no figure is missing.
    """
    players = list(players)
    if not players:
        return {}
    if which in OUTSIDE:
        return _on_outside_list(players, pool, *OUTSIDE[which], day)
    if which == "elo" and day < today:
        return _elos_before(players, pool, day)
    standings = grades_and_elos(players, pool, day)
    values = {pk: getattr(standing, which) for pk, standing in standings.items()}
    return {pk: value for pk, value in values.items() if value is not None}


def _on_outside_list(
    players: list[int], pool: RatingPool, publisher: str, variants: tuple[str, ...], day: date
) -> dict[int, int]:
    lists = GradeList.objects.filter(
        publisher=publisher, pool=pool, published_on__lte=day, variant__in=variants
    )
    newest = max(
        lists, key=lambda row: (row.published_on, -variants.index(row.variant)), default=None
    )
    rows = Grade.objects.filter(grade_list=newest, player__in=players)
    return dict(rows.filter(published__isnull=False).values_list("player", "published"))


def _elos_before(players: list[int], pool: RatingPool, day: date) -> dict[int, int]:
    """The displayed rating of each after his last game before `day`; who had none: his opening."""
    found: dict[int, tuple[tuple, int]] = {}
    order = [f"game__{name}" for name in ("played_on", "event__key", "round", "board", "number")]
    for side in ("white", "black"):
        rows = (
            EloGame.objects.filter(
                Q(**{f"game__{side}__in": players}),
                game__event__pool=pool,
                game__played_on__lt=day,
            )
            .order_by(f"game__{side}", *(f"-{name}" for name in order))
            .distinct(f"game__{side}")
            .annotate(after=F(f"{side}_before") + F(f"{side}_change"))
            .values_list(f"game__{side}", "after", *order)
        )
        for player, after, *place in rows:
            if player not in found or found[player][0] < tuple(place):
                found[player] = (tuple(place), after)
    figures = {pk: elo.displayed(after) for pk, (_place, after) in found.items()}
    fresh = [pk for pk in players if pk not in figures]
    rules = rules_of(pool)
    for pk, facts in facts_of(fresh).items():
        if facts:
            opening = elo.opening_tenths(facts, pool.pk, pools=PoolName.values, rules=rules)
            figures[pk] = elo.displayed(elo.opening_state(opening, rules).rating)
    return figures
