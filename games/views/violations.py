"""A season's violations on one page: the officer decides each."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.lists import PagesOfFifty
from games.access import is_officer
from games.match_cards import violations
from games.match_cards.violations import DecisionRefused
from games.models import Season, Violation
from games.season_office.office_forms import DecisionForm
from games.views.league_office import for_officers, in_office


@require_safe
@for_officers
def season_violations(request: HttpRequest, season: Season) -> HttpResponse:
    """What the cards of a season have against its rules, the undecided first."""
    page = PagesOfFifty(violations.of_season(season), 0).get_page(request.GET.get("page"))
    names = violations.names_for(page)
    rows = [(row, violations.words_of(row, names)) for row in page]
    context = {"season": season, "page": page, "rows": rows, **in_office(season)}
    return render(request, "games/season_violations.html", context)


@require_POST
@login_required
def violation_decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a violation pass, take points off for it, or award the board, as `step` says."""
    row = get_object_or_404(
        Violation.objects.select_related("match__division__season__league", "team"), pk=pk
    )
    season = row.match.division.season
    if not is_officer(request.user, season.league_id):
        raise PermissionDenied
    form = DecisionForm(request.POST)
    if not form.is_valid():
        for errors in form.errors.values():
            messages.error(request, " ".join(errors))
    else:
        try:
            decide(request, row, form.cleaned_data)
        except DecisionRefused as refused:
            messages.error(request, str(refused))
    return redirect("season_violations", season.league.slug, season.slug)


def decide(request: HttpRequest, row: Violation, data: dict) -> None:
    """Carry out the step that was asked for; an unknown one does nothing."""
    given = {
        "violation": row.pk,
        "note": data["note"],
        "by": request.user,
        "at": timezone.now(),
    }
    step = request.POST.get("step")
    if step == "pass":
        violations.let_pass(**given)
        messages.success(request, _("%s: let pass.") % row.team)
    elif step == "penalty":
        points = {name: data[name] for name in ("match_points", "game_points")}
        violations.penalise(**given, **points, on=timezone.localdate())
        messages.success(request, _("%s: points are off, and the table says why.") % row.team)
    elif step == "award":
        violations.award(**given)
        messages.success(request, _("%s: the board is awarded to the other side.") % row.team)
