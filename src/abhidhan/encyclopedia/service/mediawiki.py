"""Articles from a MediaWiki site with the extension TextExtracts, such as any Wikipedia."""

import asyncio
import ipaddress
import socket
import ssl
import urllib.request
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib.metadata import version
from typing import Final
from urllib.parse import quote

import httpx2
import structlog

from abhidhan.encyclopedia.model.article_extracts import (
    HTML_START,
    clean_extract,
    is_disambiguation,
    parse_introduction,
)
from abhidhan.encyclopedia.service.mediawiki_responses import (
    MAX_LAG_SECONDS,
    QueryResult,
    UnusableResponseError,
    WikiPage,
    parse_response,
    resolve_title,
)
from abhidhan.records.encyclopedia_articles import (
    MAX_NAME_LENGTH,
    MAX_TITLE_BYTES,
    ArticleOutcome,
    ArticleReply,
    is_url_on_host,
)

MAX_EXTRACT_LENGTH: Final = 500_000
"""Maximum number of characters of an extract that are processed."""

MAX_REDIRECTS: Final = 2

DISAMBIGUATION_TEMPLATES: Final = (
    "Template:Disambiguation",
    "Template:Disambig",
    "Template:Dab",
    "Template:দ্ব্যৰ্থতা দূৰীকৰণ",
    "Template:দ্ব্যর্থতা নিরসন",
)
"""Templates that mark a disambiguation page on wikis without the extension Disambiguator."""

_QUERY_PARAMETERS: Final = {
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
    "maxlag": str(MAX_LAG_SECONDS),
}
_SITE_INFO_PARAMETERS: Final = {"meta": "siteinfo", "siprop": "general|rightsinfo"}

_WIKIPEDIA_NAMES: Final[Mapping[str, str]] = {
    "en.wikipedia.org": "English Wikipedia",
    "as.wikipedia.org": "Assamese Wikipedia",
    "bn.wikipedia.org": "Bengali Wikipedia",
    "simple.wikipedia.org": "Simple English Wikipedia",
}
_WIKIPEDIA_LICENCE: Final = "CC BY-SA 4.0"

_log = structlog.get_logger("abhidhan.encyclopedia")


