"""Who may play for whom: the lists everybody sees, and where secretaries and officers fill them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs import twins
from clubs.access import code_for, listed_name_for, may_see_contacts
from clubs.lists import twin_addresses
from clubs.models import Club
from games.access import is_officer, may_register
from games.models import Registration, Season
from games.season_office import office_pages, registered_lists, registrations
from games.season_office.registration_forms import NominationForm, RegistrationForm
from games.season_office.registrations import RegistrationRefused
from games.views.league_office import for_officers, in_office

COLUMNS = ("club", "position", "name", "code", "elo", "team", "nominated_rank", "from", "url")


@require_safe
def season_registered(request: HttpRequest, slug: str, season: str, form: str = "") -> HttpResponse:
    """The registered players of each club in board order."""
    found = visible_season(request, slug, season)
    today = timezone.localdate()
    lists = registered_lists.lists_of(found, request.user, today)
    if form:
        rows = [file_row(line, request.user, today) for each in lists for line in each.lines]
        head = {"league": found.league.name, "season": found.label}
        return twins.respond(form, rows, name=f"{slug} {found.slug}", head=head, columns=COLUMNS)
    context = {
        "season": found,
        "lists": lists,
        **of_season(found),
        **twin_addresses(request, "season_registered", slug, season),
    }
    return render(request, "games/season_registered.html", context)


@require_safe
@login_required
def season_captains(request: HttpRequest, slug: str, season: str) -> HttpResponse:
    """Every team's captain and club: whom to ring, and where to go."""
    found = visible_season(request, slug, season)
    if not may_see_contacts(request.user):
        raise PermissionDenied
    teams = office_pages.captains_of(found)
    context = {"season": found, "teams": teams, **of_season(found)}
    return render(request, "games/season_captains.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def season_club_players(request: HttpRequest, slug: str, season: str, club: str) -> HttpResponse:
    """A club's registered players, and a form that registers more, found by name or code."""
    found = get_object_or_404(
        Season.objects.select_related("league"), league__slug=slug, slug=season
    )
    owner = get_object_or_404(Club, slug=club)
    if not may_register(request.user, found, owner):
        raise PermissionDenied
    today, as_officer = timezone.localdate(), is_officer(request.user, found.league_id)
    offered = registered_lists.candidates(found, owner, request.GET.get("q", ""), today)
    form = RegistrationForm(request.POST or None, candidates=offered)
    if request.method == "POST" and form.is_valid():
        result = registrations.register(
            season=found.pk,
            club=owner,
            players=form.cleaned_data["players"],
            as_officer=as_officer,
            by=request.user,
            at=timezone.now(),
        )
        tell(request, result)
        return redirect(request.path)
    (own,) = registered_lists.lists_of(found, request.user, today, clubs=[owner]) or [None]
    context = {
        "season": found,
        "club": owner,
        "own": own,
        "form": form,
        "q": request.GET.get("q", ""),
        **(in_office(found) if as_officer else in_office()),
    }
    return render(request, "games/season_club_players.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def registration_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """One registration: tied to a team, nominated for a board, ended, or let in after all."""
    row = get_object_or_404(
        Registration.objects.select_related("season__league", "club", "player", "team"), pk=pk
    )
    if not may_register(request.user, row.season, row.club):
        raise PermissionDenied
    as_officer = is_officer(request.user, row.season.league_id)
    step = request.POST.get("step", "save") if request.method == "POST" else ""
    form = NominationForm(request.POST if step == "save" else None, registration=row)
    back = redirect("season_club_players", row.season.league.slug, row.season.slug, row.club.slug)
    if step == "end":
        registrations.end(registration=pk, on=timezone.localdate(), by=request.user)
        return back
    if step == "approve":
        if not as_officer:
            raise PermissionDenied
        registrations.approve(registration=pk, by=request.user, at=timezone.now())
        return redirect("season_registrations", row.season.league.slug, row.season.slug)
    if step == "save" and form.is_valid():
        try:
            registrations.nominate(registration=pk, by=request.user, **form.cleaned_data)
        except RegistrationRefused as refused:
            form.add_error(None, str(refused))
        else:
            return back
    context = {"row": row, "form": form, "as_officer": as_officer, **in_office(row.season)}
    return render(request, "games/registration_edit.html", context)


@require_safe
@for_officers
def season_registrations(request: HttpRequest, season: Season) -> HttpResponse:
    """The officer's view: what waits for him, and how many players each club has registered."""
    context = {
        "season": season,
        "waiting": registered_lists.waiting_for(season),
        "clubs": registered_lists.clubs_of(season),
        **in_office(season),
    }
    return render(request, "games/season_registrations.html", context)


def visible_season(request: HttpRequest, slug: str, season: str) -> Season:
    """The season, if the account or the public may see it; raises Http404."""
    seasons = Season.objects.visible_to(request.user).select_related("league")
    return get_object_or_404(seasons, league__slug=slug, slug=season)


def of_season(season: Season) -> dict:
    """Where a public page of a season stands."""
    crumbs = [
        (season.league.name, season.league.get_absolute_url()),
        (season.label, season.get_absolute_url()),
    ]
    return {"crumbs": crumbs, "section": "leagues"}


def file_row(line, user, today) -> dict:
    """A registered player as the files list him."""
    row = line.registration
    return {
        "club": row.club.name,
        "position": line.position,
        "name": listed_name_for(user, row.player, today),
        "code": code_for(user, row.player, today),
        "elo": line.elo.shown if line.elo else None,
        "team": row.team.name if row.team else None,
        "nominated_rank": row.nominated_rank,
        "from": row.starts_on,
        "url": row.player.get_absolute_url(),
    }


def tell(request: HttpRequest, result: registrations.Registered) -> None:
    """What became of the players, in sentences."""
    if result.done:
        count = len(result.done)
        words = ngettext("%d player is registered.", "%d players are registered.", count)
        messages.success(request, words % count)
    if result.waiting:
        names = ", ".join(str(row.player) for row in result.waiting)
        words = _("After the deadline: the officer decides about %s.")
        messages.warning(request, words % names)
    for _player, why in result.refused:
        messages.error(request, why)
