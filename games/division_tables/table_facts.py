"""What is stored of a division as the arithmetic of tables takes it: rules, teams, matches."""

from datetime import date

from games.models import Division, Match, Team, TeamState

from . import records, standings, table_policies


def rules_of(division: Division) -> table_policies.TableRules:
    """How the division counts and orders."""
    return table_policies.TableRules(
        points=points_of(division),
        order=tuple(division.table_order),
        withdrawn=division.withdrawn_teams,
        unfinished=division.unfinished_games,
        defaulted=division.defaulted_matches,
        penalty=table_policies.BoardPenalty(
            division.boards_defaulted_per_penalty,
            division.default_penalty_match_points,
            division.default_penalty_game_points,
        ),
        extra_boards=division.extra_boards_count,
        boards=division.board_count,
    )


def points_of(division: Division) -> records.MatchPoints:
    """What a match of the division is worth."""
    return records.MatchPoints(
        division.match_points_win,
        division.match_points_draw,
        division.match_points_loss,
        division.match_points_defaulted,
    )


def team_of(team: Team, on: date | None = None) -> standings.TableTeam:
    """The team with its adjustments, as it stood on a day if one is given."""
    adjustments = (
        records.Adjustment(row.match_points, row.game_points, row.reason)
        for row in adjustments_of(team, on)
    )
    play_off = team.play_off_place
    if on is not None and play_off is not None and team.play_off_on > on:
        play_off = None
    return standings.TableTeam(
        team.pk, team.search_name, tuple(adjustments), is_withdrawn(team, on), play_off
    )


def adjustments_of(team: Team, on: date | None = None) -> list:
    """The decisions on its points, those of later days left out; they are prefetched."""
    rows = team.adjustments.all()
    return [row for row in rows if on is None or row.decided_on <= on]


def is_withdrawn(team: Team, on: date | None = None) -> bool:
    """Whether it had withdrawn by that day."""
    if team.state != TeamState.WITHDRAWN:
        return False
    return on is None or team.withdrawn_on is None or team.withdrawn_on <= on


def result_of(match: Match) -> records.MatchResult:
    """A match of `for_table` with its score, or with what is decided of it so far."""
    complete = match.home_points is not None
    home, away = match.home_points, match.away_points
    if not complete and match.boards_decided:
        home, away = match.boards_home, match.boards_away
    return records.MatchResult(
        id=match.pk,
        home=match.home_id,
        away=match.away_id,
        home_halves=home,
        away_halves=away,
        complete=complete,
        round=match.round,
        played_on=match.played_on,
        boards=_boards_of(match, home, away),
        defaulted_by=_defaulted_by(match),
        board_count=match.board_count,
        undecided=0 if complete else max(match.board_count - match.boards_decided, 0),
        home_defaults=match.defaults_home,
        away_defaults=match.defaults_away,
        home_extra=match.extra_home,
        away_extra=match.extra_away,
    )


def _boards_of(match: Match, home: int | None, away: int | None):
    """The halves of each board, None where a tie-break does not ask or a score contradicts."""
    numbers = getattr(match, "board_numbers", None)
    if numbers is None or (home, away) != (match.boards_home, match.boards_away):
        return None
    halves = dict(zip(numbers, zip(match.board_homes, match.board_aways, strict=True), strict=True))
    return tuple(
        None if halves.get(number, (None,))[0] is None else halves[number]
        for number in range(1, max(match.board_count, *numbers) + 1)
    )


def _defaulted_by(match: Match) -> str | None:
    """Who did not turn up: as decided, or because every board of the match was defaulted."""
    if match.defaulted_by:
        return match.defaulted_by
    if match.home_points is None or match.boards_defaulted < match.board_count:
        return None
    if not match.boards_home and not match.boards_away:
        return records.BOTH
    if not match.boards_away:
        return records.AWAY
    return None if match.boards_home else records.HOME
