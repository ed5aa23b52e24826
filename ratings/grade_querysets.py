"""Reads of grade lists and of the grades on them."""

from datetime import date

from django.db import models
from django.db.models import Count, F, FilteredRelation, Q, Value
from django.db.models.functions import Coalesce
from django.db.models.lookups import Exact

from clubs import juniors

from .querysets import PeopleQuerySet, last_if_none, positions_of


class GradeListQuerySet(models.QuerySet):
    def own(self):
        """Our own lists, not those from outside."""
        return self.filter(publisher="")

    def provisional(self):
        """Our own lists that are worked out and have not come out yet."""
        return self.own().filter(state="provisional")

    def published(self):
        """Our own lists that came out, original and revised."""
        return self.own().filter(state="published")

    def in_force(self):
        """The newest revision of each published list, newest cutoff first."""
        newest = (
            self.model.objects.published()
            .filter(pool=models.OuterRef("pool"), cutoff=models.OuterRef("cutoff"))
            .order_by("-revision")
            .values("pk")[:1]
        )
        return self.published().filter(pk=models.Subquery(newest)).order_by("pool", "-cutoff")

    def documents(self, pool: str, cutoff: date, revision: int | None = None):
        """Our own list of this cutoff, the newest revision first, or this revision alone."""
        found = self.own().filter(pool=pool, cutoff=cutoff)
        if revision is not None:
            found = found.filter(revision=revision)
        return found.order_by("-revision")

    def newest_of_each(self, pool: str):
        """The newest revision of each of our lists of a pool, provisional or out, newest first."""
        return self.newest_first(pool).distinct("cutoff")

    def newest_first(self, pool: str):
        """Our own lists of a pool: the newest revision of the newest cutoff first."""
        return self.own().filter(pool=pool).order_by("-cutoff", "-revision")


class FiguresQuerySet(PeopleQuerySet):
    """People ordered by any of several figures, who has none last."""

    def by(
        self,
        column: str,
        today: date,
        names_seen: bool,
        descending: bool,
        output=models.SmallIntegerField,
    ):
        """By a column or annotation, equals by strength."""
        value = last_if_none(F(column), descending, output)
        return self.order_by(value, *self.by_strength(today, names_seen))

    def by_code(self, today: date, names_seen: bool, descending: bool = False):
        """By ECF code; nobody's, and hidden ones, last."""
        code = self._unless_hidden("ecf_code", today, names_seen)
        equals = self.by_strength(today, names_seen)
        return self.order_by(last_if_none(code, descending), *equals)


class GradeQuerySet(FiguresQuerySet):
    strength = "published"
    GAMES = (
        *("game_ids", "game_points", "game_days", "game_opponents", "game_halves"),
        *("game_own_grades", "game_grades"),
    )

    def published(self):
        """Those that a list shows: with enough games, one of them in the last 12 months."""
        return self.filter(published__isnull=False)

    def for_list(self, day: date):
        """With the players and their clubs of `day`, without the games that make the mean."""
        return super().for_list(day).defer(*self.GAMES)

    def with_change_since(self, earlier):
        """Adds `before`, the grade on an earlier list, and `change`; None for who had none there.

        Without an earlier list nobody had one.
        """
        return self._with_grade_on(earlier, "before").annotate(change=F("published") - F("before"))

    def with_grade_beside(self, other):
        """Adds `beside`: the grade on another list, the other rate's; None for who has none."""
        return self._with_grade_on(other, "beside")

    def changed(self):
        """After `with_change_since`: those whose grade is another now, or new."""
        return self.filter(Q(before__isnull=True) | ~Q(published=F("before")))

    def in_category(self, letter: str):
        """Those of a category; an empty letter stands for none."""
        return self.filter(category=letter) if letter else self.filter(category__isnull=True)

    def juniors(self, today: date):
        """Those of players known to be under 18 on `today`."""
        return self.filter(juniors.known_under_18(today, self.person))

    def by_grade(self, today: date, names_seen: bool, descending: bool = True):
        """The highest grade first, or last; equals by name."""
        grade = F("published").desc() if descending else F("published").asc()
        return self.order_by(grade, *self._names(today, names_seen))

    def positions(self) -> dict[int, tuple[int, bool]]:
        """The position of each published grade, and whether several players share it."""
        return positions_of(self.counts())

    def counts(self) -> dict[int, int]:
        """How many players have each published grade."""
        counted = self.published().order_by().values_list("published").annotate(Count("pk"))
        return dict(counted)

    def _with_grade_on(self, grade_list, name: str):
        rows = grades_on(grade_list, "player__grades")
        return self.annotate(**{f"{name}_row": rows, name: F(f"{name}_row__published")})


class ComparedQuerySet(FiguresQuerySet):
    """Players with their grades on two lists: made by `ratings.comparing.side_by_side`."""

    person = ""
    strength = "after"

    def different(self):
        """Those whose grade or category is another on the second list."""
        same_grade = Exact(Coalesce("before", -1), Coalesce("after", -1))
        letters = [Coalesce(f"category_{when}", Value("")) for when in ("before", "after")]
        return self.exclude(same_grade, Exact(*letters))

    def risen(self):
        """Those on both lists with a higher grade on the second."""
        return self.filter(change__gt=0)


def grades_on(grade_list, path: str) -> FilteredRelation:
    """A join with the grades of one list, of none without one; `path` leads from a player."""
    return FilteredRelation(
        path, condition=Q(**{f"{path}__grade_list": grade_list.pk if grade_list else 0})
    )
