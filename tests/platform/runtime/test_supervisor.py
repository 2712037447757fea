"""Workers that end and are replaced, servers that stop, and parents that die: real processes, killed for real."""

import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import rmtree
from typing import Final

import httpx2
import pytest

from abhidhan.platform.runtime import supervisor as module
from abhidhan.platform.runtime.supervisor import get_systemd_socket
from abhidhan.records.errors import SettingError
from tests.support.concurrent_clients import PersistentConnection
from tests.support.ports import free_port
from tests.support.server import START_TIMEOUT_SECONDS, RunningServer, copy_starter, run_command, running_server

ENDED: Final = "a worker has ended and is replaced"
STOPPING: Final = "stopping after the running requests; a second signal stops immediately"
BODY: Final = '{"words": ["মানুহ"]}'.encode()
HEAD: Final = (
    "POST /api/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    f"Content-Length: {len(BODY)}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
).encode()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a dictionary once, for the servers of all tests, one after another."""
    home = tmp_path_factory.mktemp("supervised")
    copy_starter(home)
    return home


def until(condition: Callable[[], object]) -> None:
    """Wait for a condition, however long it takes a busy machine."""
    give_up = time.monotonic() + START_TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < give_up, "it did not happen"
        time.sleep(0.02)


def state_and_parent(process: int) -> tuple[str, int]:
    """Return the state and the parent of a process; of one that is gone, "X"."""
    try:
        state, parent, *_ = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return "X", 0
    return state, int(parent)


def is_running(process: int) -> bool:
    """Return whether a process exists and has not ended."""
    return state_and_parent(process)[0] not in {"X", "Z"}


def workers_of(server: RunningServer) -> set[int]:
    """Return the process numbers of a server's workers."""
    processes = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal())
    return {each for each in processes if state_and_parent(each)[1] == server.process.pid and is_running(each)}


def ask(server: RunningServer, path: str) -> str:
    """Ask on a new connection and return the answer; nothing if there is none."""
    try:
        answer = httpx2.get(f"{server.client.base_url}{path}", timeout=START_TIMEOUT_SECONDS)
    except httpx2.TransportError:
        return ""
    assert answer.status_code == 200
    return answer.text


def logged(server: RunningServer, event: str) -> list[dict[str, object]]:
    """Return the lines of the log about an event."""
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == event]


