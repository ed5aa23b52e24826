"""The registry's people in the office: added, kept, moved; a club's members and its list."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from clubs.forms import sent
from clubs.import_report import ImportRefused
from clubs.models import Club, Membership, Player, PlayerState
from clubs.row_numbers import row_number
from games.access import (
    clubs_for_members,
    is_officer,
    may_add_people,
    may_keep_club,
    may_keep_person,
    may_see_people_office,
)
from games.registry import person_changes
from games.registry.club_list import ClubList, import_club_list
from games.registry.person_changes import PeopleAlike, PersonRefused
from games.registry.person_forms import ClubFileForm, NewPersonForm, PersonForm, TransferForm

MOST_PROBLEMS = 50
STEPS = {"confirm": PlayerState.ACTIVE, "retire": PlayerState.RETIRED, "return": PlayerState.ACTIVE}

office_form = require_http_methods(["GET", "HEAD", "POST"])


@office_form
@login_required
def new_person(request: HttpRequest) -> HttpResponse:
    """A new player; who is like him is shown first. `?club=` is the club that the form begins with.

    A secretary adds to his own clubs, an officer to those of his leagues, or to none.
    """
    user = request.user
    if not may_add_people(user):
        raise PermissionDenied
    clubs = clubs_for_members(user)
    asked = clubs.filter(slug=request.GET.get("club", "").replace("\x00", "")).first()
    form = NewPersonForm(
        sent(request),
        clubs=clubs,
        club_is_needed=not may_see_people_office(user),
        initial={"club": asked, "starts_on": timezone.localdate()},
    )
    alike = []
    if request.method == "POST" and form.is_valid():
        club, starts_on = form.cleaned_data["club"], form.cleaned_data["starts_on"]
        try:
            player = person_changes.add_person(
                club=club,
                starts_on=starts_on,
                sure=request.POST.get("sure") == "1",
                known=request.POST.get("known", ""),
                by=user,
                **form.facts(),
            )
        except PeopleAlike as found:
            alike = found.alike
        except PersonRefused as refused:
            form.add_error(refused.column, str(refused))
        else:
            messages.success(request, _("%s is in the registry.") % player)
            return redirect("club_members", club.slug) if club else redirect_to(player)
    context = {"form": form, "alike": alike, **in_registry()}
    return render(request, "games/person_new.html", context)


@office_form
@login_required
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """An entry of the registry: its facts, its state, its clubs."""
    player = kept_person(request, pk)
    form = PersonForm(sent(request), player=player)
    if request.method == "POST" and form.is_valid():
        try:
            person_changes.change_person(player=pk, by=request.user, **form.changes())
        except PersonRefused as refused:
            form.add_error(refused.column, str(refused))
        else:
            messages.success(request, _("It is saved."))
            return redirect_to(player)
    return person_page(request, player, form=form)


@require_POST
@login_required
def person_step(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm a pending player, let one retire, or bring him back."""
    player = kept_person(request, pk)
    state = STEPS.get(request.POST.get("step", ""))
    try:
        if state is not None:
            person_changes.set_state(player=pk, state=state, by=request.user)
            messages.success(request, _("%s is saved.") % player)
    except PersonRefused as refused:
        messages.error(request, str(refused))
    return redirect_to(player)


