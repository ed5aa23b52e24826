"""What the sides and the officer say of an entered card: confirm, dispute, settle, open again."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.access import is_officer
from games.match_cards import agreement
from games.match_cards.agreement import AgreementRefused
from games.match_cards.agreement_page import AgreementPage
from games.match_cards.cards import CardChanged
from games.matches.match_forms import DisputeForm
from games.models import Match
from games.views.cards import match_to_enter
from games.views.match_arrangements import in_match
from games.views.matches import page_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def match_agreement(request: HttpRequest, pk: int) -> HttpResponse:
    """The card as it stands, and what this account may say of it; `step` is what it says."""
    match = match_to_enter(request, pk)
    step = request.POST.get("step", "")
    form = DisputeForm(request.POST or None)
    if step in STEPS and form.is_valid():
        try:
            said = say(request, match, step, form.cleaned_data)
        except CardChanged:
            form.add_error(None, _("The card was saved again meanwhile. Look at it once more."))
        except AgreementRefused as refused:
            form.add_error("reason" if step == "dispute" else None, str(refused))
        else:
            messages.success(request, said)
            return redirect(match)
    page = page_of(request, pk)
    context = {
        "match": page.match,
        "page": page,
        "form": form,
        "agreement": AgreementPage(page.match, request.user, timezone.localdate()),
        **in_match(page.match),
    }
    return render(request, "games/match_agreement.html", context)


def say(request: HttpRequest, match: Match, step: str, data: dict) -> str:
    """Do one step, and say so; raises what the workflows refuse with, and `PermissionDenied`."""
    facts = {"match": match.pk, "by": request.user, "at": timezone.now()}
    if step == "confirm":
        agreement.confirm(version=data["version"], **facts)
        return _("The result is confirmed. Thank you.")
    if step == "dispute":
        agreement.dispute(version=data["version"], reason=data["reason"], **facts)
        return _("The other side and the league’s officer hear that you dispute it.")
    if step in OFFICERS and is_officer(request.user, match.division.season.league_id):
        take, words = OFFICERS[step]
        take(why=data["reason"], **facts)
        return words()
    raise PermissionDenied


STEPS = ("confirm", "dispute", "settle", "reopen")
OFFICERS = {
    "settle": (agreement.settle, lambda: _("The result is settled; both sides hear it.")),
    "reopen": (agreement.reopen, lambda: _("The card is open again; both sides hear it.")),
}
