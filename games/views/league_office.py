"""The officer's desk: his leagues, and each season from the first plan to the final table."""

from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access import clubs_of
from games.access import is_officer
from games.models import League, Season
from games.season_office import captains_mail, office_pages, seasons
from games.season_office.office_forms import CaptainsMailForm, LeagueForm, NewSeasonForm, SeasonForm
from games.season_office.seasons import SeasonRefused


def for_officers(view):
    """A view of one season for the officers of its league; others are refused.

    The view gets the season instead of the two parts of its address.
    """

    @login_required
    @wraps(view)
    def checked(request: HttpRequest, slug: str, season: str, **more) -> HttpResponse:
        found = get_object_or_404(
            Season.objects.select_related("league"), league__slug=slug, slug=season
        )
        if not is_officer(request.user, found.league_id):
            raise PermissionDenied
        return view(request, found, **more)

    return checked


@require_safe
@login_required
def office(request: HttpRequest) -> HttpResponse:
    """The leagues the account runs, and the seasons into which it may enter teams."""
    context = {
        "desks": office_pages.leagues_of(request.user),
        "entries": office_pages.entries_open_for(request.user, timezone.localdate()),
        "keeps_clubs": bool(clubs_of(request.user)),
        "section": "office",
    }
    return render(request, "games/office_leagues.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_league(request: HttpRequest) -> HttpResponse:
    """A form that makes a league, run by whoever makes it."""
    if not request.user.is_superuser:
        raise PermissionDenied
    form = LeagueForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            league = seasons.make_league(
                name=form.cleaned_data["name"], officer=request.user, by=request.user
            )
        except SeasonRefused as refused:
            form.add_error("name", str(refused))
        else:
            return redirect("league_new_season", league.slug)
    return render(request, "games/office_form.html", of_form(form, _("A new league"), _("Make it")))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_season(request: HttpRequest, slug: str) -> HttpResponse:
    """A form that opens a season, empty or as an older one ended."""
    league = get_object_or_404(League, slug=slug)
    if not is_officer(request.user, league):
        raise PermissionDenied
    form = NewSeasonForm(request.POST or None, league=league)
    if request.method == "POST" and form.is_valid():
        try:
            made = seasons.open_season(league=league, **form.cleaned_data)
        except SeasonRefused as refused:
            form.add_error("label", str(refused))
        else:
            words = _("The season %s is open. Only officers of the league see it yet.")
            messages.success(request, words % made.label)
            return redirect("season_office", league.slug, made.slug)
    title = _("A new season of %s") % league
    return render(request, "games/office_form.html", of_form(form, title, _("Open it")))


@require_safe
@for_officers
def season_office(request: HttpRequest, season: Season) -> HttpResponse:
    """A season: its divisions and teams, what is to do, and what comes next."""
    context = {
        "season": season,
        "desks": office_pages.division_desks(season),
        "waiting": office_pages.registrations_waiting(season),
        "undecided": office_pages.undecided_violations(season),
        **in_office(),
    }
    return render(request, "games/season_office.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_officers
def season_edit(request: HttpRequest, season: Season) -> HttpResponse:
    """A form of what the officer says of a season."""
    form = SeasonForm(request.POST or None, instance=season)
    if request.method == "POST" and form.is_valid():
        try:
            stored = seasons.change_season(season=season.pk, **form.cleaned_data)
        except SeasonRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The season is saved."))
            return redirect("season_office", stored.league.slug, stored.slug)
    context = of_form(form, _("Season %s") % season.label, _("Save"), season)
    return render(request, "games/office_form.html", context)


STEPS = {
    "publish": (seasons.publish_season, True, _("The season is public.")),
    "hide": (seasons.hide_season, False, _("Only officers of the league see the season now.")),
    "close": (seasons.close_season, True, _("The season is closed; its tables are final.")),
}


@require_POST
@for_officers
def season_step(request: HttpRequest, season: Season) -> HttpResponse:
    """Publish, hide or close a season, as `step` says."""
    step = STEPS.get(request.POST.get("step", ""))
    if step is not None:
        take, dated, words = step
        try:
            take(season=season.pk, **({"at": timezone.now()} if dated else {}))
        except SeasonRefused as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, words)
    return redirect("season_office", season.league.slug, season.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@for_officers
def season_mail(request: HttpRequest, season: Season) -> HttpResponse:
    """A mail to all captains of a season, each by himself."""
    teams = office_pages.captains_of(season)
    addresses = office_pages.addresses_of(teams)
    form = CaptainsMailForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and addresses:
        captains_mail.send(addresses=addresses, by=request.user, **form.cleaned_data)
        messages.success(request, captains_mail.sent_words(addresses))
        return redirect("season_office", season.league.slug, season.slug)
    context = {
        "addresses": addresses,
        "without": [team for team in teams if not team.captain_email],
        **of_form(form, _("Mail to all captains"), _("Send"), season),
    }
    return render(request, "games/season_mail.html", context)


# --- What the office's pages share ---------------------------------------------------------


def in_office(season: Season | None = None) -> dict:
    """Where a page of the office stands, below its season if there is one."""
    crumbs = [(_("Leagues"), reverse("office_leagues"))]
    if season is not None:
        where = reverse("season_office", args=[season.league.slug, season.slug])
        crumbs.append((f"{season.league.name} {season.label}", where))
    return {"section": "office", "crumbs": crumbs}


def of_form(form, title: str, button: str, season: Season | None = None, **more) -> dict:
    """What a page of one form says around its fields."""
    return {"form": form, "title": title, "button": button, **in_office(season), **more}
