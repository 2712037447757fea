"""`/metrics` of a real server: what it is called, over all workers, when a worker is killed, and after a restart."""

import os
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.server import START_TIMEOUT_SECONDS, RunningServer, copy_starter, running_server

pytestmark = pytest.mark.thorough

WORKERS = 2
REQUESTS = "abhidhan_requests_total"
EXPECTED = Path(__file__).with_name("metrics.txt")
"""Lines of name, type, labels and help, which alerts and boards of operators rely on."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    """Run a server with two workers."""
    copy_starter(tmp_path)
    with running_server(tmp_path, ABHIDHAN_WORKERS=str(WORKERS)) as server:
        until(lambda: Metrics(server).value("abhidhan_workers") == WORKERS)
        yield server


class Metrics:
    """What any one worker answers at `/metrics`."""

    def __init__(self, server: RunningServer) -> None:
        """Ask by a new connection, which any worker may accept."""
        with httpx2.Client(base_url=server.client.base_url, timeout=START_TIMEOUT_SECONDS) as client:
            self.families = list(text_string_to_metric_families(client.get("/metrics").text))

    def value(self, name: str, **labels: str) -> float:
        """Add up the samples that have these labels."""
        samples = [sample for family in self.families for sample in family.samples if sample.name == name]
        return sum(sample.value for sample in samples if labels.items() <= sample.labels.items())

    def processes(self) -> set[int]:
        """Return the process numbers of the workers."""
        return {
            int(sample.labels["process"])
            for family in self.families
            for sample in family.samples
            if sample.name == "abhidhan_worker_memory_bytes"
        }


def until(condition: Callable[[], object]) -> None:
    """Wait for something, however long it takes a busy machine."""
    give_up = time.monotonic() + START_TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < give_up, "it did not happen"
        time.sleep(0.05)


def ask_for(server: RunningServer, path: str, *, number: int) -> None:
    for _ in range(number):
        with httpx2.Client(base_url=server.client.base_url, timeout=START_TIMEOUT_SECONDS) as client:
            assert client.get(path).status_code == 200


def check_names(metrics: Metrics) -> None:
    """Compare names, types, labels and help texts with those that alerts and boards of operators rely on."""
    labels: dict[str, set[str]] = defaultdict(set)
    for family in metrics.families:
        labels[family.name].update(*(sample.labels for sample in family.samples))
    expected = [line.split("|") for line in EXPECTED.read_text(encoding="utf-8").splitlines()]

    assert sorted((family.name, family.type, family.documentation) for family in metrics.families) == sorted(
        (name, kind, text) for name, kind, _, text in expected
    )
    for name, _, names, _ in expected:
        assert labels[name] in ({*names.split()}, set()), name
    assert len([name for name in labels if labels[name]]) >= 10


def test_no_counter_falls_and_no_gauge_doubles_when_a_worker_is_replaced(server: RunningServer) -> None:
    ask_for(server, "/api/languages", number=20)
    until(lambda: Metrics(server).value(REQUESTS, route="/api/languages") == 20)
    time.sleep(1)  # what a worker has counted is in its file
    before = Metrics(server)
    check_names(before)
    worker = min(before.processes())
    os.kill(worker, signal.SIGKILL)
    until(lambda: worker not in Metrics(server).processes() and Metrics(server).value("abhidhan_workers") == WORKERS)
    ask_for(server, "/api/languages", number=20)
    until(lambda: Metrics(server).value(REQUESTS, route="/api/languages") >= 40)
    time.sleep(1)
    after = Metrics(server)

    check_names(after)
    assert after.value(REQUESTS, route="/api/languages") == 40
    assert after.value("abhidhan_request_seconds_count", route="/api/languages") == 40
    assert after.value("abhidhan_worker_respawns_total") == 1
    assert len(after.processes()) == WORKERS
    for gauge in ("abhidhan_workers", "abhidhan_database_threads", "abhidhan_build_info"):
        assert after.value(gauge) == before.value(gauge) > 0
    assert after.value("abhidhan_database_jobs") + after.value("abhidhan_requests_in_flight") < 3


def test_a_server_counts_from_zero_after_it_was_killed(server: RunningServer, tmp_path: Path) -> None:
    ask_for(server, "/api/languages", number=1)
    until(lambda: Metrics(server).value(REQUESTS, route="/api/languages") == 1)
    server.process.kill()
    server.process.wait(START_TIMEOUT_SECONDS)
    with running_server(tmp_path, ABHIDHAN_WORKERS=str(WORKERS)) as again:
        until(lambda: Metrics(again).value("abhidhan_workers") == len(Metrics(again).processes()) == WORKERS)
        metrics = Metrics(again)

    assert metrics.value(REQUESTS, route="/api/languages") == 0
    assert metrics.value("abhidhan_worker_respawns_total") == 0
    assert metrics.value("abhidhan_workers") == WORKERS
