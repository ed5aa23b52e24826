"""`./topboard run` for real, in a copy of this clone: web, worker, demo, reloading, stopping."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from config.run import addresses, lead_mails_here, parse_address, words_of

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = [
    ".git",
    ".venv",
    ".postgres",
    ".topboard",
    "__pycache__",
    "mail",
    "staticfiles",
    ".*_cache",
]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("8000", ("127.0.0.1", 8000)),
        (":8000", ("127.0.0.1", 8000)),
        ("0.0.0.0:80", ("0.0.0.0", 80)),
        ("localhost:65535", ("localhost", 65535)),
        ("[::1]:8000", ("::1", 8000)),
    ],
)
def test_an_address_is_host_and_port_or_port(text, address):
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["", "localhost", "127.0.0.1:", "127.0.0.1:0", ":65536", "a:-1"])
def test_another_address_is_refused_with_what_was_expected(text):
    with pytest.raises(ValueError, match="expected HOST:PORT, such as 127.0.0.1:8000"):
        parse_address(text)


def test_the_address_shown_is_one_that_a_browser_can_open():
    assert addresses("127.0.0.1", 8000) == ["http://localhost:8000"]
    assert addresses("192.0.2.1", 80) == ["http://192.0.2.1:80"]
    assert addresses("0.0.0.0", 8000)[0] == "http://localhost:8000"
    assert words_of(["http://localhost:80", "http://192.0.2.1:80"]) == [
        "Topboard runs at http://localhost:80",
        "from the network at http://192.0.2.1:80",
    ]


@pytest.mark.parametrize(
    ("named", "host", "led"),
    [
        (None, "127.0.0.1", "http://localhost:8123"),
        ("", "192.0.2.1", "http://192.0.2.1:8123"),
        ("http://phone.example", "0.0.0.0", "http://phone.example"),
    ],
)
def test_links_in_mails_lead_to_the_address_that_is_served(monkeypatch, named, host, led):
    monkeypatch.delenv("SITE_ADDRESS", raising=False)
    if named is not None:
        monkeypatch.setenv("SITE_ADDRESS", named)
    lead_mails_here(host, 8123)
    assert os.environ["SITE_ADDRESS"] == led


def test_a_phone_on_the_network_can_follow_the_links_in_mails(monkeypatch):
    monkeypatch.setenv("SITE_ADDRESS", "")
    lead_mails_here("0.0.0.0", 8123)
    assert os.environ["SITE_ADDRESS"] == addresses("0.0.0.0", 8123)[-1]


def wait_for(condition, seconds: float = 240):
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)
    return found


def descendants(process: int) -> dict[int, str]:
    """The command lines of all processes below `process` by their ids."""
    found = {}
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            command = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            found |= {int(child): command} | descendants(int(child))
    return found


def alive(processes) -> list[int]:
    def runs(process: int) -> bool:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
        return False

    return [process for process in processes if runs(process)]


class Running:
    """`./topboard run` in the copy, and what it says."""

    def __init__(self, folder: Path, port: int):
        self.url = f"http://localhost:{port}"
        self.said_file = folder.parent / "said"
        with open(self.said_file, "w") as said:
            self.process = subprocess.Popen(
                [folder / "topboard", "run", f"127.0.0.1:{port}"],
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )

    def said(self) -> str:
        return self.said_file.read_text()

    def await_ready(self) -> None:
        wait_for(lambda: "Ctrl-C stops it." in self.said() or self.process.poll() is not None)
        assert self.process.poll() is None, self.said()

    def get(self, path: str = "/") -> tuple[int, str]:
        with urllib.request.urlopen(self.url + path, timeout=30) as response:
            return response.status, response.read().decode()

    def web(self) -> list[int]:
        """The web server and, below it, what it reloads."""
        commands = descendants(self.process.pid)
        return [number for number, command in commands.items() if " runserver " in command]


def environment() -> dict[str, str]:
    ours = {"DATABASE_URL", "TOPBOARD_DEV", "PYTHONPATH"}
    return {name: value for name, value in os.environ.items() if name not in ours}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A copy of this clone on its environment, which must have been set up by the script."""
    if not (ROOT / ".venv" / ".topboard-run").exists():
        pytest.skip("only under ./topboard test, which sets the environment up")
    folder = tmp_path_factory.mktemp("copy") / "clone"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    (folder / ".venv").symlink_to(ROOT / ".venv")
    return folder


@pytest.fixture
def running(folder):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = Running(folder, port)
    yield running
    if running.process.poll() is None:
        running.process.terminate()
        running.process.wait(30)


def test_run_serves_reloads_and_stops_without_a_trace(running, folder):
    running.await_ready()
    shown = running.said().partition(f"Topboard runs at {running.url}\n")[2]
    assert shown.startswith("Log in with:\n  ")
    assert running.get()[0] == 200
    below = descendants(running.process.pid)
    assert [c for c in below.values() if c.endswith("procrastinate worker ")]

    # A second one at the same address is refused; another command shares the server.
    second = subprocess.run(
        [folder / "topboard", "run", running.url.removeprefix("http://")],
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert second.returncode == 1
    assert "cannot listen on localhost" in second.stderr
    count = "from clubs.models import Player; print('players', Player.objects.count())"
    command = [folder / "topboard", "manage", "shell", "--no-imports", "-c", count]
    said = subprocess.check_output(command, env=environment(), text=True)
    assert said.startswith("players ") and said != "players 0\n"
    assert running.get()[0] == 200

    # The reloader starts a new process, which finds the database too.
    parent, child = running.web()
    os.utime(folder / "config" / "urls.py")
    wait_for(lambda: len(now := running.web()) == 2 and now[0] == parent and now[1] != child)

    def answers() -> bool:
        with contextlib.suppress(OSError):
            return running.get()[0] == 200
        return False

    wait_for(answers)
    below |= descendants(running.process.pid)
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(30) == 0
    assert alive(below) == []
    assert not list((folder / ".postgres").glob("*/postmaster.pid"))


def test_what_a_killed_run_leaves_the_next_takes_over(running, folder):
    running.await_ready()
    below = descendants(running.process.pid)
    (server,) = [process for process, command in below.items() if "/postgres -D " in command]
    running.process.kill()
    running.process.wait()
    ours = [process for process, command in below.items() if "manage.py" in command]
    wait_for(lambda: not alive(ours))
    assert alive([server])
    command = [folder / "topboard", "manage", "check"]
    subprocess.run(command, env=environment(), check=True, capture_output=True)
    assert alive([server]) == []


def test_run_stops_when_the_worker_ends(running):
    running.await_ready()
    below = descendants(running.process.pid)
    (worker,) = [process for process, command in below.items() if "procrastinate" in command]
    os.kill(worker, signal.SIGKILL)
    assert running.process.wait(30) == 1
    assert "topboard: the worker process ended, so all stops." in running.said()
    assert alive(below) == []
