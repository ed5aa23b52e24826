"""The pages that explain a grade or an Elo, as files hold them."""

from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from clubs.access import code_for, listed_name_for
from clubs.models import Player
from clubs.twins import points

from .access import may_see_own
from .elo_why import EloWhy, game_lines
from .grade_why import GradeWhy
from .list_games import GameLine
from .models import RatedGame, RatingPool
from .reckoning import Group, Line

GRADE_COLUMNS = (
    *("date", "half_year", "part", "opponent", "opponent_code", "grade", "source", "source_list"),
    *("counts_as", "own_grade", "result", "points", "changed", "opponent_url"),
)
ELO_COLUMNS = (
    *("date", "opponent", "opponent_code", "elo", "opponent_elo", "expected", "result"),
    *("k", "k_reason", "exact", "change", "rating_after", "elo_after", "opponent_url"),
)


def grade_head(why: GradeWhy, user, today: date, sees_mean: bool) -> dict[str, Any]:
    """The sum of a grade; without a grade on the list, what the list is.

    To whom the mean is not shown, the parts of the sum are without their points: nothing that
    gives the mean is said.
    """
    row, reckoning, grade_list = why.row, why.reckoning, why.grade_list
    head = {
        "name": listed_name_for(user, why.player, today),
        "code": code_for(user, why.player, today),
        "url": why.player.get_absolute_url(),
        "pool": grade_list.pool_id,
        "cutoff": grade_list.cutoff,
        "revision": grade_list.revision,
        "state": grade_list.state,
        "rules": grade_list.rules,
        "grade": row.published if row else None,
        "category": row.category if row else None,
        "unanchored": why.is_unanchored,
    }
    if reckoning is None:
        return head
    head |= {"lines": [_line(line, sees_mean) for line in reckoning.lines]}
    head |= {"recent": reckoning.recent, "real": reckoning.real}
    if sees_mean:
        head |= {"points": plain(reckoning.total), "exact": str(reckoning.total)}
        head |= {"divided_by": reckoning.games}
        head |= {"numerator": row.numerator, "divisor": row.divisor}
        head |= {"mean": str(reckoning.mean_shown), "true_grade": reckoning.grade}
    return head


def _line(line: Line, sees_mean: bool) -> dict[str, Any]:
    row = {
        "part": line.part,
        "games": line.games,
        "from": line.first_day,
        "to": line.last_day,
        "each": line.each,
    }
    if sees_mean:
        row |= {"points": plain(line.points), "exact": str(line.points)}
    return row


def grade_rows(why: GradeWhy, user, today: date, sees_mean: bool) -> Iterable[Mapping[str, Any]]:
    """Every game of the 36 months with its points, those that do not count last."""
    if why.reckoning is None:
        return
    for group in (*why.reckoning.groups, *why.reckoning.unused):
        for game in group.games:
            yield _grade_row(group, game, user, today, sees_mean)


def _grade_row(group: Group, game: GameLine, user, today: date, sees_mean: bool) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(GRADE_COLUMNS)
    row |= {"half_year": group.half_year, "part": group.part, "points": game.points}
    row |= {"changed": game.change or None}
    row |= {"date": game.played_on}
    if game.opponent is not None:
        row |= _opponent(game.opponent, user, today)
    if game.halves is not None:
        used = game.other
        row |= {"grade": used.grade, "source": used.source or None, "source_list": used.cutoff}
        if may_see_own(game.own, sees_mean):
            row |= {"counts_as": game.counts_as, "own_grade": game.own.grade}
        row |= {"result": points(game.halves)}
    return row


def elo_head(
    why: EloWhy | None, player: Player, pool: RatingPool, user, today: date
) -> dict[str, Any]:
    """The sum of an Elo; before the first game, whose it would be."""
    head = {
        "name": listed_name_for(user, player, today),
        "code": code_for(user, player, today),
        "url": player.get_absolute_url(),
        "pool": pool.pk,
        "elo": why and why.rating.shown,
        "rating": why and why.rating.rating / 10,
        "provisional": why and why.rating.provisional,
    }
    if why is None:
        return head
    fact = why.fact
    opening = {
        "rating": why.opening / 10,
        "pool": fact and fact.pool_id,
        "system": fact and fact.system,
        "source": fact and fact.source,
        "dated_on": fact and fact.dated_on,
    }
    return head | {"opening": opening, "changes": why.changes / 10}


def elo_rows(
    why: EloWhy | None, games: Iterable[RatedGame], user, today: date
) -> Iterable[Mapping[str, Any]]:
    """Every game with its arithmetic, the newest first."""
    for game in game_lines(why, games) if why else ():
        line = game.line
        row: dict[str, Any] = dict.fromkeys(ELO_COLUMNS)
        row |= _opponent(game.side.opponent, user, today)
        row |= {"date": game.side.game.played_on, "result": points(game.side.halves)}
        if line is not None:
            row |= {"elo": line.own, "opponent_elo": line.opponent}
            row |= {"expected": float(line.expected), "k": line.k, "k_reason": line.reason}
            row |= {"exact": float(line.exact), "change": line.change / 10}
            row |= {"rating_after": line.after / 10, "elo_after": line.shown_after}
        yield row


def plain(value: Fraction) -> int | float:
    """A fraction as the number that a file holds; `exact` stands beside it."""
    return value.numerator if value.denominator == 1 else float(value)


def _opponent(player: Player, user, today: date) -> dict[str, Any]:
    return {
        "opponent": listed_name_for(user, player, today),
        "opponent_code": code_for(user, player, today),
        "opponent_url": player.get_absolute_url(),
    }
