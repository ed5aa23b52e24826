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
from .merges import PlayerMerge
from .registrations import Registration
from .submissions import Submission, SubmittedEvent, SubmittedGame
from .table_rules import (
    TABLE_RULE_TOPICS,
    DefaultedMatches,
    TieBreak,
    UnfinishedGames,
    WithdrawnTeams,
    usual_order,
)

__all__ = [
    "DEFAULTS",
    "TABLE_RULE_TOPICS",
    "Adjustment",
    "Award",
    "Board",
    "Colour",
    "DefaultedMatches",
    "Division",
    "HomeColour",
    "League",
    "LeagueRole",
    "Match",
    "MatchState",
    "PlayerMerge",
    "Registration",
    "Season",
    "Submission",
    "SubmittedEvent",
    "SubmittedGame",
    "Team",
    "TeamRole",
    "TeamState",
    "TieBreak",
    "UnfinishedGames",
    "WithdrawnTeams",
    "halves_for",
    "usual_order",
]
