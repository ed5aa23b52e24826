"""The usual schemes of English leagues: what a division's rules are set to before details.

Points are in halves; a preset names only what it decides, the rest stays as it was.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Preset:
    """A scheme's name for the eye, and the values of a division's columns."""

    label: str
    values: Mapping[str, object]


def _points(win: int, draw: int, loss: int, defaulted: int | None = None) -> dict[str, object]:
    return {
        "match_points_win": win,
        "match_points_draw": draw,
        "match_points_loss": loss,
        "match_points_defaulted": defaulted,
    }


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "two_one_nil": Preset(
            _("2 for a win, 1 for a draw; then game points, then the matches between the teams"),
            _points(4, 2, 0) | {"table_order": ["match_points", "game_points", "head_to_head"]},
        ),
        "one_half_nil": Preset(
            _("1 for a win, ½ for a draw; then game points"),
            _points(2, 1, 0) | {"table_order": ["match_points", "game_points"]},
        ),
        "three_one_nil": Preset(
            _("3 for a win, 1 for a draw; then game point difference, then game points"),
            _points(6, 2, 0)
            | {"table_order": ["match_points", "game_point_difference", "game_points"]},
        ),
        "four_two_one": Preset(
            _("4 for a win, 2 for a draw, 1 for a loss, none for a defaulted match"),
            _points(8, 4, 2, 0) | {"table_order": ["match_points", "game_points", "head_to_head"]},
        ),
        "game_points": Preset(
            _("Game points alone, then matches won"),
            _points(4, 2, 0) | {"table_order": ["game_points", "match_points", "wins"]},
        ),
        "head_to_head_first": Preset(
            _("2 for a win, 1 for a draw; then the matches between the teams, their boards"),
            _points(4, 2, 0)
            | {
                "table_order": [
                    *("match_points", "head_to_head", "board_count"),
                    *("bottom_board_elimination", "play_off"),
                ]
            },
        ),
        "boards_with_penalty": Preset(
            _("2 for a win, 1 for a draw; a match point off for each four boards defaulted"),
            _points(4, 2, 0)
            | {
                "table_order": ["match_points", "game_points", "head_to_head"],
                "boards_defaulted_per_penalty": 4,
                "default_penalty_match_points": 2,
                "default_penalty_game_points": 0,
            },
        ),
    }
)
