"""The metrics of the program, and the files through which the workers of one server share them.

Each worker writes files in the format of prometheus_client, and reads the files of all workers to answer `/metrics`.
Files are named by a number: a worker that replaces another one takes over its number and its counters, so that no
counter decreases.
"""

import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, disable_created_metrics, values
from prometheus_client.mmap_dict import MmapedDict, mmap_key
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

from abhidhan.platform.runtime.files import FileLock, reserve_disk_space
from abhidhan.records.errors import unwritable_error

KIBIBYTE: Final = 1024
FILE_SIZES_BYTES: Final = {
    "counter": 512 * KIBIBYTE,
    "histogram": 1024 * KIBIBYTE,
    "gauge_livesum": 64 * KIBIBYTE,
    "gauge_livemax": 64 * KIBIBYTE,
}
"""Sizes of a worker's files: enough for all routes with five statuses each.

Disk space is reserved for the files, because writing to a mapped file without space on the disk kills the process
(SIGBUS).
"""

_log = structlog.get_logger("abhidhan.web")
_shared_values: list["SharedValue"] = []


class SharedValue(values.MutexValue):
    """A metric value in memory, which `WorkerMetricFiles.save` copies to a file.

    The library's own multiprocess value writes each change to its file, which takes 5 µs more per request.
    """

    _multiprocess = True

    def __init__(self, *parameters: Any, multiprocess_mode: str = "", **options: Any) -> None:  # noqa: ANN401
        """Start at 0. `parameters` are the metric's type and the parts of its key in the file."""
        super().__init__(*parameters, **options)  # type: ignore[no-untyped-call]
        kind, *key = parameters
        self.file_name = f"{kind}_{multiprocess_mode}" if multiprocess_mode else kind
        self.key = mmap_key(*key)
        self.reset()
        _shared_values.append(self)

    def reset(self) -> None:
        """Restart at 0, for a newly opened file, which may already contain a value."""
        self.set(0.0)  # type: ignore[no-untyped-call]
        self._base: float | None = None
        self._saved = math.nan

    def save(self, file: MmapedDict) -> None:
        """Write the value to the file, added to the value of an earlier worker."""
        number = self._value
        if number == self._saved:
            return
        if self._base is None:
            self._base = file.read_value(self.key)[0]
        file.write_value(self.key, self._base + number, 0.0)
        self._saved = number


values.ValueClass = SharedValue
disable_created_metrics()

REGISTRY: Final = CollectorRegistry()
_create_counter = partial(Counter, registry=REGISTRY)
_create_sum_gauge = partial(Gauge, registry=REGISTRY, multiprocess_mode="livesum")

