"""One request on its way through the edge: what is known of it, and how its response is finished and sent."""

from typing import Final

import msgspec
from litestar.types import HTTPScope, Send

from abhidhan.platform.http.address_tree import Address
from abhidhan.platform.http.client_address import Client
from abhidhan.platform.http.policies import Policy
from abhidhan.platform.http.rate_limit import Limiter
from abhidhan.platform.http.request_bodies import Incoming
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
    """One request on its way through the edge, and what has been sent of its response.

    `path` is the one that was asked, which the log shows; that of `scope` has no old prefix. `policy` is that of the
    address, for whoever asks. `gzip` and `linked` say whether compression and linked data are wanted. `own_headers` go
    with whatever is sent, and `limit_headers` tell where the client stands. `cached` says whether the response came
    from the cache; None: it could not.
    """

    scope: HTTPScope
    send: Send
    start_time: float
    path: str
    headers: dict[bytes, bytes]
    request_id: str
    client: Client
    counted_as: str
    address: Address
    policy: Policy
    gzip: bool
    linked: bool
    own_headers: Headers
    limit_headers: Headers = []
    incoming: Incoming | None = None
    status: int = 0
    template: str = UNMATCHED
    cached: bool | None = None

    def count(self, limiter: Limiter, requests: int = 1) -> None:
        """Count the request, or several, against the limit of its client. Raises TooManyRequestsError."""
        verdict = limiter.ask(self.counted_as, requests)
        self.limit_headers = verdict.headers
        if not verdict.allowed:
            raise TooManyRequestsError(
                sentence(
                    "The limit of %(rate)s is used up. Ask again in %(wait)s s.",
                    rate=str(limiter.rate),
                    wait=verdict.retry_after,
                ),
                verdict.retry_after,
            )

    async def finish(self, response: Response) -> None:
        """Code, tag and decorate a response that came in one piece, and send it."""
        method = self.scope["method"]
        if method == "OPTIONS" and self.address.methods and response.status in NO_BODY:
            # Of several handlers of an address, the framework's own response names the methods of the first only.
            others = [(name, value) for name, value in response.headers if name != b"allow"]
            response.headers = [*others, (b"allow", ", ".join(self.address.methods).encode())]
        named = dict(response.headers)
        if self.gzip and is_worth_compressing(response.body, named.get(b"content-type", b"")):
            response.body = await compress(response.body)
            response.headers.append(GZIP)
        if self.policy.tagged and response.status == OK:
            response.tag = tag_of(response.body)
        elif response.status in {200, 304}:
            # What a handler has tagged itself, as pictures are by what they show.
            response.tag = named.get(b"etag", b"")
        finish(response, self.policy, method)
        await self.deliver(response)

    async def deliver(self, response: Response) -> None:
        """Send a finished response: whole, without its body to HEAD, or as 304 to who has it already."""
        self.template = response.template
        known = self.headers.get(b"if-none-match")
        if known and response.tag and self.scope["method"] != "PUT" and matches_etag(response.tag, known):
            body = b""
            await self.send_head(304, response.unchanged)
        else:
            body = b"" if self.scope["method"] == "HEAD" else response.body
            await self.send_head(response.status, response.headers)
        await self.send({"type": "http.response.body", "body": body, "more_body": False})

    async def send_head(self, status: int, headers: Headers) -> None:
        """Send the status and the headers, with those that belong to this request alone."""
        self.status = status
        own = [*headers, (b"x-request-id", self.request_id.encode()), *self.own_headers, *self.limit_headers]
        if self.incoming is not None and self.incoming.failed:
            own.append(CONNECTION_CLOSE)
        await self.send({"type": "http.response.start", "status": status, "headers": own})
