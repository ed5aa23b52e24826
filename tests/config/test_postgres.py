"""The private PostgreSQL, as the processes that use it see it: each test has a clone of its own."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.config.clones import QUERY, Clone, gone, wait_for

SOURCES = ["", *sorted(str(path) for path in Path("/usr/lib/postgresql").glob("*/bin"))[-1:]]


@pytest.mark.parametrize("programs", SOURCES, ids=lambda path: path.split("/")[-2:][0] or "wheel")
def test_a_command_finds_a_real_server_on_a_socket_of_its_own(new_clone, programs):
    script = QUERY.format(
        "SELECT current_database(), current_user, current_setting('listen_addresses'), "
        "current_setting('server_encoding'), datcollate, current_setting('fsync'), "
        "current_setting('unix_socket_directories') FROM pg_database WHERE datname = 'topboard'"
    )
    script += "; name=${DATABASE_URL#*%2Ftmp%2F}; stat -c %a /tmp/${name%%:*}"
    # Nothing of the caller's own PostgreSQL leads elsewhere.
    elsewhere = {"PGHOST": "nowhere", "PGPORT": "9", "PGUSER": "nobody", "PGDATA": "/nowhere"}
    status, out, err = new_clone.run(script, TOPBOARD_PG_BIN=programs, **elsewhere)
    assert (status, err) == (0, "")
    row, mode = out.splitlines()
    *values, sockets = row.split("|")
    assert values == ["topboard", "topboard", "", "UTF8", "C.UTF-8", "on"]
    assert mode == "700"
    data = next(path for path in new_clone.kept.iterdir() if path.name.isdigit())
    assert data.stat().st_mode & 0o777 == 0o700
    assert (data / "PG_VERSION").read_text().strip() == data.name
    if programs:
        assert data.name == Path(programs).parent.name
    assert not (data / "postmaster.pid").exists()
    assert not Path(sockets).exists()


def test_the_exit_status_is_passed_on(clone):
    assert clone.run("exit 7") == (7, "", "")
    assert clone.run("kill -KILL $$") == (128 + 9, "", "")
    assert clone.run("true", how="nonsense")[0] == 2
    assert clone.server() is None


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_reaches_the_command_and_the_server_is_stopped_after_it(clone, end):
    trap = f"trap 'echo told; exit 9' {end.name.removeprefix('SIG')}; echo here; "
    process = clone.start(trap + "while :; do sleep 0.05; done")
    assert process.stdout.readline() == "here\n"
    process.send_signal(end)
    assert process.communicate(timeout=20) == ("told\n", "")
    assert process.returncode == 9
    assert clone.server() is None


def test_two_at_once_share_a_server_that_the_last_to_leave_stops(new_clone):
    scripts = ["echo $DATABASE_URL; read line; " + QUERY.format("SELECT 'still'")] * 2
    first, second = [new_clone.start(script) for script in scripts]  # both find no data folder
    assert first.stdout.readline() == second.stdout.readline() != ""
    server = new_clone.server()
    assert first.communicate("\n", timeout=20) == ("still\n", "")
    assert new_clone.server() == server
    assert new_clone.ask("SELECT 'a third in between'") == "a third in between"
    assert new_clone.server() == server
    assert second.communicate("\n", timeout=20) == ("still\n", "")
    assert gone(server)


def test_a_killed_app_leaves_its_rows_and_a_server_that_the_next_takes_over(clone):
    script = "echo $$; {}; echo done; exec sleep 60".format(
        QUERY.format("CREATE TABLE t AS SELECT 'committed' AS x")
    )
    process = clone.start(script)
    command = int(process.stdout.readline())
    assert process.stdout.readline() == "done\n"
    server = clone.server()
    process.kill()
    process.wait(10)
    wait_for(lambda: gone(command))  # the command ends with the one that started it
    assert not gone(server)
    assert clone.ask("SELECT x FROM t") == "committed"
    assert gone(server)


def test_a_command_that_outlives_its_starter_keeps_the_server(clone):
    living = clone.start("trap '' TERM; echo here; read line; " + QUERY.format("SELECT 'still'"))
    assert living.stdout.readline() == "here\n"
    living.kill()
    living.wait(10)
    assert clone.ask("SELECT 1") == "1"
    assert living.communicate("\n", timeout=20)[0] == "still\n"
    assert clone.ask("SELECT 1") == "1"
    assert clone.server() is None


def test_a_killed_server_is_started_again_where_its_users_look_for_it(clone):
    assert clone.ask("CREATE TABLE t AS SELECT 'committed' AS x") == ""
    living = clone.stay()
    server = clone.server()
    os.kill(server, signal.SIGKILL)
    wait_for(lambda: gone(server))
    another = clone.stay()
    assert clone.server() != server
    assert living.communicate("\n", timeout=20) == ("still\n", "")
    assert another.communicate("\n", timeout=20) == ("still\n", "")
    assert clone.server() is None
    assert clone.ask("SELECT x FROM t") == "committed"


def test_a_dead_servers_number_taken_by_a_stranger_stops_nobody(clone):
    """A container restarted after a crash gives out the same few process ids again."""
    living = clone.stay()
    pid_file = clone.data / "postmaster.pid"
    left = pid_file.read_text().splitlines()
    os.kill(clone.server(), signal.SIGKILL)
    living.kill()
    stranger = subprocess.Popen(["sleep", "60"])
    try:
        pid_file.write_text("\n".join([str(stranger.pid), *left[1:]]) + "\n")
        assert clone.ask("SELECT 1") == "1"
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_session_that_outlives_its_server_is_waited_for(clone):
    busy = clone.start(
        "echo here; " + QUERY.format("SELECT 'x' FROM pg_sleep(0)") + "; exec sleep 60"
    )
    assert busy.stdout.readline() == "here\n"
    server = clone.server()
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    held = int(children[-1])
    os.kill(held, signal.SIGSTOP)
    os.kill(server, signal.SIGKILL)
    next_one = clone.start(QUERY.format("SELECT 1"))
    try:
        time.sleep(1)
        assert next_one.poll() is None
    finally:
        os.kill(held, signal.SIGCONT)
    assert next_one.communicate(timeout=40)[0] == "1\n"


def test_a_half_made_data_folder_is_made_again(new_clone):
    part = new_clone.kept / f"{new_clone.major}.part-left"
    part.mkdir(parents=True)
    (part / "PG_VERSION").write_text("half")
    assert new_clone.ask("SELECT 1") == "1"
    assert not part.exists()


def test_a_start_that_is_interrupted_leaves_no_server(new_clone):
    for pause in (0.15, 0.3, 0.4, 0.6):
        process = new_clone.start("echo here; sleep 60")
        time.sleep(pause)
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=20)
        assert process.returncode in (143, -signal.SIGTERM), said
        assert new_clone.server() is None
    assert new_clone.ask("SELECT 1") == "1"


def test_a_long_path_is_no_matter(tmp_path):
    clone = Clone(tmp_path / "a clone with spaces, $HOME and 'quotes'" / ("long" * 30))
    try:
        assert len(str(clone.data)) > 150
        assert clone.ask("SELECT 1") == "1"
    finally:
        clone.close()


def test_data_of_another_major_version_is_named_and_left_alone(new_clone):
    old = new_clone.kept / "14"
    old.mkdir(parents=True)
    status, out, err = new_clone.run("echo never")
    assert (status, out) == (1, "")
    assert f"{old} holds a PostgreSQL 14 database" in err
    assert f"are PostgreSQL {new_clone.major}, which cannot read it" in err
    assert f"mv {old} {old}-old" in err
    assert not new_clone.data.exists()
    old.rename(new_clone.kept / "14-old")
    assert new_clone.ask("SELECT 1") == "1"


def test_a_data_folder_under_a_wrong_name_is_refused(new_clone):
    new_clone.data.mkdir(parents=True)
    (new_clone.data / "PG_VERSION").write_text("13\n")
    status, out, err = new_clone.run("echo never")
    assert (status, out) == (1, "")
    assert "holds a PostgreSQL 13 database; its folder must be named 13." in err


def test_without_programs_the_message_says_where_it_looked(new_clone):
    status, out, err = new_clone.run("echo never", TOPBOARD_PG_BIN="/nowhere/bin")
    assert (status, out) == (1, "")
    assert err.startswith("topboard: No PostgreSQL 15 to 18 that runs here; looked in\n  /nowhere")
    assert "DATABASE_URL" in err


# Thrown away -------------------------------------------------------------------------------------
def test_a_throwaway_server_leaves_nothing(new_clone):
    script = QUERY.format("SELECT current_setting('fsync'), current_setting('data_directory')")
    status, out, err = new_clone.run(script, how="throwaway")
    assert (status, err) == (0, "")
    fsync, data = out.split("|")
    assert fsync == "off"
    assert Path(data).parent.match("/tmp/topboard-throwaway-*")
    assert not Path(data).parent.exists()
    assert not new_clone.kept.exists()


def test_a_throwaway_server_dies_with_its_maker_and_the_next_sweeps(new_clone):
    script = QUERY.format("SHOW data_directory") + "; exec sleep 60"
    process = new_clone.start(script, how="throwaway")
    data = Path(process.stdout.readline().strip())
    server = int((data / "postmaster.pid").read_text().split()[0])
    # One that is still in use is left alone, however old.
    os.utime(data.parent, (0, 0))
    assert new_clone.run("true", how="throwaway") == (0, "", "")
    assert data.exists()
    process.kill()
    process.wait(10)
    wait_for(lambda: gone(server))
    os.utime(data.parent, (0, 0))
    assert new_clone.run("true", how="throwaway") == (0, "", "")
    assert not data.parent.exists()
