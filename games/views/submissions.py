"""The officer's pages of what goes to the rating officer: the dry run, the file, what was sent."""

from collections.abc import Mapping
from functools import wraps

from django.contrib import messages
from django.db.models import Max, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs import codes
from clubs.dates import date_format
from clubs.models import Membership, Player
from clubs.templatetags.wording import colon
from games.models import Board, Colour, Season, SubmittedEvent
from games.submission import submission_contents, submissions
from games.submission.submission_contents import GameFacts, TimeControl
from games.submission.submission_forms import EventForm, PlayerCodesForm

from .league_office import for_officers

OUTCOMES = {2: "1–0", 1: "½–½", 0: "0–1"}
SHOWN = 50
"""How many differences the page names."""


def for_events(view):
    """A view of one event of a season: another time control than its divisions' is no page."""

    @for_officers
    @wraps(view)
    def checked(request: HttpRequest, season: Season, minutes: int, seconds: int, **more):
        control = TimeControl(minutes, seconds)
        if control not in submission_contents.controls_of(season):
            raise Http404
        return view(request, season, control, **more)

    return checked


@require_safe
@for_officers
def overview(request: HttpRequest, season: Season) -> HttpResponse:
    """The events of a season, one a time control, each with what was sent last."""
    events = [
        {
            "control": control,
            "divisions": divisions,
            "event": event,
            "last": event.submissions.order_by("-index").first() if event else None,
        }
        for control, divisions in submission_contents.controls_of(season).items()
        for event in [submissions.event_of(season, control)]
    ]
    context = {"season": season, "events": events, **in_season(season)}
    return render(request, "games/submissions.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_events
def event(request: HttpRequest, season: Season, control: TimeControl) -> HttpResponse:
    """The dry run: what to look at, what is new, the file; and with the button, it is sent."""
    found = submissions.event_of(season, control)
    if found is None:
        return redirect("season_submission_event", season.league.slug, season.slug, *control)
    found.season = season
    if request.method == "POST":
        try:
            sent = submissions.send(
                event=found.pk,
                seen=request.POST.get("seen", ""),
                by=request.user,
                at=timezone.now(),
            )
        except submissions.FileChanged as changed:
            messages.warning(request, str(changed))
        except submissions.SubmissionRefused as refused:
            messages.error(request, str(refused))
        else:
            words = _("%s is kept as sent. Download it and mail it to the rating officer.")
            messages.success(request, words % sent.file_name)
        return redirect("season_submission", season.league.slug, season.slug, *control)
    draft = submissions.prepare(found)
    context = {
        "season": season,
        "control": control,
        "draft": draft,
        "obstacle": draft.obstacle(),
        "differences": differences(draft)[:SHOWN],
        "sent": found.submissions.select_related("sent_by").defer("text").order_by("-index"),
        **in_season(season, deeper=True),
    }
    return render(request, "games/submission.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_events
def name_event(request: HttpRequest, season: Season, control: TimeControl) -> HttpResponse:
    """A form of what the event is called, and who answers for it; filled in as last season."""
    found = submissions.event_of(season, control)
    form = EventForm(request.POST or None, initial=initial_of(season, control, found))
    if request.method == "POST" and form.is_valid():
        try:
            submissions.name_event(
                season=season.pk, control=control, by=request.user, **form.cleaned_data
            )
        except submissions.CodeRefused as refused:
            form.add_error("code", str(refused))
        else:
            messages.success(request, _("The event is saved."))
            return redirect("season_submission", season.league.slug, season.slug, *control)
    context = {
        "form": form,
        "title": _("The event as the rating officer knows it"),
        "button": _("Save"),
        **in_season(season, deeper=True),
    }
    return render(request, "games/office_form.html", context)


@require_safe
@for_events
def file(request: HttpRequest, season: Season, control: TimeControl, index: int) -> HttpResponse:
    """A file as it was sent, under the name it went out with."""
    found = submissions.event_of(season, control)
    if found is None:
        raise Http404
    sent = get_object_or_404(found.submissions.select_related("event"), index=index)
    response = HttpResponse(sent.text, content_type="text/plain; charset=us-ascii")
    response["Content-Disposition"] = f'attachment; filename="{sent.file_name}"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@for_officers
def player(request: HttpRequest, season: Season, pk: int) -> HttpResponse:
    """A form of what the federation knows a player of this season by."""
    person = get_object_or_404(Player, pk=pk)
    own = Q(home_player=pk) | Q(away_player=pk)
    boards = Board.objects.filter(own, match__division__season=season).with_day()
    if not boards.exists():
        raise Http404
    last = boards.aggregate(last=Max("day"))["last"] or timezone.localdate()
    form = PlayerCodesForm(
        request.POST or None,
        initial={name: getattr(person, name) for name in PLAYER_COLUMNS},
        player=person,
        has_club=Membership.objects.on(last).filter(player=person).exists(),
    )
    if request.method == "POST" and form.is_valid():
        club = form.cleaned_data.get("club")
        try:
            codes.correct_codes(
                player=pk,
                club=None if club is None else club.pk,
                member_from=season.starts_on,
                by=request.user,
                **{name: form.cleaned_data[name] for name in PLAYER_COLUMNS},
            )
        except codes.CodeTaken as taken:
            form.add_error(taken.field, str(taken))
        else:
            messages.success(request, _("%s is saved.") % person.listed_name)
            return redirect(back_to(request, season))
    context = {"form": form, "title": person.listed_name, "button": _("Save")}
    context |= in_season(season, deeper=True)
    return render(request, "games/office_form.html", context)


PLAYER_COLUMNS = (
    *("surname", "forenames", "ecf_code", "membership_number", "membership_expires_on"),
)


# --- What they share ---------------------------------------------------------------------


def in_season(season: Season, *, deeper: bool = False) -> dict:
    """Where a page of a season's submissions stands."""
    address = [season.league.slug, season.slug]
    crumbs = [(str(season), reverse("season_office", args=address))]
    if deeper:
        crumbs.append((_("To the rating officer"), reverse("season_submissions", args=address)))
    return {"section": "office", "league": season.league, "crumbs": crumbs}


def back_to(request: HttpRequest, season: Season) -> str:
    """The dry run that led here, as `?event=75-10` says, else the season's events."""
    address = [season.league.slug, season.slug]
    for control in submission_contents.controls_of(season):
        if request.GET.get("event") == control.slug:
            return reverse("season_submission", args=[*address, *control])
    return reverse("season_submissions", args=address)


def initial_of(season: Season, control: TimeControl, found: SubmittedEvent | None) -> dict:
    """What the form shows at first: the event as it is, else that of an earlier season."""
    if found is not None:
        return {name: getattr(found, name) for name in submissions.EVENT_FIELDS}
    name = f"{season.league} {season.label}"
    earlier = SubmittedEvent.objects.filter(season__league=season.league)
    last = earlier.order_by("-season__starts_on", "-pk").first()
    if last is None:
        return {"name": name}
    kept = {field: getattr(last, field) for field in submissions.EVENT_FIELDS}
    return kept | {"code": "", "name": name}


def differences(draft: submissions.Draft) -> list[tuple[str, str]]:
    """The games that differ from what was sent last: a word for how, and the game in words."""
    people = draft.contents.people
    changes = draft.changes
    if draft.last is None:
        return []
    pks = {
        pk
        for game in [*changes.gone, *(old for old, _new in changes.changed)]
        for pk in (game.home, game.away)
    }
    others = Player.objects.in_bulk(pks - people.keys())
    names = {pk: person.player.listed_name for pk, person in people.items()}
    names |= {pk: player.listed_name for pk, player in others.items()}

    def words(game) -> str:
        day = date_format(game.played_on, "j M Y")
        sides = f"{names[game.home]} {OUTCOMES[game.result]} {names[game.away]}"
        return f"{sides}, {game.match_title}, {day}"

    return [
        *((_("new"), words(game)) for game in changes.new),
        *(
            (_("changed"), f"{words(new)}{colon()}{changed_words(old, new, names)}")
            for old, new in changes.changed
        ),
        *((_("gone"), words(game)) for game in changes.gone),
    ]


def changed_words(old: GameFacts, new: GameFacts, names: Mapping[int, str]) -> str:
    """What a game said when it was sent, of all that it says otherwise now."""
    told = {
        "match_title": (_("match"), str),
        "board": (_("board"), str),
        "played_on": (_("date"), lambda day: date_format(day, "j M Y")),
        "home": (_("home player"), names.__getitem__),
        "away": (_("away player"), names.__getitem__),
        "home_colour": (_("colour of the home side"), lambda colour: str(Colour(colour).label)),
        "result": (_("result"), OUTCOMES.__getitem__),
    }
    return ", ".join(
        _("%(what)s was %(old)s") % {"what": label, "old": word(getattr(old, name))}
        for name, (label, word) in told.items()
        if getattr(old, name) != getattr(new, name)
    )
