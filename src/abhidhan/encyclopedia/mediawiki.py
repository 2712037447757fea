"""Articles of a MediaWiki that has the extension TextExtracts, such as every Wikipedia."""

import asyncio
import ipaddress
import socket
import ssl
import time
import urllib.request
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib.metadata import version
from typing import Final
from urllib.parse import quote

import httpx2
import msgspec
import structlog

from abhidhan.domain.articles import LONGEST_NAME, LONGEST_TITLE, Outcome, Reply, is_address_of
from abhidhan.domain.extracts import clean_extract, is_disambiguation
from abhidhan.encyclopedia.introduction import LOOKS_LIKE_HTML, read_introduction

LARGEST_REPLY: Final = 4 * 1024 * 1024
"""Bytes of a reply, unpacked. The longest introductions have a tenth of it; more is no honest reply."""

LONGEST_EXTRACT: Final = 500_000
"""Characters of an extract that are looked at."""

MOST_REDIRECTS: Final = 2
MOST_STEPS: Final = 10
"""Redirects between titles that are followed; MediaWiki itself resolves them all, so that more means a ring."""

LAG_SECONDS: Final = 5
"""A wiki whose copies of the database are further behind than this is too busy for us (`maxlag`)."""

REST_AFTER_REFUSAL: Final[Mapping[int, int]] = {403: 600, 429: 60, 503: 30}
"""Seconds to leave a wiki alone after a refusal that does not say how long."""

REST_AFTER_ERROR: Final[Mapping[str, int]] = {"maxlag": LAG_SECONDS, "ratelimited": 60, "readonly": 30}

DISAMBIGUATION_TEMPLATES: Final = (
    "Template:Disambiguation",
    "Template:Disambig",
    "Template:Dab",
    "Template:দ্ব্যৰ্থতা দূৰীকৰণ",
    "Template:দ্ব্যর্থতা নিরসন",
)
"""What marks a list of meanings on wikis without the extension Disambiguator."""

_QUESTION: Final = {
    "action": "query",
    "format": "json",
    "formatversion": "2",
    "redirects": "1",
    "prop": "extracts|info|pageprops|templates",
    "exintro": "1",
    "explaintext": "1",
    "exlimit": "max",
    "exsectionformat": "plain",
    "inprop": "url",
    "ppprop": "disambiguation",
    "tltemplates": "|".join(DISAMBIGUATION_TEMPLATES),
    "maxlag": str(LAG_SECONDS),
}
_ABOUT_THE_WIKI: Final = {"meta": "siteinfo", "siprop": "general|rightsinfo"}

_WIKIPEDIAS: Final[Mapping[str, str]] = {
    "en.wikipedia.org": "English Wikipedia",
    "as.wikipedia.org": "Assamese Wikipedia",
    "bn.wikipedia.org": "Bengali Wikipedia",
    "simple.wikipedia.org": "Simple English Wikipedia",
}
_LICENCE_OF_WIKIPEDIA: Final = "CC BY-SA 4.0"

_log = structlog.get_logger("abhidhan.encyclopedia")


class _Step(msgspec.Struct, frozen=True):
    """That a title stands for another one."""

    old: str = msgspec.field(name="from")
    new: str = msgspec.field(name="to")


class _Page(msgspec.Struct, frozen=True):
    """A page as the wiki tells of it; what only old versions write otherwise may have any type."""

    title: str = ""
    ns: int = 0
    missing: bool | str = False
    invalid: bool | str = False
    extract: str | None = None
    fullurl: str | None = None
    canonicalurl: str | None = None
    pageprops: object = None
    templates: object = None

    @property
    def exists(self) -> bool:
        """Whether it is an article: a page of the main namespace that is there."""
        return self.ns == 0 and self.missing is False and self.invalid is False


class _General(msgspec.Struct, frozen=True):
    sitename: str = ""


class _Rights(msgspec.Struct, frozen=True):
    text: str = ""


class _Found(msgspec.Struct, frozen=True):
    pages: list[_Page] | dict[str, _Page] = msgspec.field(default_factory=list)
    normalized: list[_Step] = msgspec.field(default_factory=list)
    redirects: list[_Step] = msgspec.field(default_factory=list)
    general: _General = _General()
    rightsinfo: _Rights = _Rights()


class _Error(msgspec.Struct, frozen=True):
    code: str = ""


class _Answer(msgspec.Struct, frozen=True):
    """The body of a reply, of which either `query` or `error` is there."""

    query: _Found | None = None
    error: _Error | None = None


