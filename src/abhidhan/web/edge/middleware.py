"""The outermost layer round the application: answer cache, ETag, gzip, CORS, HEAD, request ids, last-resort errors."""

import asyncio
import itertools
import os
import re
import sys
import zlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from time import perf_counter
from typing import Final, cast

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from abhidhan.errors import NotFoundError, TooManyRequestsError, UnreadableRequestError, sentence
from abhidhan.web.edge.bodies import INCOMING, Bodies, Incoming, announces_body
from abhidhan.web.edge.errors import (
    Asked,
    ErrorPage,
    allowed_methods,
    answer_error,
    in_words,
    log_failure,
    log_if_ours,
    plain_page,
    raw_path,
)
from abhidhan.web.edge.headers import is_host, joined
from abhidhan.web.edge.limits import TRUST_NOBODY, Limiter, TrustedProxies
from abhidhan.web.edge.logs import REQUEST_ID, Seen
from abhidhan.web.edge.query import CleanQuery, clean_query
from abhidhan.web.edge.routes import Addresses, plain_path
from abhidhan.web.edge.streaming import SILENT
from abhidhan.web.edge.telemetry import Observer
from abhidhan.web.json_bodies import read_json

Headers = list[tuple[bytes, bytes]]

WORTH_COMPRESSING: Final = 1024
"""Bytes; a smaller body does not get smaller by enough."""

COMPRESSED_ASIDE: Final = 100 * 1024
"""Bytes; a larger body is compressed in a thread, so that no other request waits for it."""

CACHE_LIMIT: Final = 16 * 1024 * 1024
"""Bytes that the kept answers of one worker may take, keys and bookkeeping included."""

LARGEST_KEPT: Final = 1024 * 1024
ENTRY_OVERHEAD: Final = 2200
"""Bytes that Python spends on one kept answer beside its body, path and query; measured, rounded up."""

MOST_SPELLINGS: Final = 2048
LONGEST_SPELLING: Final = 300
SPELLINGS_SHARE: Final = MOST_SPELLINGS * (LONGEST_SPELLING * 5 + 1000)
"""Raw queries whose canonical form is remembered, the longest of them, and the bytes they take at most."""

PUBLIC_FOR_A_WHILE: Final = b"public, max-age=300, stale-while-revalidate=86400, stale-if-error=86400"
COMPRESSIBLE: Final = re.compile(rb"text/|application/(?:[a-z.+-]*json|javascript|xml)|image/svg")
SANE_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
UNMATCHED: Final = "unmatched"
"""The route of a request that no handler saw."""

NO_SLASH: Final = sentence("There is nothing at this address: a name in it cannot contain a slash.")
NO_BODY: Final = {204, 304}

GREATEST_HEAD: Final = 65_536
"""Bytes that headers may take. The HTTP server refuses more, unless more than that come in one piece."""

CLOSING: Final = (b"connection", b"close")
"""What an answer says after which its connection cannot be used again."""

CORS: Final[Headers] = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"ETag, Link, Retry-After, RateLimit, RateLimit-Policy"),
]
PREFLIGHT: Final[Headers] = [(b"access-control-allow-headers", b"*"), (b"access-control-max-age", b"86400")]
SECURITY: Final[Headers] = [
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
]
PAGE_SECURITY: Final[Headers] = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (
        b"content-security-policy",
        (
            b"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; "
            b"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
    ),
]


@dataclass(frozen=True, slots=True)
class Policy:
    """How the answers of an address may be shared.

    `cache_control` is that of a 200 whose handler set none; `cors` opens the answer to every site; `tagged` gives it
    an ETag; `kept` lets the answer cache keep it; `limited` counts the request against the rate limit.
    """

    cache_control: bytes
    cors: bool = False
    tagged: bool = False
    kept: bool = False
    limited: bool = True


PUBLIC: Final = Policy(PUBLIC_FOR_A_WHILE, cors=True, tagged=True, kept=True)
FROM_OUTSIDE: Final = Policy(PUBLIC_FOR_A_WHILE, cors=True, tagged=True)
COOKIE: Final = Policy(b"no-store")
HEALTH: Final = Policy(b"no-store", cors=True, limited=False)
OPERATOR: Final = Policy(b"no-store", limited=False)
FILE: Final = Policy(b"no-store")
DOWNLOAD: Final = Policy(b"public, no-cache", cors=True)
PAGE: Final = Policy(b"private, no-cache", tagged=True)

