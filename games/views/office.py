"""The office: what an account has to do, the desks below, and the mail it wants."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.access import may_see_people_office
from games.accounts import reminder_choice
from games.accounts.office_desk import OfficeDesk


@require_safe
@login_required
def office(request: HttpRequest) -> HttpResponse:
    """What waits for the account, each thing one tap away, and the desks that it may use."""
    desk = OfficeDesk(request.user, timezone.localdate())
    context = {
        "desk": desk,
        "keeps_people": may_see_people_office(request.user),
        "section": "office",
    }
    return render(request, "games/office.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def office_mail(request: HttpRequest) -> HttpResponse:
    """Whether the account wants reminders of missing cards; an unticked box means no."""
    if request.method == "POST":
        wanted = "reminders" in request.POST
        reminder_choice.choose(user=request.user.pk, wanted=wanted)
        words = _("You get reminders again.") if wanted else _("You get no more reminders.")
        messages.success(request, words)
        return redirect("office_mail")
    return render(request, "games/office_mail.html", {"section": "office"})
