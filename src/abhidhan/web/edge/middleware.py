"""The edge: the outermost ASGI layer, which holds for every answer, 404 and 405 included, what must hold for all."""

import itertools
import os
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from time import perf_counter
from typing import Final, cast

from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from abhidhan.errors import NotFoundError, ReadOnlyError, TooManyRequestsError, UnreadableRequestError, sentence
from abhidhan.web.answers import MEDIA_TYPE
from abhidhan.web.edge.answer import UNMATCHED, Answer, Headers
from abhidhan.web.edge.answer_cache import AnswerCache, Key, may_be_kept
from abhidhan.web.edge.bodies import INCOMING, Bodies, announces_body
from abhidhan.web.edge.compression import accepts_gzip, compress, is_worth_compressing
from abhidhan.web.edge.errors import (
    ErrorContext,
    ErrorPage,
    answer_error,
    in_words,
    log_failure,
    log_if_ours,
    plain_page,
    raw_path,
)
from abhidhan.web.edge.etags import tag_of
from abhidhan.web.edge.exchange import Capture, Exchange
from abhidhan.web.edge.headers import CLOSING, bearer_of, is_host, joined
from abhidhan.web.edge.limits import ALLOWANCE, TRUST_NOBODY, Allowance, Limiter, TrustedProxies
from abhidhan.web.edge.logs import REQUEST_ID, Seen
from abhidhan.web.edge.negotiation import LINKED_DATA, prefers_linked_data
from abhidhan.web.edge.offline_copies import offline_headers
from abhidhan.web.edge.policies import fresh, may_write, policy_by_token, policy_of
from abhidhan.web.edge.public_reads import PublicRead
from abhidhan.web.edge.query import CleanQuery, clean_query
from abhidhan.web.edge.response_headers import NO_BODY, finish, finish_plain
from abhidhan.web.edge.routes import OLD_PREFIX, Addresses, canonical_path, plain_path
from abhidhan.web.edge.streaming import SILENT
from abhidhan.web.edge.telemetry import Observer

SANE_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
NO_SLASH: Final = sentence("There is nothing at this address: a name in it cannot contain a slash.")

CountedAs = Callable[[str], Awaitable[str | None]]
"""Names under which the requests that bring a token are counted; None for a token that does not count."""

GREATEST_HEAD: Final = 65_536
"""Maximum size of the headers in bytes. The HTTP server refuses more, unless more than that come in one piece."""


