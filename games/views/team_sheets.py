"""A captain's line-up, saved before the match without the other side seeing it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.access import acts_for
from games.match_cards.card_page import CardPage
from games.match_cards.team_sheets import SheetClosed, closed_words, save_sheet, sheets_of
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
    sheets = sheets_of(match)
    typed = request.POST if request.method == "POST" else None
    own = {side: sheets[side]}
    asked = {side: request.GET.get(side, "")}
    page = CardPage(match, timezone.localdate(), typed, sheets=own, earlier=asked)
    closed = closed_words(match, sheets)
    if typed is not None and page.is_valid_sheet(side):
        try:
            seats = page.sheet_seats(side)
            save_sheet(match=match.pk, side=side, seats=seats, by=request.user, at=timezone.now())
        except SheetClosed as refused:
            closed = str(refused)
        else:
            messages.success(request, _("The line-up is saved."))
            if asks_json(request):
                return JsonResponse({"url": request.path, "version": 0})
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
        "is_saved": bool(sheets[side]),
    }
    return render(request, "games/team_sheet.html", context | more)
