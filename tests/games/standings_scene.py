"""Teams and matches as plain values, for tables worked out of nothing else."""

from games.division_tables.records import MatchResult
from games.division_tables.standings import TableTeam


def teams_named(names):
    return [TableTeam(name, name.casefold()) for name in names]


def match(number, home, away, home_halves=None, away_halves=None, **more):
    more.setdefault("complete", home_halves is not None)
    return MatchResult(number, home, away, home_halves, away_halves, **more)


def places(found):
    return [(row.position, row.shared, row.team) for row in found]
