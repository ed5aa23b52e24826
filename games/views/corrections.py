"""The grading officer corrects a fact: he finds it, sees what that changes, and confirms."""

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.forms import sent
from clubs.lists import PagesOfFifty
from clubs.models import Player
from clubs.row_numbers import row_number
from games.finder import hits
from games.grading_office import corrections
from games.grading_office.correction_forms import BirthDateForm, FindForm, GameForm, OpeningForm
from games.match_cards.posting import key_of
from games.models import Match
from ratings.corrections import CannotCorrect, facts_of
from ratings.effects import Correction, Effect, carry_out
from ratings.models import GameCorrection, RatedGame, RatingPool

from .grading import for_grading_officers
from .players import asked_pool

FOUND_SHOWN = 20

officers_form = require_http_methods(["GET", "HEAD", "POST"])


@require_safe
@for_grading_officers
def office(request: HttpRequest) -> HttpResponse:
    """A search for the player; or the rated games of `?match=`; and what was corrected lately."""
    form = FindForm(request.GET)
    text = form.cleaned_data["q"] if form.is_valid() else ""
    players = Player.objects.standing().found(text).with_clubs(timezone.localdate())
    log = GameCorrection.objects.select_related("event", "corrected_by")
    context = in_office(
        form=form,
        q=text,
        found=hits(players.order_by("sort_name", "pk"), FOUND_SHOWN) if text else None,
        match=asked_match(request),
        games=games_of_match(request),
        page=PagesOfFifty(log.order_by("-pk"), 0).get_page(request.GET.get("page")),
    )
    return render(request, "games/corrections.html", context)


@require_safe
@for_grading_officers
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """What is known of a player from outside, and his rated games, the newest first."""
    player, pool = get_object_or_404(Player, pk=pk), asked_pool(request)
    games = RatedGame.objects.of_player(pk).with_ratings().newest_first()
    if pool:
        games = games.filter(event__pool=pool)
    page = PagesOfFifty(games, 0).get_page(request.GET.get("page"))
    context = in_office(
        player=player,
        openings=player.opening_ratings.select_related("pool").order_by("pool", "system"),
        page=page,
        sides=[game.seen_by(player) for game in page],
        pool=pool,
    )
    return render(request, "games/correct_player.html", context)


@officers_form
@for_grading_officers
def game(request: HttpRequest, pk: int) -> HttpResponse:
    """A rated game: its result, its day, its players, or its removal."""
    game = get_object_or_404(RatedGame.objects.with_ratings(), pk=pk)
    board = corrections.board_of(game)
    form = GameForm(
        sent(request),
        game=game,
        on_card=board is not None,
        reader=request.user,
        today=timezone.localdate(),
    )

    def correction() -> Correction | None:
        facts = form.facts()
        if facts == facts_of(game):
            return None
        reason, at = form.cleaned_data["reason"], timezone.now()
        return corrections.of_game(game=game, facts=facts, reason=reason, by=request.user, at=at)

    back = game.white.pk if request.GET.get("of") != str(game.black_id) else game.black_id
    context = {"game": game, "board": board, "form": form}
    return page_of(request, "games/correct_game.html", context, correction, back)


@officers_form
@for_grading_officers
def birth_date(request: HttpRequest, pk: int) -> HttpResponse:
    """A player's birth date."""
    player = get_object_or_404(Player, pk=pk)
    form = BirthDateForm(sent(request), player=player, today=timezone.localdate())

    def correction() -> Correction | None:
        day = form.cleaned_data["birth_date"]
        if day == player.birth_date:
            return None
        return corrections.of_birth_date(player=pk, birth_date=day, by=request.user)

    context = {"player": player, "form": form, "title": _("Birth date of %s") % player}
    return page_of(request, "games/correct_person.html", context, correction, pk)


@officers_form
@for_grading_officers
def opening(request: HttpRequest, pk: int) -> HttpResponse:
    """What opens a player's rating; `?of=` names the known one that the form begins with."""
    player = get_object_or_404(Player, pk=pk)
    known = player.opening_ratings.filter(pk=row_number(request.GET.get("of"))).first()
    form = OpeningForm(sent(request), today=timezone.localdate(), known=known)

    def correction() -> Correction | None:
        fact = form.fact()
        stored = player.opening_ratings.filter(pool=fact["pool"], system=fact["system"]).first()
        names = ("value", "provisional", "dated_on", "source")
        if fact["value"] is None and stored is None:
            return None
        if stored and [getattr(stored, name) for name in names] == [fact[name] for name in names]:
            return None
        return corrections.of_opening(player=pk, by=request.user, **fact)

    context = {"player": player, "form": form, "title": _("Opening of %s") % player}
    return page_of(request, "games/correct_person.html", context, correction, pk)


# --- What they share ---------------------------------------------------------------------


def page_of(
    request: HttpRequest,
    template: str,
    context: dict,
    correction: Callable[[], Correction | None],
    player: int,
) -> HttpResponse:
    """The form; after it was sent what that changes; after the button, back to the player.

    `correction` is what the valid form asks for, None where it says what is stored.
    """
    form = context["form"]
    home = reverse("office_correct_player", args=[player])
    if request.method == "POST" and form.is_valid():
        asked = correction()
        if asked is None and "seen" in request.POST:
            messages.info(request, _("This is stored already."))
            return redirect(home)
        if asked is None:
            form.add_error(None, _("This is what is stored: nothing would change."))
        else:
            seen = request.POST.get("seen", "")
            effect, is_done = tried(form, asked, seen)
            if is_done:
                messages.success(request, words_of(effect))
                return redirect(home)
            if effect is not None and seen:
                messages.warning(
                    request, _("This is not what you saw before: it is shown once more.")
                )
            context["effect"] = effect
    return render(request, template, in_office(back=home, **context))


def tried(form: forms.Form, correction: Correction, seen: str) -> tuple[Effect | None, bool]:
    """The effect, and whether it was done; no effect where a rule is broken, as the form says."""
    try:
        return carry_out(correction, seen=seen)
    except CannotCorrect as error:
        field = error.field if error.field in form.fields else None
        form.add_error(field, str(error))
        return None, False


def asked_match(request: HttpRequest) -> Match | None:
    """The match of `?match=`, None without one; 404 for a number that is none."""
    text = request.GET.get("match", "")
    if not text:
        return None
    return get_object_or_404(Match.objects.select_related("home", "away"), pk=row_number(text))


def games_of_match(request: HttpRequest) -> list[RatedGame]:
    """The rated games of the match that is asked for, by board."""
    match = asked_match(request)
    if match is None:
        return []
    keys = [key_of(pk) for pk in match.boards.values_list("pk", flat=True)]
    return list(RatedGame.objects.filter(source_key__in=keys).with_ratings().order_by("board"))


def words_of(effect: Effect) -> str:
    """What a correction did, in a sentence."""
    said = _("Corrected.")
    if effect.games:
        said += " " + (
            ngettext("%d game was rated again.", "%d games were rated again.", effect.games)
            % effect.games
        )
    for waiting in effect.waiting:
        said += " " + _("A job works the %(pool)s ratings out again.") % {
            "pool": str(waiting.pool).lower()
        }
    return said


def in_office(**context) -> dict:
    """Where the pages stand, and which pools are stale."""
    crumbs = [(_("Grade lists"), reverse("office_grades"))]
    if "back" in context or "player" in context:
        crumbs.append((_("Corrections"), reverse("office_corrections")))
    return {
        "section": "office",
        "crumbs": crumbs,
        "stale": RatingPool.objects.stale(),
        **context,
    }
