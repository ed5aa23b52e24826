"""Why a grade or an Elo is what it is: every number on one page, to be checked by hand."""

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs import twins
from clubs.access import name_for
from clubs.dates import date_format
from clubs.lists import PagesOfFifty, twin_addresses
from clubs.merged import follows_merges
from clubs.models import Player

from .. import why_files
from ..access import may_see_mean
from ..elo_why import elo_why, game_lines, games_of
from ..grade_why import find_list, grade_why, newest_list
from ..grading import OTHER_RATE
from ..lists import GRADED_POOLS
from ..models import EloRating, GradeList, PoolName, RatingPool
from .asked import asked_pool, asked_revision


@require_safe
@follows_merges
def newest_grade(request: HttpRequest, pk: int) -> HttpResponse:
    """Leads to the newest list on which the player has a grade."""
    player = get_object_or_404(Player.objects.standing(), pk=pk)
    pool = asked_pool(request.GET, GRADED_POOLS)
    found = newest_list(player, pool)
    if found is not None:
        return redirect(f"{reverse('grade_why', args=[pk, found.cutoff])}?pool={pool}")
    context = {
        "name": name_for(request.user, player, timezone.localdate()),
        "player": player,
        "pool": pool,
        "section": "grades",
    }
    return render(request, "ratings/no_lists.html", context)


@require_safe
@follows_merges
def grade(request: HttpRequest, pk: int, cutoff: date, form: str = "") -> HttpResponse:
    """One player's grade on one list taken apart; `?revision=0` for the list as it came out."""
    player = get_object_or_404(Player, pk=pk)
    pool = asked_pool(request.GET, GRADED_POOLS)
    grade_list = find_list(pool, cutoff, asked_revision(request.GET))
    if grade_list is None:
        raise Http404
    why = grade_why(player, grade_list)
    if why.row is None and player.merged_into_id is not None:
        raise Http404
    sees_mean = why.row is not None and may_see_mean(request.user, why.row)
    today = timezone.localdate()
    if form:
        return twins.respond(
            form,
            why_files.grade_rows(why, request.user, today, sees_mean),
            name=f"grade {pk} {cutoff}",
            head=why_files.grade_head(why, request.user, today, sees_mean),
            key="games",
            columns=why_files.GRADE_COLUMNS,
        )
    name = name_for(request.user, player, today)
    address = reverse("grade_why", args=[pk, cutoff])
    as_it_is = address if why.newest_revision else reverse("elo_why", args=[pk])
    context = {
        "why": why,
        "name": name,
        "shown": why.row.published if why.row else None,
        "sees_mean": sees_mean,
        "is_rapid": pool == PoolName.RAPID,
        "other_rate": PoolName(OTHER_RATE[pool]).label,
        "page_address": address,
        "changed_address": f"{as_it_is}?pool={pool}",
        "next_address": next_address(player, name, pool),
        "crumbs": [
            (name, player.get_absolute_url()),
            (
                list_title(grade_list),
                f"{reverse('grade_list_detail', args=[cutoff])}?pool={pool}",
            ),
        ],
        "section": "grades",
        **twin_addresses(request, "grade_why", pk, cutoff),
    }
    return render(request, "ratings/grade_why.html", context)


@require_safe
@follows_merges
def elo(request: HttpRequest, pk: int, form: str = "") -> HttpResponse:
    """One player's Elo in one pool: the opening rating, and the arithmetic of every game."""
    player = get_object_or_404(Player.objects.standing(), pk=pk)
    pool = get_object_or_404(RatingPool, pk=asked_pool(request.GET, PoolName.values))
    why = elo_why(player, pool)
    today = timezone.localdate()
    games = games_of(player, pool)
    if form:
        return twins.respond(
            form,
            why_files.elo_rows(why, games, request.user, today),
            name=f"elo {pk} {pool.pk}",
            head=why_files.elo_head(why, player, pool, request.user, today),
            key="games",
            columns=why_files.ELO_COLUMNS,
            of_all={"stale_from": pool.stale_from},
        )
    page = PagesOfFifty(games, 0).get_page(request.GET.get("page"))
    name = name_for(request.user, player, today)
    context = {
        "why": why,
        "name": name,
        "player": player,
        "pool": PoolName(pool.pk),
        "stale": [pool] if pool.stale_from else [],
        "pools": pools_of(player),
        "page": page,
        "lines": game_lines(why, page.object_list) if why else [],
        "next_address": next_address(player, name, pool.pk),
        "crumbs": [(name, player.get_absolute_url())],
        "section": "elo",
        **twin_addresses(request, "elo_why", pk),
    }
    return render(request, "ratings/elo_why.html", context)


def pools_of(player: Player) -> list[PoolName]:
    """The pools in which he has an Elo, standard first."""
    found = set(EloRating.objects.filter(player=player).values_list("pool", flat=True))
    return [pool for pool in PoolName if pool in found]


def next_address(player: Player, name: str, pool: str) -> str:
    """Where to ask what a result of this player would do; nowhere while his name is hidden."""
    if name != str(player):
        return ""
    query = {"next-player": player.ecf_code or name, "next-pool": pool}
    return f"{reverse('ratings_how', query=query)}#next"


def list_title(grade_list: GradeList) -> str:
    """What a list is called in a breadcrumb."""
    day = date_format(grade_list.cutoff, "j F Y")
    if grade_list.pool_id == PoolName.RAPID:
        return _("Rapid grade list, %(day)s") % {"day": day}
    return _("Grade list, %(day)s") % {"day": day}
