"""Teams and matches of a division: made with the numbers that put games of one day in order."""

from collections.abc import Iterable
from datetime import date

from django.db.models import Max

from clubs.models import Club
from clubs.names import fold

from .models import Division, Match, Team

MOST_TEAMS = 999
MOST_LEGS = 49


def number_of(home: int, away: int, leg: int) -> int:
    """A match's number in its division, from the order numbers of its teams and the leg.

    The same for the same pairing whenever it is entered (rules/elo.md section 1, number in
    source), and another for every other of a division within `MOST_TEAMS` and `MOST_LEGS`.
    """
    return (home * (MOST_TEAMS + 1) + away) * (MOST_LEGS + 1) + leg


def add_teams(*, division: Division, teams: Iterable[tuple[str, Club]]) -> list[Team]:
    """New teams of these names and clubs, numbered by the alphabet after those there are."""
    last = division.teams.aggregate(last=Max("order_number"))["last"]
    rows = [
        Team(division=division, name=name, club=club, order_number=number)
        for number, (name, club) in enumerate(
            sorted(teams, key=lambda team: (fold(team[0]), team[0])),
            1 if last is None else last + 1,
        )
    ]
    for team in rows:
        team.fold_name()
    return Team.objects.bulk_create(rows)


def new_match(
    *,
    home: Team,
    away: Team,
    leg: int = 1,
    round: int = 0,
    played_on: date | None = None,
    board_count: int | None = None,
    **facts,
) -> Match:
    """A match of two teams of a division, not stored yet; `facts` are other columns of `Match`."""
    division = home.division
    return Match(
        division=division,
        home=home,
        away=away,
        leg=leg,
        number=number_of(home.order_number, away.order_number, leg),
        round=round,
        played_on=played_on,
        board_count=division.board_count if board_count is None else board_count,
        **facts,
    )


def add_match(*, home: Team, away: Team, **facts) -> Match:
    """A stored match as `new_match` makes it, of the next leg unless `leg` says which."""
    if "leg" not in facts:
        last = home.home_matches.filter(away=away).aggregate(last=Max("leg"))["last"]
        facts["leg"] = 1 if last is None else last + 1
    match = new_match(home=home, away=away, **facts)
    match.save()
    return match
