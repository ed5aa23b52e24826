"""The competitions of the demo: who plays in which division of which season, and how it goes.

Seasons are counted back: 0 is the one that is on, 1 the last, 2 the one before. Teams stand at
fixed places of their division, by which the rounds below pair them.
"""

from dataclasses import dataclass, field

from clubs.models import Weekday
from games.models import Award, TieBreak

from .first_teams import FIRST_TEAMS
from .lower_teams import (
    KINGSMEAD_C,
    ROOKHURST_A,
    SECOND_TEAMS,
    THIRD_TEAMS,
    THORNSEA_A,
    UPPER_DENNE_A,
)
from .people import DemoTeam

LEAGUE = "Weald & Downs Chess League"
RAPID_LEAGUE = "Weald & Downs Rapid League"
SEASONS = (2, 1, 0)

Rounds = tuple[tuple[tuple[int, int], ...], ...]

# The first leg by place, home first; the second is its mirror. Each team plays once a round.
EIGHT_TEAMS: Rounds = (
    ((0, 3), (1, 2), (5, 4), (6, 7)),
    ((4, 0), (2, 3), (6, 1), (7, 5)),
    ((0, 6), (7, 2), (3, 4), (1, 5)),
    ((7, 0), (6, 2), (5, 3), (1, 4)),
    ((2, 0), (4, 7), (3, 1), (5, 6)),
    ((0, 1), (4, 6), (5, 2), (3, 7)),
    ((0, 5), (6, 3), (7, 1), (2, 4)),
)
SIX_TEAMS: Rounds = (
    ((0, 5), (1, 4), (2, 3)),
    ((5, 3), (4, 2), (0, 1)),
    ((1, 5), (2, 0), (3, 4)),
    ((5, 4), (0, 3), (1, 2)),
    ((2, 5), (3, 1), (4, 0)),
)


@dataclass(frozen=True, slots=True, eq=False)
class Competition:
    """A division of the demo in all its seasons.

    `teams` and `throws` are by season; of all throws these give close tables, after which those
    go up and down that did. `played` rounds of the season that is on are over, the next is
    `days_ahead` from now. `defaults` are by round and place of the home team: the last board
    went so in every season. `night` is that of all matches, else the home club's counts. `rules`
    are other columns of `Division`.
    """

    league: str
    division: str
    teams: dict[int, tuple[DemoTeam, ...]]
    throws: dict[int, int]
    rounds: Rounds = EIGHT_TEAMS
    played: int = 6
    days_ahead: int = 0
    night: int | None = None
    boards: int = 6
    minutes: int = 75
    increment_seconds: int = 10
    defaults: dict[tuple[int, int], Award] = field(default_factory=dict)
    rules: dict = field(default_factory=dict)


def _instead(teams: tuple[DemoTeam, ...], gone: DemoTeam, come: DemoTeam) -> tuple[DemoTeam, ...]:
    """The teams with one in another's place."""
    return tuple(come if team is gone else team for team in teams)


LONG_MARDEN_A = FIRST_TEAMS[7]
# Two seasons ago the league stood as now: Long Marden A and Upper Denne A went down, Rookhurst A
# and Kingsmead C came up, and a year later all four were back.
_LAST_FIRST = _instead(FIRST_TEAMS, LONG_MARDEN_A, ROOKHURST_A)
_LAST_SECOND = _instead(
    _instead(SECOND_TEAMS, ROOKHURST_A, LONG_MARDEN_A), UPPER_DENNE_A, KINGSMEAD_C
)
_LAST_THIRD = _instead(THIRD_TEAMS, KINGSMEAD_C, UPPER_DENNE_A)


def _rapid_team(name: str, *teams: DemoTeam) -> DemoTeam:
    """Every second player of a club's first teams."""
    players = [player for team in teams for player in team.players[1::2]]
    return DemoTeam(name, teams[0].club, tuple(players[:6]))


