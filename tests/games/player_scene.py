"""A player of two seasons and a half with published grades, for the tests of a player's pages."""

import csv
import io
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from clubs.models import Club, Player
from games.models import Board, Division
from ratings import rebuilding
from ratings.models import Grade, GradeList, ListState, RatedEvent
from tests.factories import (
    BoardFactory,
    ClubFactory,
    DivisionFactory,
    LeagueFactory,
    MatchFactory,
    MembershipFactory,
    OpeningRatingFactory,
    PlayerFactory,
    RatedEventFactory,
    RatedGameFactory,
    SeasonFactory,
    TeamFactory,
    pool,
)
from tests.html import Page

OPPONENTS = [
    ("Ibbot", "D E F", 17400),
    ("Wainfleet", "Hugh", 18030),
    ("Ogilvy-Carr", "Beatrice", 21100),
    ("Stansfield", "Ruth", 16820),
    ("Applegarth", "Yusuf", 16450),
    ("Ullathorne", "Colin", 17800),
    ("Kirkbride", "Fiona", 17190),
    ("Hebblewhite", "Martin", 17510),
    ("Nuñal", "José Mª", 16480),
    ("de la Marre", "Zoë", 18700),
    ("Wragge", "Bernard", 18110),
    ("Harte-Wynne", "Guy", 18460),
]
GRADES = {
    date(2025, 1, 1): 138,
    date(2025, 7, 1): 139,
    date(2026, 1, 1): 142,
    date(2026, 7, 1): 143,
}
RAPID_GRADES = {date(2026, 7, 1): 137}
# A season's days: every other Tuesday from September to June.
SEASONS = [(date(2024, 9, 24), 19), (date(2025, 9, 23), 19), (date(2026, 9, 22), 5)]
RESULTS = (1, 2, 0, 1, 2, 1, 0, 2, 1, 1, 2, 0)


@dataclass
class Scene:
    """Łucja Żabrek of Hartfield, her opponents by surname, and the division of this season."""

    player: Player
    club: Club
    division: Division
    congress: RatedEvent
    opponents: dict[str, Player] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"/players/{self.player.pk}/"

    def url_of(self, tab: str, form: str = "/") -> str:
        return f"/players/{self.player.pk}/{tab}{form}"


def make_scene() -> Scene:
    """Games of three seasons, a congress of five rounds, one rapid tournament, five lists."""
    club = ClubFactory(name="Hartfield", slug="hartfield")
    player = PlayerFactory(surname="Żabrek", forenames="Łucja", ecf_code="233310H")
    MembershipFactory(club=club, player=player)
    OpeningRatingFactory(player=player, value=17020)
    OpeningRatingFactory(player=player, value=16800, pool=pool("rapid"), provisional=True)
    opponents = {}
    for surname, forenames, rating in OPPONENTS:
        opponents[surname] = PlayerFactory(surname=surname, forenames=forenames)
        OpeningRatingFactory(player=opponents[surname], value=rating)
    league = LeagueFactory(name="Weald & Downs Chess League", slug="weald")
    divisions = [division_of(league, first.year) for first, _count in SEASONS]
    for division, (first, count) in zip(divisions, SEASONS, strict=True):
        season_of(player, list(opponents.values()), division, first, count)
    congress = RatedEventFactory(name="Kingsmead Congress")
    for number, surname in enumerate(("Ullathorne", "Applegarth", "Tso", "Ibbot", "Wragge")):
        other = opponents.get(surname) or PlayerFactory(surname=surname, forenames="Kam Wa")
        day = date(2026, 10, 17 + number // 3)
        game(congress, player, other, day, (2, 1, 0, 1, 2)[number], number)
    rapid = RatedEventFactory(name="Rapidplay", pool=pool("rapid"))
    for number, other in enumerate(opponents.values()):
        game(rapid, player, other, date(2026, 3, 7), RESULTS[number], number)
    rebuilding.rebuild("standard")
    rebuilding.rebuild("rapid")
    publish(player, GRADES, opponents={opponents["Ibbot"]: 139, opponents["Wainfleet"]: 147})
    publish(player, RAPID_GRADES, "rapid", category="E")
    return Scene(player, club, divisions[-1], congress, opponents)


def division_of(league, year: int) -> Division:
    label = f"{year}-{(year + 1) % 100:02}"
    season = SeasonFactory(
        league=league,
        label=label,
        slug=label,
        starts_on=date(year, 7, 1),
        ends_on=date(year + 1, 7, 1),
    )
    return DivisionFactory(
        season=season, name="Division 1", rated_event__name=f"{league}, {label}, Division 1"
    )


def season_of(player: Player, others, division: Division, first: date, count: int) -> None:
    """A board for Hartfield A every second week, with White every other time."""
    club = player.memberships.get().club
    home = TeamFactory(division=division, club=club, name="Hartfield A")
    for number in range(count):
        day = first + timedelta(days=14 * number)
        other = others[(number * 5 + first.year) % len(others)]
        match = MatchFactory(
            division=division, home=home, played_on=day, round=number + 1, board_count=1
        )
        halves = RESULTS[(number * 7 + first.year) % len(RESULTS)]
        board = BoardFactory(
            match=match,
            number=1,
            home_player=player,
            away_player=other,
            home_colour="black" if number % 2 else "white",
            result=halves,
        )
        game(division.rated_event, player, other, day, halves, number, board)


def game(event, player, other, day, halves, number, board: Board | None = None) -> None:
    """A rated game of the player, with Black where `number` is odd; `board` is where it stands."""
    white, black = (other, player) if number % 2 else (player, other)
    keys = {"source_key": f"board:{board.pk}"} if board else {}
    RatedGameFactory(
        event=event,
        white=white,
        black=black,
        played_on=day,
        round=number,
        white_halves=2 - halves if number % 2 else halves,
        **keys,
    )


def publish(player, grades, name="standard", category="D", opponents=()) -> None:
    """Published lists with these grades by cutoff; `opponents` have one grade on each."""
    for cutoff, grade in grades.items():
        made = GradeList.objects.create(
            pool=pool(name),
            cutoff=cutoff,
            state=ListState.PUBLISHED,
            rules="BRIEF",
            published_at=datetime(cutoff.year, cutoff.month, 15, 12, tzinfo=UTC),
        )
        for person, value in {player: grade, **dict(opponents)}.items():
            Grade.objects.create(
                grade_list=made,
                player=person,
                numerator=value,
                divisor=1,
                grade=value,
                published=value,
                category=category,
                recent=19,
                counted=19,
            )


def text_of(client, address) -> str:
    return Page(client.get(address)).text.replace("\xa0", " ")


def json_of(client, address) -> dict:
    return client.get(address).json()


def csv_of(client, address) -> list[dict]:
    return list(csv.DictReader(io.StringIO(client.get(address).content.decode())))


def person(rating=None, **facts):
    player = PlayerFactory(**facts)
    if rating:
        OpeningRatingFactory(player=player, value=rating)
    return player
