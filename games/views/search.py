"""The search in the header: a player, a club or a team."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.finder import find

SHOWN = 20


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """What fits the words; a single hit is gone to at once."""
    text = request.GET.get("q", "").replace("\x00", " ").strip()
    found = find(text, request.user, timezone.localdate(), SHOWN)
    if found.only is not None:
        return redirect(found.only)
    return render(request, "games/search.html", {"q": text, "found": found})
