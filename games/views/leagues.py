"""Leagues and their seasons."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs import twins
from clubs.lists import twin_addresses
from games.cup import cup_page
from games.division_tables import league_tables
from games.division_tables.kept import facts_of_season, kept_for_visitors
from games.models import League, Season
from games.season_office import honours

LEAGUE_COLUMNS = ("name", "url", "season", "season_url")
SEASON_COLUMNS = ("label", "url", "starts_on", "ends_on")
HONOUR_COLUMNS = ("season", "division", "champions", "runners_up", "url")
DIVISION_COLUMNS = ("name", "rank", "url", "json", "csv")


@require_safe
def league_list(request: HttpRequest, form: str = "") -> HttpResponse:
    """Every league with a public season, and the divisions of its newest."""
    seasons = Season.objects.current().select_related("league").prefetch_related("divisions")
    if form:
        rows = [
            {"name": season.league.name, "url": season.league.get_absolute_url()}
            | {"season": season.label, "season_url": season.get_absolute_url()}
            for season in seasons
        ]
        return twins.respond(form, rows, name="leagues", key="leagues", columns=LEAGUE_COLUMNS)
    leagues = league_tables.with_states(seasons, timezone.localdate())
    return render(request, "games/league_list.html", {"leagues": leagues, "section": "leagues"})


@require_safe
def league_detail(request: HttpRequest, slug: str, form: str = "") -> HttpResponse:
    """A league: its newest season's divisions, and its seasons."""
    league = get_object_or_404(League, slug=slug)
    seasons = list(
        league.seasons.visible_to(request.user)
        .select_related("league")
        .prefetch_related("divisions")
        .order_by("-starts_on", "-pk")
    )
    if not seasons:
        raise Http404
    if form:
        rows = [
            {"label": season.label, "url": season.get_absolute_url()}
            | {"starts_on": season.starts_on, "ends_on": season.ends_on}
            for season in seasons
        ]
        head = {"name": league.name, "url": league.get_absolute_url()}
        return twins.respond(
            form, rows, name=league.slug, head=head, key="seasons", columns=SEASON_COLUMNS
        )
    newest = league_tables.with_states(seasons[:1], timezone.localdate())[0]
    context = {"league": league, "newest": newest, "seasons": seasons, "section": "leagues"}
    return render(request, "games/league_detail.html", context)


@require_safe
def league_honours(request: HttpRequest, slug: str, form: str = "") -> HttpResponse:
    """Who won each division of each closed season, the newest first."""
    league = get_object_or_404(League, slug=slug)
    if not league.seasons.visible_to(request.user).exists():
        raise Http404
    roll = honours.roll_of(league, request.user)
    if form:
        rows = [
            {"season": each.season.label, "division": each.division.name}
            | {"champions": names_of(each.champions), "runners_up": names_of(each.runners_up)}
            | {"url": each.division.get_absolute_url()}
            for each in roll
        ]
        head = {"name": league.name, "url": league.get_absolute_url()}
        return twins.respond(form, rows, name=f"{slug} honours", head=head, columns=HONOUR_COLUMNS)
    context = {
        "league": league,
        "roll": roll,
        "crumbs": [(league.name, league.get_absolute_url())],
        "section": "leagues",
        **twin_addresses(request, "league_honours", slug),
    }
    return render(request, "games/league_honours.html", context)


def names_of(teams) -> str:
    """The names of teams that share a place."""
    return ", ".join(team.name for team in teams)


@require_safe
@kept_for_visitors(facts_of_season)
def season_detail(request: HttpRequest, slug: str, season: str, form: str = "") -> HttpResponse:
    """A season: its divisions, each with its table in short."""
    visible = Season.objects.visible_to(request.user).select_related("league")
    season = get_object_or_404(visible, league__slug=slug, slug=season)
    divisions = list(season.divisions.for_page())
    if form:
        rows = [division_address(division) for division in divisions]
        head = {
            "league": season.league.name,
            "season": season.label,
            "url": season.get_absolute_url(),
        }
        return twins.respond(
            form,
            rows,
            name=f"{slug} {season.slug}",
            head=head,
            key="divisions",
            columns=DIVISION_COLUMNS,
        )
    context = {
        "season": season,
        "league": season.league,
        "tables": league_tables.tables_of([d for d in divisions if not d.is_cup]).values(),
        "cups": cup_page.cups_in_short([d for d in divisions if d.is_cup], timezone.localdate()),
        "crumbs": [(season.league.name, season.league.get_absolute_url())],
        "section": "leagues",
    }
    return render(request, "games/season_detail.html", context)


def division_address(division) -> dict:
    """A division as its season's file lists it, with the addresses of its pages and files."""
    return {
        "name": division.name,
        "rank": division.rank,
        "url": division.get_absolute_url(),
        "json": reverse("division_detail", args=[division.pk, "json"]),
        "csv": reverse("division_detail", args=[division.pk, "csv"]),
    }
