"""The grade lists: the newest, any other, and those that are not out yet."""

from datetime import date, timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs import access
from clubs.lists import ListPage

from .. import ecf, lists
from ..forms import NO_CATEGORY, GradeListForm
from ..grade_lists import is_to_come, list_in_front, place_of
from ..grade_tables import GradeTable, shows_as_junior
from ..grading import OTHER_RATE
from ..models import Grade, GradeList, PoolName, RatingPool
from ..tables import club_names
from .asked import asked_pool, asked_revision


@require_safe
def newest(request: HttpRequest, form: str = "") -> HttpResponse:
    """Leads to the newest list of a pool with everything else the address asks for."""
    pool = asked_pool(request.GET, lists.GRADED_POOLS)
    found = list_in_front(pool)
    if found is None:
        return not_out(request, pool, lists.next_cutoff(pool), form)
    place = [found.cutoff, form] if form else [found.cutoff]
    query = request.GET.urlencode()
    return redirect(reverse("grade_list_detail", args=place) + (f"?{query}" if query else ""))


def not_out(request: HttpRequest, pool: str, cutoff: date | None, form: str) -> HttpResponse:
    """The page of a list that will come, saying when; its files do not exist yet."""
    if form:
        raise Http404
    context = {
        "pool": PoolName(pool),
        "cutoff": cutoff,
        "last_day": cutoff and cutoff - timedelta(days=1),
        "is_due": cutoff is not None and cutoff <= timezone.localdate(),
        "days": RatingPool.objects.get(pk=pool).publish_after_days,
        "has_games": lists.next_cutoff(pool) is not None,
        "newest": list_in_front(pool),
        "section": "grades",
    }
    return render(request, "ratings/grade_list_to_come.html", context)


class GradeListPage(ListPage):
    """One list: everybody with a published grade, the highest first."""

    model = Grade
    table_class = GradeTable
    template_name = "ratings/grade_list.html"
    url_name = "grade_list_detail"

    def get(self, request, cutoff: date, form: str = ""):
        if not ecf.is_cutoff(cutoff):
            raise Http404
        self.today = timezone.localdate()
        pool = asked_pool(request.GET, lists.GRADED_POOLS)
        revision = asked_revision(request.GET)
        found = GradeList.objects.documents(pool, cutoff, revision).select_related("pool").first()
        if found is None:
            if revision is None and is_to_come(pool, cutoff, self.today):
                return not_out(request, pool, cutoff, form)
            raise Http404
        self.around = place_of(found)
        self.asked = GradeListForm(request.GET)
        self.asked.offer(found)
        return super().get(request, form)

    def get_filters(self):
        return self.asked

    def place(self):
        return (self.around.grade_list.cutoff,)

    def whole_list(self):
        around = self.around
        return (
            around.grade_list.grades.published()
            .for_list(around.grade_list.cutoff)
            .with_change_since(around.previous)
            .with_grade_beside(around.beside)
        )

    def get_nothing(self):
        return self.whole_list().none()

    def file_name(self):
        return f"grades {self.around.grade_list.pool_id} {self.around.grade_list.cutoff}"

    def get_rows(self, q, club, category, juniors, changed, **_others):
        grades = self.whole_list()
        if club is not None:
            grades = grades.of_members(club, self.around.grade_list.cutoff)
        if category:
            grades = grades.in_category("" if category == NO_CATEGORY else category)
        if juniors:
            grades = grades.juniors(self.today)
        if changed:
            grades = grades.changed()
        if q:
            grades = grades.found(q)
            if not access.may_see_names(self.request.user):
                grades = grades.with_public_names(self.today)
        return grades

    def get_table_kwargs(self):
        around = self.around
        return {
            "positions": around.grade_list.grades.positions(),
            "reader": self.request.user,
            "today": self.today,
            "grade_list": around.grade_list,
            "document": around.query,
            "beside": self.other_pool.label,
        }

    @property
    def other_pool(self) -> PoolName:
        return PoolName(OTHER_RATE[self.around.grade_list.pool_id])

    def get_context_data(self, **kwargs):
        asked = self.asked.cleaned_data
        narrowing = ("club", "category", "juniors", "changed")
        return super().get_context_data(
            around=self.around,
            grade_list=self.around.grade_list,
            pool=PoolName(self.around.grade_list.pool_id),
            is_narrowed=any(asked.get(name) for name in narrowing),
            section="grades",
            **kwargs,
        )

    def twin_head(self):
        grade_list, around = self.around.grade_list, self.around
        return {
            "pool": grade_list.pool_id,
            "cutoff": grade_list.cutoff,
            "state": grade_list.state,
            "revision": grade_list.revision,
            "published_at": grade_list.published_at,
            "outstanding": grade_list.outstanding,
            "changes_since": around.previous and around.previous.cutoff,
        }

    @property
    def twin_columns(self):
        return (
            *("position", "shared", "name", "code", "club", "grade", "category", "change"),
            *("new", "games", str(self.other_pool), "junior", "url"),
        )

    def twin_rows(self, rows):
        reader = self.request.user
        positions = self.around.grade_list.grades.positions()
        other = str(self.other_pool)
        for grade in rows:
            position, shared = positions[grade.published]
            yield {
                "position": position,
                "shared": shared,
                "name": access.listed_name_for(reader, grade.player, self.today),
                "code": access.code_for(reader, grade.player, self.today),
                "club": club_names(grade.player) or None,
                "grade": grade.published,
                "category": grade.category,
                "change": grade.change,
                "new": grade.change is None,
                "games": grade.recent,
                other: grade.beside,
                "junior": shows_as_junior(reader, grade.player, self.today),
                "url": grade.player.get_absolute_url(),
            }
