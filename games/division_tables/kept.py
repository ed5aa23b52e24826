"""What pages of divisions say, kept in the memory of the process until any of it changes.

A text is kept under all that it follows from: its address, the day, the language, and the version
of its divisions, which every workflow raises that changes what they show: a match, a team, a
decision, a rule, the name or the publication of the season. So nothing is ever taken out for being
stale: it is asked for no more. The version is read before what is drawn, so a change meanwhile is
drawn too early and never too late. A player's name stands there only where an officer wrote it into
the reason of a decision, which raises the version like every other; who is erased raises it too. A
new build starts new processes, which remember nothing.
"""

import hashlib
from collections.abc import Callable, Iterable
from datetime import date
from functools import cache, wraps

from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language

from games.models import Division

MESSAGES_COOKIE = "messages"
Facts = tuple[tuple, ...]


def facts_of_division(pk: int) -> Facts:
    """What the pages of a division follow from, beside the day and the language: its version."""
    return _versions(pk=pk)


def facts_of_season(slug: str, season: str) -> Facts:
    """The same of all divisions of a season, in their order."""
    return _versions(season__league__slug=slug, season__slug=season)


def _versions(**which) -> Facts:
    with connection.cursor() as cursor:
        cursor.execute(_statement(*which), list(which.values()))
        return tuple(cursor.fetchall())


@cache
def _statement(*columns: str) -> str:
    """The SQL of pk, rank and version of the divisions where these columns have given values.

    Put together once: that takes Django longer than PostgreSQL takes to answer. It joins nothing
    for one division, or PostgreSQL would think longer than it reads.
    """
    rows = Division.objects.filter(**dict.fromkeys(columns, 0)).order_by("rank", "name", "pk")
    return rows.values_list("pk", "rank", "version").query.sql_with_params()[0]


def kept_for_visitors(facts: Callable[..., Facts]):
    """A view whose page is drawn once for all who have no session, until its `facts` change.

    These are asked with what stands in the address; without any the page is drawn each time, and
    so are files, pages of an address with a question, and what is no page (404).
    """

    def decorate(view):
        @wraps(view)
        def answer(request: HttpRequest, form: str = "", **place) -> HttpResponse:
            known = [] if form or request.GET or not is_visitor(request) else facts(**place)
            if not known:
                return view(request, form=form, **place)
            # A page says where it stands: of a calendar, and for coming back to it.
            key = key_of(request.get_host(), request.path, timezone.localdate(), known)
            content = caches["pages"].get(key)
            if content is not None:
                return HttpResponse(content)
            response = view(request, **place)
            if response.status_code == 200:
                caches["pages"].set(key, response.content)
            return response

        return answer

    return decorate


def is_visitor(request: HttpRequest) -> bool:
    """Whether the page is drawn for nobody in particular: no session, and nothing to be told."""
    return request.COOKIES.keys().isdisjoint({settings.SESSION_COOKIE_NAME, MESSAGES_COOKIE})


def kept_words(
    what: str,
    divisions: Iterable[Division],
    today: date,
    make: Callable[[list[Division]], dict[int, str]],
) -> dict[int, str]:
    """By pk what is said of each division; `make` is asked for those of which nothing is kept."""
    keys = {
        division.pk: (division, key_of(what, today, division.pk, division.version))
        for division in divisions
    }
    kept = caches["pages"].get_many([key for _division, key in keys.values()])
    words = {pk: kept[key] for pk, (_division, key) in keys.items() if key in kept}
    missing = [division for pk, (division, _key) in keys.items() if pk not in words]
    if missing:
        made = make(missing)
        caches["pages"].set_many({keys[pk][1]: text for pk, text in made.items()})
        words |= made
    return words


def key_of(*parts) -> str:
    """The key of a text that follows from these, in the language of now."""
    return hashlib.sha256(repr((get_language(), *parts)).encode()).hexdigest()
