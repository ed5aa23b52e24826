"""A private PostgreSQL for development and tests: real, on a Unix socket only, gone when unused.

    python -m config.postgres run -- COMMAND         on the database kept in .postgres/<major>/
    python -m config.postgres throwaway -- COMMAND   on a new one, deleted afterwards

COMMAND finds the server in DATABASE_URL and its programs (`psql`) first in PATH; its exit status
and the signals sent to us are passed on. `./topboard` is the usual caller; inside Python the same
two are the context managers `serve()` and `throwaway()`.

Who starts and stops the kept server: everybody who uses it holds a shared flock on
`<major>.use.lock`, inherited by the command, so it ends with the last process that needs the
server and cannot outlive a `kill -9`. Whoever arrives starts the server if none runs, whoever
leaves stops it if nobody else holds the lock; both under `<major>.start.lock`. A running server
that nobody holds is taken over.
"""

import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from config.cluster import (
    ENDING,
    SOCKETS,
    Cluster,
    PrivateServerError,
    Programs,
    find_programs,
    tied,
)

HOME = Path(__file__).resolve().parent.parent / ".postgres"
THROWAWAY = "topboard-throwaway-"
SI_KERNEL = 0x80  # the si_code of what a terminal sends


@dataclass(frozen=True)
class Server:
    """A running server: its address, its programs, the descriptor of the lock that keeps it up."""

    url: str
    programs: Programs
    lock: int


# For callers -----------------------------------------------------------------------------------
@contextlib.contextmanager
def serve(folder: Path = HOME) -> Iterator[Server]:
    """The kept server of `folder`, up while the block runs; the last to leave stops it."""
    programs = find_programs()
    folder.mkdir(parents=True, exist_ok=True)
    cluster = Cluster(folder, programs)
    users = None
    try:
        with _locked(cluster.lock_file("start"), fcntl.LOCK_EX):
            users = _lock(cluster.lock_file("use"), fcntl.LOCK_SH)
            url = cluster.ensure_running()
        yield Server(url, programs, users)
    finally:
        if users is not None:
            os.close(users)
            with _locked(cluster.lock_file("start"), fcntl.LOCK_EX):
                try:
                    with _locked(cluster.lock_file("use"), fcntl.LOCK_EX | fcntl.LOCK_NB):
                        cluster.stop()
                except BlockingIOError:
                    cluster.leave()


@contextlib.contextmanager
def throwaway() -> Iterator[Server]:
    """A new empty server, fast because it may lose everything; gone after the block.

    It dies with this process. What a killed process left on disk, the next call removes.
    """
    programs = find_programs()
    for left in SOCKETS.glob(f"{THROWAWAY}*"):
        _sweep(left, programs)
    folder = Path(tempfile.mkdtemp(prefix=THROWAWAY, dir=SOCKETS))
    folder.chmod(0o711)  # to be passed by the server's user
    cluster = Cluster(folder, programs, durable=False)
    try:
        with _locked(cluster.lock_file("use"), fcntl.LOCK_SH) as users:
            try:
                yield Server(cluster.ensure_running(), programs, users)
            finally:
                cluster.stop()
    finally:
        shutil.rmtree(folder)


def _sweep(folder: Path, programs: Programs) -> None:
    """Remove a throw-away folder whose maker is dead; a younger one may just be being made."""
    with contextlib.suppress(OSError):  # somebody else's, or in use
        found = folder.lstat()
        if found.st_uid == os.geteuid() and time.time() - found.st_mtime > 60:
            for lock_file in folder.glob("*.use.lock"):
                with _locked(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    Cluster(folder, programs, durable=False).stop()
                    shutil.rmtree(folder)


def _lock(path: Path, how: int) -> int:
    """A descriptor that holds the lock; raises `BlockingIOError` under LOCK_NB."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, how)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


@contextlib.contextmanager
def _locked(path: Path, how: int) -> Iterator[int]:
    descriptor = _lock(path, how)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


# The command -----------------------------------------------------------------------------------
def run(command: list[str], server: Server) -> int:
    """Run `command` on the server; its exit status, 128 + n when signal n ended it.

    Leaves the signals in `ENDING` blocked, so that what comes after is not interrupted.
    """
    path = f"{server.programs.folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    ignored = {s for s in (signal.SIGHUP,) if signal.getsignal(s) == signal.SIG_IGN}  # nohup
    awaited = ENDING - ignored | {signal.SIGCHLD}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    child = subprocess.Popen(
        [*tied(signal.SIGTERM), *command],
        env=os.environ | {"DATABASE_URL": server.url, "PATH": path},
        pass_fds=[server.lock],
        preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, before),
    )
    while child.poll() is None:
        came = signal.sigwaitinfo(awaited)
        # What the terminal sends, it sends to the command too.
        if came.si_signo != signal.SIGCHLD and came.si_code != SI_KERNEL:
            child.send_signal(came.si_signo)
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


def _end(number: int, frame) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # a second one must not disturb the tidying
    sys.exit(128 + number)


def main(arguments: list[str]) -> int:
    """`run -- COMMAND` or `throwaway -- COMMAND`; the exit status."""
    places = {"run": serve, "throwaway": throwaway}
    if len(arguments) < 3 or arguments[0] not in places or arguments[1] != "--":
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)
    try:
        with places[arguments[0]]() as server:
            return run(arguments[2:], server)
    except (PrivateServerError, OSError) as error:
        print(f"topboard: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
