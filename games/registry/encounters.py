"""A player's rated games added up: by opponent, colour and event; and those against one other."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Case, Count, F, Max, Q, SmallIntegerField, Sum, Value, When
from django.db.models.fields import CharField

from clubs.access import may_see_names
from clubs.models import Player
from ratings.models import PoolName, RatedEvent, RatedGame

from .players import visible_games

COLOURS = ("white", "black", "")
SUMS = ("played", "won", "drawn", "lost", "halves", "changes")


@dataclass(frozen=True, slots=True)
class Tally:
    """Games as played, added up; `halves` are half-points, `changes` tenths of a point.

    `pools` are those of the games.
    """

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    halves: int = 0
    changes: int = 0
    pools: frozenset[str] = frozenset()

    def __add__(self, other: "Tally") -> "Tally":
        sums = (getattr(self, name) + getattr(other, name) for name in SUMS)
        return Tally(*sums, self.pools | other.pools)

    @property
    def change(self) -> int | None:
        """What the games did to the Elo, in tenths; None across pools, for no rating moved so."""
        return self.changes if len(self.pools) == 1 else None

    @property
    def lost_halves(self) -> int:
        """The half-points of the other side."""
        return 2 * self.played - self.halves

    @property
    def percent(self) -> int | None:
        """The score in percent, halves up; None without a game."""
        return (100 * self.halves + self.played) // (2 * self.played) if self.played else None


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody he has met: all their games, and the day of the last."""

    player: Player
    tally: Tally
    last_on: date


@dataclass(frozen=True, slots=True)
class EventScore:
    """His games in one event, a division or a congress."""

    event: RatedEvent
    tally: Tally

    @property
    def division(self):
        return getattr(self.event, "division", None)

    @property
    def season_label(self) -> str:
        """What its league calls the season, where the heading of the year does not say the same."""
        label = self.division.season.label
        year = chess_year(self.division.season.starts_on)
        return "" if label.replace("-", "–") == year_label(year) else label


@dataclass(frozen=True, slots=True)
class YearScore:
    """His events of one chess year, 1 July to 30 June, by the year in which it begins."""

    year: int
    events: list[EventScore]

    @property
    def label(self) -> str:
        return year_label(self.year)

    @property
    def tally(self) -> Tally:
        return sum((event.tally for event in self.events), Tally())


def year_label(year: int) -> str:
    """A chess year as people write it: 2026–27."""
    return f"{year}–{(year + 1) % 100:02}"


def chess_year(day: date) -> int:
    """The year in which the chess year of `day` begins, on 1 July."""
    return day.year if day.month >= 7 else day.year - 1


def added_up(player: Player, games, by: str) -> tuple[dict[Any, Tally], dict[Any, date]]:
    """The sums for each value of `by` (`opponent`, `colour`, `event`), and the day of the last."""
    own_white = Q(white=player.pk)
    rows = (
        games.annotate(
            opponent=Case(When(own_white, then=F("black")), default=F("white")),
            colour=Case(
                When(colours_known=False, then=Value("")),
                When(own_white, then=Value("white")),
                default=Value("black"),
                output_field=CharField(),
            ),
            own_halves=Case(
                When(own_white, then=F("white_halves")),
                default=Value(2) - F("white_halves"),
                output_field=SmallIntegerField(),
            ),
            own_change=Case(
                When(own_white, then=F("elo__white_change")), default=F("elo__black_change")
            ),
        )
        .order_by()
        .values_list(by, "event__pool")
        .annotate(
            played=Count("pk"),
            won=Count("pk", filter=Q(own_halves=2)),
            drawn=Count("pk", filter=Q(own_halves=1)),
            lost=Count("pk", filter=Q(own_halves=0)),
            halves=Sum("own_halves"),
            changes=Sum("own_change", default=0),
            last_on=Max("played_on"),
        )
    )
    tallies: dict[Any, Tally] = defaultdict(Tally)
    last: dict[Any, date] = {}
    for value, pool, *sums, last_on in rows:
        tallies[value] += Tally(*sums, frozenset([pool]))
        last[value] = max(last_on, last.get(value, last_on))
    return tallies, last


def opponents_of(player: Player, user, today: date, pool: str = "") -> list[Opponent]:
    """Everybody he has met in games that the account may see, those met most often first.

    Names that the account does not see stand last among their equals.
    """
    tallies, last = added_up(player, visible_games(player, user, pool), "opponent")
    players = Player.objects.in_bulk(tallies)
    met = [Opponent(players[pk], tally, last[pk]) for pk, tally in tallies.items()]

    def order(opponent: Opponent) -> tuple:
        hidden = not may_see_names(user) and opponent.player.is_hidden(today)
        name = "" if hidden else opponent.player.sort_name
        return -opponent.tally.played, hidden, name, opponent.player.pk

    return sorted(met, key=order)


def by_colour(player: Player, user, pool: str = "") -> list[tuple[str, Tally]]:
    """His score with each colour, "" where it is not known; colours he never had are missing."""
    tallies, _last = added_up(player, visible_games(player, user, pool), "colour")
    return in_order(tallies)


def in_order(tallies: dict[str, Tally]) -> list[tuple[str, Tally]]:
    return [(colour, tallies[colour]) for colour in COLOURS if colour in tallies]


def by_year(player: Player, user, pool: str = "") -> list[YearScore]:
    """His score in each event, by chess years, the newest first; within one the largest first."""
    tallies, last = added_up(player, visible_games(player, user, pool), "event")
    events = RatedEvent.objects.select_related("division__season__league", "pool").in_bulk(tallies)
    years: dict[int, list[EventScore]] = defaultdict(list)
    for pk, tally in tallies.items():
        division = getattr(events[pk], "division", None)
        year = chess_year(division.season.starts_on if division else last[pk])
        years[year].append(EventScore(events[pk], tally))
    pools = list(PoolName.values)

    def order(score: EventScore) -> tuple:
        event = score.event
        return pools.index(event.pool_id), -score.tally.played, event.name, event.pk

    return [YearScore(year, sorted(years[year], key=order)) for year in sorted(years, reverse=True)]


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """All games between two players as the first of them sees them, the newest first."""

    other: Player
    games: list[RatedGame]
    total: Tally
    colours: list[tuple[str, Tally]]


def head_to_head(player: Player, other: Player, user) -> HeadToHead:
    """The games of the two that the account may see, and the first one's score."""
    games = visible_games(player, user).filter(Q(white=other) | Q(black=other))
    tallies, _last = added_up(player, games, "colour")
    return HeadToHead(other, list(games), sum(tallies.values(), Tally()), in_order(tallies))
