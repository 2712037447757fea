"""What MediaWiki answers, and how a reply is read."""

import time
import zlib
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Final

import httpx2
import msgspec

LARGEST_REPLY: Final = 4 * 1024 * 1024
"""Bytes of a reply, unpacked. The longest introductions have a tenth of it; more is no honest reply."""

MOST_STEPS: Final = 10
"""Redirects between titles that are followed; MediaWiki itself resolves them all, so that more means a ring."""

LAG_SECONDS: Final = 5
"""A wiki whose copies of the database are further behind than this is too busy for us (`maxlag`)."""

REST_AFTER_REFUSAL: Final[Mapping[int, int]] = {403: 600, 429: 60, 503: 30}
"""Seconds to leave a wiki alone after a refusal that does not say how long."""

REST_AFTER_ERROR: Final[Mapping[str, int]] = {"maxlag": LAG_SECONDS, "ratelimited": 60, "readonly": 30}


class _Step(msgspec.Struct, frozen=True):
    """That a title stands for another one."""

    old: str = msgspec.field(name="from")
    new: str = msgspec.field(name="to")


class Page(msgspec.Struct, frozen=True):
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


class Found(msgspec.Struct, frozen=True):
    """What a reply tells of the titles that were asked for, and of the wiki itself."""

    pages: list[Page] | dict[str, Page] = msgspec.field(default_factory=list)
    normalized: list[_Step] = msgspec.field(default_factory=list)
    redirects: list[_Step] = msgspec.field(default_factory=list)
    general: _General = _General()
    rightsinfo: _Rights = _Rights()


class _Error(msgspec.Struct, frozen=True):
    code: str = ""


class _Answer(msgspec.Struct, frozen=True):
    """The body of a reply, of which either `query` or `error` is there."""

    query: Found | None = None
    error: _Error | None = None


class UnusableAnswerError(Exception):
    """A reply that tells nothing about articles: `retry_after` seconds are to pass before the next question."""

    def __init__(self, reason: str, retry_after: int = 0) -> None:
        """Say why, and how long to leave the wiki alone."""
        self.reason = reason
        self.retry_after = retry_after
        super().__init__(reason)


def seconds_to_wait(header: str, now: float) -> int:
    """Read a `Retry-After` header, a number of seconds or a date; 0 when it says nothing that can be read."""
    if header.strip().isascii() and header.strip().isdigit():
        return min(int(header.strip()[:9]), 86_400)
    try:
        return max(0, min(int(parsedate_to_datetime(header).timestamp() - now), 86_400))
    except (ValueError, OverflowError):
        return 0


async def read_answer(response: httpx2.Response) -> Found:
    """Read a reply that tells of articles. Raises UnusableAnswerError for every other one."""
    wish = seconds_to_wait(response.headers.get("retry-after", ""), time.time())
    if response.status_code != httpx2.codes.OK:
        rest = wish or REST_AFTER_REFUSAL.get(response.status_code, 0)
        raise UnusableAnswerError(f"it answers {response.status_code}", rest)
    try:
        answer = msgspec.json.decode(await _body(response), type=_Answer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise UnusableAnswerError("its answer is not that of an api.php") from None
    if answer.error is not None:
        raise UnusableAnswerError(f"it reports {answer.error.code}", wish or REST_AFTER_ERROR.get(answer.error.code, 0))
    if answer.query is None:
        raise UnusableAnswerError("its answer is not that of an api.php")
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
            raise UnusableAnswerError("its answer cannot be unpacked") from None
        if len(body) > LARGEST_REPLY:
            raise UnusableAnswerError("its answer is far too long")
    return bytes(body)


def last_step(title: str, steps: Mapping[str, str]) -> str:
    """Follow a title through what the wiki says it stands for."""
    for _ in range(MOST_STEPS):
        if title not in steps:
            break
        title = steps[title]
    return title
