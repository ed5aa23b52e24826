"""A player: his ratings, his season, and every rated game with what it changed."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs import twins
from clubs.access import code_for, listed_name_for, may_see_names, name_for
from clubs.lists import PagesOfFifty, twin_addresses
from clubs.models import Player
from clubs.twins import points
from games.members import ratings_of
from games.players import latest_season, matches_of, visible_games
from ratings.elo import displayed
from ratings.models import PlayerGame, PoolName, System

GAME_COLUMNS = (
    *("date", "pool", "event", "colour", "opponent", "opponent_code", "opponent_elo", "result"),
    *("change", "elo_before", "elo_after", "rating_after", "opponent_url", "match_url"),
)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of the page: the player's side of it, where it was played, and its match if any."""

    side: PlayerGame
    event: str
    pool: str
    match_address: str


@require_safe
def player_detail(request: HttpRequest, pk: int, form: str = "") -> HttpResponse:
    """The player's figures, and his games, the newest first; `?pool=` keeps to one rating."""
    today = timezone.localdate()
    player = get_object_or_404(Player.objects.with_clubs(today), pk=pk)
    pool = request.GET.get("pool", "")
    if pool and pool not in PoolName.values:
        raise Http404
    games = visible_games(player, request.user)
    if pool:
        games = games.filter(event__pool=pool)
    ratings = list(ratings_of([player])[player.pk].values())
    openings = list(player.opening_ratings.filter(system=System.GRADE).select_related("pool"))
    season = latest_season(player, request.user, today)
    if form:
        rows = [game_row(line, request.user, today) for line in lines_of(player, games)]
        head = player_head(player, ratings, openings, season, request.user, today)
        return twins.respond(form, rows, name=f"player {pk}", head=head, columns=GAME_COLUMNS)
    page = PagesOfFifty(games, 0).get_page(request.GET.get("page"))
    context = {
        "player": player,
        "name": name_for(request.user, player, today),
        "is_hidden": player.is_hidden(today) and not may_see_names(request.user),
        "ratings": ratings,
        "openings": openings,
        "season": season,
        "pool": pool,
        "pools": [(rating.pool_id, PoolName(rating.pool_id).label) for rating in ratings],
        "page": page,
        "lines": lines_of(player, page.object_list),
        "crumbs": [(_("Clubs"), reverse("club_list"))]
        + [(m.club.name, m.club.get_absolute_url()) for m in player.current_memberships[:1]],
        "section": "clubs",
        **twin_addresses(request, "player_detail", pk),
    }
    return render(request, "games/player_detail.html", context)


def lines_of(player: Player, games) -> list[GameLine]:
    """The games as lines; a game of a league leads to its match."""
    matches = matches_of(player)
    lines = []
    for game in games:
        match = matches.get(game.source_key)
        division = getattr(game.event, "division", None)
        lines.append(
            GameLine(
                side=game.seen_by(player),
                event=division.name if division else game.event.name,
                pool=game.event.pool_id,
                match_address=reverse("match_detail", args=[match]) if match else "",
            )
        )
    return lines


# --- Files -------------------------------------------------------------------------------


def player_head(player: Player, ratings, openings, season, user, today) -> dict:
    """What the JSON file says of the player: nothing that is private."""
    return {
        "name": listed_name_for(user, player, today),
        "code": code_for(user, player, today),
        "url": player.get_absolute_url(),
        "clubs": [membership.club.name for membership in player.current_memberships],
        "ratings": [
            {
                "pool": rating.pool_id,
                "elo": rating.shown,
                "provisional": rating.provisional,
                "games": rating.games,
                "rating": rating.rating / 10,
            }
            for rating in ratings
        ],
        "opening_grades": [
            {"pool": grade.pool_id, "grade": grade.value, "dated_on": grade.dated_on}
            for grade in openings
        ],
        "season": season
        and {
            "label": season.label,
            "points": points(season.halves),
            "boards": season.boards,
            "played": season.played,
            "won": season.won,
            "drawn": season.drawn,
            "lost": season.lost,
            "defaults_won": season.defaults_won,
        },
    }


def game_row(line: GameLine, user, today) -> dict:
    """A game as the files hold it; `rating_after` is exact, the Elos are whole as shown."""
    side = line.side
    return {
        "date": side.game.played_on,
        "pool": line.pool,
        "event": side.game.event.name,
        "colour": side.colour or None,
        "opponent": listed_name_for(user, side.opponent, today),
        "opponent_code": code_for(user, side.opponent, today),
        "opponent_elo": shown(side.opponent_before),
        "result": points(side.halves),
        "change": tenths(side.change),
        "elo_before": shown(side.before),
        "elo_after": shown(side.after),
        "rating_after": tenths(side.after),
        "opponent_url": side.opponent.get_absolute_url(),
        "match_url": line.match_address or None,
    }


def shown(value: int | None) -> int | None:
    """A rating of tenths in whole points, as people see it."""
    return None if value is None else displayed(value)


def tenths(value: int | None) -> float | None:
    """Tenths as the number a file holds."""
    return None if value is None else value / 10
