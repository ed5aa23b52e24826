"""Where an account is logged in: a session's row is a device, and without the row it is logged out.

This module is the SESSION_ENGINE. Django's session of a device knows neither whose it is nor when
it was last used, and a second table beside it would one day say something else.
"""

import hashlib
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

AGENT = "device_agent"
LOGGED_IN_AT = "device_logged_in_at"
# Used more often than this, a device is not noted as used again: most pages write nothing.
NOTED_EVERY = timedelta(hours=1)

SYSTEMS = (
    ("iPhone", gettext_lazy("an iPhone")),
    ("iPad", gettext_lazy("an iPad")),
    ("Android", gettext_lazy("an Android device")),
    ("CrOS", gettext_lazy("a Chromebook")),
    ("Windows", gettext_lazy("Windows")),
    ("Macintosh", gettext_lazy("a Mac")),
    ("Linux", gettext_lazy("Linux")),
)
# In this order: most of them claim to be Chrome or Safari too.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)


class DeviceQuerySet(models.QuerySet):
    def of(self, user):
        """Those on which the account is logged in, the one used last first."""
        return self.filter(user=user, expire_date__gt=timezone.now()).order_by("-seen_at", "pk")


class Device(AbstractBaseSession):
    """A session: of an account, on a browser, until it is ended or was not used for a season."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="devices"
    )
    agent = models.CharField(max_length=300, blank=True)
    logged_in_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField()

    objects = DeviceQuerySet.as_manager()

    class Meta(AbstractBaseSession.Meta):
        verbose_name = gettext_lazy("device")
        verbose_name_plural = gettext_lazy("devices")

    def __str__(self):
        return in_words(self.agent)

    @property
    def name(self) -> str:
        """What a page calls this device by; the key itself would log in whoever reads it."""
        return hashlib.sha256(self.pk.encode()).hexdigest()[:20]

    @classmethod
    def get_session_store_class(cls):
        return SessionStore


class SessionStore(DatabaseStore):
    """Django's sessions in the database; `seen_at` says when the loaded one was noted as used."""

    seen_at = None

    @classmethod
    def get_model_class(cls):
        return Device

    def _get_session_from_db(self):
        row = super()._get_session_from_db()
        if row is not None:
            self.seen_at = row.seen_at
        return row

    def create_model_instance(self, data):
        row = super().create_model_instance(data)
        row.user_id = data.get(SESSION_KEY)
        row.agent = data.get(AGENT, "")
        row.logged_in_at = data.get(LOGGED_IN_AT)
        row.seen_at = timezone.now()
        return row


def remember(request) -> None:
    """Note on what the account of this request logs in, and when."""
    request.session[AGENT] = request.META.get("HTTP_USER_AGENT", "").replace("\x00", "")[:300]
    request.session[LOGGED_IN_AT] = timezone.now().isoformat()


def note_use(request) -> None:
    """Note that the device is in use, if that was not done lately; its season begins anew."""
    seen_at = getattr(request.session, "seen_at", None)
    if seen_at is None or SESSION_KEY not in request.session:
        return
    if timezone.now() - seen_at > NOTED_EVERY:
        request.session.modified = True


def end(*, user, name: str) -> bool:
    """Log the account out on the device of this name; whether it was logged in there."""
    keys = [device.pk for device in Device.objects.of(user) if device.name == name]
    return bool(Device.objects.filter(user=user, pk__in=keys).delete()[0])


def end_all(*, user, but: str | None = None) -> int:
    """Log the account out everywhere, `but` on this one; how many were ended."""
    return Device.objects.filter(user=user).exclude(pk=but).delete()[0]


def in_words(agent: str) -> str:
    """A device as people call it, from what its browser says of itself."""
    browser = next((name for sign, name in BROWSERS if sign in agent), None)
    system = next((name for sign, name in SYSTEMS if sign in agent), None)
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or (str(system) if system else _("A device that does not say what it is"))
