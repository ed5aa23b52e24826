"""Entering a match card, and finding players for it."""

import json
from collections.abc import Mapping

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.access import acts_for, is_officer, may_enter_card, may_see_match
from games.match_cards.card_agreement import may_change
from games.match_cards.card_checks import SIDES
from games.match_cards.card_form import ScoreForm
from games.match_cards.card_page import CardPage
from games.match_cards.card_scores import record_score
from games.match_cards.cards import CardChanged, CardRefused, record_card
from games.match_cards.line_ups import Side, registry_search
from games.match_cards.team_sheets import Seats, closed_words, sheets_for, sheets_of
from games.models import Match

from .kept_cards import forget_typed, keeping_typed, typed_before_login

SAVED = "card-saved"


@keeping_typed
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def match_card(request: HttpRequest, pk: int) -> HttpResponse:
    """The card of a match: drawn, and saved; a refused one comes back with all that was typed."""
    match = match_to_enter(request, pk)
    posted = request.method == "POST"
    if not posted and not may_change(request.user, match, timezone.localdate()):
        messages.info(request, _("Both sides have agreed on this card; ask the league’s officer."))
        return redirect(match)
    typed = request.POST if posted else typed_before_login(request, match.pk)
    sheets = {} if posted else sheets_of(match)
    page = card_page(request, match, sheets, typed)
    if typed is not None and page.is_valid() and posted:
        try:
            recorded = record_card(
                match=match.pk,
                boards=page.entries(),
                version=page.form.seen_version(),
                played_on=page.form.cleaned_data["played_on"],
                board_count=page.board_count(),
                by=request.user,
                at=timezone.now(),
            )
        except Match.DoesNotExist as gone:  # a draw was undone meanwhile
            raise Http404 from gone
        except CardRefused as refused:
            page.refuse(refused.problems)
        except CardChanged as changed:
            page.show_changes(changed)
        else:
            forget_typed(request)
            messages.success(request, _("The card is saved."), extra_tags=SAVED)
            if asks_json(request):
                return saved_as_json(match, recorded.match.version)
            return redirect(match)
    if posted and asks_json(request):
        return JsonResponse({"url": ""})
    return drawn(request, page, sheets, is_back=typed is not None and not posted)


@require_POST
@login_required
def match_score(request: HttpRequest, pk: int) -> HttpResponse:
    """The score of a match sent before its boards; a refused one comes back on the card."""
    match = match_to_enter(request, pk)
    form = ScoreForm(request.POST, match=match)
    if form.is_valid():
        try:
            record_score(match=match.pk, by=request.user, at=timezone.now(), **form.cleaned_data)
        except CardRefused as refused:
            form.add_error(None, str(refused.problems[0][0]))
        except CardChanged:
            form.add_error(None, _("Somebody saved this match meanwhile: look at its page first."))
        else:
            messages.success(request, _("The score is saved; the boards can follow."))
            return redirect(match)
    sheets, address = sheets_of(match), reverse("match_card", args=[match.pk])
    page = card_page(request, match, sheets)
    return drawn(request, page, sheets, score_form=form, address=address)


def card_page(request: HttpRequest, match: Match, sheets: Mapping[str, Seats], typed=None):
    """The card with what the account may see of the sheets of both sides, and may type."""
    return CardPage(
        match,
        timezone.localdate(),
        typed,
        may_award=is_officer(request.user, match.division.season.league_id),
        earlier={side: request.GET.get(side, "") for side in SIDES},
        sheets=sheets_for(request.user, match, sheets),
    )


def drawn(request: HttpRequest, page: CardPage, sheets: Mapping[str, Seats], **more):
    """The page of the card, with the words about the sheets that are still to come."""
    more["sheet_words"] = sheet_words(page.match, request.user, sheets)
    return render(request, "games/card.html", card_context(page) | more)


def sheet_words(match: Match, user, sheets: Mapping[str, Seats]) -> list[dict]:
    """By side for which the account acts: its team, and whether the other's sheet waits for it."""
    if closed_words(match, sheets):
        return []
    other = {"home": "away", "away": "home"}
    return [
        {
            "side": side,
            "team": getattr(match, side),
            "is_saved": bool(sheets[side]),
            "waiting": getattr(match, other[side]).name if sheets[other[side]] else "",
        }
        for side in SIDES
        if acts_for(user, getattr(match, side))
    ]


def asks_json(request: HttpRequest) -> bool:
    """Whether the page's script sent the form, and asks only whether it is stored.

    It sends a refused one again without asking so, to be shown what is wrong.
    """
    return request.headers.get("Accept") == "application/json"


