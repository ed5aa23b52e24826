"""The second factor: who must have one, and forms that ask for a code of it."""

from allauth.account.adapter import get_adapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base import forms as base
from allauth.mfa.base.internal.flows import check_rate_limit
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.forms import GenerateRecoveryCodesForm
from allauth.mfa.totp.forms import ActivateTOTPForm, DeactivateTOTPForm
from django import forms
from django.conf import settings
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from clubs.access import is_grading_officer
from games.access import leagues_of

from .accounts import ask_for_code

NEXT = "after_second_factor"
# What is open without it: the account's own pages.
OPEN = ("account_", "mfa_", "device_")


def must_have_one(user) -> bool:
    """Whether the account may do nothing before it has a second factor."""
    if not settings.REQUIRE_SECOND_FACTOR or not user.is_authenticated:
        return False
    return user.is_staff or is_grading_officer(user) or bool(leagues_of(user))


class SecondFactor:
    """Leads who must have a second factor and has none to the page where it is set up."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        return self.get_response(request)

    def process_view(self, request, view, args, kwargs):
        # Who comes without a session is nobody: public pages do not ask.
        if not settings.REQUIRE_SECOND_FACTOR or not request.session.session_key:
            return None
        name = request.resolver_match.url_name or ""
        if name.startswith(OPEN) or not must_have_one(request.user):
            return None
        if request.user.has_second_factor:
            return None
        if request.method == "GET":
            request.session[NEXT] = request.get_full_path()
        return redirect("mfa_activate_totp")


class SecondFactorAdapter(DefaultMFAAdapter):
    """allauth's; who must have a second factor keeps it."""

    def can_delete_authenticator(self, authenticator):
        return not must_have_one(authenticator.user)


class AuthenticateForm(base.AuthenticateForm):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        ask_for_code(self.fields["code"])


class SetUpForm(ActivateTOTPForm):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("The app's six digits")
        ask_for_code(self.fields["code"])


class ProvenForm(forms.Form):
    """Asks for a code of the second factor: a device left open is not enough."""

    code = forms.CharField(label=_("A code of the app, or a recovery code"))

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        ask_for_code(self.fields["code"])

    def owner(self):
        raise NotImplementedError

    def clean_code(self):
        user, code = self.owner(), self.cleaned_data["code"]
        forgive = check_rate_limit(user)
        for authenticator in Authenticator.objects.filter(user=user).order_by("pk"):
            if authenticator.wrap().validate_code(code):
                forgive()
                return code
        raise get_adapter().validation_error("incorrect_code")


class RemoveForm(ProvenForm, DeactivateTOTPForm):
    def __init__(self, *args, data=None, **kwargs):
        # allauth binds the form to nothing to say at once whether it may be.
        super().__init__(*args, data=data or None, **kwargs)

    def owner(self):
        return self.authenticator.user

    @property
    def is_refused(self) -> bool:
        """Whether the factor has to stay."""
        return must_have_one(self.owner())


class NewRecoveryCodesForm(ProvenForm, GenerateRecoveryCodesForm):
    def owner(self):
        return self.user
