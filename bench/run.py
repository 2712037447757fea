"""`make bench`: measure the speed of the server, compared with a minimal "hello" in the same run, and its memory.

Nothing is asserted about times: docs/speed.md explains the targets, how to read the figures, and how to compare another
server.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from bench import load, postgresql, servers, wordnet
from bench.costly import print_costly_requests
from bench.options import Options, read_options
from bench.questions import read_texts
from bench.servers import Memory, Server
from bench.speed import SeveralWords, measure_several_words, print_peer, print_speeds
from bench.synthetic import build_home
from bench.tables import format_heading, format_row

SPEED_HEADINGS: Final = (
    "words", "query", "requests/s", "of hello", "of hello, by processor", "processor µs", "p50 ms", "p99 ms"
)  # fmt: skip
SEVERAL_WORDS_HEADINGS: Final = ("words", "two", "three", "five")
IMPORT_HEADINGS: Final = ("format", "seconds", "processor s", "memory MB (PSS)", "one process at most MB", "it said")
MEMORY_HEADINGS: Final = (
    "words", "second start s", "own at first MB", "own after load MB", "and mapped files MB (RSS)", "at most MB (VmHWM)"
)  # fmt: skip


class ResourceUsage(NamedTuple):
    """The resources that a server used: its start, its memory, and its time for several words in one request."""

    label: str
    seconds_to_start: float
    memory_at_start: float
    memory: Memory
    several_words: SeveralWords | None = None


def main() -> None:
    """Measure, and print the tables."""
    load.check_wrk()
    options = read_options(description=__doc__)
    options.data.mkdir(parents=True, exist_ok=True)
    dictionaries = {f"{size:,}": build_home(options.data, size) for size in options.sizes}
    dictionaries |= {home.name: home for home in options.homes}
    dictionaries |= _import_wordnet(options)
    print(format_heading("Speed", SPEED_HEADINGS))
    usages = [*_measure_dictionaries(dictionaries, options)]
    print(
        format_heading(
            "Several known words in one request: processor time relative to one word", SEVERAL_WORDS_HEADINGS
        )
    )
    for usage in usages:
        if usage.several_words is not None:
            print(format_row(usage.label, *usage.several_words))
    print(format_heading("Memory and start", MEMORY_HEADINGS))
    for usage in usages:
        print(format_row(usage.label, usage.seconds_to_start, usage.memory_at_start, *usage.memory))
    print_costly_requests(*list(dictionaries.items())[-1])


def _measure_dictionaries(dictionaries: Mapping[str, Path], options: Options) -> Iterator[ResourceUsage]:
    """Measure every dictionary and its copy on PostgreSQL, then the peer with the words of the last dictionary."""
    with servers.serve_hello() as hello:
        for label, home in dictionaries.items():
            texts = read_texts(home / "dictionary.sqlite3")
            for name, database in _iter_servers(label, home, options):
                with database as server:
                    at_first = server.memory().own
                    print_speeds(name, server, hello, texts, options)
                    several_words = measure_several_words(server, texts, options)
                    yield ResourceUsage(name, server.start_seconds, at_first, server.memory(), several_words)
        if options.peer is not None:
            print_peer(options.peer, hello, texts, options)
            server = options.peer.server
            yield ResourceUsage(server.address, server.start_seconds, server.memory().own, server.memory())


def _iter_servers(label: str, home: Path, options: Options) -> Iterator[tuple[str, AbstractContextManager[Server]]]:
    """Yield the name and context manager of each server for a dictionary; entering the context manager starts it."""
    yield label, servers.serve_abhidhan(home)
    if options.postgresql is not None:
        yield f"{label}, PostgreSQL", _serve_on_postgresql(home, options.postgresql)


@contextmanager
def _serve_on_postgresql(home: Path, url: str) -> Iterator[Server]:
    """Serve a copy of a dictionary on PostgreSQL."""
    with postgresql.copy_dictionary(url, home) as copy, servers.serve_abhidhan(home, copy) as server:
        yield server


def _import_wordnet(options: Options) -> dict[str, Path]:
    """Import WordNet and the Open Multilingual Wordnet, if available, and print the measurements."""
    data = wordnet.find_shared_data()
    if data is None or not options.imports_wordnet:
        print("WordNet is left out: --quick or --home is set, or ABHIDHAN_SHARED_DATA names no folder with it and omw.")
        return {}
    home = options.data / "wordnet"
    print(format_heading("Import of WordNet and the Open Multilingual Wordnet", IMPORT_HEADINGS))
    for measurement in wordnet.import_into(home, data):
        print(format_row(*measurement), flush=True)
    return {wordnet.LABEL: home}


if __name__ == "__main__":
    main()
