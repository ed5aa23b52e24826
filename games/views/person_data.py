"""A person's data: shown and handed out on request, and erased."""

from datetime import date, datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from clubs.dates import date_format
from clubs.forms import sent
from clubs.models import Gender, Player, PlayerState, User
from games.models import CardRule, Colour, Decision
from games.registry import erasure
from games.registry.erasure import CannotErase
from games.registry.person_data import PERSON, Section, data_of
from games.registry.person_forms import EraseForm
from games.templatetags.topboard import UNKNOWN
from ratings.models import PoolName, System

from .registry import in_registry, kept_person


@require_safe
@login_required
def own_data(request: HttpRequest) -> HttpResponse:
    """All that is kept of whoever asks, to read."""
    found = data_of(request.user.player, request.user)
    context = {"title": _("What is kept of me"), "file": reverse("own_data_file")}
    return shown(request, found, context)


@require_safe
@login_required
def own_data_file(request: HttpRequest) -> HttpResponse:
    """The same as a file."""
    return handed_out(data_of(request.user.player, request.user), "topboard-my-data")


@require_safe
@login_required
def person_data(request: HttpRequest, pk: int) -> HttpResponse:
    """All that is kept of a person, for the officer who answers his request."""
    player = kept_person(request, pk)
    context = {
        "title": _("What is kept of %s") % player,
        "file": reverse("office_person_data_file", args=[pk]),
        **in_registry(player),
    }
    return shown(request, data_of(player, account_of(player)), context)


@require_safe
@login_required
def person_data_file(request: HttpRequest, pk: int) -> HttpResponse:
    """The same as a file."""
    player = kept_person(request, pk)
    return handed_out(data_of(player, account_of(player)), f"topboard-player-{pk}")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def person_erase(request: HttpRequest, pk: int) -> HttpResponse:
    """A person erased for good, after two confirmations."""
    player = kept_person(request, pk)
    form = EraseForm(sent(request), player=player)
    reason = erasure.reason_not_to_erase(player, request.user)
    if request.method == "POST" and reason is None and player.state == PlayerState.ERASED:
        return redirect("office_person", pk)
    if request.method == "POST" and reason is None and form.is_valid():
        try:
            erasure.erase_person(player=pk, by=request.user, at=timezone.now())
        except CannotErase as refused:
            reason = str(refused)
        else:
            messages.success(request, _("The person is erased; the games stay."))
            return redirect("office_person", pk)
    context = {"player": player, "form": form, "reason": reason, **in_registry(player)}
    return render(request, "games/person_erase.html", context)


# --- What they share ---------------------------------------------------------------------


def account_of(player: Player) -> User | None:
    return User.objects.filter(player=player).first()


def handed_out(found: dict[str, Section], name: str) -> HttpResponse:
    response = JsonResponse(found, json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


def shown(request: HttpRequest, found: dict[str, Section], context: dict) -> HttpResponse:
    titles = section_titles()
    sections = [(titles[name], section_rows(section)) for name, section in found.items() if section]
    return render(
        request,
        "games/person_data.html",
        {"section": "office", "sections": sections} | context,
    )


def section_rows(section: Section) -> tuple[list[str], list[list]]:
    """The heads of a section's table and its rows; facts have no heads, a fact a row."""
    if isinstance(section, dict):
        return [], [[label_of(name), shown_value(name, value)] for name, value in section.items()]
    heads = [label_of(name) for name in section[0]]
    return heads, [[shown_value(name, value) for name, value in row.items()] for row in section]


def label_of(name: str) -> str:
    """The name of a fact as a page writes it."""
    return capfirst(str(LABELS.get(name, name)))


def shown_value(name: str, value):
    """A value as a page writes it: in words where it is one of some, a dash for nothing."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name in CHOICES and value in CHOICES[name].values:
        return CHOICES[name](value).label
    if isinstance(value, date) and not isinstance(value, datetime):
        return date_format(value)
    return UNKNOWN if value is None or value == "" else value


CHOICES = {
    "colour": Colour,
    "decision": Decision,
    "gender": Gender,
    "pool": PoolName,
    "rule": CardRule,
    "state": PlayerState,
    "system": System,
}
LABELS = {
    **{name: Player._meta.get_field(name).verbose_name for name in PERSON},
    "at": gettext_lazy("when"),
    "board": gettext_lazy("board"),
    "change": pgettext_lazy("of a figure", "Change"),
    "club": gettext_lazy("club"),
    "colour": gettext_lazy("colour"),
    "date": gettext_lazy("date"),
    "decision": gettext_lazy("decision"),
    "device": gettext_lazy("device"),
    "elo": gettext_lazy("Elo"),
    "elo_before": gettext_lazy("Elo before"),
    "email": gettext_lazy("e-mail address"),
    "event": gettext_lazy("event"),
    "from": gettext_lazy("from"),
    "games": gettext_lazy("games"),
    "grade": gettext_lazy("grade"),
    "grading_officer": gettext_lazy("grading officer"),
    "invitation": gettext_lazy("invitation"),
    "invited_at": gettext_lazy("invited"),
    "joined": gettext_lazy("joined"),
    "language": gettext_lazy("language"),
    "last_login": gettext_lazy("last login"),
    "last_seen": gettext_lazy("last used"),
    "list": gettext_lazy("list"),
    "logged_in": gettext_lazy("logged in"),
    "match": gettext_lazy("match"),
    "merged_at": gettext_lazy("merged"),
    "name": gettext_lazy("name"),
    "note": gettext_lazy("note"),
    "phone": gettext_lazy("phone"),
    "points": gettext_lazy("points"),
    "pool": gettext_lazy("pool"),
    "role": gettext_lazy("role"),
    "rule": gettext_lazy("rule"),
    "season": gettext_lazy("season"),
    "source": gettext_lazy("source"),
    "system": gettext_lazy("system"),
    "team": gettext_lazy("team"),
    "to": gettext_lazy("to"),
    "undone_at": gettext_lazy("taken apart"),
    "value": gettext_lazy("value"),
    "what": gettext_lazy("what"),
}
"""Each fact of `person_data` as a page heads it; a player's columns have their own names."""


def section_titles() -> dict[str, str]:
    """Each section's heading."""
    return {
        "person": _("Person"),
        "clubs": _("Clubs"),
        "registrations": _("Registrations"),
        "boards": _("Boards in leagues"),
        "rated_games": _("Rated games"),
        "ratings": _("Ratings"),
        "openings": _("Opening ratings and grades"),
        "grades": _("Grades on lists"),
        "violations": _("Against rules"),
        "merged_entries": _("Entries merged"),
        "history": _("History"),
        "account": _("Account"),
        "roles": _("Roles"),
        "contact": _("As a team’s contact"),
        "devices": _("Devices"),
        "invitations": _("Invitations"),
    }
