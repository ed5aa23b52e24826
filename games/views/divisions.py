"""A division: its table, results, fixtures, cross table and players; each also as a file."""

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from clubs import twins
from clubs.dates import date_format
from clubs.lists import PAGE_LENGTH, PagesOfFifty, twin_addresses
from clubs.twins import points
from games.access import may_see_season
from games.cup import cup_page
from games.cup.cup_brackets import bracket_of
from games.cup.cup_words import cup_progress_words, rules_sentences
from games.division_tables.board_scores import scores_of
from games.division_tables.kept import facts_of_division, kept_for_visitors
from games.division_tables.league_tables import LeagueTable, table_of, updated_words
from games.division_tables.table_forms import DayForm
from games.matches import result_lists
from games.models import Division, Match
from games.tables import BoardScoreTable
from games.templatetags.topboard import halves

PLAIN = "text/plain; charset=utf-8"
LATEST_ROUNDS = 2
NEXT_MATCHES = 8

TABLE_COLUMNS = (
    *("position", "shared", "team", "played", "won", "drawn", "lost", "match_points"),
    *("game_points", "game_points_against", "awarded", "match_points_adjusted"),
    *("game_points_adjusted", "withdrawn", "awaited", "unfinished", "url"),
)
MATCH_COLUMNS = (*("round", "date", "home", "away", "home_points", "away_points", "state", "url"),)
SCORE_COLUMNS = (
    *("position", "shared", "name", "code", "team", "first_board", "last_board", "played"),
    *("won", "drawn", "lost", "defaults_won", "points", "url"),
)


@require_safe
@kept_for_visitors(facts_of_division)
def table(request: HttpRequest, pk: int, form: str = "") -> HttpResponse:
    """The table, the latest results and the next fixtures; `?on` a day: as it stood on it.

    Of a cup it is the bracket.
    """
    division = visible_division(request, pk)
    if division.is_cup:
        return bracket(request, division, form)
    day = DayForm(request.GET or None)
    on = day.cleaned_data["on"] if day.is_valid() else None
    found = table_of(division, on)
    if form:
        if day.errors:
            return HttpResponseBadRequest(f"on: {day.errors['on'][0]}", content_type=PLAIN)
        rows = [table_row(row) for row in found.rows]
        name = file_name(division)
        return twins.respond(form, rows, name=name, head=table_head(found), columns=TABLE_COLUMNS)
    pending = [match for match in found.pending if not is_past(match, found.today)]
    context = page(division, "table", found) | {
        "results": latest_rounds(found, found.today),
        "fixtures": result_lists.by_round(
            soonest(pending or found.pending)[:NEXT_MATCHES], found.today
        ),
        "day": day,
    }
    status = 400 if day.errors else 200
    return render(request, "games/division_detail.html", context, status=status)


@require_safe
@kept_for_visitors(facts_of_division)
def results(request: HttpRequest, pk: int, form: str = "") -> HttpResponse:
    """Every match with a score, the newest round first."""
    division = visible_division(request, pk)
    found = table_of(division)
    if form:
        rows = [match_row(match) for match in found.counted]
        return division_file(form, rows, division, "results", MATCH_COLUMNS)
    groups = result_lists.by_round(found.counted, timezone.localdate())[::-1]
    context = page(division, "results", found) | {"groups": groups}
    return render(request, "games/division_results.html", context)


@require_safe
@kept_for_visitors(facts_of_division)
def fixtures(request: HttpRequest, pk: int, form: str = "") -> HttpResponse:
    """Every match without a score: those whose day has passed first, then those to come."""
    division = visible_division(request, pk)
    found = table_of(division)
    pending = found.pending
    if form:
        rows = [match_row(match) for match in pending]
        return division_file(form, rows, division, "fixtures", MATCH_COLUMNS)
    today = timezone.localdate()
    past = [match for match in pending if is_past(match, today)]
    coming = [match for match in pending if not is_past(match, today)]
    context = page(division, "fixtures", found) | {
        "awaited": result_lists.by_round(past, today),
        "groups": result_lists.by_round(coming, today),
    }
    return render(request, "games/division_fixtures.html", context)


