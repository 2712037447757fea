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

from abhidhan.platform.http.address_tree import RouteTree, describe_any_path, strip_old_prefix
from abhidhan.platform.http.answer_cache import CacheKey, ResponseCache, is_response_cacheable
from abhidhan.platform.http.client_address import NO_TRUSTED_PROXIES, TrustedProxies
from abhidhan.platform.http.errors import (
    ErrorContext,
    ErrorPageRenderer,
    build_error_response,
    get_raw_path,
    log_failure,
    log_server_error,
    render_plain_page,
    translate_os_error,
)
from abhidhan.platform.http.framework import FrameworkApp
from abhidhan.platform.http.logging import REQUEST_ID, FinishedRequest
from abhidhan.platform.http.page_variant import build_page_variant, get_requested_path
from abhidhan.platform.http.policies import (
    OLD_PREFIX,
    OfflineCopyRule,
    adapt_policy_to_token,
    build_offline_headers,
    disable_caching,
    may_write,
)
from abhidhan.platform.http.preferences import InterfacePreferences, get_interface
from abhidhan.platform.http.public_reads import PublicRead
from abhidhan.platform.http.query import CleanQuery, QueryCleaner
from abhidhan.platform.http.rate_limit import RateLimiter
from abhidhan.platform.http.request_bodies import RequestBodyLimiter
from abhidhan.platform.http.request_context import RequestContext
from abhidhan.platform.http.request_headers import (
    CONNECTION_CLOSE,
    Headers,
    accepts_gzip,
    is_valid_host,
    join_header_lines,
    parse_bearer_token,
    prefers_linked_data,
)
from abhidhan.platform.http.response import EdgeResponse, build_json_response
from abhidhan.platform.http.telemetry import RequestObserver
from abhidhan.records.errors import NotFoundError, ReadOnlyError, UnreadableRequestError, sentence

VALID_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
NO_SLASH_MESSAGE: Final = sentence("Nothing at this address: a name in it cannot contain a slash.")

FindClientName = Callable[[str], Awaitable[str | None]]
"""Returns the name under which the requests of a bearer token are counted; None for an invalid token."""

FindInterface = Callable[[Scope, str | None], InterfacePreferences]
"""Returns the interface preferences for a request; the second argument is the language in the query."""

MAX_HEADER_BYTES: Final = 65_536
"""Maximum size of the headers in bytes. The HTTP server has the same limit, but not for headers in one piece."""


