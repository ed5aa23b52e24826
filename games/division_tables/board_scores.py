"""What each player of a division has scored on its boards."""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from datetime import date

from clubs import access
from clubs.models import Player
from games.match_querysets import BoardQuerySet
from games.models import Board, Division, Team

SUMS = ("boards", "played", "won", "drawn", "lost", "defaults_won", "halves")


@dataclass(frozen=True, slots=True)
class Score:
    """A player's season for one team; `halves` counts defaults won, `played` only games.

    `name` and `code` are what the reader may see. `position` is shared by those of equal points
    from equally many boards.
    """

    player: Player
    name: str
    code: str | None
    sort_name: str
    team: Team
    boards: int
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
    def board_numbers(self) -> str:
        if self.first_board == self.last_board:
            return str(self.first_board)
        return f"{self.first_board}–{self.last_board}"


def scores_of(division: Division, reader, today: date) -> list[Score]:
    """The scores of everybody who has played in the division, the highest first.

    Equal points: the fewer boards before the more, then by name; a name that the reader does
    not see stands last among its equals, so that its place tells nothing.
    """
    boards = Board.objects.filter(match__division=division)
    return _scores({"home": boards, "away": boards}, reader, today)


def scores_of_team(team: Team, reader, today: date) -> list[Score]:
    """The same of everybody who has played for the team."""
    boards = Board.objects.all()
    of_side = {side: boards.filter(**{f"match__{side}": team}) for side in ("home", "away")}
    return _scores(of_side, reader, today)


def _scores(boards: dict[str, BoardQuerySet], reader, today: date) -> list[Score]:
    """Scores from the boards of each side."""
    sums: dict[tuple[int, int], list[dict]] = defaultdict(list)
    for side, of_side in boards.items():
        for row in of_side.scores(side):
            sums[row["player"], row["team"]].append(row)
    players = Player.objects.in_bulk({player for player, _team in sums})
    teams = Team.objects.in_bulk({team for _player, team in sums})
    scores = [
        Score(
            *_person(players[player], reader, today),
            teams[team],
            **{name: sum(row[name] for row in rows) for name in SUMS},
            first_board=min(row["first"] for row in rows),
            last_board=max(row["last"] for row in rows),
        )
        for (player, team), rows in sums.items()
    ]
    return _placed(sorted(scores, key=lambda score: (*_rank(score), score.sort_name)))


def _person(player: Player, reader, today: date) -> tuple[Player, str, str | None, str]:
    name = access.listed_name_for(reader, player, today)
    seen = name == player.listed_name
    return player, name, access.code_for(reader, player, today), player.sort_name if seen else "~"


def _rank(score: Score) -> tuple[int, int]:
    return -score.halves, score.boards


def _placed(scores: list[Score]) -> list[Score]:
    """The scores, in order, with their positions."""
    first: dict[tuple[int, int], int] = {}
    for place, score in enumerate(scores, start=1):
        first.setdefault(_rank(score), place)
    sharing = Counter(map(_rank, scores))
    return [
        replace(score, position=first[_rank(score)], shared=sharing[_rank(score)] > 1)
        for score in scores
    ]
