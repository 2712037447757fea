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
from abhidhan.encyclopedia.service.article_fetching import FetchRules
from abhidhan.encyclopedia.service.articles import Encyclopedia
from abhidhan.platform.database.database import Database
from abhidhan.records.encyclopedia_articles import ArticleOutcome, ArticleReply, CacheLifetimes

NO_DELAYS = RequestPolicy(
    interval_milliseconds=0, is_interval_shared=False, max_turn_milliseconds=10_000, slow_after_milliseconds=60_000
)
"""A policy without pauses between requests and with long timeouts, so that a busy machine does not change results."""
RULES = FetchRules(CacheLifetimes(found=7 * 86_400, missing=6 * 3_600), max_wait_seconds=60, max_extract_length=1_200)


def make_reply(title: str, extract: str = "Text.") -> ArticleReply:
    """Create the reply of a source that has an article."""
    url = f"https://example.org/{title}"
    return ArticleReply(
        outcome=ArticleOutcome.FOUND, title=title, extract=extract, url=url, source="Fake", licence="CC0"
    )


NO_ARTICLE = ArticleReply(outcome=ArticleOutcome.NO_ARTICLE, source="Fake")
UNREACHABLE = ArticleReply(outcome=ArticleOutcome.UNREACHABLE, source="Fake", reason="it is a test")


@dataclass
class FakeSource:
    """A source with fixed articles, which records its requests and may be slow."""

    articles: dict[str, ArticleReply] = field(default_factory=dict)
    address: str | None = None
    seconds: float = 0
    failure: ArticleReply | None = None
    requests: list[tuple[str, ...]] = field(default_factory=list)
    active: int = 0
    max_active: int = 0
    is_closed: bool = False
    name: str = "Fake"
    licence: str | None = "CC0"

    async def find(self, titles: Sequence[str]) -> ArticleReply:
        """Return the configured reply."""
        self.requests.append(tuple(titles))
        self.active += 1
        self.max_active = max(self.max_active, self.active)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.active -= 1
        if self.failure is not None:
            return self.failure
        return next((self.articles[title] for title in titles if title in self.articles), NO_ARTICLE)

    async def close(self) -> None:
        """Record that the source was closed."""
        self.is_closed = True


@dataclass
class Clock:
    """A clock that a test sets."""

    seconds: float = 1_790_000_000

    def __call__(self) -> float:
        """Return the time."""
        return self.seconds


def make_encyclopedia(
    database: Database,
    *sources: FakeSource,
    language_id: int = 1,
    rules: FetchRules = RULES,
    policy: RequestPolicy = NO_DELAYS,
    clock: Callable[[], float] = time.time,
) -> Encyclopedia:
    """Create an encyclopedia for one language."""
    return Encyclopedia(database, {language_id: sources}, rules, policy, clock=clock)


def make_api_response(title: str = "Assam", extract: str = "Assam is a state.", **page: object) -> dict[str, object]:
    """Create the response of an api.php about one page."""
    about = {"pageid": 1, "ns": 0, "title": title, "extract": extract, "fullurl": f"http://127.0.0.1/{title}"}
    return {"batchcomplete": True, "query": {"pages": [about | page]}}


def encode_http_response(
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

    async def wait_for_disconnect(self, stopped: asyncio.Event) -> None:
        """Wait until the client disconnects, or the test ends."""
        ends = [asyncio.ensure_future(stopped.wait()), asyncio.ensure_future(self.reader.read())]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()


Behaviour = Callable[["StubbornWiki", str, Connection], Awaitable[None]]
"""Function that responds to a request, called with the wiki, the request line and the connection."""


def reply_with(raw: bytes) -> Behaviour:
    """Return a behaviour that responds to every request with the given bytes."""

    async def answer(_: "StubbornWiki", __: str, asker: Connection) -> None:
        asker.writer.write(raw)

    return answer


async def never_reply(wiki: "StubbornWiki", _: str, asker: Connection) -> None:
    """Never respond."""
    await asker.wait_for_disconnect(wiki.stopped)


async def stop_halfway(wiki: "StubbornWiki", _: str, asker: Connection) -> None:
    """Send part of a response, and stop."""
    asker.writer.write(encode_http_response(make_api_response())[:120])
    await asker.wait_for_disconnect(wiki.stopped)


async def send_slowly(wiki: "StubbornWiki", _: str, asker: Connection) -> None:
    """Send a response byte by byte, so that no single read takes long."""
    for byte in encode_http_response(make_api_response(extract="x" * 1_000)):
        if wiki.stopped.is_set() or asker.reader.at_eof():
            return
        asker.writer.write(bytes([byte]))
        await asyncio.sleep(0.05)


async def drop_connection(_: "StubbornWiki", __: str, asker: Connection) -> None:
    """Close the connection without a response."""
    asker.writer.close()


async def send_flood(wiki: "StubbornWiki", _: str, asker: Connection) -> None:
    """Send 50 MB, as fast as the client reads."""
    asker.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
    for __ in range(50):
        if wiki.stopped.is_set():
            return
        asker.writer.write(b"100000\r\n" + b" " * 0x100000 + b"\r\n")
        await asker.writer.drain()
        wiki.megabytes += 1
    asker.writer.write(b"0\r\n\r\n")


GZIP_BOMB = encode_http_response(gzip.compress(b" " * 50_000_000), headers={"Content-Encoding": "gzip"})
"""50 MB compressed to 50 kB."""


@dataclass
class StubbornWiki:
    """An HTTP server in its own thread with a configured behaviour, which records requests."""

    behaviour: Behaviour
    port: int = 0
    request_lines: list[str] = field(default_factory=list)
    request_heads: list[str] = field(default_factory=list)
    request_times: list[float] = field(default_factory=list)
    active: int = 0
    max_active: int = 0
    megabytes: int = 0
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def address(self) -> str:
        """The URL of its api.php."""
        return f"http://127.0.0.1:{self.port}/api.php"

    def request_parameters(self, number: int = -1) -> dict[str, str]:
        """Return the parameters of a request."""
        query = urlsplit(self.request_lines[number].split()[1]).query
        return {name: values[-1] for name, values in parse_qs(query, strict_parsing=True).items()}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Respond to the requests of one connection."""
        try:
            while (head := await reader.readuntil(b"\r\n\r\n")) and not self.stopped.is_set():
                line, _, rest = head.decode("latin-1").partition("\r\n")
                self.request_lines.append(line)
                self.request_heads.append(rest)
                self.request_times.append(time.monotonic())
                self.active += 1
                self.max_active = max(self.max_active, self.active)
                try:
                    await self.behaviour(self, line, Connection(reader, writer))
                    await writer.drain()
                finally:
                    self.active -= 1
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
