"""Where a player's Elo comes from, read for the page that explains it."""

from collections.abc import Iterable
from dataclasses import dataclass

from clubs.models import Player

from . import elo
from .elo import OpeningFact, PlayerState
from .elo_lines import EloLine, line_of
from .live import rules_of
from .models import EloRating, OpeningRating, PlayerGame, PoolName, RatedGame, RatingPool


@dataclass(frozen=True, slots=True)
class EloGameLine:
    """A game and its line; the line is None until the game is rated."""

    side: PlayerGame
    line: EloLine | None


@dataclass(frozen=True, slots=True)
class EloWhy:
    """A player's Elo in one pool as a sum: the opening rating and all changes, in tenths.

    `fact` is what opened it, maybe of another pool, None for the pool's first rating.
    """

    player: Player
    pool: RatingPool
    rating: EloRating
    opening: int
    fact: OpeningRating | None

    @property
    def changes(self) -> int:
        """What all games together changed."""
        return self.rating.rating - self.opening


def elo_why(player: Player, pool: RatingPool) -> EloWhy | None:
    """The player's Elo in this pool taken apart; None before his first game there."""
    rating = EloRating.objects.filter(player=player, pool=pool).first()
    if rating is None:
        return None
    known = {(fact.pool_id, fact.system): fact for fact in player.opening_ratings.all()}
    facts = {key: OpeningFact(fact.value, fact.provisional) for key, fact in known.items()}
    rules = rules_of(pool)
    opening = elo.opening_tenths(facts, pool.pk, pools=PoolName.values, rules=rules)
    source = elo.opening_source(facts, pool.pk, pools=PoolName.values)
    return EloWhy(
        player=player,
        pool=pool,
        rating=rating,
        opening=elo.opening_state(opening, rules).rating,
        fact=None if source is None else known[source],
    )


def games_of(player: Player, pool: RatingPool):
    """His rated games in the pool, the newest first."""
    games = RatedGame.objects.of_player(player.pk).filter(event__pool=pool)
    return games.with_ratings().newest_first()


def game_lines(why: EloWhy, games: Iterable[RatedGame]) -> list[EloGameLine]:
    """The games with the arithmetic of each change."""
    return [_game_line(why, game) for game in games]


def _game_line(why: EloWhy, game: RatedGame) -> EloGameLine:
    side = game.seen_by(why.player)
    if side.before is None:
        return EloGameLine(side, None)
    own = "white" if game.white_id == why.player.pk else "black"
    state = PlayerState(
        side.before,
        getattr(game.elo, f"{own}_games"),
        getattr(game.elo, f"{own}_marks"),
        why.rating.established,
    )
    line = line_of(
        state,
        side.opponent_before,
        side.halves,
        change=side.change,
        under_18=elo.plays_as_junior(why.player.birth_date, game.played_on),
        rules=rules_of(why.pool),
    )
    return EloGameLine(side, line)
