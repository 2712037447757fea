"""The state of a request in the edge, and the sending of its response."""

from typing import Final

import msgspec
from litestar.types import HTTPScope, Send

from abhidhan.platform.http.address_tree import PathInfo
from abhidhan.platform.http.client_address import Client
from abhidhan.platform.http.policies import ResponsePolicy
from abhidhan.platform.http.preferences import InterfacePreferences
from abhidhan.platform.http.rate_limit import RateLimiter
from abhidhan.platform.http.request_bodies import IncomingBody
from abhidhan.platform.http.request_headers import CONNECTION_CLOSE, Headers
from abhidhan.platform.http.response import (
    GZIP_HEADER,
    NO_BODY_STATUSES,
    UNMATCHED_TEMPLATE,
    EdgeResponse,
    add_policy_headers,
    compress,
    compute_etag,
    is_worth_compressing,
    matches_etag,
)
from abhidhan.records.errors import TooManyRequestsError, sentence

OK_STATUS: Final = 200


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
    path_info: PathInfo
    policy: ResponsePolicy
    accepts_gzip: bool
    prefers_linked_data: bool
    own_headers: Headers
    limit_headers: Headers = []
    incoming: IncomingBody | None = None
    status: int = 0
    template: str = UNMATCHED_TEMPLATE
    cached: bool | None = None
    interface: InterfacePreferences | None = None

    def count_requests(self, limiter: RateLimiter, requests: int = 1) -> None:
        """Count the request, or several, against the client's rate limit. Raises TooManyRequestsError."""
        result = limiter.acquire(self.client_name, requests)
        self.limit_headers = result.headers
        if not result.is_allowed:
            raise TooManyRequestsError(
                sentence(
                    "The limit of %(rate)s has been reached. Try again in %(wait)s s.",
                    rate=str(limiter.rate),
                    wait=result.retry_after,
                ),
                result.retry_after,
            )

    async def finish_and_send(self, response: EdgeResponse) -> None:
        """Compress a complete response, add its ETag and headers, and send it."""
        method = self.scope["method"]
        if method == "OPTIONS" and self.path_info.methods and response.status in NO_BODY_STATUSES:
            # If a path has several handlers, the framework's own response lists only the methods of the first.
            headers = [(name, value) for name, value in response.headers if name != b"allow"]
            response.headers = [*headers, (b"allow", ", ".join(self.path_info.methods).encode())]
        by_name = dict(response.headers)
        if self.accepts_gzip and is_worth_compressing(response.body, by_name.get(b"content-type", b"")):
            response.body = await compress(response.body)
            response.headers.append(GZIP_HEADER)
        if self.policy.has_etag and response.status == OK_STATUS:
            response.etag = compute_etag(response.body)
        elif response.status in {200, 304}:
            # Keep an ETag that the handler has set, as for pictures.
            response.etag = by_name.get(b"etag", b"")
        add_policy_headers(response, self.policy, method)
        await self.send_response(response)

    async def send_response(self, response: EdgeResponse) -> None:
        """Send a finished response: in full, without its body for HEAD, or as a 304 if the client's ETag matches."""
        self.template = response.template
        client_etag = self.headers.get(b"if-none-match")
        if client_etag and response.etag and self.scope["method"] != "PUT" and matches_etag(response.etag, client_etag):
            body = b""
            await self.send_head(304, response.not_modified_headers)
        else:
            body = b"" if self.scope["method"] == "HEAD" else response.body
            await self.send_head(response.status, response.headers)
        await self.send({"type": "http.response.body", "body": body, "more_body": False})

    async def send_head(self, status: int, headers: Headers) -> None:
        """Send the status and the headers, with those of this request."""
        self.status = status
        all_headers = [*headers, (b"x-request-id", self.request_id.encode()), *self.own_headers, *self.limit_headers]
        if self.incoming is not None and self.incoming.has_failed:
            all_headers.append(CONNECTION_CLOSE)
        await self.send({"type": "http.response.start", "status": status, "headers": all_headers})