def saved_as_json(match: Match, version: int) -> JsonResponse:
    """Where to go now that it is stored, and the version that this made."""
    return JsonResponse({"url": match.get_absolute_url(), "version": version})


@login_required
@require_safe
def card_players(request: HttpRequest, pk: int) -> HttpResponse:
    """Players of the whole registry whose name or code matches `q`, for a picker of the card."""
    match = match_to_enter(request, pk)
    found = registry_search(match, request.GET.get("q", ""), timezone.localdate())
    return JsonResponse({"players": found})


def match_to_enter(request: HttpRequest, pk: int) -> Match:
    """The match, if the account may enter its card; raises Http404 and PermissionDenied."""
    match = get_object_or_404(Match.objects.for_card(), pk=pk)
    if not may_see_match(request.user, match):
        raise Http404
    if not may_enter_card(request.user, match):
        raise PermissionDenied
    return match


def card_context(page: CardPage) -> dict:
    """What the template draws; each side's list of players is rendered once for all its rows."""
    match, division = page.match, page.match.division
    derby = match.home.club_id == match.away.club_id
    return {
        "page": page,
        "match": match,
        "section": "leagues",
        "crumbs": [
            (division.season.league.name, division.season.get_absolute_url()),
            (division.name, division.get_absolute_url()),
        ],
        "home_short": match.home.name if derby else match.home.club.name,
        "away_short": match.away.name if derby else match.away.club.name,
        "words": script_words(),
        "earlier": {side: earlier_of(page, side) for side in SIDES},
        "score_form": ScoreForm(match=match),
        "home_options": options_of(page, page.line_ups.home),
        "away_options": options_of(page, page.line_ups.away),
    }


def earlier_of(page: CardPage, side: str) -> list[dict]:
    """The latest line-ups of a side, each with its seats for the script that fills them in."""
    names = page.line_ups.players
    return [
        {
            "line_up": one,
            "seats": json.dumps({number: [pk, str(names[pk])] for number, pk in one.seats.items()}),
        }
        for one in getattr(page.line_ups, side).earlier
    ]


def options_of(page: CardPage, side: Side) -> str:
    """The list of a side's players, as HTML that stands in each of its pickers."""
    people = {
        "team": side.team,
        "recent": page.line_ups.people(side.team, side.recent),
        "club": page.line_ups.people(side.team, side.club),
    }
    return render_to_string("games/_card_options.html", people)


def script_words() -> dict[str, str]:
    """What card.js says, in the reader's language."""
    return {
        "nobody": _("Nobody"),
        "new": _("new player"),
        "typed": _("nobody chosen yet"),
        "waits": _("“{name}” is not chosen yet: open the field and choose who it is."),
        "several": _("{count} players match “{name}”: open the field and choose one."),
        "unknown": _(
            "Nobody known is called “{name}”: correct it, or open the field and add a new player."
        ),
        "oneWord": _(
            "Nobody known is called “{name}”. A new player needs a forename and a surname."
        ),
        "twoWords": _("A new player needs a forename and a surname"),
        "checkPlayer": _("Check the player."),
        "guest": _("{name} is not a member of {club}."),
        "canSave": _("You can still save."),
        "hint": _("Three letters find anyone in the registry"),
        "add": _("Add “{name}” as a new player"),
        "onBoard": _(", on board {board}"),
        "seated": _("Already on this card"),
        "registry": _("In the registry"),
        "unreachable": _("The registry does not answer: is there a connection?"),
        "white": _("White"),
        "black": _("Black"),
        "check": _("Check the order."),
        "order": _(
            "{name} ({grade}) is {excess} above {other} ({otherGrade}) on board {board};"
            " the league allows {tolerance}. You can still save."
        ),
        "progress": _("{decided} of {all} boards"),
        "phone": _("this phone"),
        "device": _("this device"),
        "kept": _("kept on {device}"),
        "unsaved": _("not saved yet"),
        "sending": _("sending"),
        "savedAt": _("saved {time}"),
        "changedSince": _("changed since"),
        "noConnection": _("not sent: no connection, will try again"),
        "noAnswer": _("not sent: the server does not answer, will try again"),
        "back": _("Not saved yet."),
        "typedAt": _("What you typed ({when}) was kept on {device} and is back."),
        "overtaken": _("Somebody saved since then: save, and you see both before yours counts."),
        "discard": _("Discard it"),
    }
