"""Help for who enters cards, and for newcomers who ask what a word of a page means."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def captains(request: HttpRequest) -> HttpResponse:
    """How a card is entered, what happens after, and the words of the tables."""
    return render(request, "games/help.html")
