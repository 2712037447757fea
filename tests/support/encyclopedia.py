"""Fake encyclopedias: a source with fixed replies, and a wiki that misbehaves over real sockets."""

import asyncio
import gzip
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import msgspec

from abhidhan.encyclopedia.model.wiki_rate_limit import RequestPolicy
from abhidhan.encyclopedia.service.article_fetching import Rules
from abhidhan.encyclopedia.service.articles import Encyclopedia
from abhidhan.platform.database.database import Database
from abhidhan.records.encyclopedia_articles import ArticleOutcome, Lifetimes, Reply

AT_ONCE = RequestPolicy(pace=0, over_all=False, max_turn=10_000, patience=60_000)
"""A policy without pauses between requests and with long timeouts, so that a busy machine does not change results."""
RULES = Rules(Lifetimes(found=7 * 86_400, missing=6 * 3_600), patience=60, length=1_200)


def found(title: str, extract: str = "Text.") -> Reply:
    """Create the reply of a source that has an article."""
    url = f"https://example.org/{title}"
    return Reply(outcome=ArticleOutcome.FOUND, title=title, extract=extract, url=url, source="Fake", licence="CC0")


NO_ARTICLE = Reply(outcome=ArticleOutcome.NO_ARTICLE, source="Fake")
UNREACHABLE = Reply(outcome=ArticleOutcome.UNREACHABLE, source="Fake", reason="it is a test")


@dataclass
class FakeSource:
    """A source with fixed articles, which records its requests and may be slow."""

    articles: dict[str, Reply] = field(default_factory=dict)
    address: str | None = None
    seconds: float = 0
    broken: Reply | None = None
    asked: list[tuple[str, ...]] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    closed: bool = False
    name: str = "Fake"
    licence: str | None = "CC0"

    async def find(self, titles: Sequence[str]) -> Reply:
        """Return the configured reply."""
        self.asked.append(tuple(titles))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.at_once -= 1
        if self.broken is not None:
            return self.broken
        return next((self.articles[title] for title in titles if title in self.articles), NO_ARTICLE)

    async def close(self) -> None:
        """Record that the source was closed."""
        self.closed = True


@dataclass
class Clock:
    """A clock that a test sets."""

    seconds: float = 1_790_000_000

    def __call__(self) -> float:
        """Return the time."""
        return self.seconds


def encyclopedia_of(
    database: Database,
    *sources: FakeSource,
    language_id: int = 1,
    rules: Rules = RULES,
    manners: RequestPolicy = AT_ONCE,
    clock: Callable[[], float] = time.time,
) -> Encyclopedia:
    """Create an encyclopedia for one language."""
    return Encyclopedia(database, {language_id: sources}, rules, manners, clock=clock)


def api_answer(title: str = "Assam", extract: str = "Assam is a state.", **page: object) -> dict[str, object]:
    """Create the response of an api.php about one page."""
    about = {"pageid": 1, "ns": 0, "title": title, "extract": extract, "fullurl": f"http://127.0.0.1/{title}"}
    return {"batchcomplete": True, "query": {"pages": [about | page]}}


def http_answer(
    body: bytes | Mapping[str, object], status: str = "200 OK", headers: Mapping[str, str] | None = None
) -> bytes:
    """Encode an HTTP response."""
    raw = body if isinstance(body, bytes) else msgspec.json.encode(body)
    lines = {"Content-Type": "application/json", "Content-Length": str(len(raw))} | dict(headers or {})
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + raw


class Connection(NamedTuple):
    """The two streams of a client's connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def wait_in_vain(self, stopped: asyncio.Event) -> None:
        """Wait until the client disconnects, or the test ends."""
        ends = [asyncio.ensure_future(stopped.wait()), asyncio.ensure_future(self.reader.read())]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()


Behaviour = Callable[["StubbornWiki", str, Connection], Awaitable[None]]
"""Function that responds to a request, called with the wiki, the request line and the connection."""


def saying(raw: bytes) -> Behaviour:
    """Return a behaviour that responds to every request with the given bytes."""

    async def answer(_: "StubbornWiki", __: str, asker: Connection) -> None:
        asker.writer.write(raw)

    return answer


async def hanging(wiki: "StubbornWiki", _: str, asker: Connection) -> None:
    """Never respond."""
    await asker.wait_in_vain(wiki.stopped)


async def hanging_halfway(wiki: "StubbornWiki", _: str, asker: Connection) -> None:
    """Send part of a response, and stop."""
    asker.writer.write(http_answer(api_answer())[:120])
    await asker.wait_in_vain(wiki.stopped)


async def dripping(wiki: "StubbornWiki", _: str, asker: Connection) -> None:
    """Send a response byte by byte, so that no single read takes long."""
    for byte in http_answer(api_answer(extract="x" * 1_000)):
        if wiki.stopped.is_set() or asker.reader.at_eof():
            return
        asker.writer.write(bytes([byte]))
        await asyncio.sleep(0.05)


async def dropping(_: "StubbornWiki", __: str, asker: Connection) -> None:
    """Close the connection without a response."""
    asker.writer.close()


async def flooding(wiki: "StubbornWiki", _: str, asker: Connection) -> None:
    """Send 50 MB, as fast as the client reads."""
    asker.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
    for __ in range(50):
        if wiki.stopped.is_set():
            return
        asker.writer.write(b"100000\r\n" + b" " * 0x100000 + b"\r\n")
        await asker.writer.drain()
        wiki.megabytes += 1
    asker.writer.write(b"0\r\n\r\n")


BOMB = http_answer(gzip.compress(b" " * 50_000_000), headers={"Content-Encoding": "gzip"})
"""50 MB compressed to 50 kB."""


@dataclass
class StubbornWiki:
    """An HTTP server in its own thread with a configured behaviour, which records requests."""

    behaviour: Behaviour
    port: int = 0
    lines: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    megabytes: int = 0
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def address(self) -> str:
        """The URL of its api.php."""
        return f"http://127.0.0.1:{self.port}/api.php"

    def asked(self, number: int = -1) -> dict[str, str]:
        """Return the parameters of a request."""
        query = urlsplit(self.lines[number].split()[1]).query
        return {name: values[-1] for name, values in parse_qs(query, strict_parsing=True).items()}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Respond to the requests of one connection."""
        try:
            while (head := await reader.readuntil(b"\r\n\r\n")) and not self.stopped.is_set():
                line, _, rest = head.decode("latin-1").partition("\r\n")
                self.lines.append(line)
                self.heads.append(rest)
                self.times.append(time.monotonic())
                self.at_once += 1
                self.most_at_once = max(self.most_at_once, self.at_once)
                try:
                    await self.behaviour(self, line, Connection(reader, writer))
                    await writer.drain()
                finally:
                    self.at_once -= 1
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@contextmanager
def running_wiki(behaviour: Behaviour) -> Iterator[StubbornWiki]:
    """Run a wiki with a configured behaviour within the block."""
    wiki = StubbornWiki(behaviour)
    ready = threading.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def run() -> None:
        server = await asyncio.start_server(wiki.serve, "127.0.0.1", 0)
        wiki.port = server.sockets[0].getsockname()[1]
        loops.append(asyncio.get_running_loop())
        ready.set()
        await wiki.stopped.wait()
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=1)

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert ready.wait(60)
    try:
        yield wiki
    finally:
        loops[0].call_soon_threadsafe(wiki.stopped.set)
        thread.join(60)
