"""The first page: what was played, what comes next, and every league."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games import league_tables, result_lists
from games.models import Match, Season
from ratings import ecf
from ratings.models import GradeList, PoolName

RESULTS, FIXTURES = 10, 8


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Latest results and next matches of all public seasons; the current season of each league."""
    today = timezone.localdate()
    seasons = Season.objects.current().select_related("league").prefetch_related("divisions")
    leagues = league_tables.with_states(seasons, today)
    labels = {league.season.label for league in leagues}
    grades = GradeList.objects.newest_first(PoolName.STANDARD).published().first()
    context = {
        "grades": grades,
        "next_grades": ecf.next_cutoff(grades.cutoff) if grades else None,
        "leagues": leagues,
        "label": labels.pop() if len(labels) == 1 else "",
        "results": result_lists.by_day(Match.objects.latest_results(today, RESULTS), today),
        "fixtures": result_lists.by_day(Match.objects.next_matches(today, FIXTURES), today),
    }
    return render(request, "games/home.html", context)
