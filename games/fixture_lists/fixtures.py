"""Teams and matches of a division: made with the numbers that put games of one day in order."""

from collections.abc import Iterable
from datetime import date

from django.db.models import F, Max

from clubs.models import Club
from clubs.names import fold
from games.models import Division, Match, Team

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


def number_teams(division: Division) -> None:
    """Number the teams of a division by the alphabet, and its matches with them.

    The division is locked; once a board stands in it nothing changes, for the ledger is ordered
    by these numbers.
    """
    teams = sorted(division.teams.all(), key=lambda team: (fold(team.name), team.name))
    numbers = {team.pk: number for number, team in enumerate(teams, 1)}
    in_order = all(team.order_number == numbers[team.pk] for team in teams)
    if in_order or division.matches.filter(boards__isnull=False).exists():
        return
    division.teams.update(order_number=F("order_number") + 2 * MOST_TEAMS)
    for team in teams:
        team.order_number = numbers[team.pk]
    Team.objects.bulk_update(teams, ["order_number"])
    matches = list(division.matches.all())
    for match in matches:
        match.number = number_of(numbers[match.home_id], numbers[match.away_id], match.leg)
    Match.objects.bulk_update(matches, ["number"])


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
