"""What pages of divisions say, kept in the memory of the process until any of it changes.

A text is kept under all that it follows from: the version of its divisions, which every workflow
raises that moves a match, a team or a decision, the names above it, the day, the language. So
nothing is ever taken out for being stale: it is asked for no more. The facts of a key are read
before what is drawn, so a change meanwhile is drawn too early and never too late. No name of a
player stands in any of these texts. A new build starts new processes, which remember nothing.
"""

import hashlib
from collections.abc import Callable, Iterable
from datetime import date
from functools import wraps

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language

from .models import Division

MESSAGES_COOKIE = "messages"
FACTS = (
    *("pk", "kind", "rank", "name", "version", "season__label", "season__slug"),
    *("season__closed_at", "season__league__name", "season__league__slug"),
)
Facts = list[tuple]


def facts_of_division(pk: int) -> Facts:
    """What the pages of a public division follow from, beside the day and the language."""
    return _facts(pk=pk)


def facts_of_season(slug: str, season: str) -> Facts:
    """The same of all divisions of a public season."""
    return _facts(season__league__slug=slug, season__slug=season)


def _facts(**which) -> Facts:
    divisions = Division.objects.published().filter(**which)
    return list(divisions.order_by("rank", "name", "pk").values_list(*FACTS))


def kept_for_visitors(facts: Callable[..., Facts]):
    """A view whose page is drawn once for all who have no session, until its `facts` change.

    It is asked with what stands in the address; without any facts the page is drawn each time,
    and so are files and pages of an address with a question.
    """

    def decorate(view):
        @wraps(view)
        def answer(request: HttpRequest, form: str = "", **place) -> HttpResponse:
            known = [] if form or request.GET or not is_visitor(request) else facts(**place)
            if not known:
                return view(request, form=form, **place)
            key = key_of(view.__name__, request.get_host(), timezone.localdate(), known)
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
