"""Who can still finish first, and what is certain before the last match. Pure.

Bounds on match points, level teams always counted against a claim, so that what is said holds
however the tie-breaks fall. Further decisions of the officer are not foreseen.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from .records import MatchPoints, MatchResult
from .standings import TableTeam, counted_matches, table
from .table_policies import EXPUNGE, IGNORE_MATCH, TableRules
from .tie_breaks import MATCH_POINTS

# How many ways to share out the points are tried for one team: some milliseconds.
MOST_STATES = 3_000


@dataclass(frozen=True, slots=True)
class Prospect:
    """The best and the worst position a team can certainly still have, and whether it can win.

    `exact`: `can_win` is true or false for certain if every match is played, by trying what the
    others may do to each other. Else there were too many ways to try, and a team that can win
    may have no way left.
    """

    team: int
    best: int
    worst: int
    can_win: bool
    exact: bool


def prospects(
    teams: Iterable[TableTeam],
    matches: Iterable[MatchResult],
    rules: TableRules,
    void: Collection[tuple[int, int]] = (),
) -> dict[int, Prospect] | None:
    """Return each team's prospects while matches are to be played.

    None if none is, if the table is not ordered by match points first, or if the fixture list
    is not whole: each two teams have to meet equally often. `void` are pairs of teams whose
    match counts for nobody.
    """
    rules = replace(rules, unfinished=IGNORE_MATCH)
    teams = list(teams)
    counted = counted_matches(teams, matches, rules)
    running = [team.id for team in teams if not team.withdrawn]
    to_play = [(match.home, match.away) for match in counted if not match.complete]
    to_play = [pair for pair in to_play if set(pair) <= set(running)]
    whole = _is_whole(running, [(match.home, match.away) for match in counted] + list(void))
    if not to_play or not whole or rules.order[:1] != (MATCH_POINTS,):
        return None
    points = {row.team: row.match_points for row in table(teams, counted, rules)}
    low, high = _reach(points, to_play, counted, rules)
    if rules.withdrawn == EXPUNGE:
        out = {team.id for team in teams if team.withdrawn}
        low, high = ({t: p for t, p in each.items() if t not in out} for each in (low, high))
    return {team: _prospect(team, points, low, high, to_play, rules.points) for team in running}


def _is_whole(teams: Sequence[int], pairs: Iterable[tuple[int, int]]) -> bool:
    met = Counter(frozenset(pair) for pair in pairs)
    return len({met[frozenset(pair)] for pair in combinations(teams, 2)}) == 1


def _reach(
    points: Mapping[int, int],
    to_play: Sequence[tuple[int, int]],
    counted: Iterable[MatchResult],
    rules: TableRules,
) -> tuple[dict[int, int], dict[int, int]]:
    """The fewest and the most match points of each team when all is played."""
    left = Counter(team for pair in to_play for team in pair)
    least = rules.points.loss
    if rules.points.defaulted is not None:
        least = min(least, rules.points.defaulted)
    defaults: Counter = Counter()
    for match in counted:
        if match.complete and not match.defaulted_by:
            defaults[match.home] += match.home_defaults
            defaults[match.away] += match.away_defaults
    low, high = {}, {}
    for team, now in points.items():
        low[team] = now + least * left[team]
        high[team] = now + rules.points.win * left[team]
        if rules.penalty.boards is not None:
            most = defaults[team] + left[team] * rules.boards
            times = most // rules.penalty.boards - defaults[team] // rules.penalty.boards
            low[team] -= times * rules.penalty.match_points
    return low, high


def _prospect(team, points, low, high, to_play, worth: MatchPoints) -> Prospect:
    rivals = [other for other in low if other != team]
    best = 1 + sum(low[other] > high[team] for other in rivals)
    worst = 1 + sum(high[other] >= low[team] for other in rivals)
    can_win, exact = best == 1, best > 1
    if can_win:
        others = {other: points[other] for other in rivals}
        found = _others_stay_below(team, high[team], others, to_play, worth)
        can_win, exact = found is not False, found is not None
    return Prospect(team, best, worst, can_win, exact)


def _others_stay_below(
    team: int,
    most: int,
    points: Mapping[int, int],
    to_play: Sequence[tuple[int, int]],
    worth: MatchPoints,
) -> bool | None:
    """Whether the others' matches can end so that none has more than `most` points.

    The team itself wins all of its own. None if there are too many ways to try.
    """
    lost = Counter(other for pair in to_play if team in pair for other in pair)
    slack = {other: most - now - worth.loss * lost[other] for other, now in points.items()}
    matches = [pair for pair in to_play if team not in pair]
    while True:
        left = Counter(other for pair in matches for other in pair)
        free = {other for other in left if slack[other] >= worth.win * left[other]}
        rest = [pair for pair in matches if not free & set(pair)]
        # A team that may win all it has left takes the points from the others.
        for pair in matches:
            if free & set(pair):
                for other in set(pair) - free:
                    slack[other] -= worth.loss
        if len(rest) == len(matches):
            break
        matches = rest
    if any(room < 0 for room in slack.values()):
        return False
    return _try(matches, slack, worth)


def _try(
    matches: Sequence[tuple[int, int]], slack: Mapping[int, int], worth: MatchPoints
) -> bool | None:
    """Whether some results of these matches leave every team the room it has."""
    outcomes = ((worth.loss, worth.win), (worth.draw, worth.draw), (worth.win, worth.loss))
    least = min(worth.win + worth.loss, 2 * worth.draw)
    left = Counter(team for pair in matches for team in pair)
    place = {team: at for at, team in enumerate(left)}
    order = sorted(matches, key=lambda pair: min(slack[team] for team in pair))
    stack = [(0, tuple(slack[team] for team in place))]
    seen = set(stack)
    while stack:
        done, room = stack.pop()
        if done == len(order):
            return True
        if sum(room) < least * (len(order) - done):
            continue
        home, away = (place[team] for team in order[done])
        for own, other in outcomes:
            if room[home] < own or room[away] < other:
                continue
            rest = list(room)
            rest[home] -= own
            rest[away] -= other
            state = (done + 1, tuple(rest))
            if state not in seen:
                seen.add(state)
                stack.append(state)
        if len(seen) > MOST_STATES:
            return None
    return False
