"""The rating office's tables: the ledger and its ratings, and the grade lists."""

from .corrections import GameCorrection, StaleTouch
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
    StalePhase,
    System,
)
from .lists import (
    Grade,
    GradedGame,
    GradeList,
    GradeSource,
    ListState,
)
from .outside_events import OutsideEvent, OutsidePlayer

__all__ = [
    "EloGame",
    "EloRating",
    "GameCorrection",
    "Grade",
    "GradeList",
    "GradeRuleSet",
    "GradeSource",
    "GradedGame",
    "ListState",
    "OpeningRating",
    "OutsideEvent",
    "OutsidePlayer",
    "PlayerGame",
    "PoolName",
    "RatedEvent",
    "RatedGame",
    "RatingPool",
    "RuleSet",
    "StalePhase",
    "StaleTouch",
    "System",
]
