"""Invitations: made, mailed, renewed, withdrawn, and accepted once."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from urllib.parse import urljoin

import pghistory
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from procrastinate.contrib.django import app

from clubs import mail
from clubs.dates import date_format
from clubs.mail import Letter
from clubs.models import User
from games.access import clubs_to_keep, may_give
from games.models import Invitation, InvitationState, Role
from games.models.invitations import digest_of

from . import roles
from .roles import Post


class InvitationSpent(Exception):
    """The link opens nothing (any more); `state` says why, `invitation` which it was."""

    def __init__(self, invitation: Invitation, state: InvitationState):
        super().__init__(state.label)
        self.invitation, self.state = invitation, state


class AccountClosed(Exception):
    """The account of this address is closed."""


def post_of(invitation: Invitation) -> Post:
    return Post(Role(invitation.role), invitation.subject)


@transaction.atomic
def invite(*, post: Post, name: str, email: str, site: str, by, at: datetime) -> Invitation:
    """Offer the role by a link below the address `site`; with an e-mail address it is mailed."""
    subjects = {Role.OFFICER: "league", Role.SECRETARY: "club", Role.CAPTAIN: "team"}
    of = {subjects[post.role]: post.subject} if post.role in subjects else {}
    invitation = Invitation(
        role=post.role, name=name, email=email, invited_by=by, invited_at=at, **of
    )
    invitation.renew(at)
    invitation.save()
    _mail_later(invitation, site)
    return invitation


@transaction.atomic
def renew(*, invitation: int, site: str, by, at: datetime) -> Invitation:
    """Give it a new link that holds from now, and mail that; raises InvitationSpent."""
    stored = _locked(invitation)
    if stored.state(at) not in (InvitationState.OPEN, InvitationState.EXPIRED):
        raise InvitationSpent(stored, stored.state(at))
    stored.renew(at)
    # Who renews it answers for it from now on.
    stored.invited_by = by
    stored.save(update_fields=["nonce", "digest", "expires_at", "invited_by"])
    _mail_later(stored, site)
    return stored


@transaction.atomic
def withdraw(*, invitation: int, at: datetime) -> Invitation:
    """Let its link open nothing; raises InvitationSpent if it was accepted."""
    stored = _locked(invitation)
    if stored.used_at is not None:
        raise InvitationSpent(stored, InvitationState.USED)
    stored.withdrawn_at = at
    stored.save(update_fields=["withdrawn_at"])
    return stored


def found(token: str) -> Invitation | None:
    """The invitation of a link, spent or not."""
    rows = Invitation.objects.select_related(
        "league", "club", "team__club", "team__division__season", "invited_by", "used_by"
    )
    return rows.filter(digest=digest_of(token)).first()


def state_of(invitation: Invitation, at: datetime) -> InvitationState:
    """Its state; withdrawn also if whoever made it may not give the role any more."""
    return states_of([invitation], at)[0]


def states_of(offers: Sequence[Invitation], at: datetime) -> list[InvitationState]:
    """The states of these, whose accounts know their roles, in a query for each who made some."""
    clubs = defaultdict(set)
    for offer in offers:
        if offer.role == Role.SECRETARY and offer.invited_by is not None:
            clubs[offer.invited_by].add(offer.club_id)
    kept = {
        by.pk: set(clubs_to_keep(by).filter(pk__in=those).values_list("pk", flat=True))
        for by, those in clubs.items()
    }
    return [_state(offer, at, kept.get(offer.invited_by_id, ())) for offer in offers]


def _state(offer: Invitation, at: datetime, kept: Collection[int]) -> InvitationState:
    """The state of one whose maker keeps, of the clubs asked about, those `kept`."""
    state, by = offer.state(at), offer.invited_by
    if state != InvitationState.OPEN:
        return state
    if by is None or not by.is_active:
        return InvitationState.WITHDRAWN
    is_of_club = offer.role == Role.SECRETARY
    may = offer.club_id in kept if is_of_club else may_give(by, offer.role, offer.subject)
    return state if may else InvitationState.WITHDRAWN


@transaction.atomic
def accept(*, token: str, user: User, at: datetime) -> Invitation:
    """Give the account what the link offers, once; raises InvitationSpent."""
    stored = found(token)
    if stored is not None:
        stored = _locked(stored.pk)
    if stored is None or stored.digest != digest_of(token):
        raise InvitationSpent(stored, InvitationState.WITHDRAWN)
    if (state := state_of(stored, at)) != InvitationState.OPEN:
        raise InvitationSpent(stored, state)
    # Who accepts by a code was not logged in: the history would not know him.
    why = _("invited by %s") % stored.invited_by
    with pghistory.context(user=user.pk, why=why):
        stored.used_by, stored.used_at = user, at
        stored.save(update_fields=["used_by", "used_at"])
        roles.give(user=user.pk, post=post_of(stored))
    return stored


@transaction.atomic
def accept_as(*, token: str, email: str, name: str, at: datetime) -> tuple[User, Invitation]:
    """The same for the owner of an address, who proved that he is; he may have no account yet.

    Raises InvitationSpent, and AccountClosed.
    """
    user, is_new = User.objects.get_or_create(email=email.strip().lower(), defaults={"name": name})
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    if not user.is_active:
        raise AccountClosed
    return user, accept(token=token, user=user, at=at)


def words_of(invitation: Invitation) -> str:
    """What is offered, in a sentence."""
    words = _("%(who)s asks you to be %(post)s on Topboard.")
    return words % {"who": invitation.invited_by, "post": post_of(invitation)}


def link_of(invitation: Invitation, site: str) -> str:
    """Its link, below the address `site`."""
    return urljoin(site, reverse("invitation", args=[invitation.token]))


def letter_of(invitation: Invitation, site: str) -> Letter:
    """The mail that brings the link, in the language that is active."""
    hello = [_("Hello %(name)s,") % {"name": invitation.name}] if invitation.name else []
    once = _(
        "The link works once, until %(day)s. Give it to nobody else: whoever opens it first gets"
        " the role."
    ) % {"day": date_format(timezone.localtime(invitation.expires_at), "j F Y")}
    return Letter(
        subject=_("You are asked to be %(post)s") % {"post": post_of(invitation)},
        paragraphs=[*hello, words_of(invitation), once],
        link_words=_("Accept it here"),
        link=link_of(invitation, site),
    )


def code_letter_of(invitation: Invitation, code: str) -> Letter:
    """The mail that brings the code by which the owner of an address accepts it."""
    words = _(
        "With this code you accept the invitation as %(post)s, on the page that waits for it."
    )
    return mail.code_letter(code, [words % {"post": post_of(invitation)}])


@app.task(name="send_invitation", queue="mail", retry=mail.RETRIES)
def send_invitation(
    *, invitation: int, digest: str, site: str, language: str, message_id: str
) -> None:
    """Mail the invitation of this link, unless it was renewed, used or withdrawn meanwhile.

    `language` is that of whoever makes it, for an address without an account.
    """
    stored = Invitation.objects.filter(pk=invitation, digest=digest, used_at=None)
    stored = stored.filter(withdrawn_at=None).select_related("league", "club", "team").first()
    if stored is None or stored.invited_by is None:
        return
    (known,) = mail.by_language([stored.email], stranger=language)
    with translation.override(known):
        parts = letter_of(stored, site).parts
    mail.send_mail(to=stored.email, message_id=message_id, **parts)


def _locked(invitation: int) -> Invitation:
    return Invitation.objects.select_for_update(no_key=True).get(pk=invitation)


def _mail_later(invitation: Invitation, site: str) -> None:
    if invitation.email:
        send_invitation.defer(
            invitation=invitation.pk,
            digest=invitation.digest,
            site=site,
            language=translation.get_language(),
            message_id=mail.new_message_id(),
        )
