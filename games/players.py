"""What the league office knows of a player: his seasons, and the matches of his rated games."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from clubs.models import Player
from ratings.models import RatedGame

from .cards import key_of
from .models import Board, Division, Season, Team

SUMS = ("boards", "played", "won", "drawn", "lost", "defaults_won", "halves")


@dataclass(frozen=True, slots=True)
class SeasonScore:
    """A player's boards in all leagues of one season, points in halves.

    `boards` counts what has points, `played` the games; a default won is no game and scores.
    """

    label: str
    is_over: bool
    teams: list[Team]
    boards: int
    played: int
    won: int
    drawn: int
    lost: int
    defaults_won: int
    halves: int


def latest_season(player: Player, user, today: date) -> SeasonScore | None:
    """The score of the newest season in which he has boards and which the account may see.

    Leagues whose seasons begin on the same day are one season. Teams stand in the order of the
    boards he had for them, most first.
    """
    sums: dict[int, list[dict]] = defaultdict(list)
    seasons = Season.objects.visible_to(user)
    for side in ("home", "away"):
        boards = Board.objects.filter(
            match__division__season__in=seasons, **{f"{side}_player": player}
        )
        for row in boards.scores(side):
            sums[row["team"]].append(row)
    if not sums:
        return None
    teams = list(Team.objects.filter(pk__in=sums).for_page().newest_first())
    newest = teams[0].division.season
    of_season = [t for t in teams if t.division.season.starts_on == newest.starts_on]
    of_season.sort(key=lambda team: -sum(row["boards"] for row in sums[team.pk]))
    rows = [row for team in of_season for row in sums[team.pk]]
    return SeasonScore(
        newest.label,
        newest.ends_on <= today,
        of_season,
        **{name: sum(row[name] for row in rows) for name in SUMS},
    )


def visible_games(player: Player, user):
    """His rated games, the newest first, without those of seasons the account may not see."""
    hidden = Division.objects.hidden_from(user).values("rated_event")
    games = RatedGame.objects.of_player(player.pk).exclude(event__in=hidden)
    return games.with_ratings().select_related("event__division").newest_first()


def matches_of(player: Player) -> dict[str, int]:
    """The pk of the match of each of his boards, by the board's key in the ledger."""
    boards = Board.objects.filter(Q(home_player=player) | Q(away_player=player))
    return {key_of(board): match for board, match in boards.values_list("pk", "match")}
