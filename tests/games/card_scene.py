"""A division with two teams that have met before, for the tests of cards and matches."""

import datetime
from dataclasses import dataclass, field

from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.match_cards.cards import BoardEntry, record_card
from games.models import Match
from ratings.models import OpeningRating
from tests import factories

LAST_TIME = datetime.date(2026, 11, 10)
TODAY = datetime.date(2026, 11, 24)
AT = datetime.datetime(2026, 11, 24, 23, 14, tzinfo=datetime.UTC)

HOME = [
    ("Lovell", "Maureen T", 168),
    ("McVale", "Ronald J", 162),
    ("de la Marre", "Zoë", 159),
    ("Harte-Wynne", "Guy", 151),
    ("Tso", "Kam Wa", 149),
    ("Ibbot", "D E F", 139),
    ("Ravenscroft", "Oluwaseun", 147),
    ("Szabó", "Eszter", 141),
]
AWAY = [
    ("van der Lune", "Pieter", 171),
    ("O’Grange", "Siobhan", 163),
    ("Müllner", "Jürgen", 158),
    ("Tolbert", "John Sr", 150),
    ("Marsudan", "Tolemi Belavonti", 149),
    ("Żabrek", "Łucja", 143),
    ("Quill", "Adaeze", 140),
]


@dataclass
class Scene:
    """Ashdown A at home to Hartfield A, six boards; both have played one match before."""

    match: Match
    home: list = field(default_factory=list)
    away: list = field(default_factory=list)
    captain: object = None
    secretary: object = None
    officer: object = None
    outsider: object = None

    @property
    def url(self) -> str:
        return f"/matches/{self.match.pk}/card/"

    def reload(self) -> Match:
        return Match.objects.get(pk=self.match.pk)

    def form(self, results="      ", *, version=None, **changes) -> dict:
        """The card as the browser sends it: last time's line-ups and a result a board.

        A result is 1, 0, = or a blank; `changes` are fields such as `home_3`, `result_6`,
        `away_name_2`, or plain names of the card's own.
        """
        data = {
            "version": self.reload().version if version is None else version,
            "played_on": "2026-11-24",
            "boards-TOTAL_FORMS": len(results),
            "boards-INITIAL_FORMS": 0,
        }
        for index, result in enumerate(results):
            prefix = f"boards-{index}"
            data[f"{prefix}-home"] = self.home[index].pk
            data[f"{prefix}-away"] = self.away[index].pk
            data[f"{prefix}-home_name"] = data[f"{prefix}-away_name"] = ""
            data[f"{prefix}-result"] = {"1": "2", "=": "1", "0": "0", " ": ""}[result]
            data[f"{prefix}-home_colour"] = ""
        for name, value in changes.items():
            field_name, _, number = name.rpartition("_")
            if number.isdigit():
                name = f"boards-{int(number) - 1}-{field_name}"
            data[name] = getattr(value, "pk", value)
        return {name: value for name, value in data.items() if value is not None}

    def entries(self, results="=1=01=") -> list[BoardEntry]:
        """The same card as `record_card` takes it, with the rule's colours."""
        halves = {"1": 2, "=": 1, "0": 0, " ": None}
        return [
            BoardEntry(
                number=number,
                home=self.home[number - 1].pk,
                away=self.away[number - 1].pk,
                home_colour="black" if number % 2 else "white",
                result=halves[result],
            )
            for number, result in enumerate(results, 1)
        ]

    def record(self, results="=1=01=", *, by=None, at=AT, version=None, **more):
        """Save the card by the workflow; the version is the stored one unless given."""
        version = self.reload().version if version is None else version
        boards = more.pop("boards", self.entries(results))
        return record_card(
            match=self.match.pk, boards=boards, version=version, by=by, at=at, **more
        )


def make_scene(boards=6, played_before=True, name="", **division) -> Scene:
    """Two clubs with graded members, their teams, a match to come and the people around it.

    `name` tells a second scene from the first.
    """
    league = factories.LeagueFactory(name="Weald & Downs Chess League", slug=f"weald{name}")
    season = factories.SeasonFactory(league=league)
    division = factories.DivisionFactory(
        season=season, name="Division 1", slug="division-1", board_count=boards, **division
    )
    home_club = factories.ClubFactory(name=f"Ashdown{name}", slug=f"ashdown{name}")
    away_club = factories.ClubFactory(name=f"Hartfield{name}", slug=f"hartfield{name}")
    home = factories.TeamFactory(division=division, club=home_club, name="Ashdown A")
    away = factories.TeamFactory(division=division, club=away_club, name="Hartfield A")
    scene = Scene(
        factories.MatchFactory(division=division, home=home, away=away, round=6, played_on=TODAY),
        people(home_club, HOME),
        people(away_club, AWAY),
    )
    if played_before:
        for team, players in ((home, scene.home), (away, scene.away)):
            play_before(team, players[:boards])
    scene.captain = factories.TeamRoleFactory(team=home).user
    scene.secretary = factories.ClubRoleFactory(club=away_club).user
    scene.officer = factories.LeagueRoleFactory(league=league).user
    scene.outsider = factories.ClubRoleFactory().user
    return scene


def people(club, rows) -> list:
    """Members of the club with an opening grade in the standard pool."""
    names = ({"surname": surname, "forenames": forenames} for surname, forenames, _grade in rows)
    players = factories.many_players(names, club)
    pool = factories.pool()
    OpeningRating.objects.bulk_create(
        factories.OpeningRatingFactory.build(player=player, pool=pool, system="grade", value=grade)
        for player, (*_names, grade) in zip(players, rows, strict=True)
    )
    return players


def play_before(team, players, played_on=LAST_TIME, result=1) -> Match:
    """A match of this team against strangers, all drawn unless said, saved by the workflow."""
    other = factories.TeamFactory(division=team.division)
    match = factories.MatchFactory(
        division=team.division, home=team, away=other, round=5, played_on=played_on
    )
    strangers = factories.many_players({} for _player in players)
    boards = [
        BoardEntry(number, player.pk, stranger.pk, "white", result)
        for number, (player, stranger) in enumerate(zip(players, strangers, strict=True), 1)
    ]
    evening = datetime.datetime.combine(played_on, AT.timetz())
    record_card(match=match.pk, boards=boards, version=0, by=None, at=evening)
    return match


def queries(call) -> int:
    """How many statements the call sends to the database."""
    with CaptureQueriesContext(connection) as captured:
        call()
    return len(captured)