@require_safe
@kept_for_visitors(facts_of_division)
def crosstable(request: HttpRequest, pk: int, form: str = "") -> HttpResponse:
    """Every pairing with the scores of all its meetings, home and away."""
    division = visible_division(request, pk)
    if division.is_cup:
        raise Http404
    found = table_of(division)
    if form:
        rows = cross_rows(found, as_text=form != "json")
        columns = ("position", "shared", "team", *(row.name for row in found.rows))
        return division_file(form, rows, division, "cross table", columns)
    return render(request, "games/division_crosstable.html", page(division, "crosstable", found))


@require_safe
def players(request: HttpRequest, pk: int, form: str = "") -> HttpResponse:
    """The board scores of everybody who has played, sortable by each column."""
    division = visible_division(request, pk)
    listed = BoardScoreTable(scores_of(division, request.user, timezone.localdate()))
    paginate = not form and {"paginator_class": PagesOfFifty, "per_page": PAGE_LENGTH}
    RequestConfig(request, paginate=paginate).configure(listed)
    if form:
        rows = [score_row(row.record) for row in listed.rows]
        return division_file(form, rows, division, "players", SCORE_COLUMNS)
    addresses = twin_addresses(request, "division_players", division.pk)
    context = page(division, "players") | {"table": listed} | addresses
    return render(request, "games/division_players.html", context)


def bracket(request: HttpRequest, division: Division, form: str) -> HttpResponse:
    """A cup: its rounds with every tie, how each was won, and what is to come."""
    found = bracket_of(division)
    if form:
        return twins.respond(
            form,
            cup_page.tie_rows(found),
            name=file_name(division),
            head=division_head(division) | cup_page.cup_head(found),
            columns=cup_page.TIE_COLUMNS,
        )
    context = page(division, "table")
    words = [cup_progress_words(found), context["division_meta"]]
    context |= {
        "division_meta": " · ".join(filter(None, words)),
        "bracket": found,
        "columns": cup_page.columns_of(found, timezone.localdate()),
        "seeded": any(team.seed for team in found.teams.values()),
        "rules": rules_sentences(found),
        **twin_addresses(request, "division_detail", division.pk),
    }
    return render(request, "games/cup_detail.html", context)


def visible_division(request: HttpRequest, pk: int) -> Division:
    """The division, or 404 while its season is not public and the account not its officer."""
    division = get_object_or_404(Division.objects.for_page(), pk=pk)
    if not may_see_season(request.user, division.season):
        raise Http404
    return division


def page(division: Division, tab: str, found: LeagueTable | None = None) -> dict:
    """What every page of a division needs."""
    season = division.season
    progress = found.progress_words if found and not division.is_cup else ""
    words = [progress, updated_words(division)]
    if found and found.on:
        day = date_format(found.on, "j F Y")
        words = [_("As it stood on %(day)s") % {"day": day}, found.progress_words]
    if season.published_at is None:
        words.insert(0, _("Not public yet"))
    return {
        "division": division,
        "table": found,
        "tab": tab,
        "section": "leagues",
        "division_meta": " · ".join(filter(None, words)),
        "crumbs": [
            (season.league.name, season.league.get_absolute_url()),
            (season.label, season.get_absolute_url()),
        ],
    }


def is_past(match: Match, today: date) -> bool:
    return match.played_on is not None and match.played_on < today


def soonest(matches: list[Match]) -> list[Match]:
    """By round, but a round whose days are known before one whose are not."""
    return sorted(matches, key=lambda match: (match.played_on or date.max, match.round))


def latest_rounds(found: LeagueTable, today: date) -> list[result_lists.Group]:
    """The results of the last rounds in which something was played, the newest first."""
    return result_lists.by_round(found.counted, today)[::-1][:LATEST_ROUNDS]


