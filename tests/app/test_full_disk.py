"""On a full disk operators and clients get a clear error, and look-ups still work."""

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.support.disk import SmallDisk, find_permission_prefix, mount_small_disk
from tests.support.server import START_TIMEOUT_SECONDS, command_environment, copy_starter, run_command, running_server

pytestmark = pytest.mark.thorough

FULL = "The server's disk is full. Please tell its operator."
UNWRITABLE = "The server cannot save data at the moment. Please tell its operator."

MOST_TRIES = 5
INTERRUPTED = 130
"""The status of a command that was told to end (128 and the number of SIGINT)."""

READS = (
    "/api/dic.php?w=পানী",
    "/api/wordsalpha.php?start=ক",
    "/api/search?q=water",
    "/api/check-fj.php?fj=apun+bhalei+jogot+bhal",
    "/api/languages",
    "/dic/পানী",
    "/metrics",
    "/health/live",
)


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallDisk]:
    """Mount a small disk with a dictionary on it."""
    with mount_small_disk(tmp_path_factory.mktemp("small"), mebibytes=48) as disk:
        copy_starter(disk.folder / "home")
        yield disk


def sign_up(client: httpx2.Client) -> httpx2.Response:
    """Write something over HTTP."""
    return client.post("/api/session", json={"username": "nobody", "password": "not the right one"})


def count_refused_writes(client: httpx2.Client) -> float:
    """Read the counter whose increase lets the alert AbhidhanDatabaseUnwritable fire."""
    samples = client.get("/metrics").text.splitlines()
    label = 'abhidhan_database_errors_total{kind="unwritable"} '
    return next(float(sample.removeprefix(label)) for sample in samples if sample.startswith(label))


def test_on_a_full_disk_words_are_looked_up_and_writes_are_refused_with_a_sentence(disk: SmallDisk) -> None:
    with running_server(disk.folder / "home", ABHIDHAN_RATE_LIMIT="100000/minute") as server:
        disk.fill()
        try:
            assert {read: server.client.get(read).status_code for read in READS} == dict.fromkeys(READS, 200)
            # Prometheus sees no increase in a counter that appears with its first error.
            assert count_refused_writes(server.client) == 0
            refused = sign_up(server.client)
            assert count_refused_writes(server.client) > 0
            ready = server.client.get("/health/ready")

            assert (refused.status_code, refused.json()["detail"]) == (507, FULL)
            assert refused.headers["content-type"] == "application/problem+json"
            assert (ready.status_code, ready.json()["detail"]) == (503, FULL)
            assert str(disk.folder).encode() not in refused.content + ready.content
        finally:
            disk.free_space()
        assert str(disk.folder / "home" / "dictionary.sqlite3") in server.log.read_text()
        assert server.client.get("/health/ready").status_code == 200
        assert sign_up(server.client).status_code == 401


def test_two_hundred_words_are_looked_up_on_a_full_disk(disk: SmallDisk) -> None:
    """Metrics are memory of a file: writing where the disk has no space would kill the worker."""
    home = disk.folder / "home"
    with running_server(home, ABHIDHAN_RATE_LIMIT="100000/minute") as server:
        files = [file for file in (home / "run").rglob("*") if file.is_file()]
        assert files
        for file in files:
            assert file.stat().st_blocks * 512 >= file.stat().st_size, file
        disk.fill()
        try:
            for number in range(200):
                path = f"/api/dic.php?w=w{number}"
                assert server.client.get(path).status_code == 200
        finally:
            disk.free_space()


COMMANDS = (
    ("init",),
    ("serve",),
    ("people", "add", "somebody", "--role", "editor", "--password-stdin"),
    ("reindex",),
    ("backup",),
    ("downloads", "make"),
    ("export", "jsonl", "-o", "{home}/x.jsonl"),
    ("import", "pairs", "{file}", "--source", "s", "--licence", "CC0-1.0", "--language", "en", "--target", "as"),
    ("import", "pairs", "{file}", "--source", "s", "--licence", "CC0-1.0", "--dry-run", "--errors", "{home}/errors"),
    ("restore", "{archive}", "--force"),
)
"""Commands that write something; `check` and `stats` only read."""


def check_sentence(ended: "subprocess.CompletedProcess[str]", folder: Path) -> None:
    """Expect one line that says what is wrong, and with which file, and a failure."""
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    last = ended.stderr.strip().splitlines()[-1]
    assert last.startswith("abhidhan: "), ended.stderr
    assert str(folder) in last, ended.stderr


def run_obeying_modes(home: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the command as somebody for whom the modes of files count."""
    return run_command(home, *arguments, prefix=find_permission_prefix(), input_text="a long password of nobody\n")


@pytest.fixture(scope="module")
def inputs(disk: SmallDisk, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return what commands read: a file to import, and a backup."""
    folder = tmp_path_factory.mktemp("inputs")
    file = folder / "en_as.tsv"
    file.write_text("".join(f"word {number}\tপানী {number}\n" for number in range(40_000)), "utf-8")
    archive = folder / "b.tar.gz"
    assert run_command(disk.folder / "home", "backup", str(archive)).returncode == 0
    return {"file": file, "archive": archive}


def everything_in(folder: Path) -> list[str]:
    """List the names of all files that are no run-time state."""
    beside = ("-wal", "-shm", "-import")
    return sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if not path.name.endswith(beside) and path.name != "ballast" and "run" not in path.parts
    )


