"""What the load works on: a nation's ledger, its lists, and leagues with matches to enter."""

import random
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

BOARDS = 6
TEAMS = 10
DIVISIONS = 2
PASSWORD = "correct-horse-battery"


class Card(NamedTuple):
    """A match to enter: its pk, and per board both players and the home half-points."""

    match: int
    played_on: date
    boards: tuple[tuple[int, int, int], ...]

    def form(self, version: int = 0) -> dict[str, str]:
        """The card as the browser sends it, without the token."""
        data = {
            "version": version,
            "played_on": self.played_on.isoformat(),
            "boards-TOTAL_FORMS": len(self.boards),
            "boards-INITIAL_FORMS": 0,
        }
        for index, (home, away, halves) in enumerate(self.boards):
            data |= {
                f"boards-{index}-home": home,
                f"boards-{index}-away": away,
                f"boards-{index}-home_name": "",
                f"boards-{index}-away_name": "",
                f"boards-{index}-result": halves,
                f"boards-{index}-home_colour": "",
            }
        return {name: str(value) for name, value in data.items()}


class Scene(NamedTuple):
    """Accounts, each with the cards of its league; the list to publish.

    `old` is a card of a year ago that was entered then, and `old_login` may correct it.
    """

    logins: list[str]
    cards: list[list[Card]]
    old_login: str
    old: Card
    cutoff: date


def make(
    *, games: int, players: int, leagues: int, cards: int, today: date, seed: int = 1
) -> Scene:
    """Fill an empty migrated database; there are at least `cards` matches to enter in all."""
    from django.db import transaction

    from ratings import rebuilding

    from .nation import generate, load

    load(generate(games=games, players=players))
    rebuilding.rebuild("standard")
    cutoff = _publish_all_but_one(today)
    choose = random.Random(seed)
    per_leg = leagues * DIVISIONS * TEAMS * (TEAMS - 1)
    legs = -(-cards // per_leg)
    people = iter(range(1, players + 1))
    logins, entered = [], []
    with transaction.atomic():
        for number in range(leagues):
            login, made = _league(number, people, legs, today, choose)
            logins.append(login)
            choose.shuffle(made)
            entered.append(made)
        then = today - timedelta(days=365)
        old_login, made = _league(leagues, people, 1, then, choose)
        _enter(made[0])
    return Scene(logins, entered, old_login, made[0], cutoff)


def _publish_all_but_one(today: date) -> date:
    """Publish the lists of the nation but the newest; its cutoff. No worker publishes it before."""
    from ratings import ecf, lists
    from ratings.models import RatingPool

    RatingPool.objects.update(publish_after_days=10_000)
    newest = ecf.half_year_of(today)
    while (cutoff := lists.next_cutoff("standard")) < newest:
        at = datetime(cutoff.year, cutoff.month, 15, 12, tzinfo=UTC)
        lists.publish(pool="standard", cutoff=cutoff, at=at, by=None, outstanding=lambda *_: 0)
    return newest


def _league(number, people, legs, today, choose) -> tuple[str, list[Card]]:
    """A league of ten clubs with a team in each division, an officer, and all its matches."""
    from django.contrib.auth.hashers import make_password

    from clubs.models import User
    from games.models import LeagueRole
    from tests import factories

    league = factories.LeagueFactory(name=f"League {number:02}", slug=f"league-{number:02}")
    clubs = [
        factories.ClubFactory(name=f"Club {number:02}-{n}", slug=f"club-{number:02}-{n}")
        for n in range(TEAMS)
    ]
    season = factories.SeasonFactory(
        league=league,
        label=str(today.year),
        slug=str(today.year),
        starts_on=today - timedelta(days=150),
        ends_on=today + timedelta(days=150),
        published_at=datetime(today.year - 1, 1, 1, tzinfo=UTC),
    )
    made: list[Card] = []
    for tier in range(DIVISIONS):
        seats = [[next(people) for _ in range(BOARDS)] for _ in clubs]
        made += _division(season, clubs, seats, tier, legs, today, choose)
    officer = User.objects.create(
        email=f"officer{number:02}@example.org",
        name=f"Officer {number:02}",
        password=make_password(PASSWORD),
    )
    LeagueRole.objects.create(user=officer, league=league)
    return officer.email, made


def _division(season, clubs, seats, tier, legs, today, choose) -> list[Card]:
    from clubs.models import Membership
    from games.models import Match
    from tests import factories

    name = f"{season.league.slug}/{season.slug}/{tier}"
    division = factories.DivisionFactory(
        season=season,
        name=f"Division {tier + 1}",
        slug=f"division-{tier + 1}",
        board_count=BOARDS,
        rated_event=factories.RatedEventFactory(name=name, source=name),
    )
    teams = [
        factories.TeamFactory(division=division, club=club, name=f"{club.name} {'AB'[tier]}")
        for club in clubs
    ]
    Membership.objects.bulk_create(
        Membership(club=club, player_id=player)
        for club, team in zip(clubs, seats, strict=True)
        for player in team
    )
    pairs = [(h, a) for h in range(TEAMS) for a in range(TEAMS) if h != a]
    made, cards = [], []
    for number, (leg, (home, away)) in enumerate(
        (leg, pair) for leg in range(1, legs + 1) for pair in pairs
    ):
        day = today - timedelta(days=choose.randrange(14))
        made.append(
            Match(
                division=division,
                home=teams[home],
                away=teams[away],
                leg=leg,
                number=number,
                round=leg,
                played_on=day,
                board_count=BOARDS,
            )
        )
        results = [choose.randrange(3) for _ in range(BOARDS)]
        cards.append((day, tuple(zip(seats[home], seats[away], results, strict=True))))
    rows = Match.objects.bulk_create(made)
    return [Card(row.pk, *card) for row, card in zip(rows, cards, strict=True)]


def _enter(card: Card) -> None:
    """Record a card on the evening of its day."""
    from games.match_cards.cards import BoardEntry, record_card

    at = datetime(card.played_on.year, card.played_on.month, card.played_on.day, 23, tzinfo=UTC)
    boards = [
        BoardEntry(n, home, away, "black" if n % 2 else "white", result)
        for n, (home, away, result) in enumerate(card.boards, 1)
    ]
    record_card(match=card.match, boards=boards, version=0, by=None, at=at)
