"""The edge: the outermost ASGI layer, which holds for every answer, 404 and 405 included, what must hold for all.

A request passes `Edge.__call__`, which reads it, `Edge._answer`, which checks it and looks into the cache, and then
either `Edge._answer_read` for a public read or the framework (`framework.py`) for all else.
"""

import itertools
import os
import re
from collections.abc import Awaitable, Callable, Mapping
from time import perf_counter
from typing import Final, cast

from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from abhidhan.platform.http.address_tree import AddressTree, any_address, canonical_path
from abhidhan.platform.http.answer_cache import AnswerCache, Key, may_be_cached
from abhidhan.platform.http.client_address import TRUST_NOBODY, TrustedProxies
from abhidhan.platform.http.errors import (
    ErrorContext,
    ErrorPage,
    answer_error,
    in_words,
    log_failure,
    log_if_ours,
    plain_page,
    raw_path,
)
from abhidhan.platform.http.framework import Framework
from abhidhan.platform.http.logging import REQUEST_ID, Seen
from abhidhan.platform.http.policies import OLD_PREFIX, Copies, may_write, offline_headers, policy_by_token, uncached
from abhidhan.platform.http.public_reads import PublicRead
from abhidhan.platform.http.query import CleanQuery, QueryCleaner
from abhidhan.platform.http.rate_limit import Limiter
from abhidhan.platform.http.request_bodies import Bodies
from abhidhan.platform.http.request_context import RequestContext
from abhidhan.platform.http.request_headers import (
    CONNECTION_CLOSE,
    Headers,
    accepts_gzip,
    bearer_of,
    is_host,
    join_lines,
    prefers_linked_data,
)
from abhidhan.platform.http.response import Response, plain_response
from abhidhan.platform.http.telemetry import Observer
from abhidhan.records.errors import NotFoundError, ReadOnlyError, UnreadableRequestError, sentence

SANE_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
NO_SLASH: Final = sentence("There is nothing at this address: a name in it cannot contain a slash.")

CountedAs = Callable[[str], Awaitable[str | None]]
"""Names under which the requests that bring a token are counted; None for a token that does not count."""

MAX_HEAD: Final = 65_536
"""Maximum size of the headers in bytes. The HTTP server refuses more, unless more than that come in one piece."""


