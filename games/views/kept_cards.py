"""A card posted after the login had ended: kept in the visitor's session until he has logged in.

Only a browser without JavaScript needs it: the page's script keeps what is typed on the device.
Nobody else reads the session, nothing is stored of the match, and only who may enter the card is
shown it, as typed and not saved.
"""

from functools import wraps

from django.http import HttpRequest, QueryDict
from django.utils import timezone

KEY = "typed-card"
KEPT_FOR = 2 * 60 * 60
"""Seconds within which one may log in and find it again."""
LONGEST = 40_000
"""Letters: sixteen boards with a long name in every field."""


def keeping_typed(view):
    """Let the view, of a match's `pk`, keep what somebody posts who is not logged in any more."""

    @wraps(view)
    def keeping(request: HttpRequest, pk: int):
        if request.method == "POST" and not request.user.is_authenticated:
            typed = request.POST.urlencode()
            if len(typed) <= LONGEST and request.headers.get("Accept") != "application/json":
                at = timezone.now().timestamp()
                request.session[KEY] = {"match": pk, "typed": typed, "at": at}
                request.session.set_expiry(KEPT_FOR)
        return view(request, pk)

    return keeping


def typed_before_login(request: HttpRequest, match: int) -> QueryDict | None:
    """What was posted of this match before the login, None for nothing; `?fresh` leaves it out."""
    kept = request.session.get(KEY)
    if not kept or kept["match"] != match or "fresh" in request.GET:
        return None
    if timezone.now().timestamp() - kept["at"] > KEPT_FOR:
        return None
    return QueryDict(kept["typed"])


def forget_typed(request: HttpRequest) -> None:
    """Keep it no longer: the card is saved."""
    if KEY in request.session:
        del request.session[KEY]