# A player of Wellow Bridge plays rapid for another club.
THORNSEA_RAPID = DemoTeam(
    "Thornsea Rapid",
    THORNSEA_A.club,
    (*THORNSEA_A.players[:5], *FIRST_TEAMS[2].named("Stott, Marjorie")),
)
RAPID_TEAMS = (
    _rapid_team("Ashdown Rapid", FIRST_TEAMS[0], SECOND_TEAMS[1]),
    _rapid_team("Hartfield Rapid", FIRST_TEAMS[1], SECOND_TEAMS[2]),
    _rapid_team("St Wulfric’s Rapid", FIRST_TEAMS[3], THIRD_TEAMS[2]),
    _rapid_team("Castle Hedley Rapid", FIRST_TEAMS[5], THIRD_TEAMS[3]),
    _rapid_team("Kingsmead Rapid", FIRST_TEAMS[6], KINGSMEAD_C),
    THORNSEA_RAPID,
)

FIRST = Competition(
    league=LEAGUE,
    division="Division 1",
    teams={2: FIRST_TEAMS, 1: _LAST_FIRST, 0: FIRST_TEAMS},
    throws={2: 62, 1: 102, 0: 1920},
    defaults={
        (2, 6): Award.HOME_DEFAULT,
        (4, 1): Award.HOME_DEFAULT,
        (9, 0): Award.HOME_DEFAULT,
        (12, 7): Award.HOME_DEFAULT,
    },
    rules={
        "promoted": 2,
        "relegated": 1,
        "table_order": [TieBreak.MATCH_POINTS, TieBreak.GAME_POINTS, TieBreak.HEAD_TO_HEAD],
    },
)
SECOND = Competition(
    league=LEAGUE,
    division="Division 2",
    teams={2: SECOND_TEAMS, 1: _LAST_SECOND, 0: SECOND_TEAMS},
    throws={2: 51, 1: 6, 0: 11},
    defaults={(3, 7): Award.HOME_DEFAULT, (8, 3): Award.AWAY_DEFAULT},
    rules={"promoted": 1, "relegated": 1},
)
THIRD = Competition(
    league=LEAGUE,
    division="Division 3",
    teams={2: THIRD_TEAMS, 1: _LAST_THIRD, 0: THIRD_TEAMS},
    throws={2: 31, 1: 55, 0: 79},
    boards=4,
    defaults={(4, 7): Award.AWAY_DEFAULT, (13, 2): Award.DOUBLE_DEFAULT},
    rules={"promoted": 1},
)
RAPID = Competition(
    league=RAPID_LEAGUE,
    division="Rapid Division",
    teams=dict.fromkeys(SEASONS, RAPID_TEAMS),
    throws={2: 15, 1: 27, 0: 48},
    rounds=SIX_TEAMS,
    played=5,
    days_ahead=7,
    night=Weekday.FRIDAY,
    boards=4,
    minutes=25,
    increment_seconds=5,
    defaults={(2, 4): Award.HOME_DEFAULT},
)
COMPETITIONS = (FIRST, SECOND, THIRD, RAPID)
TEAMS = (*FIRST_TEAMS, *SECOND_TEAMS, *THIRD_TEAMS)

# --- What happened at single matches: competition, season, round, place of the home team -------

Key = tuple[Competition, int, int, int]

POSTPONED: Key = (FIRST, 0, 5, 5)
INCOMPLETE: Key = (FIRST, 0, 6, 3)
# The match of the pictures: 3½-2½.
SETTLED: dict[Key, tuple[int, ...]] = {(FIRST, 0, 6, 0): (1, 2, 1, 0, 2, 1)}
# On the last board two guests, who never met anybody else: neither has a tie to a known grade.
NEWCOMERS_MET: set[Key] = {(THIRD, 1, 1, 6), (THIRD, 1, 8, 7)}
DEDUCTED = FIRST_TEAMS[6]
