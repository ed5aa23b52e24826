"""How accounts behave: sign-up is closed, mail leaves by a job, addresses tell nothing."""

import logging

from allauth.account import auth_backends, forms
from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, PermissionDenied, ValidationError
from django.db.models import Exists, OuterRef
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import devices, mail
from clubs.forms import CODE_INPUT
from clubs.models import User
from clubs.tasks import send_login_code, send_reset_link
from games.access import with_roles

log = logging.getLogger(__name__)

LOGIN_CODE = "account/email/login_code"
EMAIL_ADDRESS = gettext_lazy("E-mail address")
TOO_MANY = "too_many_login_attempts"


class AuthenticationBackend(auth_backends.AuthenticationBackend):
    """allauth's, which reads the account of a request together with its roles."""

    def get_user(self, user_id):
        second = Authenticator.objects.filter(user=OuterRef("pk"), type=Authenticator.Type.TOTP)
        users = with_roles(User.objects).annotate(has_second_factor=Exists(second))
        user = users.filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None


class AccountAdapter(DefaultAccountAdapter):
    """Accounts are made by officers and invitations; nobody signs up."""

    error_messages = DefaultAccountAdapter.error_messages | {
        TOO_MANY: gettext_lazy("Too many tries. Wait five minutes and try again."),
    }

    def is_open_for_signup(self, request):
        return False

    def login(self, request, user):
        super().login(request, user)
        # A card kept from before ends a visitor's session soon; a login holds its season.
        request.session.set_expiry(None)
        devices.remember(request)
        if not user.language:
            user.keep_language(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME))

    def send_mail(self, template_prefix, email, context):
        if template_prefix == LOGIN_CODE:
            self.send_code(email, context["code"])
        else:
            subject, text = mail.rendered(template_prefix, context)
            mail.send_later(to=email, subject=subject, text=text)

    def send_code(self, email, code):
        """Queue the mail of a code; the job is the one that looks whose the address is."""
        send_login_code.defer(
            email=email,
            code=code,
            language=translation.get_language(),
            message_id=mail.new_message_id(),
        )

    def send_code_to_nobody(self, email):
        """The same for an address that no account has, so that the answer takes as long."""
        self.send_code(email, self.generate_login_code())

    def set_password(self, user, password):
        """Also ends the account's other devices, and forgives failed logins.

        He who forgot his password has just made some.
        """
        super().set_password(user, password)
        if self.request is not None:
            devices.end_all(user=user, but=self.request.session.session_key)
            self._delete_login_attempts_cached_email(self.request, email=user.email)

    def get_client_ip(self, request) -> str:
        """The client's address, by which failed logins are counted.

        A Unix socket has none, and a proxy may leave X-Forwarded-For out or shorter than
        TRUSTED_PROXY_COUNT says: then all such clients count together, and still may log in.
        """
        try:
            return super().get_client_ip(request)
        except (PermissionDenied, ImproperlyConfigured):
            log.warning(
                "No client address: X-Forwarded-For is missing or TRUSTED_PROXY_COUNT wrong"
            )
            return request.META.get("REMOTE_ADDR") or "unknown"


class LoginForm(forms.LoginForm):
    """An address, and a password or a request for a code, as `by` says.

    Without `by`, which is how the Enter key sends it, a password is tried if there is one.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["login"].label = EMAIL_ADDRESS
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        by = self.data.get("by")
        # Whoever asks for a code may have a password that the browser filled in.
        self.asks_for_code = by == "code" or (by != "password" and not self.data.get("password"))
        self.fields["password"].required = not self.asks_for_code

    def _login_by_code(self, request, redirect_url, credentials):
        response = super()._login_by_code(request, redirect_url, credentials)
        if self.user is None:
            get_adapter().send_code_to_nobody(credentials["email"])
        return response

    def clean_password(self):
        return "" if self.asks_for_code else self.cleaned_data["password"]

    def clean(self):
        """allauth's; who is kept from guessing passwords reads that a code opens meanwhile."""
        try:
            return super().clean()
        except ValidationError as error:
            if error.code != TOO_MANY:
                raise
        words = _("Too many wrong passwords. Wait five minutes, or log in at once by a code.")
        raise ValidationError(words, TOO_MANY)


class LoginCodeForm(forms.ConfirmLoginCodeForm):
    """The code of a mail, typed or filled in by the phone, with blanks or without."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        ask_for_code(self.fields["code"])


def ask_for_code(field) -> None:
    """Let a phone show its digits for this field, and offer the code that has just come."""
    field.widget.attrs.pop("placeholder", None)
    field.widget.attrs |= CODE_INPUT


class ResetPasswordForm(forms.ResetPasswordForm):
    """Asks for the address of an account; the same is done whether there is one or not."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["email"].label = EMAIL_ADDRESS
        self.fields["email"].widget.attrs.pop("placeholder", None)

    def clean_email(self):
        return self.cleaned_data["email"].lower()

    def save(self, request, **kwargs):
        email = self.cleaned_data["email"]
        send_reset_link.defer(
            email=email,
            site=request.build_absolute_uri("/"),
            language=translation.get_language(),
            message_id=mail.new_message_id(),
        )
        return email