POLICIES: Final = tuple(
    (re.compile(pattern), policy)
    for pattern, policy in (
        (r"/api/(?:submit-foto\.php|session|account|people|photos|submissions|reports|editing)(?:/|$)", COOKIE),
        (r"/api/dic-wiki\.php(?:/|$)", FROM_OUTSIDE),
        (r"/api(?:/|$)", PUBLIC),
        (r"/photos(?:/|$)", FILE),
        (r"/downloads/.", DOWNLOAD),
        (r"/health(?:/|$)", HEALTH),
        (r"/metrics(?:/|$)", OPERATOR),
        (r"", PAGE),
    )
)
"""Which policy an address has: the first that fits. Articles come from outside, so no data version tells their age."""


@lru_cache(maxsize=512)
def policy_of(path: str) -> Policy:
    """Return how the answers of a path may be shared. Double slashes and a slash at the end mean nothing."""
    plain = re.sub(r"/{2,}", "/", path)
    return next(policy for pattern, policy in POLICIES if pattern.match(plain))


@lru_cache(maxsize=256)
def accepts_gzip(accepted: bytes) -> bool:
    """Return whether an `Accept-Encoding` header wants gzip: q-values, `*` and identity are honoured."""
    qualities: dict[str, float] = {}
    for part in accepted.decode("latin-1").lower().split(","):
        coding, *parameters = (piece.strip() for piece in part.split(";"))
        if coding:
            qualities[coding] = min((_quality(parameter) for parameter in parameters), default=1.0)
    gzip = qualities.get("gzip", qualities.get("x-gzip", qualities.get("*", 0.0)))
    return gzip > 0 and gzip >= qualities.get("identity", 0.0)


