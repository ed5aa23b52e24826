"""What the league office knows of a player: his seasons, and his rated games."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date

from django.db.models import BigIntegerField, Case, OuterRef, Subquery, When
from django.db.models.functions import Cast, Substr

from clubs.models import Club, Player
from games.match_cards.posting import key_of
from games.models import Board, Division, Season, Team
from ratings.models import RatedGame

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


@dataclass(frozen=True, slots=True)
class TeamScore:
    """A player's boards for one team, points in halves; as `SeasonScore` counts them."""

    team: Team
    boards: int
    played: int
    won: int
    drawn: int
    lost: int
    defaults_won: int
    halves: int


def scores_by_team(player: Player, user) -> list[TeamScore]:
    """His score for each team that the account may see, of the newest season first."""
    sums: dict[int, list[dict]] = defaultdict(list)
    boards = Board.objects.filter(match__division__season__in=Season.objects.visible_to(user))
    home = boards.filter(home_player=player).scores("home")
    away = boards.filter(away_player=player).scores("away")
    for row in home.union(away, all=True):
        sums[row["team"]].append(row)
    if not sums:
        return []
    return [
        TeamScore(team, **{name: sum(row[name] for row in sums[team.pk]) for name in SUMS})
        for team in Team.objects.filter(pk__in=sums).for_page().newest_first()
    ]


@dataclass(frozen=True, slots=True)
class ClubScore:
    """His boards for all teams of one club, those of the newest season first."""

    club: Club
    teams: list[TeamScore]

    @property
    def total(self) -> dict[str, int]:
        """The sums of all teams."""
        return {name: sum(getattr(score, name) for score in self.teams) for name in SUMS}


def scores_by_clubs(scores: list[TeamScore]) -> list[ClubScore]:
    """A player's scores by club, the one he played for last first."""
    by_club: dict[Club, list[TeamScore]] = defaultdict(list)
    for score in scores:
        by_club[score.team.club].append(score)
    return [ClubScore(club, teams) for club, teams in by_club.items()]


def latest_season(scores: list[TeamScore], today: date) -> SeasonScore | None:
    """The score of the newest season of these, a player's; None without any.

    Leagues whose seasons begin on the same day are one season. Teams stand in the order of the
    boards he had for them, most first.
    """
    if not scores:
        return None
    newest = scores[0].team.division.season
    of_season = [s for s in scores if s.team.division.season.starts_on == newest.starts_on]
    of_season.sort(key=lambda score: -score.boards)
    return SeasonScore(
        newest.label,
        newest.ends_on <= today,
        [score.team for score in of_season],
        **{name: sum(getattr(score, name) for score in of_season) for name in SUMS},
    )


def visible_games(player: Player, user, pool: str = ""):
    """His rated games, the newest first, without those of seasons the account may not see.

    `pool` keeps to one of the four ratings. `match` is the pk of the match of a league's game.
    """
    hidden = Division.objects.hidden_from(user).values("rated_event")
    games = RatedGame.objects.of_player(player.pk).exclude(event__in=hidden)
    if pool:
        games = games.filter(event__pool=pool)
    games = games.with_ratings().select_related("event__division").newest_first()
    return games.annotate(match=_match_of_game())


def _match_of_game() -> Case:
    """The match on whose board a game was played, found by its key in the ledger."""
    start = key_of("")
    board = Cast(Substr(OuterRef("source_key"), len(start) + 1), BigIntegerField())
    match = Board.objects.filter(pk=board).order_by().values("match")
    return Case(When(source_key__regex=rf"^{start}\d{{1,18}}$", then=Subquery(match)))
