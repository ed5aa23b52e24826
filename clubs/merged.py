"""Old addresses of players who were merged into another: they lead to him for good."""

from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse

from .models import Player

KEPT_SECONDS = 3600
"""How long a browser may go by what it was told: a merge can be undone."""


def follows_merges(view):
    """A view of one player, `pk`: where it finds nothing of a merged one, the other's page.

    Permanently, with the query and whatever else the address holds; so for twins too.
    """

    @wraps(view)
    def followed(request: HttpRequest, pk: int, *args, **kwargs) -> HttpResponse:
        try:
            return view(request, pk, *args, **kwargs)
        except Http404:
            kept = Player.objects.filter(pk=pk).kept_for().get(pk)
            if kept is None:
                raise
        found = request.resolver_match
        address = reverse(found.view_name, kwargs=found.kwargs | {"pk": kept})
        query = request.META.get("QUERY_STRING", "")
        response = HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)
        response["Cache-Control"] = f"private, max-age={KEPT_SECONDS}"
        return response

    return followed
