"""Requests a second of a table's page: cold, kept and not modified, beside what is least.

    python -m tests.benchmarks.requests [--seconds 2] [--rounds 10]

Makes a PostgreSQL of its own with a league of ten teams half way through its season, and starts
gunicorn with one worker by the settings of production. Each page is asked for by two clients at
a time, in turns with a view of one line and a static file, so that whatever else the machine does
meets them alike; the best round of each counts. The kept page is to reach half of the one-line
view; the exit status is 1 if it does not.
"""

import argparse
import os
import signal
import socket
import sys
import threading
import time
from datetime import date
from typing import NamedTuple

from .load_stand import HOST, Stand

CLIENTS = 2
REACH = 0.5


class Asked(NamedTuple):
    """An address, what a request sends beside it, and the status that has to come back."""

    what: str
    address: str
    headers: str = ""
    status: int = 200


class Speed(NamedTuple):
    """Requests a second on the clock, and milliseconds of the web process's time for one."""

    rate: float
    milliseconds: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2, help="a page and round")
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    with Stand(workers=1) as stand:
        stand.environment["DJANGO_SETTINGS_MODULE"] = "tests.benchmarks.request_settings"
        division = prepare(stand)
        stand.start_web()
        return report(measure(stand, division, options.seconds, options.rounds))


def prepare(stand: Stand) -> int:
    """The database with its league; the pk of the division whose table is asked for."""
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

    from games.models import Division

    from .county import Size, load

    load(Size(leagues=1, divisions=2, teams=10, seasons=1, double=1, lists=1), today=date.today())
    division = Division.objects.get(rank=1).pk
    connection.close()
    connection.close_pool()
    return division


def measure(stand: Stand, division: int, seconds: float, rounds: int) -> dict[str, Speed]:
    """The best of some rounds of each, in turns."""
    page = f"/divisions/{division}/"
    head, _body = ask(stand.port, request_of(page)).split("\r\n\r\n", 1)
    fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:])
    wanted = [
        Asked("a static file", "/static/img/mark.svg"),
        Asked("a view of one line", "/one-line/"),
        Asked("the table, cold", f"/cold/{division}/"),
        Asked("the table, kept", page),
        Asked("the table, not modified", page, f"If-None-Match: {fields['ETag']}\r\n", 304),
    ]
    found: dict[str, list[Speed]] = {asked.what: [] for asked in wanted}
    for _round in range(rounds):
        for asked in wanted:
            found[asked.what].append(speed(stand, asked, seconds))
    return {
        what: Speed(max(s.rate for s in speeds), min(s.milliseconds for s in speeds))
        for what, speeds in found.items()
    }


def speed(stand: Stand, asked: Asked, seconds: float) -> Speed:
    """How fast an address is answered while two clients ask for it again and again."""
    request = request_of(asked.address, asked.headers)
    counts = [0] * CLIENTS
    faults: list[str] = []
    expected = f" {asked.status} "
    until = time.monotonic() + seconds

    def client(number: int) -> None:
        while time.monotonic() < until and not faults:
            said = ask(stand.port, request)
            if expected not in said[:20]:
                faults.append(said[:200])
            counts[number] += 1

    before, start = stand.processor_seconds()["web"], time.perf_counter()
    threads = [threading.Thread(target=client, args=[number]) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - start
    used = stand.processor_seconds()["web"] - before
    if faults:
        raise RuntimeError(f"{asked.address}: {faults[0]}")
    return Speed(sum(counts) / took, 1000 * used / sum(counts))


def request_of(address: str, headers: str = "") -> bytes:
    """What a browser sends through the proxy that ends TLS."""
    return (
        f"GET {address} HTTP/1.1\r\nHost: {HOST}\r\nX-Forwarded-Proto: https\r\n"
        f"Accept-Language: en-GB\r\n{headers}Connection: close\r\n\r\n"
    ).encode()


def ask(port: int, request: bytes) -> str:
    """The whole answer; a worker of gunicorn closes after each."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(request)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts).decode("latin-1")


def report(found: dict[str, Speed]) -> int:
    """Print the speeds beside the one-line view's; 1 if the kept page is not half as fast."""
    least = found["a view of one line"]
    print(f"{'':28}{'a second':>10}{'of one line':>13}{'ms of web':>11}{'of one line':>13}")
    for what, each in found.items():
        of_rate, of_time = each.rate / least.rate, least.milliseconds / each.milliseconds
        print(
            f"{what:28}{each.rate:10.0f}{of_rate:12.2f}x{each.milliseconds:11.2f}{of_time:12.2f}x"
        )
    reached = found["the table, kept"].rate / least.rate
    print(f"kept: {reached:.2f} of the one-line view, at least {REACH}")
    return int(reached < REACH)


if __name__ == "__main__":
    sys.exit(main())
