"""What figures are called at `/metrics`, and what they mean; `web/edge/metrics.py` adds what it counts of requests."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from abhidhan.domain.figures import Figure


class Meaning(NamedTuple):
    """What a figure means. `counts`: it only grows, and what ended workers counted still counts."""

    said: str
    labels: tuple[str, ...] = ()
    counts: bool = False


MEANINGS: Final[Mapping[str, Meaning]] = {
    # Of each worker; workers are added up.
    "abhidhan_database_threads": Meaning("Threads for jobs of the database, at most.", ("work",)),
    "abhidhan_database_jobs": Meaning("Jobs that run in them, or wait for one.", ("work", "state")),
    "abhidhan_database_jobs_begun": Meaning("Jobs that have begun in these threads.", ("work",), counts=True),
    "abhidhan_database_wait_seconds": Meaning("How long these had waited, in all.", ("work",), counts=True),
    "abhidhan_database_errors": Meaning("Failures of the database, by kind.", ("kind",), counts=True),
    "abhidhan_sign_ins": Meaning("Attempts to sign in, by how they ended.", ("result",), counts=True),
    "abhidhan_mails": Meaning("Mails to people, by what came of a try to send them.", ("result",), counts=True),
    "abhidhan_wiki_requests": Meaning("Requests to wikis, by what came of them.", ("wiki", "outcome"), counts=True),
    # Of the data and the files: the same in every worker.
    "abhidhan_database_up": Meaning("Whether the database answers."),
    "abhidhan_database_bytes": Meaning("The size of the database's file (SQLite)."),
    "abhidhan_disk_free_bytes": Meaning("Room on the disk of the data folder."),
    "abhidhan_made_timestamp_seconds": Meaning("When backup, downloads and packs were made last.", ("what",)),
    "abhidhan_review_waiting": Meaning("What waits for review, by kind.", ("kind",)),
    "abhidhan_review_oldest_timestamp_seconds": Meaning("When the oldest of it was sent.", ("kind",)),
    "abhidhan_mails_waiting": Meaning("Mails that are due: new ones, and such as have failed.", ("state",)),
    "abhidhan_mails_oldest_timestamp_seconds": Meaning("Since when the oldest of them is due."),
    "abhidhan_wiki_closed": Meaning("Whether a wiki is left alone, since it failed or asked for rest.", ("wiki",)),
    # Of the processes.
    "abhidhan_workers": Meaning("Workers that answer."),
    "abhidhan_worker_memory_bytes": Meaning("Memory of each worker, without files mapped into it.", ("process",)),
    "abhidhan_build_info": Meaning("The program that runs: always 1.", ("version", "python", "commit")),
}


def families(figures: Iterable[Figure]) -> Iterator[Metric]:
    """Write figures as `prometheus_client` wants them, also those of which there are none now."""
    made: dict[str, CounterMetricFamily | GaugeMetricFamily] = {}
    for name, (said, labels, counts) in MEANINGS.items():
        made[name] = (CounterMetricFamily if counts else GaugeMetricFamily)(name, said, labels=labels)
    for name, values, number in figures:
        made[name].add_metric(values, number)
    yield from made.values()
