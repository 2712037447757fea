"""Workers that end and are replaced, servers that stop, and parents that die: real processes, killed for real."""

import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import httpx2
import pytest

from tests.support.crowd import KeptConnection
from tests.support.ports import free_port
from tests.support.server import START_SECONDS, RunningServer, bring_starter, run_command, running_server

ENDED: Final = "a worker has ended and is replaced"
STOPPING: Final = "stopping: what has begun is finished first. Ask again to stop at once"
BODY: Final = '{"words": ["মানুহ"]}'.encode()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a dictionary once, for the servers of all tests, one after another."""
    home = tmp_path_factory.mktemp("supervised")
    bring_starter(home)
    return home


@pytest.fixture
def server(home: Path) -> Iterator[RunningServer]:
    """Run a server with two workers."""
    with running_server(home, ABHIDHAN_WORKERS="2", ABHIDHAN_LOG_FORMAT="json") as server:
        yield server


def until(condition: Callable[[], object]) -> None:
    """Wait for a condition, however long it takes a busy machine."""
    give_up = time.monotonic() + START_SECONDS
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


def status(server: RunningServer) -> int:
    """Ask on a new connection and return the status; 0 if nobody answers."""
    try:
        return httpx2.get(f"{server.client.base_url}/api/languages", timeout=START_SECONDS).status_code
    except httpx2.TransportError:
        return 0


def logged(server: RunningServer, event: str) -> list[dict[str, object]]:
    """Return the lines of the log about an event."""
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == event]


@pytest.mark.parametrize(("workers", "at_once"), [(1, 1), (2, 1), (3, 3)])
def test_after_three_kills_all_workers_are_replaced_and_the_server_answers(
    home: Path, workers: int, at_once: int
) -> None:
    settings = {"ABHIDHAN_WORKERS": str(workers), "ABHIDHAN_LOG_FORMAT": "json"}
    with running_server(home, **settings) as server:
        killed: set[int] = set()
        while len(killed) < 3:
            until(lambda: len(workers_of(server)) == workers)
            victims = sorted(workers_of(server))[-at_once:]
            for victim in victims:
                os.kill(victim, signal.SIGKILL)
            killed |= set(victims)
            until(lambda: not workers_of(server) & killed)

        until(lambda: status(server) == 200)
        until(lambda: len(workers_of(server)) == workers)
        assert server.process.poll() is None
        lines = logged(server, ENDED)
        assert [(line["level"], line["ended"]) for line in lines] == [("warning", "signal 9 (Killed)")] * 3
        metrics = httpx2.get(f"{server.client.base_url}/metrics", timeout=START_SECONDS).text
        assert "abhidhan_worker_respawns_total 3.0" in metrics


def test_while_the_only_worker_is_replaced_clients_wait_and_its_counters_stay(home: Path) -> None:
    with running_server(home) as server:
        assert status(server) == 200
        counted = 'abhidhan_requests_total{route="/api/languages",status="200"} 1.0'
        until(lambda: counted in server.client.get("/metrics").text)
        (worker,) = workers_of(server)
        os.kill(worker, signal.SIGKILL)
        until(lambda: not is_running(worker))

        answer = httpx2.get(f"{server.client.base_url}/metrics", timeout=START_SECONDS)

        assert answer.status_code == 200
        assert counted in answer.text


def test_workers_that_cannot_start_end_the_server_with_the_reason(home: Path) -> None:
    ended = run_command(
        home, "serve", "--port", str(free_port()), ABHIDHAN_WORKERS="2", ABHIDHAN_PHOTOS="ftp://example.org"
    )

    assert ended.returncode == 2
    assert "ABHIDHAN_PHOTOS" in ended.stderr
    assert "No worker could start" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("workers", [1, 2])
def test_when_their_parent_is_killed_workers_end_and_leave_the_port(home: Path, workers: int) -> None:
    with running_server(home, ABHIDHAN_WORKERS=str(workers)) as server:
        idle = KeptConnection(server.port)
        assert idle.get("/api/languages") == (200, False)
        orphans = workers_of(server)
        assert len(orphans) == workers
        server.process.kill()
        server.process.wait(START_SECONDS)

        until(lambda: is_free(server.port))
        until(lambda: not any(is_running(orphan) for orphan in orphans))
        idle.close()


def is_free(port: int) -> bool:
    """Return whether a server could listen on a port."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


@pytest.mark.parametrize("parent_is_killed", [False, True])
def test_a_request_whose_body_is_half_sent_is_answered_by_a_server_that_stops(
    home: Path,
    parent_is_killed: bool,  # noqa: FBT001 (a parameter of the test)
) -> None:
    with running_server(home) as server:
        head = (
            f"POST /api/lookup HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(BODY)}\r\nExpect: 100-continue\r\n"
        )
        with socket.create_connection(("127.0.0.1", server.port), START_SECONDS) as connection:
            answer = connection.makefile("rb")
            connection.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode())
            assert answer.readline() == b"HTTP/1.1 100 Continue\r\n"
            connection.sendall(BODY[:5])
            if parent_is_killed:
                server.process.kill()
            else:
                server.process.terminate()
            until(lambda: is_free(server.port))
            connection.sendall(BODY[5:])

            assert b"HTTP/1.1 200" in answer.read()


@pytest.mark.parametrize("again", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_stops_closes_each_connection_with_its_answer_and_ends_at_a_second_signal(
    home: Path, again: signal.Signals
) -> None:
    with running_server(home, ABHIDHAN_DRAIN_SECONDS="3600", ABHIDHAN_LOG_FORMAT="json") as server:
        silent, asking = KeptConnection(server.port), KeptConnection(server.port)
        assert asking.get("/health/ready") == (200, False)
        server.process.send_signal(signal.SIGTERM)

        until(lambda: is_drained(asking))
        newcomer = KeptConnection(server.port)
        for each in (newcomer, silent):
            assert each.get("/api/languages") == (200, True)
            assert each.is_closed()
        waiting = KeptConnection(server.port)
        assert logged(server, STOPPING)
        server.process.send_signal(again)

        assert server.process.wait(START_SECONDS) == 0
        assert is_free(server.port)
        for each in (silent, asking, newcomer, waiting):
            each.close()


def is_drained(asking: KeptConnection) -> bool:
    """Return whether the server says that it stops, which it does with the last answer on a connection."""
    answer = asking.get("/health/ready")
    assert answer in {(200, False), (503, True)}
    return answer == (503, True)


def test_sighup_replaces_all_workers_while_the_server_answers(server: RunningServer) -> None:
    before = workers_of(server)
    server.process.send_signal(signal.SIGHUP)
    statuses = []
    while not logged(server, "all workers are replaced"):
        statuses.append(status(server) or status(server))

    assert set(statuses) == {200}
    assert len(workers_of(server)) == 2
    assert not workers_of(server) & before
    assert not logged(server, ENDED)


def test_after_sighup_with_a_wrong_setting_the_old_workers_stay(home: Path) -> None:
    with running_server(home, ABHIDHAN_LOG_FORMAT="json") as server:
        before = workers_of(server)
        settings = home / "abhidhan.toml"
        settings.write_text('photos = "ftp://example.org"\n')
        server.process.send_signal(signal.SIGHUP)
        until(lambda: logged(server, "the new workers do not start, and so the old ones stay. The log above says why"))
        settings.unlink()

        assert workers_of(server) == before
        assert status(server) == 200
