"""What `./topboard run` does once environment and database stand: web and job worker together.

    python -m config.run [[HOST:]PORT]

Brings the tables up to date, loads the demo league into an empty database, starts the development
web server and the job worker, and stops both on Ctrl-C, on SIGTERM, or when one of them ends.
"""

import contextlib
import io
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from config.cluster import tied

MANAGE = Path(__file__).resolve().parent.parent / "manage.py"
DEFAULT = "127.0.0.1:8000"
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # and how to reach it from here
LOCAL = {"127.0.0.1", "::1", "localhost", *EVERYWHERE}


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT` or `PORT`; raises `ValueError` saying what was expected."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"{text!r} is no address; expected HOST:PORT, such as {DEFAULT}")
    return host.strip("[]") or "127.0.0.1", int(port)


def refuse_taken(host: str, port: int) -> None:
    """Raise `OSError` when the address cannot be listened on."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(address)
            trial.listen()
        except OSError as error:
            raise OSError(f"cannot listen on {host}:{port}: {error.strerror}") from None


def prepare() -> str:
    """Bring the tables up to date, make the demo league if there is none; the demo's logins."""
    import django
    from django.core.management import call_command
    from django.db import connections

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    print("Bringing the database up to date ...", flush=True)
    call_command("migrate", verbosity=0, interactive=False)
    call_command("make_demo", "--if-empty")
    logins = io.StringIO()
    call_command("make_demo", "--logins", stdout=logins)
    connections.close_all()
    return logins.getvalue()


def addresses(host: str, port: int) -> list[str]:
    """Where Topboard is found: from this machine, and last from the network if it listens there."""
    shown = f"[{host}]" if ":" in host else host
    found = [f"http://{'localhost' if host in LOCAL else shown}:{port}"]
    if host in EVERYWHERE:
        with contextlib.suppress(OSError), socket.socket(type=socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing; finds our own address
            found.append(f"http://{probe.getsockname()[0]}:{port}")
    return found


def lead_mails_here(host: str, port: int) -> None:
    """Let links in mails lead to this server, in a way that a phone can follow if any can.

    An address that the environment names is kept.
    """
    os.environ["SITE_ADDRESS"] = os.environ.get("SITE_ADDRESS") or addresses(host, port)[-1]


def words_of(found: list[str]) -> list[str]:
    """The lines that say where Topboard is found."""
    return [f"Topboard runs at {found[0]}", *(f"from the network at {url}" for url in found[1:])]


class Together:
    """Processes that stop together, each in a group of its own so that its children go with it."""

    def __init__(self):
        self.processes: dict[str, subprocess.Popen] = {}

    def start(self, name: str, *arguments: str) -> None:
        command = [*tied(signal.SIGTERM), sys.executable, MANAGE, *arguments]
        quiet = os.environ | {"DJANGO_RUNSERVER_HIDE_WARNING": "true"}  # that it is no production
        self.processes[name] = subprocess.Popen(command, env=quiet, start_new_session=True)

    def ended(self) -> str | None:
        """The name of one that has ended by itself, if any."""
        return next(
            (n for n, process in self.processes.items() if process.poll() is not None), None
        )

    def stop(self) -> None:
        for end, patience in ((signal.SIGTERM, 10), (signal.SIGKILL, 5)):
            for process in self.processes.values():
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, end)
            deadline = time.monotonic() + patience
            for process in self.processes.values():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(0, deadline - time.monotonic()))


def answers(host: str, port: int) -> bool:
    try:
        with socket.create_connection((EVERYWHERE.get(host, host), port), timeout=1):
            return True
    except OSError:
        return False


def run(host: str, port: int, logins: str) -> int:
    """Serve until told to stop (0) or until web or worker ends by itself (1)."""
    shown = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    both = Together()
    try:
        both.start("web", "runserver", shown)
        both.start("worker", "procrastinate", "worker")
        while not answers(host, port) and not both.ended():
            time.sleep(0.1)
        if not both.ended():
            print(
                *words_of(addresses(host, port)), logins + "Ctrl-C stops it.", sep="\n", flush=True
            )
        while not (ended := both.ended()):
            time.sleep(0.2)
        print(f"topboard: the {ended} process ended, so all stops.", file=sys.stderr)
        return 1
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        both.stop()


def main(arguments: list[str]) -> int:
    for end in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(end, lambda number, frame: sys.exit(0))
    try:
        host, port = parse_address(arguments[0] if arguments else DEFAULT)
        refuse_taken(host, port)
    except (ValueError, OSError) as error:
        print(f"topboard: {error}", file=sys.stderr)
        return 1
    lead_mails_here(host, port)
    return run(host, port, logins=prepare())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
