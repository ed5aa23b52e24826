"""The history in words: what was done to a row, and who did it in which role."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.changes import Change, Deed, columns_of
from clubs.models import Club, ClubRole, ClubRoleEvent, Membership, Player, User
from clubs.names import full_name
from games.matches.match_words import PLAYED, award_words
from games.models import (
    Adjustment,
    Agreement,
    Award,
    Board,
    League,
    LeagueRole,
    LeagueRoleEvent,
    Match,
    PlayerMerge,
    Rearrangement,
    Registration,
    Season,
    SheetSeat,
    Team,
    TeamRole,
    TeamRoleEvent,
    TeamState,
    Unfinished,
    Violation,
)
from games.templatetags.topboard import halves, signed_halves
from ratings.models import GradeList

NOTHING = "–"
# Columns that the software keeps for itself, or that another line says already.
UNSAID = {
    "version", "entered_at", "entered_by", "number", "figures", "found_at", "sort_name",
    "search_name", "registered_at", "registered_by", "decided_by", "asked_by", "answered_by",
    "computed_at", "unanchored", "outstanding", "merged_by", "undone_by", "merged_into",
    "published_by", "slug", "entered_side", "first_entered_at", "agreed_at", "agreed_by",
    "disputed_at", "disputed_by",
}  # fmt: skip
# Told as changed, never with their values: a history is read by more people than they are for.
PRIVATE = {"birth_date", "birth_year", "gender", "membership_number"}
IN_HALVES = {"match_points", "game_points", "stated_home", "stated_away"}
LABELS = {
    "match": gettext_lazy("match"),
    "approved_at": gettext_lazy("let in"),
    "decided_at": gettext_lazy("decided"),
    "adjustment": gettext_lazy("points"),
    "published_at": gettext_lazy("published"),
    "state": gettext_lazy("state"),
    "player": gettext_lazy("player"),
    "club": gettext_lazy("club"),
    "division": gettext_lazy("division"),
    "team": gettext_lazy("team"),
    "user": gettext_lazy("account"),
    "hall": gettext_lazy("hall"),
    "rules": gettext_lazy("rules"),
    "home_player": gettext_lazy("home player"),
    "away_player": gettext_lazy("away player"),
}


class Names:
    """The names of all that the deeds' rows lead to; one query for each kind."""

    FETCHED = {
        Match: ("home", "away"),
        Season: ("league",),
        Adjustment: ("team",),
        GradeList: ("pool",),
    }

    def __init__(self, deeds: Iterable[Deed]):
        wanted: dict[type[models.Model], set] = defaultdict(set)
        for deed in deeds:
            if deed.user is not None:
                wanted[User].add(deed.user)
            for change in deed.changes:
                for row in filter(None, (change.before, change.after)):
                    for column in columns_of(row):
                        if column.is_relation:
                            wanted[column.related_model].add(getattr(row, column.attname))
        self.rows: dict[type[models.Model], Mapping[Any, models.Model]] = {}
        for model, pks in wanted.items():
            rows = model._default_manager.select_related(*self.FETCHED.get(model, ()))
            if not self.FETCHED.get(model):
                rows = model._default_manager.all()
            self.rows[model] = rows.in_bulk([pk for pk in pks if pk is not None])

    def of(self, model: type[models.Model], pk) -> str:
        """The row in words; what is no longer there has no name."""
        if pk is None:
            return NOTHING
        row = self.rows.get(model, {}).get(pk)
        return _("somebody or something that is no more") if row is None else str(row)


@dataclass(frozen=True, slots=True)
class Told:
    """A deed as a page tells it: when, what in sentences, who, and why."""

    deed: Deed
    lines: list[str]
    who: str
    why: str

    @property
    def at(self) -> datetime:
        return self.deed.at

    @property
    def after_dispute(self) -> bool:
        """Whether a disputed card was changed, so that it waits to be confirmed anew."""
        return any(
            change.model is Match
            and change.before is not None
            and change.after is not None
            and change.before.agreement == Agreement.DISPUTED
            and change.after.agreement == Agreement.ENTERED
            for change in self.deed.changes
        )


