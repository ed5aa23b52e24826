"""Histories in words, for those whom they concern, and a card brought back to an earlier one."""

from datetime import date

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.forms import sent
from clubs.lists import PagesOfFifty
from clubs.models import Club, Player
from games.access import may_keep_club, may_keep_person
from games.history import histories
from games.history.board_words import score_words
from games.history.history_forms import ReturnForm
from games.history.history_words import Told
from games.match_cards import card_return
from games.match_cards.card_return import CannotReturn
from games.match_cards.cards import CardChanged, CardRefused
from games.models import Board, BoardEvent, Match, Season
from ratings.models import PoolName

from .cards import match_to_enter
from .grading import for_grading_officers, for_lists
from .league_office import for_officers


@require_safe
@login_required
def match_history(request: HttpRequest, pk: int) -> HttpResponse:
    """All that was done to a match, for both its sides and the officers of its league."""
    match = match_to_enter(request, pk)
    told = histories.of_match(match, request.user)
    latest = max((deed_number(each) for each in told), default=0)
    context = {
        "title": _("History of %s") % match,
        "match": match,
        "latest": latest,
        "may_return": not card_return.reason_not_to(request.user, match, timezone.localdate()),
        **of_match(match),
    }
    return shown(request, told, context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def return_card(request: HttpRequest, pk: int, moment: int) -> HttpResponse:
    """The card as it was after a deed of its history, and the button that saves it again."""
    match = match_to_enter(request, pk)
    try:
        entries = card_return.card_at(match.pk, moment)
    except BoardEvent.DoesNotExist:
        raise Http404 from None
    reason = card_return.reason_not_to(request.user, match, timezone.localdate())
    if reason:
        raise PermissionDenied(reason)
    form = ReturnForm(sent(request), initial={"version": match.version})
    if request.method == "POST" and form.is_valid():
        try:
            card_return.bring_back(
                match=match.pk,
                moment=moment,
                by=request.user,
                at=timezone.now(),
                **form.cleaned_data,
            )
        except CannotReturn as refused:
            form.add_error("reason", str(refused))
        except CardRefused as refused:
            for problems in refused.problems.values():
                for problem in problems:
                    form.add_error(None, str(problem))
        except CardChanged:
            form.add_error(None, _("Somebody saved the card meanwhile: look at it again."))
        else:
            messages.success(request, _("The card is as it was before."))
            return redirect("match_history", match.pk)
    people = card_return.people_on(entries)
    crumbs = of_match(match)
    crumbs["crumbs"] = [
        *crumbs["crumbs"],
        (_("History"), reverse("match_history", args=[match.pk])),
    ]
    lines = [
        (entry, people.get(entry.home), people.get(entry.away), score_words(entry))
        for entry in entries
    ]
    then = card_return.match_at(match.pk, moment)
    context = {"match": match, "then": then, "form": form, "lines": lines, **crumbs}
    return render(request, "games/match_return.html", context)


@require_safe
@login_required
def person_history(request: HttpRequest, pk: int) -> HttpResponse:
    """All that was done to an entry of the registry, for those who look after it."""
    player = get_object_or_404(Player, pk=pk)
    if not may_keep_person(request.user, player):
        raise PermissionDenied
    crumbs = [
        (_("Players"), reverse("office_people")),
        (str(player), reverse("office_person", args=[pk])),
    ]
    context = {"title": _("History of %s") % player, "crumbs": crumbs, "section": "office"}
    return shown(request, histories.of_player(player), context)


@require_safe
@login_required
def club_history(request: HttpRequest, slug: str) -> HttpResponse:
    """All that was done to a club, its members and its secretaries."""
    club = get_object_or_404(Club, slug=slug)
    if not may_keep_club(request.user, club):
        raise PermissionDenied
    crumbs = [(_("Clubs"), reverse("office_clubs")), (club.name, club.get_absolute_url())]
    context = {"title": _("History of %s") % club, "crumbs": crumbs, "section": "office"}
    return shown(request, histories.of_club(club), context)


@require_safe
@for_officers
def season_history(request: HttpRequest, season: Season) -> HttpResponse:
    """Points, violations, registrations and roles of a season, for its officers."""
    desk = reverse("season_office", args=[season.league.slug, season.slug])
    crumbs = [(_("Leagues"), reverse("office_leagues")), (str(season), desk)]
    context = {"title": _("History of %s") % season, "crumbs": crumbs, "section": "office"}
    return shown(request, histories.of_season(season), context)


@require_safe
@for_grading_officers
@for_lists
def list_history(request: HttpRequest, pool: PoolName, cutoff: date) -> HttpResponse:
    """What was done to the grade lists of one cutoff."""
    context = {
        "title": _("History of the grade list"),
        "crumbs": [(_("Grade lists"), reverse("office_grades"))],
        "section": "office",
    }
    return shown(request, histories.of_list(pool, cutoff), context)


# --- What they share ---------------------------------------------------------------------


def shown(request: HttpRequest, told: list[Told], context: dict) -> HttpResponse:
    """Fifty deeds of a history."""
    page = PagesOfFifty(told, 0).get_page(request.GET.get("page"))
    rows = [(each, deed_number(each)) for each in page.object_list]
    return render(request, "games/history.html", context | {"page": page, "rows": rows})


def deed_number(told: Told) -> int:
    """The number of the last event of a board in a deed, 0 without one."""
    return told.deed.numbers.get(Board, 0)


def of_match(match: Match) -> dict:
    """Where the pages of a match's history stand."""
    division = match.division
    return {
        "section": "leagues",
        "crumbs": [
            (division.season.league.name, division.season.get_absolute_url()),
            (division.name, division.get_absolute_url()),
            (str(match), match.get_absolute_url()),
        ],
    }
