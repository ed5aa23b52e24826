"""The grading officer's pages: lists that are due and published, revisions, opening grades."""

from datetime import date
from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import is_grading_officer
from clubs.forms import sent
from clubs.lists import PagesOfFifty
from clubs.models import Player
from games.grading_office import grade_office
from games.grading_office.grade_forms import ListRulesForm, OpeningGradeForm, RevisionForm
from games.grading_office.grading import (
    count_outstanding,
    outstanding_cards,
    set_list_rules,
    set_opening_grade,
)
from games.grading_office.list_words import grades
from ratings import ecf, lists, previews, revisions
from ratings.models import PoolName, RatingPool

SHOWN = 50
"""How many differences of a list a preview shows."""


def for_grading_officers(view):
    """A view for grading officers alone: others are refused, the anonymous sent to the login."""

    @login_required
    @wraps(view)
    def checked(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        if not is_grading_officer(request.user):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return checked


def for_lists(view):
    """A view of one list: another pool or another day than a cutoff is no such page."""

    @wraps(view)
    def checked(request: HttpRequest, pool: str, cutoff: date) -> HttpResponse:
        if pool not in lists.GRADED_POOLS or not ecf.is_cutoff(cutoff):
            raise Http404
        return view(request, PoolName(pool), cutoff)

    return checked


@require_safe
@for_grading_officers
def office(request: HttpRequest) -> HttpResponse:
    """Every pool: the list that comes next, what it waits for, and those that came out."""
    today = timezone.localdate()
    context = {
        "offices": grade_office.offices(today),
        "stale": RatingPool.objects.stale(),
        "today": today,
        "section": "office",
    }
    return render(request, "games/grade_office.html", context)


@require_safe
@for_grading_officers
@for_lists
def cards(request: HttpRequest, pool: PoolName, cutoff: date) -> HttpResponse:
    """The matches before a cutoff whose card is still to come, the oldest first."""
    matches = (
        outstanding_cards(pool, cutoff, timezone.localdate())
        .with_names()
        .select_related("division__season__league")
        .order_by("played_on", "division__season", "division__rank", "number", "pk")
    )
    page = PagesOfFifty(matches, 0).get_page(request.GET.get("page"))
    return render(request, "games/grade_cards.html", of_list(pool, cutoff, page=page))


@require_safe
@for_grading_officers
@for_lists
def players(request: HttpRequest, pool: PoolName, cutoff: date) -> HttpResponse:
    """Who is not on a list: players without any tie to a grade, and those of too few games."""
    found = grade_office.newest_revision(pool, cutoff)
    if found is None:
        raise Http404
    below = PagesOfFifty(grade_office.below_minimum(found), 0)
    context = of_list(
        pool,
        cutoff,
        grade_list=found,
        unanchored=grade_office.unanchored_players(found, timezone.localdate()),
        minimum=grade_office.minimum_of(found),
        page=below.get_page(request.GET.get("page")),
    )
    return render(request, "games/grade_players.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_grading_officers
@for_lists
def publish(request: HttpRequest, pool: PoolName, cutoff: date) -> HttpResponse:
    """What the list would hold; and with the button, the list."""
    if is_confirmed(request):
        try:
            made = lists.publish(
                pool=pool,
                cutoff=cutoff,
                at=timezone.now(),
                by=request.user,
                outstanding=count_outstanding,
            )
        except lists.ListError as error:
            return told(request, error)
        messages.success(
            request,
            _("%(list)s is published, with %(grades)s.")
            % {
                "list": lists.name_of_list(pool, cutoff),
                "grades": grades(made.grades.published().count()),
            },
        )
        return redirect("office_grades")
    try:
        preview = previews.preview(pool=pool, cutoff=cutoff, at=timezone.now())
    except lists.ListError as error:
        return told(request, error)
    outstanding = count_outstanding(pool, cutoff)
    context = of_list(pool, cutoff, preview=preview, outstanding=outstanding)
    return render(request, "games/grade_publish.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_grading_officers
@for_lists
def revise(request: HttpRequest, pool: PoolName, cutoff: date) -> HttpResponse:
    """What a revision would change on this list and every later one; with the button, it does."""
    form = RevisionForm(sent(request))
    at = timezone.now()
    try:
        if is_confirmed(request) and form.is_valid():
            revised = revisions.revise(
                pool=pool,
                cutoff=cutoff,
                at=at,
                by=request.user,
                reason=form.cleaned_data["reason"],
            )
            messages.success(request, revised_words(revised))
            return redirect("office_grades")
        found = revisions.preview_revision(pool=pool, cutoff=cutoff, at=at)
    except lists.ListError as error:
        return told(request, error)
    context = of_list(pool, cutoff, form=form, revised=with_players(found))
    return render(request, "games/grade_revise.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_grading_officers
def opening(request: HttpRequest, pk: int) -> HttpResponse:
    """A player's opening grade: what is known, and a form that sets it."""
    player = get_object_or_404(Player, pk=pk)
    initial = {"pool": request.GET.get("pool", PoolName.STANDARD)}
    today = timezone.localdate()
    form = OpeningGradeForm(request.POST or None, initial=initial, today=today)
    if request.method == "POST" and form.is_valid():
        written = set_opening_grade(
            player=player.pk, by=request.user, at=timezone.now(), **form.cleaned_data
        )
        messages.success(request, opening_words(player, form.cleaned_data["grade"], written))
        return redirect("office_grades")
    context = {
        "player": player,
        "known": player.opening_ratings.order_by("pool", "system"),
        "form": form,
        **in_office(),
    }
    return render(request, "games/grade_opening.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_grading_officers
def rules(request: HttpRequest, pool: str) -> HttpResponse:
    """How a pool's lists are made and when they come out; a form that changes it."""
    if pool not in lists.GRADED_POOLS:
        raise Http404
    settings = RatingPool.objects.get(pk=pool)
    initial = {name: getattr(settings, name) for name in ListRulesForm.base_fields}
    form = ListRulesForm(sent(request), initial=initial)
    if request.method == "POST" and form.is_valid():
        set_list_rules(pool=pool, at=timezone.now(), **form.cleaned_data)
        words = {"pool": PoolName(pool).label}
        messages.success(request, _("%(pool)s lists are made so from the next one on.") % words)
        return redirect("office_grades")
    context = {"pool": PoolName(pool), "form": form, **in_office()}
    return render(request, "games/grade_rules.html", context)


# --- What they share ---------------------------------------------------------------------


def is_confirmed(request: HttpRequest) -> bool:
    """Whether the button was pressed on a preview that still holds; else the new one is shown."""
    if request.method != "POST":
        return False
    state = grade_office.ledger_state()
    if request.POST.get("seen", state) == state:
        return True
    messages.warning(
        request, _("Games came in or changed while you looked: this is how it is now.")
    )
    return False


def told(request: HttpRequest, error: lists.ListError) -> HttpResponse:
    """Back to the office, with why it cannot be done; that it is done already is no fault."""
    harmless = isinstance(error, lists.AlreadyPublished)
    messages.add_message(request, messages.INFO if harmless else messages.ERROR, str(error))
    return redirect("office_grades")


def in_office() -> dict:
    """Where a page of the office stands."""
    return {"section": "office", "crumbs": [(_("Grade lists"), reverse("office_grades"))]}


def of_list(pool: PoolName, cutoff: date, **more) -> dict:
    """What the page of one list says around its rows."""
    return {
        "pool": pool,
        "cutoff": cutoff,
        "seen": grade_office.ledger_state(),
        **in_office(),
        **more,
    }


def with_players(revised: list[revisions.Revised]) -> list[tuple]:
    """Each list with how many of its grades differ, and the first of them with their players."""
    found = []
    for each in revised:
        shown = each.differences[:SHOWN]
        people = Player.objects.in_bulk([difference.player_id for difference in shown])
        rows = [(people[difference.player_id], difference) for difference in shown]
        found.append((each.grade_list, len(each.differences), rows))
    return found


def revised_words(revised: list[revisions.Revised]) -> str:
    """What a revision did, in a sentence."""
    if not revised:
        return _("Nothing differs from what was published: no list was revised.")
    names = ", ".join(
        lists.name_of_list(each.grade_list.pool_id, each.grade_list.cutoff) for each in revised
    )
    return ngettext("Revised: %s.", "Revised: %s.", len(revised)) % names


def opening_words(player: Player, grade: int, written: int) -> str:
    """What setting an opening grade did, in a sentence."""
    said = _("%(player)s has the opening grade %(grade)d.") % {"player": player, "grade": grade}
    if written:
        said += " " + (
            ngettext(
                "%d rating was worked out again.", "%d ratings were worked out again.", written
            )
            % written
        )
    return said