def tell(deeds: Iterable[Deed], teams=(), clubs=(), leagues=()) -> list[Told]:
    """The deeds in words; accounts with a role for one of these teams, clubs and leagues then.

    A fixed number of queries, whatever was done.
    """
    deeds = list(deeds)
    names = Names(deeds)
    roles = _roles_then({deed.user for deed in deeds} - {None}, teams, clubs, leagues)
    told = []
    for deed in deeds:
        lines = [line for change in deed.changes for line in change_words(change, names)]
        if lines:
            why = "" if deed.is_import else deed.why
            told.append(Told(deed, lines, _who(deed, names, roles), why))
    return told


# --- Who ---------------------------------------------------------------------------------


def _who(deed: Deed, names: Names, roles: Mapping[int, list[tuple]]) -> str:
    in_admin = "/admin/" in deed.url
    if deed.user is None:
        if deed.is_import:
            return _("an import of %s") % deed.why
        return _("no account: a command, a job or the database itself")
    user = names.rows[User].get(deed.user)
    if user is None:
        who = _("an account that is no more")
    else:
        held = [
            role
            for role, since, until in roles.get(deed.user, ())
            if since <= deed.at and (until is None or deed.at <= until)
        ]
        who = f"{held[0]} ({user})" if held else str(user)
    if deed.is_import:
        return _("an import of %(file)s by %(who)s") % {"file": deed.why, "who": who}
    return _("%s in the admin") % who if in_admin else who


def _roles_then(users: set[int], teams, clubs, leagues) -> dict[int, list[tuple]]:
    """By account: the role in words, since when, until when; captains first, officers last."""
    found: dict[int, list[tuple]] = defaultdict(list)
    kinds = (
        (TeamRoleEvent, "team", teams, _("the captain of %s")),
        (ClubRoleEvent, "club", clubs, _("the %s secretary")),
        (LeagueRoleEvent, "league", leagues, _("the officer of %s")),
    )
    for model, column, rows, words in kinds:
        by_pk = {row.pk: row for row in rows}
        if not by_pk or not users:
            continue
        history = model.objects.filter(user__in=users, **{f"{column}__in": by_pk})
        begun: dict[int, tuple] = {}
        for event in history.order_by("pgh_id"):
            role = words % by_pk[getattr(event, f"{column}_id")]
            if event.pgh_obj_id in begun:
                begun.pop(event.pgh_obj_id)[1][2] = event.pgh_created_at
            if event.pgh_label != "delete":
                held = [role, event.pgh_created_at, None]
                found[event.user_id].append(held)
                begun[event.pgh_obj_id] = (event.user_id, held)
    return found


# --- What --------------------------------------------------------------------------------


def change_words(change: Change, names: Names) -> list[str]:
    """What became of one row, in sentences; none where only the software's own columns moved."""
    if change.model is Board:
        return _board_words(change, names)
    if change.model is PlayerMerge:
        return _merge_words(change, names)
    if change.model is SheetSeat:
        return _sheet_words(change, names)
    if change.model is Match and change.after:
        return [_("the fixture made")] if change.is_new else _match_words(change, names)
    if change.model is Team and change.after and not change.is_new:
        return _team_words(change, names)
    what = SUBJECTS[change.model](change.row, names)
    if change.after is None:
        return [_("%s: removed") % what]
    if change.is_new:
        return [_("%s: entered") % what]
    return [
        _("%(what)s: %(words)s") % {"what": what, "words": words}
        for words in _columns(change, names)
    ]


def _columns(change: Change, names: Names, but: Iterable[str] = ()) -> list[str]:
    if change.before is None:
        return [_("changed")]
    return [
        _column(change, column, names)
        for column in change.columns
        if column.name not in UNSAID and column.name not in but
    ]


def _column(change: Change, column: models.Field, names: Names) -> str:
    label = LABELS.get(column.name, column.verbose_name)
    if column.name in PRIVATE:
        return _("%s changed") % label
    before, after = (_value(row, column, names) for row in (change.before, change.after))
    if before == NOTHING:
        return _("%(what)s set to %(after)s") % {"what": label, "after": after}
    words = {"what": label, "before": before, "after": after}
    return _("%(what)s changed from %(before)s to %(after)s") % words


