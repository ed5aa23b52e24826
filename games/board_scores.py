"""What each player of a division has scored on its boards."""

from collections import defaultdict
from dataclasses import dataclass, replace

from clubs.models import Player

from .models import Board, Division, Team

SUMS = ("played", "won", "drawn", "lost", "defaults_won", "halves")


@dataclass(frozen=True, slots=True)
class Score:
    """A player's season for one team; `halves` counts defaults won, `played` only games.

    `position` is shared by those of equal points from equally many boards.
    """

    player: Player
    team: Team
    played: int
    won: int
    drawn: int
    lost: int
    defaults_won: int
    halves: int
    first_board: int
    last_board: int
    position: int = 0
    shared: bool = False

    @property
    def name(self) -> str:
        return self.player.listed_name

    @property
    def boards(self) -> str:
        if self.first_board == self.last_board:
            return str(self.first_board)
        return f"{self.first_board}–{self.last_board}"


def scores_of(division: Division) -> list[Score]:
    """The scores of everybody who has played in the division, the highest first.

    Equal points: the fewer boards before the more, then by name.
    """
    boards = Board.objects.filter(match__division=division)
    sums: dict[tuple[int, int], list[dict]] = defaultdict(list)
    for side in ("home", "away"):
        for row in boards.scores(side):
            sums[row["player"], row["team"]].append(row)
    players = Player.objects.in_bulk({player for player, _team in sums})
    teams = Team.objects.in_bulk({team for _player, team in sums})
    scores = [
        Score(
            players[player],
            teams[team],
            **{name: sum(row[name] for row in rows) for name in SUMS},
            first_board=min(row["first"] for row in rows),
            last_board=max(row["last"] for row in rows),
        )
        for (player, team), rows in sums.items()
    ]
    return _placed(sorted(scores, key=lambda score: (*_rank(score), score.player.sort_name)))


def _rank(score: Score) -> tuple[int, int]:
    return -score.halves, score.played + score.defaults_won


def _placed(scores: list[Score]) -> list[Score]:
    ranks = [_rank(score) for score in scores]
    return [
        replace(score, position=ranks.index(rank) + 1, shared=ranks.count(rank) > 1)
        for score, rank in zip(scores, ranks, strict=True)
    ]
