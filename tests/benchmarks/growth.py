"""What grows how: the same work on 10,000, 100,000 and 1,000,000 games, in the same database.

Run by `python -m tests.benchmarks.ratings --growth`. Milliseconds on the clock, and of the
processors (ours and the server's); the last column is the power of the number of games that the
processors' time grew with from the second size to the third: 0 not at all, 1 in proportion.
"""

import math
import random
from collections.abc import Callable

from .ratings import cards, forget_ratings, games_from, post, turn_round
from .stopwatch import Spent, spent, timed

# As many games a player as a nation has.
SIZES = ((10_000, 1_000), (100_000, 5_000), (1_000_000, 20_000))


def measure(sizes=SIZES, times: int = 20) -> None:
    """Load each size, measure, empty, and print a line for each kind of work."""
    from .nation import empty, generate, is_empty, load

    assert is_empty(), "this benchmark wants an empty database"
    measured: dict[str, list[Spent]] = {}
    for games, players in sizes:
        try:
            _, seconds = timed(lambda n=games, p=players: load(generate(games=n, players=p)))
            print(f"{games:,} games, {players:,} players: made and loaded in {seconds:.0f} s")
            for what, work in works(players, times).items():
                measured.setdefault(what, []).append(work())
        finally:
            empty()
    print()
    print(f"{'milliseconds: clock (processors)':34}", end="")
    print("".join(f"{games:>22,}" for games, _players in sizes), f"{'power':>8}")
    for what, figures in measured.items():
        print(f"{what:34}", end="")
        for each in figures:
            print(f"{f'{1000 * each.wall:,.1f} ({1000 * each.cpu:,.1f})':>22}", end="")
        print(f"{power(sizes, figures):>9.2f}", flush=True)


def power(sizes, figures: list[Spent]) -> float:
    """The power of the number of games that the last step grew with."""
    times = math.log(max(figures[-1].cpu, 1e-4) / max(figures[-2].cpu, 1e-4))
    return times / math.log(sizes[-1][0] / sizes[-2][0])


def works(players: int, times: int) -> dict[str, Callable[[], Spent]]:
    """What is measured, in the order in which it is done; all but the rebuild so many times."""
    last = -(-players // 50)
    return {
        "full rebuild": rebuild,
        "a result of a year ago corrected": lambda: correct(times),
        "a six-board card posted and rated": lambda: enter(times),
        "player page, one of 200 games": lambda: page(f"/players/{typical_player()}/", times),
        "player page, the most games": lambda: page(f"/players/{busiest_player()}/", times),
        "list page": lambda: page("/ratings/", times),
        "list page, the last": lambda: page(f"/ratings/?page={last}", times),
        "list page, a search": lambda: page("/ratings/?q=player0012", times),
    }


def rebuild() -> Spent:
    from ratings import rebuilding

    forget_ratings()
    result = spent(lambda: rebuilding.rebuild("standard"))
    analyze()
    return result


def analyze() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def correct(times: int) -> Spent:
    keys = games_from(365)
    chosen = iter(random.Random(3).sample(keys, min(times, len(keys))))
    return spent(lambda: turn_round(next(chosen)), min(times, len(keys)))


def enter(times: int) -> Spent:
    waiting = iter(cards(times))
    return spent(lambda: post(next(waiting)), times)


def page(address: str, times: int) -> Spent:
    """A page as everybody sees it, through Django's client; the first time is not counted."""
    from django.test import Client

    client = Client()
    assert client.get(address).status_code == 200, address
    return spent(lambda: client.get(address), times)


def busiest_player() -> int:
    from ratings.models import EloRating

    return EloRating.objects.order_by("-games", "pk").values_list("player", flat=True)[0]


def typical_player() -> int:
    """The player whose number of games is nearest to 200, so that the sizes can be compared."""
    from ratings.models import EloRating

    rows = EloRating.objects.order_by("pk").values_list("games", "player")
    return min(rows, key=lambda row: abs(row[0] - 200))[1]
