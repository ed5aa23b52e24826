"""Two grade lists side by side, and who rose most from one to the next."""

from datetime import date

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import access
from clubs.dates import date_format
from clubs.lists import ListPage
from clubs.models import Player

from ..comparing import side_by_side
from ..forms import ComparisonForm, RisersForm
from ..grade_lists import place_of
from ..grade_tables import ComparisonTable
from ..lists import GRADED_POOLS
from ..models import GradeList
from ..tables import club_names
from .asked import asked_pool


class ComparedPage(ListPage):
    """Players with their grades on two lists, `before` and `after`; both None: nothing to show."""

    model = Player
    table_class = ComparisonTable
    twin_columns = (
        *("name", "code", "club", "before", "after", "change"),
        *("category_before", "category_after", "url"),
    )
    before: GradeList | None = None
    after: GradeList | None = None

    def setup(self, request, *args, **kwargs):
        super().setup(request, *args, **kwargs)
        self.today = timezone.localdate()

    def get_rows(self, q, club=None, **_others):
        people = side_by_side(self.before, self.after).for_list(self.day)
        if club is not None:
            people = people.of_members(club, self.day)
        if q:
            people = people.found(q)
            if not access.may_see_names(self.request.user):
                people = people.with_public_names(self.today)
        return people

    def get_nothing(self):
        return side_by_side(None, None)

    @property
    def day(self) -> date:
        """Who was a member of which club is told of this day."""
        return self.after.cutoff if self.after else self.today

    def get_table_kwargs(self):
        lists = (self.before, self.after)
        return {
            "reader": self.request.user,
            "today": self.today,
            "day": self.day,
            "heads": [date_format(made.cutoff, "j M Y") if made else _("Grade") for made in lists],
        }

    def get_context_data(self, **kwargs):
        return super().get_context_data(
            before=self.before, after=self.after, pool=self.pool, section="grades", **kwargs
        )

    def twin_head(self):
        return {
            "pool": self.pool.value,
            "from": self.before and self.before.cutoff,
            "to": self.after and self.after.cutoff,
        }

    def twin_rows(self, rows):
        reader = self.request.user
        for player in rows:
            yield {
                "name": access.listed_name_for(reader, player, self.today),
                "code": access.code_for(reader, player, self.today),
                "club": club_names(player) or None,
                "before": player.before,
                "after": player.after,
                "change": player.change,
                "category_before": player.category_before,
                "category_after": player.category_after,
                "url": player.get_absolute_url(),
            }


class Comparison(ComparedPage):
    """Any two lists of a pool, everybody on either."""

    template_name = "ratings/grade_list_compare.html"
    url_name = "grade_list_compare"

    def file_name(self):
        days = [made.cutoff for made in (self.before, self.after) if made]
        return " ".join(map(str, ("grades", self.pool, *days)))

    def get_filters(self):
        self.pool = asked_pool(self.request.GET, GRADED_POOLS)
        filters = ComparisonForm(self.request.GET, GradeList.objects.newest_of_each(self.pool))
        filters.is_valid()
        self.before, self.after = filters.chosen("from"), filters.chosen("to")
        return filters


class Risers(ComparedPage):
    """Everybody whose grade rose since the list before, the biggest rise first."""

    template_name = "ratings/grade_list_risers.html"
    url_name = "grade_list_risers"

    def get(self, request, cutoff: date, form: str = ""):
        self.pool = asked_pool(request.GET, GRADED_POOLS)
        self.after = GradeList.objects.documents(self.pool, cutoff).first()
        if self.after is None:
            raise Http404
        self.before = place_of(self.after).previous
        return super().get(request, form)

    def file_name(self):
        return f"risers {self.pool} {self.after.cutoff}"

    def get_filters(self):
        return RisersForm(self.request.GET)

    def place(self):
        return (self.after.cutoff,)

    def get_rows(self, **filters):
        return super().get_rows(**filters).risen()

    def get_table_kwargs(self):
        return {**super().get_table_kwargs(), "order_by": "-change"}
