"""A player's games added up: by opponent, by season, colour and team, and against one other."""

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from clubs import twins
from clubs.access import code_for, listed_name_for, may_see_names, name_for
from clubs.lists import PagesOfFifty, twin_addresses
from clubs.merged import follows_merges
from clubs.models import Player
from clubs.row_numbers import row_number
from clubs.twins import points
from games.finder import hits
from games.registry.encounters import Tally, by_colour, by_year, head_to_head, opponents_of
from games.registry.members import ratings_of
from games.registry.players import scores_by_clubs

from .players import (
    GAME_COLUMNS,
    asked_pool,
    game_row,
    head_or_404,
    lines_of,
    page_context,
    stale_from,
    tenths,
)

SUMS = ("played", "won", "drawn", "lost", "score", "elo_change")
OPPONENT_COLUMNS = ("opponent", "opponent_code", *SUMS, "last_met", "opponent_url", "url")
EVENT_COLUMNS = ("year", "event", "league", "season", "pool", *SUMS, "url")
MEETING_COLUMNS = (*GAME_COLUMNS, "opponent_change")
MET_SHOWN = 10
FOUND_SHOWN = 20


@require_safe
@follows_merges
def player_opponents(request: HttpRequest, pk: int, form: str = "") -> HttpResponse:
    """Everybody he has met and how it went, those met most often first."""
    today = timezone.localdate()
    head = head_or_404(request, pk, today)
    pool = asked_pool(request)
    opponents = opponents_of(head.player, request.user, today, pool)
    if form:
        rows = [opponent_row(pk, opponent, request.user, today) for opponent in opponents]
        return twins.respond(
            form,
            rows,
            name=f"opponents {pk}",
            columns=OPPONENT_COLUMNS,
            of_all=stale_from(pool),
        )
    page = PagesOfFifty(opponents, 0).get_page(request.GET.get("page"))
    ratings = ratings_of([opponent.player for opponent in page])
    context = page_context(head, "opponents") | {
        "pool": pool,
        "page": page,
        "lines": [(met, ratings.get(met.player.pk, {}).get(pool or "standard")) for met in page],
        "total": sum((opponent.tally for opponent in opponents), Tally()),
        **twin_addresses(request, "player_opponents", pk),
    }
    return render(request, "games/player_opponents.html", context)


@require_safe
@follows_merges
def player_seasons(request: HttpRequest, pk: int, form: str = "") -> HttpResponse:
    """His score by season and event, by colour, and by club and team."""
    today = timezone.localdate()
    head = head_or_404(request, pk, today)
    pool = asked_pool(request)
    years = by_year(head.player, request.user, pool)
    colours = by_colour(head.player, request.user, pool)
    clubs = scores_by_clubs(head.scores)
    if form:
        rows = [event_row(year, score) for year in years for score in year.events]
        said = {
            "colours": [{"colour": colour or None} | sums(tally) for colour, tally in colours],
            "teams": [team_row(score) for club in clubs for score in club.teams],
        }
        name = f"seasons {pk}"
        return twins.respond(
            form, rows, name=name, head=said, columns=EVENT_COLUMNS, of_all=stale_from(pool)
        )
    context = page_context(head, "seasons") | {
        "pool": pool,
        "years": years,
        "colours": colours,
        "total": sum((tally for _colour, tally in colours), Tally()),
        "clubs": clubs,
        **twin_addresses(request, "player_seasons", pk),
    }
    return render(request, "games/player_seasons.html", context)


class OtherPlayerForm(forms.Form):
    """Who the other one is: words to search for."""

    q = forms.CharField(
        label=gettext_lazy("The other player's name or ECF code"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


@require_safe
@follows_merges
def player_head_to_head(request: HttpRequest, pk: int, form: str = "") -> HttpResponse:
    """Every game between him and the player `?with=`; a search for the other one by `?q=`."""
    today = timezone.localdate()
    head = head_or_404(request, pk, today)
    other = asked_other(request, pk)
    met = head_to_head(head.player, other, request.user) if other else None
    lines = lines_of(head.player, met.games) if met else []
    if form:
        rows = [meeting_row(line, other, request.user, today) for line in lines]
        said = {
            "name": listed_name_for(request.user, head.player, today),
            "opponent": listed_name_for(request.user, other, today) if other else None,
            **sums(met.total if met else Tally()),
        }
        name = f"head to head {pk} {other.pk if other else ''}"
        return twins.respond(
            form, rows, name=name, head=said, columns=MEETING_COLUMNS, of_all=stale_from("")
        )
    text = request.GET.get("q", "").replace("\x00", " ").strip()[:200]
    context = page_context(head, "head_to_head") | {
        "met": met,
        "other_name": name_for(request.user, other, today) if other else "",
        "lines": [(line, line.side.game.seen_by(other)) for line in lines],
        "search": OtherPlayerForm(initial={"q": text}),
        "q": text,
        "found": found_others(request, head.player, text, today) if text else None,
        "often": [] if met or text else opponents_of(head.player, request.user, today)[:MET_SHOWN],
        **twin_addresses(request, "player_head_to_head", pk),
    }
    return render(request, "games/player_head_to_head.html", context)


def asked_other(request: HttpRequest, pk: int) -> Player | None:
    """The player of `?with=`, None without one; 404 for nobody's number and for himself."""
    text = request.GET.get("with", "").strip()
    if not text:
        return None
    if row_number(text) == pk:
        raise Http404(_("There is no such pair of players."))
    return get_object_or_404(Player, pk=row_number(text))


def found_others(request: HttpRequest, player: Player, text: str, today):
    """The players whose names hold the words; hidden names are found by nobody from outside."""
    players = Player.objects.standing().found(text).exclude(pk=player.pk)
    if not may_see_names(request.user):
        players = players.with_public_names(today)
    return hits(players.with_clubs(today).order_by("sort_name", "pk"), FOUND_SHOWN)


# --- Files -------------------------------------------------------------------------------


def sums(tally: Tally) -> dict:
    """The sums as the files hold them; the change of Elo is in points."""
    return {
        "played": tally.played,
        "won": tally.won,
        "drawn": tally.drawn,
        "lost": tally.lost,
        "score": points(tally.halves),
        "elo_change": tenths(tally.change),
    }


def meeting_row(line, other: Player, user, today) -> dict:
    """A game of the two, with what it did to both."""
    theirs = line.side.game.seen_by(other)
    return game_row(line, user, today) | {"opponent_change": tenths(theirs.change)}


def opponent_row(pk: int, opponent, user, today) -> dict:
    address = opponent.player.get_absolute_url()
    return {
        "opponent": listed_name_for(user, opponent.player, today),
        "opponent_code": code_for(user, opponent.player, today),
        **sums(opponent.tally),
        "last_met": opponent.last_on,
        "opponent_url": address,
        "url": reverse("player_head_to_head", args=[pk], query={"with": opponent.player.pk}),
    }


def event_row(year, score) -> dict:
    division = score.division
    return {
        "year": year.label,
        "event": division.name if division else score.event.name,
        "league": division.season.league.name if division else None,
        "season": division.season.label if division else None,
        "pool": score.event.pool_id,
        **sums(score.tally),
        "url": division.get_absolute_url() if division else None,
    }


def team_row(score) -> dict:
    team = score.team
    return {
        "club": team.club.name,
        "team": team.name,
        "division": team.division.name,
        "season": team.division.season.label,
        "boards": score.boards,
        "played": score.played,
        "won": score.won,
        "drawn": score.drawn,
        "lost": score.lost,
        "defaults_won": score.defaults_won,
        "points": points(score.halves),
        "url": team.get_absolute_url(),
    }
