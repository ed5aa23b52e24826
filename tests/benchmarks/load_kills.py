"""`kill -9` while cards come in, again and again; after each, what is stored and what was said."""

import random
import threading
import time

from .load_checks import Database
from .load_clients import Crowd, Outcome
from .load_stand import Stand

RECOVERS = 30  # seconds that a server may take to accept cards again


def kill_again_and_again(
    stand: Stand, crowd: Crowd, what: str, times: int, rate: float, seed: int = 1
) -> list[str]:
    """Kill web or PostgreSQL at random moments; every fault found, in a sentence.

    After each kill and restart every card of the round is whole or absent, none that was
    acknowledged is absent, and those that got no answer are sent once more: that must be
    accepted, and leave one whole card whether it was stored the first time or not.
    """
    choose = random.Random(seed)
    faults: list[str] = []
    counts = dict.fromkeys(("sent", "acknowledged", "whole without answer", "absent"), 0)
    slowest = 0.0
    for number in range(1, times + 1):
        outcomes, killed = _until_killed(stand, crowd, what, rate, choose.uniform(0.4, 2.0))
        database = Database(stand.environment["DATABASE_URL"])
        found = _compare(database, outcomes, counts)
        found += _send_again(crowd, database, outcomes)
        slowest = max(slowest, time.perf_counter() - killed)
        if not stand.lives("worker"):
            stand.start_worker()
        faults += [f"kill {number}: {fault}" for fault in found]
        if number % 10 == 0 or number == times:
            words = ", ".join(f"{name} {count}" for name, count in counts.items())
            print(f"{number} kills of {what}: {words}; {len(faults)} faults", flush=True)
    print(f"slowest, from the kill until all cards of the round were stored: {slowest:.1f} s")
    return faults


def _until_killed(
    stand: Stand, crowd: Crowd, what: str, rate: float, after: float
) -> tuple[list[Outcome], float]:
    """Send cards until the kill, which comes so many seconds later, and start the server again.

    All that was sent, and when the kill was.
    """
    stop = threading.Event()
    killed: list[float] = []
    errors: list[BaseException] = []

    def kill() -> None:
        try:
            if what == "postgres":
                stand.kill_postgres()
            else:
                stand.kill("web")
            stop.set()
            killed.append(time.perf_counter())
            if what == "postgres":  # requests wait for it
                stand.start_postgres()
        except BaseException as error:
            errors.append(error)
        finally:
            stop.set()

    timer = threading.Timer(after, kill)
    timer.start()
    outcomes = crowd.send(rate=rate, seconds=after + RECOVERS, stop=stop)
    timer.join()
    if errors:
        raise errors[0]
    if what == "web":  # not by the other thread: the process is tied to the one that starts it
        stand.start_web()
    return outcomes, killed[0]


def _compare(database: Database, outcomes: list[Outcome], counts: dict[str, int]) -> list[str]:
    """Faults of the round's cards as they are stored now."""
    deadline = time.monotonic() + RECOVERS
    while database.others() and time.monotonic() < deadline:
        time.sleep(0.02)  # a session of the dead web process may be committing still
    states = database.states({o.card.match: o.card for o in outcomes})
    for outcome in outcomes:
        state = states[outcome.card.match]
        counts["sent"] += 1
        counts["acknowledged"] += outcome.accepted
        counts["whole without answer"] += state == "whole" and not outcome.accepted
        counts["absent"] += state == "absent"
    return database.faults_of({o.card.match: o for o in outcomes})


def _send_again(crowd: Crowd, database: Database, outcomes: list[Outcome]) -> list[str]:
    """Send what got no answer once more, as people do; then all of the round must be whole."""
    deadline = time.monotonic() + RECOVERS
    faults = []
    for outcome in outcomes:
        again = outcome
        while not again.accepted and time.monotonic() < deadline:
            again = crowd.send_one(outcome.browser, outcome.card)
            if not again.accepted:
                time.sleep(0.1)
        if not again.accepted:
            faults.append(f"match {outcome.card.match}, sent again: {again.problem}")
    states = database.states({o.card.match: o.card for o in outcomes})
    return faults + [f"match {m}: {state}" for m, state in states.items() if state != "whole"]
