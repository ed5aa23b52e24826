"""The officer's desk of a cup: teams and seeds, the draw of each round, what a tie needs."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.cup import cups
from games.cup.cup_brackets import Bracket, DrawnTie, active_teams, bracket_of
from games.cup.cup_forms import CupForm, DrawForm, ReplayForm, SeedsForm, TieForm
from games.cup.cup_words import cup_progress_words, lot_sentences, round_name, tie_words
from games.cup.cups import CupRefused
from games.matches.match_decisions import DecisionRefused
from games.models import Division, DivisionKind, Season
from games.season_office import entries
from games.season_office.seasons import SeasonRefused
from games.views.decisions import number
from games.views.league_office import for_officers, in_office, of_form
from games.views.season_entries import officers_division


@require_http_methods(["GET", "HEAD", "POST"])
@for_officers
def new_cup(request: HttpRequest, season: Season) -> HttpResponse:
    """A form that adds a cup to the season, below its divisions."""
    form = CupForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = entries.add_division(
                season=season.pk, kind=DivisionKind.CUP.value, **form.cleaned_data
            )
        except SeasonRefused as refused:
            form.add_error("name", str(refused))
        else:
            return redirect("cup_office", made.pk)
    context = of_form(form, _("A new cup"), _("Add it"), season)
    return render(request, "games/division_rules.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def office(request: HttpRequest, pk: int) -> HttpResponse:
    """A cup: its teams, its next draw, its ties; `step` says which form was sent."""
    cup = officers_division(request, pk)
    if not cup.is_cup:
        raise Http404
    bracket = bracket_of(cup)
    step = request.POST.get("step", "")
    forms = forms_of(request, bracket, step)
    if request.method == "POST":
        form = forms.get(step)
        if form is None or form.is_valid():
            try:
                said = take(request, bracket, step, form)
            except (CupRefused, DecisionRefused) as refused:
                if form is None:
                    messages.error(request, str(refused))
                    return redirect("cup_office", pk)
                form.add_error(None, str(refused))
            else:
                messages.success(request, said)
                return redirect("cup_office", pk)
    return render(request, "games/cup_office.html", page(cup, bracket, forms, request))


def forms_of(request: HttpRequest, bracket: Bracket, step: str) -> dict:
    """The forms of the page by step, the one that was sent with what was typed."""

    def typed(name: str):
        return request.POST if step == name else None

    cup = bracket.division
    forms = {}
    if not bracket.rounds:
        forms["seed"] = SeedsForm(typed("seed"), teams=active_teams(cup))
    if bracket.can_draw or step == "draw":  # sent twice it is refused in words
        forms["draw"] = DrawForm(
            typed("draw"),
            legs=cup.legs,
            has_lot=not (bracket.is_bracket and bracket.rounds),
            initial={"number": bracket.next_round},
        )
    tie = chosen_tie(request, bracket)
    if tie is not None:
        forms["decide"] = TieForm(typed("decide"), tie=tie)
        forms["replay"] = ReplayForm(typed("replay"))
    return forms


def chosen_tie(request: HttpRequest, bracket: Bracket) -> DrawnTie | None:
    """The tie that the address or a form names, of those of this cup."""
    chosen = number(request.POST.get("tie") or request.GET.get("tie"))
    return next((tie for tie in bracket.ties if tie.tie.pk == chosen), None)


def take(request: HttpRequest, bracket: Bracket, step: str, form) -> str:
    """Do what was asked, and say so; raises what the workflows refuse with, and Http404."""
    cup = bracket.division
    facts = {"at": timezone.now(), "by": request.user}
    if step == "seed" and form is not None:
        cups.seed_teams(division=cup.pk, seeds=form.seeds(), at=facts["at"])
        return _("The seeds are saved.")
    if step == "draw" and form is not None:
        round, lot = form.cleaned_data["number"], form.cleaned_data.get("lot", 0)
        drawn = cups.draw_round(division=cup.pk, round=round, lot=lot, days=form.days(), **facts)
        return _("%s is drawn; its matches are arranged.") % drawn.rounds[round - 1].name
    if step == "undo":
        round = number(request.POST.get("round"))
        cups.undo_draw(division=cup.pk, round=round, **facts)
        return _("The draw is taken back.")
    tie = chosen_tie(request, bracket)
    if tie is None:
        raise Http404
    address = request.build_absolute_uri(cup.get_absolute_url())
    if step == "swap":
        return _("%s are at home now.") % cups.swap_sides(tie=tie.tie.pk, **facts).home
    if step == "replay":
        match = cups.order_replay(tie=tie.tie.pk, day=form.cleaned_data["day"], **facts)
        return _("%s is arranged.") % match
    if step == "decide":
        decided = cups.decide_tie(tie=tie.tie.pk, address=address, **form.cleaned_data, **facts)
        return _("%s go through.") % decided.winner
    if step == "withdraw":
        cups.withdraw_decision(tie=tie.tie.pk, address=address, **facts)
        return _("The decision is taken back.")
    raise Http404


def page(cup: Division, bracket: Bracket, forms: dict, request: HttpRequest) -> dict:
    """What the page says of the cup, with the forms."""
    following = bracket.next_round
    ties = bracket.lines[following - 1] if following and bracket.rounds else 0
    chosen = chosen_tie(request, bracket)
    return {
        "cup": cup,
        "title": cup.name,
        "bracket": bracket,
        "progress": cup_progress_words(bracket),
        "lots": list(lot_sentences(bracket)),
        "teams": active_teams(cup),
        "next": round_name(ties, following) if ties else "",
        "rounds": [(each, [(tie, tie_words(tie)) for tie in each.ties]) for each in bracket.rounds][
            ::-1
        ],
        "doubts": bracket.doubts,
        "chosen": chosen,
        "chosen_words": tie_words(chosen) if chosen else "",
        "forms": forms,
        **in_office(cup.season),
    }
