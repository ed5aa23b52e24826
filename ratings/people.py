"""A player in the rating office: a changed fact rates him again, and two may be one person."""

from collections.abc import Collection, Iterable
from datetime import date
from typing import TypedDict

import pghistory
from django.db import transaction
from django.db.models import Q

from clubs.models import Player

from . import live
from .ledger import Touched, place_of
from .models import (
    EloRating,
    Grade,
    GradedGame,
    GradeList,
    OpeningRating,
    RatedGame,
    RatingPool,
)


@transaction.atomic
def correct_birth_date(*, player: int, birth_date: date | None, by) -> int:
    """Store the birth date (and its year) of the player with this pk and rate him again.

    Juniors have a K of their own, so his ratings from his first game on may move. `by` is the
    account. Returns the number of stored rating rows that were written.
    """
    person = Player.objects.select_for_update(no_key=True).get(pk=player)
    pools = lock_pools()
    person.birth_date = birth_date
    if birth_date is not None:
        person.birth_year = birth_date.year
    with pghistory.context(user=getattr(by, "pk", None)):
        person.save(update_fields=["birth_date", "birth_year"])
    return rate_again(pools=pools, players=[player])


@transaction.atomic
def correct_opening(
    *,
    player: int,
    pool: str,
    system: str,
    value: int | None,
    dated_on: date,
    source: str,
    provisional: bool = False,
    by,
) -> int:
    """Replace a player's opening rating or grade, or with `value` None remove it; rate him again.

    `value` is in tenths for a rating, whole for a grade. Returns the number of stored rating
    rows that were written.
    """
    pools = lock_pools()
    with pghistory.context(user=getattr(by, "pk", None)):
        if value is None:
            OpeningRating.objects.filter(player=player, pool=pool, system=system).delete()
        else:
            OpeningRating.objects.update_or_create(
                player_id=player,
                pool_id=pool,
                system=system,
                defaults={
                    "value": value,
                    "provisional": provisional,
                    "dated_on": dated_on,
                    "source": source,
                },
            )
    return rate_again(pools=pools, players=[player])


class JoinedLedger(TypedDict):
    """What went from one player to another, so that `part_ledgers` can give it back.

    `games` and `grades` are pks, the games those that no board stands for. `points` are the rows
    of `GradedGame` that were taken away, dates as text. Openings are pairs of pool and system:
    `openings` went over, of the `exchanged` each has the other's now.
    """

    games: list[int]
    points: list[list]
    grades: list[int]
    openings: list[list[str]]
    exchanged: list[list[str]]


def join_ledgers(
    *,
    pools: Collection[RatingPool],
    kept: int,
    dropped: int,
    boards: Collection[str],
    preferred: Collection[tuple[str, str]] = (),
    reopened: bool = False,
) -> tuple[JoinedLedger, int]:
    """Give all that the rating office has of one player to another and rate both again.

    The pools are all four, locked; the two never met in a game. `boards` are the keys in the
    ledger of games that stand on a card, and move with it. An opening that both have stays the
    kept player's, unless its pool and system are `preferred` of the other. A grade goes over
    where the kept player has none on that list; else both stay on it, as it was published.
    `reopened` says that the kept player's birth date is another now.

    Returns what moved, and the number of stored rating rows that were written.
    """
    games = list(RatedGame.objects.of_player(dropped).select_related("event"))
    pks = [game.pk for game in games]
    points = _take_points(pks)
    _reseat(pks, dropped, kept)
    openings, exchanged = _join_openings(kept, dropped, preferred)
    grades = Grade.objects.filter(player=dropped).exclude(
        grade_list__in=GradeList.objects.filter(grades__player=kept)
    )
    moved = JoinedLedger(
        games=[game.pk for game in games if game.source_key not in boards],
        points=points,
        grades=list(grades.values_list("pk", flat=True)),
        openings=openings,
        exchanged=exchanged,
    )
    Grade.objects.filter(pk__in=moved["grades"]).update(player=kept)
    reopened = reopened or bool(openings or exchanged)
    return moved, _rate_moved(pools, games, {kept, dropped}, {kept} if reopened else set())


def part_ledgers(
    *,
    pools: Collection[RatingPool],
    kept: int,
    dropped: int,
    boards: Collection[str],
    moved: JoinedLedger,
    reopened: bool = False,
) -> int:
    """Give back what `join_ledgers` moved and the kept player still has, and rate both again.

    `boards` are the keys of the games on cards that go back; what he played since stays his.
    Points of games come back as they were, where their list still stands. Returns the number of
    stored rating rows that were written.
    """
    games = list(
        RatedGame.objects.of_player(kept)
        .filter(Q(pk__in=moved["games"]) | Q(source_key__in=boards))
        .select_related("event")
    )
    pks = [game.pk for game in games]
    _take_points(pks)
    _reseat(pks, kept, dropped)
    _put_back_points(moved["points"], pks)
    _part_openings(kept, dropped, moved)
    had_grade = GradeList.objects.filter(grades__player=dropped)
    grades = Grade.objects.filter(pk__in=moved["grades"], player=kept)
    grades.exclude(grade_list__in=had_grade).update(player=dropped)
    reopened = reopened or bool(moved["openings"] or moved["exchanged"])
    both = {kept, dropped}
    return _rate_moved(pools, games, both, both if reopened else set())


def games_between(one: int, other: int):
    """The games of the ledger in which these two met, in the order of play."""
    met = Q(white=one, black=other) | Q(white=other, black=one)
    return RatedGame.objects.filter(met).select_related("event").in_order_of_play()


