"""Calls from the edge to the framework application: the request scope, and the capture of the response."""

from functools import partial
from typing import cast

from litestar.types import ASGIApp, Message, Receive, Scope

from abhidhan.platform.http.client_address import TrustedProxies
from abhidhan.platform.http.logging import REQUEST_ID
from abhidhan.platform.http.preferences import INTERFACE_KEY
from abhidhan.platform.http.query import CleanQuery
from abhidhan.platform.http.rate_limit import ALLOWANCE_KEY, Allowance, RateLimiter
from abhidhan.platform.http.request_bodies import INCOMING_BODY_KEY, RequestBodyLimiter, announces_body
from abhidhan.platform.http.request_context import OK_STATUS, RequestContext
from abhidhan.platform.http.request_headers import LINKED_DATA_KEY, Headers
from abhidhan.platform.http.response import UNMATCHED_TEMPLATE, EdgeResponse, add_policy_headers, matches_etag
from abhidhan.platform.http.streaming import OMIT_BODY_KEY


class FrameworkApp:
    """The framework application, which answers requests that are neither cached nor public reads."""

    def __init__(
        self, app: ASGIApp, *, bodies: RequestBodyLimiter, proxies: TrustedProxies, limiter: RateLimiter | None
    ) -> None:
        """Wrap `app`. `bodies` has the deadlines and limits of request bodies."""
        self._app = app
        self._bodies = bodies
        self._proxies = proxies
        self._limiter = limiter

    async def run_with_body(self, request: RequestContext, receive: Receive) -> None:
        """Call the application for a request that may have a body, with deadlines for the body."""
        if not announces_body(request.headers):
            await self.run(request, receive)
            return
        # A proxy that reports no client address may forward for many clients, so it has no limit.
        client = request.client
        sender = "" if client.is_proxied and self._proxies.trusts(client.address) else client.address
        incoming = request.incoming = self._bodies.register(sender, receive)
        try:
            await self.run(request, incoming.receive)
        finally:
            incoming.stop()

    async def run(
        self, request: RequestContext, receive: Receive, query: CleanQuery | None = None
    ) -> EdgeResponse | None:
        """Call the application, which sends the response. Return the response unless it was streamed."""
        REQUEST_ID.set(request.request_id)
        scope = self._build_scope(request, query)
        capture = _ResponseCapture(request, scope)
        await self._app(cast("Scope", scope), receive, capture.send)
        request.template = str(scope.get("path_template", UNMATCHED_TEMPLATE))
        if not request.status:
            raise RuntimeError("The application did not respond.")
        return capture.response

    def _build_scope(self, request: RequestContext, query: CleanQuery | None) -> dict[str, object]:
        """Build the application's ASGI scope: the client's scheme and address, the clean query, GET for HEAD."""
        method = request.scope["method"]
        scope: dict[str, object] = {
            **request.scope,
            "method": "GET" if method == "HEAD" else method,
            "scheme": request.client.scheme,
            "client": (request.client.address, 0),
            "trusted": request.client.is_proxied,
            OMIT_BODY_KEY: method == "HEAD",
            LINKED_DATA_KEY: request.prefers_linked_data,
            INTERFACE_KEY: request.interface,
        }
        if request.incoming is not None:
            scope[INCOMING_BODY_KEY] = request.incoming
        if self._limiter is not None and request.policy.is_rate_limited:
            scope[ALLOWANCE_KEY] = Allowance(self._limiter.rate, partial(request.count_requests, self._limiter))
        if query is not None:
            scope["query_string"] = query.encoded
        return scope


class _ResponseCapture:
    """Receives the application's messages: buffers a complete response, and forwards a streamed one."""

    def __init__(self, request: RequestContext, scope: dict[str, object]) -> None:
        """Capture for one request; the application writes its path template into `scope`."""
        self._request = request
        self._scope = scope
        self._status = 0
        self._headers: Headers = []
        self._is_streaming = False
        self._omits_body = request.scope["method"] == "HEAD"
        self.response: EdgeResponse | None = None

    async def send(self, message: Message) -> None:
        """Handle one message of the application."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = [(name.lower(), value) for name, value in message["headers"]]
        elif self._is_streaming:
            await self._forward(message)
        elif message["type"] == "http.response.body" and not message.get("more_body"):
            template = str(self._scope.get("path_template", UNMATCHED_TEMPLATE))
            self.response = EdgeResponse(self._status, self._headers, message.get("body", b""), template)
            await self._request.finish_and_send(self.response)
        else:
            await self._start_stream()
            await self._forward(message)

    async def _start_stream(self) -> None:
        """Send the headers of a stream; if the client's ETag matches, send only a 304."""
        self._is_streaming = True
        request = self._request
        response = EdgeResponse(self._status, self._headers, b"", etag=dict(self._headers).get(b"etag", b""))
        add_policy_headers(response, request.policy, request.scope["method"])
        client_etag = request.headers.get(b"if-none-match")
        if client_etag and response.status == OK_STATUS and response.etag and matches_etag(response.etag, client_etag):
            self._omits_body = True
            await request.send_head(304, response.not_modified_headers)
        else:
            await request.send_head(response.status, response.headers)

    async def _forward(self, message: Message) -> None:
        if not self._omits_body:
            await self._request.send(message)
        elif not message.get("more_body"):
            await self._request.send({"type": "http.response.body", "body": b"", "more_body": False})
