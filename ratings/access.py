"""Who may see what of ratings and grades."""

from clubs.access import is_grading_officer

from .list_games import GradeUsed
from .models import Grade, GradeSource


def may_see_mean(user, grade: Grade) -> bool:
    """Whether the account sees what a grade comes to that is below the minimum.

    It is kept for later: the grading officer sees it, and the player himself.
    """
    if grade.published is not None or is_grading_officer(user):
        return True
    return user.is_authenticated and user.player_id == grade.player_id


def may_see_own(used: GradeUsed, sees_mean: bool) -> bool:
    """Whether a reader sees a grade that the player himself had in a game.

    A starting grade is no published one: who does not see the mean does not see it either.
    """
    return sees_mean or used.source in (GradeSource.LIST, GradeSource.OPENING)