REQUESTS: Final = _create_counter("abhidhan_requests", "Responses, by route and status.", ("route", "status"))
CACHE_LOOKUPS: Final = _create_counter("abhidhan_answer_cache", "Public responses, by cache hit or miss.", ("result",))
REQUEST_SECONDS: Final = Histogram(
    "abhidhan_request_seconds",
    "Response times, by route.",
    ("route",),
    registry=REGISTRY,
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0),
)
REQUESTS_IN_FLIGHT: Final = _create_sum_gauge("abhidhan_requests_in_flight", "Requests in progress.")
EVENT_LOOP_LAG: Final = Gauge(
    "abhidhan_event_loop_lag_seconds",
    "The longest delay of any worker's event loop in the last 15 s.",
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
READY_WORKERS: Final = _create_sum_gauge("abhidhan_workers", "Workers that respond.")
WORKER_MEMORY: Final = _create_sum_gauge(
    "abhidhan_worker_memory_bytes", "Memory of each worker, without files mapped into it.", ("process",)
)
WORKER_RESPAWNS: Final = _create_counter(
    "abhidhan_worker_respawns", "Workers that ended unexpectedly and were replaced."
)
DATABASE_THREADS: Final = _create_sum_gauge(
    "abhidhan_database_threads", "The maximum number of threads for database jobs.", ("work",)
)
DATABASE_JOBS: Final = _create_sum_gauge(
    "abhidhan_database_jobs", "Database jobs that run in threads or wait for one.", ("work", "state")
)
DATABASE_JOBS_STARTED: Final = _create_counter(
    "abhidhan_database_jobs_begun", "Database jobs that threads have started.", ("work",)
)
DATABASE_WAIT_SECONDS: Final = _create_counter(
    "abhidhan_database_wait_seconds", "The total time for which started database jobs had waited.", ("work",)
)
DATABASE_ERRORS: Final = _create_counter("abhidhan_database_errors", "Database errors, by kind.", ("kind",))
SIGN_INS: Final = _create_counter("abhidhan_sign_ins", "Attempts to sign in, by result.", ("result",))
MAIL_DELIVERIES: Final = _create_counter("abhidhan_mails", "Attempts to send e-mails, by result.", ("result",))
WIKI_REQUESTS: Final = _create_counter("abhidhan_wiki_requests", "Requests to wikis, by result.", ("wiki", "outcome"))

COMPUTED_GAUGES: Final = {
    "abhidhan_build_info": "The running program: always 1.",
    "abhidhan_database_up": "Whether the database responds.",
    "abhidhan_database_bytes": "The size of the database file (SQLite).",
    "abhidhan_disk_free_bytes": "Free space on the disk of the data folder.",
    "abhidhan_made_timestamp_seconds": "The times of the last backup, downloads and packs.",
    "abhidhan_review_waiting": "Pending submissions, by kind.",
    "abhidhan_review_oldest_timestamp_seconds": "The time at which the oldest pending submission was sent.",
    "abhidhan_mails_waiting": "E-mails that are due: new ones, and ones that have failed.",
    "abhidhan_mails_oldest_timestamp_seconds": "The time since which the oldest e-mail is due.",
    "abhidhan_wiki_closed": "Whether a wiki is paused because it failed or asked for a pause.",
}
"""Gauges of the program, the data and the files, common to all workers and computed for each request of `/metrics`."""


class WorkerMetricFiles:
    """The files through which this worker shares its metrics."""

    def __init__(self, folder: Path) -> None:
        """Open the files under the lowest number that no running worker uses. Raises OSError."""
        numbered = ((number, FileLock(folder / f"{number}.lock")) for number in count(1))
        self._folder = folder
        self._number, self._lock = next((number, lock) for number, lock in numbered if lock.acquire(blocking=False))
        self._ready_file = folder / f"{self._number}.ready"
        for value in _shared_values:
            value.reset()
        # A worker that shuts down properly removes both.
        if self._ready_file.exists() and any(folder.glob(f"gauge_*_{self._number}.db")):
            WORKER_RESPAWNS.inc()
        self._ready_file.unlink(missing_ok=True)
        mark_process_dead(self._number, folder)
        self._files = {
            name: _open_metric_file(folder / f"{name}_{self._number}.db", size)
            for name, size in FILE_SIZES_BYTES.items()
        }
        self.save()

    def save(self) -> None:
        """Write changed values to the files, unless they are closed."""
        if self._files:
            for value in _shared_values:
                value.save(self._files[value.file_name])

    def mark_ready(self) -> None:
        """Count this worker as ready."""
        READY_WORKERS.set(1)
        with suppress(OSError):
            self._ready_file.touch()

    def close(self) -> None:
        """Save the counters, remove the gauges, and release the number for another worker."""
        self.save()
        while self._files:
            self._files.popitem()[1].close()
        mark_process_dead(self._number, self._folder)
        self._ready_file.unlink(missing_ok=True)
        self._lock.release()


class MetricsCollector(Collector):
    """All metrics, as a collector of prometheus_client."""

    def __init__(self, folder: Path, extra_samples: Iterable[Sample] = ()) -> None:
        """Collect from the files in `folder`; `extra_samples` are samples of `COMPUTED_GAUGES`."""
        self._folder = folder
        self._extra_samples = extra_samples

    def collect(self) -> Iterator[Metric]:
        """Yield the sums over all workers; for metrics in no file, those of this process."""
        shared = {metric.name: metric for metric in MultiProcessCollector.merge(_list_metric_files(self._folder))}
        for local_metric in REGISTRY.collect():
            yield shared.get(local_metric.name, local_metric)
        for name, description in COMPUTED_GAUGES.items():
            metric = Metric(name, description, "gauge")
            metric.samples = [sample for sample in self._extra_samples if sample.name == name]
            yield metric


def clear_metrics_folder(folder: Path) -> None:
    """Remove the metrics of the server's last run, before any worker starts. Raises UnwritableError.

    Lock files stay: a worker of that run that is still running keeps its number.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in folder.glob("*.db"):
            path.unlink()
    except OSError as error:
        raise unwritable_error(error.filename or folder, error) from error


def open_worker_metric_files(folder: Path) -> WorkerMetricFiles | None:
    """Open the files of this worker; return None, with a warning, if the disk is full or not writable."""
    try:
        return WorkerMetricFiles(folder)
    except OSError as error:
        _log.warning("a worker counts on its own", reason=str(unwritable_error(folder, error)))
        return None


def _list_metric_files(folder: Path) -> list[str]:
    """Return the metric files of all workers, without the gauges of workers that have ended."""
    ended_workers = set()
    for path in folder.glob("*.lock"):
        lock = FileLock(path)
        if lock.acquire(blocking=False):
            lock.release()
            ended_workers.add(path.stem)
    files = [
        path
        for path in folder.glob("*.db")
        if path.stem.rpartition("_")[2] not in ended_workers or "gauge" not in path.stem
    ]
    return [str(path) for path in files]


def _open_metric_file(path: Path, size: int) -> MmapedDict:
    """Open a metrics file; create it with reserved disk space if it is missing. Raises OSError."""
    if not path.exists():
        # Renamed when complete, so that readers never see a file that is too short.
        new = path.with_suffix(".new")
        try:
            with new.open("wb") as file:
                reserve_disk_space(file.fileno(), size)
            new.rename(path)
        finally:
            new.unlink(missing_ok=True)
    return MmapedDict(str(path))
