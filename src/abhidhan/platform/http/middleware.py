"""The edge: the outermost ASGI layer, through which every request and response passes, including 404 and 405.

A request passes through `Edge.__call__`, which parses it, and `Edge._answer`, which checks it and looks in the cache;
then `Edge._answer_public_read` answers public reads, and the framework (`framework.py`) all other requests.
"""

import itertools
import os
import re
from collections.abc import Awaitable, Callable, Mapping
from time import perf_counter
from typing import Final, cast

from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from abhidhan.platform.http.address_tree import AddressTree, any_address, canonical_path
from abhidhan.platform.http.answer_cache import AnswerCache, CacheKey, is_response_cacheable
from abhidhan.platform.http.client_address import NO_TRUSTED_PROXIES, TrustedProxies
from abhidhan.platform.http.errors import (
    ErrorContext,
    ErrorPage,
    answer_error,
    log_failure,
    log_server_error,
    plain_page,
    raw_path,
    translate_os_error,
)
from abhidhan.platform.http.framework import Framework
from abhidhan.platform.http.logging import REQUEST_ID, FinishedRequest
from abhidhan.platform.http.page_variant import page_variant, requested_path
from abhidhan.platform.http.policies import (
    OLD_PREFIX,
    OfflineCopies,
    may_write,
    offline_headers,
    policy_by_token,
    uncached,
)
from abhidhan.platform.http.preferences import Interface, interface_of
from abhidhan.platform.http.public_reads import PublicRead
from abhidhan.platform.http.query import CleanQuery, QueryCleaner
from abhidhan.platform.http.rate_limit import Limiter
from abhidhan.platform.http.request_bodies import RequestBodies
from abhidhan.platform.http.request_context import RequestContext
from abhidhan.platform.http.request_headers import (
    CONNECTION_CLOSE,
    Headers,
    accepts_gzip,
    bearer_token,
    is_host,
    join_lines,
    prefers_linked_data,
)
from abhidhan.platform.http.response import Response, plain_response
from abhidhan.platform.http.telemetry import Observer
from abhidhan.records.errors import NotFoundError, ReadOnlyError, UnreadableRequestError, sentence

SANE_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
NO_SLASH: Final = sentence("Nothing at this address: a name in it cannot contain a slash.")

FindClientName = Callable[[str], Awaitable[str | None]]
"""Returns the name under which the requests of a bearer token are counted; None for an invalid token."""

FindInterface = Callable[[Scope, str | None], Interface]
"""Returns the interface preferences for a request; the second argument is the language in the query."""

MAX_HEAD: Final = 65_536
"""Maximum size of the headers in bytes. The HTTP server has the same limit, but not for headers in one piece."""


