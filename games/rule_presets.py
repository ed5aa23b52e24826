"""The usual ways of counting match points, to begin a division's rules with."""

from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Preset(NamedTuple):
    """What it is called, and the columns of a division it sets; points are in halves."""

    label: str | Promise
    values: dict[str, Any]


def _points(win: int, draw: int, loss: int, defaulted: int | None = None) -> dict[str, Any]:
    return {
        "match_points_win": win,
        "match_points_draw": draw,
        "match_points_loss": loss,
        "match_points_defaulted": defaulted,
    }


# rules/league-play.md, match points.
PRESETS = {
    "2-1-0": Preset(_("2 for a win, 1 for a draw"), _points(4, 2, 0)),
    "1-half-0": Preset(_("1 for a win, ½ for a draw"), _points(2, 1, 0)),
    "3-1-0": Preset(_("3 for a win, 1 for a draw"), _points(6, 2, 0)),
    "4-2-1-0": Preset(_("4, 2 and 1 for a loss, 0 for not turning up"), _points(8, 4, 2, 0)),
}
