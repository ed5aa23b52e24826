"""A player: his grade and ratings, their chart, and every rated game with what it changed."""

from dataclasses import dataclass
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs import twins
from clubs.access import code_for, listed_name_for
from clubs.lists import PagesOfFifty, twin_addresses
from clubs.merged import follows_merges
from clubs.models import Player
from clubs.twins import points
from games.registry.player_page import PlayerHead, elo_after_each_game, head_of
from games.registry.players import visible_games
from ratings.elo import displayed
from ratings.models import PlayerGame, PoolName, RatingPool
from ratings.published_grades import GradeStep, opponents_grades

GAME_COLUMNS = (
    *("date", "pool", "event", "colour", "opponent", "opponent_code", "opponent_grade"),
    *("opponent_elo", "result", "change", "elo_before", "elo_after", "rating_after"),
    *("opponent_url", "match_url"),
)
LIST_COLUMNS = ("cutoff", "grade", "category", "games", "change", "as_rating")


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of the page: the player's side of it, where it was played, and its match if any.

    `grade` is the opponent's grade in force on that day.
    """

    side: PlayerGame
    grade: int | None
    event: str
    pool: str
    match_address: str


@require_safe
@follows_merges
def player_detail(request: HttpRequest, pk: int, form: str = "") -> HttpResponse:
    """The player's figures, and his games, the newest first; `?pool=` keeps to one rating."""
    today = timezone.localdate()
    head = head_or_404(request, pk, today)
    player, pool = head.player, asked_pool(request)
    games = visible_games(player, request.user, pool)
    if form:
        rows = [game_row(line, request.user, today) for line in lines_of(player, games)]
        said = player_head(head, request.user, today)
        return twins.respond(
            form,
            rows,
            name=f"player {pk}",
            head=said,
            columns=GAME_COLUMNS,
            of_all=stale_from(pool),
        )
    page = PagesOfFifty(games, 0).get_page(request.GET.get("page"))
    context = page_context(head, "games") | {
        "pool": pool,
        "charted": charted_pool(head, pool),
        "steps": head.steps.get(charted_pool(head, pool), []),
        "page": page,
        "lines": lines_of(player, page.object_list),
        **twin_addresses(request, "player_detail", pk),
    }
    return render(request, "games/player_detail.html", context)


@require_safe
@follows_merges
def player_chart(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """What the chart draws: the Elo after each game and the grade of each list, in one pool."""
    today = timezone.localdate()
    head = head_or_404(request, pk, today)
    pool = charted_pool(head, asked_pool(request))
    series = elo_after_each_game(head.player, request.user, pool)
    said = {
        "pool": pool,
        "today": today,
        **stale_from(pool),
        "elo": [{"date": day, "rating": tenths(rating)} for day, rating in series],
    }
    rows = [list_row(step) for step in head.steps.get(pool, [])[::-1]]
    return twins.respond(
        form, rows, name=f"grades {pk} {pool}", head=said, key="grades", columns=LIST_COLUMNS
    )


# --- What every page of a player has -----------------------------------------------------


def head_or_404(request: HttpRequest, pk: int, today: date) -> PlayerHead:
    player = get_object_or_404(Player.objects.standing().with_clubs(today), pk=pk)
    return head_of(player, request.user, today)


def page_context(head: PlayerHead, tab: str) -> dict:
    """What `player_base.html` needs."""
    memberships = head.player.current_memberships[:1]
    return {
        "head": head,
        "player": head.player,
        "tab": tab,
        "pools": [(pool.value, pool.label) for pool in head.pools],
        "stale": head.stale,
        "crumbs": [(_("Clubs"), reverse("club_list"))]
        + [(m.club.name, m.club.get_absolute_url()) for m in memberships],
        "section": "clubs",
    }


def stale_from(pool: str) -> dict[str, date | None]:
    """What a file of this pool's games says of its ratings; of all pools without one."""
    return RatingPool.objects.stale_from(*([pool] if pool else []))


def asked_pool(request: HttpRequest) -> str:
    """The pool of `?pool=`, all of them without one; another word is no page."""
    pool = request.GET.get("pool", "")
    if pool and pool not in PoolName.values:
        raise Http404
    return pool


def charted_pool(head: PlayerHead, pool: str) -> str:
    """The pool that the chart shows: the one asked for, else the first in which there is one."""
    return pool or next(iter(head.pools), PoolName.STANDARD).value


def lines_of(player: Player, games) -> list[GameLine]:
    """The games as lines; a game of a league leads to its match."""
    sides = [game.seen_by(player) for game in games]
    grades = opponents_grades(sides)
    return [line_of(side, grades[side.game.pk]) for side in sides]


def line_of(side: PlayerGame, grade: int | None) -> GameLine:
    event = side.game.event
    division = getattr(event, "division", None)
    return GameLine(
        side=side,
        grade=grade,
        event=division.name if division else event.name,
        pool=event.pool_id,
        match_address=reverse("match_detail", args=[side.game.match]) if side.game.match else "",
    )


# --- Files -------------------------------------------------------------------------------


def player_head(head: PlayerHead, user, today) -> dict:
    """What the JSON file says of the player: nothing that is private."""
    player, season = head.player, head.season
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
            for rating in head.ratings.values()
        ],
        "grades": [
            {"pool": pool} | list_row(step)
            for pool, steps in head.steps.items()
            for step in steps[:1]
        ],
        "opening_grades": [
            {"pool": grade.pool_id, "grade": grade.value, "dated_on": grade.dated_on}
            for grade in head.openings.values()
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
        "opponent_grade": line.grade,
        "opponent_elo": shown(side.opponent_before),
        "result": points(side.halves),
        "change": tenths(side.change),
        "elo_before": shown(side.before),
        "elo_after": shown(side.after),
        "rating_after": tenths(side.after),
        "opponent_url": side.opponent.get_absolute_url(),
        "match_url": line.match_address or None,
    }


def list_row(step: GradeStep) -> dict:
    """A list and his grade on it, None where he has none; `until` is the next list's cutoff."""
    return {
        "cutoff": step.cutoff,
        "until": step.until,
        "grade": step.published,
        "category": step.grade and step.grade.category,
        "games": step.games,
        "change": step.change,
        "as_rating": tenths(step.rating),
    }


def shown(value: int | None) -> int | None:
    """A rating of tenths in whole points, as people see it."""
    return None if value is None else displayed(value)


def tenths(value: int | None) -> float | None:
    """Tenths as the number a file holds."""
    return None if value is None else value / 10