class _UnusableError(Exception):
    """A reply that tells nothing about articles: `retry_after` seconds are to pass before the next question."""

    def __init__(self, reason: str, retry_after: int = 0) -> None:
        self.reason = reason
        self.retry_after = retry_after
        super().__init__(reason)


class MediaWiki:
    """A MediaWiki, asked through its api.php. One request at a time; who asks sees to that."""

    def __init__(self, address: str, *, contact: str, connect_seconds: float = 2, total_seconds: float = 5) -> None:
        """Take the address of an api.php; nothing is sent yet. `contact` tells the wiki's people who asks."""
        self._url = httpx2.URL(address)
        self._name = _WIKIPEDIAS.get(self._url.host)
        self._asks_about_wiki = self._name is None
        self._licence = None if self._asks_about_wiki else _LICENCE_OF_WIKIPEDIA
        self._agent = user_agent(contact)
        self._connect_seconds = connect_seconds
        self._total_seconds = total_seconds
        self._told_of_extension = False
        self._client: httpx2.AsyncClient | None = None
        # A name server that hangs holds a thread for as long as it likes: this one, which nobody else needs.
        self._aside = ThreadPoolExecutor(1, thread_name_prefix="wiki")

    @property
    def name(self) -> str:
        """What people call it: as the wiki itself says, once it has been asked."""
        return self._name or f"Wiki at {self._url.host}"

    @property
    def licence(self) -> str | None:
        """The licence that the wiki says its texts stand under."""
        return self._licence

    @property
    def address(self) -> str:
        """The address of its api.php."""
        return str(self._url)

    async def find(self, titles: Sequence[str]) -> Reply:
        """Find the article of the first of these titles that has one. A wiki that cannot be reached is a reply too."""
        try:
            async with asyncio.timeout(self._total_seconds):
                found = await self._ask(titles)
        except TimeoutError:
            return self._unreachable("it does not answer in time")
        except _UnusableError as error:
            return self._unreachable(error.reason, error.retry_after)
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, ssl.SSLError, OSError) as error:
            return self._unreachable(f"{type(error).__name__}: {error}")
        return self._reply(found, titles)

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None
        self._aside.shutdown(wait=False, cancel_futures=True)

    async def _ask(self, titles: Sequence[str]) -> _Found:
        client = await self._opened()
        question = {**_QUESTION, **(_ABOUT_THE_WIKI if self._asks_about_wiki else {}), "titles": "|".join(titles)}
        request = client.build_request("GET", self._url, params=question)
        for _ in range(MOST_REDIRECTS + 1):
            response = await client.send(request, stream=True)
            try:
                if not response.is_redirect:
                    return await _read(response)
                request = client.build_request("GET", self._moved_to(response))
            finally:
                await response.aclose()
        raise _UnusableError("it redirects in a ring")

    async def _opened(self) -> httpx2.AsyncClient:
        """Give the client, after making sure that the wiki's name can be resolved in time."""
        loop = asyncio.get_running_loop()
        through_proxy = bool(urllib.request.getproxies()) and not _is_loopback(self._url.host)
        async with asyncio.timeout(self._connect_seconds):
            if self._client is None:
                # Reading the certificates takes 60 ms, in which nobody else would be answered.
                self._client = await loop.run_in_executor(self._aside, self._make_client)
            if not through_proxy:
                port = self._url.port or (443 if self._url.scheme == "https" else 80)
                await loop.run_in_executor(self._aside, socket.getaddrinfo, self._url.host, port)
        return self._client

    def _make_client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            headers={"User-Agent": self._agent, "Accept": "application/json", "Accept-Encoding": "gzip"},
            timeout=httpx2.Timeout(self._total_seconds, connect=self._connect_seconds),
            limits=httpx2.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=20),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            # A proxy that the environment names is for the world outside, not for a wiki on this machine.
            trust_env=not _is_loopback(self._url.host),
        )

    def _moved_to(self, response: httpx2.Response) -> httpx2.URL:
        """Return where a redirect leads. Only the configured host is ever asked, and never over a less safe way."""
        target = self._url.join(response.headers.get("location", ""))
        same = (target.scheme, target.host, target.port) == (self._url.scheme, self._url.host, self._url.port)
        safer = (target.scheme, target.host, target.port, self._url.port) == ("https", self._url.host, None, None)
        if not same and not safer:
            raise _UnusableError(f"it redirects to another host ({target.host}), which is not followed")
        return target

    def _unreachable(self, reason: str, retry_after: int = 0) -> Reply:
        return Reply(outcome=Outcome.UNREACHABLE, source=self.name, reason=reason, retry_after=retry_after)

    def _reply(self, found: _Found, titles: Sequence[str]) -> Reply:
        if self._asks_about_wiki and found.general.sitename:
            self._name = found.general.sitename[:LONGEST_NAME]
            self._licence = found.rightsinfo.text[:LONGEST_NAME] or None
        pages = list(found.pages.values() if isinstance(found.pages, dict) else found.pages)
        named = {page.title: page for page in pages}
        steps = {step.old: step.new for step in (*found.normalized, *found.redirects)}
        candidates = [named.get(_last_step(title, steps)) for title in titles]
        # A wiki that writes titles in a way of its own still answers the only question it was asked.
        page = next((each for each in candidates if each and each.exists), pages[0] if len(pages) == 1 else None)
        if page is None or not page.exists:
            return Reply(outcome=Outcome.NO_ARTICLE, source=self.name, licence=self.licence)
        return self._article(page)

    def _article(self, page: _Page) -> Reply:
        raw = (page.extract or "")[:LONGEST_EXTRACT]
        extract = clean_extract(read_introduction(raw).text if LOOKS_LIKE_HTML.match(raw) else raw)
        if page.extract is None and not self._told_of_extension:
            self._told_of_extension = True
            _log.warning("a wiki gives no extracts: it needs the extension TextExtracts", wiki=self.address)
        return Reply(
            outcome=Outcome.FOUND if extract else Outcome.NO_EXTRACT,
            source=self.name,
            licence=self.licence,
            title=page.title[:LONGEST_NAME],
            extract=extract,
            url=self._url_of(page),
            disambiguation=bool(page.pageprops or page.templates) or is_disambiguation(page.title, extract),
        )

    def _url_of(self, page: _Page) -> str:
        for url in (page.canonicalurl, page.fullurl):
            if url and is_address_of(url, self._url.host):
                return url
        script = str(self._url.copy_with(query=None)).removesuffix("api.php") + "index.php"
        return f"{script}?title={quote(page.title[:LONGEST_TITLE].replace(' ', '_'))}"


