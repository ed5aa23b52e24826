"""Who may what, on one page: roles seen, withdrawn and offered."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.forms import sent
from clubs.lists import PagesOfFifty
from clubs.models import User
from clubs.row_numbers import row_number
from games.access import may_give
from games.accounts import invitations, role_page, roles
from games.accounts.invitation_forms import InvitationForm
from games.accounts.invitations import InvitationSpent
from games.accounts.roles import Post, RoleRefused
from games.grading_office.correction_forms import FindForm
from games.models import Invitation


@require_safe
@login_required
def office(request: HttpRequest) -> HttpResponse:
    """The account's own roles, and those it gives: officers, secretaries and captains."""
    user, today, at = request.user, timezone.localdate(), timezone.now()
    form = FindForm(request.GET)
    q = form.cleaned_data["q"] if form.is_valid() else ""
    context = {"section": "office", "own": own_lines(user), "form": form, "q": q}
    if role_page.may_give_any(user):
        shown = role_page.clubs_shown(user, q, today)
        page = PagesOfFifty(shown, 50).get_page(request.GET.get("page"))
        context |= {
            "gives": True,
            "leagues": [] if q else role_page.league_lines(user, at),
            "page": page,
            "clubs": role_page.club_posts(user, page, today, at),
        }
    return render(request, "games/roles.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def invite(request: HttpRequest, key: str) -> HttpResponse:
    """A form that offers the role of this name; then the link, to be copied or mailed."""
    post = allowed_post(request, key)
    # Sent with nothing it makes a link for whoever has it.
    form = InvitationForm(sent(request))
    if request.method == "POST" and form.is_valid():
        made = invitations.invite(
            post=post, site=site(request), by=request.user, at=timezone.now(), **form.cleaned_data
        )
        return redirect("invitation_office", made.pk)
    crumbs = [(_("Roles"), reverse("office_roles"))]
    context = {"form": form, "post": post, "section": "office", "crumbs": crumbs}
    return render(request, "games/invite.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def invitation(request: HttpRequest, pk: int) -> HttpResponse:
    """An invitation with its link; `step` renews or withdraws it."""
    stored = allowed_invitation(request, pk)
    step = request.POST.get("step")
    try:
        if step == "renew":
            invitations.renew(invitation=pk, site=site(request), by=request.user, at=timezone.now())
            messages.success(request, _("The link is new; the one before opens nothing any more."))
            return redirect("invitation_office", pk)
        if step == "withdraw":
            invitations.withdraw(invitation=pk, at=timezone.now())
            messages.success(request, _("The invitation is withdrawn."))
            return redirect("office_roles")
    except InvitationSpent:
        messages.error(request, _("It is accepted or withdrawn already."))
        return redirect("invitation_office", pk)
    context = {
        "invitation": stored,
        "post": invitations.post_of(stored),
        "state": invitations.state_of(stored, timezone.now()),
        "link": invitations.link_of(stored, site(request)),
        "section": "office",
        "crumbs": [(_("Roles"), reverse("office_roles"))],
    }
    return render(request, "games/office_invitation.html", context)


@require_safe
@login_required
def invitation_text(request: HttpRequest, pk: int) -> HttpResponse:
    """The invitation as a message for a messenger: a sentence and the link."""
    stored = allowed_invitation(request, pk)
    text = f"{invitations.words_of(stored)} {invitations.link_of(stored, site(request))}"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_POST
@login_required
def withdraw(request: HttpRequest) -> HttpResponse:
    """Take a role from an account; one's own may always be laid down."""
    user = request.user
    account = get_object_or_404(User, pk=row_number(request.POST.get("user")))
    post = role_page.post_named(request.POST.get("post", ""))
    if post is None:
        raise Http404
    if account.pk != user.pk and not may_give(user, post.role, post.subject):
        raise PermissionDenied
    try:
        if roles.withdraw(user=account.pk, post=post, by=user):
            words = _("%(name)s is no longer %(post)s.")
            messages.success(request, words % {"name": account, "post": post})
    except RoleRefused as refused:
        messages.error(request, str(refused))
    return redirect("office_roles")


# --- What they share ---------------------------------------------------------------------


def site(request: HttpRequest) -> str:
    """The root address by which the site is reached here."""
    return request.build_absolute_uri("/")


def own_lines(user) -> list[tuple[str, Post]]:
    """The account's own roles, each with what a form calls it."""
    return [(role_page.key_of(post), post) for post in role_page.posts_of(user)]


def allowed_post(request: HttpRequest, key: str) -> Post:
    """The post of this name; raises Http404, and PermissionDenied where it is not his to give."""
    if not role_page.may_give_any(request.user):
        raise PermissionDenied
    post = role_page.post_named(key)
    if post is None:
        raise Http404
    if not may_give(request.user, post.role, post.subject):
        raise PermissionDenied
    return post


def allowed_invitation(request: HttpRequest, pk: int) -> Invitation:
    """The invitation; raises Http404, and PermissionDenied where the role is not his to give."""
    rows = Invitation.objects.select_related(
        "league", "club", "team__division__season", "invited_by", "used_by"
    )
    stored = get_object_or_404(rows, pk=pk)
    if not may_give(request.user, stored.role, stored.subject):
        raise PermissionDenied
    return stored