def _value(row: models.Model, column: models.Field, names: Names) -> str:
    value = getattr(row, column.attname)
    if value is None or value == "":
        return NOTHING
    if column.is_relation:
        return names.of(column.related_model, value)
    if column.name in IN_HALVES:
        return halves(value)
    if column.choices:
        return str(dict(column.flatchoices).get(value, value))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, datetime):
        return date_format(timezone.localtime(value), "j F Y H:i")
    return date_format(value, "j F Y") if isinstance(value, date) else str(value)


def _membership(row, names: Names) -> str:
    words = {"player": names.of(Player, row.player_id), "club": names.of(Club, row.club_id)}
    return _("Membership of %(player)s at %(club)s") % words


def _registration(row, names: Names) -> str:
    words = {
        "player": names.of(Player, row.player_id),
        "club": names.of(Club, row.club_id),
        "season": names.of(Season, row.season_id),
    }
    return _("Registration of %(player)s for %(club)s, %(season)s") % words


def _adjustment(row, names: Names) -> str:
    points = []
    if row.match_points:
        points.append(_("%s match points") % signed_halves(row.match_points))
    if row.game_points:
        points.append(_("%s game points") % signed_halves(row.game_points))
    words = {"team": names.of(Team, row.team_id), "points": ", ".join(points), "why": row.reason}
    return _("Points of %(team)s: %(points)s, %(why)s") % words


def _violation(row, names: Names) -> str:
    rule = dict(Violation._meta.get_field("rule").flatchoices).get(row.rule, row.rule)
    words = {"rule": rule, "team": names.of(Team, row.team_id), "board": row.board}
    if row.board == 0:
        return _("Against a rule: %(rule)s, %(team)s") % words
    return _("Against a rule: %(rule)s, %(team)s, board %(board)d") % words


def _role(words, model, column) -> Callable:
    def subject(row, names: Names) -> str:
        where = names.of(model, getattr(row, f"{column}_id"))
        return words % {"who": names.of(User, row.user_id), "where": where}

    return subject


def _grade_list(row, names: Names) -> str:
    words = {"cutoff": date_format(row.cutoff, "j F Y"), "revision": row.revision}
    if row.revision:
        return _("Grade list of %(cutoff)s, revision %(revision)d") % words
    return _("Grade list of %(cutoff)s") % words


SUBJECTS: dict[type[models.Model], Callable[[Any, Names], str]] = {
    Match: lambda row, names: _("The match"),
    Rearrangement: lambda row, names: (
        _("Another day, asked for by %s") % names.of(Team, row.team_id)
    ),
    Violation: _violation,
    Player: lambda row, names: full_name(row.surname, row.forenames),
    Club: lambda row, names: row.name,
    Membership: _membership,
    Registration: _registration,
    Adjustment: _adjustment,
    Team: lambda row, names: _("Team %s") % row.name,
    GradeList: _grade_list,
    ClubRole: _role(gettext_lazy("%(who)s as secretary of %(where)s"), Club, "club"),
    TeamRole: _role(gettext_lazy("%(who)s as captain of %(where)s"), Team, "team"),
    LeagueRole: _role(gettext_lazy("%(who)s as officer of %(where)s"), League, "league"),
}


def _match_words(change: Change, names: Names) -> list[str]:
    """A match's own columns; that a card waits for the other side goes without saying."""
    row = change.after
    if change.before is None:
        return [_("the match: %s") % _("changed")]
    lines = [
        _("the match: %s") % words for words in _columns(change, names, ("agreement", "dispute"))
    ]
    if change.before.agreement != row.agreement and row.agreement not in ("", Agreement.ENTERED):
        lines.append(_("the result: %s") % Agreement(row.agreement).label)
    if row.dispute and change.before.dispute != row.dispute:
        lines.append(_("reason of the dispute: %s") % row.dispute)
    return lines


SEASON_OF_A_TEAM = ("state", "withdrawn_on", "play_off_place", "play_off_on")


