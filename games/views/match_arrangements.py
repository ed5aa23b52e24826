"""Another day for a match, asked for and answered by its sides; and what the officer decides."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.access import acts_for, is_officer
from games.matches import match_decisions, rearrangements
from games.matches.match_decisions import DecisionRefused
from games.matches.match_forms import AwardForm, NewDayForm, ReasonForm
from games.models import Match, Rearrangement, Team
from games.views.cards import match_to_enter


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def match_day(request: HttpRequest, pk: int) -> HttpResponse:
    """A side proposes a day or answers a proposal; the officer sets one."""
    match = match_to_enter(request, pk)
    step = request.POST.get("step", "")
    typed = request.POST if step in ("propose", "postpone") else None
    form = NewDayForm(typed)
    if step in STEPS and (typed is None or form.is_valid()):
        try:
            return taken(request, match, step, form)
        except DecisionRefused as refused:
            form.add_error(None, str(refused)) if typed else messages.error(request, str(refused))
    context = {
        "match": match,
        "form": form,
        "proposal": match.open_proposal,
        "answers": answers(request.user, match),
        "sides": sides_of(request.user, match),
        "officer": is_officer(request.user, match.division.season.league_id),
        "history": match.rearrangements.select_related("team", "asked_by", "answered_by"),
        **in_match(match),
    }
    return render(request, "games/match_day.html", context)


def taken(request: HttpRequest, match: Match, step: str, form: NewDayForm) -> HttpResponse:
    """Do one step and go back to the match; raises `DecisionRefused` and `PermissionDenied`."""
    user = request.user
    facts = {"by": user, "at": timezone.now()}
    address = request.build_absolute_uri(match.get_absolute_url())
    if step == "propose":
        team = next(
            (t for t in sides_of(user, match) if str(t.pk) == request.POST.get("team")), None
        )
        if team is None:
            raise PermissionDenied
        day, reason = form.cleaned_data["day"], form.cleaned_data["reason"]
        rearrangements.propose(
            match=match.pk, team=team, day=day, reason=reason, address=address, **facts
        )
        messages.success(request, _("The other side has been asked."))
    elif step == "postpone":
        if not is_officer(user, match.division.season.league_id):
            raise PermissionDenied
        day, reason = form.cleaned_data["day"], form.cleaned_data["reason"]
        match_decisions.postpone(match=match.pk, day=day, why=reason, address=address, **facts)
        messages.success(request, _("The match has its new day.") if day else _("Postponed."))
    elif step in answers(user, match):
        proposal = request.POST.get("proposal", "")
        waiting = match.open_proposal
        if waiting is None or str(waiting.pk) != proposal:
            raise DecisionRefused(_("This proposal was answered already, or taken back."))
        answer(step, waiting, address, facts)
        messages.success(request, ANSWERED[step]())
    else:
        raise PermissionDenied
    return redirect(match)


def answer(step: str, waiting: Rearrangement, address: str, facts: dict) -> None:
    if step == "withdraw":
        rearrangements.withdraw(proposal=waiting.pk, **facts)
    elif step == "agree":
        rearrangements.agree(proposal=waiting.pk, address=address, **facts)
    else:
        rearrangements.decline(proposal=waiting.pk, address=address, **facts)


STEPS = ("propose", "postpone", "agree", "decline", "withdraw")
ANSWERED = {
    "agree": lambda: _("Agreed."),
    "decline": lambda: _("Declined; the match stays as it was."),
    "withdraw": lambda: _("Taken back."),
}


def sides_of(user, match: Match) -> list[Team]:
    """The sides of the match for which the account acts."""
    return [team for team in (match.home, match.away) if acts_for(user, team)]


def answers(user, match: Match) -> list[str]:
    """What the account may say to the open proposal: the other side, its own, the officer."""
    proposal = match.open_proposal
    if proposal is None:
        return []
    sides = {team.pk for team in sides_of(user, match)}
    other = sides - {proposal.team_id}
    may_answer = bool(other) or is_officer(user, match.division.season.league_id)
    found = ["agree", "decline"] if may_answer else []
    return found + (["withdraw"] if proposal.team_id in sides else [])


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def match_decide(request: HttpRequest, pk: int) -> HttpResponse:
    """The officer declares a match void, awards it, or takes that back."""
    match = match_to_enter(request, pk)
    if not is_officer(request.user, match.division.season.league_id):
        raise PermissionDenied
    step = request.POST.get("step") if request.method == "POST" else None
    void = ReasonForm(request.POST if step == "void" else None, prefix="void")
    award = AwardForm(request.POST if step == "award" else None, match=match, prefix="award")
    forms = {"void": void, "award": award}
    facts = {
        "match": match.pk,
        "by": request.user,
        "at": timezone.now(),
        "address": request.build_absolute_uri(match.get_absolute_url()),
    }
    if step == "reinstate":
        match_decisions.reinstate(**facts)
        messages.success(request, _("The decision is taken back."))
        return redirect(match)
    if step in forms and forms[step].is_valid():
        try:
            DECISIONS[step](**facts, **forms[step].cleaned_data)
        except DecisionRefused as refused:
            forms[step].add_error(None, str(refused))
        else:
            messages.success(request, _("It is decided."))
            return redirect(match)
    context = {"match": match, **forms, **in_match(match)}
    return render(request, "games/match_decide.html", context)


DECISIONS = {"void": match_decisions.void, "award": match_decisions.award}


def in_match(match: Match) -> dict:
    """Where a page below a match stands."""
    return {
        "section": "leagues",
        "crumbs": [
            (match.division.name, match.division.get_absolute_url()),
            (str(match), reverse("match_detail", args=[match.pk])),
        ],
    }
