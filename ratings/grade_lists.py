"""What stands round a grade list on its page: the lists before, beside and after it."""

from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import urlencode

from . import ecf, lists
from .grading import OTHER_RATE
from .models import GradeList, ListState


@dataclass(frozen=True, slots=True)
class ListPlace:
    """One of our lists among the others; each of them is None where there is none.

    `previous` is the list before it, whose grades its changes are counted from; `beside` that of
    the other rate of play and the same cutoff; `newest` the newest revision of this list when it
    is another; `coming` the pool's later list that is provisional.
    """

    grade_list: GradeList
    previous: GradeList | None
    beside: GradeList | None
    newest: GradeList | None
    coming: GradeList | None

    @property
    def is_provisional(self) -> bool:
        return self.grade_list.state == ListState.PROVISIONAL

    @property
    def query(self) -> str:
        """What an address says of this list beside its cutoff: the pool, and an old revision."""
        older = {} if self.newest is None else {"revision": self.grade_list.revision}
        return f"?{urlencode({'pool': self.grade_list.pool_id, **older})}"

    @property
    def comes_out_on(self) -> date:
        """The day on which a provisional list is published by itself."""
        return comes_out_on(self.grade_list)


def comes_out_on(grade_list: GradeList) -> date:
    """The day on which a list is published by itself, late cards or not."""
    return grade_list.cutoff + timedelta(days=grade_list.pool.publish_after_days)


def place_of(grade_list: GradeList) -> ListPlace:
    """The list among the others, in four queries."""
    pool, cutoff = grade_list.pool_id, grade_list.cutoff
    own = GradeList.objects
    newest = own.documents(pool, cutoff).first()
    return ListPlace(
        grade_list=grade_list,
        previous=own.newest_first(pool).published().filter(cutoff__lt=cutoff).first(),
        beside=own.documents(OTHER_RATE[pool], cutoff).first(),
        newest=None if newest == grade_list else newest,
        coming=own.provisional().filter(pool=pool, cutoff__gt=cutoff).first(),
    )


def list_in_front(pool: str) -> GradeList | None:
    """The newest list that came out, else the provisional one."""
    found = GradeList.objects.newest_first(pool)
    return found.published().first() or found.first()


def is_to_come(pool: str, cutoff: date, today: date) -> bool:
    """Whether a list of this cutoff will come out, as the next one or before it.

    Lists that are due already and not worked out yet are to come too.
    """
    due = lists.next_cutoff(pool)
    following = ecf.cutoff_closing(today)
    if due is None:
        return cutoff == following
    return due <= cutoff <= max(due, following)
