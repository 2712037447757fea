import asyncio
import json
from pathlib import Path

import msgspec
from litestar import Litestar

from abhidhan.domain.figures import Count
from abhidhan.web.edge.logs import AccessLog
from abhidhan.web.edge.metrics import Counters
from abhidhan.web.edge.telemetry import MOST_WAITING, Observer
from tests.support.edge import SEEN, metrics_of


def test_access_lines_are_written_soon_without_being_asked() -> None:
    written: list[bytes] = []
    observer = Observer(log=AccessLog("json", written.append))

    async def scene() -> None:
        observer.finished(SEEN)
        await asyncio.sleep(0.3)

    asyncio.run(scene())
    assert json.loads(written[0])["request_id"] == "id-1"


def test_very_many_requests_are_written_and_counted_at_once_and_not_kept_waiting(tmp_path: Path) -> None:
    written: list[bytes] = []
    counters = Counters(tmp_path)
    observer = Observer(counters=counters, log=AccessLog("json", written.append))

    async def scene() -> None:
        for _ in range(MOST_WAITING + 1):
            observer.began()
            observer.finished(SEEN)

    asyncio.run(scene())
    told = metrics_of(tmp_path)
    counters.close()

    assert b"".join(written).count(b"\n") == MOST_WAITING
    assert told[f'abhidhan_requests_total{{route="{SEEN.template}",status="{SEEN.status}"}}'] == MOST_WAITING
    assert told["abhidhan_requests_in_flight"] == 0


def test_the_time_of_a_line_is_when_the_request_was_over() -> None:
    written: list[bytes] = []
    observer = Observer(log=AccessLog("json", written.append))

    observer.finished(msgspec.structs.replace(SEEN, at=1_800_000_000_123_456_789))
    observer.settle()

    assert json.loads(written[0])["timestamp"] == "2027-01-15T08:00:00.123Z"


def test_access_lines_of_the_last_moment_are_written_at_the_end() -> None:
    written: list[bytes] = []
    observer = Observer(log=AccessLog("json", written.append))

    async def scene() -> None:
        async with observer.running(Litestar([], openapi_config=None, logging_config=None)):
            observer.finished(SEEN)

    asyncio.run(scene())
    assert len(written) == 1


def test_what_other_parts_count_is_noted_while_the_worker_runs_and_at_its_end(tmp_path: Path) -> None:
    counters = Counters(tmp_path)
    count = Count("abhidhan_sign_ins")
    observer = Observer(counters=counters, figures=count.figures)
    told = []

    async def scene() -> None:
        async with observer.running(Litestar([], openapi_config=None, logging_config=None)):
            count.add("failed")
            await asyncio.sleep(0.7)
            told.append(await asyncio.to_thread(metrics_of, tmp_path))
            count.add("failed")
        told.append(await asyncio.to_thread(metrics_of, tmp_path))

    asyncio.run(scene())
    counters.close()

    assert [each['abhidhan_sign_ins_total{result="failed"}'] for each in told] == [1, 2]


def test_the_event_loops_lag_is_told(tmp_path: Path) -> None:
    counters = Counters(tmp_path)
    observer = Observer(counters=counters)

    async def scene() -> None:
        async with observer.running(Litestar([], openapi_config=None, logging_config=None)):
            await asyncio.sleep(0.7)

    asyncio.run(scene())
    told = metrics_of(tmp_path)["abhidhan_event_loop_lag_seconds"]
    counters.close()

    assert told > 0
