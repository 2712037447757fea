"""Workers that end and are replaced, servers that stop, and parents that die: real processes, killed for real."""

import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest

from abhidhan.bootstrap.supervisor import how_it_ended
from abhidhan.web.edge.metrics import READY
from abhidhan.web.edge.worker_metrics import Tally
from tests.support.crowd import KeptConnection
from tests.support.ports import free_port
from tests.support.server import START_SECONDS, RunningServer, bring_starter, run_command, running_server


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


def until(happened: Callable[[], object]) -> None:
    """Wait for something, however long it takes a busy machine."""
    give_up = time.monotonic() + START_SECONDS
    while not happened():
        assert time.monotonic() < give_up, "it did not happen"
        time.sleep(0.02)


def workers_of(server: RunningServer) -> set[int]:
    """Return the process numbers of the workers that clients can connect to."""
    workers = set()
    for path in (server.home / "run").glob("*.tally"):
        with suppress(FileNotFoundError):  # the parent has just taken it over
            if Tally.read(path).get(READY):
                workers.add(int(path.name.partition("-")[0]))
    return workers - {server.process.pid}


def all_workers_of(server: RunningServer, number: int) -> set[int]:
    """Return the process numbers of all workers, when clients can connect to each."""
    until(lambda: len(workers_of(server)) == number)
    return workers_of(server)


def told(server: RunningServer, event: str) -> list[dict[str, object]]:
    """Return the lines of the log about an event."""
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == event]


def kill_and_await_another(server: RunningServer, worker: int) -> int:
    """Kill a worker, and return the one that takes its place."""
    others = workers_of(server) - {worker}
    os.kill(worker, signal.SIGKILL)
    until(lambda: worker not in workers_of(server) and len(workers_of(server)) > len(others))
    (another,) = workers_of(server) - others
    return another


def test_a_worker_that_is_killed_again_and_again_is_replaced_each_time(server: RunningServer) -> None:
    worker = min(all_workers_of(server, 2))
    for _ in range(3):
        worker = kill_and_await_another(server, worker)
        with httpx2.Client(base_url=server.client.base_url, timeout=START_SECONDS) as fresh:
            assert fresh.get("/api/languages").status_code == 200

    lines = told(server, "a worker has ended and is replaced")
    assert [line["level"] for line in lines] == ["warning"] * 3
    assert {line["ended"] for line in lines} == {"killed by SIGKILL (somebody killed it, or memory ran out)"}
    assert len({line["worker"] for line in lines}) == 1
    assert server.process.poll() is None
    with httpx2.Client(base_url=server.client.base_url, timeout=START_SECONDS) as fresh:
        metrics = fresh.get("/metrics").text
    assert "abhidhan_worker_respawns_total 3.0" in metrics


def test_what_a_killed_worker_counted_still_counts(home: Path) -> None:
    with running_server(home) as server:
        assert server.client.get("/api/languages").status_code == 200
        counted = 'abhidhan_requests_total{route="/api/languages",status="200"} 1.0'
        until(lambda: counted in server.client.get("/metrics").text)
        (worker,) = all_workers_of(server, 1)
        kill_and_await_another(server, worker)

        with httpx2.Client(base_url=server.client.base_url, timeout=START_SECONDS) as fresh:
            assert counted in fresh.get("/metrics").text


def test_while_the_only_worker_is_replaced_clients_wait_and_are_answered(home: Path) -> None:
    with running_server(home) as server:
        (worker,) = all_workers_of(server, 1)
        os.kill(worker, signal.SIGKILL)
        until(lambda: worker not in workers_of(server))

        with httpx2.Client(base_url=server.client.base_url, timeout=START_SECONDS) as fresh:
            assert fresh.get("/api/languages").status_code == 200


