"""What a match has moved in its division's table, in words."""

from datetime import date
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Match, Team
from games.templatetags.topboard import halves

from .league_tables import LeagueTable
from .standings import Row


class Move(NamedTuple):
    """A team's way in the table: the arrow and the sentence."""

    arrow: str
    words: str


def moves_of(table: LeagueTable, match: Match, until: date | None = None) -> list[Move]:
    """Where the match has put its two teams; nothing while the table does not count it.

    The table is worked out with the match and without it, from all results or from those up to
    a day.
    """
    results = [
        result
        for result in table.results
        if until is None or (result.played_on is not None and result.played_on <= until)
    ]
    if not any(result.id == match.pk and result.complete for result in results):
        return []
    before = {row.team: row for row in table.figures(r for r in results if r.id != match.pk)}
    after = {row.team: row for row in table.figures(results)}
    first = not any(row.played or row.awarded for row in before.values())
    return [
        Move(*_move(team, before[team.pk], after[team.pk], first))
        for team in (match.home, match.away)
    ]


def _move(team: Team, before: Row, after: Row, first: bool) -> tuple[str, str]:
    if first:
        arrow, words = "", _("%(team)s %(after)s")
    elif after.position < before.position:
        arrow, words = "↑", _("%(team)s up from %(before)s to %(after)s")
    elif after.position > before.position:
        arrow, words = "↓", _("%(team)s down from %(before)s to %(after)s")
    else:
        arrow, words = "=", _("%(team)s still %(after)s")
    places = {"team": team.name, "before": _place(before), "after": _place(after)}
    told = _("%(move)s: %(points)s.") % {"move": words % places, "points": _points(after)}
    return arrow, told


def _points(row: Row) -> str:
    """`9 match points, 23 game points`."""
    count = _count(row.match_points)
    match_points = ngettext("%(points)s match point", "%(points)s match points", count)
    count = _count(row.game_points)
    game_points = ngettext("%(points)s game point", "%(points)s game points", count)
    return ", ".join(
        (
            match_points % {"points": halves(row.match_points)},
            game_points % {"points": halves(row.game_points)},
        )
    )


def _count(in_halves: int) -> int:
    """For the plural: 1 and ½ are one point."""
    return 1 if abs(in_halves) in (1, 2) else 2


def _place(row: Row) -> str:
    words = (
        *(_("first"), _("second"), _("third"), _("fourth"), _("fifth"), _("sixth")),
        *(_("seventh"), _("eighth"), _("ninth"), _("tenth"), _("eleventh"), _("twelfth")),
    )
    place = _("place %(position)s") % {"position": row.position}
    if row.position <= len(words):
        place = words[row.position - 1]
    return _("shared %(place)s") % {"place": place} if row.shared else place
