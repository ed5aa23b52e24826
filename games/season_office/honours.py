"""A league's roll of honour: who won each division of each season that is closed."""

from dataclasses import dataclass

from games.models import Division, League, Season, Team


@dataclass(frozen=True, slots=True)
class Honour:
    """A division of a closed season: its champions (several shared the place) and runners-up."""

    season: Season
    division: Division
    champions: list[Team]
    runners_up: list[Team]


def roll_of(league: League, user) -> list[Honour]:
    """Every division of the closed seasons that the account may see, the newest season first."""
    seasons = league.seasons.visible_to(user).filter(closed_at__isnull=False)
    placed = (
        Team.objects.filter(division__season__in=seasons, final_position__in=(1, 2))
        .select_related("division__season__league", "club")
        .order_by(
            "-division__season__starts_on",
            "-division__season__pk",
            "division__rank",
            "division__name",
            "division__pk",
            "final_position",
            "search_name",
        )
    )
    found: dict[int, Honour] = {}
    for team in placed:
        division = team.division
        honour = found.setdefault(division.pk, Honour(division.season, division, [], []))
        (honour.champions if team.final_position == 1 else honour.runners_up).append(team)
    return list(found.values())
