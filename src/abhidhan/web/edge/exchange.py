"""One request on its way through the edge: what is known of it, and how its answer is captured and sent."""

from collections.abc import Awaitable, Callable

import msgspec
from litestar.types import HTTPScope, Message, Send

from abhidhan.web.edge.answer import UNMATCHED, Answer, Headers
from abhidhan.web.edge.bodies import Incoming
from abhidhan.web.edge.etags import is_among
from abhidhan.web.edge.headers import CLOSING
from abhidhan.web.edge.policies import Policy
from abhidhan.web.edge.response_headers import finish


class Exchange(msgspec.Struct):
    """One request on its way through the edge, and what has been sent of its answer."""

    scope: HTTPScope
    send: Send
    policy: Policy
    request_id: str
    client: str
    counted_as: str
    trusted: bool
    gzip: bool
    unless: bytes
    linked: bool = False
    host: bytes = b""
    head: int = 0
    incoming: Incoming | None = None
    offline: Headers = []
    https_only: Headers = []
    extra: Headers = []
    began: float = 0.0
    status: int = 0
    template: str = UNMATCHED
    kept: bool | None = None

    async def deliver(self, answer: Answer) -> None:
        """Send a finished answer: whole, without its body to HEAD, or as 304 to who has it already."""
        self.template = answer.template
        if answer.tag and self.unless and self.scope["method"] != "PUT" and is_among(answer.tag, self.unless):
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
        own = [*headers, (b"x-request-id", self.request_id.encode()), *self.offline, *self.https_only, *self.extra]
        await self.send({"type": "http.response.start", "status": status, "headers": own})


class Capture:
    """Collect what the application sends: held back when it comes in one piece, passed on when it streams."""

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