def _quality(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    if name.strip() != "q":
        return 1.0
    return float(value) if re.fullmatch(r"[01](?:\.[0-9]{0,3})?", value.strip()) else 0.0


def tag_of(body: bytes) -> bytes:
    """Make the strong ETag of these very bytes."""
    return b'"%b"' % blake2b(body, digest_size=12).hexdigest().encode()


def is_among(tag: bytes, asked: bytes) -> bool:
    """Return whether `If-None-Match` names this ETag: a list, weak ones, or `*`."""
    if asked == tag:
        return True
    names = [part.strip().removeprefix(b"W/") for part in asked.split(b",")]
    return tag in names or names == [b"*"]


def compressed(body: bytes) -> bytes:
    """Compress with gzip; the same bytes for the same body always."""
    return zlib.compress(body, 5, 31)


class Answer(msgspec.Struct):
    """A finished answer, before what belongs to one request (its id, its limits) is added."""

    status: int
    headers: Headers
    body: bytes
    template: str = UNMATCHED
    tag: bytes = b""
    unchanged: Headers = []
    size: int = 0


Key = tuple[str, bytes, bool]


class AnswerCache:
    """The newest answers of public GETs, ready to send, all of one version of the data, bounded by bytes."""

    def __init__(self, limit: int = CACHE_LIMIT - SPELLINGS_SHARE, largest: int = LARGEST_KEPT) -> None:
        """Make an empty cache of at most `limit` bytes; answers of more than `largest` bytes are not kept."""
        self._limit = limit
        self._largest = largest
        self._answers: OrderedDict[Key, Answer] = OrderedDict()
        self._queries: dict[tuple[str, bytes], CleanQuery] = {}
        self._version: int | None = None
        self.size = 0

    def __len__(self) -> int:
        """Count the kept answers."""
        return len(self._answers)

    def renew(self, version: int) -> None:
        """Forget everything if the data has another version than the answers kept."""
        if version != self._version:
            self._answers.clear()
            self._version = version
            self.size = 0

    def cleaned(self, path: str, raw: bytes) -> CleanQuery | None:
        """Give the clean form of a raw query that was seen before."""
        return self._queries.get((path, raw))

    def learn(self, path: str, raw: bytes, clean: CleanQuery) -> None:
        """Remember the clean form of a raw query."""
        if len(raw) + len(path) <= LONGEST_SPELLING:
            if len(self._queries) >= MOST_SPELLINGS:
                self._queries.clear()
            self._queries[path, raw] = clean

    def get(self, key: Key) -> Answer | None:
        """Give the answer kept under a key, and count it as used."""
        answer = self._answers.get(key)
        if answer is not None:
            self._answers.move_to_end(key)
        return answer

    def keep(self, key: Key, answer: Answer, version: int) -> None:
        """Keep an answer made from this version of the data; the least recently used ones make room."""
        size = size_of(key, answer)
        if version != self._version or len(answer.body) > self._largest or size > self._limit:
            return
        if (old := self._answers.pop(key, None)) is not None:
            self.size -= old.size
        answer.size = size
        self._answers[key] = answer
        self.size += size
        while self.size > self._limit:
            _, gone = self._answers.popitem(last=False)
            self.size -= gone.size


def size_of(key: Key, answer: Answer) -> int:
    """Return how many bytes an answer takes while it is kept, its key and what Python needs for both included."""
    path, query, _ = key
    headers = sum([len(value) for _, value in answer.headers])
    return sys.getsizeof(path) + len(query) + headers + len(answer.body) + ENTRY_OVERHEAD


class Exchange(msgspec.Struct):
    """One request on its way through the edge, and what has been sent of its answer."""

    scope: HTTPScope
    send: Send
    policy: Policy
    request_id: str
    client: str
    trusted: bool
    gzip: bool
    unless: bytes
    host: bytes = b""
    head: int = 0
    incoming: Incoming | None = None
    extra: Headers = []
    began: float = 0.0
    status: int = 0
    template: str = UNMATCHED
    kept: bool | None = None

    async def deliver(self, answer: Answer) -> None:
        """Send a finished answer: whole, without its body to HEAD, or as 304 to who has it already."""
        self.template = answer.template
        if answer.tag and self.unless and is_among(answer.tag, self.unless):
            await self.start(304, answer.unchanged)
            await self.send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        await self.start(answer.status, answer.headers)
        body = b"" if self.scope["method"] == "HEAD" else answer.body
        await self.send({"type": "http.response.body", "body": body, "more_body": False})

    async def start(self, status: int, headers: Headers) -> None:
        """Send the status and the headers, with those that belong to this request alone."""
        self.status = status
        if self.incoming is not None and self.incoming.failed:
            self.extra = [*self.extra, CLOSING]
        own = [*headers, (b"x-request-id", self.request_id.encode()), *self.extra]
        await self.send({"type": "http.response.start", "status": status, "headers": own})


class Capture:
    """Collects what the application sends: held back when it comes in one piece, passed on when it streams."""

    def __init__(self, exchange: Exchange, complete: Callable[[Answer], Awaitable[None]]) -> None:
        """Capture for one exchange; `complete` takes an answer that came in one piece."""
        self._exchange = exchange
        self._complete = complete
        self._status = 0
        self._headers: Headers = []
        self._streaming = False
        self._silent = exchange.scope["method"] == "HEAD"
        self.answer: Answer | None = None

    async def send(self, message: Message) -> None:
        """Take one message of the application."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = [(name.lower(), value) for name, value in message["headers"]]
        elif self._streaming:
            await self._pass_on(message)
        elif message["type"] == "http.response.body" and not message.get("more_body"):
            self.answer = Answer(self._status, self._headers, message.get("body", b""))
            await self._complete(self.answer)
        else:
            await self._begin_stream()
            await self._pass_on(message)

    async def _begin_stream(self) -> None:
        """Send the headers of a stream; to somebody who has these bytes already, a 304 and nothing else."""
        self._streaming = True
        exchange = self._exchange
        whole = Answer(self._status, self._headers, b"", tag=dict(self._headers).get(b"etag", b""))
        finish(whole, exchange.policy, exchange.scope["method"])
        if whole.status == 200 and whole.tag and exchange.unless and is_among(whole.tag, exchange.unless):  # noqa: PLR2004
            self._silent = True
            await exchange.start(304, whole.unchanged)
        else:
            await exchange.start(whole.status, whole.headers)

    async def _pass_on(self, message: Message) -> None:
        if not self._silent:
            await self._exchange.send(message)
        elif not message.get("more_body"):
            await self._exchange.send({"type": "http.response.body", "body": b"", "more_body": False})


class CleanRequest(Request[object, object, State]):
    """A request whose JSON is read as the program reads it: its query is that which the edge has cleaned."""

    async def json(self) -> object:
        """Read the body as JSON. Raises what `read_json` raises."""
        return read_json(await self.body(), self.headers.get("content-type", ""))


class Edge:
    """The ASGI application that the server runs: everything that must hold for every answer, 404 and 405 included."""

    def __init__(  # noqa: PLR0913 (each is one independent part of the edge, named where it is called)
        self,
        app: ASGIApp,
        *,
        version: Callable[[], Awaitable[int]],
        addresses: Addresses | None = None,
        proxies: TrustedProxies = TRUST_NOBODY,
        limiter: Limiter | None = None,
        observer: Observer | None = None,
        page: ErrorPage = plain_page,
        cache: AnswerCache | None = None,
        bodies: Bodies | None = None,
    ) -> None:
        """Wrap `app`.

        `version` tells the number of the data's present state, which changes whenever any answer may; it is asked
        once a request and so must be cheap. `addresses` tell which parameters each path knows, and how to clean them.
        `bodies` are the deadlines and bounds of requests that bring one.
        """
        self._app = app
        self._version = version
        self.addresses = addresses
        self._proxies = proxies
        self._limiter = limiter
        self._observer = observer
        self._page = page
        self._cache = AnswerCache() if cache is None else cache
        self._bodies = bodies or Bodies()
        self._prefix = os.urandom(5).hex()
        self._numbers = itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; lifespan and websockets pass through."""
        kind: str = scope["type"]
        if kind != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        exchange = self._receive(cast("HTTPScope", scope), send, began)
        if self._observer is not None:
            self._observer.began()
        try:
            await self._answer(exchange, receive)
        # The outermost edge: whatever went wrong inside becomes an answer here, or a cut connection and a log line.
        except Exception as error:
            if exchange.status:
                log_failure(error, self._asked(exchange))
                raise
            await self._deliver_error(exchange, error)
        finally:
            if self._observer is not None:
                self._record(self._observer, exchange)

    def _receive(self, scope: HTTPScope, send: Send, began: float) -> Exchange:
        """Read what the edge itself needs of a request: who asks, which coding, under which id."""
        lines = cast("Headers", scope["headers"])
        headers = dict(lines)
        if len(headers) != len(lines):
            lines = joined(lines)
            headers, scope = dict(lines), cast("HTTPScope", {**scope, "headers": lines})
        client, trusted = self._proxies.client(scope)
        return Exchange(
            scope=scope,
            send=send,
            policy=policy_of(scope["path"]),
            request_id=self._request_id(headers, trusted=trusted),
            client=client,
            trusted=trusted,
            gzip=accepts_gzip(headers.get(b"accept-encoding", b"")),
            unless=headers.get(b"if-none-match", b""),
            host=headers.get(b"host", b""),
            head=sum(map(len, headers.values())),
            began=began,
        )

    def _request_id(self, headers: Mapping[bytes, bytes], *, trusted: bool) -> str:
        if trusted:
            given = headers.get(b"x-request-id", b"").decode("latin-1")
            if SANE_REQUEST_ID.fullmatch(given):
                return given
        return f"{self._prefix}{next(self._numbers):08x}"

    async def _answer(self, exchange: Exchange, receive: Receive) -> None:
        scope, policy = exchange.scope, exchange.policy
        if exchange.head > GREATEST_HEAD:
            await exchange.deliver(Answer(431, [(b"content-length", b"0"), CLOSING], b""))
            return
        if not is_host(exchange.host):
            _check_host(exchange)
        if self._limiter is not None and policy.limited and scope["method"] != "OPTIONS":
            self._count(self._limiter, exchange)
        self._check_slashes(scope)
        if scope["method"] not in {"GET", "HEAD"}:
            await self._run_with_body(exchange, receive)
            return
        query = self._query(scope)
        if not policy.kept:
            await self._run(exchange, receive, query)
            return
        version = await self._version()
        self._cache.renew(version)
        key = (plain_path(scope["path"]), query.encoded, exchange.gzip)
        answer = self._cache.get(key)
        exchange.kept = answer is not None
        if answer is not None:
            await exchange.deliver(answer)
            return
        fresh = await self._run(exchange, receive, query)
        if fresh is not None and _may_be_kept(fresh):
            self._cache.keep(key, fresh, version)

    def _check_slashes(self, scope: HTTPScope) -> None:
        """Refuse an escaped slash where no name can hold one: it ends no part of a path. Raises NotFoundError."""
        raw = scope.get("raw_path") or b""
        if (b"%2F" in raw or b"%2f" in raw) and self.addresses is not None:
            found = self.addresses.find(scope["path"])
            if found is None or not found.takes_slashes:
                raise NotFoundError(NO_SLASH)

    def _query(self, scope: HTTPScope) -> CleanQuery:
        path, raw = scope["path"], scope["query_string"]
        known = self._cache.cleaned(path, raw)
        if known is None:
            kinds = self.addresses.kinds(path) if raw and self.addresses else None
            known = clean_query(raw, kinds)
            self._cache.learn(path, raw, known)
        return known

    def _count(self, limiter: Limiter, exchange: Exchange) -> None:
        """Count the request against the limit of its client. Raises TooManyRequestsError."""
        verdict = limiter.ask(exchange.client)
        exchange.extra = verdict.headers
        if not verdict.allowed:
            raise TooManyRequestsError(
                f"The limit of {limiter.rate} is used up. Ask again in {verdict.retry_after} s.", verdict.retry_after
            )

    async def _run_with_body(self, exchange: Exchange, receive: Receive) -> None:
        """Let the application answer a request that may bring a body, which must come in time."""
        if not announces_body(dict(exchange.scope["headers"])):
            await self._run(exchange, receive)
            return
        # A proxy that does not say for whom it asks may ask for anybody.
        client = "" if exchange.trusted and self._proxies.trusts(exchange.client) else exchange.client
        incoming = exchange.incoming = self._bodies.expect(client, receive)
        try:
            await self._run(exchange, incoming.receive)
        finally:
            incoming.end()

    async def _run(self, exchange: Exchange, receive: Receive, query: CleanQuery | None = None) -> Answer | None:
        """Let the application answer, and send what it says. Gives the answer unless it was streamed."""
        REQUEST_ID.set(exchange.request_id)
        asked = exchange.scope
        method = "GET" if asked["method"] == "HEAD" else asked["method"]
        inner: dict[str, object] = {
            **asked,
            "method": method,
            "scheme": self._proxies.scheme(asked),
            "client": (exchange.client, 0),
            "trusted": exchange.trusted,
            SILENT: asked["method"] == "HEAD",
        }
        if exchange.incoming is not None:
            inner[INCOMING] = exchange.incoming
        if query is not None:
            inner["query_string"] = query.encoded

        async def complete(answer: Answer) -> None:
            answer.template = str(inner.get("path_template", UNMATCHED))
            await self._finish(exchange, answer)
            await exchange.deliver(answer)

        capture = Capture(exchange, complete)
        await self._app(cast("Scope", inner), receive, capture.send)
        exchange.template = str(inner.get("path_template", UNMATCHED))
        if not exchange.status:
            raise RuntimeError("The application did not answer.")
        return capture.answer

    async def _finish(self, exchange: Exchange, answer: Answer) -> None:
        """Code, tag and decorate an answer that came in one piece."""
        if exchange.scope["method"] == "OPTIONS":
            self._allow_every_method(answer, exchange.scope["path"])
        kind = dict(answer.headers).get(b"content-type", b"")
        if exchange.gzip and len(answer.body) > WORTH_COMPRESSING and COMPRESSIBLE.match(kind):
            aside = len(answer.body) > COMPRESSED_ASIDE
            answer.body = await asyncio.to_thread(compressed, answer.body) if aside else compressed(answer.body)
            answer.headers.append((b"content-encoding", b"gzip"))
        if exchange.policy.tagged and answer.status == 200:  # noqa: PLR2004
            answer.tag = tag_of(answer.body)
        elif answer.status == 304:  # noqa: PLR2004
            answer.tag = dict(answer.headers).get(b"etag", b"")
        finish(answer, exchange.policy, exchange.scope["method"])

    def _allow_every_method(self, answer: Answer, path: str) -> None:
        """Name every method of an address: of several handlers, the framework's own answer knows but the first."""
        found = self.addresses.find(path) if self.addresses is not None else None
        if found is not None and answer.status in NO_BODY:
            kept = [(name, value) for name, value in answer.headers if name != b"allow"]
            answer.headers = [*kept, (b"allow", ", ".join(found.methods).encode())]

    async def _deliver_error(self, exchange: Exchange, error: Exception) -> None:
        """Answer an error that no handler saw: a query that cannot be read, a limit, or a bug."""
        asked = self._asked(exchange)
        error = in_words(error)
        log_if_ours(error, asked)
        made = answer_error(error, asked, page=self._page)
        headers = [(name.lower().encode(), value.encode()) for name, value in made.headers.items()]
        answer = Answer(made.status, [(b"content-type", made.media_type.encode()), *headers], made.body)
        await self._finish(exchange, answer)
        await exchange.deliver(answer)

    def _asked(self, exchange: Exchange) -> Asked:
        return Asked(exchange.scope["method"], raw_path(exchange.scope), exchange.request_id)

    def _record(self, observer: Observer, exchange: Exchange) -> None:
        observer.finished(
            Seen(
                method=exchange.scope["method"],
                path=exchange.scope["path"],
                template=exchange.template,
                status=exchange.status or 499,
                seconds=perf_counter() - exchange.began,
                client=exchange.client,
                request_id=exchange.request_id,
                kept=exchange.kept,
            )
        )


def _check_host(exchange: Exchange) -> None:
    """Raise UnreadableRequestError for a `Host` that is not exactly one, or cannot be."""
    if exchange.host:
        raise UnreadableRequestError("The request must have one `Host` header: a name or an address, and maybe a port.")
    # The HTTP server gives an empty one to requests without any; HTTP/1.0 did not know it yet.
    if exchange.scope["http_version"] == "1.1":
        raise UnreadableRequestError("The request has no `Host` header, which HTTP/1.1 asks for.")


def _may_be_kept(answer: Answer) -> bool:
    """Only a whole 200 that the handler did not make for one caller alone."""
    named = dict(answer.headers)
    return answer.status == 200 and b"set-cookie" not in named and named[b"cache-control"] == PUBLIC_FOR_A_WHILE  # noqa: PLR2004


def finish(answer: Answer, policy: Policy, method: str) -> None:
    """Give an answer its headers for sharing, caching and safety, and the headers of its 304."""
    named = dict(answer.headers)
    shared = _sharing(answer, policy, named)
    own = [(name, value) for name, value in answer.headers if name not in _REPLACED]
    security = PAGE_SECURITY if named.get(b"content-type", b"").startswith(b"text/html") else SECURITY
    shared += [(name, value) for name, value in security if name not in named]
    if b"allow" in named:
        own.append((b"allow", allowed_methods(named[b"allow"].decode("latin-1")).encode()))
    if method == "OPTIONS" and policy.cors and answer.status in NO_BODY:
        shared += [*PREFLIGHT, (b"access-control-allow-methods", dict(own).get(b"allow", b"GET, HEAD, OPTIONS"))]
    if answer.status in NO_BODY:
        own = [(name, value) for name, value in own if name != b"content-type"]
    elif answer.body or b"content-length" in named:
        own.append((b"content-length", named[b"content-length"] if not answer.body else b"%d" % len(answer.body)))
    answer.headers = own + shared
    answer.unchanged = shared


_REPLACED: Final = {b"content-length", b"cache-control", b"vary", b"etag", b"allow"}


def _sharing(answer: Answer, policy: Policy, named: Mapping[bytes, bytes]) -> Headers:
    """Choose Cache-Control, ETag, Vary and CORS; what a handler said of its own 200 stands."""
    good = answer.status in {200, 206, 304}
    control = named.get(b"cache-control", policy.cache_control) if good else b"no-store"
    shared: Headers = [(b"cache-control", control)]
    if answer.tag:
        shared.append((b"etag", answer.tag))
    if control != b"no-store" or b"content-encoding" in named:
        shared.append((b"vary", _joined(named.get(b"vary", b""))))
    elif b"vary" in named:
        shared.append((b"vary", named[b"vary"]))
    if policy.cors or (policy is FILE and good and control.startswith(b"public")):
        shared += CORS
    return shared


def _joined(vary: bytes) -> bytes:
    """Add `Accept-Encoding` to what an answer varies by."""
    if not vary or b"accept-encoding" in vary.lower():
        return vary or b"Accept-Encoding"
    return vary + b", Accept-Encoding"
