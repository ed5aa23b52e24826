"""Where clubs are made and kept: by their secretaries, and by the officers of their leagues."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs import club_details
from clubs.club_details import ClubRefused
from clubs.lists import PagesOfFifty
from clubs.models import Club
from clubs.row_numbers import row_number
from games.access import clubs_to_keep, is_officer, may_keep_club, may_make_club
from games.models import Division
from games.registry.club_forms import ClubForm


@require_safe
@login_required
def clubs(request: HttpRequest) -> HttpResponse:
    """The clubs that the account keeps."""
    kept = clubs_to_keep(request.user).select_related("hall").order_by("search_name", "pk")
    page = PagesOfFifty(kept, 0).get_page(request.GET.get("page"))
    context = {"page": page, "may_make": may_make_club(request.user), **in_clubs()}
    context["crumbs"] = context["crumbs"][:1]
    return render(request, "games/office_clubs.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_club(request: HttpRequest) -> HttpResponse:
    """A form that makes a club; `?for=` is the division that its first team is entered in."""
    if not may_make_club(request.user):
        raise PermissionDenied
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            club = club_details.add_club(by=request.user, **form.cleaned_data)
        except ClubRefused as refused:
            form.add_error(refused.column, str(refused))
        else:
            messages.success(request, _("%s is made.") % club)
            division = division_to_enter(request)
            if division is not None:
                query = {"club": club.slug}
                return redirect(reverse("division_enter", args=[division.pk], query=query))
            return redirect("office_clubs")
    context = {"form": form, "title": _("A new club"), "button": _("Make it"), **in_clubs()}
    return render(request, "games/club_form.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def club_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """A form of what everybody reads on a club's page."""
    club = get_object_or_404(Club.objects.select_related("hall"), slug=slug)
    if not may_keep_club(request.user, club):
        raise PermissionDenied
    form = ClubForm(request.POST or None, instance=club)
    if request.method == "POST" and form.is_valid():
        try:
            stored = club_details.change_club(club=club.pk, by=request.user, **form.cleaned_data)
        except ClubRefused as refused:
            form.add_error(refused.column, str(refused))
        else:
            messages.success(request, _("%s is saved.") % stored)
            return redirect(stored)
    others = club.hall.clubs.exclude(pk=club.pk).order_by("search_name") if club.hall else []
    context = {
        "form": form,
        "club": club,
        "sharing": list(others),
        "title": club.name,
        "button": _("Save"),
        **in_clubs(),
    }
    return render(request, "games/club_form.html", context)


def division_to_enter(request: HttpRequest) -> Division | None:
    """The division named in the address, if the account runs its league."""
    pk = row_number(request.GET.get("for"))
    division = Division.objects.select_related("season").filter(pk=pk).first()
    runs = division is not None and is_officer(request.user, division.season.league_id)
    return division if runs else None


def in_clubs() -> dict:
    """Where a page of the office's clubs stands."""
    crumbs = [(_("Leagues"), reverse("office_leagues")), (_("Clubs"), reverse("office_clubs"))]
    return {"section": "office", "crumbs": crumbs}
