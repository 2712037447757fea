"""Measure the speed of requests compared with a minimal "hello" in the same run."""

from collections.abc import Sequence
from itertools import islice
from math import isnan
from statistics import median
from typing import Final, NamedTuple

from bench.load import Addresses, Measured
from bench.options import Options
from bench.peers import Peer
from bench.questions import QUESTIONS, Texts, look_ups_of_several_words
from bench.servers import Server
from bench.tables import UNKNOWN, row

CONNECTIONS: Final = 8
ROUNDS: Final = 3
WARM_UP_SECONDS: Final = 2
MOST_ADDRESSES: Final = 500_000
"""Maximum number of paths per row: more than a worker handles in its runs, as writing and reading millions is slow."""

WORD_COUNTS: Final = (1, 2, 3, 5)
"""Numbers of known words per request."""


class Beside(NamedTuple):
    """A row: requests per second, ratios to hello by elapsed and by processor time, processor µs, p50 and p99 in ms."""

    per_second: float
    of_hello: float
    of_hello_by_processor: float
    processor: float
    p50: float
    p99: float


class SeveralWords(NamedTuple):
    """A row: the processor time of requests with several known words, relative to one word."""

    two: float
    three: float
    five: float


def print_speeds(label: str, server: Server, hello: Server, texts: Texts, options: Options) -> None:
    """Measure all requests on a server, and print a row for each."""
    for place, (name, question) in enumerate(QUESTIONS.items()):
        asked = Addresses(options.data / f"question-{place}.txt", [*islice(question(texts), MOST_ADDRESSES)])
        print(row(label, name, *_measure(server, asked, hello, options)), flush=True)


def measure_several_words(server: Server, texts: Texts, options: Options) -> SeveralWords:
    """Measure requests with several known words, in alternation with requests for one word."""
    asked = {
        count: Addresses(
            options.data / f"words-{count}.txt", [*islice(look_ups_of_several_words(texts, count), MOST_ADDRESSES)]
        )
        for count in WORD_COUNTS
    }
    for each in asked.values():
        each.ask(server, seconds=min(options.seconds, WARM_UP_SECONDS), connections=CONNECTIONS)
    rounds = [
        [each.ask(server, seconds=options.seconds, connections=CONNECTIONS).processor for each in asked.values()]
        for _ in range(ROUNDS)
    ]
    return relative_to_one(rounds)


def relative_to_one(rounds: Sequence[Sequence[float]]) -> SeveralWords:
    """Divide the median times of two, three and five words by that of one."""
    one, *others = (median(of_count) for of_count in zip(*rounds, strict=True))
    return SeveralWords(*(each / one if one else UNKNOWN for each in others))


def print_peer(peer: Peer, hello: Server, texts: Texts, options: Options) -> None:
    """Measure another server with the same words, each requested once, and print the rows."""
    for place, (name, addresses) in enumerate(peer.questions(texts.words)):
        asked = Addresses(options.data / f"peer-{place}.txt", addresses)
        print(row("the same words", name, *_measure(peer.server, asked, hello, options)), flush=True)
        if asked.come_again:
            print(f"  after {len(addresses)} words it was asked for the same again", flush=True)


def _measure(server: Server, asked: Addresses, hello: Server, options: Options) -> Beside:
    """Measure in alternation with hello, so that other programs slow down both equally."""
    greeting = Addresses(options.data / "hello.txt", ["/hello"])
    seconds = options.seconds
    asked.ask(server, seconds=min(seconds, WARM_UP_SECONDS), connections=CONNECTIONS)
    bare = [greeting.ask(hello, seconds=seconds, connections=CONNECTIONS)]
    runs: list[Measured] = []
    for _ in range(ROUNDS):
        runs.append(asked.ask(server, seconds=seconds, connections=CONNECTIONS))
        bare.append(greeting.ask(hello, seconds=seconds, connections=CONNECTIONS))
    alone = [asked.ask(server, seconds=seconds, connections=1) for _ in range(ROUNDS)]
    if errors := sum(run.errors for run in (*runs, *alone)):
        print(f"  {errors} requests were not answered with 200", flush=True)
    return beside(runs, alone, bare)


def beside(runs: list[Measured], alone: list[Measured], bare: list[Measured]) -> Beside:
    """Compare the runs of a server on many connections (`runs`) and on one (`alone`) with those of hello."""
    processor = median(run.processor for run in runs)
    per_second = median(run.per_second for run in runs)
    # A peer without measurable processor time is not infinitely fast.
    by_processor = median(run.processor for run in bare) / processor if processor > 0 or isnan(processor) else 0.0
    return Beside(
        per_second,
        per_second / median(run.per_second for run in bare),
        by_processor,
        processor,
        median(run.p50 for run in alone),
        median(run.p99 for run in alone),
    )