def user_agent(contact: str) -> str:
    """Say who asks, as Wikimedia's policy wants it: the program, its operator, the library."""
    operator = contact or "self-hosted dictionary; its operator has set no contact"
    return f"Abhidhan/{version('abhidhan')} ({operator}) httpx2/{httpx2.__version__}"


def seconds_to_wait(header: str, now: float) -> int:
    """Read a `Retry-After` header, a number of seconds or a date; 0 when it says nothing that can be read."""
    if header.strip().isascii() and header.strip().isdigit():
        return min(int(header.strip()[:9]), 86_400)
    try:
        return max(0, min(int(parsedate_to_datetime(header).timestamp() - now), 86_400))
    except (ValueError, OverflowError):
        return 0


async def _read(response: httpx2.Response) -> _Found:
    """Read a reply that tells of articles. Raises _UnusableError for every other one."""
    wish = seconds_to_wait(response.headers.get("retry-after", ""), time.time())
    if response.status_code != httpx2.codes.OK:
        rest = wish or REST_AFTER_REFUSAL.get(response.status_code, 0)
        raise _UnusableError(f"it answers {response.status_code}", rest)
    try:
        answer = msgspec.json.decode(await _body(response), type=_Answer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise _UnusableError("its answer is not that of an api.php") from None
    if answer.error is not None:
        raise _UnusableError(f"it reports {answer.error.code}", wish or REST_AFTER_ERROR.get(answer.error.code, 0))
    if answer.query is None:
        raise _UnusableError("its answer is not that of an api.php")
    return answer.query


async def _body(response: httpx2.Response) -> bytes:
    """Read and unpack a body, and stop at LARGEST_REPLY: the library would unpack as much as a wiki likes."""
    packed = response.headers.get("content-encoding", "identity").lower() != "identity"
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
    body = bytearray()
    async for piece in response.aiter_raw():
        try:
            body += unpacker.decompress(piece, LARGEST_REPLY + 1 - len(body)) if packed else piece
        except zlib.error:
            raise _UnusableError("its answer cannot be unpacked") from None
        if len(body) > LARGEST_REPLY:
            raise _UnusableError("its answer is far too long")
    return bytes(body)


def _last_step(title: str, steps: Mapping[str, str]) -> str:
    """Follow a title through what the wiki says it stands for."""
    for _ in range(MOST_STEPS):
        if title not in steps:
            break
        title = steps[title]
    return title


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
