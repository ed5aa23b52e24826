"""Starting grades of ungraded players: one linear system over all of them, rounded when solved.

Pure, and exact in what it gives: every ungraded player's grade is the mean of his games' points
without the clamp, where another ungraded player counts with his own unknown grade
(rules/ecf-grading.md section 3). With n games of a player, `n x = sum of known points + sum of
(unknown opponent + own points)`, so the matrix M has n on its diagonal and minus a number of
games beside it: an M-matrix, whose inverse has no negative entry. That gives the error bound.

Floats only propose a solution; what is kept is fixed point (`SCALE` parts of a grade) and its
residual is taken in integers. With any v > 0 for which M v >= m > 0, each entry of the solution
is off by at most max|residual| / m x v. It is refined until that is below `TOLERANCE` for all.
A grade nearer to a half than that is taken for the half, and rounds up: our decision.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ratings.ecf import rounded

Player = TypeVar("Player", bound=Hashable)

SCALE = 1 << 96
TOLERANCE = SCALE >> 24
REFINEMENTS = 500

# For each player of a group: his games, and (place in the group, number of games) he met.
Rows = Sequence[tuple[int, Sequence[tuple[int, int]]]]


@dataclass(slots=True)
class Unknown(Generic[Player]):
    """An ungraded player: what his games say of him.

    `known` is the sum over his games of -50, 0 or +50 for the result, and the opponent's grade
    where that is known; `anchors` are the games with such an opponent; `met` counts his games
    against each other ungraded player.
    """

    known: int = 0
    anchors: int = 0
    met: dict[Player, int] = field(default_factory=dict)

    @property
    def games(self) -> int:
        return self.anchors + sum(self.met.values())

    def add(self, halves: int, opponent: int | None, who: Player | None = None) -> None:
        """Take a game in: `opponent` is his whole grade, or None if `who` is ungraded too."""
        self.known += 50 * halves - 50
        if opponent is not None:
            self.known += opponent
            self.anchors += 1
        elif who is not None:
            self.met[who] = self.met.get(who, 0) + 1


@dataclass(frozen=True, slots=True)
class Solved(Generic[Player]):
    """The whole starting grades, and the groups that nothing ties to a known grade."""

    grades: dict[Player, int]
    unanchored: list[list[Player]]


def starting_grades(unknowns: Mapping[Player, Unknown[Player]]) -> Solved[Player]:
    """Solve for all players at once; a group without an anchor is named and left out.

    `met` may name only players of `unknowns`. Neither the order of the players nor their names
    change any number.
    """
    grades: dict[Player, int] = {}
    unanchored = []
    for group in groups_of(unknowns):
        if _is_anchored(group, unknowns):
            grades.update(_solve(group, unknowns))
        else:
            unanchored.append(group)
    return Solved(grades, unanchored)


def groups_of(unknowns: Mapping[Player, Unknown[Player]]) -> list[list[Player]]:
    """The players in groups that met one another, each group and the list in the given order."""
    neighbours: dict[Player, set[Player]] = {player: set() for player in unknowns}
    for player, unknown in unknowns.items():
        for other in unknown.met:
            neighbours[player].add(other)
            neighbours[other].add(player)
    place = {player: n for n, player in enumerate(unknowns)}
    seen: set[Player] = set()
    groups = []
    for first in unknowns:
        if first in seen:
            continue
        seen.add(first)
        group = [first]
        for player in group:
            new = neighbours[player] - seen
            seen |= new
            group.extend(new)
        groups.append(sorted(group, key=place.__getitem__))
    return groups


def _is_anchored(group: Sequence[Player], unknowns: Mapping[Player, Unknown[Player]]) -> bool:
    """Whether every player of the group reaches, through his opponents, a known grade."""
    reached = {player for player in group if unknowns[player].anchors}
    waiting = [player for player in group if player not in reached]
    while waiting:
        found = {p for p in waiting if any(other in reached for other in unknowns[p].met)}
        if not found:
            return False
        reached |= found
        waiting = [player for player in waiting if player not in found]
    return True


def _solve(
    group: Sequence[Player], unknowns: Mapping[Player, Unknown[Player]]
) -> dict[Player, int]:
    place = {player: n for n, player in enumerate(group)}
    rows = [
        (
            unknowns[player].games,
            [(place[other], count) for other, count in unknowns[player].met.items()],
        )
        for player in group
    ]
    right = [unknowns[player].known * SCALE for player in group]
    propose = _conjugate_gradients if _is_symmetric(rows) else _sweeps
    bound = _positive(rows, propose)
    grades = [0] * len(group)
    residual = right
    for _ in range(REFINEMENTS):
        step = propose(rows, [float(entry) for entry in residual])
        grades = [value + int(entry) for value, entry in zip(grades, step, strict=True)]
        residual = _residual(rows, right, grades)
        if _error(rows, residual, bound) <= TOLERANCE:
            break
    else:
        raise ArithmeticError(f"the starting grades of {len(group)} players did not settle")
    return {
        player: rounded(value + TOLERANCE, SCALE)
        for player, value in zip(group, grades, strict=True)
    }


def _positive(rows: Rows, propose) -> list[int]:
    """Some v > 0, in parts of `SCALE`, for which every entry of M v is above 0."""
    bound = [0] * len(rows)
    residual = ones = [SCALE] * len(rows)
    for _ in range(REFINEMENTS):
        step = propose(rows, [float(entry) for entry in residual])
        bound = [value + int(entry) for value, entry in zip(bound, step, strict=True)]
        residual = _residual(rows, ones, bound)
        if min(bound) > 0 and max(residual) <= SCALE // 2:
            return bound
    raise ArithmeticError(f"no error bound for the starting grades of {len(rows)} players")


def _error(rows: Rows, residual: Sequence[int], bound: Sequence[int]) -> int:
    """How far any entry may be off, in parts of `SCALE`, rounded up."""
    least = min(_times(rows, bound))
    return -(-max(map(abs, residual)) * max(bound) // least)


def _residual(rows: Rows, right: Sequence[int], values: Sequence[int]) -> list[int]:
    return [r - product for r, product in zip(right, _times(rows, values), strict=True)]


def _times(rows: Rows, values: Sequence) -> list:
    """M times a vector, of integers exactly or of floats."""
    return [
        games * values[n] - sum([count * values[other] for other, count in met])
        for n, (games, met) in enumerate(rows)
    ]


def _is_symmetric(rows: Rows) -> bool:
    """Whether each pair met the same number of times for both: one may be graded for the other."""
    counts = {(n, other): count for n, (_, met) in enumerate(rows) for other, count in met}
    return all(counts.get((other, n)) == count for (n, other), count in counts.items())


def _conjugate_gradients(rows: Rows, right: list[float]) -> list[float]:
    """An approximate solution of a symmetric system, preconditioned by the diagonal."""
    values = [0.0] * len(rows)
    rest = right
    scaled = [r / games for r, (games, _) in zip(rest, rows, strict=True)]
    direction = scaled
    weight = first = _dot(rest, scaled)
    for _ in range(2 * len(rows) + 20):
        if weight <= first * 1e-26:
            break
        image = _times(rows, direction)
        length = weight / _dot(direction, image)
        values = [v + length * d for v, d in zip(values, direction, strict=True)]
        rest = [r - length * i for r, i in zip(rest, image, strict=True)]
        scaled = [r / games for r, (games, _) in zip(rest, rows, strict=True)]
        weight, before = _dot(rest, scaled), weight
        direction = [s + weight / before * d for s, d in zip(scaled, direction, strict=True)]
    return values


def _sweeps(rows: Rows, right: list[float]) -> list[float]:
    """An approximate solution of any such system by Gauss-Seidel: slower, but always nearer."""
    values = [0.0] * len(rows)
    for _ in range(200):
        for n, (games, met) in enumerate(rows):
            values[n] = (right[n] + sum([count * values[other] for other, count in met])) / games
    return values


def _dot(left: list[float], right: list[float]) -> float:
    return sum([a * b for a, b in zip(left, right, strict=True)])
