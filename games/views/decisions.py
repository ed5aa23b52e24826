"""The officer's decisions on a division: points off and on, withdrawals, play-offs."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.division_tables import adjustments, teams
from games.division_tables.adjustments import AdjustmentRefused
from games.division_tables.decision_forms import AdjustmentForm, PlayOffForm, WithdrawalForm
from games.division_tables.table_words import adjustment_words
from games.division_tables.teams import TeamRefused
from games.models import Adjustment, Division, TeamState, TieBreak
from games.views.league_office import in_office
from games.views.season_entries import officers_division

FORMS = {"adjust": AdjustmentForm, "withdraw": WithdrawalForm, "play_off": PlayOffForm}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def decisions(request: HttpRequest, pk: int) -> HttpResponse:
    """What has been decided on a division, and forms for more; `step` says which was sent."""
    division = officers_division(request, pk)
    step = request.POST.get("step", "")
    forms = {
        name: form(request.POST if step == name else None, prefix=name, division=division)
        for name, form in FORMS.items()
    }
    if request.method == "POST" and (step not in forms or forms[step].is_valid()):
        try:
            said = decide(request, division, step, forms)
        except (AdjustmentRefused, TeamRefused) as refused:
            if step not in forms:
                messages.error(request, str(refused))
                return redirect("division_decisions", pk)
            forms[step].add_error(None, str(refused))
        else:
            messages.success(request, said)
            return redirect("division_decisions", pk)
    return render(request, "games/division_decisions.html", page(division, forms))


def decide(request: HttpRequest, division: Division, step: str, forms: dict) -> str:
    """Do what was asked, and say so; raises what the workflows refuse with, and Http404."""
    at, by = timezone.now(), request.user
    if step == "adjust":
        data = dict(forms[step].cleaned_data)
        team = data.pop("team")
        stored = adjustments.add_adjustment(team=team.pk, by=by, at=at, **data)
        return adjustment_words(team.name, stored)
    if step == "remove":
        rows = Adjustment.objects.filter(team__division=division)
        found = get_object_or_404(rows, pk=number(request.POST.get("adjustment")))
        adjustments.remove_adjustment(adjustment=found.pk, by=by, at=at)
        return _("The decision on %s is taken back.") % found.team.name
    if step == "withdraw":
        data = forms[step].cleaned_data
        day = data["withdrawn_on"]
        stored = teams.withdraw_team(team=data["team"].pk, withdrawn_on=day, at=at)
        return _("%s has withdrawn.") % stored.name
    if step == "reinstate":
        found = get_object_or_404(division.teams, pk=number(request.POST.get("team")))
        return _("%s plays on.") % teams.reinstate_team(team=found.pk, at=at).name
    if step == "play_off":
        day = forms[step].cleaned_data["played_on"]
        found = teams.decide_play_off(
            division=division.pk, teams=forms[step].teams, played_on=day, at=at
        )
        return _("%s have won the play-off.") % found[0].name
    if step == "no_play_off":
        teams.decide_play_off(division=division.pk, teams=[], played_on=timezone.localdate(), at=at)
        return _("The play-off is taken back.")
    raise Http404


def number(text: str | None) -> int:
    """A row's pk as a button sent it; -1, which no row has, for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else -1


def page(division: Division, forms: dict) -> dict:
    """What the page says: each decision in the words of the table, and the forms."""
    squad = list(division.teams.prefetch_related("adjustments").order_by("search_name"))
    played_off = [team for team in squad if team.play_off_place is not None]
    return {
        "division": division,
        "title": _("Decisions on %s") % division.name,
        "decided": [
            (adjustment.pk, adjustment_words(team.name, adjustment))
            for team in squad
            for adjustment in team.adjustments.all()
        ],
        "withdrawn": [team for team in squad if team.state == TeamState.WITHDRAWN],
        "policy": division.get_withdrawn_teams_display(),
        "play_off": sorted(played_off, key=lambda team: team.play_off_place),
        "play_off_counts": TieBreak.PLAY_OFF in division.table_order,
        "forms": forms,
        **in_office(division.season),
    }
