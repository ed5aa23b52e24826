"""A meeting of two teams as a square of the last five and as a cell of the cross table."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.division_tables import records
from games.models import Match
from games.templatetags.topboard import halves


@dataclass(frozen=True, slots=True)
class FormSquare:
    """One of the last five: its letter, its class in the stylesheet, its match in words."""

    kind: str
    letter: str
    words: str
    address: str


@dataclass(frozen=True, slots=True)
class CrossMark:
    """One meeting in the cross table, as the row's team sees it; `kind` is for the stylesheet."""

    own: str
    words: str
    address: str
    kind: str


@dataclass(frozen=True, slots=True)
class CrossLine:
    """A team's row of the cross table, `row` its `TableRow`; the cell on the diagonal is None."""

    row: object
    cells: tuple[tuple[CrossMark, ...] | None, ...]


def square_of(meeting: records.Meeting, match: Match) -> FormSquare:
    opponent = match.away if meeting.at_home else match.home
    won, drawn = meeting.outcome == records.WON, meeting.outcome == records.DRAWN
    if meeting.defaulted:
        kind, letter = ("w", pgettext("won", "W")) if won else ("l", pgettext("lost", "L"))
        words = _("won by default v %(team)s") if won else _("lost by default v %(team)s")
    elif won:
        kind, letter = "w", pgettext("won", "W")
        words = _("won %(own)s–%(other)s v %(team)s")
    elif drawn:
        kind, letter = "d", pgettext("drawn", "D")
        words = _("drew %(own)s–%(other)s v %(team)s")
    else:
        kind, letter = "l", pgettext("lost", "L")
        words = _("lost %(own)s–%(other)s v %(team)s")
    score = {"own": halves(meeting.own), "other": halves(meeting.other), "team": opponent.name}
    return FormSquare(kind, letter, words % score, match.get_absolute_url())


def marks_of(
    cell: Iterable[records.Meeting] | None, matches: dict[int, Match]
) -> tuple[CrossMark, ...] | None:
    return cell and tuple(_mark(meeting, matches[meeting.match]) for meeting in cell)


def _mark(meeting: records.Meeting, match: Match) -> CrossMark:
    opponent = match.away if meeting.at_home else match.home
    if meeting.outcome is None:
        own, words = "·", _("to play, v %(team)s") if meeting.at_home else _("to play, at %(team)s")
    else:
        own = halves(meeting.own)
        words = _("%(own)s–%(other)s v %(team)s")
        if not meeting.at_home:
            words = _("%(own)s–%(other)s at %(team)s")
    score = {"own": halves(meeting.own), "other": halves(meeting.other), "team": opponent.name}
    kinds = ["home" if meeting.at_home else "away"]
    if meeting.outcome in (None, records.WON):
        kinds.append("won" if meeting.outcome else "todo")
    return CrossMark(
        own=own,
        words=words % score,
        address=match.get_absolute_url(),
        kind=" ".join(kinds),
    )
