"""Responses of MediaWiki and their parsing."""

import time
import zlib
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Final

import httpx2
import msgspec

MAX_RESPONSE_BYTES: Final = 4 * 1024 * 1024
"""Maximum size of a decompressed response in bytes; the longest introductions take a tenth of it."""

MAX_TITLE_STEPS: Final = 10
"""Maximum number of redirects followed between titles in a response; a longer chain is a loop."""

MAX_LAG_SECONDS: Final = 5
"""Maximum replication lag of a wiki, in seconds; beyond it the wiki refuses our requests (`maxlag`)."""

PAUSE_SECONDS_BY_STATUS: Final[Mapping[int, int]] = {403: 600, 429: 60, 503: 30}
"""Seconds to pause after a refusal without `Retry-After`, by status code."""

PAUSE_SECONDS_BY_ERROR: Final[Mapping[str, int]] = {"maxlag": MAX_LAG_SECONDS, "ratelimited": 60, "readonly": 30}


class _TitleRedirect(msgspec.Struct, frozen=True):
    """A title and the one that it is normalised or redirected to."""

    old: str = msgspec.field(name="from")
    new: str = msgspec.field(name="to")


class WikiPage(msgspec.Struct, frozen=True):
    """A page in a response. Fields accept the types of older MediaWiki versions too."""

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
    def is_article(self) -> bool:
        """True if the page is an existing article of the main namespace."""
        return self.ns == 0 and self.missing is False and self.invalid is False


class _SiteInfo(msgspec.Struct, frozen=True):
    sitename: str = ""


class _SiteRights(msgspec.Struct, frozen=True):
    text: str = ""


class QueryResult(msgspec.Struct, frozen=True):
    """The pages of a response, the redirects between titles, and information about the wiki."""

    pages: list[WikiPage] | dict[str, WikiPage] = msgspec.field(default_factory=list)
    normalized: list[_TitleRedirect] = msgspec.field(default_factory=list)
    redirects: list[_TitleRedirect] = msgspec.field(default_factory=list)
    general: _SiteInfo = _SiteInfo()
    rightsinfo: _SiteRights = _SiteRights()


class _ApiError(msgspec.Struct, frozen=True):
    code: str = ""


class _ApiResponse(msgspec.Struct, frozen=True):
    """The body of a response, with either `query` or `error`."""

    query: QueryResult | None = None
    error: _ApiError | None = None


class UnusableResponseError(Exception):
    """The response of a wiki cannot be used; the next request may be sent after `retry_after` seconds."""

    def __init__(self, reason: str, retry_after: int = 0) -> None:
        """Initialise with the reason and the pause in seconds."""
        self.reason = reason
        self.retry_after = retry_after
        super().__init__(reason)


def parse_retry_after(header: str, now: float) -> int:
    """Parse a `Retry-After` header, a number of seconds or a date; 0 if it is invalid."""
    if header.strip().isascii() and header.strip().isdigit():
        return min(int(header.strip()[:9]), 86_400)
    try:
        return max(0, min(int(parsedate_to_datetime(header).timestamp() - now), 86_400))
    except (ValueError, OverflowError):
        return 0


async def parse_response(response: httpx2.Response) -> QueryResult:
    """Parse a response about articles. Raises UnusableResponseError for any other response."""
    requested_pause = parse_retry_after(response.headers.get("retry-after", ""), time.time())
    if response.status_code != httpx2.codes.OK:
        pause = requested_pause or PAUSE_SECONDS_BY_STATUS.get(response.status_code, 0)
        raise UnusableResponseError(f"it answers {response.status_code}", pause)
    try:
        answer = msgspec.json.decode(await _read_body(response), type=_ApiResponse)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise UnusableResponseError("its response is not that of an api.php") from None
    if answer.error is not None:
        raise UnusableResponseError(
            f"it reports {answer.error.code}", requested_pause or PAUSE_SECONDS_BY_ERROR.get(answer.error.code, 0)
        )
    if answer.query is None:
        raise UnusableResponseError("its response is not that of an api.php")
    return answer.query


async def _read_body(response: httpx2.Response) -> bytes:
    """Read and decompress a body, at most `MAX_RESPONSE_BYTES` bytes; the library would decompress without a limit."""
    is_compressed = response.headers.get("content-encoding", "identity").lower() != "identity"
    decompressor = zlib.decompressobj(zlib.MAX_WBITS | 32)
    body = bytearray()
    async for piece in response.aiter_raw():
        try:
            body += decompressor.decompress(piece, MAX_RESPONSE_BYTES + 1 - len(body)) if is_compressed else piece
        except zlib.error:
            raise UnusableResponseError("its response cannot be decompressed") from None
        if len(body) > MAX_RESPONSE_BYTES:
            raise UnusableResponseError("its response is far too long")
    return bytes(body)


def resolve_title(title: str, redirects: Mapping[str, str]) -> str:
    """Follow a title through normalisations and redirects."""
    for _ in range(MAX_TITLE_STEPS):
        if title not in redirects:
            break
        title = redirects[title]
    return title
