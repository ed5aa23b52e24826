"""All grade lists, what revisions changed, and how the grades of a list are spread."""

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs import access, twins
from clubs.lists import twin_addresses

from ..grade_archive import documents, imported_lists, revisions
from ..grade_spread import bands, spread
from ..lists import GRADED_POOLS
from ..models import GradeList, PoolName
from .asked import asked_pool

# Rows of a revision on its page; a change of the rules could touch everybody.
SHOWN = 200


@require_safe
def lists(request: HttpRequest, form: str = "") -> HttpResponse:
    """Every list, the newest first, as it stands and as it first came out; those from outside."""
    found = documents()
    if form:
        rows = (
            {
                "cutoff": each.newest.cutoff,
                "pool": each.newest.pool_id,
                "state": each.newest.state,
                "published_at": each.first.published_at,
                "revisions": each.newest.revision,
                "revised_at": each.newest.published_at if each.newest.revision else None,
                "players": each.players,
                "outstanding": each.newest.outstanding,
                "url": each.newest.get_absolute_url(),
            }
            for each in found
        )
        return twins.respond(form, rows, name="grade lists")
    context = {
        "documents": found,
        "imported": imported_lists(),
        "pool": PoolName.STANDARD,
        "section": "grades",
        **twin_addresses(request, "grade_lists"),
    }
    return render(request, "ratings/grade_lists.html", context)


@require_safe
def revised(request: HttpRequest, cutoff: date, form: str = "") -> HttpResponse:
    """What each revision of a list changed, the newest first."""
    pool = asked_pool(request.GET, GRADED_POOLS)
    today = timezone.localdate()
    found = revisions(pool, cutoff, today, access.may_see_names(request.user))
    if found is None:
        raise Http404
    rows = [
        {
            "revision": revision.grade_list.revision,
            "published_at": revision.grade_list.published_at,
            "name": access.listed_name_for(request.user, player, today),
            "code": access.code_for(request.user, player, today),
            "before": player.before,
            "after": player.after,
            "category_before": player.category_before,
            "category_after": player.category_after,
            "url": player.get_absolute_url(),
        }
        for revision in found
        for player in revision.players
    ]
    if form:
        head = {"pool": pool.value, "cutoff": cutoff}
        return twins.respond(form, rows, name=f"grades {cutoff} revisions", head=head)
    context = {
        "revisions": [
            (each, [row for row in rows if row["revision"] == each.grade_list.revision][:SHOWN])
            for each in found
        ],
        "pool": pool,
        "cutoff": cutoff,
        "cutoff_above": cutoff,
        "section": "grades",
        **twin_addresses(request, "grade_list_revisions", cutoff),
    }
    return render(request, "ratings/grade_list_revisions.html", context)


@require_safe
def distribution(request: HttpRequest, cutoff: date, form: str = "") -> HttpResponse:
    """How many players of a list have a grade in each band of ten."""
    pool = asked_pool(request.GET, GRADED_POOLS)
    found = GradeList.objects.documents(pool, cutoff).first()
    if found is None:
        raise Http404
    counts = found.grades.counts()
    rows = bands(counts)
    if form:
        return twins.respond(
            form,
            ({"from": row.first, "to": row.last, "players": row.players} for row in rows),
            name=f"grades {cutoff} distribution",
            head={"pool": pool.value, "cutoff": cutoff},
        )
    context = {
        "bands": rows,
        "spread": spread(counts),
        "pool": pool,
        "cutoff": cutoff,
        "cutoff_above": cutoff,
        "section": "grades",
        **twin_addresses(request, "grade_list_distribution", cutoff),
    }
    return render(request, "ratings/grade_list_distribution.html", context)
