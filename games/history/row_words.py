"""What became of a row, in sentences: each kind of row by its own rules, else column by column."""

from collections.abc import Callable
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.changes import Change
from clubs.dates import date_format
from clubs.models import Club, ClubRole, Membership, Player, User
from clubs.names import full_name
from games.models import (
    Adjustment,
    Agreement,
    Board,
    League,
    LeagueRole,
    Match,
    PlayerMerge,
    Rearrangement,
    Registration,
    Season,
    SheetSeat,
    Team,
    TeamRole,
    TeamState,
    Violation,
)
from games.templatetags.topboard import signed_halves
from ratings.models import GradeList

from .board_words import board_words
from .column_words import column_words
from .row_names import NOTHING, Names


def change_words(change: Change, names: Names) -> list[str]:
    """What became of one row, in sentences; none where only the software's own columns moved."""
    if change.model is Board:
        return board_words(change, names)
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
        for words in column_words(change, names)
    ]


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
        _("the match: %s") % words
        for words in column_words(change, names, ("agreement", "dispute"))
    ]
    if change.before.agreement != row.agreement and row.agreement not in ("", Agreement.ENTERED):
        lines.append(_("the result: %s") % Agreement(row.agreement).label)
    if row.dispute and change.before.dispute != row.dispute:
        lines.append(_("reason of the dispute: %s") % row.dispute)
    return lines


def _team_words(change: Change, names: Names) -> list[str]:
    """A team that withdrew, came back or had a play-off; told too where what was is not known."""
    was, row = change.before, change.after
    out = was is not None and was.state == TeamState.WITHDRAWN
    place = None if was is None else was.play_off_place
    words = {"team": row.name, "place": row.play_off_place}
    lines, said = [], {"state", "play_off_place"}
    if out != (row.state == TeamState.WITHDRAWN):
        said.add("withdrawn_on")
    if row.play_off_place != place:
        said.add("play_off_on")
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
    others = column_words(change, names, said)
    return lines + [_("%(team)s: %(what)s") % {"team": row.name, "what": what} for what in others]


def _merge_words(change: Change, names: Names) -> list[str]:
    row = change.row
    words = {"one": names.of(Player, row.dropped_id), "other": names.of(Player, row.kept_id)}
    if change.is_new:
        return [_("%(one)s merged into %(other)s") % words]
    undone = change.after is not None and change.after.undone_at is not None
    return [_("The merge of %(one)s into %(other)s undone") % words] if undone else []


def _sheet_words(change: Change, names: Names) -> list[str]:
    """Who came to a board of a line-up that was saved beforehand, left it, or was merged there."""
    row = change.row
    words = {"team": names.of(Team, row.team_id), "board": row.number, "who": _seated(row, names)}
    if change.after is None:
        return [_("line-up of %(team)s, board %(board)d: %(who)s taken out") % words]
    words["was"] = words["who"] if change.before is None else _seated(change.before, names)
    if words["was"] != words["who"]:  # by a merge or its undo: another who sits down is a new row
        return [_("line-up of %(team)s, board %(board)d: %(was)s is %(who)s") % words]
    return [_("line-up of %(team)s, board %(board)d: %(who)s") % words]


def _seated(row, names: Names) -> str:
    return row.name or names.of(Player, row.player_id)
