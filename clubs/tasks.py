"""Jobs about accounts; how mail is queued and sent stands in `mail.py`."""

from urllib.parse import urljoin

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from procrastinate.contrib.django import app

from . import mail
from .models import User


@app.task(name="send_reset_link", queue="mail", retry=mail.RETRIES)
def send_reset_link(*, email: str, site: str, language: str, message_id: str) -> None:
    """Mail a link that lets the owner of this address choose a new password, once.

    `site` is the root address of the page on which he asked. Without an active account of the
    address nothing is sent; that is found out here, so that the page answers all alike.
    """
    user = User.objects.filter(email=email.lower(), is_active=True).first()
    if user is None:
        return
    uid, key = user_pk_to_url_str(user), default_token_generator.make_token(user)
    link = urljoin(site, reverse("account_reset_password_from_key", args=[uid, key]))
    with translation.override(language):
        subject, text = mail.rendered(
            "account/email/password_reset_key", {"user": user, "password_reset_url": link}
        )
    mail.send_mail(to=user.email, subject=subject, text=text, message_id=message_id)


@app.task(name="send_login_code", queue="mail", retry=mail.RETRIES)
def send_login_code(*, email: str, code: str, language: str, message_id: str) -> None:
    """Mail the code with which the owner of this address logs in, on the page that waits for it.

    Without an active account of the address nothing is sent; that is found out here.
    """
    user = User.objects.filter(email=email.lower(), is_active=True).first()
    if user is None:
        return
    with translation.override(language):
        words = [
            _("Hello %(name)s,") % {"name": user.get_short_name()},
            _("this code logs you in, on the page that waits for it."),
        ]
        parts = mail.code_letter(code, words).parts
    mail.send_mail(to=user.email, message_id=message_id, **parts)
