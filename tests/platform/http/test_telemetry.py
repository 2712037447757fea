import asyncio
import json
from pathlib import Path

import msgspec
from litestar import Litestar

from abhidhan.platform.http.logging import AccessLog
from abhidhan.platform.http.telemetry import MAX_WAITING, Observer
from abhidhan.platform.runtime.metrics import WorkerFiles
from tests.support.edge import SEEN, metrics_of
from tests.support.metrics import counting, metric


def test_access_lines_are_written_soon_without_being_asked() -> None:
    written: list[bytes] = []
    observer = Observer(log=AccessLog("json", written.append))

    async def scene() -> None:
        observer.finish(SEEN)
        await asyncio.sleep(0.3)

    asyncio.run(scene())
    assert json.loads(written[0])["request_id"] == "id-1"


def test_very_many_requests_are_written_and_counted_together_and_not_kept_waiting() -> None:
    written: list[bytes] = []
    observer = Observer(log=AccessLog("json", written.append))

    async def scene() -> None:
        for _ in range(MAX_WAITING + 1):
            observer.start()
            observer.finish(SEEN)
        observer.save()

    with counting("requests_total", "status", route=SEEN.template) as counted:
        asyncio.run(scene())

    assert b"".join(written).count(b"\n") == MAX_WAITING
    assert counted == {str(SEEN.status): MAX_WAITING}
    assert metric("requests_in_flight") == 0


def test_the_time_of_a_line_is_when_the_request_was_over() -> None:
    written: list[bytes] = []
    observer = Observer(log=AccessLog("json", written.append))

    observer.finish(msgspec.structs.replace(SEEN, at=1_800_000_000_123_456_789))
    observer.settle()

    assert json.loads(written[0])["timestamp"] == "2027-01-15T08:00:00.123Z"


def test_while_a_worker_runs_others_see_its_metrics_and_its_last_requests_are_counted(tmp_path: Path) -> None:
    written: list[bytes] = []
    files = WorkerFiles(tmp_path)
    observer = Observer(log=AccessLog("json", written.append), files=files)
    seen = []

    async def scene() -> None:
        async with observer.running(Litestar([], openapi_config=None, logging_config=None)):
            observer.start()
            await asyncio.sleep(0.7)
            seen.append(await asyncio.to_thread(metrics_of, tmp_path))
            observer.finish(SEEN)
        files.close()
        seen.append(await asyncio.to_thread(metrics_of, tmp_path))

    asyncio.run(scene())

    assert seen[0]["abhidhan_event_loop_lag_seconds"] > 0
    assert seen[0]["abhidhan_requests_in_flight"] == 1
    assert len(written) == 1
    assert seen[1][f'abhidhan_requests_total{{route="{SEEN.template}",status="{SEEN.status}"}}'] == 1
