"""What the load is put on: a PostgreSQL that keeps what it commits, gunicorn, a job worker.

All of it is made for one run and gone after it, also after Ctrl-C.
"""

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from config.cluster import SOCKETS, Cluster, find_programs, tied

HOME = Path(__file__).resolve().parent.parent.parent
HOST = "league.example"
PATIENCE = 60


class Stand:
    """A throw-away server with fsync on, and the web and worker processes on it."""

    def __init__(self, *, workers: int = 2, threads: int = 1):
        self.workers = workers
        self.threads = threads
        self.folder = Path(tempfile.mkdtemp(prefix="topboard-load-", dir=SOCKETS))
        self.folder.chmod(0o711)  # to be passed by the server's user
        self.port = _free_port()
        self.processes: dict[str, subprocess.Popen] = {}
        self.cluster: Cluster | None = None
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("TOPBOARD_")
        } | {
            "DJANGO_SETTINGS_MODULE": "tests.benchmarks.load_settings",
            "LOAD_STATIC": str(self.folder / "static"),
            "SECRET_KEY": secrets.token_urlsafe(48),
            "ALLOWED_HOSTS": HOST,
            "PYTHONPATH": str(HOME),
        }

    def __enter__(self) -> "Stand":
        return self

    def __exit__(self, *_error) -> None:
        ending = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ending)
        try:
            for name in list(self.processes):
                self.stop(name)
            if self.cluster is not None:
                self.cluster.stop()
            shutil.rmtree(self.folder, ignore_errors=True)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    # PostgreSQL
    def start_postgres(self) -> str:
        """The address of the server, started anew after a crash too."""
        if self.cluster is not None and self.cluster.started is not None:
            self.cluster.started.wait(PATIENCE)
        self.cluster = Cluster(self.folder, find_programs())
        url = self.cluster.ensure_running()
        self.environment["DATABASE_URL"] = url
        return url

    def kill_postgres(self) -> None:
        """`kill -9` of the postmaster and of all its children, at once."""
        postmaster = self.cluster.started.pid
        for process in [postmaster, *_children(postmaster)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.cluster.started.wait(PATIENCE)

    # Web and worker
    def manage(self, *arguments: str) -> subprocess.CompletedProcess:
        """The end of a management command; what it said stands in `stdout`."""
        return subprocess.run(
            [sys.executable, HOME / "manage.py", *arguments],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def start_web(self) -> None:
        """gunicorn as the README says, listening when this returns."""
        listening = ["--bind", f"127.0.0.1:{self.port}", "--workers", str(self.workers)]
        threads = ["--threads", str(self.threads)] if self.threads > 1 else []
        self._start("web", "-m", "gunicorn", "config.wsgi", *listening, *threads)
        deadline = time.monotonic() + PATIENCE
        while not _answers(self.port):
            self._must_live("web")
            if time.monotonic() > deadline:
                raise RuntimeError("the web server does not listen")
            time.sleep(0.02)

    def start_worker(self) -> None:
        self._start("worker", str(HOME / "manage.py"), "procrastinate", "worker")

    def _start(self, name: str, *arguments: str) -> None:
        with open(self.folder / f"{name}.log", "ab") as log:
            self.processes[name] = subprocess.Popen(
                [*tied(signal.SIGTERM), sys.executable, *arguments],
                env=self.environment,
                cwd=HOME,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _must_live(self, name: str) -> None:
        if self.processes[name].poll() is not None:
            raise RuntimeError(f"the {name} process ended:\n{self.last_words(name)}")

    def lives(self, name: str) -> bool:
        return self.processes[name].poll() is None

    def last_words(self, name: str, lines: int = 15) -> str:
        text = (self.folder / f"{name}.log").read_text(errors="replace")
        return "\n".join(text.splitlines()[-lines:])

    def kill(self, name: str) -> None:
        """`kill -9` of a process and of all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.processes[name].pid, signal.SIGKILL)
        self.processes.pop(name).wait(PATIENCE)

    def stop(self, name: str) -> None:
        process = self.processes[name]
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        self.kill(name)

    # Figures
    def processor_seconds(self) -> dict[str, float]:
        """Seconds of processor that web, PostgreSQL and we have used so far."""
        postmaster = self.cluster.started.pid
        web = self.processes["web"].pid
        own = time.process_time()
        used = {"web": _used(web), "PostgreSQL": _used(postmaster), "this client": own}
        if "worker" in self.processes and self.lives("worker"):
            used["job worker"] = _used(self.processes["worker"].pid)
        return used


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def _stat(process: int | str) -> list[str]:
    """The fields of /proc/<process>/stat after its name; none if it is gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _children(parent: int) -> list[int]:
    found = [path.name for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [int(name) for name in found if _stat(name)[1:2] == [str(parent)]]


def _used(process: int) -> float:
    """User and system seconds of a process and its children, those that ended included."""
    ticks = sum(map(int, _stat(process)[11:15]))
    ticks += sum(sum(map(int, _stat(child)[11:13])) for child in _children(process))
    return ticks / os.sysconf("SC_CLK_TCK")
