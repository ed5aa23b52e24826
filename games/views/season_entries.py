"""The officer's pages of divisions and teams; secretaries enter teams while entries are open."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from clubs.models import Club
from games.access import clubs_to_enter, is_officer, may_enter_team, may_make_club
from games.cup.cup_forms import CupForm
from games.models import Division, Season, Team
from games.season_office import entries
from games.season_office.office_forms import DivisionForm, MoveTeamForm, TeamForm
from games.season_office.seasons import SeasonRefused
from games.views.league_office import for_officers, in_office, of_form


@require_http_methods(["GET", "HEAD", "POST"])
@for_officers
def new_division(request: HttpRequest, season: Season) -> HttpResponse:
    """A form that adds a division, below those there are."""
    form = DivisionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            entries.add_division(season=season.pk, **form.cleaned_data)
        except SeasonRefused as refused:
            form.add_error("name", str(refused))
        else:
            return redirect("season_office", season.league.slug, season.slug)
    context = of_form(form, _("A new division"), _("Add it"), season)
    return render(request, "games/division_rules.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def division_rules(request: HttpRequest, pk: int) -> HttpResponse:
    """A form of a division's name and rules."""
    division = officers_division(request, pk)
    form = (CupForm if division.is_cup else DivisionForm)(request.POST or None, instance=division)
    if request.method == "POST" and form.is_valid():
        try:
            entries.change_division(division=pk, at=timezone.now(), **form.cleaned_data)
        except SeasonRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The rules of %s are saved.") % form.cleaned_data["name"])
            return back(division.season)
    title = _("Rules of %s") % Division.objects.get(pk=pk)
    context = of_form(form, title, _("Save"), division.season)
    return render(request, "games/division_rules.html", context)


@require_POST
@login_required
def division_move(request: HttpRequest, pk: int) -> HttpResponse:
    """Move a division up or down, or take it out, as `step` says."""
    division = officers_division(request, pk)
    step = request.POST.get("step")
    if step in ("up", "down"):
        entries.move_division(division=pk, up=step == "up")
    elif step == "remove":
        try:
            entries.remove_division(division=pk)
        except SeasonRefused as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, _("%s is taken out.") % division)
    return back(division.season)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def division_enter(request: HttpRequest, pk: int) -> HttpResponse:
    """A form that enters a team: the officer's, and while entries are open a secretary's."""
    division = get_object_or_404(Division.objects.select_related("season__league"), pk=pk)
    season, today = division.season, timezone.localdate()
    if not may_enter_team(request.user, season, today):
        raise PermissionDenied
    clubs = clubs_to_enter(request.user, season)
    chosen = clubs.filter(slug=request.GET.get("club", "").replace("\x00", "")).first()
    form = TeamForm(request.POST or None, clubs=clubs, club=chosen)
    if request.method == "POST" and form.is_valid():
        try:
            team = entries.enter_team(division=pk, **form.cleaned_data)
        except SeasonRefused as refused:
            form.add_error("name", str(refused))
        else:
            words = _("%(team)s is entered in %(division)s.")
            messages.success(request, words % {"team": team, "division": division})
            if "another" in request.POST:
                query = {"club": team.club.slug}
                return redirect(reverse("division_enter", args=[pk], query=query))
            return back(season) if is_officer(request.user, season.league_id) else office()
    context = of_form(form, _("Enter a team in %s") % division, _("Enter it"), division=division)
    if is_officer(request.user, season.league_id):
        context |= in_office(season) | {"may_make": may_make_club(request.user)}
    return render(request, "games/division_enter.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def team_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """A form of a team's name, club and captain, and what else may become of it."""
    team = officers_team(request, pk)
    season = team.division.season
    form = TeamForm(request.POST or None, clubs=Club.objects.all(), team=team)
    if request.method == "POST" and form.is_valid():
        try:
            entries.change_team(team=pk, at=timezone.now(), **form.cleaned_data)
        except SeasonRefused as refused:
            form.add_error("name", str(refused))
        else:
            messages.success(request, _("%s is saved.") % form.cleaned_data["name"])
            return back(season)
    move = MoveTeamForm(team=team)
    context = of_form(form, team.name, _("Save"), season, team=team, move=move)
    return render(request, "games/team_edit.html", context)


@require_POST
@login_required
def team_step(request: HttpRequest, pk: int) -> HttpResponse:
    """Move a team to another division, or take it out, as `step` says."""
    team = officers_team(request, pk)
    step, at = request.POST.get("step"), timezone.now()
    try:
        if step == "move":
            form = MoveTeamForm(request.POST, team=team)
            if form.is_valid():
                moved = entries.move_team(team=pk, division=form.cleaned_data["division"].pk, at=at)
                words = {"team": team, "division": moved.division}
                messages.success(request, _("%(team)s plays in %(division)s now.") % words)
        elif step == "remove":
            entries.remove_team(team=pk, at=at)
            messages.success(request, _("%s is taken out.") % team)
    except SeasonRefused as refused:
        messages.error(request, str(refused))
        return redirect("team_edit", pk)
    return back(team.division.season)


def officers_team(request: HttpRequest, pk: int) -> Team:
    """The team, if the account runs its league; raises Http404 and PermissionDenied."""
    team = get_object_or_404(Team.objects.for_page(), pk=pk)
    if not is_officer(request.user, team.division.season.league_id):
        raise PermissionDenied
    return team


def officers_division(request: HttpRequest, pk: int) -> Division:
    """The division, if the account runs its league; raises Http404 and PermissionDenied."""
    division = get_object_or_404(
        Division.objects.select_related("season__league", "rated_event"), pk=pk
    )
    if not is_officer(request.user, division.season.league_id):
        raise PermissionDenied
    return division


def back(season: Season) -> HttpResponse:
    """To the season's desk."""
    return redirect("season_office", season.league.slug, season.slug)


def office() -> HttpResponse:
    """To the desk of whoever runs no league."""
    return redirect("office_leagues")