class Edge:
    """The ASGI application that the server runs: everything that must hold for every answer, 404 and 405 included."""

    def __init__(  # noqa: PLR0913 (each is one independent part of the edge, named where it is called)
        self,
        app: ASGIApp,
        *,
        version: Callable[[], Awaitable[int]],
        is_read_only: Callable[[], bool] = lambda: False,
        addresses: Addresses | None = None,
        proxies: TrustedProxies = TRUST_NOBODY,
        limiter: Limiter | None = None,
        counted_as: CountedAs | None = None,
        observer: Observer | None = None,
        page: ErrorPage = plain_page,
        cache: AnswerCache | None = None,
        bodies: Bodies | None = None,
        reads: Mapping[str, PublicRead] | None = None,
        https_only_seconds: int = 0,
    ) -> None:
        """Wrap `app`.

        `version` returns the data version, which changes whenever any answer may; it is called once per request and
        so must be cheap. While `is_read_only`, requests that may write are refused. `addresses` know which parameters
        each path takes, and how to clean them.
        `bodies` holds the deadlines and limits of request bodies. `reads` are answered without `app`, by their paths.
        `counted_as` names under which the requests of whoever brings a token are counted. Answers to https make
        browsers keep to https for `https_only_seconds`, unless it is 0.
        """
        self._app = app
        self._version = version
        self._is_read_only = is_read_only
        self.addresses = addresses
        self._proxies = proxies
        self._limiter = limiter
        self._counted_as = counted_as
        self._observer = observer
        self._page = page
        self._cache = AnswerCache() if cache is None else cache
        self._bodies = bodies or Bodies()
        self._reads = reads or {}
        self._https_only: Headers = (
            [(b"strict-transport-security", b"max-age=%d" % https_only_seconds)] if https_only_seconds else []
        )
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
                log_failure(error, self._context(exchange))
                raise
            await self._deliver_error(exchange, error)
        finally:
            if self._observer is not None:
                self._record(self._observer, exchange, str(scope["path"]))

    def _receive(self, scope: HTTPScope, send: Send, began: float) -> Exchange:
        """Read what the edge itself needs of a request: who asks, which coding, under which id."""
        lines = cast("Headers", scope["headers"])
        headers = dict(lines)
        if len(headers) != len(lines):
            lines = joined(lines)
            headers, scope = dict(lines), cast("HTTPScope", {**scope, "headers": lines})
        if OLD_PREFIX in scope["path"]:
            # All else sees one address; errors name the raw path, and the log the path that was asked.
            scope = cast("HTTPScope", {**scope, "path": canonical_path(scope["path"])})
        client, trusted = self._proxies.client(scope)
        policy = policy_of(scope["path"])
        if policy.of_people or scope["method"] == "OPTIONS":
            policy = policy_by_token(policy, scope["method"], headers)
        beside = policy.beside
        return Exchange(
            scope=scope,
            send=send,
            policy=policy,
            request_id=self._request_id(headers, trusted=trusted),
            client=client,
            counted_as=client,
            trusted=trusted,
            gzip=accepts_gzip(headers.get(b"accept-encoding", b"")),
            unless=headers.get(b"if-none-match", b""),
            linked=bool(beside) and prefers_linked_data(headers.get(b"accept", b""), beside),
            host=headers.get(b"host", b""),
            head=sum(map(len, headers.values())),
            offline=offline_headers(policy.copies, headers.get(b"cookie", b"")),
            https_only=self._https_only if self._https_only and self._proxies.scheme(scope) == "https" else [],
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
            await self._find_person(exchange)
            self._count(self._limiter, exchange)
        self._check_slashes(scope)
        if scope["method"] not in {"GET", "HEAD"}:
            if self._is_read_only() and may_write(scope["method"], scope["path"]):
                raise ReadOnlyError
            await self._run_with_body(exchange, receive)
            return
        query = self._query(scope)
        if not policy.kept:
            await self._run(exchange, receive, query)
            return
        version = await self._version()
        self._cache.renew(version)
        key = (plain_path(scope["path"]), query.encoded, exchange.gzip, exchange.linked)
        answer = self._cache.get(key)
        exchange.kept = answer is not None
        if answer is not None:
            await exchange.deliver(answer)
            return
        read = self._reads.get(key[0])
        if read is not None:
            await self._read(exchange, read, query, key, version)
            return
        fresh = await self._run(exchange, receive, query)
        if fresh is not None and may_be_kept(fresh):
            self._cache.keep(key, fresh, version)

    async def _read(self, exchange: Exchange, read: PublicRead, query: CleanQuery, key: Key, version: int) -> None:
        """Answer a public read. Raises InputError, and what its handler raises."""
        REQUEST_ID.set(exchange.request_id)
        exchange.template = read.template
        body, is_to_keep = await read.answer(query.pairs)
        answer = Answer(200, [], body, read.template)
        if is_coded := exchange.gzip and is_worth_compressing(answer.body, MEDIA_TYPE):
            answer.body = await compress(answer.body)
        answer.tag = tag_of(answer.body)
        policy = exchange.policy if is_to_keep else fresh(exchange.policy)
        finish_plain(answer, policy, is_coded=is_coded)
        await exchange.deliver(answer)
        if is_to_keep:
            self._cache.keep(key, answer, version)

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

    async def _find_person(self, exchange: Exchange) -> None:
        """Let the requests of programs count for the person they act for, from wherever they come."""
        token = bearer_of(dict(exchange.scope["headers"]).get(b"authorization", b""))
        if token is not None and self._counted_as is not None:
            exchange.counted_as = await self._counted_as(token) or exchange.client

    def _count(self, limiter: Limiter, exchange: Exchange, requests: int = 1) -> None:
        """Count the request, or several, against the limit of its client. Raises TooManyRequestsError."""
        verdict = limiter.ask(exchange.counted_as, requests)
        exchange.extra = verdict.headers
        if not verdict.allowed:
            raise TooManyRequestsError(
                sentence(
                    "The limit of %(rate)s is used up. Ask again in %(wait)s s.",
                    rate=str(limiter.rate),
                    wait=verdict.retry_after,
                ),
                verdict.retry_after,
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
        """Let the application answer, and send what it says. Return the answer unless it was streamed."""
        REQUEST_ID.set(exchange.request_id)
        scope = exchange.scope
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        inner: dict[str, object] = {
            **scope,
            "method": method,
            "scheme": self._proxies.scheme(scope),
            "client": (exchange.client, 0),
            "trusted": exchange.trusted,
            SILENT: scope["method"] == "HEAD",
            LINKED_DATA: exchange.linked,
        }
        if exchange.incoming is not None:
            inner[INCOMING] = exchange.incoming
        if self._limiter is not None and exchange.policy.limited:
            inner[ALLOWANCE] = Allowance(self._limiter.rate, partial(self._count, self._limiter, exchange))
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
        if exchange.gzip and is_worth_compressing(answer.body, kind):
            answer.body = await compress(answer.body)
            answer.headers.append((b"content-encoding", b"gzip"))
        if exchange.policy.tagged and answer.status == 200:  # noqa: PLR2004
            answer.tag = tag_of(answer.body)
        elif answer.status in {200, 304}:
            # What a handler has tagged itself, as pictures are by what they show.
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
        context = self._context(exchange)
        error = in_words(error)
        log_if_ours(error, context)
        made = answer_error(error, context, page=self._page)
        headers = [(name.lower().encode(), value.encode()) for name, value in made.headers.items()]
        answer = Answer(
            made.status, [(b"content-type", made.media_type.encode()), *headers], made.body, exchange.template
        )
        await self._finish(exchange, answer)
        await exchange.deliver(answer)

    def _context(self, exchange: Exchange) -> ErrorContext:
        return ErrorContext(exchange.scope["method"], raw_path(exchange.scope), exchange.request_id)

    def _record(self, observer: Observer, exchange: Exchange, path: str) -> None:
        observer.finished(
            Seen(
                method=exchange.scope["method"],
                path=path,
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
