"""The rating office's tables: the ledger and its ratings, and the grade lists."""

from .ledger import (
    EloGame,
    EloRating,
    GradeRuleSet,
    OpeningRating,
    PlayerGame,
    PoolName,
    RatedEvent,
    RatedGame,
    RatingPool,
    RuleSet,
    System,
)
from .lists import (
    Grade,
    GradedGame,
    GradeList,
    GradeSource,
    ListState,
)

__all__ = [
    "EloGame",
    "EloRating",
    "Grade",
    "GradeList",
    "GradeRuleSet",
    "GradeSource",
    "GradedGame",
    "ListState",
    "OpeningRating",
    "PlayerGame",
    "PoolName",
    "RatedEvent",
    "RatedGame",
    "RatingPool",
    "RuleSet",
    "System",
]
