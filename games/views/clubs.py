"""Clubs: the list of all, and a club with its teams and members."""

from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs import twins
from clubs.access import code_for, listed_name_for, may_see_contacts, may_see_names
from clubs.forms import ClubListForm
from clubs.lists import ListPage, twin_addresses
from clubs.models import Club
from games.models import Team
from games.registry.members import Member, members_of
from games.tables import ClubTable, first_line, night
from ratings.models import PoolName, RatingPool

SHOWN_POOLS = (PoolName.STANDARD, PoolName.RAPID)
CLUB_FACTS = ("name", "url", "venue", "club_night", "start_time")
MEMBER_COLUMNS = (
    "name",
    "code",
    "elo",
    "provisional",
    "games",
    "rapid",
    "rapid_provisional",
    "url",
)


class ClubList(ListPage):
    """Every club, by name; searched by it."""

    model = Club
    table_class = ClubTable
    form_class = ClubListForm
    template_name = "games/club_list.html"
    url_name = "club_list"
    twin_columns = (*CLUB_FACTS, "members")

    def get_rows(self, q):
        clubs = Club.objects.with_member_count(timezone.localdate())
        return clubs.found(q) if q else clubs

    def get_context_data(self, **kwargs):
        return super().get_context_data(section="clubs", **kwargs)

    def twin_rows(self, rows):
        return [facts_of(club) | {"members": club.member_count} for club in rows]


@require_safe
def club_detail(request: HttpRequest, slug: str, form: str = "") -> HttpResponse:
    """A club: where and when it meets, its teams by season, its members with their Elo."""
    club = get_object_or_404(Club, slug=slug)
    today = timezone.localdate()
    members = members_of(club, today, may_see_names(request.user))
    teams = Team.objects.filter(club=club).visible_to(request.user).for_page().newest_first()
    if form:
        rows = [member_row(member, request.user, today) for member in members]
        head = facts_of(club) | {"teams": [team_row(team) for team in teams]}
        return twins.respond(
            form,
            rows,
            name=club.slug,
            head=head,
            columns=MEMBER_COLUMNS,
            of_all=RatingPool.objects.stale_from(*SHOWN_POOLS),
        )
    context = {
        "club": club,
        "meta": " · ".join(filter(None, (night(club), first_line(club.venue)))),
        "members": members,
        "stale": RatingPool.objects.stale(*SHOWN_POOLS) if members else [],
        "seasons": [(label, list(of)) for label, of in groupby(teams, season_label)],
        "sees_contacts": may_see_contacts(request.user),
        "crumbs": [(_("Clubs"), reverse("club_list"))],
        "section": "clubs",
        **twin_addresses(request, "club_detail", slug),
    }
    return render(request, "games/club_detail.html", context)


def season_label(team: Team) -> str:
    """The season a team is listed under: seasons of one label in several leagues are one."""
    return team.division.season.label


def facts_of(club: Club) -> dict:
    """What everybody may know of a club, as its files hold it."""
    return {
        "name": club.name,
        "url": club.get_absolute_url(),
        "venue": club.venue or None,
        "club_night": None if club.club_night is None else club.get_club_night_display(),
        "start_time": club.start_time,
    }


def team_row(team: Team) -> dict:
    division = team.division
    return {
        "name": team.name,
        "league": division.season.league.name,
        "season": division.season.label,
        "division": division.name,
        "url": team.get_absolute_url(),
    }


def member_row(member: Member, user, today) -> dict:
    """A member as the files hold him; a pool without games is null."""
    standard, rapid = member.standard, member.rapid
    return {
        "name": listed_name_for(user, member.player, today),
        "code": code_for(user, member.player, today),
        "elo": standard and standard.shown,
        "provisional": standard and standard.provisional,
        "games": standard.games if standard else 0,
        "rapid": rapid and rapid.shown,
        "rapid_provisional": rapid and rapid.provisional,
        "url": member.player.get_absolute_url(),
    }