class Edge:
    """The ASGI application that the server runs, with the checks and headers that apply to every response."""

    def __init__(  # noqa: PLR0913 (each is an independent part of the edge, passed by keyword)
        self,
        app: ASGIApp,
        *,
        version: Callable[[], Awaitable[int]],
        is_read_only: Callable[[], bool] = lambda: False,
        addresses: AddressTree | None = None,
        proxies: TrustedProxies = NO_TRUSTED_PROXIES,
        limiter: Limiter | None = None,
        find_client_name: FindClientName | None = None,
        observer: Observer | None = None,
        page: ErrorPage = plain_page,
        reader_of: FindInterface = interface_of,
        cache: AnswerCache | None = None,
        bodies: RequestBodies | None = None,
        reads: Mapping[str, PublicRead] | None = None,
        https_only_seconds: int = 0,
    ) -> None:
        """Wrap `app`.

        `get_version` returns the data version, which changes whenever a response may change; it is called for each
        request, so it must be cheap. While `is_read_only` returns True, requests that may write are refused.
        `route_tree` provides the policy and the parameters of each path. `find_interface` resolves the preferences for
        pages, and `render_error_page` renders error pages. `bodies` has the timeouts and limits of request bodies.
        `public_reads`, by path, are answered without `app`. `find_client_name` returns the name under which the
        requests of a bearer token are counted.
        `https_only_seconds` is the `max-age` of `Strict-Transport-Security`; 0 turns it off.
        """
        self._version = version
        self._is_read_only = is_read_only
        self.addresses = addresses
        self._address = addresses.address if addresses is not None else any_address
        self._proxies = proxies
        self._limiter = limiter
        self._find_client_name = find_client_name
        self._observer = observer
        self._page = page
        self._reader_of = reader_of
        self._queries = QueryCleaner()
        self._cache = AnswerCache() if cache is None else cache
        self._reads = reads or {}
        self._app = app
        self._framework = Framework(app, bodies=bodies or RequestBodies(), proxies=proxies, limiter=limiter)
        self._https_only: Headers = (
            [(b"strict-transport-security", b"max-age=%d" % https_only_seconds)] if https_only_seconds else []
        )
        self._prefix = os.urandom(5).hex().encode()
        self._numbers = itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request; other scopes pass through to the application."""
        kind: str = scope["type"]
        if kind != "http":
            await self._app(scope, receive, send)
            return
        request = self._read_request(cast("HTTPScope", scope), send, perf_counter())
        if self._observer is not None:
            self._observer.start()
        try:
            await self._answer(request, receive)
        # Every unhandled error becomes a response; after the headers were sent, an aborted connection and a log line.
        except Exception as error:
            if request.status:
                log_failure(error, _error_context(request))
                raise
            await self._answer_error(request, error)
        finally:
            if self._observer is not None:
                self._observer.finish(
                    FinishedRequest(
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
        """Parse the parts of a request that the edge needs: the client, the route, and the accepted formats."""
        path, lines = scope["path"], cast("Headers", scope["headers"])
        headers = dict(lines)
        if len(headers) != len(lines):
            lines = join_lines(lines)
            headers, scope = dict(lines), cast("HTTPScope", {**scope, "headers": lines})
        if OLD_PREFIX in path:
            # All other layers see the canonical path; errors show the raw path, and the log the requested one.
            scope = cast("HTTPScope", {**scope, "path": canonical_path(path)})
        client, address = self._proxies.find_client(scope), self._address(scope["path"])
        request_id = headers.get(b"x-request-id", b"") if client.is_proxied else b""
        if not SANE_REQUEST_ID.fullmatch(request_id):
            request_id = b"%b%08x" % (self._prefix, next(self._numbers))
        policy = address.policy
        if policy.per_person or scope["method"] == "OPTIONS":
            policy = policy_by_token(policy, scope["method"], headers)
        own_headers = self._https_only if client.scheme == "https" else []
        if policy.copies is not OfflineCopies.NOT_A_PAGE:
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
            client_name=client.address,
            address=address,
            policy=policy,
            gzip=accepts_gzip(headers.get(b"accept-encoding", b"")),
            linked=bool(other_type) and prefers_linked_data(headers.get(b"accept", b""), other_type),
            own_headers=own_headers,
        )

    async def _answer(self, request: RequestContext, receive: Receive) -> None:
        """Check a request, and answer it from the cache, as a public read, or through the framework."""
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
        key = self._key(request, query)
        if key is None:
            await self._framework.run(request, receive, query)
            return
        version = await self._version()
        cached = self._cache.get(key, version)
        request.cached = cached is not None
        if cached is not None:
            await request.deliver(cached)
        elif (read := self._reads.get(address.plain)) is not None:
            await self._answer_read(request, read, query, key, version)
        else:
            response = await self._framework.run(request, receive, query)
            if response is not None and is_response_cacheable(response, request.policy):
                self._cache.put(key, response, version)

    def _key(self, request: RequestContext, query: CleanQuery) -> CacheKey | None:
        """Return the cache key of a request, None if it is not cacheable; for pages, also resolve the preferences."""
        path = request.address.plain
        variant: str | None = ""
        if request.policy.copies is not OfflineCopies.NOT_A_PAGE:
            request.reader = self._reader_of(cast("Scope", request.scope), dict(query.pairs).get("interface"))
            # A page contains the requested path, and a trailing slash may be part of a word.
            path, variant = requested_path(request), page_variant(request, request.reader)
        if not request.policy.cacheable or variant is None:
            return None
        return CacheKey(path, query.encoded, request.gzip, request.linked, variant)

    async def _check(self, request: RequestContext) -> None:
        """Check a request's host, its rate limit and its path. Raises the error for the response."""
        scope = request.scope
        if not is_host(request.headers.get(b"host", b"")):
            _refuse_host(request)
        if self._limiter is not None and request.policy.limited and scope["method"] != "OPTIONS":
            await self._count(request, self._limiter)
        raw = scope.get("raw_path") or b""
        if (b"%2F" in raw or b"%2f" in raw) and not request.address.accepts_slashes:
            # An escaped slash is part of a name, which the routes below would split.
            raise NotFoundError(NO_SLASH)

    async def _count(self, request: RequestContext, limiter: Limiter) -> None:
        """Count a request against the rate limit of its token's user, or else of its client address."""
        token = bearer_token(request.headers.get(b"authorization", b""))
        if token is not None and self._find_client_name is not None:
            request.client_name = await self._find_client_name(token) or request.client.address
        request.count(limiter)

    async def _answer_read(
        self, request: RequestContext, read: PublicRead, query: CleanQuery, key: CacheKey, version: int
    ) -> None:
        """Answer a public read. Raises InputError and the errors of its handler."""
        REQUEST_ID.set(request.request_id)
        request.template = read.template
        json, is_cacheable = await read.answer(query.pairs)
        policy = request.policy if is_cacheable else uncached(request.policy)
        response = await plain_response(json, policy, read.template, gzip=request.gzip)
        await request.deliver(response)
        if is_cacheable:
            self._cache.put(key, response, version)

    async def _answer_error(self, request: RequestContext, error: Exception) -> None:
        """Answer an error outside the framework's handlers: an invalid query, a rate limit, or a bug."""
        context = _error_context(request)
        error = translate_os_error(error)
        log_server_error(error, context)
        answer = answer_error(error, context, page=self._page)
        headers = [(name.lower().encode(), value.encode()) for name, value in answer.headers.items()]
        response = Response(
            answer.status, [(b"content-type", answer.media_type.encode()), *headers], answer.body, request.template
        )
        await request.finish(response)


def _refuse_host(request: RequestContext) -> None:
    """Raise UnreadableRequestError for a missing, repeated or invalid `Host` header."""
    if request.headers.get(b"host"):
        raise UnreadableRequestError(
            "The request must have one `Host` header: a name or an address, optionally with a port."
        )
    # The HTTP server adds an empty one to requests without it; HTTP/1.0 does not require it.
    if request.scope["http_version"] == "1.1":
        raise UnreadableRequestError("The request has no `Host` header, which HTTP/1.1 requires.")


def _error_context(request: RequestContext) -> ErrorContext:
    return ErrorContext(request.scope["method"], raw_path(request.scope), request.request_id)
