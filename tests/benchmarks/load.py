"""Fifty cards a second into one pool, and servers killed while cards come in.

    python -m tests.benchmarks.load                   # a minute at 50 cards a second
    python -m tests.benchmarks.load --kill web        # kill -9 of the web process, 50 times
    python -m tests.benchmarks.load --kill postgres   # of PostgreSQL and its children

Makes a PostgreSQL of its own that keeps what it commits (fsync on), a nation's ledger and leagues
with matches to enter; starts gunicorn with two workers by the settings of production, and a job
worker. Twenty accounts log in as a browser does and send cards at the given rate, whether earlier
ones are answered or not; at one third of the time a result of last year is corrected, at two
thirds a grade list comes out. If the rate does not hold, the highest that does is measured, and
what bounds it. The exit status is 1 if any card was refused, lost, half stored or doubled, or if
`verify_ledger` finds a difference.
"""

import argparse
import os
import signal
import statistics
import sys
import threading
import time
from datetime import date

from .load_clients import Crowd, Outcome
from .load_kills import kill_again_and_again
from .load_stand import Stand

HOLDS = 0.98  # of the cards that were due must be accepted within the time
LATE = 1.0  # seconds after its turn, p95: beyond it a rate does not hold


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rate", type=float, default=50, help="cards a second in total")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--connections", type=int, default=20)
    parser.add_argument("--games", type=int, default=200_000, help="of the ledger before")
    parser.add_argument("--players", type=int, default=6_000)
    parser.add_argument("--workers", type=int, default=2, help="of gunicorn")
    parser.add_argument("--threads", type=int, default=1, help="of each of them")
    parser.add_argument("--kill", choices=["web", "postgres"])
    parser.add_argument("--times", type=int, default=50, help="how often to kill")
    options = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    try:
        with Stand(workers=options.workers, threads=options.threads) as stand:
            faults = run(stand, options)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    print("VERDICT:", "no fault" if not faults else f"{len(faults)} faults")
    for fault in faults[:20]:
        print(" ", fault)
    return 1 if faults else 0


def run(stand: Stand, options) -> list[str]:
    """Set it up, put the load or the kills on it; what went wrong, in sentences."""
    scene = prepare(stand, options)
    stand.start_web()
    stand.start_worker()
    crowd = Crowd(stand.port, scene)
    crowd.log_in()
    if options.kill:
        faults = kill_again_and_again(stand, crowd, options.kill, options.times, options.rate)
    else:
        faults = load(stand, crowd, scene, options)
    print("Verifying the ledger ...", flush=True)
    said = stand.manage("verify_ledger")
    print(said.stdout.strip().splitlines()[-1])
    if said.returncode:
        faults.append(f"verify_ledger: {said.stdout.strip()}")
    if faults:
        print(f"The last words of the web server:\n{stand.last_words('web', 40)}")
    return faults


def prepare(stand: Stand, options):
    """The database with all that the run needs, made by this process."""
    start = time.perf_counter()
    stand.start_postgres()
    os.environ.pop("TOPBOARD_DEV", None)
    os.environ.update(stand.environment)
    for command in (("migrate", "--verbosity", "0"), ("collectstatic", "--noinput")):
        said = stand.manage(*command)
        if said.returncode:
            raise RuntimeError(said.stdout)
    import django

    django.setup()
    from django.db import connection

    from .load_scene import make

    seconds = options.times * 1.5 if options.kill else options.seconds
    scene = make(
        games=options.games,
        players=options.players,
        leagues=options.connections,
        cards=int(options.rate * seconds * 1.5) + 2000,
        today=date.today(),
    )
    connection.close()
    connection.close_pool()
    took = time.perf_counter() - start
    print(f"{options.games:,} games in the ledger, set up in {took:.0f} s", flush=True)
    return scene