class Edge:
    """The ASGI application that the server runs: everything that must hold for every answer, 404 and 405 included."""

    def __init__(  # noqa: PLR0913 (each is one independent part of the edge, named where it is called)
        self,
        app: ASGIApp,
        *,
        version: Callable[[], Awaitable[int]],
        is_read_only: Callable[[], bool] = lambda: False,
        addresses: AddressTree | None = None,
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
        so must be cheap. While `is_read_only`, requests that may write are refused. `addresses` know the policy of
        each path, which parameters it takes, and how to clean them.
        `bodies` holds the deadlines and limits of request bodies. `reads` are answered without `app`, by their paths.
        `counted_as` names under which the requests of whoever brings a token are counted. Answers to https make
        browsers keep to https for `https_only_seconds`, unless it is 0.
        """
        self._version = version
        self._is_read_only = is_read_only
        self.addresses = addresses
        self._address = addresses.address if addresses is not None else any_address
        self._proxies = proxies
        self._limiter = limiter
        self._counted_as = counted_as
        self._observer = observer
        self._page = page
        self._queries = QueryCleaner()
        self._cache = AnswerCache() if cache is None else cache
        self._reads = reads or {}
        self._app = app
        self._framework = Framework(app, bodies=bodies or Bodies(), proxies=proxies, limiter=limiter)
        self._https_only: Headers = (
            [(b"strict-transport-security", b"max-age=%d" % https_only_seconds)] if https_only_seconds else []
        )
        self._prefix = os.urandom(5).hex().encode()
        self._numbers = itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; lifespan and websockets pass through."""
        kind: str = scope["type"]
        if kind != "http":
            await self._app(scope, receive, send)
            return
        request = self._read_request(cast("HTTPScope", scope), send, perf_counter())
        if self._observer is not None:
            self._observer.start()
        try:
            await self._answer(request, receive)
        # The outermost edge: whatever went wrong inside becomes an answer here, or a cut connection and a log line.
        except Exception as error:
            if request.status:
                log_failure(error, _error_context(request))
                raise
            await self._answer_error(request, error)
        finally:
            if self._observer is not None:
                self._observer.finish(
                    Seen(
                        method=request.scope["method"],
                        path=request.path,
                        template=request.template,
                        status=request.status or 499,
                        seconds=perf_counter() - request.start_time,
                        client=request.client.address,
                        request_id=request.request_id,
                        cached=request.cached,
                    )
                )

    def _read_request(self, scope: HTTPScope, send: Send, start_time: float) -> RequestContext:
        """Read what the edge itself needs of a request: who asks, for which address, and what is accepted."""
        path, lines = scope["path"], cast("Headers", scope["headers"])
        headers = dict(lines)
        if len(headers) != len(lines):
            lines = join_lines(lines)
            headers, scope = dict(lines), cast("HTTPScope", {**scope, "headers": lines})
        if OLD_PREFIX in path:
            # All else sees one address; errors name the raw path, and the log the path that was asked.
            scope = cast("HTTPScope", {**scope, "path": canonical_path(path)})
        client, address = self._proxies.find_client(scope), self._address(scope["path"])
        request_id = headers.get(b"x-request-id", b"") if client.is_proxied else b""
        if not SANE_REQUEST_ID.fullmatch(request_id):
            request_id = b"%b%08x" % (self._prefix, next(self._numbers))
        policy = address.policy
        if policy.per_person or scope["method"] == "OPTIONS":
            policy = policy_by_token(policy, scope["method"], headers)
        own_headers = self._https_only if client.scheme == "https" else []
        if policy.copies is not Copies.NOT_A_PAGE:
            own_headers = [*offline_headers(policy.copies, headers.get(b"cookie", b"")), *own_headers]
        other_type = policy.default_media_type
        return RequestContext(
            scope=scope,
            send=send,
            start_time=start_time,
            path=path,
            headers=headers,
            request_id=request_id.decode("ascii"),
            client=client,
            counted_as=client.address,
            address=address,
            policy=policy,
            gzip=accepts_gzip(headers.get(b"accept-encoding", b"")),
            linked=bool(other_type) and prefers_linked_data(headers.get(b"accept", b""), other_type),
            own_headers=own_headers,
        )

    async def _answer(self, request: RequestContext, receive: Receive) -> None:
        """Check a request, and answer it from the cache, as a public read, or by the framework."""
        scope, address = request.scope, request.address
        if sum(map(len, request.headers.values())) > MAX_HEAD:
            await request.deliver(Response(431, [(b"content-length", b"0"), CONNECTION_CLOSE], b""))
            return
        await self._check(request)
        if scope["method"] not in {"GET", "HEAD"}:
            if self._is_read_only() and may_write(scope["method"], scope["path"]):
                raise ReadOnlyError
            await self._framework.run_with_body(request, receive)
            return
        query = self._queries.clean(address.plain, scope["query_string"], address.kinds)
        if not request.policy.cacheable:
            await self._framework.run(request, receive, query)
            return
        version = await self._version()
        key = (address.plain, query.encoded, request.gzip, request.linked)
        cached = self._cache.get(key, version)
        request.cached = cached is not None
        if cached is not None:
            await request.deliver(cached)
        elif (read := self._reads.get(address.plain)) is not None:
            await self._answer_read(request, read, query, key, version)
        else:
            response = await self._framework.run(request, receive, query)
            if response is not None and may_be_cached(response):
                self._cache.put(key, response, version)

    async def _check(self, request: RequestContext) -> None:
        """Raise the error of a request that names no host, has used up its limit, or has a slash within a name."""
        scope = request.scope
        if not is_host(request.headers.get(b"host", b"")):
            _refuse_host(request)
        if self._limiter is not None and request.policy.limited and scope["method"] != "OPTIONS":
            await self._count(request, self._limiter)
        raw = scope.get("raw_path") or b""
        if (b"%2F" in raw or b"%2f" in raw) and not request.address.takes_slashes:
            # An escaped slash ends no part of a path.
            raise NotFoundError(NO_SLASH)

    async def _count(self, request: RequestContext, limiter: Limiter) -> None:
        """Count a request for its client; those of programs for the person they act for, from wherever they come."""
        token = bearer_of(request.headers.get(b"authorization", b""))
        if token is not None and self._counted_as is not None:
            request.counted_as = await self._counted_as(token) or request.client.address
        request.count(limiter)

    async def _answer_read(
        self, request: RequestContext, read: PublicRead, query: CleanQuery, key: Key, version: int
    ) -> None:
        """Answer a public read. Raises InputError, and what its handler raises."""
        REQUEST_ID.set(request.request_id)
        request.template = read.template
        json, is_cacheable = await read.answer(query.pairs)
        policy = request.policy if is_cacheable else uncached(request.policy)
        response = await plain_response(json, policy, read.template, gzip=request.gzip)
        await request.deliver(response)
        if is_cacheable:
            self._cache.put(key, response, version)

    async def _answer_error(self, request: RequestContext, error: Exception) -> None:
        """Answer an error that no handler saw: a query that cannot be read, a limit, or a bug."""
        context = _error_context(request)
        error = in_words(error)
        log_if_ours(error, context)
        made = answer_error(error, context, page=self._page)
        headers = [(name.lower().encode(), value.encode()) for name, value in made.headers.items()]
        response = Response(
            made.status, [(b"content-type", made.media_type.encode()), *headers], made.body, request.template
        )
        await request.finish(response)


def _refuse_host(request: RequestContext) -> None:
    """Raise UnreadableRequestError for a `Host` that is not exactly one, or cannot be."""
    if request.headers.get(b"host"):
        raise UnreadableRequestError("The request must have one `Host` header: a name or an address, and maybe a port.")
    # The HTTP server gives an empty one to requests without any; HTTP/1.0 did not know it yet.
    if request.scope["http_version"] == "1.1":
        raise UnreadableRequestError("The request has no `Host` header, which HTTP/1.1 asks for.")


def _error_context(request: RequestContext) -> ErrorContext:
    return ErrorContext(request.scope["method"], raw_path(request.scope), request.request_id)
