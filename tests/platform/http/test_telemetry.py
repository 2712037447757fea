import asyncio
import json
import mmap
import platform
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from ipaddress import ip_network
from pathlib import Path

import msgspec
import pytest
from litestar import Litestar
from structlog.testing import capture_logs

from abhidhan.platform.http.client_address import TrustedProxies
from abhidhan.platform.http.logging import AccessLog
from abhidhan.platform.http.telemetry import (
    MAX_PENDING_REQUESTS,
    RequestObserver,
    build_metrics_handler,
    read_private_memory,
)
from abhidhan.platform.runtime import metrics
from abhidhan.platform.runtime.build_info import parse_commit
from abhidhan.platform.runtime.metrics import SIGN_INS, WorkerMetricFiles, open_worker_metric_files
from tests.support.asgi import ask
from tests.support.edge import FINISHED_REQUEST, make_edge, make_hello_handler, read_metrics
from tests.support.metrics import count_changes, metric


def test_access_lines_are_written_within_a_moment() -> None:
    written: list[bytes] = []
    observer = RequestObserver(log=AccessLog("json", written.append))

    async def scene() -> None:
        observer.finish(FINISHED_REQUEST)
        await asyncio.sleep(0.3)

    asyncio.run(scene())
    assert json.loads(written[0])["request_id"] == "id-1"


def test_full_batches_of_requests_are_logged_and_counted_immediately() -> None:
    written: list[bytes] = []
    observer = RequestObserver(log=AccessLog("json", written.append))

    async def scene() -> None:
        for _ in range(MAX_PENDING_REQUESTS + 1):
            observer.start()
            observer.finish(FINISHED_REQUEST)
        observer.save()

    with count_changes("requests_total", "status", route=FINISHED_REQUEST.template) as counted:
        asyncio.run(scene())

    assert b"".join(written).count(b"\n") == MAX_PENDING_REQUESTS
    assert counted == {str(FINISHED_REQUEST.status): MAX_PENDING_REQUESTS}
    assert metric("requests_in_flight") == 0


def test_the_time_of_an_access_line_is_the_end_of_the_request() -> None:
    written: list[bytes] = []
    observer = RequestObserver(log=AccessLog("json", written.append))

    observer.finish(msgspec.structs.replace(FINISHED_REQUEST, at=1_800_000_000_123_456_789))
    observer.flush()

    assert json.loads(written[0])["timestamp"] == "2027-01-15T08:00:00.123Z"


def test_other_workers_see_the_metrics_of_a_running_worker_and_its_last_requests(tmp_path: Path) -> None:
    written: list[bytes] = []
    files = WorkerMetricFiles(tmp_path)
    observer = RequestObserver(log=AccessLog("json", written.append), files=files)
    seen = []

    async def scene() -> None:
        async with observer.running(Litestar([], openapi_config=None, logging_config=None)):
            observer.start()
            await asyncio.sleep(0.7)
            seen.append(await asyncio.to_thread(read_metrics, tmp_path))
            observer.finish(FINISHED_REQUEST)
        files.close()
        seen.append(await asyncio.to_thread(read_metrics, tmp_path))

    asyncio.run(scene())

    assert seen[0]["abhidhan_event_loop_lag_seconds"] > 0
    assert seen[0]["abhidhan_requests_in_flight"] == 1
    assert len(written) == 1
    assert (
        seen[1][f'abhidhan_requests_total{{route="{FINISHED_REQUEST.template}",status="{FINISHED_REQUEST.status}"}}']
        == 1
    )


MAPPED = 64_000_000
"""Bytes of a file that is mapped: many more than tests leave behind meanwhile."""

OTHER_WORKER = """
import os, sys
from pathlib import Path
from abhidhan.platform.runtime.metrics import CACHE_LOOKUPS, REQUEST_SECONDS, REQUESTS, REQUESTS_IN_FLIGHT
from abhidhan.platform.runtime.metrics import WorkerMetricFiles
files = WorkerMetricFiles(Path(sys.argv[1]))
if "trial" in sys.argv:
    os._exit(0)
REQUESTS.labels("/api/hello", 200).inc()
REQUEST_SECONDS.labels("/api/hello").observe(0.3)
CACHE_LOOKUPS.labels("hit").inc()
REQUESTS_IN_FLIGHT.set(1)
files.mark_ready()
files.save()
print(os.getpid(), flush=True)
sys.stdin.read()
if "close" in sys.argv:
    files.close()
os._exit(0)
"""


@pytest.fixture
def files(tmp_path: Path) -> Iterator[WorkerMetricFiles]:
    """Make this process a worker."""
    files = WorkerMetricFiles(tmp_path)
    yield files
    files.close()


