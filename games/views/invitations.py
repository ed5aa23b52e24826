"""The page behind an invitation's link. To look at it changes nothing; a button accepts it."""

import secrets
import time
from dataclasses import asdict, dataclass, fields

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.utils import perform_login
from allauth.core import ratelimit
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubs import mail
from games.accounts import invitations
from games.accounts.invitation_forms import AcceptForm, CodeForm
from games.accounts.invitations import AccountClosed, InvitationSpent
from games.models import Invitation, InvitationState

PENDING = "invitation_code"


@dataclass
class Pending:
    """Who wants to accept on this device: the address and name he typed, and the code sent."""

    token: str
    email: str
    name: str
    code: str
    at: float

    @classmethod
    def of(cls, request: HttpRequest, token: str) -> "Pending | None":
        """What waits for a code in this session for this link.

        A session outlives a release: one kept by another may lack fields, or have more.
        """
        kept = request.session.get(PENDING) or {}
        known = {each.name: kept[each.name] for each in fields(cls) if each.name in kept}
        pending = cls(**known) if len(known) == len(fields(cls)) else None
        if pending is None or pending.token != token:
            return None
        is_old = time.time() - pending.at > app_settings.LOGIN_BY_CODE_TIMEOUT
        return None if is_old else pending

    def keep(self, request: HttpRequest) -> None:
        request.session[PENDING] = asdict(self)

    def may_guess(self, request: HttpRequest, *, more: bool = False) -> bool:
        """Count a guess at the code, unless all are spent; with `more` only whether one is left.

        Not in the session, which requests that come together read alike.
        """
        key = f"{self.token} {self.email} {self.at}"
        return ratelimit.consume(request, action="guess_code", key=key, dry_run=more)

    def is_it(self, code: str) -> bool:
        digits = "".join(filter(str.isdigit, code))
        return secrets.compare_digest(digits.encode(), self.code.encode())


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """What is offered, and how to accept: at once if logged in, else by an address and a code."""
    stored = invitations.found(token)
    if stored is None:
        return spent(request, None, None)
    state = invitations.state_of(stored, timezone.now())
    if state != InvitationState.OPEN:
        return spent(request, stored, state)
    step = request.POST.get("step") if request.method == "POST" else None
    try:
        if request.user.is_authenticated:
            if step == "accept":
                done = invitations.accept(token=token, user=request.user, at=timezone.now())
                return accepted(request, done)
            return page(request, stored)
        if step == "address":
            return take_address(request, stored, token)
        if step == "code":
            return take_code(request, stored, token)
    except InvitationSpent as error:
        return spent(request, error.invitation, error.state)
    pending = Pending.of(request, token) if "other" not in request.GET else None
    if pending is not None:
        return page(request, stored, code_form=CodeForm(), pending=pending)
    return page(request, stored, form=AcceptForm(initial=known(stored)))


def take_address(request: HttpRequest, stored: Invitation, token: str) -> HttpResponse:
    """Send a code to the address, whoever's it is, and wait for it."""
    form = AcceptForm(request.POST)
    if form.is_valid():
        email = form.cleaned_data["email"]
        if ratelimit.consume(request, action="request_login_code", key=email):
            code = get_adapter().generate_login_code()
            Pending(token, email, form.cleaned_data["name"], code, time.time()).keep(request)
            mail.send_later(to=email, **invitations.code_letter_of(stored, code).parts)
            return redirect(request.path)
        form.add_error("email", _("Too many codes were asked for. Try again in some minutes."))
    return page(request, stored, form=form)


def take_code(request: HttpRequest, stored: Invitation, token: str) -> HttpResponse:
    """Accept for the owner of the address, and log him in."""
    pending, form = Pending.of(request, token), CodeForm(request.POST)
    if pending is None:
        messages.error(request, _("That code is spent. Ask for a new one."))
        return redirect(request.path)
    if not form.is_valid():
        return page(request, stored, code_form=form, pending=pending)
    may_guess = pending.may_guess(request)
    if not (may_guess and pending.is_it(form.cleaned_data["code"])):
        if not (may_guess and pending.may_guess(request, more=True)):
            del request.session[PENDING]
            words = _("That was wrong %d times, so the code is spent. Ask for a new one.")
            messages.error(request, words % app_settings.LOGIN_BY_CODE_MAX_ATTEMPTS)
            return redirect(request.path)
        form.add_error("code", get_adapter().validation_error("incorrect_code"))
        return page(request, stored, code_form=form, pending=pending)
    del request.session[PENDING]
    try:
        user, done = invitations.accept_as(
            token=token, email=pending.email, name=pending.name, at=timezone.now()
        )
    except AccountClosed:
        return redirect("account_inactive")
    messages.success(request, welcome(done))
    return perform_login(request, user, redirect_url=reverse("office"), email=pending.email)


def accepted(request: HttpRequest, done: Invitation) -> HttpResponse:
    messages.success(request, welcome(done))
    return redirect("office")


def welcome(done: Invitation) -> str:
    return _("Accepted: you are %s now.") % invitations.post_of(done)


def known(stored: Invitation) -> dict:
    """What whoever made the invitation knew of whom it is for."""
    return {"email": stored.email, "name": stored.name}


def page(request: HttpRequest, stored: Invitation, **context) -> HttpResponse:
    context |= {"invitation": stored, "post": invitations.post_of(stored), "next": request.path}
    return render(request, "games/invitation.html", context)


def spent(request: HttpRequest, stored, state) -> HttpResponse:
    """Why the link opens nothing, and what to do: 410 for one there was, 404 for none."""
    own = stored is not None and request.user.is_authenticated
    context = {
        "invitation": stored,
        "state": state,
        "is_own": own and stored.used_by_id == request.user.pk,
    }
    status = 404 if stored is None else 410
    return render(request, "games/invitation_spent.html", context, status=status)