class MediaWiki:
    """Client of the api.php of a MediaWiki site. Callers must not send concurrent requests."""

    def __init__(self, address: str, *, contact: str, connect_seconds: float = 2, total_seconds: float = 5) -> None:
        """Initialise with the address of an api.php; send no request yet. `contact` is part of the user agent."""
        self._url = httpx2.URL(address)
        self._name = _WIKIPEDIA_NAMES.get(self._url.host)
        self._requests_site_info = self._name is None
        self._licence = None if self._requests_site_info else _WIKIPEDIA_LICENCE
        self._agent = build_user_agent(contact)
        self._connect_seconds = connect_seconds
        self._total_seconds = total_seconds
        self._has_warned = False
        self._client: httpx2.AsyncClient | None = None
        # A hanging DNS look-up blocks its thread, so look-ups have a thread of their own.
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="wiki")

    @property
    def name(self) -> str:
        """The display name; after the first successful request, the site name that the wiki reports."""
        return self._name or f"Wiki at {self._url.host}"

    @property
    def licence(self) -> str | None:
        """The licence that the wiki states for its texts."""
        return self._licence

    @property
    def address(self) -> str:
        """The address of the api.php."""
        return str(self._url)

    async def find(self, titles: Sequence[str]) -> ArticleReply:
        """Find the first of the titles that has an article. Returns a reply also if the wiki is unreachable."""
        try:
            async with asyncio.timeout(self._total_seconds):
                result = await self._request(titles)
        except TimeoutError:
            return self._unreachable_reply("it does not respond in time")
        except UnusableResponseError as error:
            return self._unreachable_reply(error.reason, error.retry_after)
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, ssl.SSLError, OSError) as error:
            return self._unreachable_reply(f"{type(error).__name__}: {error}")
        return self._build_reply(result, titles)

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def _request(self, titles: Sequence[str]) -> QueryResult:
        client = await self._open_client()
        parameters = {
            **_QUERY_PARAMETERS,
            **(_SITE_INFO_PARAMETERS if self._requests_site_info else {}),
            "titles": "|".join(titles),
        }
        request = client.build_request("GET", self._url, params=parameters)
        for _ in range(MAX_REDIRECTS + 1):
            response = await client.send(request, stream=True)
            try:
                if not response.is_redirect:
                    return await parse_response(response)
                request = client.build_request("GET", self._resolve_redirect(response))
            finally:
                await response.aclose()
        raise UnusableResponseError("it redirects in a loop")

    async def _open_client(self) -> httpx2.AsyncClient:
        """Return the client, after checking within the connect timeout that the host name resolves."""
        loop = asyncio.get_running_loop()
        uses_proxy = bool(urllib.request.getproxies()) and not _is_loopback(self._url.host)
        async with asyncio.timeout(self._connect_seconds):
            if self._client is None:
                # Loading the certificates takes 60 ms, which would block the event loop.
                self._client = await loop.run_in_executor(self._executor, self._create_client)
            if not uses_proxy:
                port = self._url.port or (443 if self._url.scheme == "https" else 80)
                await loop.run_in_executor(self._executor, socket.getaddrinfo, self._url.host, port)
        return self._client

    def _create_client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            headers={"User-Agent": self._agent, "Accept": "application/json", "Accept-Encoding": "gzip"},
            timeout=httpx2.Timeout(self._total_seconds, connect=self._connect_seconds),
            limits=httpx2.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=20),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            # A proxy from the environment is for external hosts, not for a wiki on this machine.
            trust_env=not _is_loopback(self._url.host),
        )

    def _resolve_redirect(self, response: httpx2.Response) -> httpx2.URL:
        """Return the target of a redirect. Raises for any other host, and for a downgrade to plain HTTP."""
        target = self._url.join(response.headers.get("location", ""))
        is_same_host = (target.scheme, target.host, target.port) == (self._url.scheme, self._url.host, self._url.port)
        is_https_upgrade = (target.scheme, target.host, target.port, self._url.port) == (
            "https",
            self._url.host,
            None,
            None,
        )
        if not is_same_host and not is_https_upgrade:
            raise UnusableResponseError(f"it redirects to another host ({target.host}), which is not followed")
        return target

    def _unreachable_reply(self, reason: str, retry_after: int = 0) -> ArticleReply:
        return ArticleReply(
            outcome=ArticleOutcome.UNREACHABLE, source=self.name, reason=reason, retry_after=retry_after
        )

    def _build_reply(self, result: QueryResult, titles: Sequence[str]) -> ArticleReply:
        if self._requests_site_info and result.general.sitename:
            self._name = result.general.sitename[:MAX_NAME_LENGTH]
            self._licence = result.rightsinfo.text[:MAX_NAME_LENGTH] or None
        pages = list(result.pages.values() if isinstance(result.pages, dict) else result.pages)
        pages_by_title = {page.title: page for page in pages}
        steps = {step.old: step.new for step in (*result.normalized, *result.redirects)}
        candidates = [pages_by_title.get(resolve_title(title, steps)) for title in titles]
        # Some wikis rewrite titles in their own way; a single page still answers a single title.
        page = next(
            (candidate for candidate in candidates if candidate and candidate.is_article),
            pages[0] if len(pages) == 1 else None,
        )
        if page is None or not page.is_article:
            return ArticleReply(outcome=ArticleOutcome.NO_ARTICLE, source=self.name, licence=self.licence)
        return self._build_article_reply(page)

    def _build_article_reply(self, page: WikiPage) -> ArticleReply:
        raw = (page.extract or "")[:MAX_EXTRACT_LENGTH]
        extract = clean_extract(parse_introduction(raw).text if HTML_START.match(raw) else raw)
        if page.extract is None and not self._has_warned:
            self._has_warned = True
            _log.warning("a wiki gives no extracts: it needs the extension TextExtracts", wiki=self.address)
        return ArticleReply(
            outcome=ArticleOutcome.FOUND if extract else ArticleOutcome.NO_EXTRACT,
            source=self.name,
            licence=self.licence,
            title=page.title[:MAX_NAME_LENGTH],
            extract=extract,
            url=self._find_url(page),
            disambiguation=bool(page.pageprops or page.templates) or is_disambiguation(page.title, extract),
        )

    def _find_url(self, page: WikiPage) -> str:
        for url in (page.canonicalurl, page.fullurl):
            if url and is_url_on_host(url, self._url.host):
                return url
        script = str(self._url.copy_with(query=None)).removesuffix("api.php") + "index.php"
        return f"{script}?title={quote(page.title[:MAX_TITLE_BYTES].replace(' ', '_'))}"


def build_user_agent(contact: str) -> str:
    """Build a user agent by Wikimedia's policy: program, operator's contact, HTTP library."""
    operator = contact or "self-hosted dictionary; its operator has set no contact"
    return f"Abhidhan/{version('abhidhan')} ({operator}) httpx2/{httpx2.__version__}"


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
