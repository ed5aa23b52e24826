"""Who may sit at the boards of a match: last time's line-ups, and the players to choose from."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date

from clubs.models import LEFT, Membership, Player
from clubs.names import fold
from games.models import Board, HomeColour, Match, Team
from ratings.standing import NOTHING_KNOWN, Standing, grades_and_elos, strength

from .guests import Belonging, belonging

LAST_PLAYERS = 10
LAST_LINE_UPS = 4
# Rows to look back over for ten different players: a season of a sixteen-board team.
LOOK_BACK = 16 * 16
# A search of the registry begins at three letters, and offers no more than fit below a picker.
FEWEST_LETTERS = 3
MOST_FOUND = 12


@dataclass(frozen=True, slots=True)
class Earlier:
    """The line-up of a team in an earlier match against `opponent`, as pks by board."""

    match: int
    played_on: date
    opponent: str
    seats: dict[int, int]


@dataclass(slots=True)
class Side:
    """One team's people, as pks: by board last time, its last ten, and the rest of its club.

    `earlier` are its latest line-ups, last time's first.

    `recent` and `club` stand in board order: by grade, then by Elo, the unknown last.
    """

    team: Team
    last_time: dict[int, int] = field(default_factory=dict)
    earlier: list[Earlier] = field(default_factory=list)
    recent: list[int] = field(default_factory=list)
    club: list[int] = field(default_factory=list)


@dataclass(slots=True)
class LineUps:
    """Both sides of a match, with the row and the standing of everybody in them."""

    home: Side
    away: Side
    players: dict[int, Player]
    standings: dict[int, Standing]
    belonging: Belonging

    def standing(self, player: int) -> Standing:
        return self.standings.get(player, NOTHING_KNOWN)

    def people(self, team: Team, players: Iterable[int]) -> list[tuple[Player, Standing, bool]]:
        """These players, each with his standing, and whether he is a guest of the team."""
        return [(self.players[pk], self.standing(pk), self.is_guest(team, pk)) for pk in players]

    def is_guest(self, team: Team, player: int) -> bool:
        """Whether the player does not belong to the team's club."""
        return (team.club_id, player) not in self.belonging


def line_ups_of(match: Match, today: date, also: Iterable[int] = ()) -> LineUps:
    """The line-ups of a match of `MatchQuerySet.for_card()`, in a fixed number of queries.

    `also` are further players whose names and standings are wanted.
    """
    day = today if match.played_on is None else match.played_on
    sides = (Side(match.home), Side(match.away))
    members = _members({side.team.club_id for side in sides}, day)
    for side, team_pks in zip(sides, _lineages(match), strict=True):
        _look_back(side, team_pks, match, day)
        side.club = members.get(side.team.club_id, [])
    wanted = {*also}
    for side in sides:
        wanted.update(side.recent, side.club, side.last_time.values())
        wanted.update(*(line_up.seats.values() for line_up in side.earlier))
    players = Player.objects.in_bulk(wanted)
    standings = grades_and_elos(players, match.division.rated_event.pool, day)
    line_ups = LineUps(*sides, players, standings, belonging(match, players, day))
    for side in sides:
        _put_in_order(side, line_ups)
    return line_ups


def home_colour(rule: str, board: int, home_white_on_odd: bool | None = None) -> str:
    """The home side's colour at a board by the division's rule: white, black or unknown.

    `home_white_on_odd` is how a toss fell; None is not known.
    """
    if rule == HomeColour.ODD:
        home_white_on_odd = True
    elif rule == HomeColour.EVEN:
        home_white_on_odd = False
    elif rule == HomeColour.UNKNOWN:
        home_white_on_odd = None
    if home_white_on_odd is None:
        return "unknown"
    return "white" if home_white_on_odd == bool(board % 2) else "black"