# --- Files -------------------------------------------------------------------------------


def division_file(form: str, rows, division: Division, what: str, columns) -> HttpResponse:
    """The rows of one of the division's lists as a file."""
    name = f"{file_name(division)} {what}"
    return twins.respond(form, rows, name=name, head=division_head(division), columns=columns)


def file_name(division: Division) -> str:
    return f"{division.season.league.slug} {division.season.slug} {division.slug}"


def division_head(division: Division) -> dict:
    """What the JSON files of a division say of it."""
    return {
        "league": division.season.league.name,
        "season": division.season.label,
        "division": division.name,
        "url": division.get_absolute_url(),
    }


def table_head(found: LeagueTable) -> dict:
    division = found.division
    return division_head(division) | {
        "updated_at": division.changed_at,
        "on": found.on,
        "order": list(division.table_order),
        "promoted": division.promoted,
        "relegated": division.relegated,
        "notes": [sentence for _letter, sentence in found.notes],
        "policies": found.policies,
        "race": found.race,
    }


def table_row(row) -> dict:
    """A line of the table as its files hold it."""
    return {
        "position": row.position,
        "shared": row.shared,
        "team": row.name,
        "played": row.played,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "match_points": points(row.match_points),
        "game_points": points(row.game_points),
        "game_points_against": points(row.game_points_against),
        "awarded": row.awarded,
        "match_points_adjusted": points(sum(a.match_points for a in row.adjustments)),
        "game_points_adjusted": points(sum(a.game_points for a in row.adjustments)),
        "withdrawn": row.withdrawn,
        "awaited": row.awaited,
        "unfinished": row.unfinished,
        "url": row.address,
    }


def match_row(match: Match) -> dict:
    """A match as the files of results and fixtures hold it; no score is null."""
    return {
        "round": match.round or None,
        "date": match.played_on,
        "home": match.home.name,
        "away": match.away.name,
        "home_points": points(match.home_points),
        "away_points": points(match.away_points),
        "state": match.state,
        "url": match.get_absolute_url(),
    }


def cross_rows(found: LeagueTable, *, as_text: bool) -> list[dict]:
    """A row for each team with a cell for each opponent: all their meetings, both legs.

    As text (CSV) a cell reads `3½-2½ H, 4-2 A`, from the row's side; else it is a list.
    """
    names = [row.name for row in found.rows]
    rows = []
    for row, cross in zip(found.rows, found.cross_rows, strict=True):
        cells = [cross_cell(cell, as_text=as_text) for cell in cross.cells]
        start = {"position": row.position, "shared": row.shared, "team": row.name}
        against = dict(zip(names, cells, strict=True))
        rows.append(start | (against if as_text else {"against": against}))
    return rows


def cross_cell(cell, *, as_text: bool) -> str | list[dict] | None:
    if cell is None:
        return None
    if as_text:
        met = (m for m in cell if m.outcome is not None)
        return ", ".join(
            f"{halves(m.own)}-{halves(m.other)} {'H' if m.at_home else 'A'}" for m in met
        )
    return [
        {
            "at_home": m.at_home,
            "own": None if m.outcome is None else points(m.own),
            "other": None if m.outcome is None else points(m.other),
            "date": m.played_on,
            "url": reverse("match_detail", args=[m.match]),
        }
        for m in cell
    ]


def score_row(score) -> dict:
    """A player's board scores as the files hold them."""
    return {
        "position": score.position,
        "shared": score.shared,
        "name": score.name,
        "code": score.code,
        "team": score.team.name,
        "first_board": score.first_board,
        "last_board": score.last_board,
        "played": score.played,
        "won": score.won,
        "drawn": score.drawn,
        "lost": score.lost,
        "defaults_won": score.defaults_won,
        "points": points(score.halves),
        "url": score.player.get_absolute_url(),
    }
