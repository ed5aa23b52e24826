"""The league office's tables: competitions and teams, matches and boards."""

from .competitions import (
    Adjustment,
    Division,
    HomeColour,
    League,
    LeagueRole,
    Season,
    Team,
    TeamRole,
    TeamState,
    TieBreak,
    usual_order,
)
from .matches import (
    DEFAULTS,
    Award,
    Board,
    Colour,
    Match,
    MatchState,
    halves_for,
)
from .registrations import Registration

__all__ = [
    "DEFAULTS",
    "Adjustment",
    "Award",
    "Board",
    "Colour",
    "Division",
    "HomeColour",
    "League",
    "LeagueRole",
    "Match",
    "MatchState",
    "Registration",
    "Season",
    "Team",
    "TeamRole",
    "TeamState",
    "TieBreak",
    "halves_for",
    "usual_order",
]
