"""Measure the speed of requests compared with a minimal "hello" in the same run."""

from collections.abc import Sequence
from itertools import islice
from math import isnan
from statistics import median
from typing import Final, NamedTuple

from bench.load import LoadMeasurement, RequestPaths
from bench.options import Options
from bench.peers import Peer
from bench.questions import REQUEST_GENERATORS, SampleTexts, look_up_several_words
from bench.servers import Server
from bench.tables import UNKNOWN, format_row

CONNECTIONS: Final = 8
ROUNDS: Final = 3
WARM_UP_SECONDS: Final = 2
MAX_ADDRESSES: Final = 500_000
"""Maximum number of paths per row: more than a worker handles in its runs, as writing and reading millions is slow."""

WORD_COUNTS: Final = (1, 2, 3, 5)
"""Numbers of known words per request."""


class SpeedComparison(NamedTuple):
    """A row: requests per second, ratios to hello by elapsed and by processor time, processor µs, p50 and p99 in ms."""

    requests_per_second: float
    hello_ratio: float
    hello_processor_ratio: float
    processor: float
    p50: float
    p99: float


class SeveralWords(NamedTuple):
    """A row: the processor time of requests with several known words, relative to one word."""

    two: float
    three: float
    five: float


def print_speeds(label: str, server: Server, hello: Server, texts: SampleTexts, options: Options) -> None:
    """Measure all requests on a server, and print a row for each."""
    for index, (name, question) in enumerate(REQUEST_GENERATORS.items()):
        addresses = RequestPaths(options.data / f"question-{index}.txt", [*islice(question(texts), MAX_ADDRESSES)])
        print(format_row(label, name, *_measure(server, addresses, hello, options)), flush=True)


def measure_several_words(server: Server, texts: SampleTexts, options: Options) -> SeveralWords:
    """Measure requests with several known words, in alternation with requests for one word."""
    addresses_by_count = {
        count: RequestPaths(
            options.data / f"words-{count}.txt", [*islice(look_up_several_words(texts, count), MAX_ADDRESSES)]
        )
        for count in WORD_COUNTS
    }
    for addresses in addresses_by_count.values():
        addresses.measure(server, seconds=min(options.seconds, WARM_UP_SECONDS), connections=CONNECTIONS)
    rounds = [
        [
            addresses.measure(server, seconds=options.seconds, connections=CONNECTIONS).processor
            for addresses in addresses_by_count.values()
        ]
        for _ in range(ROUNDS)
    ]
    return compute_ratios(rounds)


def compute_ratios(rounds: Sequence[Sequence[float]]) -> SeveralWords:
    """Divide the median times of two, three and five words by that of one."""
    baseline, *medians = (median(of_count) for of_count in zip(*rounds, strict=True))
    return SeveralWords(*(time / baseline if baseline else UNKNOWN for time in medians))


def print_peer(peer: Peer, hello: Server, texts: SampleTexts, options: Options) -> None:
    """Measure another server with the same words, each requested once, and print its rows of the table."""
    for index, (name, addresses) in enumerate(peer.questions(texts.words)):
        path_list = RequestPaths(options.data / f"peer-{index}.txt", addresses)
        print(format_row("the same words", name, *_measure(peer.server, path_list, hello, options)), flush=True)
        if path_list.has_repeated:
            print(f"  after {len(addresses)} words the requests repeated", flush=True)


def _measure(server: Server, addresses: RequestPaths, hello: Server, options: Options) -> SpeedComparison:
    """Measure in alternation with hello, so that other programs slow down both equally."""
    greeting = RequestPaths(options.data / "hello.txt", ["/hello"])
    seconds = options.seconds
    addresses.measure(server, seconds=min(seconds, WARM_UP_SECONDS), connections=CONNECTIONS)
    bare = [greeting.measure(hello, seconds=seconds, connections=CONNECTIONS)]
    runs: list[LoadMeasurement] = []
    for _ in range(ROUNDS):
        runs.append(addresses.measure(server, seconds=seconds, connections=CONNECTIONS))
        bare.append(greeting.measure(hello, seconds=seconds, connections=CONNECTIONS))
    alone = [addresses.measure(server, seconds=seconds, connections=1) for _ in range(ROUNDS)]
    if errors := sum(run.errors for run in (*runs, *alone)):
        print(f"  {errors} requests were not answered with 200", flush=True)
    return compare_with_hello(runs, alone, bare)


def compare_with_hello(
    runs: list[LoadMeasurement], single_runs: list[LoadMeasurement], hello_runs: list[LoadMeasurement]
) -> SpeedComparison:
    """Compare runs of a server on many connections (`runs`) and on one (`single_runs`) with `hello_runs`."""
    processor = median(run.processor for run in runs)
    per_second = median(run.requests_per_second for run in runs)
    # A peer without measurable processor time is not infinitely fast.
    by_processor = median(run.processor for run in hello_runs) / processor if processor > 0 or isnan(processor) else 0.0
    return SpeedComparison(
        per_second,
        per_second / median(run.requests_per_second for run in hello_runs),
        by_processor,
        processor,
        median(run.p50 for run in single_runs),
        median(run.p99 for run in single_runs),
    )
