"""Pages of an account: the login, its code, the devices it is logged in on, its second factor."""

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.internal.stagekit import clear_login
from allauth.account.views import ConfirmLoginCodeView, LoginView
from allauth.core import ratelimit
from allauth.mfa.recovery_codes.views import ViewRecoveryCodesView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods
from django.views.i18n import set_language

from clubs import devices
from clubs.models import Device

from .second_factor import NEXT


class Login(LoginView):
    """The login; `?other=1` forgets the code that was asked for, since it went elsewhere."""

    def dispatch(self, request, *args, **kwargs):
        if "other" in request.GET:
            clear_login(request)
        return super().dispatch(request, *args, **kwargs)


class LoginCode(ConfirmLoginCodeView):
    """The page that takes the code; whoever has to begin again still gets where he wanted."""

    was_told = False

    def dispatch(self, request, *args, **kwargs):
        response = super().dispatch(request, *args, **kwargs)
        if response.status_code == 302 and response["Location"] == reverse("account_login"):
            if request.method == "POST" and not self.was_told:
                messages.error(request, _("That code is spent. Ask for a new one."))
            response["Location"] = self.passthrough_next_url(response["Location"])
        return response

    def may_guess(self):
        """Count a guess at the code, unless all are spent; requests that come together too."""
        state = self._process.state
        key = f"{state['email']} {state['at']}"
        return ratelimit.consume(self.request, action="guess_code", key=key)

    def form_valid(self, form):
        return super().form_valid(form) if self.may_guess() else self.spent()

    def form_invalid(self, form):
        if self.may_guess() and self._process.record_invalid_attempt():
            return self.render_to_response(self.get_context_data(form=form))
        return self.spent()

    def spent(self):
        self._process.abort()
        self.was_told = True
        words = _("That was wrong %d times, so the code is spent. Ask for a new one.")
        messages.error(self.request, words % app_settings.LOGIN_BY_CODE_MAX_ATTEMPTS)
        return redirect("account_login")

    def _resend_form_valid(self, form):
        self._process.send()
        if self._process.user is None:
            get_adapter().send_code_to_nobody(self._process.state["email"])
        self._process.record_resend()
        self._process.persist()
        return redirect(self.passthrough_next_url(reverse("account_confirm_login_code")))


class RecoveryCodes(ViewRecoveryCodesView):
    """The recovery codes, once, and the way to where one was going before they were made."""

    def get_context_data(self, **kwargs):
        return super().get_context_data(**kwargs) | {"next": self.request.session.get(NEXT)}


@require_http_methods(["GET", "HEAD", "POST"])
def choose_language(request: HttpRequest) -> HttpResponse:
    """The language of the pages, kept on the device; an account's mails follow it."""
    response = set_language(request)
    chosen = response.cookies.get(settings.LANGUAGE_COOKIE_NAME)
    if chosen is not None and request.user.is_authenticated:
        request.user.keep_language(chosen.value)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def device_list(request: HttpRequest) -> HttpResponse:
    """The devices on which the account is logged in; `end` names the one to end, or `others`."""
    user, key = request.user, request.session.session_key
    if request.method == "POST":
        name = request.POST.get("end", "")
        if name == "others":
            ended = devices.end_all(user=user, but=key)
            words = ngettext("%d device is logged out.", "%d devices are logged out.", ended)
            messages.success(request, words % ended)
        elif devices.end(user=user, name=name):
            messages.success(request, _("The device is logged out."))
        return redirect("device_list")
    found = list(Device.objects.of(user))
    context = {"devices": found, "current": key, "others": len(found) > 1}
    return render(request, "account/devices.html", context)