class Edge:
    """The ASGI application that the server runs, with the checks and headers that apply to every response."""

    def __init__(  # noqa: PLR0913 (each is an independent part of the edge, passed by keyword)
        self,
        app: ASGIApp,
        *,
        get_version: Callable[[], Awaitable[int]],
        is_read_only: Callable[[], bool] = lambda: False,
        route_tree: RouteTree | None = None,
        proxies: TrustedProxies = NO_TRUSTED_PROXIES,
        limiter: RateLimiter | None = None,
        find_client_name: FindClientName | None = None,
        observer: RequestObserver | None = None,
        render_error_page: ErrorPageRenderer = render_plain_page,
        find_interface: FindInterface = get_interface,
        cache: ResponseCache | None = None,
        bodies: RequestBodyLimiter | None = None,
        public_reads: Mapping[str, PublicRead] | None = None,
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
        self._get_version = get_version
        self._is_read_only = is_read_only
        self.route_tree = route_tree
        self._describe_path = route_tree.describe_path if route_tree is not None else describe_any_path
        self._proxies = proxies
        self._limiter = limiter
        self._find_client_name = find_client_name
        self._observer = observer
        self._render_error_page = render_error_page
        self._find_interface = find_interface
        self._query_cleaner = QueryCleaner()
        self._cache = ResponseCache() if cache is None else cache
        self._public_reads = public_reads or {}
        self._app = app
        self._framework = FrameworkApp(app, bodies=bodies or RequestBodyLimiter(), proxies=proxies, limiter=limiter)
        self._https_only_headers: Headers = (
            [(b"strict-transport-security", b"max-age=%d" % https_only_seconds)] if https_only_seconds else []
        )
        self._request_id_prefix = os.urandom(5).hex().encode()
        self._request_numbers = itertools.count(1)

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
                log_failure(error, _build_error_context(request))
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
            lines = join_header_lines(lines)
            headers, scope = dict(lines), cast("HTTPScope", {**scope, "headers": lines})
        if OLD_PREFIX in path:
            # All other layers see the canonical path; errors show the raw path, and the log the requested one.
            scope = cast("HTTPScope", {**scope, "path": strip_old_prefix(path)})
        client, address = self._proxies.find_client(scope), self._describe_path(scope["path"])
        request_id = headers.get(b"x-request-id", b"") if client.is_proxied else b""
        if not VALID_REQUEST_ID.fullmatch(request_id):
            request_id = b"%b%08x" % (self._request_id_prefix, next(self._request_numbers))
        policy = address.policy
        if policy.depends_on_user or scope["method"] == "OPTIONS":
            policy = adapt_policy_to_token(policy, scope["method"], headers)
        own_headers = self._https_only_headers if client.scheme == "https" else []
        if policy.offline_copies is not OfflineCopyRule.NOT_A_PAGE:
            own_headers = [*build_offline_headers(policy.offline_copies, headers.get(b"cookie", b"")), *own_headers]
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
            path_info=address,
            policy=policy,
            accepts_gzip=accepts_gzip(headers.get(b"accept-encoding", b"")),
            prefers_linked_data=bool(other_type) and prefers_linked_data(headers.get(b"accept", b""), other_type),
            own_headers=own_headers,
        )

    async def _answer(self, request: RequestContext, receive: Receive) -> None:
        """Check a request, and answer it from the cache, as a public read, or through the framework."""
        scope, address = request.scope, request.path_info
        if sum(map(len, request.headers.values())) > MAX_HEADER_BYTES:
            await request.send_response(EdgeResponse(431, [(b"content-length", b"0"), CONNECTION_CLOSE], b""))
            return
        await self._check_request(request)
        if scope["method"] not in {"GET", "HEAD"}:
            if self._is_read_only() and may_write(scope["method"], scope["path"]):
                raise ReadOnlyError
            await self._framework.run_with_body(request, receive)
            return
        query = self._query_cleaner.clean(address.normalized_path, scope["query_string"], address.parameter_kinds)
        key = self._build_cache_key(request, query)
        if key is None:
            await self._framework.run(request, receive, query)
            return
        version = await self._get_version()
        cached = self._cache.get(key, version)
        request.cached = cached is not None
        if cached is not None:
            await request.send_response(cached)
        elif (read := self._public_reads.get(address.normalized_path)) is not None:
            await self._answer_public_read(request, read, query, key, version)
        else:
            response = await self._framework.run(request, receive, query)
            if response is not None and is_response_cacheable(response, request.policy):
                self._cache.put(key, response, version)

    def _build_cache_key(self, request: RequestContext, query: CleanQuery) -> CacheKey | None:
        """Return the cache key of a request, None if it is not cacheable; for pages, also resolve the preferences."""
        path = request.path_info.normalized_path
        variant: str | None = ""
        if request.policy.offline_copies is not OfflineCopyRule.NOT_A_PAGE:
            request.interface = self._find_interface(cast("Scope", request.scope), dict(query.pairs).get("interface"))
            # A page contains the requested path, and a trailing slash may be part of a word.
            path, variant = get_requested_path(request), build_page_variant(request, request.interface)
        if not request.policy.is_cacheable or variant is None:
            return None
        return CacheKey(path, query.encoded, request.accepts_gzip, request.prefers_linked_data, variant)

    async def _check_request(self, request: RequestContext) -> None:
        """Check a request's host, its rate limit and its path. Raises the error for the response."""
        scope = request.scope
        if not is_valid_host(request.headers.get(b"host", b"")):
            _refuse_host(request)
        if self._limiter is not None and request.policy.is_rate_limited and scope["method"] != "OPTIONS":
            await self._count_request(request, self._limiter)
        raw = scope.get("raw_path") or b""
        if (b"%2F" in raw or b"%2f" in raw) and not request.path_info.accepts_slashes:
            # An escaped slash is part of a name, which the routes below would split.
            raise NotFoundError(NO_SLASH_MESSAGE)

    async def _count_request(self, request: RequestContext, limiter: RateLimiter) -> None:
        """Count a request against the rate limit of its token's user, or else of its client address."""
        token = parse_bearer_token(request.headers.get(b"authorization", b""))
        if token is not None and self._find_client_name is not None:
            request.client_name = await self._find_client_name(token) or request.client.address
        request.count_requests(limiter)

    async def _answer_public_read(
        self, request: RequestContext, read: PublicRead, query: CleanQuery, key: CacheKey, version: int
    ) -> None:
        """Answer a public read. Raises InputError and the errors of its handler."""
        REQUEST_ID.set(request.request_id)
        request.template = read.template
        json, is_cacheable = await read.answer(query.pairs)
        policy = request.policy if is_cacheable else disable_caching(request.policy)
        response = await build_json_response(json, policy, read.template, gzip=request.accepts_gzip)
        await request.send_response(response)
        if is_cacheable:
            self._cache.put(key, response, version)

    async def _answer_error(self, request: RequestContext, error: Exception) -> None:
        """Answer an error outside the framework's handlers: an invalid query, a rate limit, or a bug."""
        context = _build_error_context(request)
        error = translate_os_error(error)
        log_server_error(error, context)
        error_response = build_error_response(error, context, render_page=self._render_error_page)
        headers = [(name.lower().encode(), value.encode()) for name, value in error_response.headers.items()]
        response = EdgeResponse(
            error_response.status,
            [(b"content-type", error_response.media_type.encode()), *headers],
            error_response.body,
            request.template,
        )
        await request.finish_and_send(response)


def _refuse_host(request: RequestContext) -> None:
    """Raise UnreadableRequestError for a missing, repeated or invalid `Host` header."""
    if request.headers.get(b"host"):
        raise UnreadableRequestError(
            "The request must have one `Host` header: a name or an address, optionally with a port."
        )
    # The HTTP server adds an empty one to requests without it; HTTP/1.0 does not require it.
    if request.scope["http_version"] == "1.1":
        raise UnreadableRequestError("The request has no `Host` header, which HTTP/1.1 requires.")


def _build_error_context(request: RequestContext) -> ErrorContext:
    return ErrorContext(request.scope["method"], get_raw_path(request.scope), request.request_id)
