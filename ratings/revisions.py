"""Revising published lists in the open: a new list beside the old one, with its differences."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import NamedTuple

import pghistory
from django.db import transaction
from django.utils.translation import gettext as _

from . import ecf
from .grade_rows import GradeRow
from .grading import OTHER_RATE, grades_in_force, juniors, opening_grades
from .ledger import lock_pool
from .lists import (
    GRADE_COLUMNS,
    GRADED_POOLS,
    NoSuchCutoff,
    fill,
    lock_list,
    name_of_list,
    store,
    store_points,
    work_out_again,
)
from .models import GradeList, GradeSource, ListState, RatingPool

Rows = Mapping[int, GradeRow]


class Difference(NamedTuple):
    """What a revision changes for a player: published grade and category, before and after."""

    player_id: int
    before: int | None
    after: int | None
    category_before: str | None
    category_after: str | None


class Revised(NamedTuple):
    """A list that a revision changes, and how."""

    grade_list: GradeList
    differences: list[Difference]


@transaction.atomic
def revise(*, pool: str, cutoff: date, at: datetime, by, reason: str) -> list[Revised]:
    """Work a published list out again from the ledger as it is now, and every later one.

    Each list is made by the rules it came out under, and gets a revision if a number differs;
    the earlier one stays readable. A list of the other rate of play is worked out again when
    somebody's starting grade there came from a grade that is another now. Provisional lists
    follow. Returns the lists that changed, in order. Raises `NoSuchCutoff`.
    """
    pools = {name.value: lock_pool(name) for name in sorted(GRADED_POOLS)}
    lists = _published_from(cutoff)
    if not any((old.pool_id, old.cutoff) == (pool, cutoff) for old in lists):
        raise NoSuchCutoff(_("%s is not published.") % name_of_list(pool, cutoff))
    revised: list[Revised] = []
    concerned = {pool}
    with pghistory.context(user=getattr(by, "pk", None), why=reason):
        for old in lists:
            if old.pool_id not in concerned and not _starts_otherwise(old):
                continue
            concerned.add(old.pool_id)
            changed = _revise_one(old, pools[old.pool_id], at, by, reason)
            if changed is not None:
                revised.append(changed)
        if revised:
            for made in GradeList.objects.provisional().order_by("pool"):
                fill(lock_list(made.pk), pools[made.pool_id], at, made.outstanding)
    return revised


def preview_revision(*, pool: str, cutoff: date, at: datetime) -> list[Revised]:
    """What `revise` would change, by doing it and undoing it; nothing is stored."""
    with transaction.atomic():
        revised = revise(pool=pool, cutoff=cutoff, at=at, by=None, reason="")
        transaction.set_rollback(True)
    return revised


def differences_of(revision: GradeList) -> list[Difference]:
    """What a stored revision changed against the list that it took the place of."""
    old = GradeList.objects.own().get(
        pool=revision.pool_id, cutoff=revision.cutoff, revision=revision.revision - 1
    )
    return _differences(_rows_of(old), _rows_of(revision))


def _published_from(cutoff: date) -> list[GradeList]:
    """The lists in force of this cutoff and later ones, locked, in the order they are made in."""
    found = GradeList.objects.in_force().filter(cutoff__gte=cutoff)
    return list(
        GradeList.objects.select_for_update(no_key=True)
        .filter(pk__in=list(found.values_list("pk", flat=True)))
        .order_by("cutoff", "pool")
    )


def _starts_otherwise(old: GradeList) -> bool:
    """Whether somebody would start on the list from another grade of the other rate than he did.

    What is in force there changes with a revision and with an opening grade, and this list does
    not: it reads the lists before it, so one of the same cutoff may come before or after.
    """
    started = dict(old.grades.exclude(starting_grade=None).values_list("player", "starting_grade"))
    players = {*started, *old.unanchored}
    if not players:
        return False
    first_day = ecf.cutoffs_back(old.cutoff, 1)
    other = RatingPool.objects.get(pk=OTHER_RATE[old.pool_id])
    openings = opening_grades(other, players)
    now = grades_in_force(other, first_day, openings, players).grades
    borrowed = _borrowed(old)
    minors = juniors(old.cutoff, players) if old.juniors_start_anew else set()
    return any(
        player in borrowed if player not in now else now[player].grade != started.get(player)
        for player in players - minors
    )


def _borrowed(old: GradeList) -> set[int]:
    """Those who started on the list from their grade at the other rate of play."""
    return {
        player
        for colour in ("white", "black")
        for player in old.graded_games.filter(**{f"{colour}_source": GradeSource.OTHER})
        .values_list(f"game__{colour}", flat=True)
        .distinct()
    }


def _revise_one(old: GradeList, pool: RatingPool, at: datetime, by, reason: str) -> Revised | None:
    """The revision of a list, if a number differs."""
    worked_out = work_out_again(old, pool)
    before, after = _rows_of(old), {row.player_id: row for row in worked_out.grades}
    if _numbers(before) == _numbers(after):
        store_points(old, worked_out)
        return None
    new = GradeList(
        pool=pool,
        cutoff=old.cutoff,
        revision=old.revision + 1,
        state=ListState.PUBLISHED,
        rules=old.rules,
        juniors_start_anew=old.juniors_start_anew,
        published_at=at,
        published_by=by,
        reason=reason,
        outstanding=old.outstanding,
    )
    store(new, at, worked_out)
    return Revised(new, _differences(before, after))


def _rows_of(grade_list: GradeList) -> Rows:
    return {row[0]: GradeRow(*row) for row in grade_list.grades.values_list(*GRADE_COLUMNS)}


def _numbers(rows: Rows) -> dict[int, tuple]:
    return {player: row.numbers for player, row in rows.items()}


def _differences(before: Rows, after: Rows) -> list[Difference]:
    """The players whose published grade or category differ."""
    found = []
    for player in sorted(before.keys() | after.keys()):
        old, new = _shown(before.get(player)), _shown(after.get(player))
        if old != new:
            found.append(Difference(player, old[0], new[0], old[1], new[1]))
    return found


def _shown(row: GradeRow | None) -> tuple[int | None, str | None]:
    return (None, None) if row is None else (row.published, row.category)
