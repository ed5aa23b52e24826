"""How long a piece of work takes, on the clock and in processors' time, and its row in a table."""

import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

WIDTH = 62


class Spent(NamedTuple):
    """Seconds on the clock, and of the processors: ours and the database server's together."""

    wall: float
    cpu: float


def timed(work: Callable):
    """What `work()` returns and how many seconds it took."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def spent(work: Callable, runs: int = 1) -> Spent:
    """The median on the clock and the mean of the processors' time, which is counted coarsely."""
    walls, cpu = laps(work, runs)
    return Spent(statistics.median(walls), cpu)


def laps(work: Callable, runs: int) -> tuple[list[float], float]:
    """The seconds of each run on the clock, and the mean of the processors' time."""
    server = _server_clock()
    cpu, walls = -time.process_time() - server(), []
    for _ in range(runs):
        walls.append(timed(work)[1])
    cpu += time.process_time() + server()
    return walls, cpu / runs


def _server_clock() -> Callable[[], float]:
    """Processors' seconds of our connection's server process; always 0 where it is elsewhere."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        stat = Path(f"/proc/{cursor.fetchone()[0]}/stat")
    if not stat.exists():
        return lambda: 0.0
    tick = os.sysconf("SC_CLK_TCK")

    def clock() -> float:
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / tick

    return clock


def heading() -> None:
    print(
        f"{'what':{WIDTH}}{'seconds':>9}{'limit':>9}{'ratio':>8}{'of cpu':>8}{'reach':>8}",
        flush=True,
    )


def row(what: str, ours: float | Spent, limit: float | Spent, reach: float | None = None) -> None:
    """One line: what took how long, what that is of its limit, and what it should be at most.

    The ratio of the processors' time stands beside that of the clock where it was taken.
    """
    of_cpu = ""
    if isinstance(ours, Spent) and isinstance(limit, Spent):
        if limit.cpu:
            of_cpu = f"{ours.cpu / limit.cpu:.2f}x"
        ours, limit = ours.wall, limit.wall
    ratio = ours / limit
    wanted = "" if reach is None else f"{reach:7.2f}x{'' if ratio <= reach else '  missed'}"
    print(f"{what:{WIDTH}}{ours:9.3f}{limit:9.3f}{ratio:7.2f}x{of_cpu:>8}{wanted}", flush=True)


def count(what: str, number: float, reach: float, unit: str) -> None:
    """One line: a number that should not pass another."""
    missed = "" if number <= reach else "  missed"
    print(f"{what:{WIDTH}}{number:9.0f} of at most {reach:.0f} {unit}{missed}", flush=True)
