"""The script `topboard`: what it sets up, mends, refuses and passes on.

Python, pip, apt and the browser are stand-ins that write down how they were called; the script,
the private server and the shell's tools are real.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = "sh cat dirname readlink mkdir rm printf flock setsid setpriv find head sleep env cp id"
PYTHON = """#!/bin/sh
echo "$@" >>'{calls}'
case "$*" in
*"-m venv"*) for folder; do :; done; rm -rf "$folder"; mkdir -p "$folder/bin"
             cp "$0" "$folder/bin/python" ;;
*"pip install"*) [ ! -e '{slow}' ] || sleep $(cat '{slow}'); [ ! -e '{broken}' ] ;;
-V) echo "Python 3.13.0" ;;
"-c import"*) ;;
*) exec '{real}' "$@" ;;
esac
"""
TELL = """
import os, sys
told = ("TOPBOARD_DEV", "TOPBOARD_CHROMIUM", "DATABASE_URL")
said = [f"{name}={os.environ[name]}" for name in told if name in os.environ]
print("|".join(sys.argv[1:] + said))
print(os.getcwd())
sys.exit(7 if "fail" in sys.argv else 0)
"""


class Clone:
    """A clone with the script and the server's modules, and a PATH of its own."""

    def __init__(self, folder: Path):
        self.folder = folder / "clone"
        self.bin = folder / "bin"
        self.calls_file = folder / "calls"
        self.processes: list[subprocess.Popen] = []
        self.slow, self.broken = folder / "slow", folder / "broken"
        for name in ("config/__init__.py", "config/cluster.py", "config/postgres.py", "topboard"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        (self.folder / "requirements.txt").write_text("django==5\n")
        (self.folder / "tests").mkdir()
        (self.folder / "tests" / "requirements.txt").write_text("ruff\n")
        (self.folder / "manage.py").write_text(TELL)
        (self.folder / "pytest.py").write_text(TELL)
        self.bin.mkdir()
        for tool in TOOLS.split():
            if found := shutil.which(tool):
                (self.bin / tool).symlink_to(found)
        names = {"calls": self.calls_file, "slow": self.slow, "broken": self.broken}
        self.tool("python3.13", PYTHON.format(real=sys.executable, **names))

    def tool(self, name: str, script: str) -> None:
        (self.bin / name).unlink(missing_ok=True)
        (self.bin / name).write_text(script)
        (self.bin / name).chmod(0o755)

    def start(self, *arguments: str, script: Path | None = None, **environment) -> subprocess.Popen:
        process = subprocess.Popen(
            [script or self.folder / "topboard", *arguments],
            env={"PATH": str(self.bin)} | environment,
            cwd=self.bin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.processes.append(process)
        return process

    def run(self, *arguments: str, **options) -> tuple[int, str, str]:
        """The exit status and what was said on standard output and standard error."""
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def set_ups(self) -> list[str]:
        """The set-up's steps since the last look: `venv` and `pip`."""
        calls = self.calls_file.read_text().splitlines() if self.calls_file.exists() else []
        self.calls_file.write_text("")
        steps = {"-m venv": "venv", "pip install": "pip"}
        return [step for call in calls for sign, step in steps.items() if sign in call]


@pytest.fixture
def clone(tmp_path):
    clone = Clone(tmp_path)
    yield clone
    for process in clone.processes:  # that a failed test left
        if process.poll() is None:
            process.terminate()
            process.communicate(timeout=60)


# A server that is given, so that no private one is started.
GIVEN = {"DATABASE_URL": "postgresql://given/given"}
SET_UP = (
    "topboard: making the environment in .venv with python3.13 ...\n"
    "topboard: installing requirements.txt ...\n"
)


def wait_for(condition, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


# Setting up --------------------------------------------------------------------------------------
def test_the_first_call_sets_up_and_the_second_has_nothing_to_do(clone):
    told = f"check|DATABASE_URL=postgresql://given/given\n{clone.bin}\n"
    assert clone.run("manage", "check", **GIVEN) == (0, told, SET_UP)
    assert clone.set_ups() == ["venv", "pip"]
    assert clone.run("manage", "check", **GIVEN) == (0, told, "")
    assert clone.set_ups() == []


def test_changed_requirements_are_installed_into_the_same_environment(clone):
    clone.run("manage", "check", **GIVEN)
    clone.set_ups()
    (clone.folder / "requirements.txt").write_text("django==6\n")
    status, out, err = clone.run("manage", "check", **GIVEN)
    assert (status, err) == (0, "topboard: installing requirements.txt ...\n")
    assert clone.set_ups() == ["pip"]


def test_an_environment_whose_python_is_gone_is_made_again(clone):
    clone.run("manage", "check", **GIVEN)
    clone.set_ups()
    (clone.folder / ".venv/bin/python").unlink()
    assert clone.run("manage", "check", **GIVEN)[0] == 0
    assert clone.set_ups() == ["venv", "pip"]


def test_a_failed_installation_is_tried_again(clone):
    clone.broken.touch()
    status, out, err = clone.run("manage", "check", **GIVEN)
    assert (status, out) == (1, "")
    assert err.startswith(SET_UP)
    assert "the requirements could not be installed" in err
    clone.set_ups()
    clone.broken.unlink()
    assert clone.run("manage", "check", **GIVEN)[0] == 0
    assert clone.set_ups() == ["pip"]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_an_interrupted_set_up_ends_at_once_and_begins_anew(clone, end):
    clone.slow.write_text("100")
    process = clone.start("manage", "check", **GIVEN)
    wait_for(lambda: clone.calls_file.exists() and "pip install" in clone.calls_file.read_text())
    pip = [
        path.parent
        for path in Path("/proc").glob("[0-9]*/cmdline")
        if path.read_bytes().startswith(b"/bin/sh\0" + os.fsencode(clone.folder / ".venv"))
    ]
    assert pip
    process.send_signal(end)
    assert process.communicate(timeout=60) == ("", SET_UP)
    assert process.returncode == 128 + end
    wait_for(lambda: not any(process.exists() for process in pip), seconds=30)
    clone.set_ups()
    clone.slow.unlink()
    assert clone.run("manage", "check", **GIVEN)[0] == 0
    assert clone.set_ups() == ["venv", "pip"]


def test_packages_half_written_for_the_tests_are_not_run_on(clone):
    clone.run("manage", "check", **GIVEN)
    clone.calls_file.write_text("")
    clone.slow.write_text("100")
    process = clone.start("test", **GIVEN)
    wait_for(lambda: "pip install" in clone.calls_file.read_text())
    process.terminate()
    process.communicate(timeout=60)
    clone.set_ups()
    clone.slow.unlink()
    assert clone.run("manage", "check", **GIVEN)[0] == 0
    assert clone.set_ups() == ["venv", "pip"]


def test_of_two_at_once_one_sets_up_and_the_other_waits(clone):
    clone.slow.write_text("1")
    both = [clone.start("manage", "check", **GIVEN) for _ in range(2)]
    said = [process.communicate(timeout=30)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(said) == ["", SET_UP]
    assert clone.set_ups() == ["venv", "pip"]


@pytest.mark.parametrize(
    ("python", "message"),
    [
        ("exit 1", "Python 3.11 or later is needed: apt install python3 python3-venv"),
        (
            'case "$*" in *ensurepip*) exit 1 ;; esac',
            "python3.13 cannot make virtual environments: apt install python3-venv",
        ),
    ],
)
def test_a_missing_python_or_venv_is_named(clone, python, message):
    clone.tool("python3.13", f"#!/bin/sh\n{python}\n")
    assert clone.run("manage", "check", **GIVEN) == (1, "", f"topboard: {message}\n")


# manage ------------------------------------------------------------------------------------------
def test_manage_passes_on_arguments_status_and_folder(clone):
    link = clone.bin / "link"
    link.symlink_to(clone.folder / "topboard")
    status, out, err = clone.run("manage", "a b", "*", "", "fail", script=link, **GIVEN)
    told = f"a b|*||fail|DATABASE_URL=postgresql://given/given\n{clone.bin}\n"
    assert (status, out) == (7, told)


def test_manage_brings_a_private_server_in_development_alone(clone):
    status, out, err = clone.run("manage", "check")
    assert (status, err) == (0, SET_UP)
    command, dev, url = out.splitlines()[0].split("|")
    assert (command, dev) == ("check", "TOPBOARD_DEV=1")
    assert url.startswith("DATABASE_URL=postgresql://topboard@%2Ftmp%2Ftopboard-")
    assert len(list((clone.folder / ".postgres").glob("*.log"))) == 1
    assert clone.run("manage", "fail")[0] == 7
    # Production names its own, and what is missing is the settings' to say.
    assert clone.run("manage", "x", TOPBOARD_DEV="0") == (0, f"x|TOPBOARD_DEV=0\n{clone.bin}\n", "")
    told = f"x|TOPBOARD_DEV=1|DATABASE_URL=postgresql://given/given\n{clone.bin}\n"
    assert clone.run("manage", "x", TOPBOARD_DEV="1", **GIVEN) == (0, told, "")


@pytest.mark.parametrize("arguments", [(), ("walk",), ("run", "8000", "9000")])
def test_a_wrong_call_is_told_the_right_ones(clone, arguments):
    status, out, err = clone.run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("Usage: ./topboard run [HOST:PORT]")
    assert clone.set_ups() == []


# test --------------------------------------------------------------------------------------------
def with_id(clone, user: int) -> None:
    clone.tool("id", f"#!/bin/sh\necho {user}\n")


def with_chromium(clone) -> Path:
    clone.tool("chromium", "#!/bin/sh\n")
    return clone.bin / "chromium"


def test_test_gives_pytest_its_tools_a_browser_and_a_server_to_throw_away(clone):
    chromium = with_chromium(clone)
    with_id(clone, 1000)
    status, out, err = clone.run("test")
    assert (status, err) == (
        0,
        SET_UP + "topboard: installing requirements.txt tests/requirements.txt ...\n",
    )
    assert clone.set_ups() == ["venv", "pip", "pip"]
    told, folder = out.splitlines()
    *arguments, dev, browser, url = told.split("|")
    assert arguments == ["-n", "2", "--dist", "loadfile"]
    assert (dev, browser) == ("TOPBOARD_DEV=1", f"TOPBOARD_CHROMIUM={chromium}")
    assert url.startswith("DATABASE_URL=postgresql://topboard@%2Ftmp%2Ftopboard-throwaway-")
    assert folder == str(clone.folder)
    assert not (clone.folder / ".postgres").exists()
    status, out, err = clone.run("test", "-k", "a b", "fail")
    assert (status, err) == (7, "")
    assert out.startswith("-k|a b|fail|TOPBOARD_DEV=1|")
    assert clone.set_ups() == []


def test_an_ordinary_user_without_a_browser_is_told_how_and_ci_fails(clone):
    with_id(clone, 1000)
    status, out, err = clone.run("test", **GIVEN)
    assert status == 0
    assert "*** NO CHROMIUM: THE BROWSER TESTS WILL BE SKIPPED. As root: apt install chrom" in err
    assert "|TOPBOARD_CHROMIUM=|" in out
    status, out, err = clone.run("test", CI="1", **GIVEN)
    assert (status, out) == (1, "")
    assert err == "topboard: no Chromium, and CI is set: the browser tests must run\n"


def test_root_gets_a_browser_from_debian_after_a_look_for_newer_lists(clone):
    with_id(clone, 0)
    apt_calls = clone.folder.parent / "apt"
    lists = clone.folder.parent / "lists"
    apt = f"""#!/bin/sh
echo "$@" >>'{apt_calls}'
case "$*" in
update*) : >'{lists}' ;;
*chromium*) [ -e '{lists}' ] && cp "$0" '{clone.bin}/chromium' ;;
esac
"""
    clone.tool("apt-get", apt)
    clone.tool("find", "#!/bin/sh\necho /usr/share/fonts/a.ttf\n")
    status, out, err = clone.run("test", CI="1", **GIVEN)
    assert status == 0
    assert f"|TOPBOARD_CHROMIUM={clone.bin}/chromium|" in out
    install = "install -qq --no-install-recommends chromium"
    assert apt_calls.read_text().splitlines() == [install, "update -qq", install]
    apt_calls.unlink()
    assert clone.run("test", CI="1", **GIVEN)[0] == 0
    assert not apt_calls.exists()
