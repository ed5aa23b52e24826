"""The next list before it comes out: how many grades, and whose changes most."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from clubs.models import Player

from . import lists
from .grading import WorkedOut
from .models import GradeList


class Change(NamedTuple):
    """A published grade that is another on the new list."""

    player: Player
    before: int
    after: int

    @property
    def by(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Preview:
    """What a list would hold: grades published, below the minimum, and people without a tie.

    `last` is the list before it, if any; `changed` counts the players whose grade differs from
    it, `new` those who had none there, and `biggest` are the greatest changes, up and down.
    """

    pool: str
    cutoff: date
    published: int
    below: int
    unanchored: int
    last: GradeList | None
    changed: int
    new: int
    biggest: list[Change]


def preview(*, pool: str, cutoff: date, at: datetime, biggest: int = 10) -> Preview:
    """The list of this cutoff as it would come out now, with its `biggest` changes.

    Nothing is stored. Raises as `lists.publish` does.
    """
    worked_out = lists.preview(pool=pool, cutoff=cutoff, at=at)
    last = GradeList.objects.in_force().filter(pool=pool, cutoff__lt=cutoff).first()
    before = {}
    if last is not None:
        before = dict(last.grades.published().values_list("player", "published"))
    return _compared(worked_out, before, last, pool, cutoff, biggest)


def _compared(
    worked_out: WorkedOut,
    before: dict[int, int],
    last: GradeList | None,
    pool: str,
    cutoff: date,
    biggest: int,
) -> Preview:
    after = {row.player_id: row.published for row in worked_out.grades if row.published is not None}
    differing = [pk for pk in after if pk in before and before[pk] != after[pk]]
    differing.sort(key=lambda pk: (-abs(after[pk] - before[pk]), pk))
    shown = differing[:biggest]
    players = Player.objects.in_bulk(shown)
    return Preview(
        pool=pool,
        cutoff=cutoff,
        published=len(after),
        below=len(worked_out.grades) - len(after),
        unanchored=len(worked_out.unanchored),
        last=last,
        changed=len(differing),
        new=len(after.keys() - before.keys()),
        biggest=[Change(players[pk], before[pk], after[pk]) for pk in shown],
    )
