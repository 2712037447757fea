"""The state of a request in the edge, and the sending of its response."""

from typing import Final

import msgspec
from litestar.types import HTTPScope, Send

from abhidhan.platform.http.address_tree import Address
from abhidhan.platform.http.client_address import Client
from abhidhan.platform.http.policies import Policy
from abhidhan.platform.http.preferences import Interface
from abhidhan.platform.http.rate_limit import Limiter
from abhidhan.platform.http.request_bodies import IncomingBody
from abhidhan.platform.http.request_headers import CONNECTION_CLOSE, Headers
from abhidhan.platform.http.response import (
    GZIP,
    NO_BODY,
    UNMATCHED,
    Response,
    compress,
    finish,
    is_worth_compressing,
    matches_etag,
    tag_of,
)
from abhidhan.records.errors import TooManyRequestsError, sentence

OK: Final = 200


class RequestContext(msgspec.Struct):
    """The state of a request in the edge.

    `path` is the requested path, for the log; that of `scope` has no old prefix. `policy` takes the request's token
    into account. `own_headers` are sent with every response to the request, and `limit_headers` report the client's
    rate limit. `cached` says whether the response came from the cache; None if it is not cacheable. `interface` has the
    preferences for a page.
    """

    scope: HTTPScope
    send: Send
    start_time: float
    path: str
    headers: dict[bytes, bytes]
    request_id: str
    client: Client
    client_name: str
    address: Address
    policy: Policy
    gzip: bool
    linked: bool
    own_headers: Headers
    limit_headers: Headers = []
    incoming: IncomingBody | None = None
    status: int = 0
    template: str = UNMATCHED
    cached: bool | None = None
    reader: Interface | None = None

    def count(self, limiter: Limiter, requests: int = 1) -> None:
        """Count the request, or several, against the client's rate limit. Raises TooManyRequestsError."""
        result = limiter.acquire(self.client_name, requests)
        self.limit_headers = result.headers
        if not result.allowed:
            raise TooManyRequestsError(
                sentence(
                    "The limit of %(rate)s has been reached. Try again in %(wait)s s.",
                    rate=str(limiter.rate),
                    wait=result.retry_after,
                ),
                result.retry_after,
            )

    async def finish(self, response: Response) -> None:
        """Compress a complete response, add its ETag and headers, and send it."""
        method = self.scope["method"]
        if method == "OPTIONS" and self.address.methods and response.status in NO_BODY:
            # If a path has several handlers, the framework's own response lists only the methods of the first.
            headers = [(name, value) for name, value in response.headers if name != b"allow"]
            response.headers = [*headers, (b"allow", ", ".join(self.address.methods).encode())]
        by_name = dict(response.headers)
        if self.gzip and is_worth_compressing(response.body, by_name.get(b"content-type", b"")):
            response.body = await compress(response.body)
            response.headers.append(GZIP)
        if self.policy.tagged and response.status == OK:
            response.tag = tag_of(response.body)
        elif response.status in {200, 304}:
            # Keep an ETag that the handler has set, as for pictures.
            response.tag = by_name.get(b"etag", b"")
        finish(response, self.policy, method)
        await self.deliver(response)

    async def deliver(self, response: Response) -> None:
        """Send a finished response: in full, without its body for HEAD, or as a 304 if the client's ETag matches."""
        self.template = response.template
        client_etag = self.headers.get(b"if-none-match")
        if client_etag and response.tag and self.scope["method"] != "PUT" and matches_etag(response.tag, client_etag):
            body = b""
            await self.send_head(304, response.unchanged)
        else:
            body = b"" if self.scope["method"] == "HEAD" else response.body
            await self.send_head(response.status, response.headers)
        await self.send({"type": "http.response.body", "body": body, "more_body": False})

    async def send_head(self, status: int, headers: Headers) -> None:
        """Send the status and the headers, with those of this request."""
        self.status = status
        all_headers = [*headers, (b"x-request-id", self.request_id.encode()), *self.own_headers, *self.limit_headers]
        if self.incoming is not None and self.incoming.failed:
            all_headers.append(CONNECTION_CLOSE)
        await self.send({"type": "http.response.start", "status": status, "headers": all_headers})