def ratings_of(players: Collection[int] | None = None) -> dict[tuple[int, str], int]:
    """The stored rating in tenths by player and pool, of these players or of everybody."""
    rows = (
        EloRating.objects.all() if players is None else EloRating.objects.filter(player__in=players)
    )
    return {
        (player, pool): rating
        for player, pool, rating in rows.values_list("player", "pool", "rating")
    }


def lock_pools() -> list[RatingPool]:
    """All pools, locked in the order of their names, before a fact from outside is written.

    All four, for a fact of one pool may open the rating in another (rules/elo.md section 1), and
    a card that is being saved may hold the first game there.
    """
    return list(RatingPool.objects.select_for_update(no_key=True).order_by("pk"))


def rate_again(*, pools: Collection[RatingPool], players: Collection[int]) -> int:
    """Rate these players again from their first game on, in each of the pools, which are locked.

    Returns the number of stored rating rows that were written.
    """
    written = 0
    for pool in pools:
        touched = _from_first_game(pool, players)
        if touched.since is not None:
            written += live.update(pool=pool, touched=touched, reopened=players)
    return written


def _from_first_game(pool: RatingPool, players: Collection[int]) -> Touched:
    touched = Touched()
    first = (
        RatedGame.objects.filter(event__pool=pool)
        .filter(Q(white__in=players) | Q(black__in=players))
        .select_related("event")
        .in_order_of_play()
        .first()
    )
    if first is not None:
        touched.add(place_of(first.event, first), *players)
    return touched


# --- Two players' ledgers ----------------------------------------------------------------

POINTS = [field.attname for field in GradedGame._meta.concrete_fields]
OUTSIDE_FACTS = ("value", "provisional", "dated_on", "source")


def _reseat(games: Collection[int], leaves: int, comes: int) -> None:
    """Seat one player in these games where the other sat, whatever colour he had."""
    for colour in ("white", "black"):
        RatedGame.objects.filter(pk__in=games, **{colour: leaves}).update(**{colour: comes})


def _take_points(games: Collection[int]) -> list[list]:
    """Take away what grade lists made of these games, as for any correction; returns it."""
    rows = GradedGame.objects.filter(pk__in=games)
    taken = [list(row) for row in rows.order_by("pk").values_list(*POINTS)]
    rows._raw_delete("default")
    return [
        [value.isoformat() if isinstance(value, date) else value for value in row] for row in taken
    ]


def _put_back_points(points: Iterable[list], games: Collection[int]) -> None:
    """Store the points of those of these games whose grade list is still there."""
    rows = [GradedGame(**dict(zip(POINTS, row, strict=True))) for row in points]
    lists = set(
        GradeList.objects.filter(pk__in={row.grade_list_id for row in rows}).values_list(
            "pk", flat=True
        )
    )
    games = set(games)
    GradedGame.objects.bulk_create(
        row for row in rows if row.game_id in games and row.grade_list_id in lists
    )


def _join_openings(
    kept: int, dropped: int, preferred: Collection[tuple[str, str]]
) -> tuple[list[list[str]], list[list[str]]]:
    """Give the openings over that the kept player lacks, and those preferred to his own."""
    own, others = _openings_of(kept), _openings_of(dropped)
    moved = sorted(others.keys() - own.keys())
    exchanged = sorted(others.keys() & own.keys() & set(preferred))
    OpeningRating.objects.filter(pk__in=[others[key].pk for key in moved]).update(player=kept)
    for key in exchanged:
        _exchange(own[key], others[key])
    return [list(key) for key in moved], [list(key) for key in exchanged]


def _part_openings(kept: int, dropped: int, moved: JoinedLedger) -> None:
    """Undo `_join_openings`: an opening that was corrected since goes back corrected."""
    own, others = _openings_of(kept), _openings_of(dropped)
    back = [
        own[key].pk for key in map(tuple, moved["openings"]) if key in own.keys() - others.keys()
    ]
    OpeningRating.objects.filter(pk__in=back).update(player=dropped)
    for key in map(tuple, moved["exchanged"]):
        if key in own and key in others:
            _exchange(own[key], others[key])


def _openings_of(player: int) -> dict[tuple[str, str], OpeningRating]:
    rows = OpeningRating.objects.filter(player=player)
    return {(row.pool_id, row.system): row for row in rows}


def _exchange(one: OpeningRating, other: OpeningRating) -> None:
    """Let two openings have each other's value."""
    for name in OUTSIDE_FACTS:
        own, others = getattr(one, name), getattr(other, name)
        setattr(one, name, others)
        setattr(other, name, own)
    OpeningRating.objects.bulk_update([one, other], OUTSIDE_FACTS)


def _rate_moved(
    pools: Collection[RatingPool],
    games: Collection[RatedGame],
    both: set[int],
    reopened: Collection[int],
) -> int:
    """Bring Elo up to date after these games went from one of two players to the other.

    `games` still say who sat there before. `reopened` are players whose opening or birth date is
    another now.
    """
    written = 0
    for pool in sorted(pools, key=lambda pool: pool.pk):
        touched = _from_first_game(pool, reopened) if reopened else Touched()
        for game in games:
            if game.event.pool_id == pool.pk:
                touched.add(place_of(game.event, game), game.white_id, game.black_id, *both)
                touched.moved.add(game.pk)
        written += live.update(pool=pool, touched=touched, reopened=reopened)
    return written