def test_workers_that_cannot_start_end_the_server_with_the_reason(home: Path) -> None:
    ended = run_command(
        home, "serve", "--port", str(free_port()), ABHIDHAN_WORKERS="2", ABHIDHAN_PHOTOS="ftp://example.org"
    )

    assert ended.returncode == 2
    assert "ABHIDHAN_PHOTOS" in ended.stderr
    assert "No worker could start" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_when_their_parent_is_killed_workers_say_goodbye_and_leave_the_port(home: Path) -> None:
    with running_server(home, ABHIDHAN_WORKERS="2", ABHIDHAN_DRAIN_SECONDS="60") as server:
        server.client.close()
        busy = KeptConnection(server.port)
        server.process.kill()
        server.process.wait(START_SECONDS)

        answers = [busy.get("/api/languages")]
        while not answers[-1][1]:
            answers.append(busy.get("/api/languages"))

        assert {status for status, _ in answers} == {200}
        assert busy.is_closed()
        busy.close()
        until(lambda: is_free(server.port))


def is_free(port: int) -> bool:
    """Return whether a server could listen on a port."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def test_a_server_that_stops_answers_everybody_for_the_last_time(home: Path) -> None:
    with running_server(home, ABHIDHAN_DRAIN_SECONDS="60") as server:
        server.client.close()
        silent, asking = KeptConnection(server.port), KeptConnection(server.port)
        assert asking.get("/health/ready") == (200, False)
        server.process.send_signal(signal.SIGTERM)

        until(lambda: asking_is_told_to_go(asking, server))
        newcomer = KeptConnection(server.port)
        assert newcomer.get("/api/languages") == (200, True)
        assert newcomer.is_closed()
        assert silent.get("/api/languages") == (200, True)
        assert silent.is_closed()
        for each in (silent, asking, newcomer):
            each.close()
        assert server.process.wait(START_SECONDS) == 0


def asking_is_told_to_go(asking: KeptConnection, server: RunningServer) -> bool:
    """Return whether the server says that it stops, which it does with the last answer on a connection."""
    answer = asking.get("/health/ready")
    assert answer in {(200, False), (503, True)}
    assert server.process.poll() is None
    return answer == (503, True)


@pytest.mark.parametrize("again", [signal.SIGINT, signal.SIGTERM])
def test_who_asks_twice_stops_the_server_at_once(home: Path, again: signal.Signals) -> None:
    with running_server(home, ABHIDHAN_DRAIN_SECONDS="3600", ABHIDHAN_LOG_FORMAT="json") as server:
        waiting = KeptConnection(server.port)
        server.process.send_signal(signal.SIGINT)
        until(lambda: told(server, "stopping: what has begun is finished first. Ask again to stop at once"))
        server.process.send_signal(again)

        assert server.process.wait(START_SECONDS) == 0
        assert is_free(server.port)
        waiting.close()


def test_ctrl_c_reaches_the_parent_alone(server: RunningServer) -> None:
    workers = all_workers_of(server, 2)

    assert {os.getpgid(worker) for worker in workers} == workers


def test_sighup_replaces_all_workers_and_nobody_notices(server: RunningServer) -> None:
    before = all_workers_of(server, 2)
    server.process.send_signal(signal.SIGHUP)
    statuses = set()
    while not told(server, "all workers are replaced"):
        with httpx2.Client(base_url=server.client.base_url, timeout=START_SECONDS) as fresh:
            statuses.add(fresh.get("/api/languages").status_code)

    assert statuses == {200}
    assert len(workers_of(server)) == 2
    assert not workers_of(server) & before


def test_after_sighup_with_a_wrong_setting_the_old_workers_stay(home: Path) -> None:
    with running_server(home, ABHIDHAN_LOG_FORMAT="json") as server:
        before = all_workers_of(server, 1)
        settings = home / "abhidhan.toml"
        settings.write_text('photos = "ftp://example.org"\n')
        server.process.send_signal(signal.SIGHUP)
        until(lambda: told(server, "the new workers do not start, and so the old ones stay. The log above says why"))
        settings.unlink()

        assert workers_of(server) == before
        assert server.client.get("/api/languages").status_code == 200


@pytest.mark.parametrize(
    ("code", "words"),
    [(0, "exit status 0"), (3, "exit status 3"), (-signal.SIGSEGV, "killed by SIGSEGV"), (-63, "killed by signal 63")],
)
def test_how_a_worker_ended_is_told_in_words(code: int, words: str) -> None:
    assert how_it_ended(code) == words
