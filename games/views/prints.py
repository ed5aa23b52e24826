"""Pages that paper wants otherwise than the screen: cards, team sheets, a season's fixtures."""

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from games.access import may_see_season
from games.matches.calendars import matches_of_team
from games.matches.paper import blank_card, paper_card
from games.models import Division, Match, Team

from .matches import page_of, visible_match


@require_safe
def match_print(request: HttpRequest, pk: int) -> HttpResponse:
    """The match's card on a sheet of A4; `?blank` without what is known."""
    page = page_of(request, pk)
    cards = [blank_card(page.match) if "blank" in request.GET else paper_card(page)]
    context = {"cards": cards, "match": page.match, "back": page.match.get_absolute_url()}
    return render(request, "games/print_cards.html", context)


@require_safe
def match_sheets(request: HttpRequest, pk: int) -> HttpResponse:
    """Two team sheets of the match on one sheet of A4, to be cut and filled in by hand."""
    match = visible_match(request, pk)
    context = {"card": blank_card(match), "match": match, "back": match.get_absolute_url()}
    return render(request, "games/print_sheets.html", context)


@require_safe
def team_print(request: HttpRequest, pk: int) -> HttpResponse:
    """The team's season on one page."""
    team = visible_team(request, pk)
    return render(
        request,
        "games/print_team.html",
        {
            "team": team,
            "matches": in_order(matches_of_team(team)),
            "back": team.get_absolute_url(),
        },
    )


@require_safe
def team_cards(request: HttpRequest, pk: int) -> HttpResponse:
    """A blank card for each match of the team that has no result yet, one a page."""
    team = visible_team(request, pk)
    cards = [blank_card(match) for match in in_order(matches_of_team(team)) if is_to_come(match)]
    context = {"cards": cards, "back": team.get_absolute_url()}
    return render(request, "games/print_cards.html", context)


@require_safe
def division_print(request: HttpRequest, pk: int) -> HttpResponse:
    """All fixtures of the division, and where its clubs play."""
    division = get_object_or_404(Division.objects.for_page(), pk=pk)
    if not may_see_season(request.user, division.season):
        raise Http404
    teams = division.teams.select_related("club").order_by("name")
    return render(
        request,
        "games/print_division.html",
        {
            "division": division,
            "matches": in_order(Match.objects.filter(division=division)),
            "clubs": sorted({team.club for team in teams}, key=lambda club: club.name),
            "back": division.get_absolute_url(),
        },
    )


def visible_team(request: HttpRequest, pk: int) -> Team:
    """The team, or 404 while its season is not public and not this account's."""
    team = get_object_or_404(Team.objects.for_page(), pk=pk)
    if not may_see_season(request.user, team.division.season):
        raise Http404
    return team


def in_order(matches) -> list[Match]:
    """The matches with what a line of paper says of them, those without a date last."""
    return sorted(matches.for_card().with_score(), key=_day_or_last)


def _day_or_last(match: Match) -> tuple:
    return match.played_on is None, match.played_on or date.max, match.round, match.number


def is_to_come(match: Match) -> bool:
    return match.home_points is None and not match.is_decided
