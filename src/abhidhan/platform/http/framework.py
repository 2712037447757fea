"""Calls from the edge to the framework application: the request scope, and the capture of the response."""

from functools import partial
from typing import cast

from litestar.types import ASGIApp, Message, Receive, Scope

from abhidhan.platform.http.client_address import TrustedProxies
from abhidhan.platform.http.logging import REQUEST_ID
from abhidhan.platform.http.preferences import READER
from abhidhan.platform.http.query import CleanQuery
from abhidhan.platform.http.rate_limit import ALLOWANCE, Allowance, Limiter
from abhidhan.platform.http.request_bodies import INCOMING, RequestBodies, announces_body
from abhidhan.platform.http.request_context import OK, RequestContext
from abhidhan.platform.http.request_headers import LINKED_DATA, Headers
from abhidhan.platform.http.response import UNMATCHED, Response, finish, matches_etag
from abhidhan.platform.http.streaming import OMIT_BODY


class Framework:
    """The framework application, which answers requests that are neither cached nor public reads."""

    def __init__(
        self, app: ASGIApp, *, bodies: RequestBodies, proxies: TrustedProxies, limiter: Limiter | None
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
        incoming = request.incoming = self._bodies.expect(sender, receive)
        try:
            await self.run(request, incoming.receive)
        finally:
            incoming.end()

    async def run(self, request: RequestContext, receive: Receive, query: CleanQuery | None = None) -> Response | None:
        """Call the application, which sends the response. Return the response unless it was streamed."""
        REQUEST_ID.set(request.request_id)
        scope = self._inner_scope(request, query)
        capture = _Capture(request, scope)
        await self._app(cast("Scope", scope), receive, capture.send)
        request.template = str(scope.get("path_template", UNMATCHED))
        if not request.status:
            raise RuntimeError("The application did not respond.")
        return capture.response

    def _inner_scope(self, request: RequestContext, query: CleanQuery | None) -> dict[str, object]:
        """Build the scope for the application: the request as the client sent it, with the normalised query."""
        method = request.scope["method"]
        scope: dict[str, object] = {
            **request.scope,
            "method": "GET" if method == "HEAD" else method,
            "scheme": request.client.scheme,
            "client": (request.client.address, 0),
            "trusted": request.client.is_proxied,
            OMIT_BODY: method == "HEAD",
            LINKED_DATA: request.linked,
            READER: request.reader,
        }
        if request.incoming is not None:
            scope[INCOMING] = request.incoming
        if self._limiter is not None and request.policy.limited:
            scope[ALLOWANCE] = Allowance(self._limiter.rate, partial(request.count, self._limiter))
        if query is not None:
            scope["query_string"] = query.encoded
        return scope


class _Capture:
    """Receives the application's messages: buffers a complete response, and forwards a streamed one."""

    def __init__(self, request: RequestContext, scope: dict[str, object]) -> None:
        """Capture for one request; the application writes its path template into `scope`."""
        self._request = request
        self._scope = scope
        self._status = 0
        self._headers: Headers = []
        self._streaming = False
        self._silent = request.scope["method"] == "HEAD"
        self.response: Response | None = None

    async def send(self, message: Message) -> None:
        """Handle one message of the application."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = [(name.lower(), value) for name, value in message["headers"]]
        elif self._streaming:
            await self._pass_on(message)
        elif message["type"] == "http.response.body" and not message.get("more_body"):
            template = str(self._scope.get("path_template", UNMATCHED))
            self.response = Response(self._status, self._headers, message.get("body", b""), template)
            await self._request.finish(self.response)
        else:
            await self._begin_stream()
            await self._pass_on(message)

    async def _begin_stream(self) -> None:
        """Send the headers of a stream; if the client's ETag matches, send only a 304."""
        self._streaming = True
        request = self._request
        response = Response(self._status, self._headers, b"", tag=dict(self._headers).get(b"etag", b""))
        finish(response, request.policy, request.scope["method"])
        client_etag = request.headers.get(b"if-none-match")
        if client_etag and response.status == OK and response.tag and matches_etag(response.tag, client_etag):
            self._silent = True
            await request.send_head(304, response.unchanged)
        else:
            await request.send_head(response.status, response.headers)

    async def _pass_on(self, message: Message) -> None:
        if not self._silent:
            await self._request.send(message)
        elif not message.get("more_body"):
            await self._request.send({"type": "http.response.body", "body": b"", "more_body": False})