@office_form
@login_required
def person_transfer(request: HttpRequest, pk: int) -> HttpResponse:
    """A player leaves a club, joins one, or both, from a day on; of the clubs one keeps oneself."""
    player, clubs = kept_person(request, pk), clubs_for_members(request.user)
    initial = {"on": timezone.localdate()}
    form = TransferForm(sent(request), player=player, clubs=clubs, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            moved = move(request, player, **form.clubs, on=form.cleaned_data["on"])
        except PersonRefused as refused:
            form.add_error(refused.column, str(refused))
        else:
            tell(request, player, moved)
            return redirect_to(player)
    context = {
        "player": player,
        "form": form,
        "title": _("%s moves") % player,
        "button": _("Save"),
        **in_registry(player),
    }
    return render(request, "games/office_form.html", context)


@office_form
@login_required
def club_members(request: HttpRequest, slug: str) -> HttpResponse:
    """A club's members for its secretary: who they are, who has left, and how one is added."""
    club, today = kept_club(request, slug), timezone.localdate()
    if request.method == "POST":
        known = row_number(request.POST.get("player"))
        members = Membership.objects.filter(club=club).values("player")
        player = get_object_or_404(Player.objects.filter(pk__in=members), pk=known)
        try:
            move(request, player, leaves=club.pk, joins=None, on=today)
        except PersonRefused as refused:
            messages.error(request, str(refused))
        else:
            words = {"player": player, "club": club}
            messages.success(request, _("%(player)s is no member of %(club)s any more.") % words)
        return redirect("club_members", slug)
    rows = Membership.objects.filter(club=club).select_related("player")
    rows = rows.order_by("player__sort_name", "pk")
    current = [row for row in rows if row.ends_on is None or row.ends_on > today]
    context = {
        "club": club,
        "members": current,
        "left": [row for row in rows if row not in current],
        "keeps_people": may_see_people_office(request.user),
        **in_club(club),
    }
    return render(request, "games/club_members.html", context)


@office_form
@login_required
def club_import(request: HttpRequest, slug: str) -> HttpResponse:
    """A club's list as a file: looked at first, row by row, then stored."""
    club = kept_club(request, slug)
    form = ClubFileForm(request.POST or None, request.FILES or None)
    stores, result, problems = request.POST.get("step") == "store", None, []
    if request.method == "POST" and form.is_valid():
        try:
            result = read_list(request, club, form.content, store=stores)
        except ImportRefused as error:
            problems = error.problems
    if result is not None and stores:
        words = {"new": result.new, "changed": result.changed}
        messages.success(request, _("%(new)d new, %(changed)d changed.") % words)
        return redirect("club_members", slug)
    context = {
        "club": club,
        "form": form,
        "result": result,
        "problems": problems[:MOST_PROBLEMS],
        "more": max(len(problems) - MOST_PROBLEMS, 0),
        **in_club(club, _("Members"), reverse("club_members", args=[slug])),
    }
    return render(request, "games/club_import.html", context)


# --- What they share ---------------------------------------------------------------------


def kept_person(request: HttpRequest, pk: int) -> Player:
    """The player, if the account looks after him; raises Http404 and PermissionDenied."""
    people = Player.objects.select_related("merged_into").with_clubs(timezone.localdate())
    player = get_object_or_404(people, pk=pk)
    if not may_keep_person(request.user, player):
        raise PermissionDenied
    return player


def kept_club(request: HttpRequest, slug: str) -> Club:
    """The club, if the account keeps it; raises Http404 and PermissionDenied."""
    club = get_object_or_404(Club, slug=slug)
    if not may_keep_club(request.user, club):
        raise PermissionDenied
    return club


def move(request: HttpRequest, player: Player, *, leaves: int | None, joins: int | None, on):
    """The transfer as whoever asks may make it."""
    return person_changes.transfer(
        player=player.pk,
        leaves=leaves,
        joins=joins,
        on=on,
        as_officer=lambda season: is_officer(request.user, season.league_id),
        by=request.user,
        at=timezone.now(),
    )


def read_list(request: HttpRequest, club: Club, content: bytes, *, store: bool) -> ClubList:
    """A club's list looked at or stored today, by whoever asks; raises ImportRefused."""
    return import_club_list(
        club=club,
        content=content,
        source=_("a club’s list"),
        on=timezone.localdate(),
        store=store,
        by=request.user,
    )


def person_page(request: HttpRequest, player: Player, **context) -> HttpResponse:
    memberships = player.memberships.select_related("club").order_by("-starts_on", "pk")
    context = {
        "player": player,
        "memberships": memberships,
        "is_closed": player.state in (PlayerState.MERGED, PlayerState.ERASED),
        **in_registry(player),
        **context,
    }
    context["crumbs"] = context["crumbs"][:1]
    return render(request, "games/person.html", context)


def redirect_to(player: Player) -> HttpResponse:
    return redirect("office_person", player.pk)


def tell(request: HttpRequest, player: Player, moved: person_changes.Moved) -> None:
    """What became of a player who moved, in sentences."""
    messages.success(request, _("%s is saved.") % player)
    done = sum(len(each.done) for each in moved.registered)
    waiting = sum(len(each.waiting) for each in moved.registered)
    if done:
        words = ngettext("Registered in %d season.", "Registered in %d seasons.", done)
        messages.success(request, words % done)
    if waiting:
        words = _("After the deadline: the officer decides about the registration.")
        messages.warning(request, words)
    for each in moved.registered:
        for _player, why in each.refused:
            messages.error(request, why)


def in_registry(player: Player | None = None) -> dict:
    """Where a page of the registry stands."""
    crumbs = [(_("Players"), reverse("office_people"))]
    if player is not None:
        crumbs.append((str(player), reverse("office_person", args=[player.pk])))
    return {"section": "office", "crumbs": crumbs}


def in_club(club: Club, *crumb: str) -> dict:
    """Where a page of a club's members stands."""
    crumbs = [(_("Clubs"), reverse("office_clubs")), (club.name, club.get_absolute_url())]
    return {"section": "office", "crumbs": [*crumbs, *([crumb] if crumb else [])]}
