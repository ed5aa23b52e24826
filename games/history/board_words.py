"""A board in the history: entered, corrected, moved, taken out."""

from django.utils.translation import gettext as _

from clubs.changes import Change
from clubs.models import Player
from games.matches.match_words import PLAYED, award_words
from games.models import (
    Award,
    Unfinished,
)
from games.templatetags.topboard import halves

from .column_words import column_words
from .row_names import Names

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


def board_words(change: Change, names: Names) -> list[str]:
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
    others = column_words(change, names, PLAYED_COLUMNS)
    lines += [_("board %(board)d, %(what)s") % {"board": row.number, "what": w} for w in others]
    return lines