def load(stand: Stand, crowd: Crowd, scene, options) -> list[str]:
    """The minute, with a correction and a list in between; then the highest rate if need be."""
    from .load_checks import Database

    database = Database(stand.environment["DATABASE_URL"])
    beside = [
        threading.Timer(options.seconds / 3, correct, [crowd, scene]),
        threading.Timer(options.seconds * 2 / 3, publish, [stand, scene]),
    ]
    for timer in beside:
        timer.start()
    outcomes, took, busy = measured(stand, crowd, options.rate, options.seconds)
    for timer in beside:
        timer.join()
    faults = report(options.rate, outcomes, took, busy)
    deadlocks = database.deadlocks()
    print(f"deadlocks: {deadlocks}")
    if deadlocks:
        faults.append(f"{deadlocks} deadlocks")
    faults += crowd.faults
    if not holds(options.rate, outcomes, options.seconds):
        print(f"{options.rate:g} cards a second do not hold; as fast as it goes, for 20 s:")
        outcomes, took, busy = measured(stand, crowd, None, 20)
        faults += report(None, outcomes, took, busy)
    print("Comparing every card with what is stored ...", flush=True)
    return faults + database.faults_of(crowd.sent)


def measured(stand: Stand, crowd: Crowd, rate: float | None, seconds: float):
    """Outcomes of sending cards so long, the time it took, processor seconds by process."""
    before, start = stand.processor_seconds(), time.perf_counter()
    outcomes = crowd.send(rate=rate, seconds=seconds)
    took = time.perf_counter() - start
    after = stand.processor_seconds()
    return outcomes, took, {name: after[name] - before.get(name, 0) for name in after}


def holds(rate: float, outcomes: list[Outcome], seconds: float) -> bool:
    """Whether nearly all cards were answered in the time, and without a queue."""
    in_time = [o for o in outcomes if o.accepted and o.answered_at <= seconds + LATE]
    return len(in_time) >= HOLDS * rate * seconds


def report(rate: float | None, outcomes: list[Outcome], took: float, busy) -> list[str]:
    """Print the figures; the cards that were not accepted, as faults."""
    accepted = [o for o in outcomes if o.accepted]
    refused = [o for o in outcomes if not o.accepted]
    print(
        f"cards sent: {len(outcomes)} in {took:.1f} s, accepted: {len(accepted)}"
        f" ({len(accepted) / took:.1f} a second), errors: {len(refused)}"
    )
    _percentiles("a card, from sending to answer", [o.seconds for o in accepted])
    if rate is not None:
        _percentiles("a card, from its turn to answer", [o.waited for o in accepted])
    shares = ", ".join(f"{name} {used / took:.2f}" for name, used in busy.items())
    print(f"processors used: {shares}; of {os.cpu_count()}, load average {os.getloadavg()[0]:.1f}")
    each = sum(busy.values()) / max(1, len(accepted))
    print(
        f"processor time of all a card: {1000 * each:.1f} ms, so that {os.cpu_count()} processors"
        f" of our own would take {os.cpu_count() / each:.0f} a second"
    )
    return [f"match {o.card.match}: {o.problem}" for o in refused]


def _percentiles(what: str, seconds: list[float]) -> None:
    if len(seconds) > 1:
        cuts = statistics.quantiles(seconds, n=100, method="inclusive")
        p50, p95, p99 = (f"{1000 * cuts[n - 1]:.0f}" for n in (50, 95, 99))
        print(f"{what}: p50 {p50}, p95 {p95}, p99 {p99}, most {1000 * max(seconds):.0f} ms")


def correct(crowd: Crowd, scene) -> None:
    """Turn round a result of last year, as its officer."""
    start = time.perf_counter()
    problem = crowd.correct(scene)
    took = time.perf_counter() - start
    print(f"last year's result corrected in {1000 * took:.0f} ms: {problem or 'saved'}", flush=True)


def publish(stand: Stand, scene) -> None:
    """Publish the list, as an officer on the server does."""
    start = time.perf_counter()
    said = stand.manage("publish_grades", str(scene.cutoff), "--pool", "standard")
    took = time.perf_counter() - start
    print(f"grade list in {took:.1f} s with its start: {said.stdout.strip()}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
