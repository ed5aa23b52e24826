"""Invitations: a role offered by a link that works once."""

import base64
import hashlib
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from clubs.history import tracked
from clubs.models import Club

from .competitions import League, Team

HOLDS = timedelta(days=14)


class Role(models.TextChoices):
    """What an account may be given."""

    OFFICER = "officer", _("league officer")
    SECRETARY = "secretary", _("club secretary")
    CAPTAIN = "captain", _("team captain")
    GRADING = "grading", _("grading officer")


class InvitationState(models.TextChoices):
    OPEN = "open", _("open")
    USED = "used", _("accepted")
    WITHDRAWN = "withdrawn", _("withdrawn")
    EXPIRED = "expired", _("expired")


@tracked(exclude=["nonce", "digest"])
class Invitation(models.Model):
    """A role of a league, a club or a team, offered to whoever has the link.

    The link's token is stored as its hash alone. It is made of the `nonce` and the site's secret
    key, so it can be shown again to who may invite, and mailed by a job that is not told it; the
    database by itself opens nothing. Renewed, the invitation has another link.
    """

    role = models.CharField(_("role"), max_length=9, choices=Role.choices)
    league = models.ForeignKey(
        League, models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    club = models.ForeignKey(
        Club, models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    team = models.ForeignKey(
        Team, models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    name = models.CharField(_("name"), max_length=100, blank=True)
    email = models.EmailField(_("e-mail address"), blank=True)
    nonce = models.CharField(max_length=43, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="invitations_made"
    )
    invited_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="invitations_used",
    )
    used_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-invited_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(role=Role.OFFICER, league__isnull=False, club=None, team=None)
                | Q(role=Role.SECRETARY, league=None, club__isnull=False, team=None)
                | Q(role=Role.CAPTAIN, league=None, club=None, team__isnull=False)
                | Q(role=Role.GRADING, league=None, club=None, team=None),
                name="games_invitation_of_what_the_role_is_of",
            ),
            models.CheckConstraint(
                condition=Q(used_at=None) | Q(withdrawn_at=None),
                name="games_invitation_used_or_withdrawn",
            ),
        ]

    def __str__(self):
        return f"{self.get_role_display()}, {self.subject or 'Topboard'}"

    @property
    def subject(self) -> League | Club | Team | None:
        """What the role is of; nothing for the grading officer."""
        return self.league or self.club or self.team

    @property
    def token(self) -> str:
        """What stands in the link."""
        made = salted_hmac("games.Invitation", self.nonce, algorithm="sha256").digest()
        return base64.urlsafe_b64encode(made[:24]).decode()

    def state(self, at: datetime) -> InvitationState:
        if self.used_at is not None:
            return InvitationState.USED
        if self.withdrawn_at is not None:
            return InvitationState.WITHDRAWN
        return InvitationState.EXPIRED if at >= self.expires_at else InvitationState.OPEN

    def renew(self, at: datetime) -> None:
        """Give it a link that holds from now, unsaved; the one before opens nothing."""
        self.nonce = secrets.token_urlsafe(32)
        self.digest = digest_of(self.token)
        self.expires_at = at + HOLDS


def digest_of(token: str) -> str:
    """What is stored of a link's token."""
    return hashlib.sha256(token.encode()).hexdigest()
