"""How accounts behave: sign-up is closed, mail leaves by a job, addresses tell nothing."""

import logging

from allauth.account import auth_backends, forms
from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.utils import translation

from clubs import mail
from clubs.models import User
from clubs.tasks import send_reset_link
from games.access import with_roles

log = logging.getLogger(__name__)


class AuthenticationBackend(auth_backends.AuthenticationBackend):
    """allauth's, which reads the account of a request together with its roles."""

    def get_user(self, user_id):
        user = with_roles(User.objects).filter(pk=user_id).first()
        return user if user is not None and self.user_can_authenticate(user) else None


class AccountAdapter(DefaultAccountAdapter):
    """Accounts are made by officers; nobody signs up."""

    def is_open_for_signup(self, request):
        return False

    def send_mail(self, template_prefix, email, context):
        subject, text = mail.rendered(template_prefix, context)
        mail.send_later(to=email, subject=subject, text=text)

    def set_password(self, user, password):
        """Also forgives failed logins: he who forgot his password has just made some."""
        super().set_password(user, password)
        if self.request is not None:
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


class ResetPasswordForm(forms.ResetPasswordForm):
    """Asks for the address of an account; the same is done whether there is one or not."""

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