def test_every_command_reports_a_full_disk_in_a_sentence_and_leaves_no_partial_files(
    disk: SmallDisk, inputs: dict[str, Path], subtests: pytest.Subtests
) -> None:
    home = disk.folder / "home"
    for arguments in COMMANDS:
        with subtests.test(arguments[0]):
            filled = [argument.format(home=home, **inputs) for argument in arguments]
            before = everything_in(home)
            disk.fill()
            try:
                ended = run_obeying_modes(home, *filled)
            finally:
                disk.free_space()
            assert ended.returncode != 0, f"it had room: {ended.stdout}{ended.stderr}"
            check_sentence(ended, disk.folder)
            new = {*everything_in(home)} - {*before, "downloads", "backups"}
            assert new in (set(), {"downloads/.lock"}, {"errors"})


def test_every_command_reports_a_folder_that_must_not_be_written(
    inputs: dict[str, Path], tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for number, arguments in enumerate(COMMANDS):
        with subtests.test(arguments[0]):
            home = tmp_path / str(number)
            home.mkdir()
            home.chmod(0o500)
            filled = [argument.format(home=home, **inputs) for argument in arguments]

            check_sentence(run_obeying_modes(home, *filled), home)

            assert list(home.iterdir()) == []


def test_a_server_whose_folder_must_not_be_written_is_not_ready_but_looks_words_up(tmp_path: Path) -> None:
    copy_starter(tmp_path / "home")
    with running_server(tmp_path / "home", prefix=find_permission_prefix()) as server:
        server.home.chmod(0o500)
        try:
            ready = server.client.get("/health/ready")
            assert (ready.status_code, ready.json()["detail"]) == (503, UNWRITABLE)
            assert server.client.get("/api/dic.php?w=পানী").status_code == 200
        finally:
            server.home.chmod(0o700)

        assert server.client.get("/health/ready").status_code == 200
        assert f"{server.home}/dictionary.sqlite3 cannot be written: Permission denied" in server.log.read_text()


def test_files_of_the_program_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with running_server(home) as server:
        assert server.client.get("/api/dic.php?w=পানী").status_code == 200
        assert run_command(home, "backup").returncode == 0
        wide = {
            str(path.relative_to(home)): oct(path.stat().st_mode)
            for path in home.rglob("*")
            if path.name != "server.log" and stat.S_IMODE(path.stat().st_mode) & 0o077
        }
    assert wide == {}


def test_an_export_keeps_the_umask_of_the_user(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        assert run_command(tmp_path / "home", "export", "jsonl", "-o", str(tmp_path / "x.jsonl")).returncode == 0
    finally:
        os.umask(before)

    assert stat.S_IMODE((tmp_path / "x.jsonl").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "home" / "dictionary.sqlite3").stat().st_mode) == 0o600


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_partial_file_stays_after_a_command_was_ended(tmp_path: Path, end: signal.Signals) -> None:
    home, target = tmp_path / "home", tmp_path / "out"
    copy_starter(home)
    # On a busy machine the file may be whole before the command is told to end: then it is tried again.
    statuses = (end_half_way(home, target, end) for _ in range(MOST_TRIES))
    status = next(status for status in statuses if not (target / "abhidhan.sqlite3").exists())

    if end is signal.SIGKILL:
        assert list(target.iterdir())
        assert run_command(home, "export", "csv", "-o", str(target)).returncode == 0
        assert [path.name for path in target.iterdir()] == ["abhidhan.csv"]
    else:
        assert status == INTERRUPTED
        assert list(target.iterdir()) == []


def end_half_way(home: Path, target: Path, end: signal.Signals) -> int:
    """Export into an empty folder, end the command as soon as a part of the file is there, and return its status."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    process = subprocess.Popen(  # noqa: S603  # our own command
        [sys.executable, "-m", "abhidhan", "export", "sqlite", "-o", str(target)],
        env=command_environment(home),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # A shell that runs tests in the background lets its commands ignore Ctrl+C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509  # no threads here
    )
    while process.poll() is None and not any(target.glob(".abhidhan-*.part/*.sqlite3")):
        time.sleep(0.01)
    process.send_signal(end)
    return process.wait(START_TIMEOUT_SECONDS)


def test_only_its_owner_may_read_a_restored_dictionary(
    disk: SmallDisk, inputs: dict[str, Path], tmp_path: Path
) -> None:
    del disk
    home = tmp_path / "new"
    assert run_command(home, "restore", str(inputs["archive"])).returncode == 0

    assert stat.S_IMODE((home / "dictionary.sqlite3").stat().st_mode) == 0o600
    assert sqlite3.connect(home / "dictionary.sqlite3").execute("SELECT count(*) FROM word").fetchone()[0]
