"""What stands above every page of a player: who he is, his figures, what the chart draws."""

from dataclasses import dataclass
from datetime import date

from clubs.access import may_see_names, name_for
from clubs.models import Player
from ratings.models import EloRating, OpeningRating, PoolName, RatingPool, System
from ratings.published_grades import GradeStep, steps_of

from .members import ratings_of
from .players import SeasonScore, TeamScore, latest_season, scores_by_team, visible_games

GRADED = (PoolName.STANDARD, PoolName.RAPID)


@dataclass(frozen=True, slots=True)
class Figure:
    """What he is worth in one pool: grade and Elo; either may be None.

    `step` is the newest list on which he has a published grade, `is_newest` whether no list has
    come out since; `opening` the grade from outside that stands until the first list.
    """

    pool: PoolName
    step: GradeStep | None
    is_newest: bool
    earlier: GradeStep | None
    opening: OpeningRating | None
    elo: EloRating | None


@dataclass(frozen=True, slots=True)
class PlayerHead:
    """The head of a player's pages, as one account sees it; `steps` are his lists by pool.

    `scores` are those of his teams, `season` those of the newest season added up.
    """

    player: Player
    name: str
    is_hidden: bool
    ratings: dict[str, EloRating]
    steps: dict[str, list[GradeStep]]
    openings: dict[str, OpeningRating]
    scores: list[TeamScore]
    season: SeasonScore | None

    @property
    def figures(self) -> list[Figure]:
        """Those of standard and rapid, whatever there is to say of them."""
        return [self.figure(pool) for pool in GRADED]

    @property
    def other_ratings(self) -> list[EloRating]:
        """The ratings at rates of play that know no grades."""
        return [rating for pool, rating in self.ratings.items() if pool not in GRADED]

    @property
    def stale(self) -> list[RatingPool]:
        """The pools of his ratings that a job works out again, by name."""
        pools = (rating.pool for rating in self.ratings.values())
        return sorted((p for p in pools if p.stale_from is not None), key=lambda pool: pool.pk)

    @property
    def pools(self) -> list[PoolName]:
        """The pools in which he has games or grades, in their usual order."""
        return [pool for pool in PoolName if pool in self.ratings or pool in self.steps]

    def figure(self, pool: PoolName) -> Figure:
        steps = self.steps.get(pool, [])
        place = next((n for n, step in enumerate(steps) if step.grade is not None), None)
        step = None if place is None else steps[place]
        earlier = steps[place + 1] if step is not None and step.change is not None else None
        return Figure(
            pool, step, place == 0, earlier, self.openings.get(pool), self.ratings.get(pool)
        )


def head_of(player: Player, user, today: date) -> PlayerHead:
    """The head of the pages of a player who comes `with_clubs(today)`."""
    openings = player.opening_ratings.filter(system=System.GRADE)
    scores = scores_by_team(player, user)
    return PlayerHead(
        player=player,
        name=name_for(user, player, today),
        is_hidden=player.is_hidden(today) and not may_see_names(user),
        ratings=ratings_of([player]).get(player.pk, {}),
        steps=steps_of(player),
        openings={opening.pool_id: opening for opening in openings},
        scores=scores,
        season=latest_season(scores, today),
    )


def elo_after_each_game(player: Player, user, pool: str) -> list[tuple[date, int | None]]:
    """Day and rating in tenths after each game of a pool, in the order of play; a gap is None."""
    games = visible_games(player, user, pool).in_order_of_play()
    columns = ("white", "elo__white_before", "elo__white_change")
    columns += ("elo__black_before", "elo__black_change")
    return [
        (played_on, _sum(*(white if own == player.pk else black)))
        for played_on, own, white, black in (
            (row[0], row[1], row[2:4], row[4:6])
            for row in games.select_related(None).values_list("played_on", *columns)
        )
    ]


def _sum(before: int | None, change: int | None) -> int | None:
    return None if before is None else before + change
