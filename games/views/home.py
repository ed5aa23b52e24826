"""The first page: what was played, what comes next, every league, and the cards to enter."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.division_tables import league_tables
from games.matches import result_lists
from games.models import Match, Season
from ratings import ecf
from ratings.models import GradeList, PoolName

RESULTS, FIXTURES, CARDS = 10, 8, 10


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Latest results and next matches of all public seasons; the current season of each league.

    Above them an account finds the cards that it has to enter.
    """
    today = timezone.localdate()
    seasons = Season.objects.current().select_related("league").prefetch_related("divisions")
    leagues = league_tables.with_states(seasons, today)
    labels = {league.season.label for league in leagues}
    grades = GradeList.objects.newest_first(PoolName.STANDARD).published().first()
    awaited = Match.objects.awaited_from(request.user, today).oldest()
    context = {
        "cards": result_lists.cards_by_day(Match.objects.lines_of(awaited[:CARDS]), today),
        "more_cards": max(len(awaited) - CARDS, 0),
        "grades": grades,
        "next_grades": ecf.next_cutoff(grades.cutoff) if grades else None,
        "leagues": leagues,
        "label": labels.pop() if len(labels) == 1 else "",
        "results": result_lists.by_day(Match.objects.latest_results(today, RESULTS), today),
        "fixtures": result_lists.by_day(Match.objects.next_matches(today, FIXTURES), today),
    }
    return render(request, "games/home.html", context)
