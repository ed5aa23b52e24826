"""A cup with its teams and players, and cards that end its ties in each way."""

import datetime
from dataclasses import dataclass

from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from games.cup import cup_words, cups
from games.cup.cup_brackets import Bracket, DrawnTie, bracket_of
from games.match_cards.cards import BoardEntry, record_card
from games.models import Division, Match, Team
from tests import factories
from tests.factories import LeagueRoleFactory

NAMES = (
    *("Ashdown A", "Balcombe A", "Crowborough A", "Ditchling A", "Etchingham A", "Forest Row A"),
    *("Groombridge A", "Hartfield A", "Isfield A", "Jevington A", "Kingsmead A"),
)
AT = datetime.datetime(2026, 11, 24, 23, 14, tzinfo=datetime.UTC)
DAY = datetime.date(2026, 11, 24)
LOT = 2026

# Cards of four boards by the halves of the tie's home side, and who has Black on board 1 and 3.
CARDS = {
    "score": ([2, 2, 1, 0], "home"),
    "board_count": ([2, 1, 1, 0], "home"),  # 1 to 4
    "elimination": ([2, 0, 0, 2], "home"),  # 5 to 5; without the last board 2-4
    "blacks": ([1, 1, 1, 1], "home"),
    "level": ([1, 1, 1, 1], "unknown"),
}


@dataclass
class Cup:
    """A cup of several teams; `players` holds those of each team by its pk."""

    division: Division
    teams: list[Team]
    players: dict[int, list[int]]

    @property
    def bracket(self) -> Bracket:
        return bracket_of(self.division)

    def draw(self, round=1, lot=LOT, days=(DAY,), **more) -> Bracket:
        facts = {"by": None, "at": AT} | more
        return cups.draw_round(division=self.division.pk, round=round, lot=lot, days=days, **facts)

    def tie(self, round=1, number=1) -> DrawnTie:
        """The tie of this number in a round."""
        ties = self.bracket.rounds[round - 1].ties
        return next(tie for tie in ties if tie.number == number)

    def played_ties(self, round) -> list[DrawnTie]:
        """The ties of a round that are no byes."""
        return [tie for tie in self.bracket.rounds[round - 1].ties if tie.away is not None]

    def record(self, match: Match, halves, black="home", *, at=AT, day=None, **more):
        """The match's card by the halves of its home side; `black` sits there on odd boards."""
        colours = {"home": ("black", "white"), "away": ("white", "black")}
        odd, even = colours.get(black, ("unknown", "unknown"))
        home, away = self.players[match.home_id], self.players[match.away_id]
        boards = [
            BoardEntry(number, home[number - 1], away[number - 1], odd if number % 2 else even, own)
            for number, own in enumerate(halves, 1)
        ]
        version = Match.objects.values_list("version", flat=True).get(pk=match.pk)
        return record_card(
            match=match.pk, boards=boards, version=version, by=None, at=at, played_on=day, **more
        )

    def play(self, tie: DrawnTie, card: str) -> None:
        """Enter the card of a tie's last match, as its home side sees it."""
        halves, black = CARDS[card]
        match = tie.matches[-1]
        if match.home_id != tie.home.pk:
            halves = [2 - own for own in halves]
            black = {"home": "away"}.get(black, black)
        self.record(match, halves, black)


def make_cup(count=11, *, boards=4, seeds=0, clubs=None, **rules) -> Cup:
    """A cup that is not drawn yet; the first `seeds` teams are seeded, `clubs` shares some."""
    facts = {"kind": "cup", "legs": 1, "board_count": boards, "name": "Weald Cup"} | rules
    division = factories.DivisionFactory(**facts)
    shared: dict[str, object] = {}
    teams = []
    for number, name in enumerate(NAMES[:count], 1):
        key = (clubs or {}).get(name, name)
        club = shared.setdefault(key, factories.ClubFactory())
        teams.append(
            factories.TeamFactory(
                division=division,
                club=club,
                name=name,
                order_number=number,
                seed=number if number <= seeds else None,
            )
        )
    players = {
        team.pk: [player.pk for player in factories.PlayerFactory.create_batch(boards)]
        for team in teams
    }
    return Cup(division, teams, players)


def words(cup, round=1, number=1) -> str:
    return cup_words.tie_words(cup.tie(round, number))


def replayed(cup, tie):
    return cups.order_replay(tie=tie.tie.pk, day=DAY, by=None, at=AT)


def decided(cup, tie, how, *, winner=None, reason="the coin showed heads"):
    winner = tie.home if winner is None else winner
    return cups.decide_tie(
        tie=tie.tie.pk, winner=winner.pk, decided_by=how, reason=reason, by=None, at=AT
    )


def desk(cup) -> str:
    return reverse("cup_office", args=[cup.division.pk])


def officer(cup) -> Client:
    client = Client()
    client.force_login(LeagueRoleFactory(league=cup.division.season.league).user)
    return client


def told(answer) -> str:
    """The last that the answer says; the redirects before it were not followed."""
    return [str(message) for message in get_messages(answer.wsgi_request)][-1]


def address(cup, form="") -> str:
    return reverse("division_detail", args=[cup.division.pk, *([form] if form else [])])
