"""A captain's line-up, saved before the match without the other side seeing it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs.forms import sent
from games.access import acts_for
from games.match_cards.cards import CardRefused
from games.match_cards.sheet_page import SheetPage
from games.match_cards.team_sheets import (
    SheetChanged,
    SheetClosed,
    closed_words,
    save_sheet,
    saved_sheets,
)
from games.models import Side

from .cards import asks_json, card_context, match_to_enter


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def match_sheet(request: HttpRequest, pk: int, side: str) -> HttpResponse:
    """The sheet of one side: drawn, and saved; a refused one comes back with all that was typed."""
    match = match_to_enter(request, pk)
    if side not in Side.values:
        raise Http404
    if not (request.user.is_superuser or acts_for(request.user, getattr(match, side))):
        raise PermissionDenied
    saved = saved_sheets(match)
    typed = sent(request)
    asked = {side: request.GET.get(side, "")}
    page = SheetPage(
        match, timezone.localdate(), typed, side=side, saved=saved[side], earlier=asked
    )
    closed = closed_words(match, {each: saved[each].seats for each in saved})
    if typed is not None and page.is_valid():
        try:
            save_sheet(
                match=match.pk,
                side=side,
                seats=page.seats(),
                seen=page.mark,
                by=request.user,
                at=timezone.now(),
            )
        except SheetClosed as refused:
            closed = str(refused)
        except SheetChanged as changed:
            page.show_newer(changed.saved)
        except CardRefused as refused:
            page.refuse(refused.problems)
        else:
            messages.success(request, _("The line-up is saved."))
            if asks_json(request):
                mark = saved_sheets(match)[side].mark
                return JsonResponse({"url": request.path, "version": mark})
            return redirect("match_sheet", pk, side)
    if typed is not None and asks_json(request):
        return JsonResponse({"url": ""})
    context = card_context(page)
    context["earlier"] = {side: context["earlier"][side]}
    more = {
        "side": side,
        "team": getattr(match, side),
        "options": context[f"{side}_options"],
        "rows": [(row, row.seats[side]) for row in page.rows],
        "closed": closed,
        "is_saved": bool(page.saved.seats),
    }
    return render(request, "games/team_sheet.html", context | more)
