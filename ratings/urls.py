"""Addresses of ratings and grades."""

from django.urls import path

from clubs import twins  # noqa: F401  (registers <twin:form>)

from . import cutoffs  # noqa: F401  (registers <cutoff:cutoff>)
from .views import grade_archive, grades, how, why
from .views.comparisons import Comparison, Risers
from .views.elo import EloList


def both(address: str, view, name: str) -> list:
    """A page and its twins."""
    return [
        path(f"{address}/", view, name=name),
        path(f"{address}.<twin:form>", view, name=name),
    ]


urlpatterns = [
    path("ratings/", EloList.as_view(), name="elo_list"),
    path("ratings.<twin:form>", EloList.as_view(), name="elo_list"),
    *both("grades", grades.newest, "grade_list_newest"),
    *both("grades/lists", grade_archive.lists, "grade_lists"),
    *both("grades/compare", Comparison.as_view(), "grade_list_compare"),
    *both("grades/<cutoff:cutoff>", grades.GradeListPage.as_view(), "grade_list_detail"),
    *both("grades/<cutoff:cutoff>/risers", Risers.as_view(), "grade_list_risers"),
    *both("grades/<cutoff:cutoff>/revisions", grade_archive.revised, "grade_list_revisions"),
    *both(
        "grades/<cutoff:cutoff>/distribution",
        grade_archive.distribution,
        "grade_list_distribution",
    ),
    path("ratings/how/", how.how, name="ratings_how"),
    path("players/<int:pk>/grade/", why.newest_grade, name="grade_why_newest"),
    path("players/<int:pk>/grade/<cutoff:cutoff>/", why.grade, name="grade_why"),
    path("players/<int:pk>/grade/<cutoff:cutoff>.<twin:form>", why.grade, name="grade_why"),
    path("players/<int:pk>/elo/", why.elo, name="elo_why"),
    path("players/<int:pk>/elo.<twin:form>", why.elo, name="elo_why"),
]
