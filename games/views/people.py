"""The registry's office: who may be in it twice, two players merged, a merge taken apart."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access import is_grading_officer
from clubs.forms import sent
from clubs.lists import PagesOfFifty
from clubs.models import Player
from clubs.row_numbers import row_number
from games.access import (
    leagues_of,
    may_merge,
    may_see_people_office,
    pending_players,
    players_of_leagues,
)
from games.finder import hits
from games.grading_office.correction_forms import FindForm
from games.models import PlayerMerge
from games.registry import merge_effects
from games.registry.duplicates import likely_duplicates, pairs_of
from games.registry.merge_checks import (
    conflicts_of,
    facts_known,
    reason_not_to_undo,
    reasons_against,
)
from games.registry.merge_forms import MergeForm
from games.registry.people import CannotUndo, MergeRefused, MergeUndecided
from ratings.effects import Correction, Effect, carry_out
from ratings.models import GradeList, RatedGame, RatingPool

FOUND_SHOWN = 20
MERGES_SHOWN = PENDING_SHOWN = 50
REASONS_SHOWN = 10


@require_safe
@login_required
def office(request: HttpRequest) -> HttpResponse:
    """Pairs that may be one person, a search for two others, and the merges there were.

    `?first=` is a player found before: the search is for whom he is merged with.
    """
    user, today = request.user, timezone.localdate()
    if not may_see_people_office(user):
        raise PermissionDenied
    form = FindForm(request.GET)
    text = form.cleaned_data["q"] if form.is_valid() else ""
    first = asked_first(request)
    found = Player.objects.standing().found(text).with_clubs(today).order_by("sort_name", "pk")
    found = found.exclude(pk=first.pk) if first else found
    page = PagesOfFifty(likely_duplicates(own_people(user)), 0).get_page(request.GET.get("page"))
    context = in_office(
        form=form,
        q=text,
        first=first,
        found=hits(found, FOUND_SHOWN) if text else None,
        page=page,
        pairs=pairs_of(page.object_list, today),
        merges=merges_of(user),
        pending=pending_players(user).with_clubs(today).order_by("sort_name", "pk")[:PENDING_SHOWN],
    )
    return render(request, "games/people_office.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def merge(request: HttpRequest, pk: int, kept: int) -> HttpResponse:
    """The player `pk` merged into `kept`: all that moves, what is to be chosen, and the button."""
    today = timezone.localdate()
    people = Player.objects.select_related("merged_into").with_clubs(today)
    drop, keep = (get_object_or_404(people, pk=each) for each in (pk, kept))
    if not may_merge(request.user, keep, drop):
        raise PermissionDenied
    if drop.merged_into_id == keep.pk and request.method == "POST":
        messages.info(request, _("They are merged already."))
        return redirect(keep)
    reasons = reasons_against(keep, drop)
    form = MergeForm(sent(request), conflicts=[] if reasons else conflicts_of(keep, drop, today))
    effect = None
    if request.method == "POST" and not reasons and form.is_valid():
        correction = merge_effects.of_merge(
            keep=keep.pk, drop=drop.pk, choices=form.choices, by=request.user, at=timezone.now()
        )
        effect, is_done, reasons = tried(request, correction)
        if is_done:
            words = {"drop": drop, "keep": keep}
            messages.success(request, _("%(drop)s is merged into %(keep)s.") % words)
            return redirect(keep)
    games = RatedGame.objects.of_player(drop.pk).with_ratings().newest_first()
    page = PagesOfFifty(games, 0).get_page(request.GET.get("page"))
    context = in_office(
        keep=keep,
        drop=drop,
        reasons=reasons[:REASONS_SHOWN],
        more_reasons=max(len(reasons) - REASONS_SHOWN, 0),
        form=form,
        effect=effect,
        back=reverse("office_people"),
        confirm=_("Merge them"),
        page=page,
        sides=[game.seen_by(drop) for game in page],
        on_both=lists_of_both(keep, drop),
        facts=facts_known(keep, drop, today),
    )
    return render(request, "games/people_merge.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def undo(request: HttpRequest, merge: int) -> HttpResponse:
    """A merge taken apart: what goes back, and the button."""
    people = PlayerMerge.objects.select_related("kept", "dropped", "merged_by", "undone_by")
    stored = get_object_or_404(people, pk=merge)
    if not may_undo(request.user, stored):
        raise PermissionDenied
    reason, effect = reason_not_to_undo(stored), None
    reasons = [] if reason is None else [reason]
    if request.method == "POST" and not reasons:
        correction = merge_effects.of_undo(merge=stored, by=request.user, at=timezone.now())
        effect, is_done, reasons = tried(request, correction)
        if is_done:
            words = {"drop": stored.dropped, "keep": stored.kept}
            messages.success(request, _("%(drop)s and %(keep)s are two people again.") % words)
            return redirect("office_people")
    context = in_office(
        merge=stored,
        reasons=reasons,
        effect=effect,
        back=reverse("office_people"),
        confirm=_("Take them apart"),
    )
    return render(request, "games/people_undo.html", context)


# --- What they share ---------------------------------------------------------------------


def tried(request: HttpRequest, correction: Correction) -> tuple[Effect | None, bool, list[str]]:
    """The effect, whether it was done, and why not where it is refused meanwhile."""
    seen = request.POST.get("seen", "")
    try:
        effect, is_done = carry_out(correction, seen=seen)
    except MergeRefused as error:
        return None, False, error.reasons
    except MergeUndecided:
        return None, False, [_("Something of the two was changed meanwhile. Look again.")]
    except CannotUndo as error:
        return None, False, [str(error)]
    if seen and not is_done:
        messages.warning(request, _("This is not what you saw before: it is shown once more."))
    return effect, is_done, []


def asked_first(request: HttpRequest) -> Player | None:
    """The player of `?first=`, None without one; 404 for a number that is none."""
    text = request.GET.get("first", "")
    if not text:
        return None
    return get_object_or_404(Player.objects.standing(), pk=row_number(text))


def own_people(user) -> set[int] | None:
    """The players among whom the account looks for pairs; None for all."""
    if is_grading_officer(user):
        return None
    return players_of_leagues(leagues_of(user))


def merges_of(user) -> list[PlayerMerge]:
    """The newest merges that the account may see, undone ones too."""
    merges = PlayerMerge.objects.select_related("kept", "dropped", "merged_by").defer("moved")
    own = own_people(user)
    if own is not None:
        merges = merges.filter(Q(kept__in=own) | Q(merged_by=user))
    return list(merges[:MERGES_SHOWN])


def may_undo(user, merge: PlayerMerge) -> bool:
    """Whether the account may take the merge apart: who may merge all, or did this one himself."""
    return is_grading_officer(user) or (
        may_see_people_office(user) and merge.merged_by_id == user.pk
    )


def lists_of_both(keep: Player, drop: Player):
    """The published grade lists that have a grade of each of the two."""
    of_both = GradeList.objects.published().filter(grades__player=keep)
    return of_both.filter(pk__in=GradeList.objects.filter(grades__player=drop))


def in_office(**context) -> dict:
    """Where the pages stand, and which pools are stale."""
    crumbs = [(_("Players"), reverse("office_people"))] if "back" in context else []
    stale = RatingPool.objects.stale()
    return {"section": "office", "crumbs": crumbs, "stale": stale, **context}