@pytest.mark.thorough
@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.nightly), 3])
def test_killed_workers_are_replaced_and_their_metrics_are_kept(home: Path, workers: int) -> None:
    settings = {"ABHIDHAN_WORKERS": str(workers), "ABHIDHAN_LOG_FORMAT": "json"}
    with running_server(home, **settings) as server:
        assert ask(server, "/api/languages")
        counted = 'abhidhan_requests_total{route="/api/languages",status="200"} 1.0'
        until(lambda: counted in ask(server, "/metrics"))
        for _ in range(3 // workers):
            # A worker that is killed before it answers is no respawn: its replacement is still the first.
            until(lambda: f"abhidhan_workers {workers}.0" in ask(server, "/metrics"))
            kill(workers_of(server))
            # Clients wait in the socket of a single worker; of several, each has its own.
            assert workers > 1 or ask(server, "/metrics")

        until(lambda: ask(server, "/metrics"))
        until(lambda: "abhidhan_worker_respawns_total 3.0" in ask(server, "/metrics"))
        assert counted in ask(server, "/metrics")
        assert [(line["level"], line["ended"]) for line in logged(server, ENDED)] == [
            ("warning", "signal 9 (Killed)")
        ] * 3
        assert server.process.poll() is None


def kill(workers: set[int]) -> None:
    """Kill all of these, and wait until they have ended."""
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    until(lambda: not any(is_running(worker) for worker in workers))


@pytest.mark.thorough
def test_the_server_ends_with_the_reason_if_workers_cannot_start(home: Path) -> None:
    rmtree(home / "photos", ignore_errors=True)
    (home / "photos").write_text("a file stands where the folder should")
    ended = run_command(home, "serve", "--port", str(free_port()), ABHIDHAN_WORKERS="2")
    (home / "photos").unlink()

    assert ended.returncode == 2
    assert "ABHIDHAN_PHOTOS" in ended.stderr
    assert "No worker could start" in ended.stderr
    assert "Traceback" not in ended.stderr


def is_free(port: int) -> bool:
    """Return whether a server could listen on a port."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


@pytest.mark.thorough
@pytest.mark.parametrize(("last", "workers"), [(signal.SIGTERM, 1), (signal.SIGKILL, 2)])
def test_when_the_parent_ends_workers_free_the_port_and_answer_a_half_sent_request(
    home: Path, last: signal.Signals, workers: int
) -> None:
    with running_server(home, ABHIDHAN_WORKERS=str(workers)) as server:
        processes = workers_of(server)
        idle = PersistentConnection(server.port)
        assert idle.get("/api/languages") == (200, False)
        with socket.create_connection(("127.0.0.1", server.port), START_TIMEOUT_SECONDS) as connection:
            answer = connection.makefile("rb")
            connection.sendall(HEAD)
            assert answer.readline() == b"HTTP/1.1 100 Continue\r\n"
            connection.sendall(BODY[:5])
            server.process.send_signal(last)
            until(lambda: is_free(server.port))
            connection.sendall(BODY[5:])

            assert b"HTTP/1.1 200" in answer.read()
        until(lambda: not any(is_running(process) for process in processes))
        assert server.process.wait(START_TIMEOUT_SECONDS) == (0 if last == signal.SIGTERM else -last)
        idle.close()


@pytest.mark.thorough
def test_a_stopping_server_closes_connections_until_asked_twice(home: Path) -> None:
    with running_server(home, ABHIDHAN_DRAIN_SECONDS="3600", ABHIDHAN_LOG_FORMAT="json") as server:
        silent, asking = PersistentConnection(server.port), PersistentConnection(server.port)
        assert asking.get("/health/ready") == (200, False)
        server.process.send_signal(signal.SIGINT)

        until(lambda: is_drained(asking))
        newcomer = PersistentConnection(server.port)
        for each in (newcomer, silent):
            assert each.get("/api/languages") == (200, True)
            assert each.is_closed()
        waiting = PersistentConnection(server.port)
        assert logged(server, STOPPING)
        server.process.send_signal(signal.SIGTERM)

        assert server.process.wait(START_TIMEOUT_SECONDS) == 0
        assert is_free(server.port)
        for each in (silent, asking, newcomer, waiting):
            each.close()


def is_drained(asking: PersistentConnection) -> bool:
    """Return whether the server says that it stops, which it does with the last answer on a connection."""
    answer = asking.get("/health/ready")
    assert answer in {(200, False), (503, True)}
    return answer == (503, True)


@pytest.mark.thorough
def test_sighup_replaces_all_workers_while_the_server_answers(home: Path) -> None:
    with running_server(home, ABHIDHAN_WORKERS="2", ABHIDHAN_LOG_FORMAT="json") as server:
        before = workers_of(server)
        server.process.send_signal(signal.SIGHUP)
        while not logged(server, "all workers are replaced"):
            # A worker that ends may close a connection on which nothing was asked: clients then ask again.
            assert ask(server, "/api/languages") or ask(server, "/api/languages")

        assert len(workers_of(server)) == 2
        assert not workers_of(server) & before
        assert not logged(server, ENDED)


@pytest.mark.thorough
def test_the_old_workers_stay_after_sighup_with_a_wrong_setting(home: Path) -> None:
    with running_server(home, ABHIDHAN_LOG_FORMAT="json") as server:
        before = workers_of(server)
        settings = home / "abhidhan.toml"
        settings.write_text('photos = "ftp://example.org"\n')
        server.process.send_signal(signal.SIGHUP)
        until(lambda: logged(server, "the new workers do not start, so the old ones stay. The log above says why"))
        settings.unlink()

        assert workers_of(server) == before
        assert ask(server, "/api/languages")


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Hand a listening socket over to this process."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        hand_over(monkeypatch, listener)
        yield listener


def hand_over(monkeypatch: pytest.MonkeyPatch, handed: socket.socket, number: str = "1") -> None:
    monkeypatch.setattr(module, "FIRST_LISTEN_FD", os.dup(handed.fileno()))
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    monkeypatch.setenv("LISTEN_FDS", number)


def test_a_socket_that_systemd_passes_is_used(listener: socket.socket) -> None:
    taken = get_systemd_socket()

    assert taken is not None
    with taken:
        assert taken.getsockname() == listener.getsockname()


@pytest.mark.usefixtures("listener")
def test_a_socket_for_another_process_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTEN_PID", "1")
    assert get_systemd_socket() is None

    monkeypatch.delenv("LISTEN_PID")
    assert get_systemd_socket() is None


def test_two_sockets_are_rejected_with_an_explanation(listener: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_over(monkeypatch, listener, "2")

    with pytest.raises(SettingError, match=r"passes 2 sockets.*one line ListenStream="):
        get_systemd_socket()


def test_a_socket_that_does_not_listen_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        with socket.socket(socket.AF_INET, kind) as other:
            other.bind(("127.0.0.1", 0))
            hand_over(monkeypatch, other)

            with pytest.raises(SettingError, match="not a listening TCP socket"):
                get_systemd_socket()
