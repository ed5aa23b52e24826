"""A team: its place in the division, its results and fixtures, its players' scores."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs import twins
from clubs.access import may_see_contacts
from clubs.lists import twin_addresses
from clubs.twins import points
from games.access import may_see_season
from games.cup import cup_page
from games.cup.cup_brackets import bracket_of
from games.division_tables.board_scores import Score, scores_of_team
from games.division_tables.league_tables import LeagueTable, table_of
from games.matches import result_lists
from games.models import Match, Team
from games.registry.members import ratings_of
from ratings.models import RatingPool

SCORE_COLUMNS = (
    *("name", "code", "first_board", "last_board", "played", "won", "drawn", "lost"),
    *("defaults_won", "points", "elo", "provisional", "url"),
)


@require_safe
def team_detail(request: HttpRequest, pk: int, form: str = "") -> HttpResponse:
    """The team's line of the table, its matches, and everybody who has played for it."""
    team = get_object_or_404(Team.objects.for_page(), pk=pk)
    if not may_see_season(request.user, team.division.season):
        raise Http404
    bracket = bracket_of(team.division) if team.division.is_cup else None
    table = table_of(team.division) if bracket is None else None
    matches = matches_of(table, team) if bracket is None else bracket.matches_of(team)
    scores = scores_of_team(team, request.user, timezone.localdate())
    players = with_ratings(scores, team.division.rated_event.pool_id)
    if form:
        rows = [score_row(score, rating) for score, rating in players]
        place = table_head(table, team) if bracket is None else cup_page.team_head(bracket, team)
        head = team_head(team) | place | {"matches": [match_row(match) for match in matches]}
        return twins.respond(
            form,
            rows,
            name=team.search_name,
            head=head,
            columns=SCORE_COLUMNS,
            of_all=RatingPool.objects.stale_from(team.division.rated_event.pool_id),
        )
    season, today = team.division.season, timezone.localdate()
    pending = [match for match in matches if match in (table or bracket).pending]
    context = {
        "team": team,
        "row": row_of(table, team) if bracket is None else None,
        "run": [] if bracket is None else cup_page.run_of(bracket, team),
        "table": table,
        "players": players,
        "stale": RatingPool.objects.stale(team.division.rated_event.pool_id) if players else [],
        "fixtures": result_lists.by_month(sorted(pending, key=day_or_last), today),
        "results": result_lists.by_month(
            sorted((m for m in matches if m.home_points is not None), key=day_or_last)[::-1], today
        ),
        "sees_contacts": may_see_contacts(request.user),
        "captains": [] if team.has_contact else list(team.roles.names()),
        "crumbs": [
            (season.league.name, season.league.get_absolute_url()),
            (season.label, season.get_absolute_url()),
            (team.division.name, team.division.get_absolute_url()),
        ],
        "section": "leagues",
        **twin_addresses(request, "team_detail", pk),
    }
    return render(request, "games/team_detail.html", context)


def matches_of(table: LeagueTable, team: Team) -> list[Match]:
    """The matches of the division in which the team plays, in order of play."""
    return [match for match in table.matches if team.pk in (match.home_id, match.away_id)]


def row_of(table: LeagueTable, team: Team):
    """The team's line of the table."""
    return next(row for row in table.rows if row.team.pk == team.pk)


def day_or_last(match: Match) -> tuple:
    """A key that orders matches by day, those without one last."""
    return match.played_on is None, match.played_on, match.round, match.number


def with_ratings(scores: list[Score], pool: str) -> list[tuple[Score, object]]:
    """Each score with the player's rating in the pool, None before his first game."""
    ratings = ratings_of([score.player for score in scores])
    return [(score, ratings.get(score.player.pk, {}).get(pool)) for score in scores]


# --- Files -------------------------------------------------------------------------------


def team_head(team: Team) -> dict:
    """What the JSON file says of the team; contacts stand in none."""
    division = team.division
    return {
        "name": team.name,
        "club": team.club.name,
        "club_url": team.club.get_absolute_url(),
        "league": division.season.league.name,
        "season": division.season.label,
        "division": division.name,
        "division_url": division.get_absolute_url(),
    }


def table_head(table: LeagueTable, team: Team) -> dict:
    """What the JSON file says of its place in the table."""
    row = row_of(table, team)
    return {
        "position": row.position,
        "shared": row.shared,
        "match_points": points(row.match_points),
        "game_points": points(row.game_points),
    }


def match_row(match: Match) -> dict:
    return {
        "round": match.round or None,
        "round_label": match.round_label or None,
        "date": match.played_on,
        "home": match.home.name,
        "away": match.away.name,
        "home_points": points(match.home_points),
        "away_points": points(match.away_points),
        "state": match.state,
        "url": match.get_absolute_url(),
    }


def score_row(score: Score, rating) -> dict:
    """A player's score for the team as the files hold it."""
    return {
        "name": score.name,
        "code": score.code,
        "first_board": score.first_board,
        "last_board": score.last_board,
        "played": score.played,
        "won": score.won,
        "drawn": score.drawn,
        "lost": score.lost,
        "defaults_won": score.defaults_won,
        "points": points(score.halves),
        "elo": rating and rating.shown,
        "provisional": rating and rating.provisional,
        "url": score.player.get_absolute_url(),
    }