def _lineages(match: Match) -> tuple[set[int], set[int]]:
    """The pks under which each of the two teams has played in this league, season by season."""
    teams = Team.objects.filter(
        division__season__league=match.division.season.league_id,
        club__in=[match.home.club_id, match.away.club_id],
        search_name__in=[match.home.search_name, match.away.search_name],
    ).values_list("pk", "club", "search_name")

    def same(team: Team) -> set[int]:
        return {pk for pk, *who in teams if who == [team.club_id, team.search_name]}

    return same(match.home), same(match.away)


def _look_back(side: Side, teams: set[int], match: Match, day: date) -> None:
    """Fill last time's line-up and the last ten from the boards this team has played before."""
    boards = Board.objects.played_by(teams, until=day).exclude(match=match.pk)
    columns = ("match__played_on", "match__home", "match__home__name", "match__away__name")
    rows = list(boards.values_list("match", "number", "player", *columns)[:LOOK_BACK])
    side.recent = list(dict.fromkeys(row[2] for row in rows))[:LAST_PLAYERS]
    for pk in list(dict.fromkeys(row[0] for row in rows))[:LAST_LINE_UPS]:
        of_match = [row for row in rows if row[0] == pk]
        _pk, _number, _player, played_on, at_home, home, away = of_match[0]
        opponent = away if at_home in teams else home
        seats = {number: player for _pk, number, player, *_more in of_match}
        side.earlier.append(Earlier(pk, played_on, opponent, seats))
    side.last_time = dict(side.earlier[0].seats) if side.earlier else {}


def _members(clubs: set[int], day: date) -> dict[int, list[int]]:
    """The players of each of these clubs on the day."""
    members: dict[int, list[int]] = {}
    rows = Membership.objects.on(day).filter(club__in=clubs)
    for club, player in rows.order_by().values_list("club", "player").distinct():
        members.setdefault(club, []).append(player)
    return members


def _put_in_order(side: Side, line_ups: LineUps) -> None:
    """Take out who has retired or stands twice, and put the rest in board order."""
    players = line_ups.players

    def ordered(pks: Iterable[int]) -> list[int]:
        here = (pk for pk in pks if players[pk].state not in LEFT)
        return sorted(here, key=lambda pk: (strength(line_ups.standing(pk)), players[pk].sort_name))

    side.club = ordered(set(side.club) - set(side.recent))
    side.recent = ordered(side.recent)

    def still_here(seats: dict[int, int]) -> dict[int, int]:
        return {number: pk for number, pk in seats.items() if players[pk].state not in LEFT}

    side.last_time = still_here(side.last_time)
    side.earlier = [replace(one, seats=still_here(one.seats)) for one in side.earlier]


def registry_search(match: Match, text: str, today: date) -> list[dict]:
    """Players of the whole registry for the card's pickers; none below three letters.

    Each is a dict of pk, name, clubs (in words), sides (those to whose club he belongs), grade and
    elo (None unknown), provisional.
    """
    if len(fold(text).replace(" ", "")) < FEWEST_LETTERS:
        return []
    found = Player.objects.playing().found(text)
    found = list(found.order_by("sort_name", "pk")[:MOST_FOUND])
    clubs: dict[int, list[str]] = {}
    rows = Membership.objects.on(today).filter(player__in=found).order_by("club__search_name")
    for player, club in rows.values_list("player", "club__name"):
        clubs.setdefault(player, []).append(club)
    day = today if match.played_on is None else match.played_on
    pool = match.division.rated_event.pool
    standings = grades_and_elos((player.pk for player in found), pool, day)
    known = belonging(match, [player.pk for player in found], day)
    teams = {"home": match.home, "away": match.away}

    def sides(player: Player) -> list[str]:
        return [side for side, team in teams.items() if (team.club_id, player.pk) in known]

    return [
        {
            "pk": player.pk,
            "name": str(player),
            "clubs": ", ".join(clubs.get(player.pk, [])),
            "sides": sides(player),
        }
        | standings[player.pk]._asdict()
        for player in found
    ]
