"""Fixtures to subscribe to: of a team, a club, a division, a player's teams. Public alone."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.models import Club, Player
from games.matches import calendars
from games.models import Division, Match, Team


@require_safe
def team_calendar(request: HttpRequest, pk: int) -> HttpResponse:
    team = get_object_or_404(Team.objects.published().for_page(), pk=pk)
    name = f"{team.name}, {team.division.season.label}"
    return respond(request, calendars.matches_of_team(team), name)


@require_safe
def club_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    return respond(request, calendars.matches_of_club(club), club.name)


@require_safe
def division_calendar(request: HttpRequest, pk: int) -> HttpResponse:
    division = get_object_or_404(Division.objects.published().for_page(), pk=pk)
    name = f"{division.season.league.name}, {division.name}"
    return respond(request, Match.objects.filter(division=division), name)


@require_safe
def player_calendar(request: HttpRequest, pk: int) -> HttpResponse:
    """The matches of his teams; a junior whose name is hidden is not named, whoever asks."""
    player = get_object_or_404(Player, pk=pk)
    if player.merged_into_id is not None:
        raise Http404
    name = player.public_name(timezone.localdate())
    return respond(request, calendars.matches_of_player(player), _("Matches of %s") % name)


def respond(request: HttpRequest, matches, name: str) -> HttpResponse:
    """The public ones of the matches as a calendar file."""
    content = calendars.calendar_of(matches, name, request.build_absolute_uri, timezone.localdate())
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    file_name = slugify(name) or "fixtures"
    response["Content-Disposition"] = f'inline; filename="{file_name}.ics"'
    return response
