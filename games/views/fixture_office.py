"""The officer's pages that make a season's fixtures: days and wishes, the run, the draft."""

from django.contrib import messages
from django.db.models import Count, Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.forms import sent
from clubs.models import Club, Venue
from games.fixture_lists import fixture_drafts, fixture_plans
from games.fixture_lists.fixture_forms import (
    ROW_FORMS,
    ROWS,
    ClubNights,
    DraftMatchForm,
    FillWeeksForm,
    Halls,
    PlanForm,
    WeeksForm,
)
from games.fixture_lists.fixture_plans import FixturesRefused
from games.models import DraftMatch, FixturePlan, Season
from games.views.league_office import for_officers, in_office, of_form


@require_safe
@for_officers
def fixtures(request: HttpRequest, season: Season) -> HttpResponse:
    """How the fixtures are to be made, how far it is, and what came of it."""
    plan = fixture_plans.plan_of(season)
    divisions = season.divisions.annotate(team_count=Count("teams")).order_by("rank", "name")
    weeks = season.match_weeks.aggregate(count=Count("pk"), last=Max("starts_on"))
    context = {
        "season": season,
        "plan": plan,
        "running": plan.state in fixture_plans.RUNNING,
        "weeks": weeks["count"],
        "first_week": season.match_weeks.first(),
        "last_week": weeks["last"],
        "breaks": season.breaks.all(),
        "days": season.avoid_dates.select_related("club", "team"),
        "pairs": season.avoid_pairs.select_related("first", "second"),
        "divisions": divisions.filter(kind="league", matches__isnull=True),
        "draft": DraftMatch.objects.filter(division__season=season).count(),
        **in_office(season),
    }
    return render(request, "games/season_fixtures.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_officers
def weeks(request: HttpRequest, season: Season) -> HttpResponse:
    """The weeks in which rounds are played: ticked one by one, or filled in at even distances."""
    stored = [day.isoformat() for day in season.match_weeks.values_list("starts_on", flat=True)]
    step = request.POST.get("step") if request.method == "POST" else None
    form = WeeksForm(
        request.POST if step == "save" else None, initial={"weeks": stored}, season=season
    )
    fill = FillWeeksForm(
        request.POST if step == "fill" else None, initial={"first": season.starts_on}, season=season
    )
    if step == "save" and form.is_valid():
        fixture_plans.set_weeks(season=season.pk, weeks=form.cleaned_data["weeks"])
        messages.success(request, _("The match weeks are saved."))
        return back(season)
    if step == "fill" and fill.is_valid():
        found = [day.isoformat() for day in fill.weeks()]
        form = WeeksForm(initial={"weeks": found}, season=season)
        messages.info(request, _("Ticked below; nothing is saved yet."))
    context = {"season": season, "form": form, "fill": fill, **in_fixtures(season)}
    return render(request, "games/season_fixture_weeks.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_officers
def rules(request: HttpRequest, season: Season) -> HttpResponse:
    """The rules of the list, and how often teams meet."""
    plan = fixture_plans.plan_of(season)
    divisions = list(season.divisions.leagues().order_by("rank", "name"))
    form = PlanForm(request.POST or None, instance=plan, divisions=divisions)
    if request.method == "POST" and form.is_valid():
        fixture_plans.set_rules(season=season.pk, legs=form.legs(), **form.columns())
        messages.success(request, _("The rules of the fixtures are saved."))
        return back(season)
    context = of_form(form, _("Rules of the fixtures"), _("Save")) | in_fixtures(season)
    return render(request, "games/office_form.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_officers
def halls(request: HttpRequest, season: Season) -> HttpResponse:
    """Each club's night and hall, and how many matches a hall holds."""
    clubs = Club.objects.filter(teams__division__season=season).select_related("hall").distinct()
    venues = Venue.objects.filter(clubs__in=clubs.values("pk")).distinct()
    typed = sent(request)
    nights = ClubNights(typed, queryset=clubs.order_by("search_name", "pk"), prefix="clubs")
    limits = Halls(typed, queryset=venues.order_by("name", "pk"), prefix="halls")
    if typed is not None and nights.is_valid() and limits.is_valid():
        fixture_plans.set_nights(
            nights={
                form.instance.pk: (
                    form.cleaned_data["club_night"],
                    form.cleaned_data["hall_name"],
                )
                for form in nights
            },
            limits={form.instance.pk: form.cleaned_data["match_limit"] for form in limits},
            by=request.user,
        )
        messages.success(request, _("Nights and halls are saved."))
        return redirect(request.path)
    context = {
        "season": season,
        "nights": nights,
        "limits": limits,
        "names": Venue.objects.values_list("name", flat=True),
        **in_fixtures(season),
    }
    return render(request, "games/season_fixture_halls.html", context)


TITLES = {
    "breaks": gettext_lazy("Days on which nobody plays"),
    "days": gettext_lazy("Days on which a club or a team does not play"),
    "pairs": gettext_lazy("Two teams that do not play on one night"),
}


@require_http_methods(["GET", "HEAD", "POST"])
@for_officers
def add(request: HttpRequest, season: Season, kind: str) -> HttpResponse:
    """A form that adds a break, days to avoid or a pair to avoid."""
    if kind not in ROW_FORMS:
        raise Http404
    form = ROW_FORMS[kind](request.POST or None, season=season)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("It is noted."))
        if "another" in request.POST:
            return redirect(request.path)
        return back(season)
    context = of_form(form, TITLES[kind], _("Add it")) | in_fixtures(season)
    return render(request, "games/office_form.html", context)


@require_POST
@for_officers
def remove(request: HttpRequest, season: Season, kind: str, row: int) -> HttpResponse:
    """Take a break, days or a pair out."""
    if kind not in ROWS:
        raise Http404
    get_object_or_404(ROWS[kind], season=season, pk=row).delete()
    return back(season)


@require_POST
@for_officers
def step(request: HttpRequest, season: Season) -> HttpResponse:
    """Make a draft, stop that, discard or publish it, as `step` says."""
    asked, at = request.POST.get("step"), timezone.now()
    try:
        if asked == "make":
            fixture_plans.ask_for_draft(season=season.pk, at=at)
        elif asked == "stop":
            fixture_plans.stop_run(season=season.pk, at=at)
        elif asked == "discard":
            fixture_plans.discard(season=season.pk)
            messages.success(request, _("The draft is thrown away."))
        elif asked == "publish":
            version = as_number(request.POST.get("version"))
            count = fixture_plans.publish(season=season.pk, version=version, at=at)
            messages.success(request, published_words(count, season))
    except FixturesRefused as refused:
        messages.error(request, str(refused))
    return back(season)


def published_words(count: int, season: Season) -> str:
    words = ngettext("%d match is arranged.", "%d matches are arranged.", count) % count
    if season.published_at is None:
        words += " " + _("The public sees them when the season is published.")
    return words


# The draft --------------------------------------------------------------------------------


@require_safe
@for_officers
def draft(request: HttpRequest, season: Season) -> HttpResponse:
    """The draft week by week, or club by club, with what it does not keep."""
    plan = fixture_plans.plan_of(season)
    page = fixture_drafts.page_of(season, plan)
    context = {
        "season": season,
        "plan": plan,
        "page": page,
        "by": "club" if request.GET.get("by") == "club" else "week",
        **in_fixtures(season),
    }
    return render(request, "games/season_draft.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_officers
def draft_match(request: HttpRequest, season: Season, draft: int) -> HttpResponse:
    """A match of the draft: another day, turned round, days exchanged; first its clashes."""
    rows = DraftMatch.objects.select_related("division", "home__club", "away__club")
    match = get_object_or_404(rows, pk=draft, division__season=season)
    plan = fixture_plans.plan_of(season)
    form = DraftMatchForm(request.POST or None, match=match, season=season)
    checked = None
    if request.method == "POST" and form.is_valid():
        try:
            checked = changed_match(request, season, plan, match, form)
        except FixturesRefused as refused:
            form.add_error(None, str(refused))
        if isinstance(checked, HttpResponse):
            return checked
    context = {
        "match": match,
        "plan": plan,
        "checked": checked,
        **of_form(form, str(match), _("Save")),
        **in_draft(season),
    }
    return render(request, "games/season_draft_match.html", context)


def changed_match(request, season: Season, plan: FixturePlan, match: DraftMatch, form):
    """What a change would clash with; once it is confirmed, the way back to the draft."""
    if request.POST.get("step") != "save":
        return fixture_drafts.preview(season, plan, match, form.change())
    version = as_number(request.POST.get("version"))
    fixture_drafts.change_match(match=match.pk, change=form.change(), version=version)
    messages.success(request, _("%s is changed.") % match)
    return redirect("season_draft", season.league.slug, season.slug)


# What they share --------------------------------------------------------------------------


def as_number(text: str | None) -> int:
    """A number that a form sent, -1 for anything else."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 10 else -1


def back(season: Season) -> HttpResponse:
    return redirect("season_fixtures", season.league.slug, season.slug)


def in_fixtures(season: Season) -> dict:
    """Where a page below a season's fixtures stands."""
    context = in_office(season)
    where = reverse("season_fixtures", args=[season.league.slug, season.slug])
    context["crumbs"].append((_("Fixtures"), where))
    return context


def in_draft(season: Season) -> dict:
    context = in_fixtures(season)
    where = reverse("season_draft", args=[season.league.slug, season.slug])
    context["crumbs"].append((_("Draft"), where))
    return context
