"""A clone of the server's modules alone, and the processes that use its private PostgreSQL."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from config.cluster import find_programs

ROOT = Path(__file__).resolve().parents[2]
MODULES = ["__init__.py", "cluster.py", "postgres.py"]
QUERY = 'psql "$DATABASE_URL" -XAtq -v ON_ERROR_STOP=1 -c "{}"'


class Clone:
    """A clone that holds the server's modules alone, and the processes started in it."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.kept = folder / ".postgres"
        self.major = find_programs().major
        self.data = self.kept / str(self.major)
        self.processes: list[subprocess.Popen] = []
        (folder / "config").mkdir(parents=True)
        for name in MODULES:
            shutil.copy(ROOT / "config" / name, folder / "config" / name)

    def start(self, script: str, how: str = "run", prefix=(), **environment) -> subprocess.Popen:
        """Begin `config.postgres HOW -- sh -c SCRIPT` in this clone."""
        command = [sys.executable, "-P", "-m", "config.postgres", how, "--", "sh", "-c", script]
        inherited = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "PYTHONPATH")}
        process = subprocess.Popen(
            [*prefix, *command],
            env=inherited | {"PYTHONPATH": str(self.folder)} | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.processes.append(process)
        return process

    def run(self, script: str, how: str = "run", prefix=(), **environment) -> tuple[int, str, str]:
        """The exit status of `start`'s process and what it said on both outputs."""
        process = self.start(script, how, prefix, **environment)
        out, err = process.communicate(timeout=60)
        return process.returncode, out.strip(), err.strip()

    def ask(self, sql: str, **environment) -> str:
        status, out, err = self.run(QUERY.format(sql), **environment)
        assert (status, err) == (0, "")
        return out

    def stay(self, **options) -> subprocess.Popen:
        """A process that uses the server until its input ends; returns once it is there."""
        process = self.start("echo here; read line; " + QUERY.format("SELECT 'still'"), **options)
        assert process.stdout.readline() == "here\n"
        return process

    def server(self) -> int | None:
        """The process id of the running server."""
        try:
            process = int((self.data / "postmaster.pid").read_text().split()[0])
            command = Path(f"/proc/{process}/cmdline").read_bytes()
        except FileNotFoundError:
            return None
        return process if os.fsencode(self.data) in command else None

    def close(self) -> None:
        """End what a failed test left."""
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.communicate(timeout=10)
        if server := self.server():
            sockets = (self.data / "postmaster.pid").read_text().splitlines()[4]
            os.kill(server, signal.SIGQUIT)
            wait_for(lambda: self.server() is None)
            shutil.rmtree(sockets)


def wait_for(condition, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def gone(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True