def _team_words(change: Change, names: Names) -> list[str]:
    """A team that withdrew, came back or had a play-off; told too where what was is not known."""
    was, row = change.before, change.after
    out = was is not None and was.state == TeamState.WITHDRAWN
    place = None if was is None else was.play_off_place
    words = {"team": row.name, "place": row.play_off_place}
    lines = []
    if row.state == TeamState.WITHDRAWN and not out:
        words["day"] = date_format(row.withdrawn_on, "j F Y") if row.withdrawn_on else NOTHING
        lines.append(_("%(team)s withdrawn on %(day)s") % words)
    if row.state != TeamState.WITHDRAWN and out:
        lines.append(_("%(team)s plays on after all") % words)
    if row.play_off_place is None and place is not None:
        lines.append(_("Play-off of %(team)s taken back") % words)
    elif row.play_off_place != place:
        words["day"] = date_format(row.play_off_on, "j F Y")
        lines.append(_("%(team)s number %(place)d of the play-off on %(day)s") % words)
    if was is None:
        return lines or [_("%s changed") % row.name]
    others = _columns(change, names, SEASON_OF_A_TEAM)
    return lines + [_("%(team)s: %(what)s") % {"team": row.name, "what": what} for what in others]


def _merge_words(change: Change, names: Names) -> list[str]:
    row = change.row
    words = {"one": names.of(Player, row.dropped_id), "other": names.of(Player, row.kept_id)}
    if change.is_new:
        return [_("%(one)s merged into %(other)s") % words]
    undone = change.after is not None and change.after.undone_at is not None
    return [_("The merge of %(one)s into %(other)s undone") % words] if undone else []


def _sheet_words(change: Change, names: Names) -> list[str]:
    """Who came to a board of a line-up that was saved beforehand, or left it."""
    row = change.row
    words = {"team": names.of(Team, row.team_id), "board": row.number, "who": _seated(row, names)}
    if change.after is None:
        return [_("line-up of %(team)s, board %(board)d: %(who)s taken out") % words]
    return [_("line-up of %(team)s, board %(board)d: %(who)s") % words]


def _seated(row, names: Names) -> str:
    return row.name or names.of(Player, row.player_id)


# --- Boards ------------------------------------------------------------------------------

PLAYED_COLUMNS = {"result", "award", "award_home", "award_away", "award_reason", "unfinished"}


def score_words(row) -> str:
    """What a board says: its result, its default, or the points it was given."""
    if row.award == Award.GIVEN:
        score = f"{halves(row.award_home)}–{halves(row.award_away)}"
        return _("%(score)s by decision (%(reason)s)") % {
            "score": score,
            "reason": row.award_reason,
        }
    if row.award:
        return award_words(row.award, _("the home side"), _("the away side"))
    if row.unfinished:
        return str(Unfinished(row.unfinished).label)
    return PLAYED.get(row.result, _("no result"))


def _board_words(change: Change, names: Names) -> list[str]:
    row = change.row
    home, away = (names.of(Player, pk) for pk in (row.home_player_id, row.away_player_id))
    words = {"board": row.number, "home": home, "away": away, "score": score_words(row)}
    if change.after is None:
        return [_("board %(board)d removed: %(home)s – %(away)s, %(score)s") % words]
    if change.is_new:
        return [_("board %(board)d entered: %(home)s – %(away)s, %(score)s") % words]
    if change.before is None:
        return [_("board %(board)d changed") % words]
    lines = []
    before, after = score_words(change.before), score_words(change.after)
    if before != after:
        words |= {"before": before, "after": after}
        corrected = change.before.result is not None or change.before.award is not None
        if corrected:
            lines.append(_("board %(board)d corrected from %(before)s to %(after)s") % words)
        else:
            lines.append(_("board %(board)d entered: %(after)s") % words)
    if change.before.number != row.number:
        lines.append(_("board %d moved to another place") % row.number)
    others = _columns(change, names, PLAYED_COLUMNS)
    lines += [_("board %(board)d, %(what)s") % {"board": row.number, "what": w} for w in others]
    return lines