def start_other_worker(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    """Start another worker, which has answered a request, answers another one, and ends when its input does.

    With "trial" it ends before it is ready; without "close" it ends as if it was killed.
    """
    command = [sys.executable, "-c", OTHER_WORKER, str(folder), *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603


def select_shared_metrics(seen: dict[str, float]) -> dict[str, float]:
    """Return what a test of two workers compares."""
    routes = {name: value for name, value in seen.items() if '"/api/hello"' in name and "_total" in name}
    names = ("abhidhan_workers", "abhidhan_requests_in_flight", "abhidhan_worker_respawns_total")
    return routes | {name: seen[name] for name in names}


@pytest.mark.thorough
def test_metrics_are_summed_over_workers_and_a_new_worker_continues_the_counters(
    tmp_path: Path, files: WorkerMetricFiles
) -> None:
    observer = RequestObserver(files=files)
    edge = make_edge(make_hello_handler(), observer=observer)
    for path in ("/api/hello", "/api/hello", "/api/no"):
        ask(edge, path)
    observer.flush()
    files.mark_ready()
    observer.save()
    requests = 'abhidhan_requests_total{route="/api/hello",status="200"}'
    workers, in_flight, respawns = "abhidhan_workers", "abhidhan_requests_in_flight", "abhidhan_worker_respawns_total"
    both, one = {workers: 2, in_flight: 1}, {workers: 1, in_flight: 0}

    with start_other_worker(tmp_path) as killed:
        assert killed.stdout
        killed.stdout.readline()
        seen = read_metrics(tmp_path)
    assert select_shared_metrics(seen) == both | {requests: 3, respawns: 0}
    assert seen['abhidhan_requests_total{route="unmatched",status="404"}'] == 1
    assert seen['abhidhan_answer_cache_total{result="hit"}'] == 2
    assert seen['abhidhan_answer_cache_total{result="miss"}'] == 2
    assert seen['abhidhan_request_seconds_bucket{le="0.25",route="/api/hello"}'] == 2
    assert seen['abhidhan_request_seconds_bucket{le="+Inf",route="/api/hello"}'] == 3
    assert seen['abhidhan_request_seconds_count{route="/api/hello"}'] == 3
    assert seen['abhidhan_request_seconds_sum{route="/api/hello"}'] > 0.3
    assert select_shared_metrics(read_metrics(tmp_path)) == one | {requests: 3, respawns: 0}

    with start_other_worker(tmp_path, "trial"):
        pass  # takes the number of the killed one, and is never ready
    with start_other_worker(tmp_path, "close") as replacement:
        assert replacement.stdout
        replacement.stdout.readline()
        assert select_shared_metrics(read_metrics(tmp_path)) == both | {requests: 4, respawns: 1}
    with start_other_worker(tmp_path) as replacement:
        assert replacement.stdout
        replacement.stdout.readline()
        assert select_shared_metrics(read_metrics(tmp_path)) == both | {requests: 5, respawns: 1}
    assert len(list(tmp_path.glob("*.db"))) == 2 * len(metrics.FILE_SIZES_BYTES)


def test_a_worker_that_cannot_open_its_files_counts_on_its_own(
    tmp_path: Path, files: WorkerMetricFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_descriptor: int, _size: int) -> None:
        raise OSError(28, "No space left on device")

    SIGN_INS.labels("failed").inc()
    files.save()
    monkeypatch.setattr(metrics, "reserve_disk_space", fail)
    with capture_logs() as logs:
        assert open_worker_metric_files(tmp_path) is None

    assert [line["event"] for line in logs] == ["a worker counts on its own"]
    assert read_metrics(tmp_path)['abhidhan_sign_ins_total{result="failed"}'] == 1


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only a system with /proc tells the memory")
def test_mapped_files_are_not_counted_as_memory_of_a_worker(tmp_path: Path) -> None:
    file = tmp_path / "mapped"
    file.write_bytes(bytes(MAPPED))
    before = read_private_memory()
    assert 10_000_000 < before < 100_000_000_000
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert sum(mapped[place] for place in range(0, MAPPED, mmap.PAGESIZE)) == 0
        assert read_private_memory() == pytest.approx(before, abs=MAPPED / 4)


def test_the_metrics_contain_the_version_of_the_program(tmp_path: Path) -> None:
    (build,) = (name for name in read_metrics(tmp_path) if name.startswith("abhidhan_build_info"))

    assert f'version="{version("abhidhan")}"' in build
    assert f'python="{platform.python_version()}"' in build


ORIGINS = (
    # what pip has noted, the commit
    ('{"url": "https://git.example/abhidhan", "vcs_info": {"vcs": "git", "commit_id": "0123abcd"}}', "0123abcd"),
    ('{"url": "file://HOME", "dir_info": {"editable": true}}', "4567ef"),
    ('{"url": "file://HOME", "dir_info": {}}', ""),
    ('{"url": "file:///nowhere", "dir_info": {"editable": true}}', ""),
    ("{}", ""),
    ("[]", ""),
    ("no JSON", ""),
)


def test_the_commit_is_read_from_the_origin_that_pip_has_noted(tmp_path: Path) -> None:
    (tmp_path / ".git" / "refs").mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/main\n")
    (tmp_path / ".git" / "refs" / "main").write_text("4567ef\n")

    for origin, commit in ORIGINS:
        assert parse_commit(origin.replace("HOME", str(tmp_path))) == commit, origin


METRICS_CLIENTS: tuple[tuple[tuple[str, int], dict[str, str], int], ...] = (
    (("127.0.0.1", 1), {}, 200),
    (("::1", 1), {}, 200),
    (("", 0), {}, 200),
    (("10.1.2.3", 1), {}, 200),
    (("192.0.2.1", 1), {}, 403),
    (("127.0.0.1", 1), {"X-Forwarded-For": "127.0.0.1"}, 403),
    (("127.0.0.1", 1), {"Forwarded": "for=127.0.0.1"}, 403),
    (("172.16.0.1", 1), {"X-Forwarded-For": "192.0.2.1"}, 403),
    (("172.16.0.1", 1), {"X-Forwarded-For": "10.1.2.3"}, 200),
)


def test_metrics_are_shown_only_to_this_machine_and_to_the_configured_networks(tmp_path: Path) -> None:
    proxies = TrustedProxies((ip_network("172.16.0.0/12"),))
    edge = make_edge(build_metrics_handler(tmp_path, [ip_network("10.0.0.0/8")]), proxies=proxies)

    for client, headers, status in METRICS_CLIENTS:
        assert ask(edge, "/metrics", client=client, headers=headers).status == status, (client, headers)
